//! Uses memory of a queued graph on another stream.

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
    graph: &mut OnMain<'d>,
) -> Result<()> {
    graph.launch(stream)?;
    other.memset_async(graph.memory(), 0)?; //~ mistake
    //~ instead: stream.memset_async(graph.memory(), 0)?;
    Ok(())
}
