//! Communicators of some of the ranks, over threads as ranks.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ffi::c_char;
use std::ptr;

use ascendcl_sys::*;
use common::ranks::*;
use common::*;

#[test]
fn other_schedules_have_the_same_results() {
    again_in_other_schedules();
}

#[test]
fn a_part_of_the_ranks_has_a_communicator_of_its_own() {
    let _serial = alone();
    on_ranks(3, |rank| {
        let (mut parent, mut part) = (rank.comm, ptr::null_mut());
        let mut ranks = [2, 0];
        let ids = ranks.as_mut_ptr();
        let none = ptr::null_mut();
        let of_part = match rank.rank {
            0 => Some(1),
            2 => Some(0),
            _ => None,
        };
        let Some(own) = of_part else {
            let code = hccl!(HcclCreateSubCommConfig(
                &raw mut parent,
                0,
                ptr::null_mut(),
                0xffff_ffff,
                0,
                none,
                &raw mut part
            ));
            assert_eq!(code, HCCL_SUCCESS);
            assert!(part.is_null());
            return rank.end(&[]);
        };
        let code = hccl!(HcclCreateSubCommConfig(
            &raw mut parent,
            2,
            ids,
            7,
            1 - own,
            none,
            &raw mut part
        ));
        assert_eq!(code, HCCL_E_PARA, "that is the place of another rank");
        let code = hccl!(HcclCreateSubCommConfig(
            &raw mut parent,
            2,
            ids,
            7,
            own,
            none,
            &raw mut part
        ));
        assert_eq!(code, HCCL_SUCCESS, "{}", text());
        let mut id = 9;
        assert_eq!(hccl!(HcclGetRankId(part, &raw mut id)), HCCL_SUCCESS);
        assert_eq!(id, own);
        let memory = rank.upload(&[1.5]);
        let code = hccl!(HcclAllReduce(
            memory,
            memory,
            1,
            F32,
            HCCL_REDUCE_SUM,
            part,
            rank.stream
        ));
        assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0));
        assert_eq!(rank.download(memory, 1), [3.0]);
        let code = hccl!(HcclCreateSubCommConfig(
            &raw mut part,
            1,
            ids,
            8,
            0,
            none,
            &raw mut parent
        ));
        assert_eq!(code, HCCL_E_PARA, "a part has no parts");
        assert_eq!(hccl!(HcclCommDestroy(part)), HCCL_SUCCESS);
        rank.end(&[memory]);
    });
}

/// Makes the part 7 of these ranks. Returns the code and the communicator.
fn part(rank: Rank, mut ranks: [u32; 2]) -> (HcclResult, HcclComm) {
    let (mut parent, mut part) = (rank.comm, ptr::null_mut());
    let own = ranks.iter().position(|one| *one == rank.rank);
    let own = u32::try_from(own.expect("a rank of the part")).expect("small");
    let code = hccl!(HcclCreateSubCommConfig(
        &raw mut parent,
        2,
        ranks.as_mut_ptr(),
        7,
        own,
        ptr::null_mut(),
        &raw mut part
    ));
    (code, part)
}

/// Asserts that the own rank and the other ones with this number do not make one part.
fn assert_alone(rank: Rank, ranks: [u32; 2]) {
    let (code, comm) = part(rank, ranks);
    assert_eq!((code, comm), (HCCL_E_TIMEOUT, ptr::null_mut()));
    let said = text();
    let expected = "did not join in time; call it on every rank of the part, with the same list of ranks and the same \
                    number";
    assert!(said.contains(expected), "{said}");
}

/// Two halves with one number: each rank meets the ranks of its own list only.
#[test]
fn parts_of_other_ranks_are_other_parts() {
    let _serial = alone();
    on_ranks(4, |rank| {
        let ranks = [[0, 1], [2, 3]][rank.rank as usize / 2];
        // One rank of each half, which are the first and the second one of their halves.
        if let 0 | 3 = rank.rank {
            assert_alone(rank, ranks);
        }
        rank.end(&[]);
    });
    on_ranks(4, |rank| {
        let ranks = [[0, 1], [2, 3]][rank.rank as usize / 2];
        let (code, comm) = part(rank, ranks);
        assert_eq!(code, HCCL_SUCCESS, "rank {}: {}", rank.rank, text());
        let numbers = rank.upload(&[rank.rank as f32]);
        let half = Rank { comm, ..rank };
        let code = hccl!(HcclAllReduce(
            numbers,
            numbers,
            1,
            F32,
            HCCL_REDUCE_SUM,
            comm,
            rank.stream
        ));
        assert_eq!((code, half.wait()), (HCCL_SUCCESS, 0), "{}", text());
        let sum = ranks.iter().sum::<u32>() as f32;
        assert_eq!(rank.download(numbers, 1), [sum]);
        assert_eq!(hccl!(HcclCommDestroy(comm)), HCCL_SUCCESS);
        rank.end(&[numbers]);
    });
}

/// Two communicators can have one name if they share no device.
#[test]
fn parts_of_other_communicators_are_other_parts() {
    let _serial = alone();
    check!(device.aclrtSetDevice(0));
    let infos = [root(), root()];
    on_ranks(4, |rank| {
        let (half, own) = (rank.rank as usize / 2, rank.rank % 2);
        let mut config = HcclCommConfig::new_8_1();
        config.hcclCommName[0] = b'n' as c_char;
        let (mut comm, info) = (ptr::null_mut(), &raw const infos[half]);
        let joined = hccl!(HcclCommInitRootInfoConfig(
            2,
            info,
            own,
            &raw const config,
            &raw mut comm
        ));
        assert_eq!(joined, HCCL_SUCCESS, "{}", text());
        let of_half = Rank {
            rank: own,
            size: 2,
            comm,
            stream: stream(),
        };
        if let 0 | 3 = rank.rank {
            assert_alone(of_half, [0, 1]);
        }
        of_half.end(&[]);
        rank.end(&[]);
    });
}

#[test]
fn ranks_with_other_lists_do_not_meet() {
    let _serial = alone();
    on_ranks(2, |rank| {
        assert_alone(rank, [[0, 1], [1, 0]][rank.rank as usize]);
        rank.end(&[]);
    });
}
