//! Exchanges elements of a type that HCCL does not have.

use ascendcl::collective::Comm;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};
use ascendcl::memory::Uninit;

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, Q, Comm<'_, 'd, D>>,
    own: &Queued<'d, Q, DeviceBuf<'d, D, [u128]>>, //~ mistake
    all: Queued<'d, Q, DeviceBuf<'d, D, [u128], Uninit>>, //~ mistake
    //~ instead: own: &Queued<'d, Q, DeviceBuf<'d, D, [u64]>>,
    //~ instead: all: Queued<'d, Q, DeviceBuf<'d, D, [u64], Uninit>>,
) -> Result<()> {
    stream.with(comm).all_gather(own, all)?;
    Ok(())
}

fn main() {
    let _ = wrong;
}
