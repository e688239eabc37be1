//! Collective communication between processes: the results are those of threads.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_sys::*;
use common::processes::*;
use common::ranks::*;
use common::*;

const PROGRAMS: [(&str, fn(Joining)); 4] = [
    ("results", results),
    ("messages", messages),
    ("parts", parts),
    ("large", large),
];

#[test]
fn the_programs() {
    run_own(&PROGRAMS);
}

fn results(joining: Joining) {
    let rank = joining.join();
    let base = f32::from(u8::try_from(rank.rank).expect("small")) * 10.0;
    let own = [base + 1.0, base + 2.0];
    let all = [1.0, 2.0, 11.0, 12.0, 21.0, 22.0];
    let Rank { comm, stream, .. } = rank;
    let send = rank.upload(&own);
    let long = rank.upload(&all);
    let recv = malloc(64);
    let of = |count| rank.download(recv, count);
    let (sum, max) = (HCCL_REDUCE_SUM, HCCL_REDUCE_MAX);
    succeeds(
        rank,
        hccl!(HcclAllReduce(send, recv, 2, F32, sum, comm, stream)),
    );
    assert_eq!(of(2), [33.0, 36.0]);
    succeeds(rank, hccl!(HcclAllGather(send, recv, 2, F32, comm, stream)));
    assert_eq!(of(6), all);
    succeeds(
        rank,
        hccl!(HcclReduceScatter(long, recv, 2, F32, max, comm, stream)),
    );
    assert_eq!(of(2), own);
    succeeds(
        rank,
        hccl!(HcclScatter(long, recv, 2, F32, 1, comm, stream)),
    );
    assert_eq!(of(2), own);
    succeeds(
        rank,
        hccl!(HcclReduce(
            send,
            recv,
            2,
            F32,
            HCCL_REDUCE_PROD,
            2,
            comm,
            stream
        )),
    );
    let expected = if rank.rank == 2 { [231.0, 528.0] } else { own };
    assert_eq!(of(2), expected, "only the root has the result");
    succeeds(
        rank,
        hccl!(HcclAlltoAll(long, 2, F32, recv, 2, F32, comm, stream)),
    );
    assert_eq!(of(6), own.repeat(3));
    succeeds(rank, hccl!(HcclBroadcast(send, 2, F32, 1, comm, stream)));
    assert_eq!(rank.download(send, 2), [11.0, 12.0]);
    succeeds(rank, hccl!(HcclBarrier(comm, stream)));
    let counts = [2_u64, 0, 1];
    let starts = [0_u64, 2, 2];
    let address = |numbers: &[u64]| numbers.as_ptr().cast::<c_void>();
    let own_count = counts[rank.rank as usize];
    let gathered = HcclAllGatherV_of(
        rank,
        send,
        own_count,
        recv,
        address(&counts),
        address(&starts),
    );
    succeeds(rank, gathered);
    assert_eq!(of(3), [11.0, 12.0, 11.0]);
    rank.end_process(&[send, long, recv], &[]);
    nothing_is_left();
}

#[expect(non_snake_case, reason = "the name of C with a short end")]
fn HcclAllGatherV_of(
    rank: Rank,
    send: *mut c_void,
    count: u64,
    recv: *mut c_void,
    counts: *const c_void,
    starts: *const c_void,
) -> HcclResult {
    let Rank { comm, stream, .. } = rank;
    hccl!(HcclAllGatherV(
        send, count, recv, counts, starts, F32, comm, stream
    ))
}

#[test]
fn results_are_those_of_threads_in_every_schedule() {
    let _serial = alone();
    for schedule in ["eager", "lazy", "seeded"] {
        run("results", 3, &[(SCHEDULE, schedule)]);
    }
}

