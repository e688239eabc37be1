//! Reads cached device memory as a slice, where the cache may hold other bytes than the memory.

use ascendcl::memory::CachedPolicy;
use ascendcl::{Current, DeviceSide, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, side: DeviceSide<'_>) -> Result<f32> {
    let buf = current.malloc_cached::<f32>(16, CachedPolicy::HugeFirst)?; //~ mistake
    //~ instead: let buf = current.malloc::<f32>(16)?;
    let buf = current.memset(buf, 0)?;
    Ok(buf.as_slice(side)?[0]) //~ mistake
    //~ instead: Ok(buf.as_slice(side)?[0])
}

fn main() {
    let _ = wrong;
    let _ = CachedPolicy::HugeFirst;
}
