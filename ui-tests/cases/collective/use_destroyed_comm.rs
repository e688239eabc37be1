//! Queues an operation on a communicator that was destroyed.

use ascendcl::collective::Comm;
use ascendcl::stream::Main;
use ascendcl::{Npu, Result, Stream};

type D = Npu<0>;

fn wrong<'d>(stream: &mut Stream<'_, 'd, D, Main>, comm: Comm<'_, 'd, D>) -> Result<()> {
    comm.destroy()?; //~ mistake
    let comm = stream.adopt(comm);
    stream.with(&comm).barrier()?;
    //~ instead: stream.synchronize()?.take(comm).destroy()?;
    Ok(())
}

fn main() {
    let _ = wrong;
}
