//! Releases in bounded time: a device that hangs does not hang the program.
//!
//! What makes it hang is a notification that is never released, so the checker does not look for leaks.

use std::sync::mpsc::channel;
use std::time::Duration;

use ascendcl::error::Usage;
use ascendcl::event::Order;
use ascendcl::media::All;
use ascendcl::stream::Main;
use ascendcl::{Acl, Current, Device, Npu, Stream, StreamName, Thread, leaks, sys};

use crate::common::{acl, isolated, usage};
use crate::parking::free;

type D = Npu<0>;

enum Second {}
impl StreamName for Second {}

/// Long enough for an abort on a busy machine.
pub(crate) const LIMIT: Duration = Duration::from_millis(500);
const MIB: usize = 1 << 20;

/// Queues a task that never ends: a wait for a notification. Returns that.
pub(crate) fn hang<S: StreamName>(stream: &Stream<'_, '_, D, S>) -> sys::aclrtNotify {
    hang_any(stream.as_raw())
}

/// As [`hang`], for a live stream of the current context.
pub(crate) fn hang_any(stream: sys::aclrtStream) -> sys::aclrtNotify {
    let mut notify = std::ptr::null_mut();
    // SAFETY: valid for a write.
    assert_eq!(unsafe { sys::aclrtCreateNotify(&raw mut notify, 0) }, 0);
    // SAFETY: a live notification and a live stream.
    let code = unsafe { sys::aclrtWaitAndResetNotify(notify, stream, 0) };
    assert_eq!(code, 0);
    notify
}

fn device<'acl>(acl: &'acl Acl, thread: &mut Thread) -> Device<'acl, D> {
    let device = acl.set_device::<D>(thread, 0).unwrap();
    device.release_within(LIMIT).unwrap()
}

/// Fills fresh memory on a stream and reads it back.
pub(crate) fn works(current: Current<'_, '_, D>) {
    let mut stream = current.create_stream::<Main>().unwrap();
    let buf = stream
        .memset_async(stream.malloc::<u8>(4).unwrap(), 7)
        .unwrap();
    stream.synchronize().unwrap().take(buf).free().unwrap();
    stream.destroy().unwrap();
}

