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
    /// One kind of them: alone, limits, pools, reserved, counters, shares, settings, kernels, graphs, media, comms or ranks
    #[arg(long, value_name = "KIND")]
    only: Option<Only>,
    /// Weaken the API in a copy, rule by rule (those with the word): each hole has to be found
    #[arg(long, value_name = "WORD", num_args = 0..=1, default_missing_value = "")]
    controls: Option<String>,
}

/// `cargo xtask programs`.
pub(crate) fn command(words: &Arguments) -> Result<(), Error> {
    let options = Options {
        seed: words.seed,
        count: if words.soak { SOAK } else { words.count },
        only: words.only,
        ..options()
    };
    match &words.controls {
        Some(word) => try_controls(&options, word, &print)?,
        None => judge_programs(&options, &print)?,
    }
    Ok(())
}
