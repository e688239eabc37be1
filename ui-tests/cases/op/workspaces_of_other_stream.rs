//! Launches an operator with the workspace that another stream's operators use.

use ascendcl::op::{Plan, Workspaces, operators::Mul};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

type Output<'b> = &'b mut Queued<'b, (Npu<0>, Main), DeviceBuf<'b, Npu<0>, [f32]>>;

fn wrong<'d>(
    plan: Plan<'_, 'd, (Npu<0>, Main), Mul<f32>, Output<'_>>,
    stream: &mut Stream<'_, 'd, Npu<0>>,
    of_upload: &mut Workspaces<'d, Npu<0>, Upload>,
    of_main: &mut Workspaces<'d, Npu<0>, Main>,
) -> Result<()> {
    plan.launch_in(stream, of_upload) //~ mistake
    //~ instead: plan.launch_in(stream, of_main)
}
