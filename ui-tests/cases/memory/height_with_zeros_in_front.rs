//! Sees memory as no rows, written with a digit.

use ascendcl::memory::Rows;
use ascendcl::{HostBuf, Result};
use typenum::{B0, B1, U3, U8, UInt, UTerm};

type Number = UInt<UTerm, B0>; //~ mistake
//~ instead: type Number = UInt<UTerm, B1>;

fn wrong(host: &HostBuf<'_, [u8]>) -> Result<()> {
    Rows::fixed::<Number, U3, U8>(host)?; //~ mistake
    //~ instead: Rows::fixed::<Number, U3, U8>(host)?;
    Ok(())
}

fn main() {
    let _ = wrong;
    let _: Option<(B0, B1)> = None;
}
