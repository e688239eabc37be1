//! Groups of HCCL: one thread that has several ranks, the order at the end, and the refusals.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_emulator::{Mistake, take_findings};
use ascendcl_sys::*;
use common::ranks::*;
use common::*;

#[test]
fn other_schedules_have_the_same_results() {
    again_in_other_schedules();
}

/// Makes the device of a rank current.
fn on(rank: u32) {
    check!(device.aclrtSetDevice(i32::try_from(rank).expect("a device")));
}

fn begin() {
    assert_eq!(hccl!(HcclGroupStart()), HCCL_SUCCESS);
}

fn end() {
    assert_eq!(hccl!(HcclGroupEnd()), HCCL_SUCCESS, "{}", text());
}

/// Two ranks of this thread, which have joined in a group.
fn both() -> [Rank; 2] {
    on(0);
    let info = root();
    let mut comms = [ptr::null_mut(); 2];
    begin();
    for (rank, comm) in (0..2).zip(&mut comms) {
        on(rank);
        let joined = hccl!(HcclCommInitRootInfo(2, &raw const info, rank, comm));
        assert_eq!(joined, HCCL_SUCCESS, "{}", text());
        assert!(comm.is_null(), "the rank joins at the end");
    }
    end();
    [0, 1].map(|rank| {
        on(rank);
        let comm = comms[rank as usize];
        assert!(!comm.is_null());
        Rank {
            rank,
            size: 2,
            comm,
            stream: stream(),
        }
    })
}

#[test]
fn one_thread_has_several_ranks() {
    let _serial = alone();
    let ranks = both();
    let own = ranks.map(|rank| {
        on(rank.rank);
        rank.upload(&[1.0 + rank.rank as f32, 10.0])
    });
    let sums = ranks.map(|rank| {
        on(rank.rank);
        rank.upload(&[0.0, 0.0])
    });
    begin();
    // An inner group ends with the outer one.
    begin();
    for rank in ranks {
        on(rank.rank);
        let (from, to) = (own[rank.rank as usize], sums[rank.rank as usize]);
        let code = hccl!(HcclAllReduce(
            from,
            to,
            2,
            F32,
            HCCL_REDUCE_SUM,
            rank.comm,
            rank.stream
        ));
        assert_eq!(code, HCCL_SUCCESS, "{}", text());
    }
    end();
    on(0);
    assert_eq!(ranks[0].download(sums[0], 2), [0.0, 0.0], "nothing has run");
    end();
    // The end has waited for the collectives.
    for rank in ranks {
        on(rank.rank);
        assert_eq!(rank.download(sums[rank.rank as usize], 2), [3.0, 20.0]);
    }

    // Both send first, on one stream each, which would block them outside of a group.
    begin();
    for rank in ranks {
        on(rank.rank);
        let (from, to) = (own[rank.rank as usize], sums[rank.rank as usize]);
        let (other, comm, stream) = (1 - rank.rank, rank.comm, rank.stream);
        let sent = hccl!(HcclSend(from, 2, F32, other, comm, stream));
        let received = hccl!(HcclRecv(to, 2, F32, other, comm, stream));
        assert_eq!((sent, received), (HCCL_SUCCESS, HCCL_SUCCESS));
    }
    end();
    for rank in ranks {
        on(rank.rank);
        assert_eq!(rank.wait(), 0, "{}", text());
        let expected = [2.0 - rank.rank as f32, 10.0];
        assert_eq!(rank.download(sums[rank.rank as usize], 2), expected);
    }

    begin();
    for rank in ranks {
        on(rank.rank);
        assert_eq!(hccl!(HcclCommDestroy(rank.comm)), HCCL_SUCCESS);
        let mut size = 0;
        let found = hccl!(HcclGetRankSize(rank.comm, &raw mut size));
        assert_eq!((found, size), (HCCL_SUCCESS, 2), "it ends with the group");
    }
    end();
    for rank in ranks {
        on(rank.rank);
        let mut size = 0;
        let found = hccl!(HcclGetRankSize(rank.comm, &raw mut size));
        assert_eq!(found, HCCL_E_PARA);
        let found: Vec<_> = take_findings().into_iter().map(|one| one.mistake).collect();
        assert_eq!(found, [Mistake::UsedAfterDestroy]);
        check!(memory.aclrtFree(own[rank.rank as usize]));
        check!(memory.aclrtFree(sums[rank.rank as usize]));
        check!(stream.aclrtDestroyStream(rank.stream));
    }
    let found = take_findings();
    assert!(found.is_empty(), "{found:#?}");
    reset();
}

