//! Counters, what processes share, and settings.

use super::{BINDING, DEVICE, FIRST, SECOND, THREAD, memory, name, step};
use crate::model::{Rule, Strictness, Verdict, judge, numbers_read};
use crate::program::{ACL, Name, Op, Program, Sort, Step};

const COUNTER: Name = name(Sort::Counter, 10);
const SHARED: Name = name(Sort::Shared, 11);
const PROOF: Name = name(Sort::Proof, 20);
const FRESH: Name = name(Sort::Memory, 30);
const WRITTEN: Name = name(Sort::Memory, 31);
const EXPORTED: Name = name(Sort::Memory, 32);
const QUEUED: Name = name(Sort::Memory, 33);

fn with(rest: &[Step]) -> Program {
    let mut steps = vec![
        step(Op::Claim, &[], &[THREAD]),
        step(Op::SetDevice { slot: 0, id: 0 }, &[ACL, THREAD], &[DEVICE]),
        step(Op::Bind, &[THREAD, DEVICE], &[BINDING]),
        step(Op::CreateStream { name: 0 }, &[BINDING], &[FIRST]),
        step(Op::CreateStream { name: 1 }, &[BINDING], &[SECOND]),
        step(Op::CreateCounter, &[BINDING], &[COUNTER]),
        step(Op::CreateShared, &[BINDING], &[SHARED]),
    ];
    steps.extend_from_slice(rest);
    let program = Program { steps };
    assert!(program.is_resolved(), "an operand of the test is not given");
    program
}

fn verdict(rest: &[Step]) -> Verdict {
    judge(&with(rest))
}

fn count(stream: Name) -> Step {
    step(Op::Count, &[stream, COUNTER], &[])
}

fn until(stream: Name, number: u8) -> Step {
    step(Op::AwaitCount { number }, &[stream, COUNTER], &[])
}

fn reset(stream: Name) -> Step {
    step(Op::ResetCounter, &[stream, COUNTER], &[])
}

fn synchronize(stream: Name) -> Step {
    step(Op::Synchronize, &[stream], &[])
}

#[test]
fn a_stream_waits_for_a_number_that_its_counter_is_sure_to_reach() {
    let reached = verdict(&[count(FIRST), count(SECOND), until(SECOND, 2)]);
    assert!(reached.is_clean(), "{reached:?}");
    let missed = |steps: &[Step]| assert_eq!(verdict(steps).broken, Some(Rule::CountMissed));
    missed(&[count(FIRST), until(SECOND, 2)]);
    // A reset takes the number away, unless it comes behind the wait.
    missed(&[count(FIRST), until(SECOND, 1), reset(FIRST)]);
    missed(&[count(FIRST), reset(FIRST), until(SECOND, 1)]);
    missed(&[count(FIRST), reset(SECOND)]);
    let behind = verdict(&[
        count(FIRST),
        until(SECOND, 1),
        synchronize(SECOND),
        reset(FIRST),
        count(FIRST),
        until(SECOND, 1),
    ]);
    assert!(behind.is_clean(), "{behind:?}");
    // One of another stream may come before the reset.
    missed(&[count(FIRST), reset(FIRST), count(SECOND), until(FIRST, 1)]);
    let ordered = verdict(&[
        count(FIRST),
        reset(FIRST),
        synchronize(FIRST),
        count(SECOND),
        until(FIRST, 1),
    ]);
    assert!(ordered.is_clean(), "{ordered:?}");
}

/// A closure may return early, and its error may be caught.
#[test]
fn what_a_closure_counts_is_not_sure_behind_it() {
    let within = |op: Op| Step {
        body: vec![count(FIRST), until(SECOND, 1)],
        ..step(op, &[], &[])
    };
    for op in [Op::Closure, Op::Catch] {
        let inside = verdict(&[within(op)]);
        assert!(inside.is_clean(), "{inside:?}");
        let behind = verdict(&[within(op), until(SECOND, 1)]);
        assert_eq!(behind.broken, Some(Rule::CountMissed));
    }
}

#[test]
fn a_wait_takes_the_order_of_the_changes_that_it_needs() {
    let filled = [
        step(Op::MallocOn, &[FIRST], &[FRESH]),
        step(Op::MemsetAsync, &[FIRST, FRESH], &[WRITTEN]),
        count(FIRST),
    ];
    let host = memory(40);
    let read = [
        step(Op::MallocHostOn, &[SECOND], &[host]),
        step(Op::MemcpyAsync, &[SECOND, host, WRITTEN], &[]),
        synchronize(SECOND),
    ];
    let ordered = verdict(&[&filled[..], &[until(SECOND, 1)], &read].concat());
    assert_eq!(ordered.broken, None);
    assert!(
        ordered.strict.contains(&Strictness::NotTaken),
        "{ordered:?}"
    );
    let early = verdict(&[&[count(SECOND)], &filled[..], &[until(SECOND, 1)], &read].concat());
    assert_eq!(early.broken, Some(Rule::Race));
}

