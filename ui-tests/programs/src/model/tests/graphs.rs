//! Graphs: recordings, runs, and numbers.

use super::{BINDING, DEVICE, FIRST, SECOND, THREAD, memory, name, step};
use crate::model::{Rule, Strictness, Verdict, judge, numbers_read};
use crate::program::{
    ACL, Beside, Flags, Halt, Name, Op, Program, Record, Records, Shape, Sort, Step, With,
};

const A: Name = name(Sort::Memory, 11);
const B: Name = name(Sort::Memory, 13);
const HOST: Name = name(Sort::Memory, 14);
const GRAPH: Name = name(Sort::Memory, 20);
const PROOF: Name = name(Sort::Proof, 30);

/// From the host to the device, twice as many there, and back.
const DOUBLE: Records = [
    Record::Copy(0, 2),
    Record::Group(1, 0),
    Record::Copy(2, 1),
    Record::Nothing,
];
const RUN: Op = Op::LaunchGraph { number: 0 };

/// Two streams and memory that the host has, with these steps behind.
fn with(rest: &[Step]) -> Program {
    let mut steps = vec![
        step(Op::Claim, &[], &[THREAD]),
        step(Op::SetDevice { slot: 0, id: 0 }, &[ACL, THREAD], &[DEVICE]),
        step(Op::Bind, &[THREAD, DEVICE], &[BINDING]),
        step(Op::CreateStream { name: 0 }, &[BINDING], &[FIRST]),
        step(Op::CreateStream { name: 1 }, &[BINDING], &[SECOND]),
        step(Op::MallocHost, &[BINDING], &[HOST]),
    ];
    for (fresh, written) in [(memory(10), A), (memory(12), B)] {
        steps.push(step(Op::Malloc, &[BINDING], &[fresh]));
        steps.push(step(Op::Memset, &[BINDING, fresh], &[written]));
    }
    steps.extend_from_slice(rest);
    let program = Program { steps };
    assert!(program.is_resolved(), "an operand of the test is not given");
    program
}

fn capture(shape: Shape, records: Records) -> Step {
    let op = Op::Capture {
        shape,
        with: With::Nothing,
        records,
    };
    step(op, &[BINDING, FIRST, A, B, HOST], &[GRAPH])
}

fn one(record: Record) -> Records {
    let mut records = [Record::Nothing; 4];
    records[1] = record;
    records
}

fn launch(stream: Name) -> Step {
    step(RUN, &[GRAPH, stream], &[])
}

fn verdict(rest: &[Step]) -> Verdict {
    judge(&with(rest))
}

#[test]
fn the_host_reads_what_runs_have_computed() {
    let update = Op::UpdateGraph {
        number: 2,
        to: 1,
        from: 0,
    };
    let taken = memory(21);
    let program = with(&[
        capture(Shape::Tuple, DOUBLE),
        launch(FIRST),
        step(update, &[BINDING, GRAPH, GRAPH, FIRST], &[]),
        launch(FIRST),
        step(Op::Synchronize, &[FIRST], &[PROOF]),
        step(Op::Take, &[PROOF, GRAPH], &[taken]),
        step(Op::SeePart(2), &[taken], &[]),
        step(
            Op::DestroyGraph,
            &[taken],
            &[memory(22), memory(23), memory(24)],
        ),
        step(Op::Read, &[memory(24)], &[]),
    ]);
    assert!(judge(&program).is_clean(), "{:?}", judge(&program));
    assert_eq!(numbers_read(&program), [Some(6), Some(6)]);
}

#[test]
fn a_recording_neither_waits_nor_lets_its_memory_go() {
    let broken = |record| verdict(&[capture(Shape::Tuple, one(record))]).broken;
    for halt in [Halt::Synchronize, Halt::Drain, Halt::Query, Halt::HostFunc] {
        assert_eq!(broken(Record::Halts(halt)), Some(Rule::Records));
    }
    assert_eq!(broken(Record::DeviceWaits), Some(Rule::DeviceRecords));
    assert_eq!(broken(Record::Keeps(0)), Some(Rule::RecordedEscapes));
    assert_eq!(broken(Record::KeepsTemporary), Some(Rule::RecordedEscapes));
    assert_eq!(broken(Record::Touch(0)), Some(Rule::HostTouchesDevice));
    assert_eq!(broken(Record::Add(1, 2)), Some(Rule::OtherDevice));
    assert_eq!(broken(Record::Touch(2)), None);
    let default = name(Sort::Stream, 40);
    let mut of = capture(Shape::Tuple, one(Record::Count));
    of.of.splice(1..2, [default]);
    let make = step(Op::DefaultStream, &[BINDING], &[default]);
    assert_eq!(verdict(&[make, of]).broken, Some(Rule::DefaultRecords));
}

