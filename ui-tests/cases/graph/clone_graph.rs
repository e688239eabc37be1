//! Clones a graph.

use ascendcl::graph::Graph;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type Memory<'d> = DeviceBuf<'d, Npu<0>, [u8]>;
type OnMain<'d> = Queued<'d, (Npu<0>, Main), Graph<'d, Npu<0>, Memory<'d>>>;

fn wrong<'d>(stream: &mut Stream<'_, 'd, Npu<0>>, graph: OnMain<'d>) -> Result<()> {
    let second = graph.clone(); //~ mistake
    drop(second); //~ mistake
    stream.synchronize()?.take(graph).destroy()?;
    Ok(())
}
