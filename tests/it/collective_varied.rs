//! Collectives whose parts have lengths of their own: results over threads as ranks, and mistakes before the call.

use std::sync::OnceLock;

use ascendcl::collective::{CountMatrix, RankCounts, Sum, World};
use ascendcl::error::CollectiveMismatch;
use ascendcl::{Current, DeviceTag};

use crate::collective::{Given, Member, on_ranks};
use crate::collective_refused::mistake;
use crate::common::{acl_with_journal, assert_clean, calls, isolated};

/// How many elements each of three ranks sends to each one. Rank 1 sends nothing.
const MATRIX: [[usize; 3]; 3] = [[1, 2, 0], [0, 0, 0], [3, 1, 1]];

fn results<'d, D: DeviceTag>(current: Current<'_, 'd, D>, given: Given<'d>) {
    let mut member = Member::join(current, given);
    let rank = given.rank as usize;
    let ranks = member.comm.ranks();
    let first = 10.0 * given.rank as f32;
    let own = member.upload(&[first, first + 1.0, first + 2.0]);
    // Rank 1 has no part.
    let counts = ranks.counts(&[2, 0, 1]).unwrap();
    assert_eq!(counts.total(), 3);
    let place = counts.range(ranks.own()).unwrap();
    assert_eq!(place, [0..2, 2..2, 2..3][rank]);
    let mut part = member.upload(&[-1.0, -1.0]);
    let Member { comm, stream, .. } = &mut member;
    let fresh = stream.malloc(3).unwrap();
    let sent = own.slice(0..place.len()).unwrap();
    let all = stream
        .with(comm)
        .all_gather_v(&counts, sent, fresh)
        .unwrap();
    let received = part.slice_mut(0..place.len()).unwrap();
    stream
        .with(comm)
        .reduce_scatter_v(Sum, &counts, &own, received)
        .unwrap();
    member.assert(&all, &[0.0, 1.0, 20.0]);
    let expected = [[30.0, 33.0], [-1.0, -1.0], [36.0, -1.0]];
    member.assert(&part, &expected[rank]);
    member.end();
}

fn exchanges<'d, D: DeviceTag>(current: Current<'_, 'd, D>, given: Given<'d>) {
    let mut member = Member::join(current, given);
    let rank = given.rank as usize;
    let ranks = member.comm.ranks();
    let to = ranks.counts(&MATRIX[rank]).unwrap();
    let from = ranks.counts(&MATRIX.map(|row| row[rank])).unwrap();
    let matrix = ranks.count_matrix(MATRIX.as_flattened()).unwrap();
    let own = ranks.own();
    assert_eq!(matrix.sent(own).unwrap(), to.total());
    assert_eq!(matrix.received(own).unwrap(), from.total());
    let first = 100.0 * given.rank as f32;
    let numbers: [f32; 5] = std::array::from_fn(|place| first + place as f32);
    let numbers = member.upload(&numbers);
    let Member { comm, stream, .. } = &mut member;
    // Two operations with one list each.
    for _ in 0..2 {
        let sent = numbers.slice(0..to.total()).unwrap();
        let fresh = stream.malloc(from.total()).unwrap();
        let by_lists = stream
            .with(comm)
            .all_to_all_v((&to, sent), (&from, fresh))
            .unwrap();
        let sent = numbers.slice(0..to.total()).unwrap();
        let fresh = stream.malloc(from.total()).unwrap();
        let by_matrix = stream
            .with(comm)
            .all_to_all_vc(&matrix, sent, fresh)
            .unwrap();
        let mut back = |buf: &crate::collective::Here<'d, D>| {
            let host = stream.malloc_host(given.host, buf.len()).unwrap();
            stream.memcpy_async(host, buf).unwrap()
        };
        let (by_lists, by_matrix) = (back(&by_lists), back(&by_matrix));
        let idle = stream.synchronize().unwrap();
        let expected: &[f32] = match rank {
            0 => &[0.0, 200.0, 201.0, 202.0],
            1 => &[1.0, 2.0, 203.0],
            _ => &[204.0],
        };
        assert_eq!(idle.take(by_lists)[..], *expected, "rank {rank}");
        assert_eq!(idle.take(by_matrix)[..], *expected, "rank {rank}");
    }
    member.end();
}

