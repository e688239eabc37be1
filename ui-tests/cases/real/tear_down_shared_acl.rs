//! Finalises the runtime of the whole process when one suite of tests is over.

use std::sync::OnceLock;

use ascendcl::{Acl, Result};

static ACL: OnceLock<Acl> = OnceLock::new();

fn wrong() -> Result<()> {
    if let Some(acl) = ACL.get() {
        acl.finalize()?; //~ mistake
        //~ instead: acl.device_count()?;
    }
    Ok(())
}
