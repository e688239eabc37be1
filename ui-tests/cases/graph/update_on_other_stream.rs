//! Updates a graph on another stream than the one that has it.

use ascendcl::graph::{Graph, Group};
use ascendcl::op::operators::Add;
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result, Stream, StreamName, op};

enum Other {}
impl StreamName for Other {}

type Memory<'d> = (DeviceBuf<'d, Npu<0>, [f32]>, DeviceBuf<'d, Npu<0>, [f32]>);
type OnMain<'d> = Queued<'d, (Npu<0>, Main), Graph<'d, Npu<0>, Memory<'d>>>;

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    stream: &mut Stream<'_, 'd, Npu<0>>,
    graph: &mut OnMain<'d>,
    group: &Group<Add<f32>>,
    other: &mut Stream<'_, 'd, Npu<0>, Other>,
) -> Result<()> {
    graph.update(other, group, |update, (one, mut out)| { //~ mistake
    //~ instead: graph.update(stream, group, |update, (one, mut out)| {
        let (a, b) = (one.tensor(&[4])?, one.tensor(&[4])?);
        update.launch(op::add(current, &a, &b, 2.0, out.tensor_mut(&[4])?)?)
    })?;
    Ok(())
}
