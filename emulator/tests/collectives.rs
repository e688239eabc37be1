//! Collective communication: the results of the operations, and how ranks join.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::Barrier;

use ascendcl_emulator::take_findings;
use ascendcl_sys::*;
use common::ranks::*;
use common::*;

#[test]
fn other_schedules_have_the_same_results() {
    again_in_other_schedules();
}

/// Each operation with its result on each rank.
#[test]
fn results_are_those_of_the_definition() {
    {
        let _serial = alone();
        on_ranks(3, |rank| {
            let base = f32::from(u8::try_from(rank.rank).expect("small")) * 10.0;
            let own = [base + 1.0, base + 2.0];
            let all = [1.0, 2.0, 11.0, 12.0, 21.0, 22.0];
            let Rank { comm, stream, .. } = rank;
            let send = rank.upload(&own);
            let long = rank.upload(&all);
            let recv = malloc(64);
            let of = |count| rank.download(recv, count);

            let code = hccl!(HcclAllReduce(
                send,
                recv,
                2,
                F32,
                HCCL_REDUCE_SUM,
                comm,
                stream
            ));
            assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0), "{}", text());
            assert_eq!(of(2), [33.0, 36.0]);

            let code = hccl!(HcclAllGather(send, recv, 2, F32, comm, stream));
            assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0));
            assert_eq!(of(6), all);

            let code = hccl!(HcclReduceScatter(
                long,
                recv,
                2,
                F32,
                HCCL_REDUCE_MAX,
                comm,
                stream
            ));
            assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0));
            assert_eq!(of(2), own);

            let code = hccl!(HcclScatter(long, recv, 2, F32, 1, comm, stream));
            assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0));
            assert_eq!(of(2), own);

            let code = hccl!(HcclReduce(
                send,
                recv,
                2,
                F32,
                HCCL_REDUCE_PROD,
                2,
                comm,
                stream
            ));
            assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0));
            let expected = if rank.rank == 2 { [231.0, 528.0] } else { own };
            assert_eq!(of(2), expected, "only the root has the result");

            let code = hccl!(HcclAlltoAll(long, 2, F32, recv, 2, F32, comm, stream));
            assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0));
            assert_eq!(of(6), own.repeat(3));

            let code = hccl!(HcclBroadcast(send, 2, F32, 1, comm, stream));
            assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0));
            assert_eq!(rank.download(send, 2), [11.0, 12.0]);

            assert_eq!(hccl!(HcclBarrier(comm, stream)), HCCL_SUCCESS);
            assert_eq!(rank.wait(), 0);
            assert_eq!(
                hccl!(HcclAllReduce(
                    send,
                    send,
                    2,
                    F32,
                    HCCL_REDUCE_MIN,
                    comm,
                    stream
                )),
                HCCL_SUCCESS
            );
            assert_eq!(rank.wait(), 0);
            assert_eq!(rank.download(send, 2), [11.0, 12.0], "in place");
            rank.end(&[send, long, recv]);
        });
        assert_eq!(take_findings(), []);
    }
}

/// The last rank only queues its part, and waits for nothing before the others are through.
#[test]
fn waiting_ranks_go_on_when_the_last_part_is_queued() {
    let _serial = alone();
    let (begin, end) = (Barrier::new(3), Barrier::new(3));
    on_ranks(3, |rank| {
        let Rank { comm, stream, .. } = rank;
        let (memory, total) = (rank.upload(&[1.0, 2.0]), malloc(64));
        let sum = || {
            hccl!(HcclAllReduce(
                memory,
                total,
                2,
                F32,
                HCCL_REDUCE_SUM,
                comm,
                stream
            ))
        };
        // The first one connects the ranks, and so waits for all of them.
        assert_eq!((sum(), rank.wait()), (HCCL_SUCCESS, 0));
        if rank.rank == 2 {
            begin.wait();
            assert_eq!(sum(), HCCL_SUCCESS);
            end.wait();
        } else {
            assert_eq!(sum(), HCCL_SUCCESS);
            begin.wait();
            assert_eq!(rank.wait(), 0, "{}", text());
            end.wait();
        }
        assert_eq!(rank.wait(), 0);
        assert_eq!(rank.download(total, 2), [3.0, 6.0]);
        rank.end(&[memory, total]);
    });
    assert_eq!(take_findings(), []);
}

