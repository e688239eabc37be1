//! Small programs whose verdict is known from the manual.

mod graphs;
mod kernels;
mod later;
mod limits;
mod media;
mod pools;
mod ranks;
mod reserved;
mod signals;

use super::{Rule, Strictness, judge};
use crate::program::{ACL, Collective, Flags, Name, Op, Program, Sort, Step};

const fn name(sort: Sort, number: u16) -> Name {
    Name { sort, number }
}

fn step(op: Op, of: &[Name], to: &[Name]) -> Step {
    Step::new(op, of, to)
}

const THREAD: Name = name(Sort::Thread, 1);
const DEVICE: Name = name(Sort::Device, 2);
const BINDING: Name = name(Sort::Binding, 3);
const FIRST: Name = name(Sort::Stream, 4);
const SECOND: Name = name(Sort::Stream, 5);
const EVENT: Name = name(Sort::Event, 6);

fn memory(number: u16) -> Name {
    name(Sort::Memory, number)
}

/// An upload and its way back to the host.
fn upload() -> Program {
    let proof = name(Sort::Proof, 20);
    Program {
        steps: vec![
            step(Op::Claim, &[], &[THREAD]),
            step(Op::SetDevice { slot: 0, id: 0 }, &[ACL, THREAD], &[DEVICE]),
            step(Op::Bind, &[THREAD, DEVICE], &[BINDING]),
            step(Op::CreateStream { name: 0 }, &[BINDING], &[FIRST]),
            step(Op::CreateStream { name: 1 }, &[BINDING], &[SECOND]),
            step(Op::CreateEvent(Flags::Order), &[BINDING], &[EVENT]),
            step(Op::MallocHostOn, &[FIRST], &[memory(10)]),
            step(Op::MallocOn, &[FIRST], &[memory(11)]),
            step(
                Op::MemcpyAsync,
                &[FIRST, memory(11), memory(10)],
                &[memory(12)],
            ),
            step(
                Op::Handoff,
                &[FIRST, SECOND, EVENT, memory(12)],
                &[memory(13)],
            ),
            step(Op::MallocHostOn, &[SECOND], &[memory(14)]),
            step(Op::MemcpyAsync, &[SECOND, memory(14), memory(13)], &[]),
            step(Op::Synchronize, &[SECOND], &[proof]),
            step(Op::Take, &[proof, memory(14)], &[memory(15)]),
            step(Op::Read, &[memory(15)], &[]),
            step(Op::Free, &[memory(15)], &[]),
        ],
    }
}

fn verdict(edit: impl FnOnce(&mut Vec<Step>)) -> (Option<Rule>, Vec<Strictness>) {
    let mut program = upload();
    edit(&mut program.steps);
    assert!(program.is_resolved(), "an operand of the test is not given");
    let verdict = judge(&program);
    (verdict.broken, verdict.strict.into_iter().collect())
}

#[test]
fn an_upload_that_waits_is_legal() {
    assert_eq!(verdict(|_| ()), (None, vec![]));
}

#[test]
fn a_read_before_the_wait_is_illegal() {
    // Without the wait and the return of the memory.
    let broken = verdict(|steps| {
        steps.truncate(12);
        steps.push(step(Op::Read, &[memory(14)], &[]));
    });
    assert_eq!(broken.0, Some(Rule::TouchedInUse));
}

#[test]
fn a_free_before_the_wait_is_illegal() {
    let broken = verdict(|steps| {
        steps.truncate(12);
        steps.push(step(Op::Free, &[memory(13)], &[]));
    });
    assert_eq!(broken.0, Some(Rule::FreedInUse));
}

#[test]
fn two_streams_without_an_event_race() {
    let broken = verdict(|steps| {
        steps.remove(9);
        for step in steps {
            for name in &mut step.of {
                if *name == memory(13) {
                    *name = memory(12);
                }
            }
        }
    });
    assert_eq!(broken.0, Some(Rule::Race));
}

