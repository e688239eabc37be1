//! Takes memory over with no elements, written with a digit.

use std::ptr::NonNull;

use ascendcl::HostBuf;
use ascendcl::memory::Fixed;
use typenum::{B0, B1, UInt, UTerm};

type Len = UInt<UTerm, B0>; //~ mistake
//~ instead: type Len = UInt<UTerm, B1>;

/// # Safety
///
/// There is room for the elements.
unsafe fn wrong<'dev>(memory: NonNull<u8>) -> HostBuf<'dev, u8, Fixed<Len>> {
    // SAFETY: as the function says.
    unsafe { HostBuf::from_raw(memory, Fixed::<Len>::new()) } //~ mistake
    //~ instead: unsafe { HostBuf::from_raw(memory, Fixed::new()) }
}

fn main() {
    let _ = wrong;
    let _: Option<B1> = None;
}
