//! `cargo xtask suggestions`: the changes that the compiler offers for the programs that must not compile.
//!
//! A reader follows the compiler's advice. So the command applies each offer, alone and all of a program together. A
//! result that compiles must be a correct program that does what was meant. `ui-tests/suggestions.csv` lists these
//! results, each with the reason why it is correct, and with statements that run it. The command runs them under the
//! checker. It fails for a result that compiles and is not listed, for a listed line without an offer, and for a run
//! that is wrong.
//!
//! The same is done for random programs that are refused (`programs`): what compiles after an offer runs under the
//! checker.

mod offer;
mod reviewed;

use std::collections::BTreeMap;

use random_programs::said::{self, Refusal};
use ui_tests::case::Case;
use ui_tests::package::{Package, Program};

use crate::error::Error;
use crate::files;
use crate::output::say;
use crate::process::{root, target};
use crate::programs;
use offer::{Change, changes};

/// `cargo xtask suggestions`.
pub(crate) fn command() -> Result<(), Error> {
    let root = root();
    let (listed, mut mistakes) = reviewed::parse(&files::text(&root.join(reviewed::FILE))?);
    let cases = files::cases()?.cases;
    let package = Package {
        workspace: &root,
        folder: &target(&root).join("ui-suggestions"),
    };

    let messages = refusals(&package, &cases)?;
    let changes: Vec<(&Case, Change)> = cases
        .iter()
        .flat_map(|case| {
            let of_case = messages.get(&case.id()).map(Vec::as_slice);
            let changes = changes(&case.text, of_case.unwrap_or_default());
            changes.into_iter().map(move |change| (case, change))
        })
        .collect();
    let compiling = compiling(&package, &changes)?;

    let found: Vec<_> = compiling
        .iter()
        .map(|(case, change)| (case.id(), *change))
        .collect();
    mistakes.extend(reviewed::mistakes(&listed, &found));
    say(&format!(
        "{} programs, {} changes offered, {} of them compile\n",
        cases.len(),
        changes.len(),
        found.len()
    ));
    let (entries, texts): (Vec<_>, Vec<_>) = reviewed::runs(&listed, &found).into_iter().unzip();
    let (runs, wrong) = programs::run(&texts)?;
    mistakes.extend(wrong.iter().filter_map(|run| {
        let entry = entries.get(run.number)?;
        Some(entry.wrong(&run.said))
    }));
    say(&format!(
        "{} of the listed programs run, {runs} runs under the checker\n",
        texts.len()
    ));
    if mistakes.is_empty() {
        return programs::offers();
    }
    Err(failed(format!(
        "{} mistakes\n{}",
        mistakes.len(),
        mistakes.join("\n")
    )))
}

fn failed(text: String) -> Error {
    Error::Failed(format!("suggestions: {text}"))
}

/// The errors of programs, by their files. If there are none, all programs compile.
fn check(
    package: &Package<'_>,
    programs: &[Program<'_>],
) -> Result<BTreeMap<String, Vec<Refusal>>, Error> {
    package.write(programs).map_err(|error| {
        failed(format!(
            "cannot write {}: {error}",
            package.folder.display()
        ))
    })?;
    let output = package
        .check()
        .arg("--message-format=json")
        .output()
        .map_err(|error| failed(format!("cannot start cargo check: {error}")))?;
    let of_program = |file: &str| file.starts_with("src/");
    let mut said: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for error in
        said::errors(&String::from_utf8_lossy(&output.stdout), of_program).map_err(failed)?
    {
        said.entry(error.file.clone()).or_default().push(error);
    }
    let known = |file: &String| programs.iter().any(|program| program.file() == *file);
    if output.status.success() == said.is_empty() && said.keys().all(known) {
        return Ok(said);
    }
    let text = String::from_utf8_lossy(&output.stderr);
    Err(failed(format!(
        "the compiler stumbles over something else than a case\n{text}"
    )))
}

/// The compiler's messages for each case, by its name.
///
/// rustc prints some messages only once for a program, although other cases would have them too. Such cases are
/// compiled again, until each has as many errors as its reviewed message.
fn refusals(
    package: &Package<'_>,
    cases: &[Case],
) -> Result<BTreeMap<String, Vec<Refusal>>, Error> {
    let mut done = BTreeMap::new();
    let mut left: Vec<&Case> = cases.iter().collect();
    while !left.is_empty() {
        let programs: Vec<_> = left.iter().map(|case| program(case)).collect();
        let mut said = check(package, &programs)?;
        let before = left.len();
        left.retain(|case| {
            let messages = said.remove(&program(case).file()).unwrap_or_default();
            if messages.len() < errors_in(case) {
                return true;
            }
            done.insert(case.id(), messages);
            false
        });
        if left.len() == before {
            break;
        }
    }
    for case in left {
        let mut said = check(package, &[program(case)])?;
        let messages = said.remove(&program(case).file()).unwrap_or_default();
        let (count, expected) = (messages.len(), errors_in(case));
        if count < expected {
            return Err(failed(format!(
                "{}: {count} errors, and {expected} in its reviewed message; run `cargo xtask ui {}`",
                case.path(),
                case.name
            )));
        }
        done.insert(case.id(), messages);
    }
    Ok(done)
}

/// The case as a program of the package.
fn program(case: &Case) -> Program<'_> {
    Program {
        area: &case.area,
        name: case.name.clone(),
        text: case.text.clone(),
    }
}

/// The number of errors in the reviewed message of a case: at least one.
fn errors_in(case: &Case) -> usize {
    let message = case.message.as_deref().unwrap_or_default();
    let errors = message.lines().filter(|line| line.starts_with("error"));
    errors.count().max(1)
}

/// The changes whose result compiles.
///
/// Refused results are removed and the others are checked again, until none is refused, because one error hides
/// others.
fn compiling<'a>(
    package: &Package<'_>,
    changes: &'a [(&'a Case, Change)],
) -> Result<Vec<(&'a Case, &'a Change)>, Error> {
    let mut left: Vec<(Program<'_>, (&Case, &Change))> = (0..)
        .zip(changes)
        .map(|(number, (case, change)): (usize, _)| {
            let program = Program {
                area: &case.area,
                name: format!("{}_{number}", case.name),
                text: change.text.clone(),
            };
            (program, (*case, change))
        })
        .collect();
    loop {
        let programs: Vec<_> = left.iter().map(|(program, _)| program.clone()).collect();
        let refused = check(package, &programs)?;
        if refused.is_empty() {
            return Ok(left.into_iter().map(|(_, change)| change).collect());
        }
        left.retain(|(program, _)| !refused.contains_key(&program.file()));
    }
}
