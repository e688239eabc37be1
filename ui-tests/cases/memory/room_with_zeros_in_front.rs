//! Asks a block for room of no bytes, written with a digit.

use ascendcl::{Current, Npu, Result};
use typenum::{B0, U1024, UInt, UTerm};

type Bytes = UInt<UTerm, B0>; //~ mistake
//~ instead: type Bytes = U1024;

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let block = current.malloc_block(4096)?;
    block.room::<Bytes>()?; //~ mistake
    //~ instead: block.room::<Bytes>()?;
    Ok(())
}

fn main() {
    let _ = wrong;
    let _: Option<(U1024, UInt<UTerm, B0>)> = None;
}
