//! Writes the result of an operator over one of its queued operands.
#![allow(unused)]

use ascendcl::op;
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result};

type Memory<'d> = Queued<'d, (Npu<0>, Main), DeviceBuf<'d, Npu<0>, [f32]>>;

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    mut memory: Memory<'_>,
    mut other: Memory<'_>,
) -> Result<()> {
    let a = memory.tensor(&[16])?;
    drop(op::mul(current, &a, &a, memory.tensor_mut(&[16])?)?); //~ mistake
    //~ instead: drop(op::mul(current, &a, &a, other.tensor_mut(&[16])?)?);
    Ok(())
}
