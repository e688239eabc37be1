//! Updates a graph without an operator.
#![allow(unused)]

use ascendcl::graph::{Graph, Group};
use ascendcl::op::operators::Add;
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result, Stream, op};

type Memory<'d> = (DeviceBuf<'d, Npu<0>, [f32]>, DeviceBuf<'d, Npu<0>, [f32]>);
type OnMain<'d> = Queued<'d, (Npu<0>, Main), Graph<'d, Npu<0>, Memory<'d>>>;

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    stream: &mut Stream<'_, 'd, Npu<0>>,
    graph: &mut OnMain<'d>,
    group: &Group<Add<f32>>,
) -> Result<()> {
    graph.update(stream, group, |update, (one, mut out)| {
        let (a, b) = (one.tensor(&[4])?, one.tensor(&[4])?);
        drop(op::add(current, &a, &b, 2.0, out.tensor_mut(&[4])?)?); //~ mistake
        Ok(()) //~ mistake
        //~ instead: update.launch(op::add(current, &a, &b, 2.0, out.tensor_mut(&[4])?)?)
    })?;
    Ok(())
}
