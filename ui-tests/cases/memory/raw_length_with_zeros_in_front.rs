//! Takes memory over with no elements, written with a digit.

use std::ptr::NonNull;

use ascendcl::memory::fixed::Fixed;
use ascendcl::{HostBuf, Result};
use typenum::{B0, B1, UInt, UTerm};

type Len = UInt<UTerm, B0>; //~ mistake
//~ instead: type Len = UInt<UTerm, B1>;

/// # Safety
///
/// There is room for the elements.
unsafe fn wrong(memory: NonNull<u8>) -> Result<()> {
    // SAFETY: as the function says.
    let buf = unsafe { HostBuf::<Fixed<u8, Len>>::from_raw(memory.cast()) }; //~ mistake
    //~ instead: let buf = unsafe { HostBuf::<Fixed<u8, Len>>::from_raw(memory.cast()) };
    buf.free()
}

fn main() {
    let _ = wrong;
    let _: Option<B1> = None;
}
