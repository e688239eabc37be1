//! Pictures, and plans that run several times.

use super::{ACL, BINDING, DEVICE, EVENT, FIRST, SECOND, THREAD, memory, name, step};
use crate::model::{Rule, Strictness, judge};
use crate::program::{Flags, Layout, Name, Op, Operator, Program, Sort, Step};

const CHANNEL: u16 = 11;
const PICTURE: u16 = 17;

fn verdict(steps: Vec<Step>) -> (Option<Rule>, Vec<Strictness>) {
    let program = Program { steps };
    assert!(program.is_resolved(), "an operand of the test is not given");
    let verdict = judge(&program);
    (verdict.broken, verdict.strict.into_iter().collect())
}

fn begin() -> Vec<Step> {
    vec![
        step(Op::Claim, &[], &[THREAD]),
        step(Op::SetDevice { slot: 0, id: 0 }, &[ACL, THREAD], &[DEVICE]),
        step(Op::Bind, &[THREAD, DEVICE], &[BINDING]),
        step(Op::CreateStream { name: 0 }, &[BINDING], &[FIRST]),
        step(Op::CreateStream { name: 1 }, &[BINDING], &[SECOND]),
        step(Op::CreateEvent(Flags::Order), &[BINDING], &[EVENT]),
    ]
}

/// A picture that a task of the first stream makes, and more steps.
fn picture(more: &[Step]) -> (Option<Rule>, Vec<Strictness>) {
    let media = name(Sort::Media, 9);
    let mut steps = begin();
    steps.extend([
        step(Op::Media, &[ACL], &[media]),
        step(Op::Channel, &[media, BINDING], &[memory(10)]),
        step(Op::Adopt, &[FIRST, memory(10)], &[memory(CHANNEL)]),
        step(Op::Picture, &[media, BINDING], &[memory(12)]),
        step(Op::Paint, &[BINDING, memory(12)], &[memory(13)]),
        step(Op::Adopt, &[FIRST, memory(13)], &[memory(14)]),
        step(Op::Picture, &[media, BINDING], &[memory(15)]),
        step(Op::Adopt, &[FIRST, memory(15)], &[memory(16)]),
        step(
            Op::Crop,
            &[memory(CHANNEL), FIRST, memory(14), memory(16)],
            &[memory(PICTURE)],
        ),
    ]);
    steps.extend_from_slice(more);
    verdict(steps)
}

fn wait(op: Op, stream: Name, taken: (u16, u16), proof: u16) -> [Step; 2] {
    let proof = name(Sort::Proof, proof);
    let (from, to) = taken;
    [
        step(op, &[stream], &[proof]),
        step(Op::Take, &[proof, memory(from)], &[memory(to)]),
    ]
}

#[test]
fn a_picture_is_checked_behind_a_proof() {
    let mut more = wait(Op::Synchronize, FIRST, (PICTURE, 18), 19).to_vec();
    more.push(step(Op::Check, &[memory(18)], &[memory(20)]));
    more.push(step(Op::Pixels, &[BINDING, memory(20)], &[]));
    assert_eq!(picture(&more), (None, vec![]));
    more.truncate(2);
    more.push(step(Op::Pixels, &[BINDING, memory(18)], &[]));
    assert_eq!(picture(&more).0, Some(Rule::StatusUnread));
}

#[test]
fn an_accepted_picture_is_not_proven_whatever_wraps_it() {
    let check = step(Op::Check, &[memory(25)], &[memory(26)]);
    let mut more = vec![step(Op::Share, &[memory(PICTURE)], &[memory(18)])];
    more.extend(wait(Op::Drain, FIRST, (18, 20), 19));
    more.push(step(Op::Accept, &[memory(20)], &[memory(21)]));
    more.push(step(Op::TryUnwrap, &[memory(21)], &[memory(25)]));
    more.push(check.clone());
    assert_eq!(picture(&more), (Some(Rule::Unproven), vec![]));
    // A later wait proves it, and the check does not know that.
    let proof = name(Sort::Proof, 27);
    more.insert(4, step(Op::Synchronize, &[FIRST], &[proof]));
    assert_eq!(picture(&more), (None, vec![Strictness::Accepted]));
    let fence = name(Sort::Fence, 18);
    let event = name(Sort::Event, 21);
    let more = [
        step(Op::Fence, &[FIRST, EVENT, memory(PICTURE)], &[fence]),
        step(Op::SynchronizeFence, &[fence], &[memory(20), event]),
        step(Op::Accept, &[memory(20)], &[memory(25)]),
        check,
    ];
    assert_eq!(picture(&more), (Some(Rule::Unproven), vec![]));
}

#[test]
fn a_wait_for_one_stream_does_not_prove_the_picture_of_another_one() {
    let handoff = |from: u16, event: Name, to: u16| {
        step(
            Op::Handoff,
            &[FIRST, SECOND, event, memory(from)],
            &[memory(to)],
        )
    };
    let second = name(Sort::Event, 30);
    let media = name(Sort::Media, 9);
    let mut more = vec![
        step(Op::CreateEvent(Flags::Order), &[BINDING], &[second]),
        handoff(CHANNEL, EVENT, 31),
        handoff(PICTURE, second, 32),
        step(Op::Picture, &[media, BINDING], &[memory(33)]),
        step(Op::Adopt, &[SECOND, memory(33)], &[memory(34)]),
        step(
            Op::Crop,
            &[memory(31), SECOND, memory(32), memory(34)],
            &[memory(35)],
        ),
    ];
    more.extend(wait(Op::Synchronize, SECOND, (35, 36), 37));
    more.push(step(Op::Check, &[memory(36)], &[memory(38)]));
    assert_eq!(picture(&more), (Some(Rule::Unproven), vec![]));
}