/// The largest collective comes first, so a smaller one that was called earlier reads its result.
#[test]
fn the_largest_collective_of_a_group_comes_first() {
    let _serial = alone();
    on_ranks(2, |rank| {
        let Rank { comm, stream, .. } = rank;
        let own = rank.upload(&[1.0, 1.0]);
        let sums = rank.upload(&[0.0, 0.0]);
        let again = rank.upload(&[0.0]);
        begin();
        let sum = HCCL_REDUCE_SUM;
        let small = hccl!(HcclAllReduce(sums, again, 1, F32, sum, comm, stream));
        let large = hccl!(HcclAllReduce(own, sums, 2, F32, sum, comm, stream));
        assert_eq!((small, large), (HCCL_SUCCESS, HCCL_SUCCESS), "{}", text());
        end();
        assert_eq!(rank.download(sums, 2), [2.0, 2.0]);
        assert_eq!(rank.download(again, 1), [4.0]);
        rank.end(&[own, sums, again]);
    });
}

/// The source queues the work of one communicator after the other, so a stream has it in the order of the first calls.
#[test]
fn communicators_of_a_device_run_in_the_order_of_their_first_calls() {
    let _serial = alone();
    on_ranks(2, |rank| {
        let Rank { comm, stream, .. } = rank;
        let (mut whole, mut part, mut ranks) = (comm, ptr::null_mut(), [0, 1]);
        let code = hccl!(HcclCreateSubCommConfig(
            &raw mut whole,
            2,
            ranks.as_mut_ptr(),
            1,
            rank.rank,
            ptr::null_mut(),
            &raw mut part
        ));
        assert_eq!(code, HCCL_SUCCESS, "{}", text());
        let own = rank.upload(&[1.0]);
        let sums = rank.upload(&[0.0]);
        let again = rank.upload(&[0.0]);
        let sum = HCCL_REDUCE_SUM;
        for turn in 1..=30 {
            let value = turn as f32;
            upload(own, &value.to_ne_bytes());
            begin();
            let first = hccl!(HcclAllReduce(own, sums, 1, F32, sum, comm, stream));
            let second = hccl!(HcclAllReduce(sums, again, 1, F32, sum, part, stream));
            assert_eq!((first, second), (HCCL_SUCCESS, HCCL_SUCCESS), "{}", text());
            end();
            assert_eq!(rank.download(again, 1), [4.0 * value], "turn {turn}");
        }
        assert_eq!(hccl!(HcclCommDestroy(part)), HCCL_SUCCESS);
        rank.end(&[own, sums, again]);
    });
    assert_eq!(take_findings(), []);
}

#[test]
fn the_end_waits_for_the_operations_before_a_refused_one() {
    let _serial = alone();
    on_ranks(2, |rank| {
        let Rank { comm, stream, .. } = rank;
        let own = rank.upload(&[1.0, 2.0]);
        let sums = rank.upload(&[0.0, 0.0]);
        let mut here = [0.0_f32];
        let host: *mut c_void = here.as_mut_ptr().cast();
        let sum = HCCL_REDUCE_SUM;
        begin();
        let right = hccl!(HcclAllReduce(own, sums, 2, F32, sum, comm, stream));
        let wrong = hccl!(HcclAllReduce(host, own, 1, F32, sum, comm, stream));
        assert_eq!((right, wrong), (HCCL_SUCCESS, HCCL_SUCCESS), "{}", text());
        assert_eq!(hccl!(HcclGroupEnd()), HCCL_E_PARA);
        assert!(text().contains("is no device memory"), "{}", text());
        assert_eq!(rank.download(sums, 2), [2.0, 4.0]);
        rank.end(&[own, sums]);
    });
    assert_eq!(take_findings(), []);
}