#[test]
fn ranks_send_as_many_elements_as_they_say() {
    let _serial = alone();
    on_ranks(2, |rank| {
        let Rank { comm, stream, .. } = rank;
        // Rank 0 sends one element to each rank, and rank 1 sends two to rank 0 and three to itself.
        let matrix = [1_u64, 1, 2, 3];
        let row = &matrix[rank.rank as usize * 2..][..2];
        let column = [matrix[rank.rank as usize], matrix[2 + rank.rank as usize]];
        let (from, to) = ([0, row[0]], [0, column[0]]);
        let values = [[1.0, 2.0, 0.0, 0.0, 0.0], [5.0, 6.0, 7.0, 8.0, 9.0]];
        let send = rank.upload(&values[rank.rank as usize]);
        let recv = malloc(64);
        let expected = [vec![1.0, 5.0, 6.0], vec![2.0, 7.0, 8.0, 9.0]];
        let expected = &expected[rank.rank as usize];
        let address = |numbers: &[u64]| numbers.as_ptr().cast::<c_void>();
        let code = hccl!(HcclAlltoAllV(
            send,
            address(row),
            address(&from),
            F32,
            recv,
            address(&column),
            address(&to),
            F32,
            comm,
            stream
        ));
        assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0), "{}", text());
        assert_eq!(rank.download(recv, expected.len()), *expected);
        let code = hccl!(HcclAlltoAllVC(
            send,
            address(&matrix),
            F32,
            recv,
            F32,
            comm,
            stream
        ));
        assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0), "{}", text());
        assert_eq!(rank.download(recv, expected.len()), *expected);
        // A number of the other rank alone: rank 0 has no memory for it, and refuses it all the same.
        let matrix = [1_u64, 1, 2, 1 << 62];
        let code = hccl!(HcclAlltoAllVC(
            send,
            address(&matrix),
            F32,
            recv,
            F32,
            comm,
            stream
        ));
        assert_eq!(code, HCCL_E_PARA);

        let (counts, starts) = ([1_u64, 2], [2_u64, 0]);
        let own = counts[rank.rank as usize];
        let code = hccl!(HcclAllGatherV(
            send,
            own,
            recv,
            address(&counts),
            address(&starts),
            F32,
            comm,
            stream
        ));
        assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0), "{}", text());
        assert_eq!(rank.download(recv, 3), [5.0, 6.0, 1.0]);
        let code = hccl!(HcclReduceScatterV(
            send,
            address(&counts),
            address(&starts),
            recv,
            own,
            F32,
            HCCL_REDUCE_SUM,
            comm,
            stream
        ));
        assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0), "{}", text());
        let expected = [vec![7.0], vec![6.0, 8.0]];
        let expected = &expected[rank.rank as usize];
        assert_eq!(rank.download(recv, expected.len()), *expected);
        rank.end(&[send, recv]);
    });
}

