//! Collective communication: the codes of refused calls, and ranks that disagree or never come.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use ascendcl_emulator::{Mistake, take_findings};
use ascendcl_sys::*;
use common::ranks::*;
use common::*;

#[test]
fn other_schedules_have_the_same_results() {
    again_in_other_schedules();
}

#[test]
fn wrong_arguments_are_refused_in_the_order_of_the_library() {
    let _serial = alone();
    on_ranks(1, |rank| {
        let Rank { comm, stream, .. } = rank;
        let memory = rank.upload(&[1.0; 8]);
        let null = ptr::null_mut::<c_void>();
        let sum = HCCL_REDUCE_SUM;
        let reduce = |send, recv, count, dtype, op, comm, stream| {
            hccl!(HcclAllReduce(send, recv, count, dtype, op, comm, stream))
        };
        assert_eq!(
            reduce(null, null, 0, F32, sum, null, null),
            HCCL_SUCCESS,
            "0 wins"
        );
        assert_eq!(
            reduce(memory, memory, 1, F32, sum, null, stream),
            HCCL_E_PTR
        );
        assert_eq!(reduce(null, memory, 1, F32, sum, comm, stream), HCCL_E_PTR);
        assert_eq!(reduce(memory, null, 1, F32, sum, comm, stream), HCCL_E_PTR);
        assert_eq!(reduce(memory, memory, 1, F32, sum, comm, null), HCCL_E_PTR);
        assert_eq!(
            reduce(memory, memory, 1 << 35, F32, sum, comm, stream),
            HCCL_E_PARA
        );
        let unknown = HcclDataType(99);
        assert_eq!(
            reduce(memory, memory, 1, unknown, sum, comm, stream),
            HCCL_E_NOT_SUPPORT
        );
        let operation = HcclReduceOp(4);
        assert_eq!(
            reduce(memory, memory, 1, F32, operation, comm, stream),
            HCCL_E_NOT_SUPPORT
        );
        let whole = HCCL_DATA_TYPE_UINT8;
        assert_eq!(
            reduce(memory, memory, 1, whole, sum, comm, stream),
            HCCL_E_NOT_SUPPORT
        );
        let half = HCCL_DATA_TYPE_BFP16;
        assert_eq!(
            reduce(memory, memory, 1, half, HCCL_REDUCE_PROD, comm, stream),
            HCCL_E_NOT_SUPPORT
        );
        assert_eq!(
            reduce(memory, memory, 1, F32, sum, memory, stream),
            HCCL_E_PARA,
            "garbage"
        );
        let code = hccl!(HcclBroadcast(memory, 1, F32, 1, comm, stream));
        assert_eq!(code, HCCL_E_PARA, "there is no rank 1");
        let code = hccl!(HcclAlltoAll(memory, 1, F32, memory, 1, F32, comm, stream));
        assert_eq!(code, HCCL_E_PARA, "one buffer");
        let other = memory.wrapping_byte_add(16);
        let code = hccl!(HcclAlltoAll(memory, 1, F32, other, 2, F32, comm, stream));
        assert_eq!(code, HCCL_E_PARA, "two counts");
        let code = hccl!(HcclSend(memory, 1, F32, 1, comm, stream));
        assert_eq!(code, HCCL_E_PARA);
        assert_eq!(
            hccl!(HcclSend(memory, 1, F32, 0, comm, stream)),
            HCCL_SUCCESS,
            "nothing"
        );
        assert_eq!(hccl!(HcclCommSuspend(comm)), HCCL_SUCCESS);
        assert_eq!(
            reduce(memory, memory, 1, F32, sum, comm, stream),
            HCCL_E_SUSPENDING
        );
        assert_eq!(hccl!(HcclCommResume(comm)), HCCL_SUCCESS);
        assert_eq!(
            reduce(memory, memory, 1, F32, sum, comm, stream),
            HCCL_SUCCESS
        );
        assert_eq!(rank.wait(), 0);
        let mut place = [0_u8; 8];
        let pageable = place.as_mut_ptr().cast();
        assert_eq!(
            reduce(pageable, memory, 1, F32, sum, comm, stream),
            HCCL_E_PARA
        );
        assert!(
            text().contains("no device memory"),
            "the text says what is wrong"
        );
        rank.end(&[memory]);
    });
}

