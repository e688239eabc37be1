//! Reads an element of fresh memory on the program's own side.

use ascendcl::memory::{Buf, Local, Uninit};
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    fresh: Buf<'_, Local, [f32], Uninit>,
    on_device: &DeviceBuf<'_, Npu<0>, [f32]>,
) -> Result<f32> {
    //~ instead: let fresh = current.memcpy(fresh, on_device)?;
    Ok(fresh[0]) //~ mistake
    //~ instead: Ok(fresh[0])
}