/// A rank that neither sends nor receives takes part.
fn nothing_to_exchange<'d, D: DeviceTag>(current: Current<'_, 'd, D>, given: Given<'d>) {
    let mut member = Member::join(current, given);
    let mut numbers = member.upload(&[1.0, 2.0]);
    let other = member.upload(&[3.0]);
    let none = member.comm.ranks().counts(&[0, 0]).unwrap();
    let Member { comm, stream, .. } = &mut member;
    // The end of one buffer can be the beginning of another one, so both are empty parts.
    let (sent, received) = (other.slice(1..1), numbers.slice_mut(0..0));
    stream
        .with(comm)
        .all_to_all_v((&none, sent.unwrap()), (&none, received.unwrap()))
        .unwrap();
    member.assert(&numbers, &[1.0, 2.0]);
    assert!(calls("HcclAlltoAllV") > 0);
    member.end();
}

/// The lists that the two ranks have made.
static LISTS: [OnceLock<(RankCounts<World>, CountMatrix<World>)>; 2] =
    [const { OnceLock::new() }; 2];

/// Each rank uses the lists of the other one, whose own part has another length.
fn lists_of_the_other_rank<'d, D: DeviceTag>(current: Current<'_, 'd, D>, given: Given<'d>) {
    let mut member = Member::join(current, given);
    let rank = given.rank as usize;
    let ranks = member.comm.ranks();
    let counts = ranks.counts(&[1, 2]).unwrap();
    let matrix = ranks.count_matrix(&[0, 1, 2, 0]).unwrap();
    LISTS[rank].set((counts, matrix)).unwrap();
    let (counts, matrix) = LISTS[1 - rank].wait();
    let numbers = member.upload(&[[5.0, 6.0], [7.0, 8.0]][rank]);
    let Member { comm, stream, .. } = &mut member;
    let own = numbers.slice(0..rank + 1).unwrap();
    let all = stream.malloc(3).unwrap();
    let all = stream.with(comm).all_gather_v(counts, own, all).unwrap();
    let own = numbers.slice(0..rank + 1).unwrap();
    let received = stream.malloc(2 - rank).unwrap();
    let received = stream
        .with(comm)
        .all_to_all_vc(matrix, own, received)
        .unwrap();
    member.assert(&all, &[5.0, 7.0, 8.0]);
    member.assert(&received, [&[7.0, 8.0][..], &[5.0]][rank]);
    member.end();
}

