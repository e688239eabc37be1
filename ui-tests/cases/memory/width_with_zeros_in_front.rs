//! Sees memory as rows whose width has a zero in front, so that no other rows are as wide.

use ascendcl::memory::Rows;
use ascendcl::{HostBuf, Result};
use typenum::{B0, B1, U2, U8, UInt, UTerm};

type Number = UInt<UInt<UInt<UTerm, B0>, B1>, B1>; //~ mistake
//~ instead: type Number = UInt<UInt<UTerm, B1>, B1>;

fn wrong(host: &HostBuf<'_, [u8]>) -> Result<()> {
    Rows::fixed::<U2, Number, U8>(host)?; //~ mistake
    //~ instead: Rows::fixed::<U2, Number, U8>(host)?;
    Ok(())
}

fn main() {
    let _ = wrong;
    let _: Option<(B0, B1)> = None;
}
