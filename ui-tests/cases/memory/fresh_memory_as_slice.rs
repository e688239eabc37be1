//! Takes device memory that nothing has written for a slice.

use ascendcl::{Current, DeviceSide, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, side: DeviceSide<'_>) -> Result<f32> {
    let buf = current.malloc::<f32>(16)?;
    //~ instead: let buf = current.memset(buf, 0)?;
    Ok(buf.as_slice(side)?[0]) //~ mistake
    //~ instead: Ok(buf.as_slice(side)?[0])
}