#[test]
fn what_a_group_cannot_have_is_refused() {
    let _serial = alone();
    on_ranks(1, |rank| {
        let Rank { comm, stream, .. } = rank;
        assert_eq!(hccl!(HcclGroupEnd()), HCCL_E_NOT_SUPPORT);
        assert_eq!(
            text(),
            "HcclGroupEnd failed: this thread has not begun a group; call HcclGroupStart first"
        );
        let memory = rank.upload(&[1.0]);
        let mut item = HcclSendRecvItem {
            sendRecvType: HCCL_SEND,
            buf: memory,
            count: 1,
            dataType: F32,
            remoteRank: 0,
        };
        begin();
        let batch = hccl!(HcclBatchSendRecv(&raw mut item, 1, comm, stream));
        assert_eq!(batch, HCCL_E_NOT_SUPPORT);
        assert!(text().contains("behind HcclGroupEnd"), "{}", text());
        assert_eq!(hccl!(HcclBarrier(comm, stream)), HCCL_E_NOT_SUPPORT);
        // Arguments are checked by the call.
        let sum = HCCL_REDUCE_SUM;
        let null: *mut c_void = ptr::null_mut();
        let code = hccl!(HcclAllReduce(null, memory, 1, F32, sum, comm, stream));
        assert_eq!(code, HCCL_E_PTR);
        end();
        assert_eq!(rank.wait(), 0);

        // The end returns what no call has found, with its text.
        let mut here = [0.0_f32];
        let host: *mut c_void = here.as_mut_ptr().cast();
        begin();
        let code = hccl!(HcclAllReduce(host, memory, 1, F32, sum, comm, stream));
        assert_eq!(code, HCCL_SUCCESS);
        assert_eq!(hccl!(HcclGroupEnd()), HCCL_E_PARA);
        let why = text();
        assert!(
            why.starts_with("HcclGroupEnd failed: a call of the group has failed: HcclAllReduce")
                && why.contains("is no device memory"),
            "{why}"
        );
        // The group is over.
        assert_eq!(hccl!(HcclGroupEnd()), HCCL_E_NOT_SUPPORT);
        rank.end(&[memory]);
    });
}

#[test]
fn ranges_of_addresses_are_refused_with_the_reason() {
    let _serial = alone();
    on_ranks(1, |rank| {
        let base: *mut c_void = ptr::null_mut();
        let code = hccl!(HcclCommSetMemoryRange(rank.comm, base, 1, 0, 0));
        assert_eq!(code, HCCL_E_NOT_SUPPORT);
        assert!(
            text().contains("the results are the same"),
            "the remedy is named"
        );
        let code = hccl!(HcclCommUnsetMemoryRange(rank.comm, base));
        assert_eq!(code, HCCL_E_NOT_SUPPORT);
        let mut handle = ptr::null_mut();
        let code = hccl!(HcclCommRegister(rank.comm, base, 8, &raw mut handle, 0));
        assert_eq!((code, handle), (HCCL_E_NOT_SUPPORT, ptr::null_mut()));
        assert!(
            text().starts_with("HcclCommRegister failed: "),
            "{}",
            text()
        );
        assert_eq!(
            hccl!(HcclCommExchangeMem(rank.comm, base, ptr::null_mut(), 0)),
            HCCL_E_NOT_SUPPORT
        );
        assert_eq!(
            hccl!(HcclCommDeregister(rank.comm, base)),
            HCCL_E_NOT_SUPPORT
        );
        let mut window = ptr::null_mut();
        let flag = HCCL_WIN_COLL_SYMMETRIC;
        let code = hccl!(HcclCommSymWinRegister(
            rank.comm,
            base,
            8,
            &raw mut window,
            flag
        ));
        assert_eq!((code, window), (HCCL_E_NOT_SUPPORT, ptr::null_mut()));
        assert!(text().contains("Atlas A3 and Ascend 950"), "{}", text());
        let mut offset = 0;
        let code = hccl!(HcclCommSymWinGet(
            rank.comm,
            base,
            8,
            &raw mut window,
            &raw mut offset
        ));
        assert_eq!(code, HCCL_E_NOT_SUPPORT);
        let code = hccl!(HcclCommSymWinDeregister(window));
        assert_eq!(code, HCCL_E_NOT_SUPPORT);
        let (mut ranks, mut backup) = (0, true);
        let (ranks, backup) = (&raw mut ranks, &raw mut backup);
        let code = hccl!(HcclCommWorkingDevNicSet(rank.comm, ranks, backup, 1));
        assert_eq!(code, HCCL_E_NOT_SUPPORT);
        assert!(text().contains("no network cards"), "{}", text());
        rank.end(&[]);
    });
}
