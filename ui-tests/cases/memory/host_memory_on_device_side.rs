//! Allocates host memory where the program runs on the device itself.

use ascendcl::{Acl, Current, Npu, Result, RunMode};

fn wrong(acl: &Acl, current: Current<'_, '_, Npu<0>>) -> Result<()> {
    if let RunMode::Device(side) = acl.run_mode()? { //~ mistake
    //~ instead: if let RunMode::Host(side) = acl.run_mode()? {
        current.malloc_host::<f32>(side, 16)?; //~ mistake
        //~ instead: current.malloc_host::<f32>(side, 16)?;
    }
    Ok(())
}
