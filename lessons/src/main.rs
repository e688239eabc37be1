//! `cargo lesson`: the course in typestates.
//!
//! A learner changes a copy of an exercise until it compiles, runs, and still refuses the mistakes of the lesson. The
//! compiler runs directly, without a package. So a lesson takes seconds; only its second part needs a build of
//! `ascendcl`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program talks to its user there"
)]

mod all;
mod compile;
mod course;
mod explain;
mod files;
mod judge;

use std::env;
use std::io::{IsTerminal, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use compile::{Compiler, Library};
use course::{Exercise, course};
use files::{Result, root, text, write};
use judge::{Verdict, judge};

const HELP: &str = "\
usage: cargo lesson [<number> [--ascendcl] [--file <file> | --hint] | all]

  <number>     checks your file for a lesson; without a number, lists the lessons
  --ascendcl   the second part of the lesson, over ascendcl
  --file       a file of your own; without it, a copy of the exercise in lessons/mine
  --hint       the next hint
  all          tries the course itself: exercises, solutions, and wrong solutions

exit code: 0 all is well, 1 something is not right yet, 2 the command was not understood";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match run(&words) {
        Some(Ok(())) => ExitCode::SUCCESS,
        Some(Err(error)) => {
            eprintln!("{error}");
            ExitCode::from(1)
        }
        None => {
            eprintln!("{HELP}");
            ExitCode::from(2)
        }
    }
}

/// Runs a command; `None` if it is not understood.
fn run(words: &[&str]) -> Option<Result<()>> {
    let (number, rest) = match words {
        [] => return Some(list()),
        ["all"] => return Some(all::try_all()),
        ["all", ..] => return None,
        [number, "--ascendcl", rest @ ..] => ((*number, true), rest),
        [number, rest @ ..] => ((*number, false), rest),
    };
    match rest {
        [] => Some(lesson(number, None)),
        ["--hint"] => Some(hint(number)),
        // The path is one from the folder of the learner.
        ["--file", file] => Some(match env::current_dir() {
            Ok(folder) => lesson(number, Some(folder.join(file))),
            Err(error) => Err(error.into()),
        }),
        _ => None,
    }
}

/// An exercise by its number and its part, with the one behind it.
fn find((number, ascendcl): (&str, bool)) -> Result<(Exercise, Option<Exercise>)> {
    let mut exercises = course()?.into_iter();
    let exercise = exercises.find(|of| of.ascendcl == ascendcl && of.number.to_string() == number);
    let part = if ascendcl {
        " with a part over ascendcl"
    } else {
        ""
    };
    let none = || format!("there is no lesson `{number}`{part}; `cargo lesson` lists them");
    Ok((exercise.ok_or_else(none)?, exercises.next()))
}

/// Prints the titles.
fn list() -> Result<()> {
    println!("The course in typestates (lessons/README.md)\n");
    for exercise in course()? {
        let line = format!("cargo lesson {}", exercise.words());
        let part = if exercise.ascendcl {
            ", over ascendcl"
        } else {
            ""
        };
        println!("  {line:<28} {}{part}", exercise.title);
    }
    Ok(())
}

/// The learner's file. It begins as a copy of the exercise.
fn copy(exercise: &Exercise) -> Result<PathBuf> {
    let path = exercise.mine("rs");
    if !root().join(&path).exists() {
        write(&path, &exercise.given)?;
        let (folder, path) = (
            exercise.folder.trim_end_matches("/ascendcl"),
            path.display(),
        );
        println!("Read {folder}/README.md. Your copy of the exercise is {path}.\n");
    }
    Ok(path)
}

/// Judges the file of a learner, and explains the result.
fn lesson(number: (&str, bool), file: Option<PathBuf>) -> Result<()> {
    let (exercise, next) = find(number)?;
    let file = file.map_or_else(|| copy(&exercise), Ok)?;
    let program = text(&file)?;
    let library = exercise.ascendcl.then_some(Library::Alone);
    let compiler = Compiler::new(library, stdout().is_terminal())?;
    let what = match judge(&compiler, &exercise, &file, &program)? {
        Verdict::Passed => {
            passed(&exercise, next.as_ref());
            return Ok(());
        }
        Verdict::Wrong { what, advice } => {
            println!("Not yet: {what}.\n\n{advice}");
            "not done yet"
        }
        Verdict::Refused(errors) => {
            for error in &errors {
                println!("{}", error.rendered);
            }
            let page = text(explain::PAGE).unwrap_or_default();
            print!("{}", explain::explain(&errors, &exercise.hints, &page));
            match exercise.checks.case.is_empty() {
                true => "the program does not compile yet",
                false => "the case is refused, and not for the right reason",
            }
        }
    };
    let words = exercise.words();
    let hint = format!("`cargo lesson {words} --hint` shows a hint");
    Err(format!("\nlesson {words}: {what}; {hint}").into())
}

/// Prints what was achieved, and the next step.
fn passed(exercise: &Exercise, next: Option<&Exercise>) {
    let checks = &exercise.checks;
    println!("Lesson {} is done: {}.", exercise.words(), exercise.title);
    println!(
        "{}",
        match checks.case.is_empty() {
            true => "The program prints the right lines.",
            false => "The case is refused at its marked line, and its twin runs.",
        }
    );
    if !checks.refused.is_empty() {
        println!("These mistakes do not compile:");
    }
    for check in &checks.refused {
        println!("  - {}", check.title);
    }
    println!("Compare with {}/solution.rs.", exercise.folder);
    if let Some(next) = next {
        println!("Next: cargo lesson {}", next.words());
    }
}

/// Prints the next hint. The number of the hints that were read is in a file beside the learner's program.
fn hint(number: (&str, bool)) -> Result<()> {
    let (exercise, _) = find(number)?;
    let file = exercise.mine("hints");
    let read = text(&file).unwrap_or_default();
    let hints = &exercise.hints.hints;
    let (all, count) = (hints.len(), read.trim().parse().unwrap_or(0_usize));
    for (number, text) in (1..).zip(hints).take(count.saturating_add(1)) {
        println!("Hint {number} of {all}\n{}", explain::indented(text));
    }
    if count >= all {
        let folder = &exercise.folder;
        println!("There are no more hints. The solution is {folder}/solution.rs.");
        return Ok(());
    }
    write(&file, &format!("{}\n", count + 1))
}

#[cfg(test)]
mod tests {
    use super::run;

    #[test]
    fn what_is_not_understood_is_told_from_an_unknown_lesson() {
        for line in ["1 --hin", "1 --file", "all --hint", "1 --hint --file a"] {
            let words: Vec<_> = line.split(' ').collect();
            assert!(run(&words).is_none(), "{line}");
        }
        for number in ["x", "99"] {
            let answer = run(&[number]).and_then(Result::err);
            let answer = answer.map(|error| error.to_string()).unwrap_or_default();
            let expected = format!("there is no lesson `{number}`");
            assert!(
                answer.starts_with(&expected) && !answer.contains('\n'),
                "{answer}"
            );
        }
    }
}
