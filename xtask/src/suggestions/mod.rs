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

use crate::error::{Context as _, Error, conclude};
use crate::files;
use crate::output::say;
use crate::process::{root, target};
use crate::programs;
use offer::{Change, changes};

/// `cargo xtask suggestions`.
pub(crate) fn command() -> Result<(), Error> {
    let (listed, mut mistakes) = reviewed::parse(&files::text(reviewed::FILE)?);
    let cases = files::cases()?.cases;
    let package = Package {
        workspace: &root(),
        folder: &target().join("ui-suggestions"),
    };

    let messages = refusals(&package, &cases)?;
    let of_case = |case: &Case| {
        let of_case = messages.get(&case.id()).map(Vec::as_slice);
        changes(&case.text, of_case.unwrap_or_default())
    };
    let changes = cases.iter();
    let changes = changes.flat_map(|case| of_case(case).into_iter().map(move |one| (case, one)));
    let changes: Vec<(&Case, Change)> = changes.collect();
    let compiling = compiling(&package, &changes)?.into_iter();
    let found = compiling.map(|(case, change)| (case.id(), change));
    let found: Vec<_> = found.collect();
    mistakes.extend(reviewed::mistakes(&listed, &found));
    let (programs, offered, compile) = (cases.len(), changes.len(), found.len());
    say!("{programs} programs, {offered} changes offered, {compile} of them compile\n");
    let (entries, texts): (Vec<_>, Vec<_>) = reviewed::runs(&listed, &found).into_iter().unzip();
    let (runs, wrong) = programs::run(&texts)?;
    let wrong = wrong
        .iter()
        .filter_map(|run| Some(reviewed::wrong(entries.get(run.number)?, &run.said)));
    mistakes.extend(wrong);
    say!(
        "{} of the listed programs run, {runs} runs under the checker\n",
        texts.len()
    );
    conclude(&mistakes)?;
    programs::offers()
}

/// The errors of programs, by their files. If there are none, all programs compile.
fn check(
    package: &Package<'_>,
    programs: &[Program<'_>],
) -> Result<BTreeMap<String, Vec<Refusal>>, Error> {
    let written = package.write(programs);
    written.on(format!("cannot write {}", package.folder.display()))?;
    let output = package.check().arg("--message-format=json").output();
    let output = output.on("cannot start cargo check")?;
    let of_program = |file: &str| file.starts_with("src/");
    let mut said: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for error in said::errors(&String::from_utf8_lossy(&output.stdout), of_program)? {
        said.entry(error.file.clone()).or_default().push(error);
    }
    let known = |file: &String| programs.iter().any(|program| program.file() == *file);
    if output.status.success() == said.is_empty() && said.keys().all(known) {
        return Ok(said);
    }
    let text = String::from_utf8_lossy(&output.stderr);
    Err(format!("the compiler stumbles over something else than a case\n{text}").into())
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
            let (path, hint) = (case.path(), format!("run `cargo xtask ui {}`", case.name));
            return Err(format!(
                "{path}: {count} errors, and {expected} in its reviewed message; {hint}"
            )
            .into());
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
    let numbered = changes.iter().enumerate();
    let programs = numbered.map(|(number, (case, change))| {
        let (name, text) = (format!("{}_{number}", case.name), change.text.clone());
        (
            Program {
                area: &case.area,
                name,
                text,
            },
            (*case, change),
        )
    });
    let mut left: Vec<(Program<'_>, (&Case, &Change))> = programs.collect();
    loop {
        let programs: Vec<_> = left.iter().map(|(program, _)| program.clone()).collect();
        let refused = check(package, &programs)?;
        if refused.is_empty() {
            return Ok(left.into_iter().map(|(_, change)| change).collect());
        }
        left.retain(|(program, _)| !refused.contains_key(&program.file()));
    }
}
