//! Events that two processes share: one records, and the other one waits.

use std::io::{Read, Write};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use ascendcl::error::Usage;
use ascendcl::share::{EventKey, Imported, Importers, SharedEvent};
use ascendcl::stream::Main;
use ascendcl::{Current, ErrorKind, Npu, Result, sys};

use super::{LONG, Lines, Other, REFUSED, first, import, open_shares};
use crate::common::{
    acl_with_journal, assert_clean, assert_refused, bound, calls, embedded, isolated, usage,
};

fn event_key<R: Read, W: Write>(lines: &mut Lines<R, W>) -> EventKey {
    EventKey::from_bytes(lines.receive().unwrap().try_into().unwrap())
}

/// Imports an event of the first process of a test, which ends last.
fn import_event<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    key: &EventKey,
) -> Result<SharedEvent<'dev, Imported<Npu<0>>>> {
    // SAFETY: the first process of a test has sent the key, and keeps the event until the second one has ended. Other bytes are
    // no key of the emulator, which looks before it opens anything.
    unsafe { current.import_event(key) }
}

isolated! {
    fn a_process_waits_for_each_record_of_another_one() {
        bound!(acl, side, device: Npu<0>, current, stream);
        if let Some(mut lines) = first() {
            let frame = stream.adopt(import(current, &lines.memory()).unwrap());
            let mut filled = import_event(current, &event_key(&mut lines)).unwrap();
            for turn in 0..4_u32 {
                if turn % 2 == 0 {
                    filled.wait(&mut stream).unwrap();
                } else {
                    filled.synchronize_within(LONG).unwrap();
                }
                let here = stream.memcpy_async(stream.malloc(1024).unwrap(), &frame).unwrap();
                let here = stream.memcpy_async(stream.malloc_host(side, 1024).unwrap(), &here).unwrap();
                assert_eq!(stream.synchronize().unwrap().take(here)[..], [turn; 1024]);
                lines.send(&[]);
                if turn < 3 {
                    assert_eq!(event_key(&mut lines).to_bytes()[..9], *b"ascendcl-");
                }
            }
            stream.synchronize().unwrap().take(frame).close(current).unwrap();
        } else {
            let mut other = Other::start();
            let lines = &mut other.lines;
            let frame = current.memset(current.malloc::<u32>(1024).unwrap(), 0).unwrap();
            let frame = current.export_memory(frame, Importers::Any).unwrap();
            let mut filled = current.create_shared_event().unwrap();
            filled.synchronize_within(Duration::from_millis(1)).unwrap(); // there is no record yet
            lines.send(&frame.key().to_bytes());
            let mut frame = stream.adopt(frame);
            let mut known = None;
            for turn in 0..4_u32 {
                let numbers = stream.malloc_host_from(side, &[turn; 1024]).unwrap();
                stream.memcpy_async(&mut frame, &numbers).unwrap();
                let key = filled.record(&mut stream).unwrap();
                assert_eq!(*known.get_or_insert(key), key);
                lines.send(&key.to_bytes());
                if turn % 2 == 0 {
                    filled.synchronize_within(LONG).unwrap();
                }
                stream.synchronize().unwrap();
                lines.receive().unwrap(); // it was read
            }
            other.succeeds();
            stream.synchronize().unwrap().take(frame).close(current).unwrap().free().unwrap();
        }
        drop(stream);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn an_event_that_is_dropped_ends_behind_the_work_that_uses_it() {
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let destroyed = || if embedded(&acl) { calls("aclrtDestroyEvent") } else { 0 };
            let number = usize::from(embedded(&acl));
            if let Some(mut lines) = first() {
                let mut event = import_event(current, &event_key(&mut lines))?;
                event.wait(&mut stream)?;
                drop(event);
                assert_eq!(destroyed(), 0);
                lines.send(&[]);
                stream.synchronize()?;
                assert_eq!(destroyed(), number);
            } else {
                let mut other = Other::start();
                let mut event = current.create_shared_event()?;
                let zeros = stream.memset_async(stream.malloc::<u8>(64)?, 0)?;
                let key = event.record(&mut stream)?; // it does not run in front of the next wait
                other.lines.send(&key.to_bytes());
                other.lines.receive().unwrap();
                drop(event);
                assert_eq!(destroyed(), 0);
                stream.synchronize()?.take(zeros).free()?;
                assert_eq!(destroyed(), number);
                other.succeeds();
            }
            Ok(())
        }).unwrap();
        assert_clean(&acl);
        assert_eq!((open_shares(), ascendcl::leaks()), (0, 0));
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn an_event_that_no_process_awaits_ends_behind_its_record() {
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let mut event = current.create_shared_event()?;
            event.record(&mut stream)?;
            drop(event);
            assert_eq!(calls("aclrtDestroyEvent"), 0);
            stream.synchronize()?;
            assert_eq!(calls("aclrtDestroyEvent"), 1);
            Ok(())
        }).unwrap();
        assert_clean(&acl);
    }

    fn a_wait_of_the_host_for_an_event_has_a_limit() {
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            if let Some(mut lines) = first() {
                let event = import_event(current, &event_key(&mut lines))?;
                let error = event.synchronize_within(Duration::from_millis(1)).unwrap_err();
                assert!(matches!(error.kind(), ErrorKind::Wait(_)), "{error}");
                assert_eq!(error.code(), Some(sys::ACL_ERROR_RT_EVENT_SYNC_TIMEOUT), "{error}");
                let wrong = usage(event.synchronize_within(Duration::ZERO));
                assert!(matches!(wrong, Usage::Timeout { .. }), "{wrong:?}");
                lines.send(&[]);
                event.synchronize_within(LONG)?;
            } else {
                let mut other = Other::start();
                let mut event = current.create_shared_event()?;
                // The stream goes on behind a word of the other process.
                let (open, gate) = mpsc::channel::<()>();
                stream.launch_host_func(move || {
                    let _ = gate.recv();
                })?;
                let key = event.record(&mut stream)?;
                other.lines.send(&key.to_bytes());
                other.lines.receive().unwrap();
                drop(open);
                stream.synchronize()?;
                other.succeeds();
            }
            Ok(())
        }).unwrap();
        assert_clean(&acl);
    }

    fn an_event_is_for_other_processes_and_its_handle_is_looked_at() {
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let key = current.create_shared_event()?.record(&mut stream)?;
            let mut event = current.create_shared_event()?;
            let own = event.record(&mut stream)?;
            assert_refused(import_event(current, &own), REFUSED);
            stream.synchronize()?; // the first event is destroyed
            assert_refused(import_event(current, &key), REFUSED);
            if embedded(&acl) {
                assert_refused(import_event(current, &EventKey::from_bytes([7; 64])), REFUSED);
            }
            thread::scope(|threads| threads.spawn(|| drop(event)).join().unwrap());
            stream.synchronize()?;
            if embedded(&acl) {
                assert_eq!(calls("aclrtDestroyEvent"), 2);
            }
            Ok(())
        }).unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    fn a_stream_that_waits_for_a_process_that_was_killed_reports_it() {
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            if let Some(mut lines) = first() {
                let mut event = current.create_shared_event()?;
                stream.launch_host_func(|| thread::sleep(LONG))?;
                lines.send(&event.record(&mut stream)?.to_bytes());
                thread::sleep(LONG);
            } else {
                let mut other = Other::start();
                let mut event = import_event(current, &event_key(&mut other.lines))?;
                event.wait(&mut stream)?;
                drop(other);
                let error = stream.synchronize().map(drop).unwrap_err();
                assert_eq!(error.code(), Some(sys::ACL_ERROR_RT_TASK_TIMEOUT), "{error}");
                let error = event.synchronize_within(LONG).unwrap_err();
                assert_eq!(error.code(), Some(sys::ACL_ERROR_RT_EVENT_SYNC_TIMEOUT), "{error}");
            }
            Ok(())
        }).unwrap();
        assert_eq!((open_shares(), ascendcl::leaks()), (0, 0));
    }
}
