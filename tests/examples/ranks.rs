//! The launcher of ranks: what it refuses, and how all ranks end when one of them fails or is killed.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::common::{Folder, Outcome};

/// A limit that only a hang reaches.
const LIMIT: Duration = Duration::from_secs(60);

fn run(test: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    Folder::new(&format!("ranks_{test}")).run("allreduce", arguments, variables)
}

/// The variables of a launcher, for a rank that finds nobody at its port.
fn launched<'a>(rank: &'a str, size: &'a str, port: &'a str) -> [(&'a str, &'a str); 5] {
    [
        ("RANK", rank),
        ("WORLD_SIZE", size),
        ("LOCAL_RANK", "0"),
        ("MASTER_ADDR", "127.0.0.1"),
        ("MASTER_PORT", port),
    ]
}

#[test]
fn a_number_of_ranks_that_is_none_is_a_wrong_command_line() {
    for (example, option, number) in [
        ("allreduce", "--ranks", "0"),
        ("allreduce", "--processes", "-1"),
        ("train_dp", "--ranks", "2,0"),
        ("train_dp", "--processes", "two"),
        ("allreduce", "--ranks", "1025"),
        ("allreduce", "--processes", "4294967295"),
    ] {
        let outcome = Folder::new("ranks_none").run(example, &[option, number], &[]);
        assert_eq!(outcome.code, Some(2), "{outcome:#?}");
        let remedy = "give a whole number from 1 to 1024: each rank has a device of its own, and a thread or a process";
        assert!(outcome.stderr.contains(remedy), "{outcome:#?}");
        let value = number.rsplit(',').next().unwrap();
        assert!(
            outcome.stderr.contains(&format!("'{value}'")),
            "{outcome:#?}"
        );
    }
}

#[test]
fn threads_and_processes_at_once_are_a_wrong_command_line() {
    let outcome = run("both", &["--ranks", "2", "--processes", "2"], &[]);
    assert_eq!(outcome.code, Some(2), "{outcome:#?}");
    assert!(
        outcome.stderr.contains("cannot be used with"),
        "{outcome:#?}"
    );
}

#[test]
fn more_ranks_than_devices_are_refused() {
    let two = [("ASCENDCL_EMULATOR_DEVICES", "2")];
    run("threads", &["--ranks", "3"], &two).refused(&[
        "error: there are 2 devices for 3 ranks, and each rank has a device of its own: start at most 2 ranks, or set \
         ASCENDCL_EMULATOR_DEVICES=3 on the emulator\n",
    ]);
    run("processes", &["--processes", "3"], &two).refused(&[
        "error: rank 2 of 3 failed: it is to use device 2, and there are 2 devices, from 0: start at most 2 ranks on \
         this machine, or set ASCENDCL_EMULATOR_DEVICES=3 on the emulator; the other ranks were ended\n",
    ]);
}

#[test]
fn variables_of_a_launcher_that_do_not_fit_are_refused() {
    run("rank", &[], &launched("4", "4", "1")).refused(&[
        "error: RANK is 4 and WORLD_SIZE is 4: the ranks count from 0, so give a RANK below 4 or a larger WORLD_SIZE\n",
    ]);
    run("number", &[], &launched("0", "many", "1")).refused(&[
        "error: WORLD_SIZE is \"many\", which is no whole number in its range: the launcher sets it\n",
    ]);
    run("port", &[], &launched("0", "2", "70000")).refused(&[
        "error: MASTER_PORT is \"70000\", which is no whole number in its range: the launcher sets it\n",
    ]);
    run("missing", &[], &[("RANK", "0")]).refused(&[
        "error: WORLD_SIZE is not set: a launcher sets RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and MASTER_PORT for \
         each rank; without one, unset RANK and WORLD_SIZE\n",
    ]);
}

#[test]
fn a_port_that_is_taken_is_named() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    run("taken", &[], &launched("0", "2", &port.to_string())).refused(&[
        &format!("error: rank 0 cannot listen at 127.0.0.1:{port}: "),
        "give MASTER_ADDR an address of the machine of rank 0, and MASTER_PORT a free port\n",
    ]);
}

/// A port that nobody uses.
fn free_port() -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    listener.local_addr().unwrap().port().to_string()
}

#[test]
fn a_rank_says_for_whom_it_waits() {
    for (rank, text) in [
        ("1", "rank 1 of 2 waits for rank 0 at 127.0.0.1:"),
        ("0", "rank 0 of 2 waits for rank 1 at 127.0.0.1:"),
    ] {
        let (port, folder) = (free_port(), Folder::new(&format!("ranks_alone_{rank}")));
        let mut alone = folder
            .command("allreduce", &["--max", "4"], &launched(rank, "2", &port))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(alone.stderr.take().unwrap()).lines();
        let mut lines = lines.map_while(Result::ok);
        let said = lines.find(|line| line.contains("waits for"));
        alone.kill().unwrap();
        alone.wait().unwrap();
        assert_eq!(said, Some(format!("{text}{port}, for 57 s more")));
    }
}

