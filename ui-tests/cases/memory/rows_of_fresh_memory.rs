//! Sees fresh memory as rows to copy to: what lies between them would stay unwritten.

use ascendcl::memory::Rows;
use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let mut to = current.malloc::<u8>(256)?; //~ mistake
    //~ instead: let mut to = current.memset(current.malloc::<u8>(256)?, 0)?;
    Rows::new(&mut to, 4, 48, 64)?;
    Ok(())
}
