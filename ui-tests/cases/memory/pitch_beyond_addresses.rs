//! Sees memory as rows that are further apart than an address can span.

use ascendcl::memory::Rows;
use ascendcl::{HostBuf, Result};
use typenum::{Prod, U4, U48, U64, U4294967296};

type Square<N> = Prod<N, N>;
type Pitch = Square<U4294967296>; //~ mistake
//~ instead: type Pitch = Square<U64>;

fn wrong(host: &HostBuf<'_, [u8]>) -> Result<()> {
    Rows::fixed::<U4, U48, Pitch>(host)?; //~ mistake
    //~ instead: Rows::fixed::<U4, U48, Pitch>(host)?;
    Ok(())
}

fn main() {
    let _ = wrong;
    let _: Option<(U64, U4294967296)> = None;
}
