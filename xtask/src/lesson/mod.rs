//! `cargo xtask lesson`: the course in typestates.
//!
//! A learner changes a copy of an exercise until it compiles, runs, and still refuses the mistakes of the lesson. The
//! compiler runs directly, without a package. So a lesson takes seconds; only its second part needs a build of this
//! crate.

mod all;
mod compile;
mod explain;
mod judge;
mod read;

use std::fs;
use std::io::{IsTerminal, stdout};
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::files::{text, write};
use crate::output::say;
use crate::process::root;
use compile::{Compiler, Library};
use judge::{Verdict, judge};
use read::{Exercise, course};

/// A number of a lesson is behind the command, or nothing, or `all`.
pub(crate) fn command(options: &[&str]) -> Result<(), Error> {
    let root = root();
    let exercises = course(&root).map_err(failed)?;
    let (number, options) = match options {
        [] => return list(&exercises),
        ["all"] => return all(&root, &exercises),
        ["all", ..] => return Err(Error::Usage("`lesson all` takes no options".into())),
        [number, options @ ..] => (number, options),
    };
    let (ascendcl, options) = match options {
        ["--ascendcl", options @ ..] => (true, options),
        _ => (false, options),
    };
    let is_meant = |e: &&Exercise| e.ascendcl == ascendcl && e.number.to_string() == *number;
    let exercise = exercises.iter().find(is_meant).ok_or_else(|| {
        let part = if ascendcl {
            " with a part over ascendcl"
        } else {
            ""
        };
        Error::Failed(format!(
            "there is no lesson `{number}`{part}; `cargo xtask lesson` lists them"
        ))
    })?;
    match options {
        [] => check(&root, &exercises, exercise, &copy(&root, exercise)?),
        ["--file", file] => check(&root, &exercises, exercise, &from_here(file)?),
        ["--hint"] => hint(&root, exercise),
        _ => Err(Error::Usage(
            "`lesson` takes a number, then --ascendcl, then --file <file> or --hint".into(),
        )),
    }
}

fn failed(text: String) -> Error {
    Error::Failed(format!("lesson: {text}"))
}

/// A path as the user typed it.
fn from_here(file: &str) -> Result<PathBuf, Error> {
    let folder = std::env::current_dir().map_err(|error| failed(error.to_string()))?;
    Ok(folder.join(file))
}

/// Prints the titles.
fn list(exercises: &[Exercise]) -> Result<(), Error> {
    say("The course in typestates (lessons/README.md)\n\n");
    for exercise in exercises {
        let line = format!("cargo xtask lesson {}", exercise.words());
        let part = if exercise.ascendcl {
            ", over ascendcl"
        } else {
            ""
        };
        say(&format!("  {line:<34} {}{part}\n", exercise.title));
    }
    Ok(())
}

/// Tries the course itself.
fn all(root: &Path, exercises: &[Exercise]) -> Result<(), Error> {
    let (wrong, tried) = all::try_all(root, exercises).map_err(failed)?;
    if wrong.is_empty() {
        say(&format!(
            "lesson: {} exercises, {tried} programs tried\n",
            exercises.len()
        ));
        return Ok(());
    }
    Err(failed(format!(
        "{} mistakes\n{}",
        wrong.len(),
        wrong.join("\n")
    )))
}

/// The learner's file. It begins as a copy of the exercise.
fn copy(root: &Path, exercise: &Exercise) -> Result<PathBuf, Error> {
    let name = format!("{}.rs", exercise.mine());
    let file = root.join(&name);
    if !file.exists() {
        write(&file, &exercise.given)?;
        say(&format!(
            "Read {}/README.md. Your copy of the exercise is {name}.\n\n",
            exercise.folder.trim_end_matches("/ascendcl")
        ));
    }
    // The compiler prints the path in this form.
    Ok(PathBuf::from(name))
}

/// Judges the file of a learner, and explains the result.
fn check(
    root: &Path,
    exercises: &[Exercise],
    exercise: &Exercise,
    file: &Path,
) -> Result<(), Error> {
    let text = text(&root.join(file))?;
    let compiler = Compiler::new(
        exercise.ascendcl.then_some(Library::Alone),
        stdout().is_terminal(),
    )
    .map_err(failed)?;
    let what = match judge(&compiler, exercise, file, &text).map_err(failed)? {
        Verdict::Passed => {
            passed(exercises, exercise);
            return Ok(());
        }
        Verdict::Wrong { what, advice } => {
            say(&format!("Not yet: {what}.\n\n{advice}\n"));
            "not done yet"
        }
        Verdict::Refused(errors) => {
            for error in &errors {
                say(&error.rendered);
                say("\n");
            }
            let page = fs::read_to_string(root.join(explain::PAGE)).unwrap_or_default();
            say(&explain::explain(&errors, &exercise.hints, &page));
            if exercise.checks.case.is_empty() {
                "the program does not compile yet"
            } else {
                "the case is refused, and not for the right reason"
            }
        }
    };
    let words = exercise.words();
    Err(Error::Failed(format!(
        "\nlesson {words}: {what}; `cargo xtask lesson {words} --hint` shows a hint"
    )))
}

/// Prints what was achieved, and the next step.
fn passed(exercises: &[Exercise], exercise: &Exercise) {
    let checks = &exercise.checks;
    say(&format!(
        "Lesson {} is done: {}.\n",
        exercise.words(),
        exercise.title
    ));
    if checks.case.is_empty() {
        say("The program prints the right lines.\n");
    } else {
        say("The case is refused at its marked line, and its twin runs.\n");
    }
    if !checks.refused.is_empty() {
        say("These mistakes do not compile:\n");
    }
    for check in &checks.refused {
        say(&format!("  - {}\n", check.title));
    }
    say(&format!("Compare with {}/solution.rs.\n", exercise.folder));
    let is_this = |e: &Exercise| (e.number, e.ascendcl) == (exercise.number, exercise.ascendcl);
    let next = exercises.iter().skip_while(|e| !is_this(e)).nth(1);
    if let Some(next) = next {
        say(&format!("Next: cargo xtask lesson {}\n", next.words()));
    }
}

/// Prints the next hint. The number of the hints that were read is in a file beside the learner's program.
fn hint(root: &Path, exercise: &Exercise) -> Result<(), Error> {
    let file = root.join(format!("{}.hints", exercise.mine()));
    let read = fs::read_to_string(&file).unwrap_or_default();
    let hints = &exercise.hints.hints;
    let count = read.trim().parse().unwrap_or(0_usize).min(hints.len());
    for (number, text) in (1..).zip(hints).take(count + 1) {
        say(&format!(
            "Hint {number} of {}\n{}\n",
            hints.len(),
            explain::indented(text)
        ));
    }
    if count >= hints.len() {
        say(&format!(
            "There are no more hints. The solution is {}/solution.rs.\n",
            exercise.folder
        ));
        return Ok(());
    }
    write(&file, &format!("{}\n", count + 1))
}
