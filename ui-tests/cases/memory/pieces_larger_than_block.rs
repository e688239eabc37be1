//! Cuts more pieces from a block than it has room for.

use ascendcl::{Current, Npu, Result};
use typenum::{U128, U256, U512};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let block = current.malloc_block(512)?;
    let room = block.room::<U512>()?;
    let (first, room) = room.piece::<u8, U256>();
    let (second, _room) = room.piece::<u8, U256>(); //~ mistake
    //~ instead: let (second, _room) = room.piece::<u8, U128>();
    first.free()?;
    second.free()
}

fn main() {
    let _ = wrong;
    let _: Option<U128> = None;
}
