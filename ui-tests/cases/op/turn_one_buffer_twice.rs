//! Lends one buffer as queries and as keys, which both are changed.
#![allow(unused)]

use ascendcl::op::{self, Tensor};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    queries: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    keys: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    cos: &Tensor<'_, Npu<0>, f32>,
    sin: &Tensor<'_, Npu<0>, f32>,
) -> Result<()> {
    let shape = [1, 1, 1, 128];
    let query = queries.tensor_mut(&shape)?;
    let key = queries.tensor_mut(&shape)?; //~ mistake
    //~ instead: let key = keys.tensor_mut(&shape)?;
    op::apply_rotary_pos_emb(current, query, key, cos, sin)?;
    Ok(())
}
