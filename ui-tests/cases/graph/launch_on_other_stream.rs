//! Launches a graph on another stream than the one that has it.

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
    graph.launch(other)?; //~ mistake
    //~ instead: graph.launch(stream)?;
    Ok(())
}
