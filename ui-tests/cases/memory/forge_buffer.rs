//! Builds a buffer from an address and a length.

use ascendcl::memory::{Buf, Host};
use ascendcl::{Current, HostBuf, HostSide, Npu, Result};

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    host: HostSide<'_>,
) -> Result<HostBuf<'dev, [f32]>> {
    Ok(Buf::<Host, [f32]> {}) //~ mistake
    //~ instead: current.malloc_host(host, 16)
}
