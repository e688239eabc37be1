//! Fills memory of a device and copies it.

use cudarc::driver::{CudaContext, DriverError};

fn main() -> Result<(), DriverError> {
    let context = CudaContext::new(0)?;
    let stream = context.default_stream();
    let zeros = stream.alloc_zeros::<f32>(1024)?;
    let mut copy = stream.alloc_zeros::<f32>(1024)?;
    stream.memcpy_dtod(&zeros, &mut copy)?;
    println!("{} elements", copy.len());
    Ok(())
}
