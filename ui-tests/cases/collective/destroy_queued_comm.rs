//! Destroys a communicator while its operations may run.

use ascendcl::collective::Comm;
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

type D = Npu<0>;

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: Queued<'d, (D, Main), Comm<'_, 'd, D>>,
) -> Result<()> {
    stream.with(&comm).barrier()?;
    comm.destroy() //~ mistake
    //~ instead: stream.synchronize()?.take(comm).destroy()
}

fn main() {
    let _ = wrong;
}
