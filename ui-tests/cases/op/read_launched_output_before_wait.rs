//! Copies the output of a launched operator to the host before its stream was waited for.

use ascendcl::memory::Uninit;
use ascendcl::op::{Plan, operators::Mul};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Queued, Result, Stream};

type Fresh<'d> = Queued<'d, (Npu<0>, Main), DeviceBuf<'d, Npu<0>, [f32], Uninit>>;

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    stream: &mut Stream<'_, 'd, Npu<0>>,
    plan: Plan<'_, 'd, (Npu<0>, Main), Mul<f32>, Fresh<'d>>,
    back: &mut HostBuf<'_, [f32]>,
) -> Result<()> {
    let out = plan.launch(stream)?.into_output();
    //~ instead: let out = stream.synchronize()?.take(out);
    current.memcpy(back, &out)?; //~ mistake
    //~ instead: current.memcpy(back, &out)?;
    Ok(())
}
