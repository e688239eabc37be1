//! Asynchronous copies from and to memory that the program only borrows: plain `Vec`s.
//!
//! ```text
//! cargo run --release --example borrowed
//! ```
//!
//! Queued memory usually belongs to its stream until a wait proves that the device is done with it. A scope lends
//! memory instead: the scope waits before it returns, on every path out of it. Until then nothing else can use the
//! `Vec`s, and afterwards the program has them back.

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Thread, op};
use clap::Parser;

/// An error as a text: every failure ends as one line on the screen.
type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

/// Adds two `Vec`s on a device without giving them away.
///
/// ASCENDCL_BACKEND chooses where: `cann`, `emulator`, or the path of a libascendcl.so. Without it
/// CANN is used where it is found, else the emulator.
#[derive(Debug, Parser)]
#[command(
    name = "borrowed",
    after_help = "Exit status: 0 if every sum is right, 1 if something failed, 2 for a wrong command line."
)]
struct Args {
    /// Which device adds
    #[arg(long, value_name = "ID", default_value_t = 0)]
    device: u32,
    /// Numbers to add
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
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
    acl.host()?; // it copies to host memory
    let len = args.numbers as usize;
    let left: Vec<i32> = (0..).take(len).collect();
    let right = vec![1; len];
    let mut sums = vec![0; len];

    let mut thread = Thread::claim()?;
    let device = acl.set_device::<Npu<0>>(&mut thread, args.device)?;
    let current = thread.set_current(&device)?;
    let mut stream = current.create_stream::<Main>()?;
    current.scope(|scope| -> Result<()> {
        let a = stream.adopt(scope.lend(&left[..]));
        let b = stream.adopt(scope.lend(&right[..]));
        let mut back = stream.adopt(scope.lend(&mut sums[..]));
        let x = stream.adopt(current.malloc::<i32>(len)?);
        let x = stream.memcpy_async(x, &a)?;
        let y = stream.adopt(current.malloc::<i32>(len)?);
        let y = stream.memcpy_async(y, &b)?;
        let mut sum = stream.adopt(current.memset(current.malloc::<i32>(len)?, 0)?);
        let (first, second) = (x.tensor(&[len])?, y.tensor(&[len])?);
        let out = sum.tensor_mut(&[len])?;
        op::add(current, &first, &second, 1, out)?
            .launch(&mut stream)?
            .into_output();
        stream.memcpy_async(&mut back, &sum)?;
        // `sums` cannot be read here, and `left` cannot be dropped: the device may not have begun.
        Ok(())
    })??;
    stream.synchronize()?;
    stream.destroy()?;
    device.reset()?;
    expect(&sums)?;
    writeln!(
        std::io::stdout(),
        "backend {}\n{len} sums are right, in a `Vec` that was never given away",
        acl.backend(),
    )?;
    acl.finalize()?;
    Ok(())
}

/// Checks every sum.
fn expect(sums: &[i32]) -> Result<()> {
    let wrong = (1_i32..).zip(sums).find(|(right, sum)| right != *sum);
    match wrong {
        None => Ok(()),
        Some((right, sum)) => Err(format!("{right} came back as {sum}").into()),
    }
}
