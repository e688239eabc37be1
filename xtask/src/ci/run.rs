//! Runs the steps of a list: one behind the other, and some beside them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::process::Line;

/// One check, with the line that runs it alone.
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) line: Line,
    /// A line that fails where something is absent, and perhaps installs it. If it fails, the step is left out with a
    /// warning.
    pub(super) needs: Option<Line>,
    /// Whether it runs beside the other steps, behind those that do so before it. Its output is printed when it has ended.
    pub(super) is_beside: bool,
}

/// The steps of a list: the name, the line, and perhaps the line of what it needs. A line that begins with `#` is a comment.
/// Each of the `words`, such as `$oldest`, stands for a text.
pub(super) fn steps(list: &'static str, words: &[(&str, String)]) -> Vec<Step> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let line = |text: &str| {
        let replaced = words.iter().fold(text.to_owned(), |text, (word, value)| {
            text.replace(word, value)
        });
        Line::new(&replaced)
    };
    let step = |text: &'static str| {
        let (name, rest) = text.split_once(" | ")?;
        let mut parts = rest.split(" | ").map(line);
        let (line, needs) = (parts.next()?, parts.next());
        Some(Step {
            name,
            line,
            needs,
            is_beside: false,
        })
    };
    lines.filter_map(step).collect()
}

/// A step that has ended: its time if it ran, and why it failed.
#[derive(Default)]
struct Ended {
    duration: Option<Duration>,
    failure: Option<String>,
}

/// Runs the steps, then prints what ran and how long it took. Behind a step that fails, the run ends or goes on.
pub(super) fn run(command: &str, steps: &[Step], goes_on: bool) -> Result<(), Error> {
    let is_over = AtomicBool::new(false);
    let done = Mutex::new(BTreeMap::new());
    let lock = || done.lock().unwrap_or_else(PoisonError::into_inner);
    let lane = |is_beside: bool| {
        let of_lane = |(_, step): &(usize, &Step)| step.is_beside == is_beside;
        for (place, step) in steps.iter().enumerate().filter(of_lane) {
            if is_over.load(Ordering::Relaxed) {
                break;
            }
            let (number, count, Step { name, line, .. }) = (place + 1, steps.len(), step);
            let head = format!("\n[{number}/{count}] {name}: {line}");
            let ended = if is_beside {
                let (ended, said) = quiet(step);
                println!("{head}\n{said}");
                ended
            } else {
                println!("{head}");
                one(step, Line::run)
            };
            if let Some(text) = &ended.failure {
                println!("{text}");
                is_over.fetch_or(!goes_on, Ordering::Relaxed);
            }
            lock().insert(place, ended);
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| lane(true));
        lane(false);
    });
    let ended = lock();
    let done = || steps.iter().enumerate();
    let done = || done().filter_map(|(place, step)| Some((step, ended.get(&place)?)));
    print_summary(done());
    let failed = done().filter(|(_, ended)| ended.failure.is_some());
    let texts = failed.map(|(Step { name, line, .. }, _)| {
        format!("cargo xtask {command}: step `{name}` failed; run it alone with\n    {line}")
    });
    let texts: Vec<String> = texts.collect();
    if texts.is_empty() {
        println!("\ncargo xtask {command}: all {} steps passed", steps.len());
        return Ok(());
    }
    Err(texts.join("\n").into())
}

/// Runs a step, and returns what it says.
fn quiet(step: &Step) -> (Ended, String) {
    let mut said = String::new();
    let ended = one(step, |line| {
        let (status, text) = line.output()?;
        said = text;
        let failed = || format!("`{line}` failed: {status}").into();
        status.success().then_some(()).ok_or_else(failed)
    });
    (ended, said)
}

/// Runs a step, unless something is absent that it needs.
fn one(step: &Step, run: impl FnOnce(&Line) -> Result<(), Error>) -> Ended {
    let start = Instant::now();
    let needs = step.needs.as_ref();
    if let Some(needs) = needs.filter(|line| line.run_quietly().is_err()) {
        let name = step.name;
        println!("\n*** {name}: SKIPPED, because `{needs}` fails here ***\n");
        return Ended::default();
    }
    let failure = run(&step.line).err().map(|error| error.to_string());
    Ended {
        duration: Some(start.elapsed()),
        failure,
    }
}

fn print_summary<'s>(done: impl Iterator<Item = (&'s Step, &'s Ended)>) {
    println!();
    let mut totals = [Duration::ZERO; 2];
    for (step, ended) in done {
        let [in_order, beside] = &mut totals;
        if let Some(duration) = ended.duration {
            *if step.is_beside { beside } else { in_order } += duration;
            let (seconds, name, line) = (duration.as_secs_f64(), step.name, &step.line);
            println!("{seconds:>7.1} s  {name:<26} {line}");
        }
    }
    let [in_order, beside] = totals.map(|total| total.as_secs_f64());
    println!("{in_order:>7.1} s  one behind the other\n{beside:>7.1} s  beside them");
}

#[cfg(test)]
mod tests {
    use super::{Step, run, steps};

    /// The words of a run of the steps of a list. Those of the name `beside` run beside the others.
    fn said(list: &'static str, goes_on: bool) -> String {
        let beside = |step: Step| Step {
            is_beside: step.name == "beside",
            ..step
        };
        let steps: Vec<_> = steps(list, &[("$word", "false".into())])
            .into_iter()
            .map(beside)
            .collect();
        run("ci", &steps, goes_on).map_or_else(|error| error.to_string(), |()| String::new())
    }

    #[test]
    fn a_failure_names_its_step_and_stops_or_goes_on() {
        let list = "right | true\n# x\nbroken | $word\nmissing | no-such-program";
        let text = said(list, false);
        assert!(
            text.ends_with("step `broken` failed; run it alone with\n    false"),
            "{text}"
        );
        assert!(!text.contains("missing"), "{text}");
        let text = said(list, true);
        assert!(
            text.contains("step `broken` failed") && text.contains("step `missing` failed"),
            "{text}"
        );
        assert!(!text.contains("right"), "{text}");
    }

    #[test]
    fn a_step_without_what_it_needs_is_left_out() {
        assert_eq!(said("broken | false | no-such-program", false), "");
        assert!(said("broken | false | true", false).contains("`broken` failed"));
    }

    #[test]
    fn a_step_beside_the_others_is_named_if_it_fails() {
        assert_eq!(said("beside | true\nright | true", true), "");
        for list in [
            "beside | false\nbeside | true\nright | true",
            "right | true\nbeside | sleep 0.1\nbeside | false",
        ] {
            assert!(said(list, true).contains("step `beside` failed"), "{list}");
        }
    }
}