fn mistakes<'d, D: DeviceTag>(current: Current<'_, 'd, D>, given: Given<'d>) {
    let root = current.root_info(1).unwrap();
    let alone = current.comm_init_root_info::<World>(&root, 0).unwrap();
    let counts_of_one = alone.ranks().counts(&[3]).unwrap();
    let matrix_of_one = alone.ranks().count_matrix(&[3]).unwrap();
    alone.destroy().unwrap();

    let mut member = Member::join(current, given);
    let ranks = member.comm.ranks();
    let (given_numbers, expected) = (1, 2);
    let wrong = mistake(ranks.counts(&[7]));
    let counts = CollectiveMismatch::Counts {
        given: given_numbers,
        expected,
    };
    assert_eq!(wrong, counts);
    assert_eq!(
        wrong.to_string(),
        "the list has 1 numbers of elements, and the communicator needs 2: pass one for each rank, or a matrix with one for \
         each pair of ranks"
    );
    let wrong = mistake(ranks.count_matrix(&[7, 7]));
    let (given_numbers, expected) = (2, 4);
    let counts = CollectiveMismatch::Counts {
        given: given_numbers,
        expected,
    };
    assert_eq!(wrong, counts);
    let most = isize::MAX as usize / 8;
    let overflow = |number| CollectiveMismatch::CountOverflow { number, most };
    assert_eq!(
        mistake(ranks.counts(&[usize::MAX, 1])),
        overflow(usize::MAX)
    );
    assert_eq!(mistake(ranks.counts(&[most, 1])), overflow(1));
    // The last pair is of the other rank alone, so no buffer of this one is compared with it.
    assert_eq!(
        mistake(ranks.count_matrix(&[1, 1, 1, 1 << 62])),
        overflow(1 << 62)
    );
    assert!(ranks.count_matrix(&[1, 1, 1, most - 3]).is_ok());

    let own = member.upload(&[1.0, 2.0, 3.0]);
    let mut other = member.upload(&[1.0, 2.0, 3.0]);
    let Member { comm, stream, .. } = &mut member;
    let counts = ranks.counts(&[1, 1]).unwrap();
    let call = "HcclAllGatherV";
    let wrong = mistake(stream.with(comm).all_gather_v(&counts, &own, &mut other));
    let counted = |call, buffer, counted| CollectiveMismatch::Counted {
        call,
        buffer,
        len: 3,
        counted,
    };
    assert_eq!(wrong, counted(call, "send", 1));
    assert_eq!(
        wrong.to_string(),
        "HcclAllGatherV: `send` has 3 elements, and the list says 1: pass a part of 1 elements, or change the list on every \
         rank"
    );
    let one = own.slice(0..1).unwrap();
    let wrong = mistake(stream.with(comm).all_gather_v(&counts, one, &mut other));
    assert_eq!(wrong, counted(call, "recv", 2));
    let wrong = mistake(
        stream
            .with(comm)
            .all_gather_v(&counts_of_one, &own, &mut other),
    );
    let other_size = |call| CollectiveMismatch::OtherSize {
        call,
        listed: 1,
        ranks: 2,
    };
    assert_eq!(wrong, other_size(call));
    let none = ranks.counts(&[0, 0]).unwrap();
    let (sent, received) = (own.slice(0..0).unwrap(), other.slice_mut(0..0).unwrap());
    let wrong = mistake(stream.with(comm).all_gather_v(&none, sent, received));
    assert_eq!(wrong, CollectiveMismatch::Empty { call });

    let call = "HcclReduceScatterV";
    let wrong = mistake(
        stream
            .with(comm)
            .reduce_scatter_v(Sum, &counts, &own, &mut other),
    );
    assert_eq!(wrong, counted(call, "recv", 1));
    let one = other.slice_mut(0..1).unwrap();
    let wrong = mistake(stream.with(comm).reduce_scatter_v(Sum, &counts, &own, one));
    assert_eq!(wrong, counted(call, "send", 2));
    let (sent, received) = (own.slice(0..0).unwrap(), other.slice_mut(0..0).unwrap());
    let wrong = mistake(
        stream
            .with(comm)
            .reduce_scatter_v(Sum, &none, sent, received),
    );
    assert_eq!(wrong, CollectiveMismatch::Empty { call });

    let call = "HcclAlltoAllV";
    let three = ranks.counts(&[1, 2]).unwrap();
    let reversed = ranks.counts(&[2, 1]).unwrap();
    let wrong = mistake(
        stream
            .with(comm)
            .all_to_all_v((&counts, &own), (&three, &mut other)),
    );
    assert_eq!(wrong, counted(call, "send", 2));
    let wrong = mistake(
        stream
            .with(comm)
            .all_to_all_v((&three, &own), (&counts, &mut other)),
    );
    assert_eq!(wrong, counted(call, "recv", 2));
    let wrong = mistake(
        stream
            .with(comm)
            .all_to_all_v((&three, &own), (&reversed, &mut other)),
    );
    let rank = given.rank;
    let (sent, received) = [(1, 2), (2, 1)][rank as usize];
    let own_part = CollectiveMismatch::OwnPart {
        call,
        rank,
        sent,
        received,
    };
    assert_eq!(wrong, own_part);
    let wrong = mistake(
        stream
            .with(comm)
            .all_to_all_v((&counts_of_one, &own), (&three, &mut other)),
    );
    assert_eq!(wrong, other_size(call));

    let call = "HcclAlltoAllVC";
    let matrix = ranks.count_matrix(&[1, 1, 1, 1]).unwrap();
    let wrong = mistake(stream.with(comm).all_to_all_vc(&matrix, &own, &mut other));
    assert_eq!(wrong, counted(call, "send", 2));
    let two = own.slice(0..2).unwrap();
    let wrong = mistake(stream.with(comm).all_to_all_vc(&matrix, two, &mut other));
    assert_eq!(wrong, counted(call, "recv", 2));
    let wrong = mistake(
        stream
            .with(comm)
            .all_to_all_vc(&matrix_of_one, &own, &mut other),
    );
    assert_eq!(wrong, other_size(call));
    for name in [
        "HcclAllGatherV",
        "HcclReduceScatterV",
        "HcclAlltoAllV",
        "HcclAlltoAllVC",
    ] {
        assert_eq!(calls(name), 0, "{name}");
    }
    member.end();
}

