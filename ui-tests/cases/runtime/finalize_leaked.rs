//! Finalises an AscendCL that was kept for the rest of the process.

use ascendcl::{Acl, Result};

fn wrong(acl: Acl) -> Result<()> {
    let acl = acl.leak(); //~ mistake
    acl.finalize() //~ mistake
    //~ instead: acl.finalize()
}
