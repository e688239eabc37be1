//! Uses a launched operator as an operand: its output is one of its two parts.

use ascendcl::op::{self, Launched};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result};

type D = Npu<0>;
type Memory<'d> = Queued<'d, (D, Main), DeviceBuf<'d, D, [f32]>>;

fn wrong<'d>(
    current: Current<'_, 'd, D>,
    sum: Launched<'d, Memory<'d>, D, Main>,
    mut squares: Memory<'d>,
) -> Result<()> {
    //~ instead: let sum = sum.into_output();
    let operand = sum.tensor(&[16])?; //~ mistake
    //~ instead: let operand = sum.tensor(&[16])?;
    drop(op::mul(current, &operand, &operand, squares.tensor_mut(&[16])?)?);
    Ok(())
}
