//! Calls an operation of a communicator that no stream has.

use ascendcl::collective::{Comm, Sum};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

fn wrong<'dev>(
    mut stream: Stream<'_, 'dev, Npu<0>, Main>,
    comm: Comm<'_, 'dev, Npu<0>>,
    part: Queued<'dev, (Npu<0>, Main), DeviceBuf<'dev, Npu<0>, [f32]>>,
) -> Result<()> {
    let sum = stream.malloc(part.len())?;
    let sum = comm.all_reduce(Sum, &part, sum)?; //~ mistake
    //~ instead: let comm = stream.adopt(comm);
    //~ instead: let sum = stream.with(&comm).all_reduce(Sum, &part, sum)?;
    drop(sum);
    stream.synchronize().map(drop)
}
