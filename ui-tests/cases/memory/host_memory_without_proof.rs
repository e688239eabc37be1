//! Allocates host memory without asking for the run mode.

use ascendcl::{Acl, Current, Npu, Result};

fn wrong(acl: &Acl, current: Current<'_, '_, Npu<0>>) -> Result<()> {
    current.malloc_host::<f32>(16)?; //~ mistake
    //~ instead: if let Some(host) = acl.run_mode()?.host() {
    //~ instead:     current.malloc_host::<f32>(host, 16)?;
    //~ instead: }
    Ok(())
}