#[test]
fn joining_is_checked_in_the_order_of_the_library() {
    let _serial = alone();
    let mut comm = ptr::null_mut();
    thread::spawn(|| {
        let mut info = HcclRootInfo {
            internal: [0; HCCL_ROOT_INFO_BYTES],
        };
        assert_eq!(
            hccl!(HcclGetRootInfo(&raw mut info)),
            HCCL_E_RUNTIME,
            "no device"
        );
    })
    .join()
    .expect("no panic");
    check!(device.aclrtSetDevice(0));
    assert_eq!(hccl!(HcclGetRootInfo(ptr::null_mut())), HCCL_E_PTR);
    let info = root();
    let join = |size, info, rank, comm| hccl!(HcclCommInitRootInfo(size, info, rank, comm));
    assert_eq!(join(0, ptr::null(), 0, ptr::null_mut()), HCCL_E_PARA);
    assert_eq!(join(2, ptr::null(), 2, ptr::null_mut()), HCCL_E_PARA);
    assert_eq!(join(2, &info, 0, ptr::null_mut()), HCCL_E_PTR);
    assert_eq!(join(2, ptr::null(), 0, &raw mut comm), HCCL_E_PTR);
    let foreign = HcclRootInfo {
        internal: [1; HCCL_ROOT_INFO_BYTES],
    };
    assert_eq!(join(1, &foreign, 0, &raw mut comm), HCCL_E_TCP_CONNECT);
    assert_eq!(join(2, &info, 0, &raw mut comm), HCCL_E_TIMEOUT);
    assert!(text().contains("rank 1 of 2"), "the missing rank is named");

    let info = root();
    let config = HcclCommConfig {
        hcclBufferSize: 0,
        ..HcclCommConfig::new()
    };
    let mut with = |config| {
        hccl!(HcclCommInitRootInfoConfig(
            1,
            &info,
            0,
            config,
            &raw mut comm
        ))
    };
    assert_eq!(with(&config), HCCL_E_PARA);
    assert_eq!(with(ptr::null()), HCCL_E_PTR);
    let mut config = HcclCommConfig::new_8_1();
    for (to, from) in config.hcclCommName.iter_mut().zip(b"mine\0") {
        *to = (*from).cast_signed();
    }
    assert_eq!(with(&config), HCCL_SUCCESS, "{}", text());
    let again = root();
    let mut second = ptr::null_mut();
    let code = hccl!(HcclCommInitRootInfoConfig(
        1,
        &again,
        0,
        &config,
        &raw mut second
    ));
    assert_eq!(code, HCCL_E_PARA, "the name is taken on this device");
    assert_eq!(hccl!(HcclCommDestroy(comm)), HCCL_SUCCESS);
    let code = hccl!(HcclCommInitRootInfoConfig(
        1,
        &again,
        0,
        &config,
        &raw mut second
    ));
    assert_eq!(code, HCCL_SUCCESS, "{}", text());
    assert_eq!(hccl!(HcclCommDestroy(second)), HCCL_SUCCESS);
    assert_eq!(
        hccl!(HcclCommDestroy(ptr::null_mut())),
        HCCL_SUCCESS,
        "null is nothing"
    );
}

/// Runs two ranks whose operations differ, and returns the findings.
fn differ(operation: impl Fn(Rank, *mut c_void) -> HcclResult + Sync) -> Vec<String> {
    let _serial = alone();
    let failed = Mutex::new(Vec::new());
    on_ranks(2, |rank| {
        let memory = rank.upload(&[1.0; 8]);
        let code = operation(rank, memory);
        let waited = rank.wait();
        failed.lock().expect("no panic").push((code, waited));
        let mut error = HCCL_SUCCESS;
        assert_eq!(
            hccl!(HcclGetCommAsyncError(rank.comm, &raw mut error)),
            HCCL_SUCCESS
        );
        rank.end(&[memory]);
    });
    let failed = failed.into_inner().expect("no panic");
    let timeout = (HCCL_SUCCESS, ACL_ERROR_RT_FFTS_PLUS_TIMEOUT);
    assert_eq!(failed, [timeout; 2]);
    let found = take_findings();
    assert!(
        found
            .iter()
            .all(|finding| finding.mistake == Mistake::RanksDisagree),
        "{found:#?}"
    );
    found.into_iter().map(|finding| finding.text).collect()
}

