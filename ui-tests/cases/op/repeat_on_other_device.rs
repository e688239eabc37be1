//! Makes a plan repeatable, which calls its first phase again, while another device is current.

use ascendcl::op::{Plan, operators::Mul};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong<'d>(
    plan: Plan<'_, 'd, Npu<0>, Mul<f32>, &mut DeviceBuf<'d, Npu<0>, [f32]>>,
    on_0: Current<'_, 'd, Npu<0>>,
    on_1: Current<'_, 'd, Npu<1>>,
) -> Result<()> {
    drop(plan.repeatable(on_1)?); //~ mistake
    //~ instead: drop(plan.repeatable(on_0)?);
    Ok(())
}

fn main() {
    let _ = wrong;
}
