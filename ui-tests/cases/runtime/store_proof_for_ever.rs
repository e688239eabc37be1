//! Stores the proof of the run mode without a lifetime although AscendCL will be finalised.

use ascendcl::{Acl, HostSide, Result};

struct Program {
    _host: Option<HostSide<'static>>,
}

fn wrong(
    acl: &Acl, //~ mistake
    //~ instead: acl: &'static Acl,
) -> Result<Program> {
    let _host = acl.run_mode()?.host();
    Ok(Program { _host }) //~ mistake
    //~ instead: Ok(Program { _host })
}
