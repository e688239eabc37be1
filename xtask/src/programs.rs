//! `cargo xtask programs`: random programs, judged by a model, by the compiler and by the emulator's checker.
//!
//! The package `random-programs` (`ui-tests/programs/`) does the work.

use random_programs::{
    COUNT, Only, Options, SEED, SOAK, WrongRun, judge_programs, run_programs, try_controls,
    try_offers,
};

use crate::error::Error;
use crate::output::say;
use crate::process::{root, target};

fn options() -> Options {
    let root = root();
    Options {
        seed: SEED,
        count: COUNT,
        only: None,
        target: target(&root).join("programs"),
        workspace: root,
    }
}

/// The compiler's offers for random programs, as a part of `cargo xtask suggestions`.
pub(crate) fn offers() -> Result<(), Error> {
    try_offers(&options(), &say).map_err(failed)
}

/// Runs programs with a function `program` under the checker. Returns the number of runs, and the programs that are
/// wrong.
pub(crate) fn run(texts: &[String]) -> Result<(usize, Vec<WrongRun>), Error> {
    run_programs(&options(), texts).map_err(failed)
}

fn failed(text: String) -> Error {
    Error::Failed(format!("programs: {text}"))
}

/// `cargo xtask programs`.
pub(crate) fn command(words: &[&str]) -> Result<(), Error> {
    let mut options = options();
    let mut controls = None;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut number = || {
            let number = words.next().and_then(|word| word.parse::<u64>().ok());
            number.ok_or_else(|| Error::Usage(format!("`{word}` needs a number")))
        };
        match *word {
            "--seed" => options.seed = number()?,
            "--count" => options.count = usize::try_from(number()?).unwrap_or(COUNT),
            "--soak" => options.count = SOAK,
            "--ranks" => options.only = Some(Only::Ranks),
            "--limits" => options.only = Some(Only::Limits),
            "--kernels" => options.only = Some(Only::Kernels),
            "--controls" => controls = Some(words.next().copied().unwrap_or_default()),
            _ => return Err(Error::Usage(format!("`programs` does not take `{word}`"))),
        }
    }
    let judged = match controls {
        Some(word) => try_controls(&options, word, &say),
        None => judge_programs(&options, &say),
    };
    judged.map_err(failed)
}
