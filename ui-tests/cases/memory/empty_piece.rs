//! Cuts a piece of no elements, written with a digit.

use ascendcl::{Current, Npu, Result};
use typenum::{B0, B1, U1024, UInt, UTerm};

type Len = UInt<UTerm, B0>; //~ mistake
//~ instead: type Len = UInt<UTerm, B1>;

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let block = current.malloc_block(4096)?;
    let (piece, _room) = block.room::<U1024>()?.piece::<f32, Len>(); //~ mistake
    //~ instead: let (piece, _room) = block.room::<U1024>()?.piece::<f32, Len>();
    piece.free()
}

fn main() {
    let _ = wrong;
    let _: Option<B1> = None;
}