/// A sum of two buffers, and more steps.
fn sum(layout: Layout, more: &[Step]) -> (Option<Rule>, Vec<Strictness>) {
    let mut steps = begin();
    for first in [10, 12, 14] {
        steps.push(step(Op::Malloc, &[BINDING], &[memory(first)]));
        let of = [BINDING, memory(first)];
        steps.push(step(Op::Memset, &of, &[memory(first + 1)]));
    }
    let op = Op::Plan {
        operator: Operator::Add,
        fresh: false,
        layout,
    };
    let of = [BINDING, memory(11), memory(13), memory(15)];
    steps.push(step(op, &of, &[name(Sort::Plan, 16)]));
    steps.extend_from_slice(more);
    verdict(steps)
}

#[test]
fn the_first_phase_runs_in_the_context_of_its_plan() {
    let (repeat, other) = (name(Sort::Repeat, 17), name(Sort::Binding, 21));
    let again = |layout| {
        let op = Op::RunAgain {
            operator: Operator::Add,
            layout,
        };
        let of = [repeat, FIRST, memory(11), memory(15), memory(13)];
        step(op, &of, &[])
    };
    let plan = name(Sort::Plan, 16);
    let more = [
        step(Op::Repeatable, &[BINDING, plan], &[repeat]),
        again(Layout::Turned),
        again(Layout::Turned),
    ];
    assert_eq!(sum(Layout::Turned, &more), (None, vec![]));
    assert_eq!(sum(Layout::Whole, &more).0, Some(Rule::Length));
    let device = name(Sort::Device, 20);
    let more = [
        step(Op::SetDevice { slot: 1, id: 1 }, &[ACL, THREAD], &[device]),
        step(Op::Bind, &[THREAD, device], &[other]),
        step(Op::Repeatable, &[other, plan], &[repeat]),
    ];
    assert_eq!(
        sum(Layout::Whole, &more),
        (Some(Rule::OtherContext), vec![])
    );
}

#[test]
fn a_part_that_was_written_is_no_written_buffer() {
    let copied = |layout| {
        let plan = name(Sort::Plan, 13);
        let op = Op::Plan {
            operator: Operator::Relu,
            fresh: true,
            layout,
        };
        let mut steps = begin();
        steps.extend([
            step(Op::Malloc, &[BINDING], &[memory(10)]),
            step(Op::Memset, &[BINDING, memory(10)], &[memory(11)]),
            step(Op::Malloc, &[BINDING], &[memory(12)]),
            step(op, &[BINDING, memory(11), memory(11), memory(12)], &[plan]),
            step(Op::Run, &[plan, FIRST], &[memory(14)]),
            step(Op::MallocHost, &[BINDING], &[memory(15)]),
            step(Op::Memcpy, &[BINDING, memory(15), memory(14)], &[]),
        ]);
        verdict(steps)
    };
    assert_eq!(copied(Layout::Whole), (None, vec![]));
    let part = copied(Layout::Part);
    assert_eq!(part, (Some(Rule::Unwritten), vec![Strictness::Form]));
}

#[test]
fn the_numbers_that_data_decide_are_read_behind_their_plan() {
    let mut steps = begin();
    steps.push(step(Op::Malloc, &[BINDING], &[memory(10)]));
    steps.push(step(Op::Memset, &[BINDING, memory(10)], &[memory(11)]));
    let plan = name(Sort::Plan, 12);
    steps.push(step(Op::Find, &[BINDING, memory(11)], &[plan]));
    let mut again = steps.clone();
    steps.push(step(Op::Run, &[plan, FIRST], &[memory(13)]));
    steps.push(step(Op::Front, &[BINDING, memory(13)], &[]));
    assert_eq!(verdict(steps.clone()), (None, vec![]));
    steps.push(step(Op::Memset, &[BINDING, memory(13)], &[]));
    assert_eq!(verdict(steps), (None, vec![Strictness::Types]));
    again.push(step(
        Op::Repeatable,
        &[BINDING, plan],
        &[name(Sort::Repeat, 13)],
    ));
    assert_eq!(verdict(again).0, Some(Rule::Decided));
}

#[test]
fn a_model_runs_on_one_stream_at_a_time() {
    let run = |stream: Name, first: u16| {
        [
            step(Op::MallocOn, &[stream], &[memory(first)]),
            step(
                Op::MemsetAsync,
                &[stream, memory(first)],
                &[memory(first + 1)],
            ),
            step(Op::MallocOn, &[stream], &[memory(first + 2)]),
            step(
                Op::Infer,
                &[memory(11), stream, memory(first + 1), memory(first + 2)],
                &[memory(first + 3)],
            ),
        ]
    };
    let mut steps = begin();
    steps.push(step(Op::Load, &[BINDING], &[memory(10)]));
    steps.push(step(Op::Adopt, &[FIRST, memory(10)], &[memory(11)]));
    steps.extend(run(FIRST, 12));
    steps.extend(run(FIRST, 16));
    assert_eq!(verdict(steps.clone()), (None, vec![]));
    steps.extend(run(SECOND, 20));
    assert_eq!(verdict(steps).0, Some(Rule::Race));
}
