//! Passes the lengths of the parts as a slice.

use ascendcl::collective::Comm;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, Q, Comm<'_, 'd, D>>,
    own: &Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
    all: &mut Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
) -> Result<()> {
    stream.with(comm).all_gather_v(&[1, 2], own, all) //~ mistake
    //~ instead: let counts = comm.ranks().counts(&[1, 2])?;
    //~ instead: stream.with(comm).all_gather_v(&counts, own, all)
}

fn main() {
    let _ = wrong;
}
