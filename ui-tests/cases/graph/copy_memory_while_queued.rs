//! Copies memory of a graph at once while a run of it is queued.

use ascendcl::graph::Graph;
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

type Memory<'d> = DeviceBuf<'d, Npu<0>, [u8]>;
type OnMain<'d> = Queued<'d, (Npu<0>, Main), Graph<'d, Npu<0>, Memory<'d>>>;

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    current: Current<'_, 'd, Npu<0>>,
    host: &mut HostBuf<'d, [u8]>,
    mut graph: OnMain<'d>,
) -> Result<()> {
    graph.launch(stream)?;
    //~ instead: let mut graph = stream.synchronize()?.take(graph);
    current.memcpy(host, &graph.memory())?; //~ mistake
    //~ instead: current.memcpy(host, &graph.memory())?;
    Ok(())
}
