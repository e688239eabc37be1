//! Fills memory of a device and copies it.

use cuda_core::{CudaContext, DeviceBuffer, DriverError};

fn main() -> Result<(), DriverError> {
    let context = CudaContext::new(0)?;
    let stream = context.default_stream();
    let zeros = DeviceBuffer::<f32>::zeroed(&stream, 1024)?;
    let mut copy = DeviceBuffer::<f32>::zeroed(&stream, 1024)?;
    copy.copy_from_device_async(&zeros, &stream)?;
    println!("{} elements", copy.len());
    Ok(())
}