#[test]
fn counters_and_shared_events_are_of_a_device_and_end_behind_their_work() {
    let end = |of: Name| step(Op::Drop, &[of], &[]);
    let early = verdict(&[count(FIRST), until(SECOND, 1), end(COUNTER)]);
    assert!(early.is_clean(), "{early:?}");
    let gone = verdict(&[end(COUNTER), count(FIRST)]);
    assert_eq!(gone.broken, Some(Rule::CounterGone));
    let record = |stream: Name| step(Op::RecordShared, &[stream, SHARED], &[]);
    let recorded = verdict(&[
        record(FIRST),
        step(Op::SynchronizeShared, &[SHARED], &[]),
        end(SHARED),
    ]);
    assert!(recorded.is_clean(), "{recorded:?}");
    let gone = verdict(&[end(SHARED), record(FIRST)]);
    assert_eq!(gone.broken, Some(Rule::SharedGone));
    let device = name(Sort::Device, 50);
    let binding = name(Sort::Binding, 51);
    let stream = name(Sort::Stream, 52);
    let there = [
        step(Op::SetDevice { slot: 1, id: 1 }, &[ACL, THREAD], &[device]),
        step(Op::Bind, &[THREAD, device], &[binding]),
        step(Op::CreateStream { name: 2 }, &[binding], &[stream]),
    ];
    let with = |last: Step| verdict(&[&there[..], &[last]].concat()).broken;
    assert_eq!(with(count(stream)), Some(Rule::CounterOfOther));
    assert_eq!(with(record(stream)), Some(Rule::EventOfOther));
}

/// Exported memory that the first stream fills.
fn exported() -> Vec<Step> {
    vec![
        step(Op::Malloc, &[BINDING], &[FRESH]),
        step(Op::Memset, &[BINDING, FRESH], &[WRITTEN]),
        step(Op::Export, &[BINDING, WRITTEN], &[EXPORTED]),
        step(Op::Adopt, &[FIRST, EXPORTED], &[QUEUED]),
        step(Op::MemsetAsync, &[FIRST, QUEUED], &[]),
    ]
}

#[test]
fn exported_memory_is_copied_and_comes_back_when_its_export_ends() {
    let idle = memory(41);
    let (closed, host) = (memory(42), memory(43));
    let taken = [
        step(Op::Synchronize, &[FIRST], &[PROOF]),
        step(Op::Take, &[PROOF, QUEUED], &[idle]),
    ];
    let whole = [
        step(Op::MallocHost, &[BINDING], &[host]),
        step(Op::Memcpy, &[BINDING, host, idle], &[]),
        step(Op::Read, &[host], &[]),
        step(Op::CloseExport, &[BINDING, idle], &[closed]),
        step(Op::Free, &[closed], &[]),
    ];
    let program = with(&[&exported()[..], &taken, &whole].concat());
    assert!(judge(&program).is_clean(), "{:?}", judge(&program));
    assert_eq!(numbers_read(&program), [Some(0x0707_0707)]);
    let free = step(Op::Free, &[idle], &[]);
    let open = verdict(&[&exported()[..], &taken, &[free]].concat());
    assert_eq!(open.broken, Some(Rule::ExportOpen));
    let busy = verdict(&[&exported()[..], &[step(Op::Free, &[QUEUED], &[])]].concat());
    assert_eq!(busy.broken, Some(Rule::FreedInUse));
    let parked = verdict(&[&exported()[..], &[step(Op::Drop, &[QUEUED], &[])]].concat());
    assert!(parked.is_clean(), "{parked:?}");
    let end = step(Op::CloseExport, &[BINDING, QUEUED], &[closed]);
    let early = verdict(&[&exported()[..], &[end]].concat());
    assert_eq!(early.broken, None);
    assert!(early.strict.contains(&Strictness::NotTaken), "{early:?}");
}

