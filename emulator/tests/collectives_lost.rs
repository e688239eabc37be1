//! Collective communication between processes: ranks that disagree, and ranks that are lost.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and a parent reads what a child says"
)]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::io::{BufRead, BufReader, Read, Write};
use std::thread;

use ascendcl_sys::*;
use common::processes::{start, *};
use common::ranks::*;
use common::*;

/// Time for operations that wait for a rank which never comes. Ranks that join have more.
const SHORT: (&str, &str) = ("HCCL_EXEC_TIMEOUT", "5");
/// A limit for all waits.
const LIMIT: (&str, &str) = ("RANKS_LIMIT", "2");
/// A limit for all waits of ranks that do join.
const LONGER: (&str, &str) = ("RANKS_LIMIT", "10");

const PROGRAMS: [(&str, fn(Joining)); 9] = [
    ("disagree", disagree),
    ("killed", killed),
    ("never", never),
    ("late", late),
    ("zero", zero),
    ("destroyed", destroyed),
    ("sizes", sizes),
    ("devices", devices),
    ("alone", one_that_waits),
];

#[test]
fn the_programs() {
    run_own(&PROGRAMS);
}

fn disagree(joining: Joining) {
    let rank = joining.join();
    let memory = rank.upload(&[1.0; 8]);
    let Rank { comm, stream, .. } = rank;
    let fails = |code| {
        assert_eq!(
            (code, rank.wait()),
            (HCCL_SUCCESS, ACL_ERROR_RT_FFTS_PLUS_TIMEOUT)
        );
        renew(memory);
    };
    succeeds(rank, sum(rank, memory, 1));
    fails(sum(rank, memory, u64::from(rank.rank) + 1));
    fails(hccl!(HcclBroadcast(
        memory, 1, F32, rank.rank, comm, stream
    )));
    let gather = hccl!(HcclAllGather(memory, memory, 1, F32, comm, stream));
    succeeds(rank, gather);
    succeeds(rank, hccl!(HcclBarrier(comm, stream)));
    if rank.rank == 0 {
        fails(hccl!(HcclBarrier(comm, stream)));
        fails(hccl!(HcclSend(memory, 1, F32, 1, comm, stream)));
    } else {
        fails(hccl!(HcclAllGather(memory, memory, 1, F32, comm, stream)));
        fails(hccl!(HcclRecv(
            memory,
            1,
            HCCL_DATA_TYPE_INT32,
            0,
            comm,
            stream
        )));
    }
    let (sends, receives) = ([2_u64, 2], [2_u64, 1 + u64::from(rank.rank)]);
    let starts = [0_u64, 2];
    let address = |numbers: &[u64]| numbers.as_ptr().cast::<c_void>();
    let other = malloc(64);
    fails(hccl!(HcclAlltoAllV(
        memory,
        address(&sends),
        address(&starts),
        F32,
        other,
        address(&receives),
        address(&starts),
        F32,
        comm,
        stream
    )));
    // The ranks agree again.
    succeeds(rank, hccl!(HcclBarrier(comm, stream)));
    let found = [
        "the counts are 1 and 2",
        "the roots are 0 and 1",
        "the operations are HcclBarrier and HcclAllGather",
        "the element types are",
        "rank 1 and rank 0 do not agree: one sends 8 bytes and the other one receives 4",
    ];
    rank.end_process(&[memory, other], &found);
}

#[test]
fn processes_that_disagree_are_told_so_on_each_rank() {
    let _serial = alone();
    run("disagree", 2, &[]);
}

fn killed(joining: Joining) {
    let rank = joining.join();
    let memory = rank.upload(&[1.0; 8]);
    succeeds(rank, sum(rank, memory, 1));
    if rank.rank == 1 {
        println!("kill me");
        let mut nothing = Vec::new();
        let _ = std::io::stdin().read_to_end(&mut nothing);
        unreachable!("the parent kills this process first");
    }
    let error = ACL_ERROR_RT_FFTS_PLUS_TIMEOUT;
    assert_eq!((sum(rank, memory, 1), rank.wait()), (HCCL_SUCCESS, error));
    let mut state = HCCL_SUCCESS;
    assert_eq!(
        hccl!(HcclGetCommAsyncError(rank.comm, &raw mut state)),
        HCCL_SUCCESS
    );
    assert_eq!(state, HCCL_E_REMOTE);
    // Those that do not need it still work.
    let Rank { comm, stream, .. } = rank;
    renew(memory);
    if rank.rank == 0 {
        succeeds(rank, hccl!(HcclSend(memory, 1, F32, 2, comm, stream)));
    } else {
        succeeds(rank, hccl!(HcclRecv(memory, 1, F32, 0, comm, stream)));
    }
    assert_eq!(
        hccl!(HcclSend(memory, 1, F32, 1, comm, stream)),
        HCCL_E_TIMEOUT
    );
    let said = text();
    assert!(
        said.contains("rank 1 does not make it: its process has ended"),
        "{said}"
    );
    rank.end_process(
        &[memory],
        &["rank 1 does not make this operation: its process has ended"],
    );
    nothing_is_left();
}