#[test]
fn a_copy_from_fresh_memory_is_illegal() {
    let broken = verdict(|steps| {
        steps.truncate(8);
        steps.push(step(Op::MemcpyAsync, &[FIRST, memory(10), memory(11)], &[]));
    });
    assert_eq!(broken.0, Some(Rule::Unwritten));
}

#[test]
fn the_work_of_the_first_stream_is_not_proven_by_the_second() {
    let proof = name(Sort::Proof, 20);
    let taken = |steps: &mut Vec<Step>| {
        steps.truncate(13);
        steps.push(step(Op::Take, &[proof, memory(13)], &[memory(30)]));
    };
    assert_eq!(verdict(taken), (None, vec![]));
    let copied = verdict(|steps| {
        taken(steps);
        steps.push(step(Op::MallocHost, &[BINDING], &[memory(31)]));
        steps.push(step(Op::Memcpy, &[BINDING, memory(31), memory(30)], &[]));
    });
    assert_eq!(copied.0, Some(Rule::Unverified));
    let verified = verdict(|steps| {
        let second = name(Sort::Proof, 21);
        taken(steps);
        steps.push(step(Op::Synchronize, &[FIRST], &[second]));
        steps.push(step(Op::Verify, &[second, memory(30)], &[memory(32)]));
        steps.push(step(Op::Free, &[memory(32)], &[]));
    });
    assert_eq!(verified, (None, vec![]));
}

#[test]
fn a_stream_ends_before_its_device() {
    let broken = verdict(|steps| steps.push(step(Op::Reset, &[DEVICE], &[])));
    assert_eq!(
        broken.0,
        Some(Rule::MemoryGone),
        "device memory is dropped behind the reset"
    );
    let forgotten = verdict(|steps| {
        steps.truncate(6);
        for name in [EVENT, SECOND, FIRST] {
            steps.push(step(Op::Forget, &[name], &[]));
        }
        steps.push(step(Op::Reset, &[DEVICE], &[]));
    });
    assert_eq!(forgotten, (None, vec![]));
}

#[test]
fn a_value_that_was_given_away_is_a_loss() {
    let moved = verdict(|steps| {
        steps.truncate(8);
        steps.push(step(Op::Forget, &[memory(10)], &[]));
        steps.push(step(
            Op::MemcpyAsync,
            &[FIRST, memory(11), memory(10)],
            &[memory(12)],
        ));
    });
    assert_eq!(moved, (None, vec![Strictness::Moved]));
}

/// A copy to the memory of a peer, with an edit.
fn copy_to_peer(edit: impl FnOnce(&mut Vec<Step>)) -> (Option<Rule>, Vec<Strictness>) {
    let peer = name(Sort::Device, 7);
    let there = name(Sort::Binding, 8);
    let access = name(Sort::Access, 9);
    let mut steps = vec![
        step(Op::Claim, &[], &[THREAD]),
        step(Op::SetDevice { slot: 0, id: 0 }, &[ACL, THREAD], &[DEVICE]),
        step(Op::SetDevice { slot: 1, id: 1 }, &[ACL, THREAD], &[peer]),
        step(Op::Bind, &[THREAD, peer], &[there]),
        step(Op::Malloc, &[there], &[memory(10)]),
        step(Op::Memset, &[there, memory(10)], &[memory(11)]),
        step(Op::Bind, &[THREAD, DEVICE], &[BINDING]),
        step(Op::Malloc, &[BINDING], &[memory(12)]),
        step(Op::Memset, &[BINDING, memory(12)], &[memory(13)]),
        step(Op::EnablePeer, &[BINDING, peer], &[access]),
        step(
            Op::MemcpyPeer,
            &[BINDING, access, memory(11), memory(13)],
            &[],
        ),
        step(Op::DisablePeer, &[access], &[]),
    ];
    edit(&mut steps);
    let program = Program { steps };
    assert!(program.is_resolved(), "an operand of the test is not given");
    let verdict = judge(&program);
    (verdict.broken, verdict.strict.into_iter().collect())
}

