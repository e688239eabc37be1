//! Pools: their end, and the order of their memory.

use std::slice::from_ref;

use super::{BINDING, DEVICE, EVENT, FIRST, SECOND, THREAD, memory, name, step};
use crate::model::{Rule, Strictness, Verdict, judge, numbers_read};
use crate::program::{ACL, Flags, Name, Op, Program, Sort, Step, Way};

const POOL: Name = name(Sort::Pool, 30);
const FRESH: Name = name(Sort::Memory, 10);
const X: Name = name(Sort::Memory, 11);
const HOST: Name = name(Sort::Memory, 12);
const PROOF: Name = name(Sort::Proof, 20);

/// Two streams, a pool, and memory of it that the first stream has written, with these steps behind.
fn with(rest: &[Step]) -> Program {
    let mut steps = vec![
        step(Op::Claim, &[], &[THREAD]),
        step(Op::SetDevice { slot: 0, id: 0 }, &[ACL, THREAD], &[DEVICE]),
        step(Op::Bind, &[THREAD, DEVICE], &[BINDING]),
        step(Op::CreateStream { name: 0 }, &[BINDING], &[FIRST]),
        step(Op::CreateStream { name: 1 }, &[BINDING], &[SECOND]),
        step(Op::CreateEvent(Flags::Order), &[BINDING], &[EVENT]),
        step(Op::CreatePool, &[BINDING], &[POOL]),
        step(Op::MallocFrom, &[FIRST, POOL], &[FRESH]),
        step(Op::MemsetAsync, &[FIRST, FRESH], &[X]),
    ];
    steps.extend_from_slice(rest);
    let program = Program { steps };
    assert!(program.is_resolved(), "an operand of the test is not given");
    program
}

fn verdict(rest: &[Step]) -> Verdict {
    judge(&with(rest))
}

/// The ends of a pool.
fn ends() -> [Step; 2] {
    [
        step(Op::DestroyPool, &[BINDING, POOL], &[]),
        step(Op::Drop, &[POOL], &[]),
    ]
}

#[test]
fn the_host_reads_what_was_in_memory_of_a_pool() {
    for end in ends() {
        let program = with(&[
            step(Op::MallocHostOn, &[FIRST], &[HOST]),
            step(Op::MemcpyAsync, &[FIRST, HOST, X], &[]),
            step(Op::Drop, &[X], &[]),
            end,
            step(Op::Synchronize, &[FIRST], &[PROOF]),
            step(Op::Take, &[PROOF, HOST], &[memory(13)]),
            step(Op::Read, &[memory(13)], &[]),
        ]);
        assert!(judge(&program).is_clean());
        assert_eq!(numbers_read(&program), [Some(0x0707_0707)]);
    }
}

#[test]
fn a_pool_ends_behind_its_memory() {
    for end in ends() {
        let shared = step(Op::Share, &[X], &[memory(13)]);
        let moved = step(Op::Handoff, &[FIRST, SECOND, EVENT, X], &[memory(13)]);
        for before in [&[][..], &[shared], &[moved]] {
            let early = verdict(&[before, from_ref(&end)].concat());
            assert_eq!(early.broken, Some(Rule::PoolInUse));
        }
        let dropped = step(Op::Drop, &[X], &[]);
        let malloc = step(Op::MallocFrom, &[FIRST, POOL], &[memory(13)]);
        for late in [malloc, ends()[0].clone()] {
            let twice = verdict(&[dropped.clone(), end.clone(), late]);
            assert_eq!(twice.broken, Some(Rule::PoolGone));
        }
    }
    let [destroy, drop] = ends();
    let forget = step(Op::Forget, &[X], &[]);
    let destroyed = verdict(&[forget.clone(), destroy]);
    assert_eq!(destroyed.broken, Some(Rule::PoolForgotten));
    assert!(verdict(&[forget, drop]).is_clean());
    // What was moved is not borrowed any more.
    let moved = step(Op::Through(Way::Box), &[POOL], &[name(Sort::Pool, 31)]);
    let left = verdict(&[moved, step(Op::Drop, &[X], &[])]);
    assert_eq!(left.broken, None);
    assert!(left.strict.contains(&Strictness::Borrowed), "{left:?}");
}

#[test]
fn memory_of_a_pool_is_used_in_the_order_of_its_stream() {
    let fresh = memory(14);
    let malloc = step(Op::MallocFrom, &[FIRST, POOL], &[fresh]);
    let other = step(Op::MemsetAsync, &[SECOND, fresh], &[memory(15)]);
    assert_eq!(verdict(&[malloc, other]).broken, Some(Rule::Race));
    let free = step(Op::Free, &[X], &[]);
    assert_eq!(verdict(&[free]).broken, Some(Rule::FreedInUse));
    let drop = step(Op::Drop, &[X], &[]);
    let again = step(Op::MemsetAsync, &[FIRST, X], &[]);
    assert_eq!(verdict(&[drop, again]).broken, Some(Rule::MemoryGone));
    let default = name(Sort::Stream, 40);
    let by_default = verdict(&[
        step(Op::DefaultStream, &[BINDING], &[default]),
        step(Op::MallocFrom, &[default, POOL], &[fresh]),
    ]);
    assert_eq!(by_default.broken, Some(Rule::DefaultAllocates));
    let moved = verdict(&[
        step(Op::Handoff, &[FIRST, SECOND, EVENT, X], &[memory(13)]),
        step(Op::MemsetAsync, &[SECOND, memory(13)], &[]),
        step(Op::Drop, &[memory(13)], &[]),
    ]);
    assert!(moved.is_clean(), "{moved:?}");
}
