//! Reads memory that another library has allocated and not written.

use ascendcl::memory::{ForeignBuf, Uninit};
use ascendcl::{Current, HostBuf, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    host: &mut HostBuf<'_, [f32]>,
    tensor: ForeignBuf<'_, Npu<0>, [f32], Uninit>,
) -> Result<()> {
    current.memcpy(host, &tensor) //~ mistake
    //~ instead: let tensor = current.memset(tensor, 0)?;
    //~ instead: current.memcpy(host, &tensor)
}