#[test]
fn only_written_and_idle_memory_of_a_device_is_exported() {
    let export = |of: Name| step(Op::Export, &[BINDING, of], &[EXPORTED]);
    let malloc = step(Op::Malloc, &[BINDING], &[FRESH]);
    let fresh = verdict(&[malloc, export(FRESH)]);
    assert_eq!(fresh.broken, Some(Rule::Unwritten));
    let host = verdict(&[step(Op::MallocHost, &[BINDING], &[FRESH]), export(FRESH)]);
    assert_eq!(host.broken, Some(Rule::HostShared));
    let busy = verdict(&[
        step(Op::MallocOn, &[FIRST], &[FRESH]),
        step(Op::MemsetAsync, &[FIRST, FRESH], &[WRITTEN]),
        export(WRITTEN),
    ]);
    assert_eq!(busy.broken, Some(Rule::TouchedInUse));
}

#[test]
fn sizes_are_set_before_devices_and_limits_of_cores_end_with_their_blocks() {
    let size = step(Op::SetSize, &[ACL], &[]);
    assert_eq!(
        verdict(std::slice::from_ref(&size)).broken,
        Some(Rule::SetTooLate)
    );
    let alone = judge(&Program { steps: vec![size] });
    assert!(alone.is_clean(), "{alone:?}");
    let see = |binding: Name| step(Op::SeeCores, &[binding], &[]);
    let device = name(Sort::Device, 50);
    let binding = name(Sort::Binding, 51);
    let streams = [name(Sort::Stream, 52), name(Sort::Stream, 53)];
    let block = |cores: u8, on: Name, number: u16, body: Vec<Step>| {
        let to = [name(Sort::Stream, number)];
        let head = step(Op::WithCores { cores }, &[on], &to);
        Step { body, ..head }
    };
    let inner = block(3, streams[1], 61, vec![see(binding)]);
    let outer = vec![see(binding), inner, see(binding)];
    let steps = vec![
        step(Op::Claim, &[], &[THREAD]),
        step(Op::SetDevice { slot: 1, id: 1 }, &[ACL, THREAD], &[device]),
        step(Op::LimitCores { cores: 8 }, &[device], &[]),
        step(Op::Bind, &[THREAD, device], &[binding]),
        step(Op::CreateStream { name: 2 }, &[binding], &streams[..1]),
        step(Op::CreateStream { name: 3 }, &[binding], &streams[1..]),
        block(5, streams[0], 60, outer),
        see(binding),
    ];
    let program = Program { steps };
    assert!(judge(&program).is_clean(), "{:?}", judge(&program));
    let seen = [5, 3, 5, 8].map(Some);
    assert_eq!(numbers_read(&program), seen);
    let late = step(Op::LimitCores { cores: 8 }, &[DEVICE], &[]);
    let late = verdict(&[late]);
    assert!(late.strict.contains(&Strictness::Borrowed), "{late:?}");
}

#[test]
fn a_tensor_is_kept_and_dropped_and_has_its_memory() {
    let tensor = memory(50);
    let written = [
        step(Op::Malloc, &[BINDING], &[FRESH]),
        step(Op::Memset, &[BINDING, FRESH], &[WRITTEN]),
    ];
    let give = |of: Name| step(Op::ToDlpack, &[BINDING, of], &[tensor]);
    let with = |rest: &[Step]| verdict(&[&written[..], rest].concat());
    let dropped = with(&[give(WRITTEN), step(Op::Drop, &[tensor], &[])]);
    assert!(dropped.is_clean(), "{dropped:?}");
    let twice = with(&[give(WRITTEN), step(Op::Free, &[WRITTEN], &[])]);
    assert!(twice.strict.contains(&Strictness::Moved), "{twice:?}");
    let used = with(&[
        give(WRITTEN),
        step(Op::Memset, &[BINDING, tensor], &[memory(51)]),
    ]);
    assert!(used.strict.contains(&Strictness::Types), "{used:?}");
    let fresh = verdict(&[step(Op::Malloc, &[BINDING], &[FRESH]), give(FRESH)]);
    assert_eq!(fresh.broken, Some(Rule::Unwritten));
    // A lent part is borrowed until the tensor ends, also where the program does not end it.
    let parts = step(Op::Slice, &[WRITTEN], &[memory(52)]);
    let free = step(Op::Free, &[WRITTEN], &[]);
    let ended = step(Op::Drop, &[tensor], &[]);
    let behind = with(&[parts.clone(), give(memory(52)), ended, free.clone()]);
    assert!(behind.is_clean(), "{behind:?}");
    let early = with(&[parts, give(memory(52)), free]);
    assert!(early.strict.contains(&Strictness::Borrowed), "{early:?}");
}