isolated! {
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn a_stream_that_hangs_is_aborted_and_destroyed() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let opened = device(&acl, &mut thread);
        let current = thread.set_current(&opened).unwrap();
        let stream = current.create_stream::<Main>().unwrap();
        hang(&stream);
        assert!(matches!(usage(stream.destroy()), Usage::Aborted { name } if name.ends_with("Main")));
        let again = usage(current.create_stream::<Main>());
        assert!(matches!(again, Usage::StreamNameTaken { .. }), "its memory may be queued under it");
        let other = current.create_stream::<Second>().unwrap();
        other.destroy().unwrap();
        opened.reset().unwrap();
        assert_eq!(leaks(), 0);
        let opened = device(&acl, &mut thread);
        works(thread.set_current(&opened).unwrap());
        opened.reset().unwrap();
    }

    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn a_program_on_a_device_that_hangs_comes_back_and_starts_again() {
        let acl = acl();
        for attempt in 0..4 {
            let ended = acl.on_within::<D, ()>(0, LIMIT, |current| {
                let mut stream = current.create_stream::<Main>()?;
                if attempt % 2 == 1 {
                    hang(&stream);
                }
                let buf = stream.memset_async(stream.malloc::<u8>(4)?, 7)?;
                let idle = match attempt % 2 {
                    1 => stream.synchronize_within(LIMIT)?,
                    _ => stream.synchronize()?,
                };
                idle.take(buf).free()
            });
            let code = ended.err().and_then(|error| error.code());
            let expected = (attempt % 2 == 1).then_some(sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
            assert_eq!(code, expected, "attempt {attempt}");
        }
        assert_eq!(leaks(), 0);
    }

    /// A parked stream is released on another thread.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn a_parked_stream_that_hangs_is_aborted() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let opened = device(&acl, &mut thread);
        let current = thread.set_current(&opened).unwrap();
        let stream = current.create_stream::<Main>().unwrap();
        hang(&stream);
        drop(current.park(stream));
        assert_eq!(ascendcl::release_failures(), 1);
        opened.reset().unwrap();
        assert_eq!(leaks(), 0);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn a_reset_aborts_streams_that_were_forgotten() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let opened = device(&acl, &mut thread);
        let current = thread.set_current(&opened).unwrap();
        let stream = current.create_stream::<Main>().unwrap();
        hang(&stream);
        std::mem::forget(stream);
        opened.reset().unwrap();
        assert_eq!(leaks(), 0);
        let opened = device(&acl, &mut thread);
        works(thread.set_current(&opened).unwrap());
    }

    ["ASCENDCL_EMULATOR_CHECK" = "1", "ASCENDCL_EMULATOR_FAULTS" = "aclrtStreamAbort#1+=207000"]
    on emulator fn without_an_abort_the_stream_and_the_device_are_given_up() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let opened = device(&acl, &mut thread);
        let current = thread.set_current(&opened).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        hang(&stream);
        drop(stream.memset_async(stream.malloc::<u8>(4).unwrap(), 7).unwrap());
        assert!(matches!(usage(stream.destroy()), Usage::Late { limit: LIMIT }));
        assert_eq!(leaks(), 1, "the stream");
        assert!(matches!(usage(opened.reset()), Usage::Late { .. }));
        assert_eq!(leaks(), 1, "its memory is kept for the end of the device");
        let again = usage(acl.set_device::<D>(&mut thread, 0));
        assert!(matches!(again, Usage::DeviceEnding { id: 0 }));
    }

    /// An abort would drop its wait for the other stream, which may still use the memory.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn a_stream_that_has_taken_memory_over_is_left_to_the_reset() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let opened = device(&acl, &mut thread);
        let current = thread.set_current(&opened).unwrap();
        let start = free(current);
        let used = || (start - free(current)) / MIB;
        let mut one = current.create_stream::<Main>().unwrap();
        let mut two = current.create_stream::<Second>().unwrap();
        let mut event = current.create_event::<Order>().unwrap();
        hang(&one);
        let there = one.memset_async(one.malloc::<u8>(4 * MIB).unwrap(), 1).unwrap();
        let there = one.handoff(&mut two, &mut event, there).unwrap();
        let there = two.fence(event, there).unwrap();
        assert!(matches!(usage(two.destroy()), Usage::Late { .. }));
        assert_eq!(leaks(), 1, "the second stream");
        let there = there.synchronize_within(LIMIT).unwrap_err().fence.unwrap();
        drop(there);
        assert_eq!(used(), 4, "the first stream uses it");
        assert!(matches!(usage(one.destroy()), Usage::Aborted { .. }));
        opened.reset().unwrap();
        assert_eq!(leaks(), 1);
        let opened = device(&acl, &mut thread);
        let current = thread.set_current(&opened).unwrap();
        assert_eq!(free(current), start);
        works(current);
    }

    /// The work of the media engine runs on queues that an abort does not reach.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn beside_a_channel_nothing_is_aborted() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let opened = device(&acl, &mut thread);
        let current = thread.set_current(&opened).unwrap();
        let media = acl.media().unwrap().v1().unwrap();
        let channel = media.create_channel::<All, _>(current).unwrap();
        let stream = current.create_stream::<Main>().unwrap();
        hang(&stream);
        assert!(matches!(usage(stream.destroy()), Usage::Late { .. }));
        drop(channel);
        assert!(matches!(usage(opened.reset()), Usage::Late { .. }));
        assert_eq!(leaks(), 1);
    }

    /// A stream that was idle since it took memory over has nothing to wait for any more.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn a_stream_that_was_idle_is_aborted_again() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let opened = device(&acl, &mut thread);
        let current = thread.set_current(&opened).unwrap();
        let mut one = current.create_stream::<Main>().unwrap();
        let mut two = current.create_stream::<Second>().unwrap();
        let mut event = current.create_event::<Order>().unwrap();
        let there = one.memset_async(one.malloc::<u8>(4).unwrap(), 1).unwrap();
        let there = one.handoff(&mut two, &mut event, there).unwrap();
        drop(two.synchronize().unwrap().take(there).accept_unverified());
        hang(&two);
        assert!(matches!(usage(two.destroy()), Usage::Aborted { .. }));
        assert_eq!(leaks(), 0);
    }

    /// No abort ends a function of the host. Its memory stays until it has returned.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn a_function_that_runs_too_long_keeps_its_memory() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let opened = device(&acl, &mut thread);
        let current = thread.set_current(&opened).unwrap();
        let start = free(current);
        let side = crate::common::host(&acl);
        let mut stream = current.create_stream::<Main>().unwrap();
        let (begun, has_begun) = channel();
        let (go, gate) = channel::<()>();
        let mut numbers = stream.malloc_host_from(side, &[1_u8; 64]).unwrap();
        stream
            .launch_host_func_on(&mut numbers, move |numbers| {
                begun.send(()).unwrap();
                let _ = gate.recv();
                numbers.fill(2);
            })
            .unwrap();
        drop(numbers);
        has_begun.recv().unwrap();
        assert!(matches!(usage(stream.destroy()), Usage::Late { .. }));
        assert_eq!(free(current), start, "host memory");
        assert_eq!(ascendcl::parked_bytes(), 64);
        go.send(()).unwrap();
        // The stream was not aborted beside the function, so a wait for it is a wait for the function.
        current.synchronize_device().unwrap();
        assert_eq!(ascendcl::parked_bytes(), 0);
    }

    on emulator fn a_limit_that_c_cannot_take_is_refused() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        for limit in [Duration::ZERO, Duration::MAX] {
            let opened = acl.set_device::<D>(&mut thread, 0).unwrap();
            assert!(matches!(usage(opened.release_within(limit)), Usage::Timeout { .. }));
        }
        let opened = device(&acl, &mut thread);
        works(thread.set_current(&opened).unwrap());
    }
}