#[test]
fn ranks_that_disagree_fail_and_are_told_why() {
    let sum = HCCL_REDUCE_SUM;
    let connect = |rank: Rank, memory| {
        let Rank { comm, stream, .. } = rank;
        let code = hccl!(HcclAllReduce(memory, memory, 1, F32, sum, comm, stream));
        assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0), "{}", text());
    };
    let found = differ(|rank, memory| {
        let Rank { comm, stream, .. } = rank;
        let count = u64::from(rank.rank) + 1;
        connect(rank, memory);
        hccl!(HcclAllReduce(memory, memory, count, F32, sum, comm, stream))
    });
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("the counts are 1 and 2"), "{found:?}");
    let found = differ(|rank, memory| {
        let Rank { comm, stream, .. } = rank;
        let op = HcclReduceOp(rank.rank);
        connect(rank, memory);
        hccl!(HcclAllReduce(memory, memory, 1, F32, op, comm, stream))
    });
    assert!(found[0].contains("the reductions are"), "{found:?}");
    let found = differ(|rank, memory| {
        let Rank { comm, stream, .. } = rank;
        hccl!(HcclBroadcast(memory, 1, F32, rank.rank, comm, stream))
    });
    assert!(found[0].contains("the roots are 0 and 1"), "{found:?}");
    let found = differ(|rank, memory| {
        let Rank { comm, stream, .. } = rank;
        if rank.rank == 0 {
            hccl!(HcclSend(memory, 1, F32, 1, comm, stream))
        } else {
            hccl!(HcclRecv(memory, 2, F32, 0, comm, stream))
        }
    });
    assert!(found[0].contains("the counts are 1 and 2"), "{found:?}");
}

/// The rank with no elements in its own list takes nothing, and another rank has elements for it.
#[test]
fn lists_of_a_reduction_that_disagree_are_found() {
    let found = differ(|rank, memory| {
        let Rank { comm, stream, .. } = rank;
        let counts = [1, u64::from(1 - rank.rank)];
        let starts = [0, 1_u64];
        hccl!(HcclReduceScatterV(
            memory,
            counts.as_ptr().cast(),
            starts.as_ptr().cast(),
            memory.wrapping_byte_add(16),
            counts[rank.rank as usize],
            F32,
            HCCL_REDUCE_SUM,
            comm,
            stream
        ))
    });
    assert!(
        found[0].contains("one sends 4 bytes and the other one receives 0"),
        "{found:?}"
    );
}

#[test]
fn a_rank_that_never_comes_fails_the_others() {
    let _serial = alone();
    let over = AtomicBool::new(false);
    on_ranks(2, |rank| {
        let Rank { comm, stream, .. } = rank;
        let memory = rank.upload(&[1.0]);
        let reduce = || {
            hccl!(HcclAllReduce(
                memory,
                memory,
                1,
                F32,
                HCCL_REDUCE_SUM,
                comm,
                stream
            ))
        };
        assert_eq!((reduce(), rank.wait()), (HCCL_SUCCESS, 0));
        if rank.rank == 0 {
            assert_eq!(reduce(), HCCL_SUCCESS);
            assert_eq!(rank.wait(), ACL_ERROR_RT_FFTS_PLUS_TIMEOUT);
            let mut error = HCCL_SUCCESS;
            assert_eq!(
                hccl!(HcclGetCommAsyncError(comm, &raw mut error)),
                HCCL_SUCCESS
            );
            assert_eq!(error, HCCL_E_REMOTE);
            over.store(true, Ordering::Release);
        } else {
            while !over.load(Ordering::Acquire) {
                thread::yield_now();
            }
        }
        rank.end(&[memory]);
    });
    let found = take_findings();
    let mistakes: Vec<_> = found.iter().map(|finding| finding.mistake).collect();
    assert_eq!(mistakes, [Mistake::RankMissing], "{found:#?}");
}

