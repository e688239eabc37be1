//! Uses memory of a graph behind its end.

use ascendcl::graph::Graph;
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result, Stream};

type Memory<'d> = HostBuf<'d, [u8]>;
type OnMain<'d> = Queued<'d, (Npu<0>, Main), Graph<'d, Npu<0>, Memory<'d>>>;

fn wrong<'d>(stream: &mut Stream<'_, 'd, Npu<0>>, graph: OnMain<'d>) -> Result<()> {
    let mut graph = stream.synchronize()?.take(graph);
    let memory = graph.memory();
    graph.destroy()?; //~ mistake
    println!("{}", memory.len());
    //~ instead: graph.destroy()?;
    Ok(())
}
