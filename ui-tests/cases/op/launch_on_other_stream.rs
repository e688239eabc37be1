//! Launches a plan on another stream than that of its operands.

use ascendcl::op::{Plan, operators::Mul};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream, StreamName};

enum Compute {}
impl StreamName for Compute {}

type Output<'b> = &'b mut Queued<'b, (Npu<0>, Main), DeviceBuf<'b, Npu<0>, [f32]>>;

fn wrong<'d>(
    plan: Plan<'_, 'd, (Npu<0>, Main), Mul<f32>, Output<'_>>,
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    compute: &mut Stream<'_, 'd, Npu<0>, Compute>,
) -> Result<()> {
    drop(plan.launch(compute)?); //~ mistake
    //~ instead: drop(plan.launch(main)?);
    Ok(())
}
