//! Ranks as threads of one process or as processes, and how the root information reaches them.
//!
//! A launcher such as `torchrun` starts a process for each rank and says by variables who that is: `RANK` of
//! `WORLD_SIZE`, `LOCAL_RANK` for the device, and `MASTER_ADDR` with `MASTER_PORT` for the exchange. The launcher here
//! ([`processes`]) sets the same ones, so a program behaves alike under both.

mod environment;
mod exchange;
mod processes;
mod threads;

use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use ascendcl::collective::{Comm, RootInfo, World};
use ascendcl::{Acl, Current, DeviceTag, ErrorKind, HostSide, Thread, sys};

pub(crate) use environment::{start, this_process};
use exchange::Exchange;
pub(crate) use processes::processes;
pub(crate) use threads::threads;

use crate::Result;

/// How long a failure that may be the consequence of another one waits for that one.
const GRACE: Duration = Duration::from_secs(1);

/// The exit status of a rank that failed because another one did. That one has status 1, or a signal has killed it.
const CONSEQUENCE: u8 = 3;

/// The exit status of other failures.
const FAILURE: u8 = 1;

/// The work of every rank, on any device.
pub(crate) trait Work: Sync {
    fn run<D: DeviceTag>(
        &self,
        current: Current<'_, '_, D>,
        host: HostSide<'_>,
        rank: &Rank,
    ) -> Result<()>;
}

/// One of the ranks.
#[derive(Debug)]
pub(crate) struct Rank {
    /// The number of the rank, from 0.
    pub(crate) number: u32,
    /// The number of ranks.
    pub(crate) size: u32,
    /// The device of the rank.
    pub(crate) device: u32,
    exchange: Exchange,
    /// Who prints the lines of this rank: the launcher that it is a thread of, or the rank itself.
    lines: Option<Sender<Event>>,
}

impl Rank {
    /// Joins the communicator of all ranks. Rank 0 makes the root information and sends it to the others.
    pub(crate) fn join<'t, 'd, D: DeviceTag>(
        &self,
        current: Current<'t, 'd, D>,
    ) -> Result<Comm<'t, 'd, D, World>> {
        let info = if self.number == 0 {
            let info = current.root_info(self.size)?;
            self.exchange.send(self.size, &info.to_bytes())?;
            info
        } else {
            RootInfo::from_bytes(&self.exchange.receive(self.number, self.size)?)?
        };
        Ok(current.comm_init_root_info(&info, self.number)?)
    }

    /// Runs `work` with the device of this rank.
    pub(crate) fn run<W: Work>(&self, acl: &Acl, work: &W) -> Result<()> {
        let devices = acl.device_count()?;
        if self.device >= devices {
            let needed = self.device + 1;
            return Err(format!(
                "it is to use device {}, and there are {devices} devices, from 0: start at most {devices} ranks on \
                 this machine, or set ASCENDCL_EMULATOR_DEVICES={needed} on the emulator",
                self.device
            )
            .into());
        }
        let host = acl.host()?;
        let mut thread = Thread::claim()?;
        acl.with_device(&mut thread, self.device, |device, thread| {
            work.run(thread.set_current(&device)?, host, self)?;
            Ok(device.reset()?)
        })?
    }

    /// Prints a line. Only rank 0 prints.
    pub(crate) fn say(&self, line: &str) -> Result<()> {
        match &self.lines {
            _ if self.number > 0 => Ok(()),
            // The launcher is gone only if the process ends.
            Some(lines) => Ok(lines.send(Event::Line(line.to_owned()))?),
            None => say(line),
        }
    }
}

/// News of the ranks for their launcher.
#[derive(Debug)]
enum Event {
    /// A line of rank 0.
    Line(String),
    /// A rank is over.
    Ended(Option<Failure>),
}

/// The failure of a rank.
#[derive(Debug)]
struct Failure {
    rank: u32,
    /// "failed: ..." or "was killed ...".
    text: String,
    /// Whether it failed only because another rank did.
    is_consequence: bool,
}

