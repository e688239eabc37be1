//! `cargo xtask programs`: random programs, judged by a model, by the compiler and by the emulator's checker.
//!
//! The package `random-programs` (`ui-tests/programs/`) does the work.

use random_programs::{
    COUNT, Only, Options, SEED, SOAK, WrongRun, judge_programs, run_programs, try_controls,
    try_offers,
};

use crate::error::Error;
use crate::output::print;
use crate::process::{root, target};

fn options() -> Options {
    Options {
        seed: SEED,
        count: COUNT,
        only: None,
        target: target().join("programs"),
        workspace: root(),
    }
}

/// The compiler's offers for random programs, as a part of `cargo xtask suggestions`.
pub(crate) fn offers() -> Result<(), Error> {
    Ok(try_offers(&options(), &print)?)
}

/// Runs programs with a function `program` under the checker. Returns the number of runs, and the programs that are
/// wrong.
pub(crate) fn run(texts: &[String]) -> Result<(usize, Vec<WrongRun>), Error> {
    Ok(run_programs(&options(), texts)?)
}

/// The words behind `cargo xtask programs`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[arg(long, default_value_t = SEED)]
    seed: u64,
    /// How many
    #[arg(long, default_value_t = COUNT)]
    count: usize,
    /// A long run of 20000
    #[arg(long, conflicts_with = "count")]
    soak: bool,
    /// With several ranks each
    #[arg(long, group = "only")]
    ranks: bool,
    /// With a limit for each wait, on devices that hang
    #[arg(long, group = "only")]
    limits: bool,
    #[arg(long, group = "only")]
    pools: bool,
    /// With memory that grows
    #[arg(long, group = "only")]
    reserved: bool,
    #[arg(long, group = "only")]
    counters: bool,
    /// With memory and events for other processes
    #[arg(long, group = "only")]
    shares: bool,
    /// With limits of cores and sizes of devices
    #[arg(long, group = "only")]
    settings: bool,
    #[arg(long, group = "only")]
    kernels: bool,
    #[arg(long, group = "only")]
    graphs: bool,
    /// Weaken the API in a copy, rule by rule (those with the word): each hole has to be found
    #[arg(long, value_name = "WORD", num_args = 0..=1, default_missing_value = "")]
    controls: Option<String>,
}

/// `cargo xtask programs`.
pub(crate) fn command(words: &Arguments) -> Result<(), Error> {
    let only = [
        (words.ranks, Only::Ranks),
        (words.limits, Only::Limits),
        (words.pools, Only::Pools),
        (words.reserved, Only::Reserved),
        (words.counters, Only::Counters),
        (words.shares, Only::Shares),
        (words.settings, Only::Settings),
        (words.kernels, Only::Kernels),
        (words.graphs, Only::Graphs),
    ];
    let options = Options {
        seed: words.seed,
        count: if words.soak { SOAK } else { words.count },
        only: only.into_iter().find_map(|(is, only)| is.then_some(only)),
        ..options()
    };
    match &words.controls {
        Some(word) => try_controls(&options, word, &print)?,
        None => judge_programs(&options, &print)?,
    }
    Ok(())
}
