//! Gives ordinary device memory to the media engine.

use ascendcl::{Current, DvppBuf, Npu, Result};

fn decode(_: DvppBuf<'_, Npu<0>, [u8], ascendcl::memory::Uninit>) {}

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    decode(current.malloc::<u8>(16)?); //~ mistake
    //~ instead: decode(current.malloc_dvpp::<u8>(16)?);
    Ok(())
}
