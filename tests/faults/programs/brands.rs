//! Devices that are known by their number only, side by side, with streams that have no names.

use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

use ascendcl::{Acl, Current, DeviceTag, Result, Thread};

fn main() -> Result<()> {
    let acl = &Acl::from_env()?;
    let results: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..acl.device_count()?)
            .map(|id| {
                scope.spawn(move || {
                    let mut thread = Thread::claim()?;
                    acl.with_device(&mut thread, id, |device, thread| {
                        work(thread.set_current(&device)?)?;
                        device.reset()
                    })?
                })
            })
            .collect();
        let join = |one: ScopedJoinHandle<'_, Result<()>>| {
            one.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        Ok::<_, ascendcl::Error>(threads.into_iter().map(join).collect())
    })?;
    results.into_iter().collect()
}

/// Fills memory on two streams, and leaves one of them to the device.
fn work<D: DeviceTag>(current: Current<'_, '_, D>) -> Result<()> {
    current.with_stream(|mut stream| {
        let fresh = stream.malloc::<u8>(64)?;
        let filled = stream.memset_async(fresh, 1)?;
        drop(stream.synchronize()?.take(filled));
        Ok::<_, ascendcl::Error>(())
    })??;
    let mut parked = current.create_parked_stream()?;
    parked.with(current, |stream| {
        let fresh = stream.malloc::<u8>(64)?;
        drop(stream.memset_async(fresh, 2)?);
        Ok(())
    })
}
