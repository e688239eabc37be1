//! Cuts media memory as device memory is cut: pieces for the media engine begin at multiples of 128 bytes.

use ascendcl::{Current, Npu, Result};
use typenum::{U16, U128};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let block = current.malloc_dvpp_block(128)?; //~ mistake
    //~ instead: let block = current.malloc_block(128)?;
    let room = block.room::<U128>()?;
    let (first, room) = room.piece::<u8, U16>();
    let (second, _room) = room.piece::<u8, U16>();
    first.free()?;
    second.free()
}
