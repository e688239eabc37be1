//! Collective communication by rank tables, and the variables of the library.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and a parent reads what a child says"
)]

#[macro_use]
mod common;

use std::ffi::CString;
use std::path::PathBuf;
use std::{fs, ptr, thread};

use ascendcl_sys::*;
use common::processes::{start, *};
use common::ranks::*;
use common::*;

const PROGRAMS: [(&str, fn(Joining)); 2] = [("table", by_table), ("variables", variables)];

#[test]
fn the_programs() {
    run_own(&PROGRAMS);
}

/// The variable with the path of the table.
const TABLE: &str = "RANKS_TABLE";

/// Returns a table of one server, whose devices have the numbers of their ranks.
fn table(ranks: u32) -> String {
    let device = |rank: u32| format!("{{\"device_id\": \"{rank}\", \"rank_id\": \"{rank}\"}}");
    let devices: Vec<_> = (0..ranks).map(device).collect();
    format!(
        "{{\"status\": \"completed\", \"version\": \"1.0\", \"server_count\": \"1\", \"server_list\": \
         [{{\"server_id\": \"here\", \"device\": [{}]}}]}}",
        devices.join(", ")
    )
}

/// A file that is removed at the end of its test.
struct Table(PathBuf);

impl Table {
    fn new(name: &str, text: &str) -> Table {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let path = path.join(format!("{name}-{}.json", std::process::id()));
        fs::write(&path, text).expect("the folder can be written");
        Table(path)
    }

