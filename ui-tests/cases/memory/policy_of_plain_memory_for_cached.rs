//! Asks for cached memory that peers can reach: cached memory has four policies, and this is none of them.

use ascendcl::memory::CachedPolicy;
use ascendcl::{Current, MallocPolicy, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    current.malloc_cached::<f32>(16, MallocPolicy::HugeFirstP2p)?; //~ mistake
    //~ instead: current.malloc_cached::<f32>(16, CachedPolicy::HugeFirst)?;
    Ok(())
}

fn main() {
    let _ = wrong;
    let _ = (CachedPolicy::HugeFirst, MallocPolicy::HugeFirst);
}
