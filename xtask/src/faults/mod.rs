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

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::path::Path;
use std::time::Instant;

use random_programs::on_all_processors;

use crate::error::{Context as _, Error};
use crate::files::{text, write};
use crate::output::say;
use crate::process::{Line, target};
use calls::Calls;
use judge::{Outcome, judge};
use plan::{Selection, plan};
use process::Run;
use programs::Program;

/// A program with its calls, and what it leaves behind without a fault.
struct Subject<'p> {
    program: &'p Program,
    calls: Calls,
    left: judge::Left,
}

/// The number of runs with each end. One that broke a rule has none.
type Ends = BTreeMap<Option<Outcome>, usize>;

/// `cargo xtask faults [--some] [<program>]`.
pub(crate) fn command(some: bool, word: &str) -> Result<(), Error> {
    let selection = if some {
        Selection::Some
    } else {
        Selection::All
    };
    let all = programs::read()?;
    let programs = all.iter().filter(|program| program.name.contains(word));
    if programs.clone().next().is_none() {
        return Err(format!("no program of the fault matrix has {word:?} in its name").into());
    }
    build(&all)?;
    let folder = target().join("faults");
    fs::create_dir_all(&folder).on(format!("cannot make {}", folder.display()))?;
    let start = Instant::now();
    let (mut all, mut deviations) = (Ends::new(), Vec::new());
    for program in programs {
        let subject = watch(program, &folder)?;
        let begun = Instant::now();
        let (ends, broken) = run_all(&subject, selection, &folder);
        deviations.extend(broken);
        let (calls, tasks) = subject.calls.count();
        say_ends(
            &format!("{}, {calls} calls, {tasks} tasks", program.name),
            &ends,
            begun,
        );
        for (end, count) in ends {
            *all.entry(end).or_default() += count;
        }
    }
    say_ends("together", &all, start);
    conclude(&deviations, &folder)
}

fn say_ends(what: &str, ends: &Ends, since: Instant) {
    let name =
        |end: &Option<Outcome>| end.map_or("broke a rule".to_owned(), |end| format!("{end:?}"));
    let counts: Vec<String> = ends
        .iter()
        .map(|(end, count)| format!("{count} {}", name(end)))
        .collect();
    say!(
        "{what}: {}, {:.1} s\n",
        counts.join(", "),
        since.elapsed().as_secs_f64()
    );
}

/// Builds all programs. With the whole workspace chosen, and a target that needs its dependencies for tests, this has the
/// features of `cargo test --workspace` and shares its build.
fn build(programs: &[Program]) -> Result<(), Error> {
    let names = programs.iter().flat_map(|program| ["--bin", &program.name]);
    Line::new("cargo build --quiet --workspace --example 01_copy")
        .with(names)
        .run()
}

/// Runs a program without a fault, and returns its calls and tasks.
fn watch<'p>(program: &'p Program, folder: &Path) -> Result<Subject<'p>, Error> {
    let trace = folder.join(format!("{}.trace.json", program.name));
    let run = Run {
        program,
        schedule: "eager",
        fault: None,
        trace: Some(trace.clone()),
    };
    let ended = run.start(&folder.join("clean"))?;
    let failed = |text: &dyn Display| {
        let (line, said) = (run.line(), &ended.stderr);
        Error::from(format!("{line}\nwithout a fault: {text}\n{said}"))
    };
    if ended.code != Some(0) {
        return Err(failed(&"the program does not succeed"));
    }
    let left = judge::left(&ended.stderr).ok_or_else(|| failed(&"its counters are missing"))?;
    let calls = text(&trace).and_then(|text| Calls::of_trace(&text));
    let calls = calls.map_err(|error| failed(&error))?;
    Ok(Subject {
        program,
        calls,
        left,
    })
}

/// Runs the program once for each selected fault and schedule, several processes at a time: most of a run is a pause, or a wait
/// for another rank. Returns the runs that broke a rule, as texts.
fn run_all(subject: &Subject<'_>, selection: Selection, folder: &Path) -> (Ends, Vec<String>) {
    let runs = plan(subject.program, &subject.calls, selection).into_iter();
    let run = |(number, (schedule, fault))| {
        let run = Run {
            program: subject.program,
            schedule,
            fault: Some(fault),
            trace: None,
        };
        (folder.join(format!("run-{number}")), run)
    };
    let runs: Vec<_> = runs.enumerate().map(run).collect();
    let judged = on_all_processors(&runs, |(place, run)| match run.start(place) {
        Ok(ended) => (judge(run, subject.left, &ended), ended.stderr),
        Err(error) => (Err("it does not start".to_owned()), error.to_string()),
    });
    let (mut ends, mut deviations) = (Ends::new(), Vec::new());
    for ((outcome, stderr), (_, run)) in judged.into_iter().zip(&runs) {
        *ends.entry(outcome.as_ref().ok().copied()).or_default() += 1;
        let text = |rule| format!("{rule}\n  {}\n{stderr}\n", run.line());
        deviations.extend(outcome.err().map(text));
    }
    (ends, deviations)
}

/// Prints the first deviations, and writes all of them to a file.
fn conclude(deviations: &[String], folder: &Path) -> Result<(), Error> {
    const SHOWN: usize = 10;
    if deviations.is_empty() {
        return Ok(());
    }
    let file = folder.join("deviations.txt");
    write(&file, &deviations.concat())?;
    let (count, file) = (deviations.len(), file.display());
    let shown: String = deviations.iter().take(SHOWN).map(String::as_str).collect();
    Err(format!("{shown}\nfaults: {count} runs broke a rule; {file} has all of them").into())
}
