//! Allocates host memory whose length has a zero in front, so that it is not the length of any other buffer.

use ascendcl::memory::fixed::Fixed;
use ascendcl::{Current, HostSide, Npu, Result};
use typenum::{B0, B1, UInt, UTerm};

type Len = UInt<UInt<UInt<UTerm, B0>, B1>, B0>; //~ mistake
//~ instead: type Len = UInt<UInt<UTerm, B1>, B0>;

fn wrong(current: Current<'_, '_, Npu<0>>, side: HostSide<'_>) -> Result<()> {
    current.malloc_host_as::<Fixed<f32, Len>>(side)?; //~ mistake
    //~ instead: current.malloc_host_as::<Fixed<f32, Len>>(side)?;
    Ok(())
}
