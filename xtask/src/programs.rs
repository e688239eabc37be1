//! `cargo xtask programs`: random programs, judged by a model, by the compiler and by the emulator's checker.
//!
//! The package `random-programs` (`ui-tests/programs/`) does the work.

use random_programs::{
    COUNT, Only, Options, SEED, SOAK, WrongRun, judge_programs, run_programs, try_controls,
    try_offers,
};

use crate::error::Error;
use crate::options::Options as Words;
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

/// `cargo xtask programs`.
pub(crate) fn command(words: &[&str]) -> Result<(), Error> {
    let takes = "`programs` takes --seed <n>, --count <n> or --soak, --ranks, --limits, --kernels or --graphs, and --controls [<word>]";
    let mut words = Words::new(words, takes);
    let mut options = options();
    options.seed = words.number("--seed")?.unwrap_or(SEED);
    let count = words.number("--count")?.map(usize::try_from);
    options.count = count.and_then(Result::ok).unwrap_or(COUNT);
    if words.flag("--soak") {
        options.count = SOAK;
    }
    for (name, only) in [
        ("--ranks", Only::Ranks),
        ("--limits", Only::Limits),
        ("--kernels", Only::Kernels),
        ("--graphs", Only::Graphs),
    ] {
        if words.flag(name) {
            options.only = Some(only);
        }
    }
    let controls = words
        .flag("--controls")
        .then(|| words.word().unwrap_or_default());
    words.end()?;
    match controls {
        Some(word) => try_controls(&options, word, &print)?,
        None => judge_programs(&options, &print)?,
    }
    Ok(())
}
