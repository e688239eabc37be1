//! Keeps the proof of the run mode longer than the AscendCL that gave it.

use ascendcl::{Acl, Current, Npu, Result};

fn wrong(acl: Acl, current: Current<'_, '_, Npu<0>>) -> Result<()> {
    if let Some(host) = acl.run_mode()?.host() {
        acl.finalize()?; //~ mistake
        current.malloc_host::<u8>(host, 16)?;
        //~ instead: acl.finalize()?;
    }
    Ok(())
}
