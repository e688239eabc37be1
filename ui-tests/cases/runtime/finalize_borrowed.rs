//! Finalises an AscendCL that belongs to the caller.

use ascendcl::{Acl, Result};

fn wrong(
    acl: &Acl, //~ mistake
    //~ instead: acl: Acl,
) -> Result<()> {
    acl.finalize() //~ mistake
    //~ instead: acl.finalize()
}
