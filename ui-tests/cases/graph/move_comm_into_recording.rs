//! Moves a communicator into a recording, and not into the memory of the graph.

use ascendcl::collective::{Comm, Sum};
use ascendcl::{DeviceBuf, Npu, Result, Stream};

type Numbers<'d> = DeviceBuf<'d, Npu<0>, [f32]>;

fn wrong<'t, 'd>(
    stream: &mut Stream<'t, 'd, Npu<0>>,
    comm: Comm<'t, 'd, Npu<0>>,
    numbers: Numbers<'d>,
    sums: Numbers<'d>,
) -> Result<()> {
    let graph = stream.capture((numbers, sums), |recording, (numbers, mut sums)| { //~ mistake
    //~ instead: let graph = stream.capture((comm, numbers, sums), |recording, (comm, numbers, mut sums)| {
        let comm = recording.adopt(comm); //~ mistake
        recording.with(&comm).all_reduce(Sum, &numbers, &mut sums)
    })?;
    drop(graph);
    Ok(())
}
