//! The table of the results.

use std::fmt::{Display, Write};
use std::time::Duration;

use super::calls::Calls;
use super::judge::Outcome;

/// The columns.
const HEADS: [&str; 8] = [
    "calls", "tasks", "runs", "went on", "error", "abort", "unstruck", "broken",
];

/// The results of a program: its name, and a number for each column.
#[derive(Debug, Default)]
pub(super) struct Row(String, [u64; HEADS.len()]);

impl Row {
    pub(super) fn new(name: &str, calls: &Calls) -> Row {
        let (calls, tasks) = calls.count();
        Row(name.to_owned(), [calls, tasks, 0, 0, 0, 0, 0, 0])
    }

    /// Adds a run; `None` for one that broke a rule.
    pub(super) fn add(&mut self, outcome: Option<Outcome>) {
        let [_, _, runs, succeeded, failed, aborted, unstruck, broken] = &mut self.1;
        *runs += 1;
        *match outcome {
            Some(Outcome::Succeeded) => succeeded,
            Some(Outcome::Failed) => failed,
            Some(Outcome::Aborted) => aborted,
            Some(Outcome::Unstruck) => unstruck,
            None => broken,
        } += 1;
    }
}

/// The table, with a sum and an explanation of its columns.
pub(super) fn text(rows: &[Row], time: Duration) -> String {
    let mut text = String::new();
    line(&mut text, "program", HEADS);
    let mut sum = [0; HEADS.len()];
    for Row(name, numbers) in rows {
        line(&mut text, name, *numbers);
        for (sum, number) in sum.iter_mut().zip(numbers) {
            *sum += number;
        }
    }
    line(&mut text, "together", sum);
    let seconds = time.as_secs_f64();
    let words = "calls, tasks: in a run without a fault; went on: the program succeeded; error: it ended with an error \
                 that names the call;\nabort: the library ended it, as documented; unstruck: the fault did not come; \
                 broken: a rule was broken";
    // Writing into a string cannot fail.
    let _ = writeln!(text, "\n{words}\n{seconds:.0} s");
    text
}

fn line(text: &mut String, name: &str, columns: [impl Display; HEADS.len()]) {
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
