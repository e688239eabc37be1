//! Sees memory as rows of three elements that begin one apart, a number with zeros in front.

use ascendcl::memory::Rows;
use ascendcl::{HostBuf, Result};
use typenum::{B0, B1, U2, U3, UInt, UTerm};

type Number = UInt<UInt<UInt<UTerm, B0>, B0>, B1>; //~ mistake
//~ instead: type Number = UInt<UInt<UTerm, B1>, B1>;

fn wrong(host: &HostBuf<'_, [u8]>) -> Result<()> {
    Rows::fixed::<U2, U3, Number>(host)?; //~ mistake
    //~ instead: Rows::fixed::<U2, U3, Number>(host)?;
    Ok(())
}

fn main() {
    let _ = wrong;
    let _: Option<(B0, B1)> = None;
}
