//! Cuts two pieces from one and the same room: they would be the same memory.

use ascendcl::{Current, Npu, Result};
use typenum::{U16, U512};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let block = current.malloc_block(512)?;
    let room = block.room::<U512>()?;
    let (first, _rest) = room.piece::<u8, U16>();
    let (second, _rest) = room.piece::<u8, U16>(); //~ mistake
    //~ instead: let (second, _rest) = _rest.piece::<u8, U16>();
    first.free()?;
    second.free()
}