#[test]
fn a_copy_to_a_peer_needs_access_in_its_direction() {
    assert_eq!(copy_to_peer(|_| ()), (None, vec![]));
    let disabled_before = copy_to_peer(|steps| steps.swap(10, 11));
    assert_eq!(disabled_before.0, Some(Rule::OtherDevice));
    let turned = copy_to_peer(|steps| {
        if let Some(copy) = steps.get_mut(10) {
            copy.of.swap(2, 3);
        }
    });
    assert_eq!(turned.0, Some(Rule::OtherDevice));
    let forgotten = copy_to_peer(|steps| {
        if let Some(disable) = steps.get_mut(11) {
            disable.op = Op::Forget;
        }
    });
    assert_eq!(forgotten, (None, vec![]));
}

#[test]
fn access_has_one_owner_and_two_devices() {
    let twice = copy_to_peer(|steps| {
        let enable = steps.get(9).cloned();
        let second = name(Sort::Access, 19);
        steps.extend(enable.map(|enable| Step {
            to: vec![second],
            ..enable
        }));
        steps.swap(11, 12);
    });
    assert_eq!(twice.0, Some(Rule::AccessTaken));
    let own = copy_to_peer(|steps| {
        if let Some(of) = steps.get_mut(9).and_then(|enable| enable.of.get_mut(1)) {
            *of = DEVICE;
        }
    });
    assert_eq!(own.0, Some(Rule::SamePeer));
    let reset = copy_to_peer(|steps| {
        steps.insert(11, step(Op::Reset, &[name(Sort::Device, 7)], &[]));
    });
    assert_eq!(reset.0, Some(Rule::DeviceGone));
}

/// A communicator on a stream that is given back, with steps between.
fn communicator(edit: impl FnOnce(&mut Vec<Step>)) -> Option<Rule> {
    let comm = |number| name(Sort::Comm, number);
    let proof = name(Sort::Proof, 20);
    let kind = Collective::AllReduce;
    let mut steps = vec![
        step(Op::Claim, &[], &[THREAD]),
        step(Op::SetDevice { slot: 0, id: 0 }, &[ACL, THREAD], &[DEVICE]),
        step(Op::Bind, &[THREAD, DEVICE], &[BINDING]),
        step(Op::CreateStream { name: 0 }, &[BINDING], &[FIRST]),
        step(Op::CommInit { name: 0 }, &[BINDING], &[comm(10)]),
        step(Op::CommAdopt, &[FIRST, comm(10)], &[comm(11)]),
        step(Op::MallocOn, &[FIRST], &[memory(12)]),
        step(Op::MemsetAsync, &[FIRST, memory(12)], &[memory(13)]),
        step(Op::MallocOn, &[FIRST], &[memory(14)]),
        step(
            Op::Collective { kind },
            &[comm(11), FIRST, memory(13), memory(14)],
            &[memory(15)],
        ),
        step(Op::Synchronize, &[FIRST], &[proof]),
        step(Op::CommTake, &[proof, comm(11)], &[comm(16)]),
        step(Op::CommDestroy, &[comm(16)], &[]),
    ];
    edit(&mut steps);
    let program = Program { steps };
    assert!(program.is_resolved(), "an operand of the test is not given");
    let verdict = judge(&program);
    if verdict.broken.is_none() {
        assert!(verdict.is_clean(), "{:?}", verdict.strict);
    }
    verdict.broken
}

#[test]
fn a_communicator_ends_once_behind_its_work_and_before_its_device() {
    let comm = |number| name(Sort::Comm, number);
    assert_eq!(communicator(|_| ()), None);
    // Without the wait, and without the step that takes it back.
    let busy = communicator(|steps| {
        steps.truncate(10);
        steps.push(step(Op::CommDestroy, &[comm(11)], &[]));
    });
    assert_eq!(busy, Some(Rule::CommBusy));
    let twice = communicator(|steps| steps.push(step(Op::CommDestroy, &[comm(16)], &[])));
    assert_eq!(twice, Some(Rule::CommGone));
    // The drop at the end of the program comes behind the reset.
    let late = communicator(|steps| {
        steps.truncate(5);
        steps.push(step(Op::Reset, &[DEVICE], &[]));
    });
    assert_eq!(late, Some(Rule::DeviceGone));
    assert_eq!(communicator(|steps| steps.truncate(10)), None, "parked");
}

