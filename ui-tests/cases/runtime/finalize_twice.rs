//! Finalises AscendCL twice.

use ascendcl::{Acl, Result};

fn wrong(acl: Acl) -> Result<()> {
    acl.finalize()?;
    acl.finalize()?; //~ mistake
    Ok(())
}
