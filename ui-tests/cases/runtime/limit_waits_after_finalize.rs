//! Limits the waits on the device after AscendCL was finalised.

use ascendcl::{Acl, Result};

fn wrong(acl: Acl) -> Result<()> {
    acl.finalize()?; //~ mistake
    acl.set_op_wait_timeout(None)?;
    //~ instead: acl.finalize()?;
    Ok(())
}

fn main() {
    let _ = wrong;
}
