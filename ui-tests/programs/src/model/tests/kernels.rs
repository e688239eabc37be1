//! Kernels: binaries, arguments, and numbers.

use super::{BINDING, DEVICE, FIRST, SECOND, THREAD, memory, name, step};
use crate::model::{Rule, Strictness, Verdict, judge, numbers_read};
use crate::program::{ACL, Kernel, Name, Op, Passed, Program, Sort, Step};

const BINARY: Name = name(Sort::Binary, 30);
const CHANGE: Name = name(Sort::Function, 31);
const MAKE: Name = name(Sort::Function, 32);
const X: Name = name(Sort::Memory, 11);
const Y: Name = name(Sort::Memory, 13);
const FRESH: Name = name(Sort::Memory, 14);
const HOST: Name = name(Sort::Memory, 15);
const PROOF: Name = name(Sort::Proof, 20);

/// Two streams, a binary with both kernels, and memory of the first stream, with these steps behind.
fn with(rest: &[Step]) -> Program {
    let mut steps = vec![
        step(Op::Claim, &[], &[THREAD]),
        step(Op::SetDevice { slot: 0, id: 0 }, &[ACL, THREAD], &[DEVICE]),
        step(Op::Bind, &[THREAD, DEVICE], &[BINDING]),
        step(Op::CreateStream { name: 0 }, &[BINDING], &[FIRST]),
        step(Op::CreateStream { name: 1 }, &[BINDING], &[SECOND]),
        step(Op::LoadBinary, &[BINDING], &[BINARY]),
    ];
    for (kernel, to) in [(Kernel::Change, CHANGE), (Kernel::Make, MAKE)] {
        steps.push(step(Op::FindKernel { kernel }, &[BINARY], &[to]));
    }
    for (fresh, written) in [(memory(10), X), (memory(12), Y)] {
        steps.push(step(Op::MallocOn, &[FIRST], &[fresh]));
        steps.push(step(Op::MemsetAsync, &[FIRST, fresh], &[written]));
    }
    steps.push(step(Op::MallocOn, &[FIRST], &[FRESH]));
    steps.push(step(Op::MallocHostOn, &[FIRST], &[HOST]));
    steps.extend_from_slice(rest);
    let program = Program { steps };
    assert!(program.is_resolved(), "an operand of the test is not given");
    program
}

fn passing(kernel: Kernel, passed: Passed) -> Op {
    Op::LaunchKernel {
        kernel,
        passed,
        number: 3,
    }
}

fn change(of: [Name; 2]) -> Step {
    let op = passing(Kernel::Change, Passed::Declared);
    step(op, &[CHANGE, FIRST, of[0], of[1]], &[])
}

/// A kernel that writes fresh memory.
fn make(from: Name) -> Step {
    let op = passing(Kernel::Make, Passed::Declared);
    step(op, &[MAKE, FIRST, from, FRESH], &[memory(16)])
}

fn end(op: Op) -> Step {
    step(op, &[BINARY], &[])
}

fn verdict(rest: &[Step]) -> Verdict {
    judge(&with(rest))
}

#[test]
fn the_host_reads_what_kernels_have_computed() {
    let rest = |ends: Op| {
        [
            change([X, Y]),
            make(Y),
            step(Op::MemcpyAsync, &[FIRST, HOST, memory(16)], &[]),
            end(ends),
            step(Op::Synchronize, &[FIRST], &[PROOF]),
            step(Op::Take, &[PROOF, HOST], &[memory(17)]),
            step(Op::Read, &[memory(17)], &[]),
        ]
    };
    for ends in [Op::Unload, Op::Drop, Op::Forget] {
        let program = with(&rest(ends));
        assert!(judge(&program).is_clean(), "{ends:?}");
        assert_eq!(numbers_read(&program), [Some(4 * 0x0707_0707 + 1)]);
    }
    let read = step(Op::Read, &[HOST], &[]);
    let early = verdict(&[
        change([X, Y]),
        step(Op::MemcpyAsync, &[FIRST, HOST, Y], &[]),
        read,
    ]);
    assert_eq!(early.broken, Some(Rule::TouchedInUse));
}

#[test]
fn no_kernel_is_launched_behind_the_end_of_its_binary() {
    for ends in [Op::Unload, Op::Drop] {
        let launched = verdict(&[end(ends), change([X, Y])]);
        assert_eq!(launched.broken, Some(Rule::BinaryGone));
        assert_eq!(
            verdict(&[end(ends), end(Op::Unload)]).broken,
            Some(Rule::BinaryGone)
        );
    }
    let forgotten = verdict(&[end(Op::Forget), change([X, Y])]);
    assert_eq!(forgotten.broken, None);
    assert!(
        forgotten.strict.contains(&Strictness::Borrowed),
        "{forgotten:?}"
    );
    let mut thread = step(Op::Spawn, &[], &[]);
    thread.body.push(end(Op::Unload));
    assert_eq!(verdict(&[thread]).broken, Some(Rule::NoContext));
    let names = [FIRST, SECOND];
    let mut reset: Vec<Step> = names
        .map(|name| step(Op::DestroyStream, &[name], &[]))
        .to_vec();
    reset.insert(0, step(Op::Synchronize, &[FIRST], &[PROOF]));
    for (number, name) in (50..).zip([X, Y, FRESH, HOST]) {
        reset.insert(1, step(Op::Take, &[PROOF, name], &[memory(number)]));
        reset.insert(2, step(Op::Free, &[memory(number)], &[]));
    }
    reset.push(step(Op::Reset, &[DEVICE], &[]));
    assert_eq!(verdict(&reset).broken, Some(Rule::ContextGone));
}

#[test]
fn a_kernel_gets_the_memory_that_it_declares() {
    let broken = |of: [Name; 2]| verdict(&[change(of)]).broken;
    assert_eq!(broken([FRESH, Y]), Some(Rule::Unwritten));
    assert_eq!(broken([X, FRESH]), Some(Rule::Unwritten));
    assert_eq!(broken([X, X]), Some(Rule::KernelAlias));
    assert_eq!(broken([HOST, Y]), Some(Rule::KernelHost));
    let other = step(
        passing(Kernel::Change, Passed::Declared),
        &[CHANGE, SECOND, X, Y],
        &[],
    );
    assert_eq!(verdict(&[other]).broken, Some(Rule::Race));
    let half = step(Op::Split, &[Y], &[memory(40), memory(41)]);
    assert_eq!(
        verdict(&[half, change([X, memory(40)])]).broken,
        Some(Rule::Length)
    );
    let freed = step(Op::Free, &[X], &[]);
    assert_eq!(
        verdict(&[change([X, Y]), freed]).broken,
        Some(Rule::FreedInUse)
    );
}

#[test]
fn a_kernel_gets_the_arguments_that_it_declares() {
    for passed in [Passed::Turned, Passed::Fewer, Passed::Wider, Passed::Longer] {
        let launch = step(passing(Kernel::Change, passed), &[CHANGE, FIRST, X, Y], &[]);
        assert_eq!(verdict(&[launch]).broken, Some(Rule::KernelArguments));
    }
    let other = step(
        passing(Kernel::Make, Passed::Declared),
        &[CHANGE, FIRST, X, Y],
        &[],
    );
    assert_eq!(verdict(&[other]).broken, Some(Rule::KernelArguments));
    let shared = step(
        passing(Kernel::Change, Passed::Shared),
        &[CHANGE, FIRST, X, Y],
        &[],
    );
    let shared = verdict(&[shared]);
    assert_eq!(shared.broken, None);
    assert!(shared.strict.contains(&Strictness::Types), "{shared:?}");
}
