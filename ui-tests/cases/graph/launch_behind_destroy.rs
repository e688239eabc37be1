//! Launches a graph that was destroyed.

use ascendcl::graph::Graph;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type Memory<'d> = DeviceBuf<'d, Npu<0>, [u8]>;
type OnMain<'d> = Queued<'d, (Npu<0>, Main), Graph<'d, Npu<0>, Memory<'d>>>;

fn wrong<'d>(stream: &mut Stream<'_, 'd, Npu<0>>, graph: OnMain<'d>) -> Result<()> {
    let idle = stream.synchronize()?.take(graph);
    //~ instead: let mut graph = stream.adopt(idle);
    idle.destroy()?; //~ mistake
    stream.adopt(idle).launch(stream)?; //~ mistake
    //~ instead: graph.launch(stream)?;
    Ok(())
}
