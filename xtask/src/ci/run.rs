//! Runs the steps of a list: one behind the other, and some beside them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
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
    /// Whether it runs beside the steps behind it. Its output is printed when it has ended, between those of two other steps.
    pub(super) is_beside: bool,
}

/// What happens behind a step that fails.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Failure {
    /// The run ends there.
    Ends,
    /// The other steps run, and the end names all steps that failed.
    GoesOn,
}

/// The steps of a list. A line that begins with `#` is a comment.
pub(super) fn steps(list: &'static str) -> Vec<Step> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let pairs = lines.filter_map(|line| line.split_once(" | "));
    pairs.map(|(name, line)| step(name, line)).collect()
}

pub(super) fn step(name: &'static str, line: &str) -> Step {
    Step {
        name,
        line: Line::new(line),
        needs: None,
        is_beside: false,
    }
}

/// A step that has ended: its place in the list, its time if it ran, and why it failed.
struct Ended {
    place: usize,
    duration: Option<Duration>,
    failure: Option<String>,
    /// What it said, if that is not printed yet.
    said: String,
}

/// Runs the steps, then prints what ran and how long it took.
pub(super) fn run(command: &str, steps: &[Step], failure: Failure) -> Result<(), Error> {
    let run = Run {
        steps,
        failure,
        is_over: AtomicBool::new(false),
    };
    let mut ended = BTreeMap::new();
    let (send, waiting) = channel::<usize>();
    let (say, said) = channel::<Ended>();
    thread::scope(|scope| {
        scope.spawn(|| run.beside(waiting, say));
        run.in_order(send, &said, &mut ended);
        for one in said {
            run.print(one, &mut ended);
        }
    });
    let done = steps.iter().enumerate();
    let done = done.filter_map(|(place, step)| Some((step, ended.get(&place)?)));
    let done: Vec<(&Step, &Ended)> = done.collect();
    print_summary(&done);
    let failed = done.iter().filter(|(_, ended)| ended.failure.is_some());
    let text = |(step, _): &(&Step, &Ended)| {
        let (name, line) = (step.name, &step.line);
        format!("cargo xtask {command}: step `{name}` failed; run it alone with\n    {line}")
    };
    let texts: Vec<String> = failed.map(text).collect();
    if texts.is_empty() {
        println!("\ncargo xtask {command}: all {} steps passed", steps.len());
        return Ok(());
    }
    Err(Error::Failed(texts.join("\n")))
}

/// A run of a list.
struct Run<'s> {
    steps: &'s [Step],
    failure: Failure,
    /// Whether no further step begins.
    is_over: AtomicBool,
}

impl Run<'_> {
    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Runs the steps one behind the other, and sends the places of those that run beside them.
    fn in_order(
        &self,
        send: Sender<usize>,
        said: &Receiver<Ended>,
        ended: &mut BTreeMap<usize, Ended>,
    ) {
        for (place, step) in self.steps.iter().enumerate() {
            if self.is_over() {
                break;
            }
            if step.is_beside {
                // The other thread is gone only where the run is over.
                let _ = send.send(place);
                continue;
            }
            self.print_head(place, step);
            self.note(one(place, step, Line::run), ended);
            for one in said.try_iter() {
                self.print(one, ended);
            }
        }
    }

    /// Runs the steps that are sent.
    fn beside(&self, waiting: Receiver<usize>, say: Sender<Ended>) {
        for place in waiting {
            let step = self.steps.get(place).filter(|_| !self.is_over());
            // Nobody listens where the run is over.
            let _ = step.map(|step| say.send(quiet(place, step)));
        }
    }

    /// Prints a step that ran beside the others.
    fn print(&self, one: Ended, ended: &mut BTreeMap<usize, Ended>) {
        if let Some(step) = self.steps.get(one.place) {
            self.print_head(one.place, step);
        }
        self.note(one, ended);
    }

    fn print_head(&self, place: usize, step: &Step) {
        let (number, count) = (place + 1, self.steps.len());
        println!("\n[{number}/{count}] {}: {}", step.name, step.line);
    }

    fn note(&self, one: Ended, ended: &mut BTreeMap<usize, Ended>) {
        if !one.said.is_empty() {
            println!("{}", one.said);
        }
        if let Some(text) = &one.failure {
            println!("{text}");
            let is_over = self.failure == Failure::Ends;
            self.is_over.store(is_over, Ordering::Relaxed);
        }
        ended.insert(one.place, one);
    }
}

