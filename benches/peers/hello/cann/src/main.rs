//! Allocates memory of a device. `cann` has no fill, and its copy is `unsafe`; without its feature `ffi`
//! it needs no CANN to build.

use cann::buffer::{DeviceBuffer, MemFlags};
use cann::context::Context;

fn main() -> Result<(), cann::Error> {
    let _context = Context::new()?;
    let zeros = DeviceBuffer::alloc(4096, MemFlags::HugeFirst)?;
    println!("{} bytes", zeros.len());
    Ok(())
}
