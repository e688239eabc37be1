//! Events that one thread destroys while others use them: each use is refused, or uses the intended event.

#[macro_use]
mod common;

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use ascendcl_emulator::take_violations;
use ascendcl_sys::*;
use common::*;

/// The number of events that are created one after the other.
const ROUNDS: usize = 20_000;

/// Ends the other threads when it is dropped, also after a failed check.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_use_that_comes_too_late_is_not_one_of_the_next_event() {
    let _serial = start();
    let mut context = ptr::null_mut();
    check!(context.aclrtGetCurrentContext(&mut context));
    let context = context as usize;
    let (now, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    now.store(event_with(ACL_EVENT_SYNC) as usize, Ordering::Release);
    let use_it = || {
        check!(context.aclrtSetCurrentContext(context as aclrtContext));
        let s = stream();
        while !is_over.load(Ordering::Relaxed) {
            let event = now.load(Ordering::Acquire) as aclrtEvent;
            // This thread records the event before it waits, so every wait ends.
            let recorded = call!(event.aclrtRecordEvent(event, s));
            let waited = call!(event.aclrtStreamWaitEvent(s, event));
            for code in [recorded, waited] {
                assert!(code == 0 || code == 107017, "{code}: {}", text());
            }
            check!(stream.aclrtSynchronizeStream(s));
        }
        check!(stream.aclrtDestroyStream(s));
    };
    thread::scope(|scope| {
        scope.spawn(use_it);
        scope.spawn(use_it);
        let _over = Over(&is_over);
        for _ in 0..ROUNDS {
            let next = event_with(ACL_EVENT_SYNC) as usize;
            let last = now.swap(next, Ordering::AcqRel);
            check!(event.aclrtDestroyEvent(last as aclrtEvent));
        }
    });
    check!(event.aclrtDestroyEvent(now.load(Ordering::Acquire) as aclrtEvent));
    // A slot that was released twice would be used twice.
    let mut events: Vec<_> = (0..64).map(|_| event()).collect();
    events.sort_unstable();
    events.dedup();
    assert_eq!(events.len(), 64);
    for event in events {
        check!(event.aclrtDestroyEvent(event));
    }
    let _ = take_violations();
}

/// The number of updates of a task group.
const UPDATES: usize = 50_000;

#[test]
fn a_task_that_is_refused_on_its_way_leaves_its_event_once() {
    let _serial = start();
    let mut context = ptr::null_mut();
    check!(context.aclrtGetCurrentContext(&mut context));
    let (event, s) = (event_with(ACL_EVENT_SYNC), stream());
    check!(event.aclrtRecordEvent(event, s));
    // This makes an instance with a task group.
    let (mut group, mut instance) = (ptr::null_mut(), ptr::null_mut());
    check!(graph.aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    check!(graph.aclmdlRICaptureTaskGrpBegin(s));
    check!(graph.aclmdlRICaptureTaskGrpEnd(s, &mut group));
    check!(graph.aclmdlRICaptureEnd(s, &mut instance));
    let is_over = AtomicBool::new(false);
    let (shared, context) = ((s as usize, group as usize), context as usize);
    thread::scope(|scope| {
        let is_over = &is_over;
        scope.spawn(move || {
            let _over = Over(is_over);
            check!(context.aclrtSetCurrentContext(context as aclrtContext));
            let (s, group) = (shared.0 as aclrtStream, shared.1 as aclrtTaskGrp);
            for _ in 0..UPDATES {
                check!(graph.aclmdlRICaptureTaskUpdateBegin(s, group));
                check!(graph.aclmdlRICaptureTaskUpdateEnd(s));
            }
        });
        while !is_over.load(Ordering::Relaxed) {
            let recorded = call!(event.aclrtRecordEvent(event, s));
            let waited = call!(event.aclrtStreamWaitEvent(s, event));
            for code in [recorded, waited] {
                // The event exists all the time. A stream whose update ends meanwhile is reported as a wrong stream.
                let is_missed = code == 107017 && text().contains(": event ");
                assert!(!is_missed, "{}", text());
            }
        }
    });
    check!(stream.aclrtSynchronizeStream(s));
    check!(event.aclrtDestroyEvent(event));
    check!(graph.aclmdlRIDestroy(instance));
    check!(stream.aclrtDestroyStream(s));
}