fn messages(joining: Joining) {
    let rank = joining.join();
    let Rank { comm, stream, .. } = rank;
    let name = f32::from(u8::try_from(rank.rank).expect("small"));
    let (send, recv) = (rank.upload(&[name, 5.0]), malloc(64));
    let (next, last) = (
        (rank.rank + 1) % rank.size,
        (rank.rank + rank.size - 1) % rank.size,
    );
    // Around the ring; the first rank sends first.
    let refused = hccl!(HcclSend(
        ptr::dangling_mut::<c_void>(),
        1,
        F32,
        next,
        comm,
        stream
    ));
    assert_eq!(refused, HCCL_E_PARA, "takes no place among the messages");
    if rank.rank == 0 {
        succeeds(rank, hccl!(HcclSend(send, 2, F32, next, comm, stream)));
        succeeds(rank, hccl!(HcclRecv(recv, 2, F32, last, comm, stream)));
    } else {
        succeeds(rank, hccl!(HcclRecv(recv, 2, F32, last, comm, stream)));
        succeeds(rank, hccl!(HcclSend(send, 2, F32, next, comm, stream)));
    }
    let other = f32::from(u8::try_from(last).expect("small"));
    assert_eq!(rank.download(recv, 2), [other, 5.0]);
    let item = |kind, buf, remote| HcclSendRecvItem {
        sendRecvType: kind,
        buf,
        count: 1,
        dataType: F32,
        remoteRank: remote,
    };
    let mut items = [
        item(HCCL_SEND, send, next),
        item(HCCL_RECV, recv.wrapping_byte_add(16), last),
        item(HCCL_SEND, send, rank.rank),
        item(HCCL_RECV, recv.wrapping_byte_add(20), rank.rank),
    ];
    succeeds(
        rank,
        hccl!(HcclBatchSendRecv(items.as_mut_ptr(), 4, comm, stream)),
    );
    assert_eq!(rank.download(recv.wrapping_byte_add(16), 2), [other, name]);
    rank.end_process(&[send, recv], &[]);
}

#[test]
fn messages_go_from_process_to_process() {
    let _serial = alone();
    run("messages", 3, &[]);
}

fn parts(joining: Joining) {
    let rank = joining.join();
    let memory = rank.upload(&[1.0; 8]);
    // The same part twice, and one with the other ranks between them.
    for ranks in [[0_u32, 2], [1, 2], [0, 2]] {
        let own = ranks.iter().position(|one| *one == rank.rank);
        let (mut comm, mut parent) = (ptr::null_mut(), rank.comm);
        let Some(own) = own else {
            let none = u64::from(u32::MAX);
            let code = hccl!(HcclCreateSubCommConfig(
                &raw mut parent,
                2,
                ptr::null_mut(),
                none,
                0,
                ptr::null_mut(),
                &raw mut comm
            ));
            assert_eq!((code, comm), (HCCL_SUCCESS, ptr::null_mut()));
            continue;
        };
        let (mut ranks, own) = (ranks, u32::try_from(own).expect("small"));
        let code = hccl!(HcclCreateSubCommConfig(
            &raw mut parent,
            2,
            ranks.as_mut_ptr(),
            7,
            own,
            ptr::null_mut(),
            &raw mut comm
        ));
        assert_eq!(code, HCCL_SUCCESS, "{}", text());
        let part = Rank { comm, ..rank };
        succeeds(part, sum(part, memory, 1));
        assert_eq!(hccl!(HcclCommDestroy(comm)), HCCL_SUCCESS);
    }
    // Rank 0: 1 + 1 = 2, then 2 + 3 = 5. Rank 1: 1 + 2 = 3. Rank 2: 2, 3, 5.
    let found = rank.download(memory, 1);
    assert_eq!(found, [[5.0, 3.0, 5.0][rank.rank as usize]]);
    succeeds(rank, sum(rank, memory, 1));
    assert_eq!(rank.download(memory, 1), [13.0]);
    rank.end_process(&[memory], &[]);
    nothing_is_left();
}

#[test]
fn parts_of_the_ranks_have_communicators_of_their_own() {
    let _serial = alone();
    run("parts", 3, &[]);
}

fn large(joining: Joining) {
    let rank = joining.join();
    let count = 1_500_001;
    let memory = rank.upload(&vec![1.0; count]);
    for _ in 0..3 {
        succeeds(rank, sum(rank, memory, count as u64));
    }
    assert_eq!(rank.download(memory, count), vec![8.0; count]);
    rank.end_process(&[memory], &[]);
}

#[test]
fn both_directions_of_a_connection_are_full_at_once() {
    let _serial = alone();
    run("large", 2, &[]);
}
