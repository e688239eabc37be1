//! The typed collectives with a process for each rank, which a rank table joins: their results, and ranks that are killed,
//! that are silent, or that disagree.
//!
//! Each test starts processes of itself. The variable with the number of a rank tells them apart from their parent.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

use ascendcl::collective::{Comm, Sum, World};
use ascendcl::error::ErrorKind;
use ascendcl::stream::Main;
use ascendcl::{Acl, Current, DeviceBuf, DeviceTag, HostSide, Npu, Queued, Result, Stream, sys};

use crate::common::{acl_with_journal, assert_clean, assert_says, host, isolated, this_program};

/// The variables of the process of a rank: its number, and the rank table.
const RANK: &str = "COLLECTIVE_RANK";
const TABLE: &str = "COLLECTIVE_TABLE";

/// The line of a rank for which its parent waits.
const READY: &str = "the rank is ready";

/// A rank table of one server, whose devices have the numbers of their ranks. The file ends with the value.
struct Table(PathBuf);

impl Table {
    fn new(name: &str, ranks: u32) -> Table {
        let device = |rank| format!(r#"{{"device_id": "{rank}", "rank_id": "{rank}"}}"#);
        let devices: Vec<_> = (0..ranks).map(device).collect();
        let text = format!(
            r#"{{"status": "completed", "version": "1.0", "server_count": "1", "server_list": [{{"server_id": "here", "device": [{}]}}]}}"#,
            devices.join(", ")
        );
        let file = format!("it-{name}-{}.json", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
        fs::write(&path, text).unwrap();
        Table(path)
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// The process of a rank. One that still runs is killed at the end.
struct Process {
    child: Child,
    /// It stays open until the process has ended, because a write to a closed pipe is an error there.
    stdout: BufReader<ChildStdout>,
}

/// The processes of the ranks.
struct Ranks(Vec<Process>);

impl Ranks {
    /// Starts the test of this process once for each rank of a table.
    fn start(table: &Table, ranks: u32) -> Ranks {
        let rank = |rank: u32| {
            let mut command: Command = this_program();
            command
                .args(std::env::args_os().skip(1))
                .env(RANK, rank.to_string())
                .env(TABLE, &table.0)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            let stdout = BufReader::new(child.stdout.take().unwrap());
            Process { child, stdout }
        };
        Ranks((0..ranks).map(rank).collect())
    }

    /// Waits until a rank is ready for its parent.
    fn wait_for(&mut self, rank: usize) {
        let stdout = self.0[rank].stdout.by_ref();
        let mut lines = stdout.lines().map_while(std::io::Result::ok);
        assert!(lines.any(|line| line.contains(READY)), "rank {rank}");
    }

    /// Waits for the end of a rank, and returns its status with what it has written.
    fn end_of(&mut self, rank: usize) -> (ExitStatus, String) {
        let Process { child, stdout } = &mut self.0[rank];
        // A rank that waits for its parent goes on when its input ends.
        drop(child.stdin.take());
        let mut text = String::new();
        stdout.read_to_string(&mut text).unwrap();
        if let Some(mut stderr) = child.stderr.take() {
            stderr.read_to_string(&mut text).unwrap();
        }
        (child.wait().unwrap(), text)
    }

    #[track_caller]
    fn succeeds(&mut self, rank: usize) {
        let (status, text) = self.end_of(rank);
        assert!(status.success(), "rank {rank}: {status}\n{text}");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It fails for a process that has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Tells the parent that this rank is ready.
#[expect(clippy::print_stdout, reason = "the parent reads it")]
fn be_ready() {
    println!("{READY}");
}

/// Waits in a rank until its parent ends its input.
fn wait_for_parent() {
    let mut nothing = Vec::new();
    std::io::stdin().read_to_end(&mut nothing).unwrap();
}

/// A rank with a queued communicator and numbers that are queued, too.
struct Member<'t, 'd, D: DeviceTag> {
    rank: u32,
    host: HostSide<'d>,
    stream: Stream<'t, 'd, D>,
    comm: Queued<'d, (D, Main), Comm<'t, 'd, D>>,
    numbers: Queued<'d, (D, Main), DeviceBuf<'d, D, [f32]>>,
}

impl<'t, 'd, D: DeviceTag> Member<'t, 'd, D> {
    fn join(current: Current<'t, 'd, D>, host: HostSide<'d>, rank: u32) -> Result<Self> {
        let table = std::env::var_os(TABLE).unwrap();
        let comm = current.comm_init_cluster_info::<World>(Path::new(&table), rank)?;
        let mut stream = current.create_stream::<Main>()?;
        let first = rank as f32;
        let numbers = stream.malloc_host_from(host, &[first, first + 1.0, first + 2.0])?;
        let numbers = stream.memcpy_async(stream.malloc(3)?, &numbers)?;
        Ok(Member {
            rank,
            host,
            comm: stream.adopt(comm),
            stream,
            numbers,
        })
    }

    /// Adds the first numbers of all ranks.
    fn sum(&mut self, len: usize) -> Result<()> {
        let numbers = self.numbers.slice_mut(0..len)?;
        self.stream
            .with(&self.comm)
            .all_reduce_in_place(Sum, numbers)
    }

    fn assert(&mut self, expected: [f32; 3]) {
        let back = self.stream.malloc_host(self.host, 3).unwrap();
        let back = self.stream.memcpy_async(back, &self.numbers).unwrap();
        let idle = self.stream.synchronize().unwrap();
        assert_eq!(idle.take(back)[..], expected, "rank {}", self.rank);
    }

    /// Waits and destroys the communicator.
    fn end(mut self) -> Result<()> {
        let idle = self.stream.synchronize()?;
        idle.take(self.numbers).free()?;
        idle.take(self.comm).destroy()
    }

    /// Asserts that the wait fails in one of these calls and says this, and destroys the communicator without a proof.
    fn fails(mut self, expected: &[(&str, i32)], words: &str) {
        let failed = self.stream.synchronize().map(|_| ());
        let ErrorKind::Wait(failed) = failed.unwrap_err().into_kind() else {
            unreachable!("a wait fails as a wait");
        };
        let hint = failed.hint.unwrap_or_default();
        let is_expected = expected.contains(&(failed.call, failed.code));
        assert!(is_expected, "{} {}: {hint}", failed.call, failed.code);
        let name = format!(
            "rank {} of 3 of the communicator `hccl_world_group`",
            self.rank
        );
        assert!(hint.starts_with(&name) && hint.contains(words), "{hint}");
        let drained = self.stream.drain().unwrap();
        let numbers = drained.take(self.numbers).accept_unverified();
        numbers.free().unwrap();
        let comm = drained.take(self.comm).accept_unverified();
        comm.destroy().unwrap();
    }
}

/// The error of the wait of a rank whose operation another rank does not make.
const MISSED: (&str, i32) = (
    "aclrtSynchronizeStream",
    sys::ACL_ERROR_RT_FFTS_PLUS_TIMEOUT,
);
/// The error of the wait of a rank after another one has failed.
const REMOTE: (&str, i32) = ("HcclGetCommAsyncError", sys::HCCL_E_REMOTE.0);

/// Asserts what the emulator has noticed in this process.
fn assert_noticed(what: &[&str]) {
    assert_eq!(ascendcl::release_failures(), 0);
    let noticed = ascendcl::emulator::violations();
    let texts: Vec<_> = noticed.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(texts.len(), what.len(), "{texts:#?}");
    for (text, what) in texts.iter().zip(what) {
        assert!(text.contains(what), "{text}");
    }
}

/// Runs `parent` with the processes, or `rank` in one of them, on its device. The emulator notices `what` in the ranks 0 and
/// 2, and the second list in rank 1.
macro_rules! processes {
    ($name:literal, $parent:expr, $rank:path, $what:expr, $in_one:expr) => {
        let Some(rank) = std::env::var_os(RANK) else {
            let table = Table::new($name, 3);
            let parent: fn(&mut Ranks) = $parent;
            parent(&mut Ranks::start(&table, 3));
            return;
        };
        let rank: u32 = rank.to_str().unwrap().parse().unwrap();
        let acl = acl_with_journal();
        let host = host(&acl);
        acl.on::<Npu<0>, _>(rank, |current| $rank(current, host, rank))
            .unwrap();
        let what: [&[&str]; 2] = [&$what, &$in_one];
        assert_noticed(what[usize::from(rank == 1)]);
    };
}

fn agrees<'d, D: DeviceTag>(
    current: Current<'_, 'd, D>,
    host: HostSide<'d>,
    rank: u32,
) -> Result<()> {
    let mut member = Member::join(current, host, rank)?;
    member.sum(3)?;
    member.assert([3.0, 6.0, 9.0]);
    // Parts of their own lengths go from process to process, too.
    let counts = member.comm.ranks().counts(&[1, 0, 2])?;
    let place = counts.range(member.comm.ranks().own())?;
    let Member {
        comm,
        stream,
        numbers,
        ..
    } = &mut member;
    let all = stream.malloc::<f32>(3)?;
    let all = stream
        .with(comm)
        .all_gather_v(&counts, numbers.slice(0..place.len())?, all)?;
    stream.memcpy_async(numbers, &all)?;
    member.assert([3.0, 3.0, 6.0]);
    member.end()
}

fn is_killed<'d, D: DeviceTag>(
    current: Current<'_, 'd, D>,
    host: HostSide<'d>,
    rank: u32,
) -> Result<()> {
    let mut member = Member::join(current, host, rank)?;
    member.sum(1)?;
    // This wait would already fail if another rank had been killed.
    member.stream.synchronize()?;
    be_ready();
    if rank == 1 {
        wait_for_parent();
        unreachable!("the parent kills this process first");
    }
    member.sum(1)?;
    member.fails(&[MISSED], "");
    Ok(())
}

fn is_silent<'d, D: DeviceTag>(
    current: Current<'_, 'd, D>,
    host: HostSide<'d>,
    rank: u32,
) -> Result<()> {
    let mut member = Member::join(current, host, rank)?;
    member.sum(1)?;
    member.stream.synchronize()?;
    if rank == 1 {
        // The others have given up when the parent ends the input.
        wait_for_parent();
        member.fails(&[REMOTE], "another rank");
        return Ok(());
    }
    member.sum(1)?;
    member.fails(&[MISSED, REMOTE], "");
    Ok(())
}

fn disagrees<'d, D: DeviceTag>(
    current: Current<'_, 'd, D>,
    host: HostSide<'d>,
    rank: u32,
) -> Result<()> {
    let mut member = Member::join(current, host, rank)?;
    member.sum(if rank == 1 { 2 } else { 3 })?;
    member.fails(&[MISSED], "");
    Ok(())
}

/// Joins twice by the same table, as a thread.
fn by_table<'d, D: DeviceTag>(
    current: Current<'_, 'd, D>,
    host: HostSide<'d>,
    rank: u32,
) -> Result<()> {
    for _ in 0..2 {
        let mut member = Member::join(current, host, rank)?;
        member.sum(2)?;
        member.assert([1.0, 3.0, rank as f32 + 2.0]);
        member.end()?;
    }
    Ok(())
}

/// Runs two ranks as threads.
fn threads_of(acl: &Acl) {
    let side = host(acl);
    std::thread::scope(|threads| {
        let one = threads.spawn(|| acl.on::<Npu<1>, _>(1, |current| by_table(current, side, 1)));
        acl.on::<Npu<0>, _>(0, |current| by_table(current, side, 0))
            .unwrap();
        one.join().unwrap().unwrap();
    });
}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_DEVICES" = "2"]
    fn threads_join_by_a_rank_table_again_and_again() {
        let table = Table::new("threads", 2);
        // SAFETY: no other thread runs yet.
        unsafe { std::env::set_var(TABLE, &table.0) };
        let acl = acl_with_journal();
        threads_of(&acl);
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    fn a_rank_table_that_does_not_fit_is_refused() {
        let table = Table::new("refused", 1);
        let acl = acl_with_journal();
        acl.on::<Npu<0>, _>(0, |current| {
            let missing = current.comm_init_cluster_info::<World>("no such table.json", 0);
            assert_says(missing, &["HcclCommInitClusterInfo", "HCCL_E_INTERNAL", "the path and the JSON of the rank table"]);
            let other = current.comm_init_cluster_info::<World>(&table.0, 7);
            assert_says(other, &["HcclCommInitClusterInfo", "HCCL_E_PARA", "the rank is not in the rank table"]);
            // A refused rank has taken no name.
            current.comm_init_cluster_info::<World>(&table.0, 0)?.destroy()
        })
        .unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_DEVICES" = "3"]
    fn processes_that_agree_have_the_results_of_threads() {
        processes!("agree", |ranks| (0..3).for_each(|rank| ranks.succeeds(rank)), agrees, [], []);
    }

    // No time limit is set, so a rank that is not told would wait for half an hour.
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_DEVICES" = "3", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_killed_process_is_an_error_of_the_others() {
        processes!("killed", |ranks| {
            (0..3).for_each(|rank| ranks.wait_for(rank));
            ranks.0[1].child.kill().unwrap();
            ranks.succeeds(0);
            ranks.succeeds(2);
            assert!(!ranks.end_of(1).0.success());
        }, is_killed, ["rank 1 does not make this operation: its process has ended"], []);
    }

    // A limit of operations alone: processes take longer to join on a busy machine, or on an emulated processor.
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_DEVICES" = "3", "HCCL_EXEC_TIMEOUT" = "5",
     "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_silent_process_is_an_error_of_every_rank() {
        processes!("silent", |ranks| {
            ranks.succeeds(0);
            ranks.succeeds(2);
            ranks.succeeds(1);
        }, is_silent, ["rank 1 did not make this operation in time"], []);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_DEVICES" = "3", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn processes_that_disagree_are_an_error_of_every_rank() {
        let differ = ["do not agree: the counts are"];
        processes!("disagree", |ranks| (0..3).for_each(|rank| ranks.succeeds(rank)), disagrees, differ, differ);
    }
}
