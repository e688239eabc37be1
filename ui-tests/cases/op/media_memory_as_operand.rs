//! Uses media memory as an operand.

use ascendcl::{Current, DvppBuf, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, picture: &DvppBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    //~ instead: let on_device = current.memcpy(current.malloc(picture.len())?, picture)?;
    let a = picture.tensor(&[16])?; //~ mistake
    //~ instead: let a = on_device.tensor(&[16])?;
    println!("{a:?}");
    Ok(())
}
