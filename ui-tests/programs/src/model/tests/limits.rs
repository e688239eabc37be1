//! Waits with a limit, and aborts.

use super::{BINDING, DEVICE, EVENT, FIRST, SECOND, THREAD, memory, name, step};
use crate::model::{Rule, judge, numbers_read};
use crate::program::{ACL, Flags, Name, Op, Program, Sort, Step};

const LIMITED: Name = name(Sort::Device, 30);
const AGAIN: Name = name(Sort::Stream, 31);

/// A copy to memory of the host on a device with a limit, and these steps behind it.
pub(super) fn copied(rest: &[Step]) -> Program {
    let mut steps = vec![
        step(Op::Claim, &[], &[THREAD]),
        step(Op::SetDevice { slot: 0, id: 0 }, &[ACL, THREAD], &[DEVICE]),
        step(Op::Limit, &[DEVICE], &[LIMITED]),
        step(Op::Bind, &[THREAD, LIMITED], &[BINDING]),
        step(Op::CreateStream { name: 0 }, &[BINDING], &[FIRST]),
        step(Op::CreateStream { name: 1 }, &[BINDING], &[SECOND]),
        step(Op::CreateEvent(Flags::Order), &[BINDING], &[EVENT]),
        step(Op::MallocOn, &[FIRST], &[memory(10)]),
        step(Op::MemsetAsync, &[FIRST, memory(10)], &[memory(11)]),
        step(Op::MallocHostOn, &[FIRST], &[memory(12)]),
        step(Op::MemcpyAsync, &[FIRST, memory(12), memory(11)], &[]),
    ];
    steps.extend_from_slice(rest);
    Program { steps }
}

/// A wait for a stream, and a read of the copy behind it.
pub(super) fn read_behind(wait: Op, stream: Name) -> [Step; 3] {
    let proof = name(Sort::Proof, 20);
    [
        step(wait, &[stream], &[proof]),
        step(Op::Take, &[proof, memory(12)], &[memory(13)]),
        step(Op::Read, &[memory(13)], &[]),
    ]
}

pub(super) fn abort() -> Step {
    step(Op::Abort, &[FIRST], &[AGAIN])
}

#[test]
fn a_wait_within_a_limit_proves_its_work() {
    let program = copied(&read_behind(Op::SynchronizeWithin, FIRST));
    let verdict = judge(&program);
    assert!(verdict.is_clean() && verdict.bounded, "{verdict:?}");
    assert_eq!(numbers_read(&program), [Some(0x0707_0707)]);
    let unbounded = judge(&copied(&read_behind(Op::Synchronize, FIRST)));
    assert!(unbounded.is_clean() && !unbounded.bounded, "{unbounded:?}");
    // The stream of a device without a limit is dropped behind a failure, and that wait has none.
    let mut elsewhere = copied(&read_behind(Op::SynchronizeWithin, FIRST));
    elsewhere.steps.retain(|step| step.op != Op::Limit);
    for step in &mut elsewhere.steps {
        let of = step.of.iter_mut().filter(|name| **name == LIMITED);
        of.for_each(|name| *name = DEVICE);
    }
    let verdict = judge(&elsewhere);
    assert!(verdict.is_clean() && !verdict.bounded, "{verdict:?}");
}

#[test]
fn an_ignored_wait_proves_nothing() {
    let try_it = step(Op::TryWithin, &[FIRST], &[]);
    let read = step(Op::Read, &[memory(12)], &[]);
    let broken = judge(&copied(&[try_it, read])).broken;
    assert_eq!(broken, Some(Rule::TouchedInUse));
}

#[test]
fn no_wait_proves_what_an_abort_has_dropped() {
    let behind = |wait| {
        let [wait, take, read] = read_behind(wait, AGAIN);
        judge(&copied(&[abort(), wait, take, read])).broken
    };
    assert_eq!(behind(Op::SynchronizeWithin), Some(Rule::Poisoned));
    assert_eq!(behind(Op::Drain), Some(Rule::Unverified));
    let [wait, take, _] = read_behind(Op::Drain, AGAIN);
    let accept = step(Op::Accept, &[memory(13)], &[memory(14)]);
    let read = step(Op::Read, &[memory(14)], &[]);
    let program = copied(&[abort(), wait, take, accept, read]);
    let verdict = judge(&program);
    assert!(verdict.is_clean() && verdict.bounded, "{verdict:?}");
    assert_eq!(numbers_read(&program), [None]);
}

#[test]
fn the_stream_in_front_is_aborted_first() {
    let handoff = || {
        let of = [FIRST, SECOND, EVENT, memory(12)];
        step(Op::Handoff, &of, &[memory(15)])
    };
    let second = || step(Op::Abort, &[SECOND], &[name(Sort::Stream, 32)]);
    let early = judge(&copied(&[handoff(), second()]));
    assert_eq!(early.broken, Some(Rule::NotAborted));
    let late = judge(&copied(&[handoff(), abort(), second()]));
    assert!(late.is_clean(), "{late:?}");
    // It may wait for ever.
    let never = judge(&copied(&[handoff(), abort()]));
    assert_eq!(never.broken, Some(Rule::Dropped));
}

/// A fence whose work is over when the wait for it is queued.
#[test]
fn a_stream_that_has_ended_its_work_is_in_front_of_nothing() {
    let fence = name(Sort::Fence, 21);
    let behind = |wait: &[Step]| {
        let mut rest = vec![step(Op::Fence, &[FIRST, EVENT, memory(12)], &[fence])];
        rest.extend_from_slice(wait);
        let taken = [memory(15), name(Sort::Event, 22)];
        rest.push(step(Op::WaitFence, &[SECOND, fence], &taken));
        rest.push(step(Op::Abort, &[SECOND], &[name(Sort::Stream, 32)]));
        judge(&copied(&rest)).broken
    };
    assert_eq!(behind(&[]), Some(Rule::NotAborted));
    let wait = step(Op::Synchronize, &[FIRST], &[name(Sort::Proof, 23)]);
    assert_eq!(behind(&[wait]), None);
}

#[test]
fn a_device_without_a_limit_aborts_nothing() {
    let mut program = copied(&[abort()]);
    program.steps.remove(2);
    for step in &mut program.steps {
        for of in step.of.iter_mut().filter(|of| **of == LIMITED) {
            *of = DEVICE;
        }
    }
    assert_eq!(judge(&program).broken, Some(Rule::NotAborted));
}

#[test]
fn the_default_stream_is_not_aborted() {
    let default = name(Sort::Stream, 33);
    let get = step(Op::DefaultStream, &[BINDING], &[default]);
    let abort = step(Op::Abort, &[default], &[AGAIN]);
    let broken = judge(&copied(&[get, abort])).broken;
    assert_eq!(broken, Some(Rule::DefaultAborted));
}
