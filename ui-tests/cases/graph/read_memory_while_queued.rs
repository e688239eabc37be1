//! Reads host memory of a graph while a run of it is queued.

use ascendcl::graph::Graph;
use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result, Stream};

type Memory<'d> = HostBuf<'d, [u8]>;
type OnMain<'d> = Queued<'d, (Npu<0>, Main), Graph<'d, Npu<0>, Memory<'d>>>;

fn wrong<'d>(stream: &mut Stream<'_, 'd, Npu<0>>, mut graph: OnMain<'d>) -> Result<()> {
    graph.launch(stream)?;
    //~ instead: let mut graph = stream.synchronize()?.take(graph);
    println!("{}", graph.memory()[0]); //~ mistake
    //~ instead: println!("{}", graph.memory()[0]);
    Ok(())
}
