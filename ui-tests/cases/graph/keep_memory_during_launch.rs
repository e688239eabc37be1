//! Launches a graph while its memory is lent.

use ascendcl::graph::Graph;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type Memory<'d> = DeviceBuf<'d, Npu<0>, [u8]>;
type OnMain<'d> = Queued<'d, (Npu<0>, Main), Graph<'d, Npu<0>, Memory<'d>>>;

fn wrong<'d>(stream: &mut Stream<'_, 'd, Npu<0>>, graph: &mut OnMain<'d>) -> Result<()> {
    let memory = graph.memory();
    graph.launch(stream)?; //~ mistake
    stream.memset_async(memory, 0)?;
    //~ instead: graph.launch(stream)?;
    Ok(())
}
