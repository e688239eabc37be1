//! Upload, compute and download at the same time: batches in lanes, each with a stream of its own.
//!
//! ```text
//! cargo run --release --example pipeline
//! ```
//!
//! One lane does one step after the other. With more lanes the steps of different batches overlap. The host writes and reads
//! one number of each batch, so the time is that of the device.

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ascendcl::pipeline::Pipeline;
use ascendcl::{Acl, Current, HostSide, Npu, op};
use clap::Parser;

/// An error as a text: every failure ends as one line on the screen.
type Result<T, E = Box<dyn std::error::Error + Send + Sync>> = std::result::Result<T, E>;

/// Squares batches of numbers in one lane and in several.
///
/// ASCENDCL_BACKEND chooses where: `cann`, `emulator`, or the path of a libascendcl.so. Without it
/// CANN is used where it is found, else the emulator.
#[derive(Debug, Parser)]
#[command(
    name = "pipeline",
    after_help = "Exit status: 0 if every number is right, 1 if something failed, 2 for a wrong command line."
)]
struct Args {
    /// Which device computes
    #[arg(long, value_name = "ID", default_value_t = 0)]
    device: u32,
    /// Batches
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    turns: u16,
    /// Numbers in a batch
    #[arg(long, value_name = "N", default_value_t = 1 << 18, value_parser = clap::value_parser!(u32).range(1..=1 << 28))]
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
    let lanes = [1, 2, 3, 4];
    let times = acl.on::<Npu<0>, _>(args.device, |current| {
        Ok(lanes.map(|lanes| square(current, host, lanes, args)))
    })?;
    let mut table = format!("backend {}\nlanes        time     gain\n", acl.backend());
    let mut one = None;
    for (lanes, time) in lanes.into_iter().zip(times) {
        let time = time?;
        let gain = one.get_or_insert(time).as_secs_f64() / time.as_secs_f64();
        table += &format!("{lanes:>5} {time:>11.3?} {gain:>8.2}\n");
    }
    let Args { turns, numbers, .. } = args;
    writeln!(
        std::io::stdout(),
        "{table}{turns} batches of {numbers} numbers, all squares are right"
    )?;
    Ok(())
}

/// The time for all batches. Turn `n` squares `n`, the first number of its batch.
fn square(
    current: Current<'_, '_, Npu<0>>,
    host: HostSide<'_>,
    lanes: usize,
    args: &Args,
) -> Result<Duration> {
    let len = args.numbers as usize;
    let mut pipeline = Pipeline::new(current, host, lanes, [len, len])?;
    let mut wrong = Vec::new();
    let start = Instant::now();
    pipeline.run(
        0..i32::from(args.turns),
        |turn, input: &mut [i32]| input.iter_mut().take(1).for_each(|first| *first = turn),
        |batch| {
            let x = batch.input.tensor(&[len])?;
            let output = batch.output.into_tensor(&[len])?;
            let plan = op::mul(current, &x, &x, output)?;
            Ok(plan.launch(batch.stream)?.into_output())
        },
        |turn, squares| {
            let turn = turn as i32;
            let is_wrong = squares?.first() != Some(&turn.wrapping_mul(turn));
            wrong.extend(is_wrong.then_some(turn));
            Ok(())
        },
    )?;
    match wrong.first() {
        None => Ok(start.elapsed()),
        Some(turn) => Err(format!("the square of {turn} is wrong").into()),
    }
}