#[test]
fn messages_arrive_in_order_and_a_batch_does_not_block() {
    let _serial = alone();
    on_ranks(2, |rank| {
        let Rank { comm, stream, .. } = rank;
        let other = 1 - rank.rank;
        let first = rank.upload(&[f32::from(u8::try_from(rank.rank).expect("small")), 5.0]);
        let recv = malloc(64);
        if rank.rank == 0 {
            assert_eq!(
                hccl!(HcclSend(first, 1, F32, 1, comm, stream)),
                HCCL_SUCCESS
            );
            assert_eq!(
                hccl!(HcclSend(first, 2, F32, 1, comm, stream)),
                HCCL_SUCCESS
            );
        } else {
            assert_eq!(hccl!(HcclRecv(recv, 1, F32, 0, comm, stream)), HCCL_SUCCESS);
            let behind = recv.wrapping_byte_add(4);
            assert_eq!(
                hccl!(HcclRecv(behind, 2, F32, 0, comm, stream)),
                HCCL_SUCCESS
            );
        }
        assert_eq!(rank.wait(), 0);
        if rank.rank == 1 {
            assert_eq!(rank.download(recv, 3), [0.0, 0.0, 5.0]);
        }
        let item = |kind, buf, remote| HcclSendRecvItem {
            sendRecvType: kind,
            buf,
            count: 2,
            dataType: F32,
            remoteRank: remote,
        };
        // Both send first. Messages to the own rank are copies.
        let mut items = [
            item(HCCL_SEND, first, other),
            item(HCCL_RECV, recv, other),
            item(HCCL_SEND, first, rank.rank),
            item(HCCL_RECV, recv.wrapping_byte_add(8), rank.rank),
            item(HCCL_SEND, ptr::null_mut(), 99),
        ];
        let code = hccl!(HcclBatchSendRecv(items.as_mut_ptr(), 5, comm, stream));
        assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0), "{}", text());
        let names = [0.0, 1.0];
        let (own, other) = (names[rank.rank as usize], names[other as usize]);
        assert_eq!(rank.download(recv, 4), [other, 5.0, own, 5.0]);
        let code = hccl!(HcclBatchSendRecv(items.as_mut_ptr(), 3, comm, stream));
        assert_eq!(
            code, HCCL_E_PARA,
            "a message to the own rank is not received"
        );
        rank.end(&[first, recv]);
    });
}

