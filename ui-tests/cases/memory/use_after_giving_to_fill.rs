//! Uses a buffer that was given to a fill, instead of the written one that came back.

use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let buf = current.malloc::<f32>(16)?;
    current.memset(buf, 0)?; //~ mistake
    //~ instead: let buf = current.memset(buf, 0)?;
    buf.free() //~ mistake
    //~ instead: buf.free()
}
