//! Transfers data between host, device and media memory, in both run modes.
//!
//! ```text
//! cargo run --release --example data_transfer
//! cargo run --release --example data_transfer -- --variant unified --size 64MiB
//! cargo run --release --example data_transfer -- --run-mode device
//! ```
//!
//! A program can run on a host with a card beside it, or on the chip itself (Ascend RC), where there is no host
//! memory. There are two ways to support both modes. `separate.rs` asks for the run mode and uses the allocators for
//! it: more code, fewer copies on the chip. `unified.rs` uses one allocator that returns memory on the program's own
//! side in both modes: less code, and the program chooses the alignment.

mod args;
#[path = "../common/log.rs"]
mod log;
mod pattern;
mod separate;
mod table;
mod unified;

use std::error::Error;
use std::process::ExitCode;

use ascendcl::emulator::EmulatorConfig;
use ascendcl::error::BackendError;
use ascendcl::{Acl, Npu, RunMode, Thread, sys};
use clap::Parser;

use args::Args;
use log::{Logged, say};
use table::Table;

/// An error as a text: every failure ends as one line on the screen.
type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

fn main() -> ExitCode {
    let args = Args::parse();
    match log::start(args.quiet).and_then(|()| run(&args)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log::complain(&*error);
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<()> {
    let acl = start(args)?;
    let mut thread = Thread::claim()?;
    let device = acl
        .set_device::<Npu<0>>(&mut thread, args.device)
        .logged("aclrtSetDevice")?;
    let current = thread
        .set_current(&device)
        .logged("aclrtSetCurrentContext")?;
    say(&format!(
        "backend   {}\ndevice    {} of {}, {}",
        acl.backend(),
        device.id(),
        acl.device_count().logged("aclrtGetDeviceCount")?,
        acl.soc_name().as_deref().unwrap_or("chip unknown"),
    ))?;

    let in_need = |error| explain(error, args.size);
    if args.separate() {
        // The run mode carries a proof of where the program runs. `malloc_host` needs the proof of the host, and
        // `as_mut_slice` of device memory needs that of the chip. A call of the wrong one does not compile.
        let mut table = Table::default();
        match acl.run_mode().logged("aclrtGetRunMode")? {
            RunMode::Host(side) => {
                say("\nseparate allocators; run mode: host\n")?;
                separate::on_host(current, side, args.size, &mut table).map_err(in_need)?;
            }
            RunMode::Device(side) => {
                say("\nseparate allocators; run mode: device\n")?;
                separate::on_device(current, side, args.size, &mut table).map_err(in_need)?;
            }
        }
        say(&format!("{table}{}", verdict(args.size)))?;
    }
    if args.unified() {
        // The run mode is not asked for.
        let mut table = Table::default();
        say("\none allocator for both run modes\n")?;
        unified::transfer(current, args.size, &mut table).map_err(in_need)?;
        say(&format!("{table}{}", verdict(args.size)))?;
    }

    device.reset().logged("aclrtResetDevice")?;
    acl.finalize().logged("aclFinalize")?;
    Ok(())
}

/// `aclInit` on the backend of the environment, or on an emulator in the wanted run mode.
fn start(args: &Args) -> Result<Acl> {
    let acl = match args.run_mode()? {
        None => Acl::from_env(),
        Some(mode) => {
            let config = EmulatorConfig::from_env().map_err(BackendError::from)?;
            Acl::emulator(config.with_run_mode(mode))
        }
    };
    Ok(acl.logged("aclInit")?)
}

/// The line that is printed if nothing has failed. The checks are in the transfers.
fn verdict(size: usize) -> String {
    format!("verified  all {size} bytes arrived")
}

/// Adds the remedy `--size` to an error of exhausted memory.
fn explain(error: Box<dyn Error + Send + Sync>, size: usize) -> Box<dyn Error + Send + Sync> {
    let code = error
        .downcast_ref::<ascendcl::Error>()
        .and_then(ascendcl::Error::code);
    match code {
        Some(sys::ACL_ERROR_RT_MEMORY_ALLOCATION) => {
            format!("a --size smaller than {size} may help: {error}").into()
        }
        _ => error,
    }
}
