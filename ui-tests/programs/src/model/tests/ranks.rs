//! Programs with several ranks whose verdict is known from the manual of HCCL.

use super::{BINDING, DEVICE, THREAD, memory, name, step};
use crate::model::{Rule, Strictness, judge};
use crate::program::{ACL, Collective, Lengths, Name, Op, Program, Sort, Step, Which};

/// The value of a rank with this number among its own ones.
fn of(rank: u16, sort: Sort, number: u16) -> Name {
    name(sort, 100 * (rank + 1) + number)
}

/// The steps of a rank: it joins, and has a communicator on a stream and two buffers with contents.
fn begin(rank: u16) -> Vec<Step> {
    let own = |sort, number| of(rank, sort, number);
    let (thread, binding) = (own(Sort::Thread, 1), own(Sort::Binding, 2));
    let (idle, comm, stream) = (own(Sort::Comm, 3), own(Sort::Comm, 5), own(Sort::Stream, 4));
    let join = Op::CommJoin {
        name: 0,
        rank: u8::try_from(rank).unwrap_or(0),
    };
    let other = Op::RankOf(Which::Next);
    let buffer = |number| {
        let fresh = own(Sort::Memory, number);
        let written = own(Sort::Memory, number + 10);
        [
            step(Op::MallocOn, &[stream], &[fresh]),
            step(Op::MemsetAsync, &[stream, fresh], &[written]),
        ]
    };
    let steps = [
        step(Op::Claim, &[], &[thread]),
        step(Op::Bind, &[thread, name(Sort::Device, rank)], &[binding]),
        step(join, &[binding, name(Sort::Root, 9)], &[idle]),
        step(Op::CreateStream { name: 0 }, &[binding], &[stream]),
        step(Op::CommAdopt, &[stream, idle], &[comm]),
        step(other, &[comm], &[own(Sort::Rank, 6)]),
    ];
    steps
        .into_iter()
        .chain(buffer(20))
        .chain(buffer(21))
        .collect()
}

/// The operands of an operation of a rank: its communicator, its stream, and others.
fn operation(rank: u16, op: Op, others: &[(Sort, u16)]) -> Step {
    let of = |(sort, number)| of(rank, sort, number);
    let own = [(Sort::Comm, 5), (Sort::Stream, 4)].into_iter();
    let operands: Vec<Name> = own.chain(others.iter().copied()).map(of).collect();
    step(op, &operands, &[])
}

fn all_reduce(rank: u16) -> Step {
    operation(rank, Op::InPlace, &[(Sort::Memory, 30)])
}

fn barrier(rank: u16) -> Step {
    operation(rank, Op::Barrier, &[])
}

fn message(rank: u16, op: Op, number: u16) -> Step {
    operation(rank, op, &[(Sort::Rank, 6), (Sort::Memory, number)])
}

fn wait(rank: u16, number: u16) -> Step {
    let proof = of(rank, Sort::Proof, number);
    step(Op::Synchronize, &[of(rank, Sort::Stream, 4)], &[proof])
}

/// The verdict about two ranks with these steps.
fn verdict(ranks: [Vec<Step>; 2]) -> (Option<Rule>, Vec<Strictness>) {
    let thread = name(Sort::Thread, 8);
    let mut steps = vec![step(Op::Claim, &[], &[thread])];
    for (number, id) in [(0, 0), (1, 1)] {
        let open = Op::SetDevice { slot: id, id };
        steps.push(step(open, &[ACL, thread], &[name(Sort::Device, number)]));
    }
    let bind = [thread, name(Sort::Device, 0)];
    steps.push(step(Op::Bind, &bind, &[BINDING]));
    let root = Op::RootInfo { ranks: 2 };
    steps.push(step(root, &[BINDING], &[name(Sort::Root, 9)]));
    let mut world = step(Op::Ranks, &[], &[]);
    for (rank, more) in (0..).zip(ranks) {
        let mut own = step(Op::Rank, &[], &[]);
        own.body = begin(rank);
        own.body.extend(more);
        world.body.push(own);
    }
    steps.push(world);
    let program = Program { steps };
    assert!(program.is_resolved(), "an operand of the test is not given");
    let verdict = judge(&program);
    (verdict.broken, verdict.strict.into_iter().collect())
}