    fn text(&self) -> &str {
        self.0.to_str().expect("a text")
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn join(path: &str, rank: u32) -> Result<HcclComm, HcclResult> {
    let (path, mut comm) = (CString::new(path).expect("no NUL"), ptr::null_mut());
    match hccl!(HcclCommInitClusterInfo(path.as_ptr(), rank, &raw mut comm)) {
        HCCL_SUCCESS => Ok(comm),
        code => Err(code),
    }
}

fn set_device(device: u32) {
    check!(device.aclrtSetDevice(i32::try_from(device).expect("a device")));
}

/// Adds 1 over all ranks, which have a communicator each.
fn sum(path: &str, rank: u32, size: u32) {
    set_device(rank);
    let comm = join(path, rank).unwrap_or_else(|code| unreachable!("{code:?}: {}", text()));
    let (stream, rank) = (stream(), rank);
    let rank = Rank {
        rank,
        size,
        comm,
        stream,
    };
    let memory = rank.upload(&[1.0]);
    let code = hccl!(HcclAllReduce(
        memory,
        memory,
        1,
        F32,
        HCCL_REDUCE_SUM,
        comm,
        stream
    ));
    assert_eq!((code, rank.wait()), (HCCL_SUCCESS, 0), "{}", text());
    let expected = f32::from(u8::try_from(size).expect("small"));
    assert_eq!(rank.download(memory, 1), [expected]);
    rank.end(&[memory]);
}

#[test]
fn threads_join_by_a_table_again_and_again() {
    let _serial = alone();
    let table = Table::new("threads", &table(3));
    thread::scope(|threads| {
        for rank in 0..3 {
            let path = table.text();
            threads.spawn(move || {
                for _ in 0..3 {
                    sum(path, rank, 3);
                }
            });
        }
    });
    reset();
}

fn by_table(joining: Joining) {
    let path = std::env::var(TABLE).expect("a table");
    for _ in 0..3 {
        sum(&path, joining.rank, joining.size);
    }
    reset();
    expect_findings(&[]);
}

#[test]
fn processes_join_by_a_table_again_and_again() {
    let _serial = alone();
    let table = Table::new("processes", &table(3));
    run("table", 3, &[(TABLE, table.text())]);
}

#[test]
fn faults_of_a_table_are_named() {
    let _serial = alone();
    set_device(0);
    let refused = |path: &str, rank, code, words: &str| {
        assert_eq!(join(path, rank), Err(code));
        assert!(text().contains(words), "{words}");
    };
    let mut comm = ptr::null_mut();
    let null = hccl!(HcclCommInitClusterInfo(ptr::null(), 0, &raw mut comm));
    assert_eq!(null, HCCL_E_PTR);
    let null = hccl!(HcclCommInitClusterInfo(c"x".as_ptr(), 0, ptr::null_mut()));
    assert_eq!(null, HCCL_E_PTR);
    refused("", 0, HCCL_E_INTERNAL, "the rank table has 0 bytes");
    refused(&"x".repeat(5000), 0, HCCL_E_INTERNAL, "has 5000 bytes");
    refused(
        "/nonexistent.json",
        0,
        HCCL_E_INTERNAL,
        "/nonexistent.json cannot be read",
    );
    let good = Table::new("faults", &table(2));
    refused(
        good.text(),
        2,
        HCCL_E_PARA,
        "rank is 2; the rank table has 2 ranks",
    );
    refused(
        good.text(),
        1,
        HCCL_E_PARA,
        "the device_id of rank 1 is 1, and the current device is 0",
    );
    let bad = table(2).replace("\"rank_id\": \"1\"", "\"rank_id\": \"0\"");
    let bad = Table::new("twice", &bad);
    refused(
        bad.text(),
        0,
        HCCL_E_INTERNAL,
        "two devices have the rank_id 0",
    );
    refused(
        good.text(),
        0,
        HCCL_E_TIMEOUT,
        "rank 1 of 2 did not join in time",
    );
    let path = CString::new(good.text()).expect("no NUL");
    let mut config = HcclCommConfig::new();
    config.hcclBufferSize = 0;
    let code = hccl!(HcclCommInitClusterInfoConfig(
        path.as_ptr(),
        0,
        &raw mut config,
        &raw mut comm
    ));
    assert_eq!(code, HCCL_E_PARA);
    let alone = Table::new("alone", &table(1));
    let first = join(alone.text(), 0).expect("one rank");
    refused(
        alone.text(),
        0,
        HCCL_E_PARA,
        "has a communicator named \"hccl_world_group\" already",
    );
    assert_eq!(hccl!(HcclCommDestroy(first)), HCCL_SUCCESS);
}

/// Says what the variables of this process do.
fn variables(_: Joining) {
    set_device(0);
    let mut info = HcclRootInfo {
        internal: [0; HCCL_ROOT_INFO_BYTES],
    };
    let code = hccl!(HcclGetRootInfo(&raw mut info));
    println!("{code:?}: {}", text());
    let mut value = HcclConfigValue { value: 9 };
    value.value = 9;
    let code = hccl!(HcclSetConfig(HCCL_DETERMINISTIC, value));
    println!("setting: {code:?}");
    reset();
    let _ = call!(device.aclrtResetDeviceForce(0));
}

#[test]
fn variables_that_are_no_numbers_are_refused() {
    let _serial = alone();
    let says = |name, value| {
        let child = start("variables", 0..1, 1, &[(name, value)]).remove(0);
        let output = child.wait_with_output().expect("it ends");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    for (name, value, remedy) in [
        (
            "HCCL_CONNECT_TIMEOUT",
            "soon",
            "set it to a number from 120 to 7200, or remove it",
        ),
        (
            "HCCL_CONNECT_TIMEOUT",
            "119",
            "set it to a number from 120 to 7200, or remove it",
        ),
        (
            "HCCL_EXEC_TIMEOUT",
            "-1",
            "set it to a number from 0 to 2147483647, or remove it",
        ),
        (
            "HCCL_BUFFSIZE",
            "200M",
            "set it to a number from 1 to 4294967295, or remove it",
        ),
        (
            "HCCL_DETERMINISTIC",
            "yes",
            "set it to false, true or strict, or remove it",
        ),
    ] {
        let said = says(name, value);
        let expected = format!(
            "HCCL_E_PARA: HcclGetRootInfo failed: the variable {name} is {value:?}; {remedy}"
        );
        assert!(said.contains(&expected), "{said}");
    }
    let said = says("HCCL_BUFFSIZE", "64");
    assert!(
        said.contains("HCCL_SUCCESS: \n") && said.contains("setting: HCCL_E_PARA"),
        "{said}"
    );
    let said = says("HCCL_DETERMINISTIC", "True");
    assert!(
        said.contains("setting: HCCL_SUCCESS"),
        "the variable decides: {said}"
    );
}
