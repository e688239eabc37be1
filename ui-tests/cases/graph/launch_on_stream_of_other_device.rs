//! Launches a graph on a stream of another device.

use ascendcl::graph::Graph;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type Memory<'d> = DeviceBuf<'d, Npu<0>, [u8]>;
type OnMain<'d> = Queued<'d, (Npu<0>, Main), Graph<'d, Npu<0>, Memory<'d>>>;

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>>,
    other: &mut Stream<'_, 'd, Npu<1>>,
    graph: &mut OnMain<'d>,
) -> Result<()> {
    graph.launch(other)?; //~ mistake
    //~ instead: graph.launch(stream)?;
    Ok(())
}
