//! Passes the lengths of the parts as a slice.

use ascendcl::collective::Comm;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type D = Npu<0>;
type Q = (D, Main);

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &mut Queued<'d, Q, Comm<'_, 'd, D>>,
    own: &Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
    all: &mut Queued<'d, Q, DeviceBuf<'d, D, [f32]>>,
) -> Result<()> {
    comm.all_gather_v(stream, &[1, 2], own, all) //~ mistake
    //~ instead: let counts = comm.ranks().counts(&[1, 2])?;
    //~ instead: comm.all_gather_v(stream, &counts, own, all)
}

fn main() {
    let _ = wrong;
}
