//! Fills media memory with words: that call takes memory of `aclrtMalloc` and `aclrtMallocHost` only.

use ascendcl::{Current, DeviceBuf, DvppBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    media: &mut DvppBuf<'_, Npu<0>, [u32]>,
    device: &mut DeviceBuf<'_, Npu<0>, [u32]>,
) -> Result<()> {
    current.memset_d32(media, 7) //~ mistake
    //~ instead: let _ = media;
    //~ instead: current.memset_d32(device, 7)
}
