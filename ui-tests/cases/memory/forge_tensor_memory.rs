//! Makes a tensor of an address that the program has made up.

use std::ptr; //~ mistake

use ascendcl::bounds::ToDlpack; //~ mistake
use ascendcl::{Current, Npu, Result};

struct Mine; //~ mistake

impl<'m> ToDlpack<'m, Npu<0>> for Mine { //~ mistake
    type Element = f32; //~ mistake
    const DEVICE: i32 = 21; //~ mistake
    const FLAGS: u64 = 0; //~ mistake
    fn elements(&self) -> *mut [f32] { //~ mistake
        ptr::slice_from_raw_parts_mut(ptr::without_provenance_mut(64), 4) //~ mistake
    } //~ mistake
} //~ mistake

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    drop(current.to_dlpack(Mine, &[4])?); //~ mistake
    //~ instead: let memory = current.memset(current.malloc::<f32>(4)?, 0)?;
    //~ instead: drop(current.to_dlpack(memory, &[4])?);
    Ok(())
}
