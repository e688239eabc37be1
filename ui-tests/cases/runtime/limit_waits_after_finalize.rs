//! Limits the waits on the device after AscendCL was finalised.

use std::time::Duration;

use ascendcl::{Acl, Result};

fn wrong(mut acl: Acl) -> Result<()> {
    acl.set_op_wait_timeout(Some(Duration::from_secs(60)))?;
    acl.finalize()?; //~ mistake
    acl.set_op_wait_timeout(None)?;
    //~ instead: acl.finalize()?;
    Ok(())
}
