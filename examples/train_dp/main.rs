//! Data-parallel training: each rank computes the gradient of its examples, and all of them add up their gradients.
//!
//! ```text
//! cargo run --release --features training --example train_dp
//! cargo run --release --features training --example train_dp -- --processes 1,2,4
//! cargo run --release --features training --example train_dp -- --ranks 1,8 --steps 500
//! ```
//!
//! A perceptron learns the digits of a display with seven segments, by typed operators in safe code. Rank 0 chooses the
//! first weights and broadcasts them (`HcclBroadcast`). In each step one `HcclAllReduce` adds up the gradients and the losses
//! of all ranks, and AdamW changes the weights. The losses are those of PyTorch (`reference.py`). The
//! program trains with several numbers of ranks, and compares the losses.

mod args;
mod data;
mod network;
#[path = "../common/ranks/mod.rs"]
mod ranks;
mod train;

use std::error::Error;
use std::process::ExitCode;

use ascendcl::Acl;
use clap::Parser;

use args::Args;
use train::Train;

/// Every failure ends as one line on the screen, so a text with its context is all that is needed.
type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

/// The largest difference between losses that rounding explains. A loss is about 2 in the beginning.
const TOLERANCE: f32 = 1e-4;
/// The rows of the table, beside the last one.
const ROWS: usize = 10;

fn main() -> ExitCode {
    ranks::end(run(&Args::parse()))
}

fn run(args: &Args) -> Result<()> {
    let work = Train {
        steps: args.steps,
        rate: args.rate,
    };
    if let Some(rank) = ranks::this_process()? {
        let acl = Acl::from_env()?;
        rank.run(&acl, &work)?;
        return Ok(acl.finalize()?);
    }
    let (counts, acl) = if args.processes.is_empty() {
        let most = args.ranks.iter().copied().max();
        (&args.ranks, Some(ranks::start(most.unwrap_or(1))?))
    } else {
        (&args.processes, None)
    };
    let mut runs = Vec::new();
    for count in counts.iter().copied() {
        let mut losses: Vec<f32> = Vec::new();
        let mut collect = |line: &str| {
            losses.push(line.parse()?);
            Ok(())
        };
        match &acl {
            Some(acl) => ranks::threads(acl, count, &work, &mut collect)?,
            None => ranks::processes(count, &mut collect)?,
        }
        if losses.len() != args.steps as usize {
            let (got, steps) = (losses.len(), args.steps);
            return Err(format!("rank 0 of {count} has {got} losses of {steps} steps").into());
        }
        runs.push((count, losses));
    }
    print(&runs)?;
    if let Some(acl) = acl {
        acl.finalize()?;
    }
    compare(&runs)
}

/// Prints the losses, a column for each number of ranks.
fn print(runs: &[(u32, Vec<f32>)]) -> Result<()> {
    let steps = runs.first().map_or(0, |(_, losses)| losses.len());
    let head = runs.iter().map(|(count, _)| match count {
        1 => format!("{:>14}", "1 rank"),
        _ => format!("{:>8} ranks", count),
    });
    ranks::say(&format!("{:>6}{}", "step", head.collect::<String>()))?;
    let each = steps.div_ceil(ROWS).max(1);
    for step in (0..steps).filter(|step| step % each == 0 || step + 1 == steps) {
        let losses = runs.iter().filter_map(|(_, losses)| losses.get(step));
        let losses: String = losses.map(|loss| format!("{loss:>14.7}")).collect();
        ranks::say(&format!("{step:>6}{losses}"))?;
    }
    Ok(())
}

/// Compares the losses of all runs with those of the first.
fn compare(runs: &[(u32, Vec<f32>)]) -> Result<()> {
    let Some(((first, expected), others)) = runs.split_first() else {
        return Ok(());
    };
    let mut largest = 0.0_f32;
    for (count, losses) in others {
        for (step, (loss, expected)) in losses.iter().zip(expected).enumerate() {
            let difference = (loss - expected).abs();
            if difference.is_nan() || difference > TOLERANCE {
                return Err(format!(
                    "the loss of step {step} is {loss} with {count} ranks and {expected} with {first}: they may differ \
                     by {TOLERANCE:.0e}"
                )
                .into());
            }
            largest = largest.max(difference);
        }
    }
    if others.is_empty() {
        return Ok(());
    }
    ranks::say(&format!("the losses differ by at most {largest:.1e}"))
}