/// Two ranks send to each other, and none receives.
#[test]
fn a_message_that_nobody_receives_is_named() {
    let _serial = alone();
    on_ranks(2, |rank| {
        let memory = rank.upload(&[1.0]);
        let mut item = HcclSendRecvItem {
            sendRecvType: HCCL_SEND,
            buf: memory,
            count: 1,
            dataType: F32,
            remoteRank: 1 - rank.rank,
        };
        let code = hccl!(HcclBatchSendRecv(&raw mut item, 1, rank.comm, rank.stream));
        let error = ACL_ERROR_RT_FFTS_PLUS_TIMEOUT;
        assert_eq!((code, rank.wait()), (HCCL_SUCCESS, error));
        rank.end(&[memory]);
    });
    let found = take_findings();
    let mistakes: Vec<_> = found.iter().map(|finding| finding.mistake).collect();
    assert_eq!(mistakes, [Mistake::RankMissing], "{found:#?}");
    // One finding stands for both ranks.
    let expected = [(0, 1), (1, 0)].map(|(to, from)| {
        format!("rank {to} did not receive a message from rank {from} in time; a message is sent and received")
    });
    let is_named = expected.iter().any(|text| found[0].text.contains(text));
    assert!(is_named, "{found:#?}");
}

#[test]
fn a_rank_that_has_destroyed_its_communicator_fails_the_others() {
    let _serial = alone();
    on_ranks(2, |rank| {
        let Rank { comm, stream, .. } = rank;
        let code = hccl!(HcclBarrier(comm, stream));
        assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0));
        if rank.rank == 0 {
            let (code, error) = (hccl!(HcclBarrier(comm, stream)), rank.wait());
            assert_eq!(
                (code, error),
                (HCCL_SUCCESS, ACL_ERROR_RT_FFTS_PLUS_TIMEOUT)
            );
        }
        rank.end(&[]);
    });
    let found = take_findings();
    let mistakes: Vec<_> = found.iter().map(|finding| finding.mistake).collect();
    assert_eq!(mistakes, [Mistake::RankMissing], "{found:#?}");
    let text = found[0].to_string();
    let expected = "rank 1 does not make this operation: it has destroyed its communicator";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn the_first_operation_of_one_thread_for_two_ranks_ends() {
    let _serial = alone();
    check!(device.aclrtSetDevice(0));
    let (mut devices, mut comms) = ([0, 1], [ptr::null_mut(); 2]);
    let code = hccl!(HcclCommInitAll(2, devices.as_mut_ptr(), comms.as_mut_ptr()));
    assert_eq!(code, HCCL_SUCCESS);
    let (memory, stream) = (malloc(4), stream());
    let code = hccl!(HcclBroadcast(memory, 1, F32, 0, comms[0], stream));
    assert_eq!(code, HCCL_E_TIMEOUT);
    assert!(
        text().contains("a thread of its own"),
        "the remedy is named"
    );
    check!(memory.aclrtFree(memory));
    assert_eq!(hccl!(HcclCommDestroy(comms[0])), HCCL_SUCCESS);
    check!(device.aclrtSetDevice(1));
    assert_eq!(hccl!(HcclCommDestroy(comms[1])), HCCL_SUCCESS);
}

