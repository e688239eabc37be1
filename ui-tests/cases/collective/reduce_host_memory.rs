//! Passes host memory to a reduction.

use ascendcl::collective::{Comm, Sum};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, Q, Comm<'_, 'd, D>>,
    on_host: &mut Queued<'d, Q, HostBuf<'d, [f32]>>,
    on_device: &mut Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
) -> Result<()> {
    let _ = (&on_host, &on_device);
    stream.with(comm).all_reduce_in_place(Sum, on_host) //~ mistake
    //~ instead: stream.with(comm).all_reduce_in_place(Sum, on_device)
}

fn main() {
    let _ = wrong;
}
