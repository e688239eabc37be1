//! Takes a graph back by the proof of another stream.

use ascendcl::graph::Graph;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream, StreamName};

enum Other {}
impl StreamName for Other {}

type Memory<'d> = DeviceBuf<'d, Npu<0>, [u8]>;
type OnMain<'d> = Queued<'d, (Npu<0>, Main), Graph<'d, Npu<0>, Memory<'d>>>;

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    other: &mut Stream<'_, 'd, Npu<0>, Other>,
    mut graph: OnMain<'d>,
) -> Result<()> {
    graph.launch(stream)?;
    let graph = other.synchronize()?.take(graph); //~ mistake
    //~ instead: let graph = stream.synchronize()?.take(graph);
    graph.destroy()?;
    Ok(())
}
