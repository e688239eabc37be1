//! Launches a graph in a recording.

use ascendcl::graph::Graph;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream, StreamName};

enum Other {}
impl StreamName for Other {}

type Memory<'d> = DeviceBuf<'d, Npu<0>, [u8]>;
type OnMain<'d> = Queued<'d, (Npu<0>, Main), Graph<'d, Npu<0>, Memory<'d>>>;

fn wrong<'d>(
    other: &mut Stream<'_, 'd, Npu<0>, Other>,
    graph: &mut OnMain<'d>,
    stream: &mut Stream<'_, 'd, Npu<0>>,
) -> Result<()> {
    let outer = other.capture((), |recording, ()| {
        graph.launch(recording)?; //~ mistake
        Ok(())
    })?;
    //~ instead: graph.launch(stream)?;
    drop(outer);
    Ok(())
}
