//! How fast ranks add up numbers: a table of sizes, times and bandwidths, each result checked by every rank.
//!
//! ```text
//! cargo run --release --example allreduce
//! cargo run --release --example allreduce -- --ranks 4
//! cargo run --release --example allreduce -- --processes 4 --max 1MiB
//! ```
//!
//! `HcclGetRootInfo`, `HcclCommInitRootInfo`, `HcclAllReduce`. Rank 0 makes the root information. The launcher
//! (`common/ranks/`) brings it to the other ranks, which are threads or processes with a device each.

mod args;
mod measure;
#[path = "../common/ranks/mod.rs"]
mod ranks;
mod table;

use std::error::Error;
use std::process::ExitCode;

use ascendcl::Acl;
use clap::Parser;

use args::Args;
use measure::Measure;

/// Every failure ends as one line on the screen, so a text with its context is all that is needed.
type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

fn main() -> ExitCode {
    ranks::end(run(&Args::parse()))
}

fn run(args: &Args) -> Result<()> {
    let work = Measure {
        sizes: args.sizes()?,
        iterations: args.iterations,
    };
    if let Some(rank) = ranks::this_process()? {
        let acl = Acl::from_env()?;
        rank.run(&acl, &work)?;
        return Ok(acl.finalize()?);
    }
    let mut print = |line: &str| ranks::say(line);
    if let Some(count) = args.processes {
        return ranks::processes(count, &mut print);
    }
    let acl = ranks::start(args.ranks.unwrap_or(1))?;
    let count = match args.ranks {
        Some(count) => count,
        None => acl.device_count()?,
    };
    if count == 0 {
        return Err("there is no device: `npu-smi info` lists those that the driver sees".into());
    }
    ranks::threads(&acl, count, &work, &mut print)?;
    Ok(acl.finalize()?)
}
