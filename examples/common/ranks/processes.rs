//! Ranks as processes of this program.

use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::Result;
use crate::ranks::environment::{
    DEVICES, LOCAL_RANK, MASTER_ADDR, MASTER_PORT, RANK, STDIN_IS_LAUNCHER, WORLD_SIZE,
};
use crate::ranks::{CONSEQUENCE, Event, Failure, attend};

/// The beginning of the line with the error of a rank.
const ERROR: &str = "error: ";

/// The processes. Those that still run are killed at the end.
struct Children(Vec<Mutex<Child>>);

impl Drop for Children {
    fn drop(&mut self) {
        for child in &self.0 {
            let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
            // It fails for a child that has ended.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Starts this program `count` times with its own arguments, each time as a rank. `print` gets the lines of rank 0.
///
/// If a rank fails, the others are killed.
pub(crate) fn processes(count: u32, print: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
    let mut children = Children(Vec::new());
    let program = env::current_exe()?;
    let port = free_port()?;
    for rank in 0..count {
        let mut command = Command::new(&program);
        command
            .args(env::args_os().skip(1))
            .env(RANK, rank.to_string())
            .env(LOCAL_RANK, rank.to_string())
            .env(WORLD_SIZE, count.to_string())
            .env(MASTER_ADDR, Ipv4Addr::LOCALHOST.to_string())
            .env(MASTER_PORT, port.to_string())
            .env(STDIN_IS_LAUNCHER, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if env::var_os(DEVICES).is_none_or(|value| value.is_empty()) {
            command.env(DEVICES, count.to_string());
        }
        let child = command
            .spawn()
            .map_err(|error| format!("rank {rank} cannot be started: {error}"))?;
        children.0.push(Mutex::new(child));
    }
    let (send, events) = channel();
    thread::scope(|threads| {
        for (rank, child) in (0..).zip(&children.0) {
            let send = send.clone();
            threads.spawn(move || supervise(rank, child, &send));
        }
        let ended = attend(&events, count, print);
        if ended.is_err() {
            for child in &children.0 {
                let _ = lock(child).kill();
            }
        }
        ended
    })
}

/// A port that nobody uses. Rank 0 takes it a moment later.
fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .map_err(|error| format!("there is no free port on 127.0.0.1: {error}"))?;
    Ok(listener.local_addr()?.port())
}

fn lock(child: &Mutex<Child>) -> std::sync::MutexGuard<'_, Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads what a rank writes, and tells when it has ended.
fn supervise(rank: u32, child: &Mutex<Child>, events: &Sender<Event>) {
    let (stdout, stderr) = {
        let mut child = lock(child);
        (child.stdout.take(), child.stderr.take())
    };
    let error = thread::scope(|threads| {
        let errors = threads.spawn(|| {
            let mut error = None;
            for line in lines(stderr) {
                match line.strip_prefix(ERROR) {
                    Some(text) => error = Some(text.to_owned()),
                    // If stderr is closed, nobody wants to know.
                    None => drop(writeln!(io::stderr(), "rank {rank}: {line}")),
                }
            }
            error
        });
        for line in lines(stdout) {
            // Nobody receives it only if the launcher ends.
            let _ = events.send(Event::Line(line));
        }
        errors.join().unwrap_or_default()
    });
    // Both pipes are closed, so it has ended or ends now.
    let failure = match lock(child).wait() {
        Ok(status) => failure(rank, status, error),
        Err(error) => Some(Failure {
            rank,
            text: format!("cannot be waited for: {error}"),
            is_consequence: false,
        }),
    };
    let _ = events.send(Event::Ended(failure));
}

fn lines(pipe: Option<impl io::Read>) -> impl Iterator<Item = String> {
    pipe.into_iter().flat_map(|pipe| {
        BufReader::new(pipe)
            .lines()
            .map_while(std::result::Result::ok)
    })
}

/// Returns the failure that an exit status stands for.
fn failure(rank: u32, status: ExitStatus, error: Option<String>) -> Option<Failure> {
    if status.success() {
        return None;
    }
    let text = match (status.code(), error) {
        (Some(_), Some(error)) => format!("failed: {error}"),
        // The text of the status names its code or the signal.
        _ => format!("was ended: {status}"),
    };
    Some(Failure {
        rank,
        text,
        is_consequence: status.code() == Some(i32::from(CONSEQUENCE)),
    })
}