/// No limit is set, so a rank that is not told would wait for half an hour.
#[test]
fn a_killed_process_fails_the_others() {
    let _serial = alone();
    for schedule in ["eager", "lazy"] {
        let mut children = start("killed", 0..3, 3, &[(SCHEDULE, schedule)]);
        let mut victim = children.remove(1);
        let words = BufReader::new(victim.stdout.take().expect("a pipe")).lines();
        let mut words = words.map_while(Result::ok);
        assert!(words.any(|line| line.contains("kill me")));
        victim.kill().expect("it lives");
        assert!(!victim.wait().expect("it has ended").success());
        for (rank, child) in children.into_iter().enumerate() {
            succeed(rank * 2, child);
        }
    }
}

fn never(joining: Joining) {
    let rank = joining.join();
    let memory = rank.upload(&[1.0; 8]);
    succeeds(rank, sum(rank, memory, 1));
    let error = ACL_ERROR_RT_FFTS_PLUS_TIMEOUT;
    let found = if rank.rank == 0 {
        assert_eq!((sum(rank, memory, 1), rank.wait()), (HCCL_SUCCESS, error));
        renew(memory);
        assert_eq!(
            (sum(rank, memory, 1), rank.wait()),
            (HCCL_SUCCESS, error),
            "at once"
        );
        "rank 1 did not make this operation in time; every rank"
    } else {
        let mut state = HCCL_SUCCESS;
        while state == HCCL_SUCCESS {
            assert_eq!(
                hccl!(HcclGetCommAsyncError(rank.comm, &raw mut state)),
                HCCL_SUCCESS
            );
            thread::yield_now();
        }
        assert_eq!(
            (sum(rank, memory, 1), rank.wait()),
            (HCCL_SUCCESS, 0),
            "rank 0 had begun it"
        );
        assert_eq!((sum(rank, memory, 1), rank.wait()), (HCCL_SUCCESS, error));
        "rank 0 does not make this operation: it has given up an operation"
    };
    rank.end_process(&[memory], &[found]);
}

#[test]
fn a_process_that_makes_no_operation_fails_the_others() {
    let _serial = alone();
    run("never", 2, &[SHORT]);
}

fn late(joining: Joining) {
    let rank = joining.join();
    let memory = rank.upload(&[1.0; 8]);
    let async_error = || {
        let mut state = HCCL_SUCCESS;
        let code = hccl!(HcclGetCommAsyncError(rank.comm, &raw mut state));
        assert_eq!(code, HCCL_SUCCESS);
        state
    };
    if rank.rank == 0 {
        // The first operation of its kind waits for the other rank.
        assert_eq!(sum(rank, memory, 1), HCCL_E_TIMEOUT);
        let said = text();
        assert!(said.contains("rank 1 did not make it in time"), "{said}");
        assert_eq!(async_error(), HCCL_E_REMOTE);
        let Rank { comm, stream, .. } = rank;
        let gather = hccl!(HcclAllGather(memory, memory, 1, F32, comm, stream));
        assert_eq!(gather, HCCL_E_TIMEOUT, "at once");
        let said = text();
        assert!(
            said.contains("the communicator has failed: HcclAllReduce has failed"),
            "{said}"
        );
        rank.end_process(&[memory], &[]);
        return;
    }
    while async_error() == HCCL_SUCCESS {
        thread::yield_now();
    }
    let error = ACL_ERROR_RT_FFTS_PLUS_TIMEOUT;
    assert_eq!((sum(rank, memory, 1), rank.wait()), (HCCL_SUCCESS, error));
    let found = "rank 0 does not make this operation: it has given up an operation";
    rank.end_process(&[memory], &[found]);
}

#[test]
fn a_process_that_connects_too_late_is_not_waited_for() {
    let _serial = alone();
    run("late", 2, &[LONGER]);
}

