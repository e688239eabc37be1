//! Memory that grows: its pieces, its tail, its end.

use super::{BINDING, DEVICE, EVENT, FIRST, SECOND, THREAD, memory, name, step};
use crate::model::{Rule, Strictness, Verdict, judge, numbers_read};
use crate::program::{ACL, Flags, Name, Op, Program, Sort, Step};

const IDLE: Name = name(Sort::Memory, 10);
const CACHE: Name = name(Sort::Memory, 11);
const HOST: Name = name(Sort::Memory, 12);
const OTHER: Name = name(Sort::Memory, 13);
const PROOF: Name = name(Sort::Proof, 20);

/// Two streams, and a buffer that the first stream has, with these steps behind.
fn with(rest: &[Step]) -> Program {
    let mut steps = vec![
        step(Op::Claim, &[], &[THREAD]),
        step(Op::SetDevice { slot: 0, id: 0 }, &[ACL, THREAD], &[DEVICE]),
        step(Op::Bind, &[THREAD, DEVICE], &[BINDING]),
        step(Op::CreateStream { name: 0 }, &[BINDING], &[FIRST]),
        step(Op::CreateStream { name: 1 }, &[BINDING], &[SECOND]),
        step(Op::CreateEvent(Flags::Order), &[BINDING], &[EVENT]),
        step(Op::MallocHostOn, &[FIRST], &[HOST]),
        step(Op::MallocHostOn, &[SECOND], &[OTHER]),
        step(Op::ReserveMem, &[BINDING], &[IDLE]),
        step(Op::Adopt, &[FIRST, IDLE], &[CACHE]),
    ];
    steps.extend_from_slice(rest);
    let program = Program { steps };
    assert!(program.is_resolved(), "an operand of the test is not given");
    program
}

fn verdict(rest: &[Step]) -> Verdict {
    judge(&with(rest))
}

fn filled() -> Step {
    step(Op::GrowFilledOn, &[FIRST, BINDING, CACHE], &[])
}

fn copied() -> Step {
    step(Op::GrowCopiedOn, &[FIRST, BINDING, CACHE, HOST], &[])
}

fn read(stream: Name, to: Name, piece: u8) -> Step {
    step(Op::ReadGrownOn { piece }, &[stream, to, CACHE], &[])
}

#[test]
fn the_host_reads_pieces_of_memory_that_has_grown_since() {
    let end = [
        step(Op::Drop, &[CACHE], &[]),
        step(Op::Synchronize, &[FIRST], &[PROOF]),
        step(Op::Take, &[PROOF, HOST], &[memory(14)]),
        step(Op::Read, &[memory(14)], &[]),
    ];
    for (piece, number) in [(0, 0x0707_0707), (1, 1)] {
        let grown = [filled(), copied(), read(FIRST, HOST, piece), filled()];
        let program = with(&[&grown[..], &end].concat());
        assert!(judge(&program).is_clean(), "{:?}", judge(&program));
        assert_eq!(numbers_read(&program), [Some(number)]);
    }
}

#[test]
fn only_pieces_that_were_written_are_read() {
    let tail = step(Op::ReadTail, &[FIRST, BINDING, HOST, CACHE], &[]);
    assert_eq!(verdict(&[tail]).broken, Some(Rule::Unwritten));
    let beyond = verdict(&[filled(), read(FIRST, HOST, 1)]);
    assert_eq!(beyond.broken, Some(Rule::NotGrown));
    let shorter = step(Op::Truncate { to: 0 }, &[CACHE], &[]);
    let behind = verdict(&[filled(), shorter, read(FIRST, HOST, 0)]);
    assert_eq!(behind.broken, Some(Rule::NotGrown));
    // As a whole it has the length of its pieces.
    let whole = step(Op::MemcpyAsync, &[FIRST, HOST, CACHE], &[]);
    let one = verdict(&[filled(), whole.clone()]);
    assert_eq!(one.broken, None);
    assert!(one.strict.contains(&Strictness::Types), "{one:?}");
    let two = verdict(&[filled(), filled(), whole]);
    assert_eq!(two.broken, Some(Rule::Length));
}

#[test]
fn memory_that_grows_ends_behind_its_work() {
    let free = step(Op::Free, &[CACHE], &[]);
    assert_eq!(verdict(&[filled(), free]).broken, Some(Rule::FreedInUse));
    let shorter = step(Op::Truncate { to: 0 }, &[CACHE], &[]);
    let unmap = step(Op::UnmapMem, &[CACHE], &[]);
    let early = verdict(&[filled(), shorter.clone(), unmap.clone()]);
    assert_eq!(early.broken, Some(Rule::FreedInUse));
    // Its memory has an element, so it stays.
    let kept = verdict(&[filled(), unmap]);
    assert_eq!(kept.broken, None);
    assert!(kept.strict.contains(&Strictness::NotTaken), "{kept:?}");
    let race = verdict(&[filled(), read(SECOND, OTHER, 0)]);
    assert_eq!(race.broken, Some(Rule::Race));
    let moved = memory(15);
    let handed = verdict(&[
        filled(),
        step(Op::Handoff, &[FIRST, SECOND, EVENT, CACHE], &[moved]),
        step(Op::GrowFilledOn, &[SECOND, BINDING, moved], &[]),
        step(Op::ReadGrownOn { piece: 0 }, &[SECOND, OTHER, moved], &[]),
        step(Op::Drop, &[moved], &[]),
    ]);
    assert!(handed.is_clean(), "{handed:?}");
    let idle = verdict(&[
        filled(),
        step(Op::Synchronize, &[FIRST], &[PROOF]),
        step(Op::Take, &[PROOF, CACHE], &[moved]),
        step(Op::Truncate { to: 0 }, &[moved], &[]),
        step(Op::UnmapMem, &[moved], &[]),
        step(Op::GrowFilled, &[BINDING, moved], &[]),
        step(Op::Free, &[moved], &[]),
    ]);
    assert!(idle.is_clean(), "{idle:?}");
}
