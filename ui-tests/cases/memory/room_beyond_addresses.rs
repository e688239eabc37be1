//! Asks a block for more room than an address can span.

use ascendcl::{Current, Npu, Result};
use typenum::{Prod, Sum, U64, U1024, U4294967296};

type Square<N> = Prod<N, N>;
type Bytes = Sum<Square<U4294967296>, U64>; //~ mistake
//~ instead: type Bytes = Sum<Square<U64>, U64>;

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let block = current.malloc_block(8192)?;
    let room = block.room::<Bytes>()?; //~ mistake
    //~ instead: let room = block.room::<Bytes>()?;
    let (piece, _) = room.piece::<u8, U1024>();
    piece.free()
}

fn main() {
    let _ = wrong;
    let _: Option<U4294967296> = None;
}
