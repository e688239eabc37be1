//! Loops of devices, contexts and threads.

use std::thread;
use std::time::Duration;

use ascendcl::stream::Main;
use ascendcl::{Npu, Result, Thread};

use crate::flat::{Given, Lines, Second, drop_queued, loops, rounds};

loops! {
    fn contexts(Given { acl, current, .. }) {
        let lines = Lines::new(3);
        rounds(current, || {
            lines.begin();
            let work = || -> Result<()> {
                let mut thread = Thread::claim()?;
                let device = acl.set_device::<Npu<1>>(&mut thread, 1)?;
                let context = device.create_context::<1>(&mut thread)?;
                let current = thread.set_current_context(&context)?;
                let mut stream = current.create_stream::<Main>()?;
                lines.end()?;
                drop_queued(&mut stream)?;
                lines.end()?;
                drop(stream);
                context.destroy()?;
                lines.end()
            };
            thread::scope(|threads| drop(threads.spawn(work).join().unwrap()));
        });
    }

    ["aclrtCreateContext%10=207008,aclrtSetDevice%10=507033,no-stream%10,task:aclrtMemsetAsync%10=507001"]
    fn contexts_that_fail(Given { acl, current, .. }) {
        rounds(current, || {
            let work = || -> Result<()> {
                let mut thread = Thread::claim()?;
                let device = acl.set_device::<Npu<1>>(&mut thread, 1)?;
                let context = device.create_context::<1>(&mut thread)?;
                let current = thread.set_current_context(&context)?;
                drop_queued(&mut current.create_stream::<Main>()?)?;
                context.destroy()
            };
            thread::scope(|threads| drop(threads.spawn(work).join().unwrap()));
        });
    }

    // A whole device in each round, also by number and with limited releases.
    fn devices(Given { acl, current, .. }) {
        rounds(current, || {
            let work = || {
                acl.on::<Npu<1>, _>(1, |current| drop_queued(&mut current.create_stream::<Main>()?)).unwrap();
                let limit = Duration::from_secs(100);
                acl.on_within::<Npu<1>, _>(1, limit, |current| {
                    let mut stream = current.create_stream::<Main>()?;
                    drop_queued(&mut stream)?;
                    std::mem::forget(current.create_stream::<Second>()?);
                    stream.destroy()
                }).unwrap();
                let mut thread = Thread::claim().unwrap();
                acl.with_device(&mut thread, 1, |device, thread| {
                    let current = thread.set_current(&device).unwrap();
                    drop_queued(&mut current.create_stream::<Main>().unwrap()).unwrap();
                }).unwrap();
            };
            thread::scope(|threads| threads.spawn(work).join().unwrap());
        });
    }

    fn devices_that_stop_on_failure(Given { acl, current, .. }) {
        rounds(current, || {
            let work = || {
                let mut thread = Thread::claim().unwrap();
                let device = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
                let device = device.stop_on_failure();
                let current = thread.set_current(&device).unwrap();
                let mut stream = current.create_stream::<Main>().unwrap();
                drop_queued(&mut stream).unwrap();
                stream.synchronize().unwrap();
                drop_queued(&mut stream).unwrap();
            };
            thread::scope(|threads| threads.spawn(work).join().unwrap());
        });
    }

    fn threads_that_share_a_device(Given { device, current, .. }) {
        rounds(current, || {
            let work = || {
                let mut thread = Thread::claim().unwrap();
                let current = thread.set_current(device).unwrap();
                let mut stream = current.create_stream::<Main>().unwrap();
                drop_queued(&mut stream).unwrap();
                stream.synchronize().unwrap();
                drop_queued(&mut stream).unwrap();
            };
            thread::scope(|threads| threads.spawn(work).join().unwrap());
            Thread::visit(|_| ()).unwrap_err();
        });
    }
}
