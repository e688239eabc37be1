//! Starts a worker that may still run when AscendCL is finalised.

use ascendcl::{Acl, Result};

fn wrong() -> Result<()> {
    let acl = Acl::from_env()?;
    std::thread::spawn(|| acl.device_count()); //~ mistake
    //~ instead: std::thread::scope(|scope| {
    //~ instead:     scope.spawn(|| acl.device_count());
    //~ instead: });
    Ok(())
}
