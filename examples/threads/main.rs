//! Threads that share devices. The number of threads and the number of devices are known at run time only.
//!
//! ```text
//! cargo run --release --example threads
//! ```
//!
//! A device that is known only by its number has a brand instead of a slot: `Acl::with_device` gives each device a
//! type of its own, so functions are written once, for any device. `Current::with_stream` does the same for streams:
//! each thread has a stream of its own, for any number of threads. The threads borrow their device, so it cannot be
//! reset before they are done.

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;
use std::thread;

use ascendcl::{Acl, Device, DeviceTag, HostSide, Thread, op};
use clap::Parser;

/// An error as a text: every failure ends as one line on the screen.
type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

/// Squares numbers on every device there is, with several threads on each.
///
/// ASCENDCL_BACKEND chooses where: `cann`, `emulator`, or the path of a libascendcl.so. Without it
/// CANN is used where it is found, else the emulator.
#[derive(Debug, Parser)]
#[command(
    name = "threads",
    after_help = "Exit status: 0 if every number is right, 1 if something failed, 2 for a wrong command line."
)]
struct Args {
    /// Threads on each device
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..))]
    threads: u8,
    /// Numbers to square
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..=1 << 28))]
    numbers: u32,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // A failed write to stderr cannot be reported anywhere.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    let count = acl.device_count()?;
    if count == 0 {
        return Err("there is no device: `npu-smi info` lists those that the driver sees".into());
    }
    let mut numbers: Vec<i32> = (0..).take(args.numbers as usize).collect();
    let each = numbers.len().div_ceil(count as usize);
    let used = numbers.chunks(each).len();
    let shared = &acl;
    thread::scope(|scope| {
        let running: Vec<_> = numbers
            .chunks_mut(each)
            .zip(0..count)
            .map(|(part, id)| scope.spawn(move || on_device(shared, host, id, args.threads, part)))
            .collect();
        running.into_iter().try_for_each(join)
    })?;
    expect(&numbers)?;
    writeln!(
        std::io::stdout(),
        "backend {}\n{} squares are right, from {used} of {count} devices with up to {} threads each",
        acl.backend(),
        args.numbers,
        args.threads,
    )?;
    acl.finalize()?;
    Ok(())
}

/// Opens a device and shares it between threads.
fn on_device(
    acl: &Acl,
    host: HostSide<'_>,
    id: u32,
    threads: u8,
    numbers: &mut [i32],
) -> Result<()> {
    let mut here = Thread::claim()?;
    acl.with_device(&mut here, id, |device, _thread| {
        share(&device, host, threads, numbers)?;
        Ok(device.reset()?)
    })?
}

/// Squares the numbers of a device with several threads.
fn share<D: DeviceTag>(
    device: &Device<'_, D>,
    host: HostSide<'_>,
    threads: u8,
    numbers: &mut [i32],
) -> Result<()> {
    let each = numbers.len().div_ceil(usize::from(threads));
    thread::scope(|scope| {
        let running: Vec<_> = numbers
            .chunks_mut(each)
            .map(|part| scope.spawn(move || on_thread(device, host, part)))
            .collect();
        running.into_iter().try_for_each(join)
    })
}

/// Squares a part in place, on this thread's own stream.
fn on_thread<D: DeviceTag>(
    device: &Device<'_, D>,
    host: HostSide<'_>,
    numbers: &mut [i32],
) -> Result<()> {
    // The device is bound to the thread and not to the process: every thread binds its own.
    let mut here = Thread::claim()?;
    let current = here.set_current(device)?;
    current.with_stream(|mut stream| {
        let shape = [numbers.len()];
        let mut staged = current.malloc_host::<i32>(host, numbers.len())?;
        staged.copy_from_slice(numbers);
        let input = current.memcpy(current.malloc::<i32>(numbers.len())?, &staged)?;
        let mut output = current.memset(current.malloc::<i32>(numbers.len())?, 0)?;
        let operand = input.tensor(&shape)?;
        op::mul(current, &operand, &operand, output.tensor_mut(&shape)?)?.run(&mut stream)?;
        current.memcpy(&mut staged, &output)?;
        numbers.copy_from_slice(&staged);
        Ok(stream.destroy()?)
    })?
}

/// Returns the result of a thread. A panic of the thread continues in the caller.
fn join(running: thread::ScopedJoinHandle<'_, Result<()>>) -> Result<()> {
    running
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Checks every square.
fn expect(squares: &[i32]) -> Result<()> {
    let wrong = (0_i32..)
        .zip(squares)
        .find(|(number, square)| number.wrapping_mul(*number) != **square);
    match wrong {
        None => Ok(()),
        Some((number, square)) => {
            Err(format!("the square of {number} came back as {square}").into())
        }
    }
}
