//! Records an operation of a communicator that is no part of the graph.

use ascendcl::collective::{Comm, Sum};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type Numbers<'d> = DeviceBuf<'d, Npu<0>, [f32]>;

fn wrong<'t, 'd>(
    stream: &mut Stream<'t, 'd, Npu<0>>,
    comm: Queued<'d, (Npu<0>, Main), Comm<'t, 'd, Npu<0>>>,
    numbers: Numbers<'d>,
    sums: Numbers<'d>,
) -> Result<()> {
    //~ instead: let comm = stream.synchronize()?.take(comm);
    let graph = stream.capture((numbers, sums), |recording, (numbers, mut sums)| { //~ mistake
    //~ instead: let graph = stream.capture((comm, numbers, sums), |recording, (comm, numbers, mut sums)| {
        recording.with(&comm).all_reduce(Sum, &numbers, &mut sums) //~ mistake
        //~ instead: recording.with(&comm).all_reduce(Sum, &numbers, &mut sums)
    })?;
    drop(graph);
    Ok(())
}