#[test]
fn one_stream_of_a_fork_uses_what_is_lent_for_writing() {
    let broken = |beside| {
        let op = Op::Capture {
            shape: Shape::Tuple,
            with: With::Side,
            records: one(Record::Fork(1, 0, beside)),
        };
        verdict(&[step(op, &[BINDING, FIRST, A, B, HOST, SECOND], &[GRAPH])]).broken
    };
    for beside in [Beside::Nothing, Beside::Reads, Beside::Fills] {
        assert_eq!(broken(beside), None);
    }
    for beside in [Beside::ReadsLent, Beside::WritesRead, Beside::SideWrites] {
        assert_eq!(broken(beside), Some(Rule::Race));
    }
    assert_eq!(broken(Beside::Keeps), Some(Rule::RecordedEscapes));
    assert_eq!(broken(Beside::Waits), Some(Rule::Records));
}

#[test]
fn a_graph_runs_on_one_stream_with_memory_of_its_own() {
    let made = capture(Shape::Tuple, DOUBLE);
    let both = [made.clone(), launch(FIRST), launch(SECOND)];
    assert_eq!(verdict(&both).broken, Some(Rule::Race));
    let event = name(Sort::Event, 50);
    let moved = memory(51);
    let handed = [
        made.clone(),
        launch(FIRST),
        step(Op::CreateEvent(Flags::Order), &[BINDING], &[event]),
        step(Op::Handoff, &[FIRST, SECOND, event, GRAPH], &[moved]),
        step(RUN, &[moved, SECOND], &[]),
    ];
    assert!(verdict(&handed).is_clean());
    let run = [made, launch(FIRST)];
    let behind = |op: Op, of: &[Name]| {
        let ends = step(op, of, &[]);
        verdict(&[run.as_slice(), &[ends]].concat())
    };
    assert_eq!(
        behind(Op::SeePart(2), &[GRAPH]).broken,
        Some(Rule::TouchedInUse)
    );
    assert_eq!(
        behind(Op::FillPart(0), &[GRAPH, SECOND]).broken,
        Some(Rule::Race)
    );
    assert_eq!(
        behind(Op::DestroyGraph, &[GRAPH]).broken,
        Some(Rule::FreedInUse)
    );
    assert_eq!(behind(Op::Free, &[A]).broken, Some(Rule::FreedInUse));
    assert_eq!(
        behind(Op::LaunchGraph { number: 1 }, &[GRAPH, FIRST]).broken,
        Some(Rule::NoRecording)
    );
    assert!(behind(Op::Drop, &[GRAPH]).is_clean());
    assert!(behind(Op::Forget, &[GRAPH]).is_clean());
}

#[test]
fn a_borrowed_buffer_does_not_end_before_its_graph() {
    let made = capture(Shape::Borrowed, DOUBLE);
    let free = step(Op::Free, &[A], &[]);
    let early = [made.clone(), free.clone(), launch(FIRST)];
    assert_eq!(verdict(&early).broken, Some(Rule::MemoryGone));
    let forgotten = [
        made.clone(),
        launch(FIRST),
        step(Op::Forget, &[GRAPH], &[]),
        free,
    ];
    assert_eq!(verdict(&forgotten).broken, Some(Rule::FreedInUse));
    let wait = step(Op::Synchronize, &[FIRST], &[PROOF]);
    let kept = verdict(&[made, launch(FIRST), wait]);
    assert_eq!(kept.broken, None);
    assert!(kept.strict.contains(&Strictness::Borrowed), "{kept:?}");
}

#[test]
fn a_capture_that_fails_gives_its_memory_back() {
    let fails = |panics, to: &[Name]| {
        let op = Op::CaptureFails {
            shape: Shape::Tuple,
            with: With::Nothing,
            panics,
            records: DOUBLE,
        };
        step(op, &[BINDING, FIRST, A, B, HOST], to)
    };
    let back = [memory(60), memory(61), memory(62)];
    let read = step(Op::Read, &[memory(62)], &[]);
    let program = with(&[fails(false, &back), read]);
    assert!(judge(&program).is_clean());
    assert_eq!(numbers_read(&program), [Some(1)]);
    assert!(verdict(&[fails(true, &[])]).is_clean());
}
