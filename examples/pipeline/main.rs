//! Upload, compute and download at the same time: batches in lanes, each with a stream of its own.
//!
//! ```text
//! cargo run --release --example pipeline
//! ```
//!
//! One lane does one step after the other. With more lanes the steps of different batches overlap. The time is that of the
//! device: one more stream waits for the squares of each batch, and records an event before the first and behind the last. The
//! host only writes and reads one number of each batch.
//!
//! The streams of the emulator share the cores and the memory of the host, so large batches gain little there.

use std::io::{Write, stderr, stdout};
use std::process::ExitCode;

use ascendcl::{Acl, Npu, event::OrderTiming, op, pipeline::Pipeline, stream::Main};
use clap::{Parser, value_parser};

/// Squares batches of numbers in one lane and in several.
///
/// ASCENDCL_BACKEND chooses where: `cann`, `emulator`, or the path of a libascendcl.so. Without it
/// CANN is used where it is found, else the emulator.
///
/// Exit status: 0 if every number is right, 1 if something failed, 2 for a wrong command line.
#[derive(Debug, Parser)]
struct Args {
    /// Which device computes
    #[arg(long, value_name = "ID", default_value_t = 0)]
    device: u32,
    /// Batches
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = value_parser!(u16).range(1..=10_000))]
    turns: u16,
    /// Numbers in a batch
    #[arg(long, value_name = "N", default_value_t = 1 << 18, value_parser = value_parser!(u32).range(1..=1 << 28))]
    numbers: u32,
}

fn main() -> ExitCode {
    let Err(error) = run(&Args::parse()) else {
        return ExitCode::SUCCESS;
    };
    // A failed write to stderr cannot be reported anywhere.
    let _ = writeln!(stderr(), "error: {error}");
    ExitCode::FAILURE
}

/// Turn `n` squares `n`, the first number of its batch.
fn run(args: &Args) -> Result<(), Box<dyn std::error::Error>> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    let (turns, len) = (args.turns, args.numbers as usize);
    let mut table = format!("backend {}\nlanes         time     gain\n", acl.backend());
    let (mut one, mut is_right) = (None, true);
    acl.on::<Npu<0>, _>(args.device, |current| {
        let mut clock = current.create_stream::<Main>()?;
        for lanes in 1..=4 {
            let mut pipeline = Pipeline::new(current, host, lanes, [len, len])?;
            let event = || current.create_event::<OrderTiming>();
            let [mut start, mut squared, mut end] = [event()?, event()?, event()?];
            // Only the last batch has an event for the end.
            let mut ends = (1..turns).map(|_| None).chain([Some(&mut end)]);
            let mut last = clock.record(&mut start)?;
            let start = last.synchronize()?;
            pipeline.run(
                0..i32::from(turns),
                |turn, input: &mut [i32]| input.iter_mut().take(1).for_each(|first| *first = turn),
                |batch| {
                    let x = batch.input.tensor(&[len])?;
                    let plan = op::mul(current, &x, &x, batch.output.into_tensor(&[len])?)?;
                    let squares = plan.launch(batch.stream)?.into_output();
                    clock.wait(batch.stream.record(&mut squared)?)?;
                    if let Some(Some(end)) = ends.next() {
                        last = clock.record(end)?;
                    }
                    Ok(squares)
                },
                |turn, x| x.map(|x| is_right &= x.starts_with(&[(turn * turn) as i32])),
            )?;
            let millis = last.synchronize()?.millis_since(&start)?;
            let gain = *one.get_or_insert(millis) / millis;
            table += &format!("{lanes:>5} {millis:>9.3} ms {gain:>8.2}\n");
        }
        Ok(())
    })?;
    is_right.then_some(()).ok_or("a square is wrong")?;
    table += &format!("{turns} batches of {len} numbers, all squares are right\n");
    Ok(stdout().write_all(table.as_bytes())?)
}
