//! Gives a graph another graph.

use ascendcl::graph::Graph;
use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    inner: Graph<'_, Npu<0>, DeviceBuf<'_, Npu<0>, [u8]>>,
) -> Result<()> {
    drop(stream.capture(inner, |_, _| Ok(()))?); //~ mistake
    //~ instead: drop(stream.capture(inner.destroy()?, |_, _| Ok(()))?);
    Ok(())
}