/// The rule that two ranks break, which do nothing that the API does not allow.
fn broken(ranks: [Vec<Step>; 2]) -> Option<Rule> {
    let (broken, strict) = verdict(ranks);
    assert!(broken.is_some() || strict.is_empty(), "{strict:?}");
    broken
}

#[test]
fn communicators_of_all_devices_are_made_on_one_that_continues() {
    let (other, stopping) = (name(Sort::Device, 4), name(Sort::Device, 5));
    let all = Op::CommInitAll { name: 0, ranks: 1 };
    let on = |device| {
        let program = Program {
            steps: vec![
                step(Op::Claim, &[], &[THREAD]),
                step(Op::SetDevice { slot: 0, id: 0 }, &[ACL, THREAD], &[DEVICE]),
                step(Op::SetDevice { slot: 1, id: 1 }, &[ACL, THREAD], &[other]),
                step(Op::StopOnFailure, &[DEVICE], &[stopping]),
                step(Op::Bind, &[THREAD, device], &[BINDING]),
                step(all, &[BINDING, other], &[name(Sort::Seat, 6)]),
            ],
        };
        let verdict = judge(&program);
        (
            verdict.broken,
            verdict.strict.into_iter().collect::<Vec<_>>(),
        )
    };
    assert_eq!(on(other), (None, vec![]));
    assert_eq!(on(stopping), (None, vec![Strictness::Stopping]));
}

#[test]
fn ranks_make_the_same_operations_in_the_same_order() {
    let both = |rank| vec![all_reduce(rank), barrier(rank), wait(rank, 40)];
    assert_eq!(broken([both(0), both(1)]), None);
    assert_eq!(broken([vec![], vec![]]), None);
    let one = broken([both(0), vec![all_reduce(1), wait(1, 40)]]);
    assert_eq!(one, Some(Rule::RankMissing));
    // Each waits in its first operation of a kind, before anything is queued.
    let turned = vec![barrier(1), all_reduce(1), wait(1, 40)];
    assert_eq!(broken([both(0), turned.clone()]), Some(Rule::RankMissing));
    // Both kinds have connected the ranks, so the parts that meet are different ones.
    let more =
        |rank, last: [Step; 2]| [vec![all_reduce(rank), barrier(rank)], last.into()].concat();
    let same = broken([
        more(0, [all_reduce(0), barrier(0)]),
        more(1, [all_reduce(1), barrier(1)]),
    ]);
    assert_eq!(same, None);
    let later = broken([
        more(0, [all_reduce(0), barrier(0)]),
        more(1, [barrier(1), all_reduce(1)]),
    ]);
    assert_eq!(later, Some(Rule::RanksDiffer));
}

#[test]
fn parts_of_an_operation_have_one_count_and_one_root() {
    let half = |rank| {
        let parts = [of(rank, Sort::Memory, 41), of(rank, Sort::Memory, 42)];
        let split = step(Op::Split, &[of(rank, Sort::Memory, 30)], &parts);
        vec![split, operation(rank, Op::InPlace, &[(Sort::Memory, 41)])]
    };
    assert_eq!(broken([half(0), half(1)]), None);
    let whole = broken([half(0), vec![all_reduce(1)]]);
    assert_eq!(whole, Some(Rule::RanksDiffer));
    let root = |rank, which| {
        let root = of(rank, Sort::Rank, 43);
        let sent = [(Sort::Rank, 43), (Sort::Memory, 30)];
        let name = step(Op::RankOf(which), &[of(rank, Sort::Comm, 5)], &[root]);
        vec![name, operation(rank, Op::Broadcast, &sent)]
    };
    let own = broken([root(0, Which::Own), root(1, Which::Own)]);
    assert_eq!(own, Some(Rule::RanksDiffer));
    let same = broken([root(0, Which::Own), root(1, Which::At(0))]);
    assert_eq!(same, None);
    let none = broken([root(0, Which::At(2)), root(1, Which::At(2))]);
    assert_eq!(none, Some(Rule::RankRange));
}

