//! Makes a plan repeatable with the thread bound to another device than the operands'.

use ascendcl::op::{Plan, operators::Mul};
use ascendcl::{Device, DeviceBuf, Npu, Result, Thread};

type Output<'b> = &'b mut DeviceBuf<'b, Npu<0>, [f32]>;

fn wrong<'d>(
    plan: Plan<'_, 'd, Npu<0>, Mul<f32>, Output<'_>>,
    thread: &mut Thread,
    (mine, other): (&'d Device<'_, Npu<0>>, &'d Device<'_, Npu<1>>),
) -> Result<()> {
    drop(plan.repeatable(thread.set_current(other)?)?); //~ mistake
    //~ instead: let _ = other;
    //~ instead: drop(plan.repeatable(thread.set_current(mine)?)?);
    Ok(())
}
