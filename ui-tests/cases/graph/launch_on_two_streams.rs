//! Launches a graph on its old stream when it was handed to another one.

use ascendcl::event::Order;
use ascendcl::graph::Graph;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Event, Npu, Queued, Result, Stream, StreamName};

enum Other {}
impl StreamName for Other {}

type Memory<'d> = DeviceBuf<'d, Npu<0>, [u8]>;
type OnMain<'d> = Queued<'d, (Npu<0>, Main), Graph<'d, Npu<0>, Memory<'d>>>;

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    other: &mut Stream<'_, 'd, Npu<0>, Other>,
    event: &mut Event<'d, Npu<0>, Order>,
    mut graph: OnMain<'d>,
) -> Result<()> {
    graph.launch(stream)?;
    let mut moved = stream.handoff(other, event, graph)?;
    moved.launch(other)?;
    graph.launch(stream)?; //~ mistake
    Ok(())
}
