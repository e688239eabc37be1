//! Launches a graph between the proof and its use.

use ascendcl::graph::Graph;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type Memory<'d> = DeviceBuf<'d, Npu<0>, [u8]>;
type OnMain<'d> = Queued<'d, (Npu<0>, Main), Graph<'d, Npu<0>, Memory<'d>>>;

fn wrong<'d>(stream: &mut Stream<'_, 'd, Npu<0>>, mut graph: OnMain<'d>) -> Result<()> {
    let idle = stream.synchronize()?; //~ mistake
    graph.launch(stream)?; //~ mistake
    //~ instead: graph.launch(stream)?;
    //~ instead: let idle = stream.synchronize()?;
    idle.take(graph).destroy()?;
    Ok(())
}
