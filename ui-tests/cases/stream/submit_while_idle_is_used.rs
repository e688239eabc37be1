//! Queues an operator while the proof that the stream is idle is in use.

use ascendcl::op::{Plan, operators::Mul};
use ascendcl::stream::{Idle, Main};
use ascendcl::{DeviceBuf, Npu, Result, Stream};

type Output<'b> = &'b mut DeviceBuf<'b, Npu<0>, [f32]>;

fn done(_: Idle<'_, (Npu<0>, Main)>) {}

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, plan: Plan<'_, '_, Npu<0>, Mul<f32>, Output<'_>>) -> Result<()> {
    let idle = stream.synchronize()?;
    plan.run(stream)?; //~ mistake
    done(idle);
    //~ instead: plan.run(stream)?;
    Ok(())
}
