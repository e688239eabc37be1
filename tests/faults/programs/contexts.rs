//! Explicit contexts, parked streams on other threads, numbered streams, and a stream that is forgotten.

use std::panic::resume_unwind;
use std::{mem, thread};

use ascendcl::stream::Main;
use ascendcl::{Acl, Current, DeviceTag, Npu, Result, StreamName, Thread};

type D = Npu<0>;

enum Moving {}
impl StreamName for Moving {}

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let mut token = Thread::claim()?;
    let device = acl.set_device::<D>(&mut token, 0)?;
    let context = device.create_context::<1>(&mut token)?;
    work(token.set_current_context(&context)?)?;
    context.destroy()?;

    let second = device.create_context::<2>(&mut token)?;
    work(token.set_current_context(&second)?)?;
    drop(second);

    let current = token.set_current(&device)?;
    let mut parked = current.park(current.create_stream::<Moving>()?);
    thread::scope(|scope| {
        let moved = scope.spawn(|| -> Result<()> {
            let mut token = Thread::claim()?;
            let current = token.set_current(&device)?;
            parked.with(current, |stream| {
                let fresh = stream.malloc::<u8>(64)?;
                let filled = stream.memset_async(fresh, 1)?;
                stream.synchronize()?.take(filled).free()
            })
        });
        moved.join().unwrap_or_else(|panic| resume_unwind(panic))
    })?;
    parked.destroy(current)?;

    let streams: Result<Vec<_>> = (0..2).map(|_| current.create_parked_stream()).collect();
    for mut stream in streams? {
        stream.with(current, |stream| {
            let fresh = stream.malloc::<u8>(64)?;
            drop(stream.memset_async(fresh, 2)?);
            Ok::<_, ascendcl::Error>(())
        })?;
    }

    let stream = current.create_stream::<Main>()?;
    drop(stream.malloc::<u8>(64)?);
    mem::forget(stream);
    device.reset()
}

/// Queues work on two streams, and leaves the end of it to the context.
fn work<C: DeviceTag>(current: Current<'_, '_, C>) -> Result<()> {
    let mut stream = current.create_stream::<Main>()?;
    let fresh = stream.malloc::<u8>(64)?;
    drop(stream.memset_async(fresh, 1)?);
    let mut default = current.default_stream()?;
    let fresh = default.malloc::<u8>(64)?;
    drop(default.memset_async(fresh, 1)?);
    Ok(())
}
