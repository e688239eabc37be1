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

use crate::error::{Error, conclude, usage};
use crate::files::{text, write};
use crate::options::Options;
use crate::output::say;
use crate::process::{here, root};
use compile::{Compiler, Library};
use judge::{Verdict, judge};
use read::{Exercise, course};

/// A number of a lesson is behind the command, or nothing, or `all`.
pub(crate) fn command(options: &[&str]) -> Result<(), Error> {
    let exercises = course()?;
    let number = match options {
        [] => {
            list(&exercises);
            return Ok(());
        }
        ["all"] => return all(&exercises),
        ["all", ..] => return usage("`lesson all` takes no options"),
        [number, ..] => number,
    };
    let takes = "`lesson` takes a number, then --ascendcl, then --file <file> or --hint";
    let mut options = Options::new(options.get(1..).unwrap_or_default(), takes);
    let ascendcl = options.flag("--ascendcl");
    let (is_hint, file) = (options.flag("--hint"), options.value("--file")?);
    options.end()?;
    let is_meant = |e: &&Exercise| e.ascendcl == ascendcl && e.number.to_string() == *number;
    let exercise = exercises.iter().find(is_meant).ok_or_else(|| {
        let part = if ascendcl {
            " with a part over ascendcl"
        } else {
            ""
        };
        format!("there is no lesson `{number}`{part}; `cargo xtask lesson` lists them")
    })?;
    match file {
        Some(_) if is_hint => options.wrong(),
        Some(file) => check(&exercises, exercise, &here(file)?),
        None if is_hint => hint(exercise),
        None => check(&exercises, exercise, &copy(exercise)?),
    }
}

/// Prints the titles.
fn list(exercises: &[Exercise]) {
    say!("The course in typestates (lessons/README.md)\n\n");
    for exercise in exercises {
        let line = format!("cargo xtask lesson {}", exercise.words());
        let part = if exercise.ascendcl {
            ", over ascendcl"
        } else {
            ""
        };
        say!("  {line:<34} {}{part}\n", exercise.title);
    }
}

/// Tries the course itself.
fn all(exercises: &[Exercise]) -> Result<(), Error> {
    let (wrong, tried) = all::try_all(exercises)?;
    conclude(&wrong)?;
    say!(
        "lesson: {} exercises, {tried} programs tried\n",
        exercises.len()
    );
    Ok(())
}

/// The learner's file. It begins as a copy of the exercise.
fn copy(exercise: &Exercise) -> Result<PathBuf, Error> {
    let name = format!("{}.rs", exercise.mine());
    if !root().join(&name).exists() {
        write(&name, &exercise.given)?;
        let folder = exercise.folder.trim_end_matches("/ascendcl");
        say!("Read {folder}/README.md. Your copy of the exercise is {name}.\n\n");
    }
    // The compiler prints the path in this form.
    Ok(PathBuf::from(name))
}

/// Judges the file of a learner, and explains the result.
fn check(exercises: &[Exercise], exercise: &Exercise, file: &Path) -> Result<(), Error> {
    let program = text(file)?;
    let library = exercise.ascendcl.then_some(Library::Alone);
    let compiler = Compiler::new(library, stdout().is_terminal())?;
    let what = match judge(&compiler, exercise, file, &program)? {
        Verdict::Passed => {
            passed(exercises, exercise);
            return Ok(());
        }
        Verdict::Wrong { what, advice } => {
            say!("Not yet: {what}.\n\n{advice}\n");
            "not done yet"
        }
        Verdict::Refused(errors) => {
            for error in &errors {
                say!("{}\n", error.rendered);
            }
            let page = text(explain::PAGE).unwrap_or_default();
            say!("{}", explain::explain(&errors, &exercise.hints, &page));
            match exercise.checks.case.is_empty() {
                true => "the program does not compile yet",
                false => "the case is refused, and not for the right reason",
            }
        }
    };
    let words = exercise.words();
    let hint = format!("`cargo xtask lesson {words} --hint` shows a hint");
    Err(format!("\nlesson {words}: {what}; {hint}").into())
}

/// Prints what was achieved, and the next step.
fn passed(exercises: &[Exercise], exercise: &Exercise) {
    let checks = &exercise.checks;
    say!("Lesson {} is done: {}.\n", exercise.words(), exercise.title);
    say!(
        "{}\n",
        match checks.case.is_empty() {
            true => "The program prints the right lines.",
            false => "The case is refused at its marked line, and its twin runs.",
        }
    );
    if !checks.refused.is_empty() {
        say!("These mistakes do not compile:\n");
    }
    for check in &checks.refused {
        say!("  - {}\n", check.title);
    }
    say!("Compare with {}/solution.rs.\n", exercise.folder);
    let is_this = |e: &Exercise| (e.number, e.ascendcl) == (exercise.number, exercise.ascendcl);
    if let Some(next) = exercises.iter().skip_while(|e| !is_this(e)).nth(1) {
        say!("Next: cargo xtask lesson {}\n", next.words());
    }
}

/// Prints the next hint. The number of the hints that were read is in a file beside the learner's program.
fn hint(exercise: &Exercise) -> Result<(), Error> {
    let file = format!("{}.hints", exercise.mine());
    let read = fs::read_to_string(root().join(&file)).unwrap_or_default();
    let hints = &exercise.hints.hints;
    let (all, count) = (hints.len(), read.trim().parse().unwrap_or(0_usize));
    for (number, text) in (1..).zip(hints).take(count.saturating_add(1)) {
        say!("Hint {number} of {all}\n{}\n", explain::indented(text));
    }
    if count >= all {
        let folder = &exercise.folder;
        say!("There are no more hints. The solution is {folder}/solution.rs.\n");
        return Ok(());
    }
    write(file, &format!("{}\n", count + 1))
}
