//! Exchanges a buffer of a graph for another one.

use ascendcl::graph::Graph;
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result, Stream};

type Memory<'d> = DeviceBuf<'d, Npu<0>, [u8]>;
type OnMain<'d> = Queued<'d, (Npu<0>, Main), Graph<'d, Npu<0>, Memory<'d>>>;

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    current: Current<'_, 'd, Npu<0>>,
    spare: &mut Memory<'d>,
    graph: OnMain<'d>,
) -> Result<()> {
    let mut graph = stream.synchronize()?.take(graph);
    std::mem::swap(&mut graph.memory(), spare); //~ mistake
    //~ instead: current.memcpy(&mut graph.memory(), &*spare)?;
    Ok(())
}
