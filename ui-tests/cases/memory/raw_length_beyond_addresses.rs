//! Takes memory over with more elements in its type than an address can span.

use std::ptr::NonNull;

use ascendcl::HostBuf;
use ascendcl::memory::Fixed;
use typenum::{Prod, Sum, U16, U4096, U4294967296};

type Square<N> = Prod<N, N>;
type Len = Sum<Square<U4294967296>, U16>; //~ mistake
//~ instead: type Len = Sum<Square<U4096>, U16>;

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
    let _: Option<(U4096, U4294967296)> = None;
}
