//! Clones AscendCL, which would be finalised twice.

use ascendcl::{Acl, Result};

fn wrong(acl: Acl) -> Result<()> {
    let other = acl.clone(); //~ mistake
    other.finalize()?; //~ mistake
    acl.finalize()
}
