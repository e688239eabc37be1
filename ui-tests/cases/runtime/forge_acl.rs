//! Makes an AscendCL without initialising it.

use ascendcl::{Acl, Result};

fn wrong() -> Result<Acl> {
    Ok(Acl {}) //~ mistake
    //~ instead: Acl::from_env()
}
