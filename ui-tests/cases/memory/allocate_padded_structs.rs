//! Allocates structs with padding, whose bytes are not all written.

use ascendcl::{Current, Npu, Result};

#[repr(C)]
#[derive(Clone, Copy)]
struct Padded(u8, u32);

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    current.malloc_dvpp::<Padded>(16)?; //~ mistake
    //~ instead: current.malloc_dvpp::<[u32; 2]>(16)?;
    Ok(())
}
