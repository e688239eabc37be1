//! Launches a plan while the proof that its stream is idle is in use.

use ascendcl::op::{Plan, operators::Mul};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};

type Memory<'d> = Queued<'d, (Npu<0>, Main), DeviceBuf<'d, Npu<0>, [f32]>>;

fn wrong<'d>(
    plan: Plan<'_, 'd, (Npu<0>, Main), Mul<f32>, &mut Memory<'_>>,
    stream: &mut Stream<'_, 'd, Npu<0>>,
    other: Memory<'_>,
) -> Result<()> {
    let idle = stream.synchronize()?;
    drop(plan.launch(stream)?); //~ mistake
    idle.take(other).free()?;
    //~ instead: drop(plan.launch(stream)?);
    Ok(())
}
