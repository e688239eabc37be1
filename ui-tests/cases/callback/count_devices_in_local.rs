//! Counts what happens to devices in a local variable, which may be gone when the runtime calls.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

use ascendcl::{Acl, Result};

static OF_PROCESS: AtomicU32 = AtomicU32::new(0);

fn wrong(acl: &mut Acl) -> Result<u32> {
    let of_function = Cell::new(0);
    acl.set_device_state_callback(Some(|_, _| {
        of_function.set(of_function.get() + 1); //~ mistake
        //~ instead: OF_PROCESS.fetch_add(1, Ordering::Relaxed);
    }))?;
    Ok(of_function.get() + OF_PROCESS.load(Ordering::Relaxed))
}
