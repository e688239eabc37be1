//! Takes runtime resources in order, uses them, and releases them in order.
//!
//! ```text
//! cargo run --release --example resources
//! cargo run --release --example resources -- --device 0,1 --implicit
//! cargo run --release --example resources -- --fail-at aclrtMalloc
//! cargo run --release --example resources -- --fail-everywhere
//! ```
//!
//! The program takes AscendCL, a device, a stream and memory, and releases each before the one it depends on. If a
//! call fails, `?` leaves the function and the owners release what they hold, without a branch in the code.
//! `--fail-at` and `--fail-everywhere` show this.

mod args;
mod everywhere;
mod journal;
#[path = "../common/log.rs"]
mod log;
mod start;
mod work;

use std::error::Error;
use std::process::ExitCode;

use ascendcl::emulator::EmulatorConfig;
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, RunMode, Thread};
use clap::Parser;

use args::Args;
use journal::Account;
use log::{Logged, say};

/// An error as a text: every failure ends as one line on the screen.
type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

fn main() -> ExitCode {
    let args = Args::parse();
    let outcome = log::start(args.quiet).and_then(|()| {
        if args.fail_everywhere {
            everywhere::run(&args)
        } else {
            run(&args)
        }
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log::complain(&*error);
            ExitCode::FAILURE
        }
    }
}

/// Runs once, and prints the account of the emulator if the user asked for it.
fn run(args: &Args) -> Result<()> {
    let watched = start::watched(args)?;
    let outcome = use_devices(args, watched.as_ref());
    if let Some(emulator) = &watched {
        // Everything is released at this point, after a success and after a failure.
        say(&Account::of_this_process(&emulator.faults).to_string())?;
    }
    outcome.and_then(|()| args.check_that_the_fault_happened())
}

/// From `aclInit` to `aclFinalize`.
fn use_devices(args: &Args, watched: Option<&EmulatorConfig>) -> Result<()> {
    let acl = start::acl(args.config.as_deref(), watched)?;
    let mode = acl.run_mode().logged("aclrtGetRunMode")?;
    let count = acl.device_count().logged("aclrtGetDeviceCount")?;
    say(&format!(
        "backend    {}\nrun mode   {}\ndevices    {count}, {}\nstream     {}",
        acl.backend(),
        match mode {
            RunMode::Host(_) => "host: host memory, and copies between host and device",
            RunMode::Device(_) => "device: the program runs on the chip, device memory only",
        },
        acl.soc_name().as_deref().unwrap_or("chip unknown"),
        if args.implicit {
            "implicit: the default stream, which comes and goes with the device"
        } else {
            "explicit: created, and destroyed before the device is reset"
        },
    ))?;

    // The right to choose this thread's device. Each device is released before the next is taken, so
    // one name in types serves them all; two at once would be `Npu<0>` and `Npu<1>`.
    let mut thread = Thread::claim()?;
    for id in args.devices(acl.default_device_id()) {
        use_device(&acl, &mut thread, id, mode, args.implicit)?;
    }

    // Finalising while a device is alive does not compile.
    acl.finalize().logged("aclFinalize")?;
    Ok(())
}

/// Opens one device, works on it, and releases everything.
fn use_device(
    acl: &Acl,
    thread: &mut Thread,
    id: u32,
    mode: RunMode<'_>,
    implicit: bool,
) -> Result<()> {
    let device = acl
        .set_device::<Npu<0>>(thread, id)
        .logged("aclrtSetDevice")?;
    let current = thread
        .set_current(&device)
        .logged("aclrtSetCurrentContext")?;

    // A stream is the queue that operators run in. On the success path everything is released by
    // hand, to see the errors: the stream first, so that nothing is queued any more.
    if implicit {
        // No call creates the default stream and none may destroy it: `stream.destroy()` does not
        // compile here.
        let mut stream = current.default_stream()?;
        let buffers = work::add(current, mode, &mut stream)?;
        buffers.free()?;
    } else {
        let mut stream = current
            .create_stream::<Main>()
            .logged("aclrtCreateStream")?;
        let buffers = work::add(current, mode, &mut stream)?;
        stream.destroy().logged("aclrtDestroyStream")?;
        buffers.free()?;
    }

    // Resetting a device whose stream or memory is alive does not compile.
    device.reset().logged("aclrtResetDevice")?;
    say(&format!("device {id}   {} sums are right", work::LEN))
}