/// One thread and one port serve all root informations, and the oldest ones are forgotten.
#[test]
fn root_informations_that_nobody_uses_do_not_pile_up() {
    let _serial = alone();
    check!(device.aclrtSetDevice(0));
    let first = root();
    for _ in 0..1500 {
        root();
    }
    // That of an earlier test may be about to end.
    assert!(threads() <= 2, "{} threads", threads());
    let last = root();
    let mut comm = ptr::null_mut();
    let mut join = |info| hccl!(HcclCommInitRootInfo(1, info, 0, &raw mut comm));
    assert_eq!(join(&first), HCCL_E_TCP_CONNECT);
    assert!(text().contains("call HcclGetRootInfo again"), "{}", text());
    assert_eq!(join(&last), HCCL_SUCCESS, "{}", text());
    assert_eq!(hccl!(HcclCommDestroy(comm)), HCCL_SUCCESS);
}

/// Returns the number of threads of the process that wait at a port.
fn threads() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").expect("Linux has it");
    let name = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("comm"));
    let names = tasks.flatten().filter_map(|task| name(task).ok());
    names
        .filter(|name| name.starts_with("ascendcl-listen"))
        .count()
}

/// A refused message takes no place: the next one meets that of the other rank.
#[test]
fn a_refused_message_is_not_counted() {
    let _serial = alone();
    on_ranks(2, |rank| {
        let Rank { comm, stream, .. } = rank;
        let memory = rank.upload(&[f32::from(u8::try_from(rank.rank).expect("small")); 2]);
        let nowhere = ptr::dangling_mut::<c_void>();
        if rank.rank == 0 {
            let refused = hccl!(HcclSend(nowhere, 1, F32, 1, comm, stream));
            assert_eq!(refused, HCCL_E_PARA);
            let code = hccl!(HcclSend(memory, 1, F32, 1, comm, stream));
            assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0), "{}", text());
        } else {
            let code = hccl!(HcclRecv(memory, 1, F32, 0, comm, stream));
            assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0), "{}", text());
            assert_eq!(rank.download(memory, 2), [0.0, 1.0]);
        }
        let item = |kind, buf| HcclSendRecvItem {
            sendRecvType: kind,
            buf,
            count: 1,
            dataType: F32,
            remoteRank: 1 - rank.rank,
        };
        let behind = memory.wrapping_byte_add(4);
        let mut items = [item(HCCL_SEND, memory), item(HCCL_RECV, nowhere)];
        let refused = hccl!(HcclBatchSendRecv(items.as_mut_ptr(), 2, comm, stream));
        assert_eq!(refused, HCCL_E_PARA);
        if rank.rank == 0 {
            // Once more on one rank only.
            let refused = hccl!(HcclBatchSendRecv(items.as_mut_ptr(), 2, comm, stream));
            assert_eq!(refused, HCCL_E_PARA);
        }
        items[1] = item(HCCL_RECV, behind);
        let code = hccl!(HcclBatchSendRecv(items.as_mut_ptr(), 2, comm, stream));
        assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0), "{}", text());
        rank.end(&[memory]);
    });
    assert_eq!(take_findings(), []);
}

#[test]
fn a_count_of_zero_on_one_rank_is_named() {
    let _serial = alone();
    let over = AtomicBool::new(false);
    on_ranks(2, |rank| {
        let Rank { comm, stream, .. } = rank;
        let memory = rank.upload(&[1.0]);
        let reduce = |count| {
            let sum = HCCL_REDUCE_SUM;
            hccl!(HcclAllReduce(memory, memory, count, F32, sum, comm, stream))
        };
        assert_eq!((reduce(1), rank.wait()), (HCCL_SUCCESS, 0));
        if rank.rank == 0 {
            while !over.load(Ordering::Acquire) {
                thread::yield_now();
            }
            assert_eq!(reduce(1), HCCL_SUCCESS);
            assert_eq!(rank.wait(), ACL_ERROR_RT_FFTS_PLUS_TIMEOUT);
        } else {
            assert_eq!(reduce(0), HCCL_SUCCESS);
            over.store(true, Ordering::Release);
        }
        rank.end(&[memory]);
    });
    let found = take_findings();
    let texts: Vec<_> = found.iter().map(|finding| &finding.text).collect();
    let named = "it called HcclAllReduce with a count of 0, which takes no part";
    assert!(texts.len() == 1 && texts[0].contains(named), "{found:#?}");
}
