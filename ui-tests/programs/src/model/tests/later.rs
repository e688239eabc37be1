//! Futures and pipelines.

use super::limits::{abort, copied, read_behind};
use super::{BINDING, FIRST, SECOND, memory, name, step};
use crate::model::pipeline::Batched;
use crate::model::{Rule, Strictness, Verdict, expected, judge};
use crate::program::{Middle, Name, Op, Program, Sort, Step};

const FUTURE: Name = name(Sort::Synchronized, 40);
const COMPLETED: Name = name(Sort::Completed, 41);
const PIPELINE: Name = name(Sort::Pipeline, 42);

fn verdict(rest: &[Step]) -> Verdict {
    judge(&copied(rest))
}

fn synchronized() -> Step {
    step(Op::Synchronized, &[FIRST], &[FUTURE])
}

fn completed(stream: Name) -> Step {
    step(Op::Completed, &[stream, memory(12)], &[COMPLETED])
}

fn await_memory() -> Step {
    step(Op::AwaitCompleted, &[COMPLETED], &[memory(21)])
}

#[test]
fn a_future_proves_what_was_queued_before_it() {
    let [_, take, read] = read_behind(Op::Synchronize, FIRST);
    let proof = name(Sort::Proof, 20);
    let awaits = || step(Op::AwaitSynchronized, &[FUTURE], &[proof]);
    let clean = verdict(&[synchronized(), awaits(), take.clone(), read.clone()]);
    assert!(clean.is_clean() && clean.bounded, "{clean:?}");
    let more = step(Op::MemcpyAsync, &[FIRST, memory(12), memory(11)], &[]);
    let early = verdict(&[synchronized(), more, awaits(), take, read]);
    assert_eq!(early.broken, Some(Rule::TouchedInUse));
    let again = step(Op::Drain, &[FIRST], &[name(Sort::Proof, 22)]);
    let legal = verdict(&[synchronized(), again, awaits()]);
    assert_eq!(legal.broken, None);
    assert!(legal.strict.contains(&Strictness::Borrowed), "{legal:?}");
}

#[test]
fn a_future_of_a_stream_is_awaited_on_its_thread() {
    let mut thread = step(Op::Spawn, &[], &[]);
    let proof = name(Sort::Proof, 20);
    thread.body = vec![step(Op::AwaitSynchronized, &[FUTURE], &[proof])];
    let elsewhere = verdict(&[synchronized(), thread]);
    assert_eq!(elsewhere.broken, Some(Rule::NoContext));
    let mut thread = step(Op::Spawn, &[], &[]);
    thread.body = vec![step(Op::TryCompleted, &[COMPLETED], &[])];
    let sent = verdict(&[completed(FIRST), thread]);
    assert!(sent.is_clean(), "{sent:?}");
}

#[test]
fn work_that_is_over_is_verified_by_a_wait() {
    let verify = |memory| {
        let proof = name(Sort::Proof, 20);
        [
            step(Op::SynchronizeWithin, &[FIRST], &[proof]),
            step(Op::Verify, &[proof, memory], &[super::memory(22)]),
            step(Op::Read, &[super::memory(22)], &[]),
        ]
    };
    let mut steps = vec![completed(FIRST), await_memory()];
    steps.extend(verify(memory(21)));
    let clean = verdict(&steps);
    assert!(clean.is_clean() && clean.bounded, "{clean:?}");
    let read = step(Op::Read, &[memory(21)], &[]);
    let early = verdict(&[completed(FIRST), await_memory(), read]);
    assert_eq!(early.broken, Some(Rule::Unverified));
    let other = verdict(&[completed(SECOND), await_memory()]);
    assert_eq!(other.broken, Some(Rule::TouchedInUse));
}

#[test]
fn an_abort_ends_a_future_with_an_error() {
    let late = verdict(&[completed(FIRST), abort(), await_memory()]);
    assert_eq!(late.broken, Some(Rule::NeverCompleted));
    let ignored = step(Op::TryCompleted, &[COMPLETED], &[]);
    let clean = verdict(&[completed(FIRST), abort(), ignored]);
    assert!(clean.is_clean() && clean.bounded, "{clean:?}");
}

/// A pipeline with two lanes, and these steps, each with its result.
fn batches(ops: &[Op]) -> Program {
    let of = [PIPELINE, BINDING];
    let op = Op::Pipeline {
        lanes: 2,
        carries: true,
    };
    let mut steps = vec![step(op, &[BINDING], &[PIPELINE])];
    for (number, op) in (50..).zip(ops) {
        let outcome = name(Sort::Outcome, number);
        let of = of.get(..op.operands().len()).unwrap_or_default();
        let to = [outcome];
        let to = to.get(..op.results().len()).unwrap_or_default();
        steps.push(step(*op, of, to));
        if !to.is_empty() {
            steps.push(step(Op::Compare, &[outcome], &[]));
        }
    }
    copied(&steps)
}

fn push(middle: Middle, number: u8) -> Op {
    Op::Push { middle, number }
}

#[test]
fn each_batch_has_one_result_in_order() {
    let program = batches(&[
        push(Middle::Carry, 1),
        push(Middle::Error, 2),
        push(Middle::Add, 3),
        Op::PushPanics,
        Op::RunBatches {
            middle: Middle::Carry,
            number: 4,
            batches: 2,
            stops: false,
        },
    ]);
    let verdict = judge(&program);
    assert!(verdict.is_clean() && verdict.bounded, "{verdict:?}");
    let filled = Batched::Carried(Some(0x0707_0707));
    let found = [
        vec![],
        vec![(0, filled)],
        vec![(1, Batched::Error)],
        // The lane of the first one of the run batch is a new one, and the second has the lane of batch 0.
        vec![
            (2, Batched::Number(6)),
            (3, filled),
            (4, Batched::Carried(Some(1))),
        ],
    ];
    assert_eq!(expected(&program).1, found.map(Some));
}

#[test]
fn a_lane_carries_the_input_of_its_last_batch() {
    let run = |number, stops| Op::RunBatches {
        middle: Middle::Carry,
        number,
        batches: 3,
        stops,
    };
    let program = batches(&[run(1, true), Op::Pop, run(7, false)]);
    let found = expected(&program).1;
    let carried = |number| Batched::Carried(number);
    let first = Some(0x0707_0707);
    // Both lanes are free behind the first two results, and who has them next is unknown. Then one of them is free.
    let wanted = [
        vec![(0, carried(first))],
        vec![(1, carried(first))],
        vec![
            (2, carried(None)),
            (3, carried(None)),
            (4, carried(Some(7))),
        ],
    ];
    assert_eq!(found, wanted.map(Some));
}

#[test]
fn a_result_is_over_with_the_next_batch() {
    let mut program = batches(&[push(Middle::Copy, 1), push(Middle::Copy, 2)]);
    let steps = &mut program.steps;
    let first = steps.iter().position(|step| step.op == Op::Compare);
    let first = steps.remove(first.unwrap_or_default());
    steps.push(first);
    assert_eq!(judge(&program).broken, Some(Rule::TouchedInUse));
    let kept = judge(&batches(&[push(Middle::Keep, 1)]));
    assert_eq!(kept.broken, Some(Rule::LeaseEscapes));
}