fn zero(joining: Joining) {
    let rank = joining.join();
    let memory = rank.upload(&[1.0; 8]);
    succeeds(rank, sum(rank, memory, 1));
    if rank.rank == 1 {
        assert_eq!(sum(rank, memory, 0), HCCL_SUCCESS);
        println!("nothing to do");
        let mut nothing = Vec::new();
        let _ = std::io::stdin().read_to_end(&mut nothing);
        rank.end_process(&[memory], &[]);
        return;
    }
    let mut line = String::new();
    std::io::stdin()
        .read_line(&mut line)
        .expect("the parent says go");
    let error = ACL_ERROR_RT_FFTS_PLUS_TIMEOUT;
    assert_eq!((sum(rank, memory, 1), rank.wait()), (HCCL_SUCCESS, error));
    let found = "in time; it called HcclAllReduce with a count of 0, which takes no part; every";
    rank.end_process(&[memory], &[found]);
}

#[test]
fn a_count_of_zero_on_one_rank_is_named() {
    let _serial = alone();
    let mut children = start("zero", 0..2, 2, &[SHORT]);
    let other = children.get_mut(1).expect("two");
    let mut reader = BufReader::new(other.stdout.take().expect("a pipe"));
    let mut line = String::new();
    while !line.contains("nothing to do") {
        line.clear();
        assert!(
            reader.read_line(&mut line).expect("a pipe") > 0,
            "it ends early"
        );
    }
    let other = children.pop().expect("two");
    let mut first = children.pop().expect("two");
    let mut pipe = first.stdin.take().expect("a pipe");
    pipe.write_all(b"go\n").expect("it reads");
    succeed(0, first);
    let status = other.wait_with_output().expect("it ends").status;
    assert!(status.success(), "{status}");
}

fn destroyed(joining: Joining) {
    let rank = joining.join();
    let memory = rank.upload(&[1.0; 8]);
    succeeds(rank, sum(rank, memory, 1));
    if rank.rank == 1 {
        rank.end_process(&[memory], &[]);
        return;
    }
    let error = ACL_ERROR_RT_FFTS_PLUS_TIMEOUT;
    assert_eq!((sum(rank, memory, 1), rank.wait()), (HCCL_SUCCESS, error));
    rank.end_process(
        &[memory],
        &["rank 1 does not make this operation: it has destroyed its communicator"],
    );
}

#[test]
fn a_rank_that_has_left_fails_the_others() {
    let _serial = alone();
    run("destroyed", 2, &[]);
}

/// Joins, which fails. Returns whether the text says this.
fn fails_to_join(joining: Joining, device: u32, codes: &[(HcclResult, &str)]) {
    let Err(code) = joining.try_join_on(device) else {
        unreachable!("the ranks do not fit together");
    };
    let said = text();
    let is_expected = |(known, words): &(HcclResult, &str)| code == *known && said.contains(words);
    assert!(codes.iter().any(is_expected), "{code:?}: {said}");
    nothing_is_left();
}

fn sizes(joining: Joining) {
    let size = joining.size + joining.rank;
    let expected = [(HCCL_E_INTERNAL, "pass one number on all ranks")];
    fails_to_join(Joining { size, ..joining }, joining.rank, &expected);
}

fn devices(joining: Joining) {
    let second = (HCCL_E_PARA, "give each rank a device of its own");
    let first = (HCCL_E_TIMEOUT, "did not join in time");
    fails_to_join(joining, 0, &[first, second]);
}

#[test]
fn processes_that_do_not_fit_together_are_refused() {
    let _serial = alone();
    run("sizes", 2, &[]);
    run("devices", 2, &[LIMIT]);
}

fn one_that_waits(joining: Joining) {
    let Err(code) = joining.try_join() else {
        unreachable!("the other rank does not come");
    };
    assert_eq!(code, HCCL_E_TIMEOUT);
    let said = text();
    assert!(said.contains("rank 1 of 2 did not join in time"), "{said}");
    let again = joining.try_join().map(|_| ());
    assert_eq!(again, Err(HCCL_E_TCP_CONNECT));
    // The port of the parent may be closed by now.
    let said = text();
    let is_known = said.contains("is used up") || said.contains("its port closes when all ranks");
    assert!(is_known, "{said}");
    nothing_is_left();
}

#[test]
fn a_process_that_never_joins_fails_the_others() {
    let _serial = alone();
    let children = start("alone", 0..1, 2, &[LIMIT]);
    for child in children {
        succeed(0, child);
    }
}
