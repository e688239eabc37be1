//! Cuts a piece that leaves no pad behind its data: engines read past the end.

use ascendcl::{Current, Npu, Result};
use typenum::{Sum, U1024, U64, Unsigned};

type Bytes = Sum<U1024, U64>;

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let block = current.malloc_block(Bytes::USIZE)?;
    let room = block.room::<U1024>()?; //~ mistake
    //~ instead: let room = block.room::<Bytes>()?;
    let (bytes, _room) = room.piece::<u8, U1024>();
    bytes.free()
}

fn main() {
    let _ = wrong;
    let _: Option<U1024> = None;
}
