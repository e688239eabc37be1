//! Fills memory of a device and copies it. This program links the library; the others load it at run time.

use cust::error::CudaResult;
use cust::memory::{CopyDestination, DeviceBuffer};

fn main() -> CudaResult<()> {
    let _context = cust::quick_init()?;
    let zeros = DeviceBuffer::<f32>::zeroed(1024)?;
    let mut copy = DeviceBuffer::<f32>::zeroed(1024)?;
    copy.copy_from(&zeros)?;
    println!("{} elements", copy.len());
    Ok(())
}