#[test]
fn operators_of_a_reduction_are_equal() {
    let reduce = |rank, kind| {
        let buffers = [(Sort::Memory, 30), (Sort::Memory, 31)];
        vec![operation(rank, Op::Collective { kind }, &buffers)]
    };
    let (sum, max) = (Collective::AllReduce, Collective::AllMax);
    assert_eq!(broken([reduce(0, max), reduce(1, max)]), None);
    assert_eq!(
        broken([reduce(0, sum), reduce(1, max)]),
        Some(Rule::RanksDiffer)
    );
    // It is the same function of C.
    assert_eq!(broken([reduce(0, sum), vec![all_reduce(1)]]), None);
    // Two ranks gather twice as much as one sends.
    let gather = Collective::AllGather;
    assert_eq!(
        broken([reduce(0, gather), reduce(1, gather)]),
        Some(Rule::Length)
    );
}

#[test]
fn the_lists_of_all_ranks_are_equal_and_as_long_as_their_memory() {
    let kinds = [
        Collective::AllGatherV,
        Collective::ReduceScatterV,
        Collective::AllToAllV,
        Collective::AllToAllVC,
    ];
    for kind in kinds {
        let list = |rank, lengths| {
            let buffers = [(Sort::Memory, 30), (Sort::Memory, 31)];
            let kind = kind(lengths);
            vec![operation(rank, Op::Collective { kind }, &buffers)]
        };
        for lengths in [Lengths::Equal, Lengths::More, Lengths::Gap] {
            assert_eq!(broken([list(0, lengths), list(1, lengths)]), None);
        }
        let other = broken([list(0, Lengths::Equal), list(1, Lengths::Gap)]);
        assert_eq!(other, Some(Rule::RanksDiffer));
        let short = broken([list(0, Lengths::Short), list(1, Lengths::Short)]);
        assert_eq!(short, Some(Rule::Length));
    }
}

/// An operation from half of a buffer to another buffer, or from a buffer to half of another one.
fn with_half(rank: u16, kind: Collective, divide: Op, receives: bool) -> Vec<Step> {
    let parts = [of(rank, Sort::Memory, 41), of(rank, Sort::Memory, 42)];
    let given = if divide == Op::Split { 2 } else { 1 };
    let given = parts.get(..given).unwrap_or_default();
    let divide = step(divide, &[of(rank, Sort::Memory, 30)], given);
    let (half, whole) = ((Sort::Memory, 41), (Sort::Memory, 31));
    let buffers = if receives {
        [whole, half]
    } else {
        [half, whole]
    };
    vec![divide, operation(rank, Op::Collective { kind }, &buffers)]
}

#[test]
fn a_list_divides_the_memory_that_all_ranks_receive() {
    let all = |kind: Collective, divide, receives| {
        verdict([0, 1].map(|rank| with_half(rank, kind, divide, receives)))
    };
    assert_eq!(all(Collective::AllGather, Op::Slice, false), (None, vec![]));
    assert_eq!(
        all(Collective::ReduceScatter, Op::Split, true),
        (None, vec![])
    );
    // The list divides the whole buffer, and half of one receives it.
    let whole = Collective::AllGatherV(Lengths::Equal);
    assert_eq!(all(whole, Op::Split, true).0, Some(Rule::Length));
    let short = Collective::AllGatherV(Lengths::Short);
    assert_eq!(all(short, Op::Split, true), (None, vec![]));
    // A rank receives its own part of the whole buffer.
    let sums = Collective::ReduceScatterV(Lengths::More);
    assert_eq!(all(sums, Op::Slice, false), (None, vec![]));
    let part = all(sums, Op::Split, true);
    assert_eq!(part.0, Some(Rule::Length));
}

#[test]
fn two_messages_cross_in_a_batch_only() {
    let (send, recv) = (
        |rank| message(rank, Op::Send, 30),
        |rank| message(rank, Op::Recv, 31),
    );
    assert_eq!(
        broken([vec![send(0), recv(0)], vec![recv(1), send(1)]]),
        None
    );
    let crossed = broken([vec![send(0), recv(0)], vec![send(1), recv(1)]]);
    assert_eq!(crossed, Some(Rule::RankMissing));
    let exchange = |rank| {
        let others = [
            (Sort::Rank, 6),
            (Sort::Memory, 30),
            (Sort::Rank, 6),
            (Sort::Memory, 31),
        ];
        vec![operation(rank, Op::Exchange, &others)]
    };
    assert_eq!(broken([exchange(0), exchange(1)]), None);
    // Messages in a batch and alone do not meet.
    let mixed = broken([exchange(0), vec![recv(1), send(1)]]);
    assert_eq!(mixed, Some(Rule::RankMissing));
    let unanswered = broken([vec![send(0)], vec![]]);
    assert_eq!(unanswered, Some(Rule::RankMissing));
}

