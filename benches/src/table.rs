//! The printed table, and the bounds of its rows.

use std::fmt;
use std::io;

use crate::measure::Cost;

/// Rows under one bound.
#[derive(Debug)]
pub struct Table {
    title: &'static str,
    /// The largest ratio of instructions to those of the raw side.
    bound: f64,
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    name: &'static str,
    typed: Cost,
    raw: Cost,
    /// Instructions beyond the bound, and their reason.
    extra: Option<(u64, &'static str)>,
}

impl Row {
    fn ratio(&self) -> f64 {
        self.typed.instructions as f64 / self.raw.instructions as f64
    }
}

impl Table {
    /// An empty table.
    #[must_use]
    pub fn new(title: &'static str, bound: f64) -> Table {
        Table {
            title,
            bound,
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// One of the two could not be measured.
    pub fn row(
        &mut self,
        name: &'static str,
        typed: io::Result<Cost>,
        raw: io::Result<Cost>,
    ) -> io::Result<()> {
        self.rows.push(Row {
            name,
            typed: typed?,
            raw: raw?,
            extra: None,
        });
        Ok(())
    }

    /// Allows the last row so many further instructions.
    pub fn allow(&mut self, instructions: u64, reason: &'static str) {
        if let Some(row) = self.rows.last_mut() {
            row.extra = Some((instructions, reason));
        }
    }

    /// The violated bounds, in sentences.
    pub fn broken(&self) -> impl Iterator<Item = String> {
        self.rows.iter().flat_map(|row| self.broken_in(row))
    }

    fn broken_in(&self, row: &Row) -> Vec<String> {
        let Row {
            name,
            typed,
            raw,
            extra,
        } = row;
        let mut broken = Vec::new();
        if typed.calls != raw.calls {
            let (typed, raw) = (&typed.calls, &raw.calls);
            let same = typed.iter().zip(raw).take_while(|(a, b)| a == b).count();
            broken.push(format!(
                "{name}: {} and {} calls of C; behind {same} that are the same come {:?} and {:?}",
                typed.len(),
                raw.len(),
                typed.get(same),
                raw.get(same)
            ));
        }
        let extra = extra.map_or(0, |(instructions, _)| instructions);
        let most = raw.instructions as f64 * self.bound + extra as f64;
        if typed.instructions as f64 > most {
            let instructions = typed.instructions;
            broken.push(format!(
                "{name}: {instructions} instructions, {most:.0} are the bound"
            ));
        }
        if typed.allocations > raw.allocations {
            broken.push(format!("{name}: {} allocations", typed.allocations));
        }
        broken
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<34} {:>7} {:>7} {:>12} {:>12} {:>7} {:>12}",
            self.title, "C typed", "C raw", "instr. typed", "instr. raw", "ratio", "allocations"
        )?;
        for row in &self.rows {
            writeln!(
                f,
                "{:<34} {:>7} {:>7} {:>12} {:>12} {:>7.3} {:>12}",
                row.name,
                row.typed.calls.len(),
                row.raw.calls.len(),
                row.typed.instructions,
                row.raw.instructions,
                row.ratio(),
                row.typed.allocations
            )?;
            if let Some((instructions, reason)) = row.extra {
                writeln!(f, "    {instructions} more: {reason}")?;
            }
        }
        writeln!(
            f,
            "bound: the same calls in the same order, {:.2} of the raw instructions, no allocation",
            self.bound
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Table;
    use crate::backend::Call;
    use crate::measure::Cost;

    fn cost(calls: &[&str], instructions: u64, allocations: u64) -> Cost {
        let call = |name: &&str| Call {
            name: (*name).to_owned(),
            arguments: Vec::new(),
        };
        Cost {
            calls: calls.iter().map(call).collect(),
            instructions,
            allocations,
        }
    }

    fn broken(typed: Cost, raw: Cost, extra: u64) -> Vec<String> {
        let mut table = Table::new("calls", 1.05);
        let added = table.row("row", Ok(typed), Ok(raw));
        assert!(added.is_ok());
        table.allow(extra, "a reason");
        table.broken().collect()
    }

    #[test]
    fn what_breaks_a_bound_is_a_sentence() {
        let raw = || cost(&["aclrtMalloc", "aclrtFree"], 100, 0);
        assert!(broken(raw(), raw(), 0).is_empty());
        assert!(broken(cost(&["aclrtMalloc", "aclrtFree"], 105, 0), raw(), 0).is_empty());

        let slow = || cost(&["aclrtMalloc", "aclrtFree"], 106, 0);
        assert!(broken(slow(), raw(), 1).is_empty());
        let sentences = broken(slow(), raw(), 0);
        assert_eq!(sentences, ["row: 106 instructions, 105 are the bound"]);

        let sentences = broken(cost(&["aclrtMalloc", "aclrtFree"], 100, 1), raw(), 0);
        assert_eq!(sentences, ["row: 1 allocations"]);

        for calls in [&["aclrtFree", "aclrtMalloc"][..], &["aclrtMalloc"]] {
            let sentences = broken(cost(calls, 100, 0), raw(), 0).join("");
            assert!(sentences.contains("calls of C"), "{sentences}");
        }
    }
}
