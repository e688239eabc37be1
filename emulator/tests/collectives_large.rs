//! Collective communication of more bytes than one core moves alone: the results are those of small operations.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::time::Duration;

use ascendcl_emulator::EmulatorConfig;
use ascendcl_sys::*;
use common::ranks::*;
use common::*;

const RANKS: u32 = 3;
/// Elements of a part: no multiple of a block.
const COUNT: usize = 200_003;
const BYTES: usize = COUNT * 4;

/// Ranks that may take long to make their numbers.
fn patient() -> Serial {
    let config = EmulatorConfig::default().with_devices(RANKS);
    serial(config.with_rank_timeout(Duration::from_secs(300)))
}

/// The number of a rank at a place. Each sum of three such numbers is exact.
fn number(rank: u32, place: usize) -> f32 {
    let place = u16::try_from(place % 65_521).expect("below the remainder");
    f32::from(place) + f32::from(u8::try_from(rank).expect("small")) * 0.25
}

fn numbers(rank: u32, count: usize) -> Vec<f32> {
    (0..count).map(|place| number(rank, place)).collect()
}

fn sums(count: usize) -> Vec<f32> {
    let sum = |place| (0..RANKS).map(|rank| number(rank, place)).sum();
    (0..count).map(sum).collect()
}

/// The memory of a rank behind some of its bytes.
fn behind(memory: *mut c_void, bytes: usize) -> *mut c_void {
    memory.wrapping_byte_add(bytes)
}

#[test]
fn sums_are_exact_in_place_and_apart() {
    let _serial = patient();
    on_ranks(RANKS, |rank| {
        let Rank { comm, stream, .. } = rank;
        let send = rank.upload(&numbers(rank.rank, COUNT));
        let recv = malloc(BYTES);
        let sum = |from, to| {
            let count = COUNT as u64;
            let code = hccl!(HcclAllReduce(
                from,
                to,
                count,
                F32,
                HCCL_REDUCE_SUM,
                comm,
                stream
            ));
            assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0), "{}", text());
        };
        sum(send, recv);
        assert!(rank.download(recv, COUNT) == sums(COUNT));
        assert!(
            rank.download(send, COUNT) == numbers(rank.rank, COUNT),
            "only read"
        );
        sum(send, send);
        assert!(rank.download(send, COUNT) == sums(COUNT));
        rank.end(&[send, recv]);
    });
}

/// The sums of a rank lie in its own part, or over the parts of the others.
#[test]
fn sums_may_lie_over_the_numbers_of_other_sums() {
    let _serial = patient();
    let all = COUNT * RANKS as usize;
    on_ranks(RANKS, |rank| {
        let Rank { comm, stream, .. } = rank;
        let own = rank.rank as usize * BYTES;
        let expected = sums(all).split_off(rank.rank as usize * COUNT);
        for place in [own, 0, BYTES / 2 / 4 * 4] {
            let memory = rank.upload(&numbers(rank.rank, all));
            let to = behind(memory, place);
            let count = COUNT as u64;
            let code = hccl!(HcclReduceScatter(
                memory,
                to,
                count,
                F32,
                HCCL_REDUCE_SUM,
                comm,
                stream
            ));
            assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0), "{}", text());
            assert!(
                expected.starts_with(&rank.download(to, COUNT)),
                "at {place}"
            );
            check!(memory.aclrtFree(memory));
        }
        rank.end(&[]);
    });
}

#[test]
fn parts_are_gathered_from_where_they_lie() {
    let _serial = patient();
    let all = COUNT * RANKS as usize;
    on_ranks(RANKS, |rank| {
        let Rank { comm, stream, .. } = rank;
        let each = (0..RANKS).flat_map(|rank| numbers(rank, COUNT));
        let expected: Vec<_> = each.collect();
        let own = rank.rank as usize * BYTES;
        // In their own place, and in that of the first rank.
        for place in [own, 0] {
            let memory = malloc(all * 4);
            let from = behind(memory, place);
            let numbers = numbers(rank.rank, COUNT).into_iter();
            upload(
                from,
                &numbers.flat_map(f32::to_ne_bytes).collect::<Vec<_>>(),
            );
            let code = hccl!(HcclAllGather(from, memory, COUNT as u64, F32, comm, stream));
            assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0), "{}", text());
            assert!(rank.download(memory, all) == expected, "at {place}");
            check!(memory.aclrtFree(memory));
        }
        rank.end(&[]);
    });
}