/// A batch is several operations. A rank that was needed for one of them only may go when that one is over.
#[test]
fn a_rank_leaves_when_its_part_of_a_batch_is_over() {
    let _serial = alone();
    let step = Barrier::new(3);
    on_ranks(3, |rank| {
        let Rank { comm, stream, .. } = rank;
        let memory = rank.upload(&[f32::from(u8::try_from(rank.rank).expect("small")); 2]);
        let message = |buf, kind, remote| HcclSendRecvItem {
            sendRecvType: kind,
            buf,
            count: 1,
            dataType: F32,
            remoteRank: remote,
        };
        let batch = |items: &mut [HcclSendRecvItem]| {
            let count = u32::try_from(items.len()).expect("few");
            let code = hccl!(HcclBatchSendRecv(items.as_mut_ptr(), count, comm, stream));
            assert_eq!(code, HCCL_SUCCESS, "{}", text());
        };
        match rank.rank {
            0 => {
                let behind = memory.wrapping_byte_add(4);
                batch(&mut [message(memory, HCCL_RECV, 1), message(behind, HCCL_RECV, 2)]);
                step.wait();
                let waited = call!(stream.aclrtSynchronizeStreamWithTimeout(stream, 20));
                step.wait();
                assert_eq!(waited, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
                assert_eq!(rank.wait(), 0, "{}", text());
                assert_eq!(rank.download(memory, 2), [1.0, 2.0]);
                rank.end(&[memory]);
            }
            1 => {
                batch(&mut [message(memory, HCCL_SEND, 0)]);
                assert_eq!(rank.wait(), 0);
                rank.end(&[memory]);
                step.wait();
                step.wait();
            }
            _ => {
                step.wait();
                step.wait();
                batch(&mut [message(memory, HCCL_SEND, 0)]);
                assert_eq!(rank.wait(), 0);
                rank.end(&[memory]);
            }
        }
    });
    assert!(take_findings().is_empty());
}

/// Each root rank makes a root information. All ranks get the list.
#[test]
fn ranks_join_by_several_root_informations() {
    let _serial = alone();
    let list = [0, 1].map(|device| {
        check!(device.aclrtSetDevice(device));
        let mut info = root();
        let made = hccl!(HcclGetRootInfoScalable(&raw mut info));
        assert_eq!(made, HCCL_SUCCESS, "{}", text());
        info
    });
    let config = HcclCommConfig::new();
    let join = |rank, roots, ext, comm| {
        let (list, config) = (list.as_ptr(), &raw const config);
        hccl!(HcclCommInitRootInfoScalable(
            3, roots, list, rank, ext, config, comm
        ))
    };
    let mut none = ptr::null_mut();
    for (roots, ext, why) in [
        (0, 0, "nRoot is 0 of 3 ranks"),
        (4, 0, "nRoot is 4 of 3 ranks"),
        (2, 1, "nExtRoot is 1; pass 0"),
    ] {
        assert_eq!(join(0, roots, ext, &raw mut none), HCCL_E_PARA);
        assert!(text().contains(why), "{}", text());
    }
    assert_eq!(join(3, 2, 0, &raw mut none), HCCL_E_PARA);
    assert_eq!(join(0, 2, 0, ptr::null_mut()), HCCL_E_PTR);
    std::thread::scope(|threads| {
        for rank in 0..3 {
            let join = &join;
            threads.spawn(move || {
                check!(device.aclrtSetDevice(rank));
                let rank = rank.cast_unsigned();
                let mut comm = ptr::null_mut();
                assert_eq!(join(rank, 2, 0, &raw mut comm), HCCL_SUCCESS, "{}", text());
                let of = Rank {
                    rank,
                    size: 3,
                    comm,
                    stream: stream(),
                };
                let memory = of.upload(&[1.0]);
                let sum = HCCL_REDUCE_SUM;
                let code = hccl!(HcclAllReduce(memory, memory, 1, F32, sum, comm, of.stream));
                assert_eq!((code, of.wait()), (HCCL_SUCCESS, 0), "{}", text());
                assert_eq!(of.download(memory, 1), [3.0]);
                of.end(&[memory]);
            });
        }
    });
    reset();
    assert!(take_findings().is_empty());
}

#[test]
fn the_options_are_those_of_the_first_supported_release() {
    let above = hccl!(HcclGetCommConfigCapability());
    assert!(above > HCCL_COMM_CONFIG_SUPPORT_INIT_BY_ENV.0);
    // It has no effect here.
    assert!(above <= HCCL_COMM_CONFIG_EXEC_TIMEOUT.0);
    assert_eq!(above, HCCL_COMM_CONFIG_WORLD_RANKID.0);
}

#[test]
fn a_communicator_has_options_of_its_own() {
    let _serial = alone();
    on_ranks(1, |rank| {
        let set = |config, value| {
            let value = HcclConfigValue { value };
            hccl!(HcclSetCommConfig(rank.comm, config, value))
        };
        let get = |config| {
            let mut value = HcclConfigValue { value: -1 };
            let code = hccl!(HcclGetCommConfig(rank.comm, config, &raw mut value));
            // SAFETY: the union has one field.
            (code, unsafe { value.value })
        };
        assert_eq!(get(HCCL_ACCELERATOR), (HCCL_SUCCESS, 0));
        assert_eq!(set(HCCL_ACCELERATOR, 3), HCCL_SUCCESS);
        assert_eq!(set(HCCL_DETERMINISTIC, 1), HCCL_SUCCESS);
        assert_eq!(get(HCCL_ACCELERATOR), (HCCL_SUCCESS, 3));
        assert_eq!(get(HCCL_DETERMINISTIC), (HCCL_SUCCESS, 1));
        for (config, value, why) in [
            (
                HCCL_ACCELERATOR,
                8,
                "the value is 8; pass the number of a mode, from 0 to 7",
            ),
            (HCCL_DETERMINISTIC, 3, "the value is 3; pass 0, 1 or 2"),
            (
                HcclConfig(2),
                0,
                "config is 2; pass HCCL_DETERMINISTIC or HCCL_ACCELERATOR",
            ),
        ] {
            assert_eq!(set(config, value), HCCL_E_PARA);
            assert!(text().ends_with(why), "{}", text());
        }
        assert_eq!(get(HcclConfig(2)), (HCCL_E_PARA, -1));
        let null = ptr::null_mut();
        let code = hccl!(HcclGetCommConfig(rank.comm, HCCL_DETERMINISTIC, null));
        assert_eq!(code, HCCL_E_PTR);
        let value = HcclConfigValue { value: 0 };
        let code = hccl!(HcclSetCommConfig(
            ptr::null_mut(),
            HCCL_DETERMINISTIC,
            value
        ));
        assert_eq!(code, HCCL_E_PTR);
        rank.end(&[]);
    });
}

#[test]
fn a_communicator_tells_what_it_is() {
    let _serial = alone();
    on_ranks(2, |rank| {
        let (mut size, mut id) = (0, 0);
        assert_eq!(
            hccl!(HcclGetRankSize(rank.comm, &raw mut size)),
            HCCL_SUCCESS
        );
        assert_eq!(hccl!(HcclGetRankId(rank.comm, &raw mut id)), HCCL_SUCCESS);
        assert_eq!((size, id), (rank.size, rank.rank));
        let mut name = [0; COMM_NAME_MAX_LENGTH];
        assert_eq!(
            hccl!(HcclGetCommName(rank.comm, name.as_mut_ptr())),
            HCCL_SUCCESS
        );
        // SAFETY: the call has written a text that ends in NUL.
        let name = unsafe { CStr::from_ptr(name.as_ptr()) };
        assert!(name.to_string_lossy().starts_with("127.0.0.1_"), "{name:?}");
        let mut error = HCCL_E_INTERNAL;
        assert_eq!(
            hccl!(HcclGetCommAsyncError(rank.comm, &raw mut error)),
            HCCL_SUCCESS
        );
        assert_eq!(error, HCCL_SUCCESS);
        let none = ptr::null_mut();
        assert_eq!(
            hccl!(HcclGetRankSize(ptr::null_mut(), &raw mut size)),
            HCCL_E_PTR
        );
        assert_eq!(hccl!(HcclGetRankId(rank.comm, none)), HCCL_E_PTR);
        rank.end(&[]);
    });
    let text = |code| {
        let text = hccl!(HcclGetErrorString(code));
        // SAFETY: the result is a static text.
        unsafe { CStr::from_ptr(text) }
    };
    assert_eq!(text(HCCL_E_TIMEOUT), c"timeout");
    assert_eq!(text(HcclResult(-1)), c"unknown error");
}

#[test]
fn all_ranks_of_a_process_join_in_one_call() {
    let _serial = alone();
    check!(device.aclrtSetDevice(0));
    let (mut devices, mut comms) = ([2, 0], [ptr::null_mut(); 2]);
    let (ids, handles) = (devices.as_mut_ptr(), comms.as_mut_ptr());
    let code = hccl!(HcclCommInitAll(2, ids, handles));
    assert_eq!(code, HCCL_SUCCESS, "{}", text());
    let mut id = 9;
    assert_eq!(hccl!(HcclGetRankId(comms[1], &raw mut id)), HCCL_SUCCESS);
    assert_eq!(id, 1);
    assert_eq!(
        hccl!(HcclCommDestroy(comms[0])),
        HCCL_E_PARA,
        "it is of device 2"
    );
    assert_eq!(hccl!(HcclCommDestroy(comms[1])), HCCL_SUCCESS);
    assert_eq!(
        hccl!(HcclCommDestroy(comms[1])),
        HCCL_E_PARA,
        "destroyed already"
    );
    check!(device.aclrtSetDevice(2));
    assert_eq!(hccl!(HcclCommDestroy(comms[0])), HCCL_SUCCESS);

    assert_eq!(hccl!(HcclCommInitAll(0, ids, handles)), HCCL_E_PARA);
    // Nothing is read behind the two.
    assert_eq!(hccl!(HcclCommInitAll(u32::MAX, ids, handles)), HCCL_E_PARA);
    assert!(text().contains("this machine has 4 devices"));
    assert_eq!(
        hccl!(HcclCommInitAll(2, ptr::null_mut(), handles)),
        HCCL_E_PTR
    );
    assert_eq!(hccl!(HcclCommInitAll(2, ids, ptr::null_mut())), HCCL_E_PTR);
    devices = [1, 1];
    assert_eq!(
        hccl!(HcclCommInitAll(2, devices.as_mut_ptr(), handles)),
        HCCL_E_PARA
    );
    devices = [0, 77];
    assert_eq!(
        hccl!(HcclCommInitAll(2, devices.as_mut_ptr(), handles)),
        HCCL_E_INTERNAL
    );
    assert!(text().contains("device 77"), "the device is named");
    reset();
}
