//! Passes memory of the media engine to a reduction.

use ascendcl::collective::{Comm, Sum};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, DvppBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, Q, Comm<'_, 'd, D>>,
    pixels: &mut Queued<'d, Q, DvppBuf<'d, D, [i8]>>,
    copy: &mut Queued<'d, Q, DeviceBuf<'d, D, [i8]>>,
) -> Result<()> {
    let _ = (&pixels, &copy);
    stream.with(comm).all_reduce_in_place(Sum, pixels) //~ mistake
    //~ instead: stream.with(comm).all_reduce_in_place(Sum, copy)
}

fn main() {
    let _ = wrong;
}
