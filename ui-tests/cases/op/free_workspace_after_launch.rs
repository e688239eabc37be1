//! Frees the workspace of an operator that was launched and may not have begun.

use ascendcl::op::{Plan, operators::Mul};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type Output<'b> = &'b mut Queued<'b, (Npu<0>, Main), DeviceBuf<'b, Npu<0>, [f32]>>;

fn wrong<'d>(
    plan: Plan<'_, 'd, (Npu<0>, Main), Mul<f32>, Output<'_>>,
    stream: &mut Stream<'_, 'd, Npu<0>>,
) -> Result<()> {
    let workspace = plan.launch(stream)?.workspace;
    let Some(workspace) = workspace else { return Ok(()) };
    workspace.free() //~ mistake
    //~ instead: stream.synchronize()?.take(workspace).free()
}
