//! Takes the proof for host memory without looking at the run mode.

use ascendcl::{Acl, Current, Npu, Result};

fn wrong(acl: &Acl, current: Current<'_, '_, Npu<0>>) -> Result<()> {
    current.malloc_host::<u8>(acl.run_mode()?, 16)?; //~ mistake
    //~ instead: if let Some(host) = acl.run_mode()?.host() {
    //~ instead:     current.malloc_host::<u8>(host, 16)?;
    //~ instead: }
    Ok(())
}
