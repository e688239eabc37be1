//! The table of the results.

use std::fmt::Write;
use std::time::Duration;

use super::calls::Calls;
use super::judge::Outcome;

/// The results of a program.
#[derive(Debug, Default)]
pub(super) struct Row {
    name: &'static str,
    calls: u64,
    tasks: u64,
    runs: u64,
    succeeded: u64,
    failed: u64,
    aborted: u64,
    unstruck: u64,
    broken: u64,
}

impl Row {
    pub(super) fn new(name: &'static str, calls: &Calls) -> Row {
        let (calls, tasks) = calls.count();
        Row {
            name,
            calls,
            tasks,
            ..Row::default()
        }
    }

    /// Adds a run; `None` for one that broke a rule.
    pub(super) fn add(&mut self, outcome: Option<Outcome>) {
        self.runs += 1;
        let counter = match outcome {
            Some(Outcome::Succeeded) => &mut self.succeeded,
            Some(Outcome::Failed) => &mut self.failed,
            Some(Outcome::Aborted) => &mut self.aborted,
            Some(Outcome::Unstruck) => &mut self.unstruck,
            None => &mut self.broken,
        };
        *counter += 1;
    }

    fn numbers(&self) -> [u64; 8] {
        [
            self.calls,
            self.tasks,
            self.runs,
            self.succeeded,
            self.failed,
            self.aborted,
            self.unstruck,
            self.broken,
        ]
    }
}

/// The table, with a sum and an explanation of its columns.
pub(super) fn text(rows: &[Row], time: Duration) -> String {
    let mut text = String::new();
    let heads = [
        "calls", "tasks", "runs", "went on", "error", "abort", "unstruck", "broken",
    ];
    line(&mut text, "program", heads.map(String::from));
    let mut sum = [0; 8];
    for row in rows {
        let numbers = row.numbers();
        line(
            &mut text,
            row.name,
            numbers.map(|number| number.to_string()),
        );
        for (sum, number) in sum.iter_mut().zip(numbers) {
            *sum += number;
        }
    }
    line(&mut text, "together", sum.map(|number| number.to_string()));
    let seconds = time.as_secs_f64();
    let words = "calls, tasks: in a run without a fault; went on: the program succeeded; error: it ended with an error \
                 that names the call;\nabort: the library ended it, as documented; unstruck: the fault did not come; \
                 broken: a rule was broken";
    // Writing into a string cannot fail.
    let _ = writeln!(text, "\n{words}\n{seconds:.0} s");
    text
}

fn line(text: &mut String, name: &str, columns: [String; 8]) {
    // Writing into a string cannot fail.
    let _ = write!(text, "{name:<16}");
    for column in columns {
        let _ = write!(text, "{column:>9}");
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::{Row, text};
    use crate::faults::judge::Outcome;
    use std::time::Duration;

    #[test]
    fn outcomes_are_added_up() {
        let mut first = Row::default();
        first.add(Some(Outcome::Failed));
        first.add(None);
        let mut second = Row::default();
        second.add(Some(Outcome::Aborted));
        let text = text(&[first, second], Duration::ZERO);
        let sum = text.lines().find(|line| line.starts_with("together"));
        let numbers: Vec<_> = sum.unwrap_or_default().split_whitespace().skip(1).collect();
        assert_eq!(numbers, ["0", "0", "3", "0", "1", "1", "0", "1"]);
    }
}
