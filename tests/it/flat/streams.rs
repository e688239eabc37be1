//! Loops of streams: created, destroyed, dropped, parked, sent to other threads, shared and moved memory, borrowed handles.

use std::thread;

use ascendcl::event::Order;
use ascendcl::settings::CoreKind;
use ascendcl::stream::Main;
use ascendcl::{Npu, Result, Thread, sys};

use crate::flat::{D, Given, Lines, Second, drop_queued, loops, rounds};
use crate::interop::{Torch, c, new_stream};

loops! {
    fn streams_that_are_destroyed_and_dropped(Given { current, .. }) {
        rounds(current, || {
            let mut named = current.create_stream::<Main>().unwrap();
            drop_queued(&mut named).unwrap();
            named.destroy().unwrap();
            let mut dropped = current.create_stream::<Second>().unwrap();
            drop_queued(&mut dropped).unwrap();
            drop(dropped);
            current.with_stream(|mut branded| drop_queued(&mut branded)).unwrap().unwrap();
        });
    }

    ["no-stream%20,out-of-memory%10,task:aclrtMemsetAsync%20=507001"]
    fn streams_that_fail(Given { current, .. }) {
        rounds(current, || {
            let _ = current.with_stream(|mut branded| drop_queued(&mut branded));
            let made = current.create_parked_stream();
            let _ = made.and_then(|mut parked| parked.with(current, |stream| drop_queued(stream)));
        });
    }

    ["aclrtSetStreamResLimit%10=507899,aclrtUseStreamResInCurrentThread%7=507899,aclrtGetOverflowStatus%10=507899"]
    fn limits_of_cores_that_fail_in_some_rounds(Given { current, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        rounds(current, || {
            let limits = [(CoreKind::Cube, 4), (CoreKind::Vector, 8)];
            let _ = stream.with_res_limit(&limits, |stream| {
                stream.prof_trace([0; 18])?;
                let status = stream.malloc_as::<[u8; 64]>()?;
                drop(stream.overflow_status(status)?);
                Ok(())
            });
            stream.synchronize().unwrap();
        });
    }

    fn parked_streams(Given { current, .. }) {
        let mut kept = current.create_parked_stream().unwrap();
        rounds(current, || {
            let mut parked = current.create_parked_stream().unwrap();
            parked.with(current, |stream| drop_queued(stream)).unwrap();
            parked.destroy(current).unwrap();
            let done = kept.with(current, |stream| {
                drop_queued(stream)?;
                stream.synchronize().map(drop)
            });
            done.unwrap();
            let mut dropped = current.park(current.create_stream::<Main>().unwrap());
            dropped.with(current, |stream| drop_queued(stream)).unwrap();
        });
    }

    // What one thread has queued, another one waits for.
    fn streams_on_other_threads(Given { device, current, .. }) {
        rounds(current, || {
            let mut stream = current.create_stream::<Main>().unwrap();
            drop_queued(&mut stream).unwrap();
            let fill = stream.memset_async(stream.malloc::<u8>(64).unwrap(), 1).unwrap();
            let parked = current.park(stream);
            let there = move || {
                let mut thread = Thread::claim().unwrap();
                let current = thread.set_current(device).unwrap();
                let mut stream = current.attach(parked);
                drop_queued(&mut stream).unwrap();
                drop(stream.synchronize().unwrap().take(fill));
                drop_queued(&mut stream).unwrap();
            };
            thread::scope(|threads| threads.spawn(there).join().unwrap());
        });
    }

    fn memory_that_moves_between_streams(Given { current, .. }) {
        let mut first = current.create_stream::<Main>().unwrap();
        let mut second = current.create_stream::<Second>().unwrap();
        let mut event = current.create_event::<Order>().unwrap();
        let lines = Lines::new(4);
        rounds(current, || {
            lines.begin();
            let mut round = || -> Result<()> {
                let ones = first.memset_async(first.malloc::<u8>(64)?, 1)?;
                lines.end()?;
                let ones = first.handoff(&mut second, &mut event, ones)?;
                lines.end()?;
                let ones = second.fence(&mut event, ones.accept_unverified())?;
                lines.end()?;
                let (ones, _) = first.wait_fence(ones)?;
                lines.end()?;
                drop(first.synchronize()?.take(ones).accept_unverified());
                Ok(())
            };
            let _ = round();
            second.synchronize().unwrap();
            first.synchronize().unwrap();
        });
    }

    fn readers_of_shared_memory(Given { current, .. }) {
        let mut first = current.create_stream::<Main>().unwrap();
        let mut second = current.create_stream::<Second>().unwrap();
        let mut event = current.create_event::<Order>().unwrap();
        let lines = Lines::new(4);
        rounds(current, || {
            lines.begin();
            let mut round = || -> Result<()> {
                let share = first.memset_async(first.malloc::<u8>(64)?, 1)?.share();
                lines.end()?;
                let fence = first.fence(&mut event, share.clone())?;
                lines.end()?;
                let there = second.wait_shared(&fence)?;
                lines.end()?;
                drop(second.memcpy_async(second.malloc(64)?, &there)?);
                lines.end()?;
                drop((there, fence.cancel()));
                drop(first.synchronize()?.take(share).try_unwrap());
                Ok(())
            };
            let _ = round();
            second.synchronize().unwrap();
            first.synchronize().unwrap();
        });
    }

    // Each round has readers of its own of memory that stays, and each of them is dropped while it is queued.
    ["task:aclrtMemcpyAsync%20=507001,aclrtCreateStream%10=207005,out-of-memory%10"]
    fn readers_whose_streams_fail(Given { current, .. }) {
        let mut first = current.create_stream::<Main>().unwrap();
        let mut event = current.create_event::<Order>().unwrap();
        let kept = first.adopt(current.memset(current.malloc::<u8>(64).unwrap(), 1).unwrap()).share();
        rounds(current, || {
            let fence = first.fence(&mut event, kept.clone()).unwrap();
            let _ = current.with_stream(|mut reader| -> Result<()> {
                let share = reader.wait_shared(&fence)?;
                let copy = reader.memcpy_async(reader.malloc(64)?, &share)?;
                drop(share);
                reader.synchronize()?.take(copy).free()
            });
            drop(fence.synchronize().unwrap());
        });
    }

    fn borrowed_handles(Given { current, .. }) {
        let raw = new_stream();
        let owner = ();
        let mut memory = std::ptr::null_mut();
        c!(aclrtMalloc(&raw mut memory, 64, sys::ACL_MEM_MALLOC_HUGE_FIRST));
        let mut own = current.create_stream::<Main>().unwrap();
        rounds(current, || {
            let mut event = std::ptr::null_mut();
            c!(aclrtCreateEventExWithFlag(&raw mut event, sys::ACL_EVENT_SYNC));
            {
                // SAFETY: a live stream of this context, which nothing else uses meanwhile.
                let mut stream = unsafe { current.borrow_raw_stream::<Torch>(raw) }.unwrap();
                // SAFETY: the event of above, which is destroyed below.
                let mut event = unsafe { current.borrow_raw_event::<Order>(event) }.unwrap();
                // SAFETY: the memory of above, which only these streams use.
                let theirs: ascendcl::memory::ForeignBuf<'_, D, [u8], ascendcl::memory::Init> =
                    unsafe { current.borrow_raw_memory(&owner, memory.cast(), 64) }.unwrap();
                let theirs = stream.adopt(theirs);
                drop_queued(&mut stream).unwrap();
                let theirs = stream.handoff(&mut own, &mut event, theirs).unwrap();
                drop_queued(&mut own).unwrap();
                let fence = own.fence(&mut event, theirs).unwrap();
                drop(fence.synchronize().unwrap());
                drop(stream);
            }
            c!(aclrtDestroyEvent(event));
        });
        drop(own);
        c!(aclrtDestroyStream(raw));
        c!(aclrtFree(memory));
    }

    ["aclrtDeviceEnablePeerAccess%5=207006,task:aclrtMemcpyAsync%5=507001"]
    fn peers(Given { acl, current, .. }) {
        rounds(current, || {
            let there = || {
                let mut thread = Thread::claim().unwrap();
                let first = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
                let second = acl.set_device::<Npu<2>>(&mut thread, 2).unwrap();
                let there = thread.set_current(&second).unwrap().malloc::<u8>(64).unwrap();
                let current = thread.set_current(&first).unwrap();
                let work = || -> Result<()> {
                    let access = current.can_access_peer(&second)?.unwrap().enable(current)?;
                    let mut stream = current.create_stream::<Main>()?;
                    let here = stream.memset_async(stream.malloc::<u8>(64)?, 5)?;
                    let lent = stream.adopt(access.outbound().lend(there));
                    drop(stream.memcpy_async(lent, &here)?);
                    drop(here);
                    stream.synchronize().map(drop)
                };
                let _ = work();
                drop(first);
                drop(second);
            };
            thread::scope(|threads| threads.spawn(there).join().unwrap());
        });
    }
}