/// Ascend 310P lacks the matrix, and Ascend 910 all but the lists of an exchange.
fn on_a_product<'d, D: DeviceTag>(current: Current<'_, 'd, D>, given: Given<'d>) {
    let mut member = Member::join(current, given);
    let own = member.upload(&[1.0]);
    let mut other = member.upload(&[2.0]);
    let Member { comm, stream, .. } = &mut member;
    let counts = comm.ranks().counts(&[1]).unwrap();
    let matrix = comm.ranks().count_matrix(&[1]).unwrap();
    let is_910 = std::env::var("ASCENDCL_EMULATOR_SOC").unwrap() == "Ascend910A";
    let product = if is_910 { "Ascend 910" } else { "Ascend 310P" };
    let lacking = |call| CollectiveMismatch::Product { call, product };
    let wrong = mistake(stream.with(comm).all_to_all_vc(&matrix, &own, &mut other));
    assert_eq!(wrong, lacking("HcclAlltoAllVC"));
    let gathered = stream.with(comm).all_gather_v(&counts, &own, &mut other);
    if is_910 {
        assert_eq!(mistake(gathered), lacking("HcclAllGatherV"));
        let reduced = stream
            .with(comm)
            .reduce_scatter_v(Sum, &counts, &own, &mut other);
        assert_eq!(mistake(reduced), lacking("HcclReduceScatterV"));
    } else {
        gathered.unwrap();
        stream
            .with(comm)
            .reduce_scatter_v(Sum, &counts, &own, &mut other)
            .unwrap();
    }
    stream
        .with(comm)
        .all_to_all_v((&counts, &own), (&counts, &mut other))
        .unwrap();
    member.assert(&other, &[1.0]);
    member.end();
}

isolated! {
    ["ASCENDCL_EMULATOR_DEVICES" = "3"]
    fn parts_of_their_own_lengths_arrive() {
        let acl = acl_with_journal();
        on_ranks!(&acl, 3, results);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_DEVICES" = "3"]
    fn ranks_exchange_parts_of_their_own_lengths() {
        let acl = acl_with_journal();
        on_ranks!(&acl, 3, exchanges);
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_DEVICES" = "2"]
    fn ranks_that_exchange_nothing_take_part() {
        let acl = acl_with_journal();
        on_ranks!(&acl, 2, nothing_to_exchange);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_DEVICES" = "2"]
    fn a_list_serves_the_other_ranks_too() {
        let acl = acl_with_journal();
        on_ranks!(&acl, 2, lists_of_the_other_rank);
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_DEVICES" = "2"]
    fn lists_that_do_not_fit_are_refused_before_the_call() {
        let acl = acl_with_journal();
        on_ranks!(&acl, 2, mistakes);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SOC" = "Ascend310P3"]
    on emulator fn parts_that_310p_does_not_exchange_are_refused_before_the_call() {
        let acl = acl_with_journal();
        on_ranks!(&acl, 1, on_a_product);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SOC" = "Ascend910A"]
    on emulator fn parts_that_910_does_not_exchange_are_refused_before_the_call() {
        let acl = acl_with_journal();
        on_ranks!(&acl, 1, on_a_product);
        assert_clean(&acl);
    }
}
