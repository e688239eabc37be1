//! Keeps a session over a wait for its stream.

use ascendcl::collective::Comm;
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

type D = Npu<0>;

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, D, Main>,
    comm: &Queued<'d, (D, Main), Comm<'_, 'd, D>>,
) -> Result<()> {
    let session = stream.with(comm);
    session.barrier()?;
    stream.synchronize()?; //~ mistake
    session.barrier() //~ mistake
    //~ instead: stream.synchronize()?;
    //~ instead: stream.with(comm).barrier()
}
