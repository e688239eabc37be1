//! Runs an operation on the default stream, which HCCL refuses.

use ascendcl::collective::Comm;
use ascendcl::stream::{DefaultName, Main};
use ascendcl::{Npu, Queued, Result, Stream};

type D = Npu<0>;

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, DefaultName>, //~ mistake
    comm: &mut Queued<'d, (D, DefaultName), Comm<'_, 'd, D>>, //~ mistake
    //~ instead: stream: &mut Stream<'_, 'd, D, Main>,
    //~ instead: comm: &mut Queued<'d, (D, Main), Comm<'_, 'd, D>>,
) -> Result<()> {
    let _ = std::any::type_name::<(DefaultName, Main)>();
    comm.barrier(stream)
}

fn main() {
    let _ = wrong;
}
