//! Frees a block while one of its pieces is in use.

use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let block = current.malloc_block(4096)?;
    let piece = current.memset(block.piece::<f32>(16)?, 0)?;
    block.free_with_dev_sync(current)?; //~ mistake
    drop(piece); //~ mistake
    //~ instead: drop(piece);
    //~ instead: block.free_with_dev_sync(current)?;
    Ok(())
}
