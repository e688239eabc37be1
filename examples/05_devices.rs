//! How do I use all devices, each from a thread of its own?
//!
//! `aclrtGetDeviceCount`, `aclrtSetDevice`, `aclrtSetCurrentContext`, `aclrtResetDevice`. The current device belongs
//! to the thread. So each thread claims its own `Thread` and binds its own device. The number of devices is known at
//! run time only, so the devices have no slots such as `Npu<0>`. Functions are written once, for any device `D`.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use std::thread;

use ascendcl::{Acl, Current, DeviceTag, HostSide, Result, Thread};

fn main() -> Result<()> {
    let acl = &Acl::from_env()?;
    let host = acl.host()?;
    let devices = 0..acl.device_count()?;
    let sums: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = devices
            .map(|id| scope.spawn(move || on_device(acl, host, id)))
            .collect();
        threads.into_iter().map(|thread| thread.join()).collect()
    });
    for (id, sum) in sums.into_iter().enumerate() {
        match sum {
            Ok(sum) => println!("device {id}: {}", sum?),
            Err(_) => println!("device {id}: its thread has panicked"),
        }
    }
    Ok(())
}

/// Opens a device and works on it, on the calling thread.
fn on_device(acl: &Acl, host: HostSide<'_>, id: u32) -> Result<u32> {
    let mut thread = Thread::claim()?;
    acl.with_device(&mut thread, id, |device, thread| {
        work(thread.set_current(&device)?, host, id)
    })?
}

/// Copies numbers to the device and back, and adds them.
fn work<D: DeviceTag>(current: Current<'_, '_, D>, host: HostSide<'_>, id: u32) -> Result<u32> {
    let mut numbers = current.malloc_host_from(host, &[id, 10, 100])?;
    let on_device = current.memcpy(current.malloc(3)?, &numbers)?;
    numbers.fill(0);
    current.memcpy(&mut numbers, &on_device)?;
    Ok(numbers.iter().sum())
}
