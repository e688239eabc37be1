//! Adds a mask of bytes over all ranks, which a framework passed to HCCL for a tensor of truth values.

use ascendcl::collective::{Comm, Max, Sum};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, Q, Comm<'_, 'd, D>>,
    mask: &mut Queued<'d, Q, DeviceBuf<'d, D, [u8]>>, //~ mistake
    //~ instead: mask: &mut Queued<'d, Q, DeviceBuf<'d, D, [i8]>>,
) -> Result<()> {
    let _ = (Sum, Max);
    stream.with(comm).all_reduce_in_place(Sum, mask) //~ mistake
    //~ instead: stream.with(comm).all_reduce_in_place(Max, mask)
}