/// A batch with a message in each direction, with steps before it is queued.
fn batch(rank: u16, before: Vec<Step>) -> Vec<Step> {
    let list = of(rank, Sort::Batch, 50);
    let side = |op, number| {
        step(
            op,
            &[
                list,
                of(rank, Sort::Rank, 6),
                of(rank, Sort::Memory, number),
            ],
            &[],
        )
    };
    let mut steps = vec![
        step(Op::Batch, &[of(rank, Sort::Comm, 5)], &[list]),
        side(Op::BatchSend, 30),
        side(Op::BatchRecv, 31),
    ];
    steps.extend(before);
    steps.push(operation(rank, Op::BatchRun, &[(Sort::Batch, 50)]));
    steps
}

#[test]
fn a_batch_uses_its_memory_when_it_is_queued() {
    let plain = |rank| batch(rank, Vec::new());
    assert_eq!(broken([plain(0), plain(1)]), None);
    let free = step(Op::Drop, &[of(0, Sort::Memory, 30)], &[]);
    assert_eq!(
        broken([batch(0, vec![free]), plain(1)]),
        Some(Rule::MemoryGone)
    );
    // Work on the memory between is legal, and the batch has borrowed it.
    let fill = [of(0, Sort::Stream, 4), of(0, Sort::Memory, 30)];
    let between = batch(0, vec![step(Op::MemsetAsync, &fill, &[])]);
    assert_eq!(
        verdict([between, plain(1)]),
        (None, vec![Strictness::Borrowed])
    );
    let mut empty = plain(0);
    empty.retain(|step| !matches!(step.op, Op::BatchSend | Op::BatchRecv));
    assert_eq!(broken([empty, plain(1)]), Some(Rule::EmptyBatch));
}

#[test]
fn a_rank_joins_once_with_a_number_of_its_own() {
    let twice = verdict([vec![], vec![]]);
    assert_eq!(twice, (None, vec![]));
    let again = |rank| {
        let of = [of(rank, Sort::Binding, 2), name(Sort::Root, 9)];
        let join = Op::CommJoin { name: 1, rank: 0 };
        step(join, &of, &[name(Sort::Comm, 70)])
    };
    assert_eq!(broken([vec![again(0)], vec![]]), Some(Rule::RankTwice));
    assert_eq!(broken([vec![], vec![again(1)]]), Some(Rule::RankTwice));
}

#[test]
fn ranks_share_devices_and_nothing_else() {
    let thread = name(Sort::Thread, 1);
    let device = name(Sort::Device, 2);
    let rank = |body: Vec<Step>| {
        let mut rank = step(Op::Rank, &[], &[]);
        rank.body = body;
        rank
    };
    let program = |ranks: Vec<Step>| {
        let mut world = step(Op::Ranks, &[], &[]);
        world.body = ranks;
        let open = Op::SetDevice { slot: 0, id: 0 };
        let steps = vec![
            step(Op::Claim, &[], &[thread]),
            step(open, &[ACL, thread], &[device]),
            step(Op::Vec, &[], &[memory(3)]),
            world,
        ];
        Program { steps }.is_resolved()
    };
    let bind = |number| {
        let token = name(Sort::Thread, number);
        let bind = step(
            Op::Bind,
            &[token, device],
            &[name(Sort::Binding, number + 1)],
        );
        rank(vec![step(Op::Claim, &[], &[token]), bind])
    };
    let read = || rank(vec![step(Op::Read, &[memory(3)], &[])]);
    assert!(program(vec![bind(10), bind(20)]));
    assert!(
        program(vec![read(), bind(20)]),
        "one of them has the memory"
    );
    assert!(!program(vec![read(), read()]));
    let reset = || rank(vec![step(Op::Reset, &[device], &[])]);
    assert!(!program(vec![bind(10), reset()]));
    assert!(
        !program(vec![step(Op::Read, &[memory(3)], &[])]),
        "a step beside ranks"
    );
}
