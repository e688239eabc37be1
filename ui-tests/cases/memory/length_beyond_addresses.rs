//! Allocates more elements than an address can span.

use ascendcl::memory::fixed::Fixed;
use ascendcl::{Current, HostSide, Npu, Result};
use typenum::{Prod, Sum, U16, U4096, U4294967296};

type Square<N> = Prod<N, N>;
type Len = Sum<Square<U4294967296>, U16>; //~ mistake
//~ instead: type Len = Sum<Square<U4096>, U16>;

fn wrong(current: Current<'_, '_, Npu<0>>, side: HostSide<'_>) -> Result<()> {
    let mut host = current.malloc_host_as::<Fixed<u8, Len>>(side)?; //~ mistake
    //~ instead: let mut host = current.malloc_host_as::<Fixed<u8, Len>>(side)?;
    let (_, behind) = host.split_fixed_mut::<U4096>();
    assert!(!behind.is_empty());
    Ok(())
}

fn main() {
    let _ = wrong;
    let _: Option<U4294967296> = None;
}
