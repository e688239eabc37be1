//! Fills single bytes with words of 32 bits.

use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    bytes: &mut DeviceBuf<'_, Npu<0>, [u8]>,
    words: &mut DeviceBuf<'_, Npu<0>, [u32]>,
) -> Result<()> {
    current.memset_d32(bytes, 7) //~ mistake
    //~ instead: let _ = bytes;
    //~ instead: current.memset_d32(words, 7)
}
