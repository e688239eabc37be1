//! A service that goes on while its devices fail: no request is lost, none waits for ever, and nothing grows.
//!
//! ```text
//! cargo run --release --example service -- --faults 1
//! ```
//!
//! Clients send requests to a `Worker` with two devices. All waits have one limit. A task that fails or hangs costs its request;
//! its device is reset and opened again, while the other device goes on. `--faults` draws such failures on the emulator.

mod args;
mod client;
mod faults;
mod report;
mod worker;

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use ascendcl::bounds::NamedDevice;
use ascendcl::error::Recovery;
use ascendcl::{Acl, MemAttr, Npu};
use clap::Parser;

use args::Args;
use report::Report;
use worker::{DEVICES, Service};

/// An error as a text: every failure ends as one line on the screen.
type Result<T, E = Box<dyn std::error::Error + Send + Sync>> = std::result::Result<T, E>;

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            // A failed write to stderr cannot be reported anywhere.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns whether each request was answered, and nothing has grown.
fn run(args: &Args) -> Result<bool> {
    let acl = match args.faults {
        Some(seed) => Acl::emulator(faults::config(seed)?)?,
        None => Acl::from_env()?,
    };
    let acl = Arc::new(acl);
    let start = used(&acl);
    let openings = Arc::new(AtomicU32::new(0));
    let service = Service {
        limit: args.limit(),
        openings: Arc::clone(&openings),
    };
    let worker = service.start(&acl);
    let answers = thread::scope(|scope| {
        let spawn = |number| {
            let service = worker.client();
            scope.spawn(move || client::run(number, args, &service))
        };
        let clients: Vec<_> = (0..args.clients).map(spawn).collect();
        clients.into_iter().map(join).collect()
    });
    if let Err(error) = worker.stop() {
        worker::log("a device was given up", &error);
    }
    let report = Report {
        backend: acl.backend().to_string(),
        answers,
        resets: openings.load(Ordering::Relaxed).saturating_sub(DEVICES),
        memory: start.zip(used(&acl)),
    };
    writeln!(std::io::stdout(), "{report}")?;
    Ok(report.is_good())
}

fn join<T>(running: thread::ScopedJoinHandle<'_, T>) -> T {
    running
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// The bytes in use on both devices, or nothing where a device does not answer.
fn used(acl: &Acl) -> Option<usize> {
    let of = |info: ascendcl::MemInfo| info.total - info.free;
    Some(of(on::<Npu<0>>(acl, 0)?) + of(on::<Npu<1>>(acl, 1)?))
}

/// How often a device that fails is asked again, every ten milliseconds.
const ATTEMPTS: u32 = 200;

/// Asks a device, which may still end, or fail now. It is asked again then.
fn on<D: NamedDevice>(acl: &Acl, id: u32) -> Option<ascendcl::MemInfo> {
    for attempt in 0..=ATTEMPTS {
        match acl.on::<D, _>(id, |current| current.mem_info(MemAttr::Hbm)) {
            Ok(info) => return Some(info),
            Err(error) => {
                let is_last = attempt == ATTEMPTS || error.recovery() == Recovery::GiveUp;
                if attempt == 0 || is_last {
                    worker::log("a device does not say what is in use", &error);
                }
                if is_last {
                    break;
                }
                thread::sleep(Duration::from_millis(10));
            }
        }
    }
    None
}
