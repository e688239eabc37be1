//! `cargo xtask faults`: each C call and each queued task of the examples and of `tests/faults/programs` is made to
//! fail, and each run is judged by rules.
//!
//! A run without a fault lists the calls and tasks of a program (`calls`). Then each of them fails, alone and with all
//! later ones, on several schedules and under the checker (`plan`). Where all waits of a program have limits, tasks hang,
//! too. A run is a process (`process`). After it, `judge` reads its status and its standard error.

mod calls;
mod judge;
mod plan;
mod process;
mod programs;
mod table;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use std::{fs, thread};

use crate::error::Error;
use crate::files::write;
use crate::output::say;
use crate::process::{Line, root, target};
use calls::Calls;
use judge::{Outcome, judge};
use plan::{Fault, Schedule, Selection, plan};
use process::Run;
use programs::{PROGRAMS, Program};
use table::Row;

/// The number of processes at a time.
const WORKERS: usize = 2;

/// A program with its calls, and what it leaves behind without a fault.
struct Subject {
    program: &'static Program,
    calls: Calls,
    left: judge::Left,
}

/// A run that broke a rule.
struct Deviation {
    line: String,
    rule: String,
    stderr: String,
}

/// The results of all programs so far, and the runs that broke a rule.
#[derive(Default)]
struct Results {
    rows: Vec<Row>,
    deviations: Vec<Deviation>,
}

/// `cargo xtask faults [--some] [<program>]`.
pub(crate) fn command(options: &[&str]) -> Result<(), Error> {
    let (selection, word) = match options {
        [] => (Selection::All, ""),
        ["--some"] => (Selection::Some, ""),
        ["--some", word] => (Selection::Some, *word),
        [word] if !word.starts_with('-') => (Selection::All, *word),
        _ => return Err(Error::Usage("faults takes `--some` and one word".into())),
    };
    let programs: Vec<_> = PROGRAMS
        .iter()
        .filter(|program| program.name.contains(word))
        .collect();
    if programs.is_empty() {
        let text = format!("no program of the fault matrix has {word:?} in its name");
        return Err(Error::Usage(text));
    }
    build()?;
    let folder = target(&root()).join("faults");
    fs::create_dir_all(&folder)
        .map_err(|error| Error::Failed(format!("cannot make {}: {error}", folder.display())))?;
    let start = Instant::now();
    let mut results = Results::default();
    for program in programs {
        let subject = watch(program, &folder)?;
        let begun = Instant::now();
        run_all(&subject, selection, &folder, &mut results);
        let seconds = begun.elapsed().as_secs_f64();
        say(&format!("{:<16}{seconds:>9.1} s\n", program.name));
    }
    say(&table::text(&results.rows, start.elapsed()));
    conclude(&results.deviations, &folder)
}

/// Builds all programs. With the whole workspace chosen, and a target that needs its dependencies for tests, this has the
/// features of `cargo test --workspace` and shares its build.
fn build() -> Result<(), Error> {
    let programs = PROGRAMS.iter();
    let names = programs.flat_map(|program| ["--bin".into(), program.name.into()]);
    Line::new("cargo build --quiet --workspace --example 01_copy")
        .with_arguments(names)
        .run()
}

/// Runs a program without a fault, and returns its calls and tasks.
fn watch(program: &'static Program, folder: &Path) -> Result<Subject, Error> {
    let trace = folder.join(format!("{}.trace.json", program.name));
    let run = Run {
        program,
        schedule: Schedule::Eager,
        fault: None,
        trace: Some(trace.clone()),
    };
    let ended = run.start(&folder.join("clean"))?;
    let failed = |text: &str| {
        let line = run.line();
        Error::Failed(format!("{line}\nwithout a fault: {text}\n{}", ended.stderr))
    };
    if ended.code != Some(0) {
        return Err(failed("the program does not succeed"));
    }
    let left = judge::left(&ended.stderr).ok_or_else(|| failed("its counters are missing"))?;
    let text = fs::read_to_string(&trace).map_err(|error| failed(&error.to_string()))?;
    let calls = Calls::of_trace(&text).map_err(|error| failed(&error))?;
    Ok(Subject {
        program,
        calls,
        left,
    })
}

/// Runs the program once for each selected fault and schedule, two processes at a time.
fn run_all(subject: &Subject, selection: Selection, folder: &Path, results: &mut Results) {
    let runs = plan(subject.program, &subject.calls, selection);
    let row = Row::new(subject.program.name, &subject.calls);
    let waiting: Mutex<VecDeque<(Schedule, Fault)>> = Mutex::new(runs.into());
    let done = Mutex::new((row, &mut results.deviations));
    thread::scope(|scope| {
        for worker in 0..WORKERS {
            let (waiting, done) = (&waiting, &done);
            let place: PathBuf = folder.join(format!("worker-{worker}"));
            scope.spawn(move || {
                loop {
                    let next = lock(waiting).pop_front();
                    let Some((schedule, fault)) = next else { break };
                    let run = Run {
                        program: subject.program,
                        schedule,
                        fault: Some(fault),
                        trace: None,
                    };
                    let (outcome, stderr) = match run.start(&place) {
                        Ok(ended) => (judge(&run, subject.left, &ended), ended.stderr),
                        Err(Error::Failed(text) | Error::Usage(text)) => {
                            (Err("it does not start".to_owned()), text)
                        }
                    };
                    note(&mut lock(done), &run, outcome, stderr);
                }
            });
        }
    });
    let (row, _) = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.rows.push(row);
}

/// Enters the outcome of a run.
fn note(
    (row, deviations): &mut (Row, &mut Vec<Deviation>),
    run: &Run,
    outcome: Result<Outcome, String>,
    stderr: String,
) {
    row.add(outcome.as_ref().ok().copied());
    if let Err(rule) = outcome {
        deviations.push(Deviation {
            line: run.line(),
            rule,
            stderr,
        });
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prints the first deviations, and writes all of them to a file.
fn conclude(deviations: &[Deviation], folder: &Path) -> Result<(), Error> {
    const SHOWN: usize = 10;
    if deviations.is_empty() {
        return Ok(());
    }
    let text = |one: &Deviation| format!("{}\n  {}\n{}\n", one.rule, one.line, one.stderr);
    let all: String = deviations.iter().map(text).collect();
    let file = folder.join("deviations.txt");
    write(&file, &all)?;
    let shown: String = deviations.iter().take(SHOWN).map(text).collect();
    Err(Error::Failed(format!(
        "{shown}\nfaults: {} runs broke a rule; {} has all of them",
        deviations.len(),
        file.display()
    )))
}