/// Runs a step, and keeps what it says.
fn quiet(place: usize, step: &Step) -> Ended {
    let mut said = String::new();
    let ended = one(place, step, |line| {
        let (status, text) = line.output()?;
        said = text;
        let failed = || Error::Failed(format!("`{line}` failed: {status}"));
        status.success().then_some(()).ok_or_else(failed)
    });
    Ended {
        said: ended.said + &said,
        ..ended
    }
}

/// Runs a step, unless something is absent that it needs.
fn one(place: usize, step: &Step, run: impl FnOnce(&Line) -> Result<(), Error>) -> Ended {
    let mut ended = Ended {
        place,
        duration: None,
        failure: None,
        said: String::new(),
    };
    let start = Instant::now();
    let needs = step.needs.as_ref();
    if let Some(needs) = needs.filter(|line| line.run_quietly().is_err()) {
        ended.said = format!(
            "\n*** {}: SKIPPED, because `{needs}` fails here ***\n",
            step.name
        );
        return ended;
    }
    if let Err(Error::Failed(text) | Error::Usage(text)) = run(&step.line) {
        ended.failure = Some(text);
    }
    ended.duration = Some(start.elapsed());
    ended
}

fn print_summary(done: &[(&Step, &Ended)]) {
    println!();
    let (mut total, mut of_second) = (Duration::ZERO, Duration::ZERO);
    for (step, ended) in done {
        let Some(duration) = ended.duration else {
            continue;
        };
        *if step.is_beside {
            &mut of_second
        } else {
            &mut total
        } += duration;
        let (seconds, Step { name, line, .. }) = (duration.as_secs_f64(), step);
        println!("{seconds:>7.1} s  {name:<26} {line}");
    }
    println!("{:>7.1} s  one behind the other", total.as_secs_f64());
    println!("{:>7.1} s  beside them", of_second.as_secs_f64());
}

#[cfg(test)]
mod tests {
    use super::{Failure, Step, run, step};
    use crate::error::Error;
    use crate::process::Line;

    fn failure(steps: &[Step], failure: Failure) -> Option<String> {
        match run("ci", steps, failure) {
            Err(Error::Failed(text)) => Some(text),
            _ => None,
        }
    }

    #[test]
    fn a_failure_names_its_step_and_stops() {
        let steps = [step("broken", "false"), step("next", "no-such-program")];
        let text = failure(&steps, Failure::Ends).unwrap_or_default();
        let words = "step `broken` failed; run it alone with\n    false";
        assert!(text.contains(words), "{text}");
        assert!(!text.contains("no-such-program"), "{text}");
    }

    #[test]
    fn every_failure_is_named_where_the_run_goes_on() {
        let steps = [
            ("broken", "false"),
            ("right", "true"),
            ("missing", "no-such-program"),
        ];
        let steps = steps.map(|(name, line)| step(name, line));
        let text = failure(&steps, Failure::GoesOn).unwrap_or_default();
        assert!(text.contains("step `broken` failed"), "{text}");
        assert!(text.contains("step `missing` failed"), "{text}");
        assert!(!text.contains("right"), "{text}");
    }

    #[test]
    fn a_step_without_what_it_needs_is_left_out() {
        let with = |needs| Step {
            needs: Some(Line::new(needs)),
            ..step("broken", "false")
        };
        assert_eq!(failure(&[with("no-such-program")], Failure::Ends), None);
        assert!(failure(&[with("true")], Failure::Ends).is_some());
    }

    #[test]
    fn a_step_beside_the_others_is_named_if_it_fails() {
        let beside = |line| Step {
            is_beside: true,
            ..step("beside", line)
        };
        let steps = [beside("false"), beside("true"), step("right", "true")];
        let text = failure(&steps, Failure::GoesOn).unwrap_or_default();
        assert!(text.contains("step `beside` failed"), "{text}");
        let [_, right @ ..] = &steps;
        assert_eq!(failure(right, Failure::Ends), None);
        let last = [step("right", "true"), beside("sleep 0.1"), beside("false")];
        assert!(failure(&last, Failure::Ends).is_some());
    }
}
