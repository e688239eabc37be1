//! How do I test, without a card, what my program does when a call fails?
//!
//! Here the second `aclrtMalloc` of the process returns 207001. `Acl::emulator` takes the emulator, also where CANN is
//! installed. A process has one configuration, so each test needs a process of its own. The variable
//! `ASCENDCL_EMULATOR_FAULTS` does the same to a program that calls `Acl::from_env`.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use ascendcl::emulator::{EmulatorConfig, Fault};
use ascendcl::{Acl, Npu, release_failures, sys};

fn main() -> ascendcl::Result<()> {
    let fault = Fault::new("aclrtMalloc", sys::ACL_ERROR_RT_MEMORY_ALLOCATION).at(2);
    let acl = Acl::emulator(EmulatorConfig::default().with_fault(fault))?;
    if let Err(error) = batch(&acl) {
        println!("the first batch has failed with {:?}", error.code());
    }
    // The first buffer of the batch was freed, and the device was reset.
    println!("{} releases have failed", release_failures());
    batch(&acl)?;
    println!("the second batch is done");
    Ok(())
}

/// The program under test: two buffers on a device.
fn batch(acl: &Acl) -> ascendcl::Result<()> {
    acl.on::<Npu<0>, _>(0, |current| {
        let first = current.memset(current.malloc::<u8>(1 << 20)?, 1)?;
        let second = current.memset(current.malloc::<u8>(1 << 20)?, 2)?;
        second.free()?;
        first.free()
    })
}
