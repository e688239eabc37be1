//! Random programs over the public API of `ascendcl`, as a test of its types.
//!
//! 1. `generate` makes legal programs: lists of steps, of which `model` knows what they mean for the runtime of C.
//! 2. `mutate` changes two of three by one edit, so that programs on both sides of the border are met.
//! 3. `model` says for each program whether it is legal. It knows the rules of AscendCL and nothing of `src/`.
//! 4. `print` writes a program as Rust, and `compile` asks the compiler about hundreds of them at a time.
//! 5. `run` runs what the compiler accepts, on the emulator under its checker: eager, lazy, in a random order, with
//!    faults.
//!
//! An illegal program that is accepted is a hole, and so is a finding of the checker, a crash or a hang. A legal
//! program that is refused is a loss. Each loss has to be in a class that the model predicts and that
//! `docs/soundness.md` explains. `controls` shows that holes are found: it weakens the API in a copy.
//!
//! `cargo xtask programs` is the command.

mod compile;
mod controls;
mod faults;
mod generate;
mod judge;
mod kinds;
mod model;
mod mutate;
mod offers;
mod options;
mod prelude;
mod print;
mod program;
mod random;
mod run;
pub mod said;
mod scene;
mod shrink;
mod smaller;
mod table;

use std::fmt::Write as _;
use std::time::Instant;

use judge::{Judgement, Outcome, judge_all};
pub use offers::WrongRun;
use options::of_run;
pub use options::{COUNT, Only, Options, SEED, SOAK};
use print::print;
use program::Program;
pub use run::{on_all_processors, wait};
use table::Table;

/// The number of programs that are compiled together.
const BATCH: usize = 500;
/// The number of wrong programs that are made smaller.
const SHRUNK: usize = 3;

/// Makes and judges programs. Fails if there is a hole, or a loss without an explanation.
pub fn judge_programs(options: &Options, say: &dyn Fn(&str)) -> Result<(), String> {
    let start = Instant::now();
    let workshop = options.workshop();
    let mut table = Table::default();
    let mut wrong: Vec<(usize, Program, Judgement)> = Vec::new();
    for first in (0..options.count).step_by(BATCH) {
        let numbers = first..options.count.min(first + BATCH);
        let seed = options.seed.wrapping_add(first as u64);
        let made = of_run(options, numbers.clone());
        let judgements = judge_all(&workshop, &made, seed)?;
        for ((number, program), judgement) in numbers.zip(made).zip(judgements) {
            table.add(&program, &judgement);
            if matches!(
                judgement.outcome(),
                Outcome::Hole | Outcome::UnexplainedLoss
            ) {
                say(&describe(number, &program, &judgement));
                wrong.push((number, program, judgement));
            }
        }
        if options.count > BATCH {
            let done = options.count.min(first + BATCH);
            let holes = table.count(Outcome::Hole);
            let seconds = start.elapsed().as_secs();
            say(&format!("{done} programs, {holes} holes, {seconds} s\n"));
        }
    }
    for (number, program, judgement) in wrong.iter().take(SHRUNK) {
        let (smaller, judgement) = shrink::shrink(&workshop, program, judgement, options.seed)?;
        say(&format!(
            "smaller: {}",
            describe(*number, &smaller, &judgement)
        ));
    }
    say(&table.text());
    say(&format!(
        "seed {}, {:.0} s\n",
        options.seed,
        start.elapsed().as_secs_f64()
    ));
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{} programs are judged wrongly", wrong.len()))
}

/// A program with what was found about it.
fn describe(number: usize, program: &Program, judgement: &Judgement) -> String {
    let mut text = format!("program {number}: {:?}\n", judgement.outcome());
    match judgement.verdict.broken {
        Some(rule) => drop(writeln!(text, "  illegal: {}", rule.text())),
        None => text.push_str("  legal\n"),
    }
    for strictness in &judgement.verdict.strict {
        let _ = writeln!(text, "  {strictness:?}: {}", strictness.text());
    }
    for refusal in &judgement.refusals {
        let _ = writeln!(
            text,
            "  {} in line {}: {}",
            refusal.code, refusal.line, refusal.message
        );
    }
    if let Some((setting, said)) = judgement.wrong.first() {
        let _ = writeln!(text, "  {setting:?}\n{said}");
    }
    text.push_str(&print(program));
    text
}

/// Applies what the compiler offers for refused programs, and runs what compiles then under the checker.
pub fn try_offers(options: &Options, say: &dyn Fn(&str)) -> Result<(), String> {
    offers::try_all(options, say)
}

/// Builds programs and runs each of them under the checker, in several orders and with faults. Each text has a function
/// `program`, which gets an `Acl`. Returns the number of runs, and the programs with a run that is wrong: a finding, a
/// crash, a hang, or an error without a fault. The error is that of a program that does not compile.
pub fn run_programs(options: &Options, texts: &[String]) -> Result<(usize, Vec<WrongRun>), String> {
    offers::run_all(options, texts)
}

/// Weakens the API in a copy, rule by rule, and looks whether the programs of continuous integration find the hole. Only the
/// rules whose text has `word` are removed.
pub fn try_controls(options: &Options, word: &str, say: &dyn Fn(&str)) -> Result<(), String> {
    controls::run(options, word, say)
}

#[cfg(test)]
mod tests {
    use crate::model::Strictness;

    #[test]
    fn each_class_of_losses_is_explained() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/soundness.md");
        let text = std::fs::read_to_string(file).unwrap_or_default();
        // The document breaks lines.
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = words(&text);
        for strictness in Strictness::ALL {
            let row = words(&format!("| {strictness:?} | {} |", strictness.text()));
            assert!(text.contains(&row), "docs/soundness.md has no row\n{row}");
        }
    }
}
