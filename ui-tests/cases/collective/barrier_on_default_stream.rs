//! Runs an operation on the default stream, which HCCL refuses.

use ascendcl::collective::Comm;
use ascendcl::stream::{DefaultName, Main};
use ascendcl::{Npu, Queued, Result, Stream};

type D = Npu<0>;

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, DefaultName>, //~ mistake
    comm: &Queued<'d, (D, DefaultName), Comm<'_, 'd, D>>, //~ mistake
    //~ instead: stream: &mut Stream<'_, 'd, D, Main>,
    //~ instead: comm: &Queued<'d, (D, Main), Comm<'_, 'd, D>>,
) -> Result<()> {
    let _ = std::any::type_name::<(DefaultName, Main)>();
    stream.with(comm).barrier()
}

fn main() {
    let _ = wrong;
}
