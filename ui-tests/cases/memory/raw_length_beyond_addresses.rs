//! Takes memory over with more elements in its type than an address can span.

use std::ptr::NonNull;

use ascendcl::memory::fixed::Fixed;
use ascendcl::{HostBuf, Result};
use typenum::{Prod, Sum, U16, U4096, U4294967296};

type Square<N> = Prod<N, N>;
type Len = Sum<Square<U4294967296>, U16>; //~ mistake
//~ instead: type Len = Sum<Square<U4096>, U16>;

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
    let _: Option<(U4096, U4294967296)> = None;
}
