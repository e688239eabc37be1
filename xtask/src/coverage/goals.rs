//! The goals of the emulator in one place: models, the speed of operators, and the operators of the public lists.

use std::collections::BTreeSet;

use crate::declarations::Declarations;
use crate::error::Error;
use crate::files::text;

/// The ONNX node cases that are refused, a line for each, and how many there are in all (CHANGELOG.md has both).
const REFUSED: (&str, usize) = ("emulator/onnx/tests/cases/refused.txt", 1855);
/// The page with the times, and the sections with a ratio in each row, with their goals.
const TIMES: &str = "docs/emulator-speed.md";
const SECTIONS: [(&str, &[f64]); 2] = [
    ("## Operators beside PyTorch", &[3.0, 1.5]),
    ("## Models", &[1.5]),
];
/// The operators of the public lists that are not declared.
pub(super) const LACKING: &str = "xtask/data/lacking-operators.txt";

/// The names of a list with a line for each, and comments.
pub(super) fn lacking(text: &str) -> BTreeSet<&str> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).collect()
}

/// The rows of a section: what they are, and the ratio.
fn ratios<'a>(page: &'a str, section: &str) -> Vec<(&'a str, f64)> {
    let begun = page.lines().skip_while(|line| *line != section).skip(1);
    let lines = begun.take_while(|line| !line.starts_with("## "));
    let row = |line: &'a str| {
        let cells: Vec<_> = line.strip_prefix('|')?.split('|').map(str::trim).collect();
        let ratio = cells.iter().rev().find_map(|cell| cell.parse().ok())?;
        Some((*cells.first()?, ratio))
    };
    lines.filter_map(row).collect()
}

/// The three tables.
pub(super) fn report(all: &Declarations) -> Result<String, Error> {
    let (refused, page) = (text(REFUSED.0)?, text(TIMES)?);
    let refused = refused.lines().count();
    let mut report = format!(
        "\nmodels: {} of {} node cases, {refused} refused by name\n",
        REFUSED.1.saturating_sub(refused),
        REFUSED.1
    );
    for (section, goals) in SECTIONS {
        let rows = ratios(&page, section);
        report += &format!("{}: {} rows", section.trim_start_matches("## "), rows.len());
        for goal in goals {
            let within = rows.iter().filter(|(_, ratio)| ratio <= goal).count();
            report += &format!(", {within} within {goal}");
        }
        let slowest = rows.iter().max_by(|one, other| one.1.total_cmp(&other.1));
        let (name, ratio) = slowest.copied().unwrap_or(("no row", 0.0));
        report += &format!("; the worst is {name} with {ratio}\n");
    }
    let names = text(LACKING)?;
    Ok(report
        + &format!(
            "operators: {} declared, {} of the public lists lacking ({LACKING})\n",
            all.operators.len(),
            lacking(&names).len()
        ))
}

#[test]
fn the_lists_are_read() {
    let page = "## Models\n\n| | ours | ratio | |\n|---|--:|--:|---|\n| one | 2.0 | 1.25 | reached |\n## Rest\n| two | 9 |\n";
    assert_eq!(ratios(page, "## Models"), [("one", 1.25)]);
    assert_eq!(Vec::from_iter(lacking("# a\nb c\n\nd\n")), ["b", "c", "d"]);
}