/// Starts ranks by hand, and returns their outcomes in this order.
fn by_hand(test: &str, ranks: &[(&'static str, &'static str)]) -> Vec<Outcome> {
    let (port, folder) = (free_port(), Folder::new(&format!("ranks_{test}")));
    let (port, folder) = (&port, &folder);
    let run = |rank, size| folder.run("allreduce", &["--max", "4"], &launched(rank, size, port));
    thread::scope(|threads| {
        let ranks: Vec<_> = ranks
            .iter()
            .map(|(rank, size)| threads.spawn(move || run(rank, size)))
            .collect();
        ranks.into_iter().map(|rank| rank.join().unwrap()).collect()
    })
}

#[test]
fn two_processes_with_one_number_are_refused() {
    let outcomes = by_hand("twice", &[("0", "3"), ("1", "3"), ("1", "3")]);
    outcomes[0]
        .refused(&["error: two processes came as RANK 1: give each rank a number of its own\n"]);
    for other in &outcomes[1..] {
        assert_eq!(other.code, Some(3), "{other:#?}");
        assert_eq!(
            other.stderr,
            "error: rank 0 ended before it sent the root information\n"
        );
    }
}

#[test]
fn ranks_that_count_differently_are_refused() {
    let outcomes = by_hand("sizes", &[("0", "2"), ("1", "3")]);
    outcomes[0].refused(&[
        "error: a process came as RANK 1 of WORLD_SIZE 3, and rank 0 has WORLD_SIZE 2: give all ranks one WORLD_SIZE\n",
    ]);
    assert_eq!(outcomes[1].code, Some(3), "{:#?}", outcomes[1]);
}

#[test]
fn a_rank_that_fails_ends_all_threads() {
    // Each of four ranks allocates its first numbers, and one of them gets no memory.
    let fault = [("ASCENDCL_EMULATOR_FAULTS", "aclrtMalloc#3=207001")];
    let outcome = run("fails", &["--ranks", "4", "--max", "4"], &fault);
    outcome.refused(&[
        " of 4 failed: aclrtMalloc failed with 207001",
        "; the other ranks were ended\n",
    ]);
    assert!(outcome.stderr.starts_with("error: rank "), "{outcome:#?}");
}

/// A running launcher whose first line was read, so all ranks have a communicator.
struct Running {
    launcher: Child,
    out: BufReader<std::process::ChildStdout>,
}

impl Running {
    /// Starts processes that add up for longer than a test takes.
    fn start(test: &str) -> Running {
        let folder = Folder::new(&format!("ranks_{test}"));
        let arguments = ["--processes", "3", "--max", "4", "--iterations", "10000000"];
        let mut launcher = folder
            .command("allreduce", &arguments, &[])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(launcher.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        assert_eq!(line, "sums of f32 over 3 ranks\n");
        Running { launcher, out }
    }

    /// The process ids of the ranks, in their order.
    fn ranks(&self) -> Vec<String> {
        let id = self.launcher.id();
        let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap();
        let mut ranks: Vec<_> = children
            .split_whitespace()
            .map(|child| {
                let variables = fs::read(format!("/proc/{child}/environ")).unwrap();
                let variables = String::from_utf8_lossy(&variables).into_owned();
                let rank = variables
                    .split('\0')
                    .find_map(|one| one.strip_prefix("RANK="));
                (rank.unwrap().to_owned(), child.to_owned())
            })
            .collect();
        ranks.sort();
        ranks.into_iter().map(|(_, child)| child).collect()
    }

    /// Waits for the end, and returns what was written since the first line.
    fn end(mut self) -> Outcome {
        let (mut stdout, mut stderr) = (String::new(), String::new());
        self.out.read_to_string(&mut stdout).unwrap();
        let mut errors = self.launcher.stderr.take().unwrap();
        errors.read_to_string(&mut stderr).unwrap();
        Outcome {
            code: self.launcher.wait().unwrap().code(),
            stdout,
            stderr,
        }
    }
}

/// Kills a process.
fn kill(id: &str) {
    let killed = Command::new("sh")
        .args(["-c", &format!("kill -9 {id}")])
        .status();
    assert!(killed.unwrap().success());
}

#[test]
fn a_killed_rank_ends_all_processes_with_one_error() {
    let running = Running::start("killed");
    let ranks = running.ranks();
    assert_eq!(ranks.len(), 3);
    kill(&ranks[1]);
    running.end().refused(&[
        "error: rank 1 of 3 was ended: signal: 9 (SIGKILL); the other ranks were ended\n",
    ]);
    for rank in ranks {
        assert!(!Path::new(&format!("/proc/{rank}")).exists(), "rank {rank}");
    }
}

#[test]
fn a_killed_launcher_leaves_no_rank_behind() {
    let mut running = Running::start("launcher");
    let ranks = running.ranks();
    assert_eq!(ranks.len(), 3);
    running.launcher.kill().unwrap();
    running.launcher.wait().unwrap();
    for rank in ranks {
        // Nobody may have asked yet how it ended.
        let is_over = || {
            let state = fs::read_to_string(format!("/proc/{rank}/stat")).unwrap_or_default();
            state.is_empty() || state.contains(") Z ")
        };
        let until = Instant::now() + LIMIT;
        while !is_over() {
            assert!(Instant::now() < until, "rank {rank} still runs");
            thread::sleep(Duration::from_millis(10));
        }
    }
}