#[test]
fn operations_take_device_memory_and_a_stream_with_a_handle() {
    let kind = Collective::AllReduce;
    let comm = name(Sort::Comm, 11);
    let host = communicator(|steps| {
        steps.truncate(9);
        steps.push(step(Op::MallocHostOn, &[FIRST], &[memory(20)]));
        let of = [comm, FIRST, memory(20), memory(14)];
        steps.push(step(Op::Collective { kind }, &of, &[memory(15)]));
    });
    assert_eq!(host, Some(Rule::CommHost));
    let fresh = communicator(|steps| {
        steps.remove(7);
        steps.retain(|step| !step.of.contains(&memory(13)));
        steps.insert(7, step(Op::MallocOn, &[FIRST], &[memory(13)]));
        let of = [comm, FIRST, memory(13), memory(14)];
        steps.insert(9, step(Op::Collective { kind }, &of, &[memory(15)]));
    });
    assert_eq!(fresh, Some(Rule::Unwritten));
    let default = communicator(|steps| {
        steps.truncate(6);
        steps.push(step(Op::DefaultStream, &[BINDING], &[SECOND]));
        steps.push(step(Op::Barrier, &[comm, SECOND], &[]));
    });
    assert_eq!(default, Some(Rule::NullStream));
}

#[test]
fn a_name_of_a_communicator_is_free_when_it_and_its_parts_are_gone() {
    let comm = |number| name(Sort::Comm, number);
    let again = step(Op::CommInit { name: 0 }, &[BINDING], &[comm(30)]);
    let taken = communicator(|steps| steps.insert(5, again.clone()));
    assert_eq!(taken, Some(Rule::NameTaken));
    assert_eq!(communicator(|steps| steps.push(again.clone())), None);
    let part = communicator(|steps| {
        steps.insert(5, step(Op::SubComm { part: 0 }, &[comm(10)], &[comm(31)]));
        steps.push(again.clone());
    });
    assert_eq!(part, Some(Rule::NameTaken), "the part lives");
    let parked = communicator(|steps| {
        steps.truncate(6);
        steps.push(step(Op::Drop, &[comm(11)], &[]));
        steps.push(again);
    });
    assert_eq!(parked, Some(Rule::NameTaken), "until a wait");
}

#[test]
fn a_closure_does_not_lend_what_it_exchanges() {
    let lent = |before: Vec<Step>| {
        let scope = name(Sort::Scope, 40);
        let mut closure = step(Op::Closure, &[], &[]);
        closure.body = before;
        let lend = Op::Lend { exclusive: false };
        closure
            .body
            .push(step(lend, &[scope, memory(10)], &[memory(12)]));
        let mut around = step(Op::Scope, &[BINDING], &[scope]);
        around.body = vec![closure];
        let steps = vec![
            step(Op::Claim, &[], &[THREAD]),
            step(Op::SetDevice { slot: 0, id: 0 }, &[ACL, THREAD], &[DEVICE]),
            step(Op::Bind, &[THREAD, DEVICE], &[BINDING]),
            step(Op::MallocHost, &[BINDING], &[memory(10)]),
            step(Op::MallocHost, &[BINDING], &[memory(11)]),
            around,
        ];
        let verdict = judge(&Program { steps });
        (
            verdict.broken,
            verdict.strict.into_iter().collect::<Vec<_>>(),
        )
    };
    assert_eq!(lent(Vec::new()), (None, vec![]));
    let swap = step(Op::Swap, &[memory(10), memory(11)], &[]);
    assert_eq!(lent(vec![swap]), (None, vec![Strictness::Captured]));
    let write = step(Op::Write, &[memory(10)], &[]);
    assert_eq!(lent(vec![write]), (None, vec![Strictness::Captured]));
    let other = step(Op::Write, &[memory(11)], &[]);
    assert_eq!(lent(vec![other]), (None, vec![]));
}