impl Failure {
    fn new(rank: u32, error: &(dyn Error + Send + Sync + 'static)) -> Failure {
        Failure {
            rank,
            text: format!("failed: {error}"),
            is_consequence: is_consequence(error),
        }
    }
}

/// Waits until `count` ranks are over. After a failure it waits no longer than it takes to find the first cause.
fn attend(
    events: &Receiver<Event>,
    count: u32,
    print: &mut dyn FnMut(&str) -> Result<()>,
) -> Result<()> {
    let mut consequence: Option<Failure> = None;
    let mut running = count;
    while running > 0 {
        let event = match &consequence {
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(_) => events.recv_timeout(GRACE),
        };
        match event {
            Ok(Event::Line(line)) => print(&line)?,
            Ok(Event::Ended(failure)) => {
                running -= 1;
                match failure {
                    Some(failure) if !failure.is_consequence => {
                        return Err(sum_up(&failure, count));
                    }
                    Some(failure) => consequence = consequence.or(Some(failure)),
                    None => {}
                }
            }
            Err(_) => break,
        }
    }
    match consequence {
        Some(failure) => Err(sum_up(&failure, count)),
        None => Ok(()),
    }
}

/// The one error of a run.
fn sum_up(failure: &Failure, count: u32) -> Box<dyn Error + Send + Sync> {
    let Failure { rank, text, .. } = failure;
    match count {
        1 => format!("rank {rank} {text}").into(),
        _ => format!("rank {rank} of {count} {text}; the other ranks were ended").into(),
    }
}

/// The error of a rank that another rank has left alone.
#[derive(Debug)]
pub(crate) struct Abandoned(String);

impl fmt::Display for Abandoned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Abandoned {}

/// The codes with which HCCL answers when another rank is gone: a time that is over, a broken connection.
const GONE: [i32; 3] = [
    sys::HCCL_E_TIMEOUT.0,
    sys::HCCL_E_TCP_TRANSFER.0,
    sys::HCCL_E_REMOTE.0,
];

/// Whether a rank fails like this because another rank has failed: the exchange has ended, a wait for common work has
/// failed, or HCCL misses a rank.
fn is_consequence(error: &(dyn Error + Send + Sync + 'static)) -> bool {
    let is_left_alone = |error: &ascendcl::Error| match error.kind() {
        ErrorKind::Wait(_) => true,
        ErrorKind::Refused(failed) => {
            failed.call.starts_with("Hccl") && GONE.contains(&failed.code)
        }
        _ => false,
    };
    error.is::<Abandoned>() || error.downcast_ref().is_some_and(is_left_alone)
}

/// Prints the error of a run, and returns the exit status.
pub(crate) fn end(result: Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&*error);
            ExitCode::from(status(&*error))
        }
    }
}

fn status(error: &(dyn Error + Send + Sync + 'static)) -> u8 {
    if is_consequence(error) {
        CONSEQUENCE
    } else {
        FAILURE
    }
}

/// Prints a line to stdout. A closed pipe (`| head`) is not a failure.
pub(crate) fn say(line: &str) -> Result<()> {
    match writeln!(io::stdout(), "{line}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("cannot print to stdout: {error}").into())
        }
        _ => Ok(()),
    }
}

/// Prints an error to stderr as one line.
fn complain(error: &dyn Error) {
    let text = error.to_string();
    let line = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    // If stderr is closed, the exit status is the only report.
    let _ = writeln!(io::stderr(), "error: {line}");
}

/// The most ranks that one command starts.
const MOST: u32 = 1024;

/// A number of ranks on the command line.
pub(crate) fn count(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(number) if (1..=MOST).contains(&number) => Ok(number),
        _ => Err(format!(
            "give a whole number from 1 to {MOST}: each rank has a device of its own, and a thread or a process"
        )),
    }
}
