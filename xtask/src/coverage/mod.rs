//! The share of AscendCL that is declared, emulated and typed, set by set and area by area.

mod operators;
mod products;
mod sets;
mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::declarations::Declarations;
use crate::error::Error;
use crate::files;
use crate::output::say;
use crate::process::root;
use products::Products;
use sets::{Member, SETS};
use sources::Sources;

/// The set of everything.
const DECLARED: &str = "declared";

/// The columns of the report.
const COLUMNS: [&str; 5] = ["functions", "declared", "emulated", "refused", "typed"];

/// The state of a function in this repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Support {
    declared: bool,
    emulated: bool,
    /// The emulator has no hardware for it, and refuses.
    refused: bool,
    typed: bool,
}

/// A function with its area and the smallest set it is in.
#[derive(Debug)]
struct Row {
    name: String,
    area: String,
    /// An index into [`SETS`]; none is only declared.
    set: Option<usize>,
    support: Support,
}

/// `cargo xtask coverage [--write]`.
pub(crate) fn command(options: &[&str]) -> Result<(), Error> {
    let all = Declarations::read(&root())?;
    match options {
        [] => {}
        ["--write"] => {
            let page = operators::page(&root(), &all)?;
            return files::write(&root().join(operators::PAGE), &page);
        }
        _ => return Err(Error::Usage("`coverage` takes nothing, or --write".into())),
    }
    let rows = rows(&all, &sets::read(&root())?, &Sources::read(&root())?);
    say(&report(&rows, &Products::read(&root())?));
    Ok(())
}

/// The functions of all sets.
pub(crate) fn used(root: &Path) -> Result<BTreeSet<String>, Error> {
    Ok(sets::read(root)?
        .into_iter()
        .map(|(name, _)| name)
        .collect())
}

/// The functions that the typed API calls.
pub(crate) fn called(root: &Path) -> Result<BTreeSet<String>, Error> {
    Ok(Sources::read(root)?.typed)
}

/// Every function that is declared or counted.
fn rows(all: &Declarations, members: &[Member], sources: &Sources) -> Vec<Row> {
    // The one function with arguments like `printf` is not in the lists.
    let log = ("aclAppLog".to_owned(), "log".to_owned());
    let functions = all.functions.iter();
    let declared = functions.map(|function| (function.name.clone(), function.area.clone()));
    let mut names: Vec<(String, String)> = declared.chain([log]).collect();
    // The emulator does not compile without a definition of each.
    let is_operator = |name: &str| {
        let mut operators = all.operators.iter();
        operators.any(|operator| operator.launch == name || operator.prepare == name)
    };
    let sets: BTreeMap<_, _> = members.iter().cloned().collect();
    let known: BTreeSet<String> = names.iter().map(|(name, _)| name.clone()).collect();
    let undeclared = members.iter().filter(|(name, _)| !known.contains(name));
    names.extend(undeclared.map(|(name, _)| (name.clone(), String::new())));
    let row = |(name, area): (String, String)| Row {
        set: sets.get(&name).copied(),
        support: Support {
            declared: !area.is_empty(),
            emulated: sources.emulated.contains(&name) || is_operator(&name),
            refused: sources.refused.contains(&name),
            typed: sources.typed.contains(&name),
        },
        name,
        area,
    };
    names.into_iter().map(row).collect()
}

/// The tables, and the missing functions of each set.
fn report(rows: &[Row], products: &Products) -> String {
    let mut text = String::new();
    let series = products.series.iter().map(|series| format!("on {series}"));
    let columns = COLUMNS.map(str::to_owned).into_iter().chain(series);
    line(&mut text, "set", "area", columns);
    let limits = (0..SETS.len()).map(Some).chain([None]);
    for limit in limits {
        let name = limit
            .and_then(|set| SETS.get(set))
            .copied()
            .unwrap_or(DECLARED);
        let inside = |row: &&Row| limit.is_none() || row.set.is_some_and(|set| Some(set) <= limit);
        let set: Vec<_> = rows.iter().filter(inside).collect();
        counts(&mut text, name, "all", (&set, products));
        let areas: BTreeSet<_> = set.iter().map(|row| row.area.as_str()).collect();
        for area in areas {
            let of_area: Vec<_> = set.iter().copied().filter(|row| row.area == area).collect();
            counts(&mut text, "", area, (&of_area, products));
        }
    }
    for (index, set) in SETS.iter().enumerate() {
        let mut missing = |what: &str, is_missing: fn(&Support) -> bool| {
            let added = rows.iter().filter(|row| row.set == Some(index));
            let missing = added.filter(|row| is_missing(&row.support));
            let names: Vec<_> = missing.map(|row| row.name.as_str()).collect();
            if !names.is_empty() {
                let (count, names) = (names.len(), names.join(" "));
                text.push_str(&format!("\n{set} {what} ({count}): {names}\n"));
            }
        };
        missing("not declared", |support| !support.declared);
        missing("not emulated", |support| {
            !support.emulated && !support.refused
        });
        missing("refused by the emulator", |support| support.refused);
        missing("not typed", |support| !support.typed);
    }
    text.push_str(&format!(
        "\nEach set is listed without what the smaller ones list. Beyond {} most is declared only.\n",
        SETS.last().copied().unwrap_or_default()
    ));
    text
}

fn counts(text: &mut String, set: &str, area: &str, (rows, products): (&[&Row], &Products)) {
    let states = rows.iter().map(|row| {
        let Support {
            declared,
            emulated,
            refused,
            typed,
        } = row.support;
        [true, declared, emulated, refused, typed]
    });
    let mut numbers = [0; COLUMNS.len()];
    for state in states {
        for (number, is) in numbers.iter_mut().zip(state) {
            *number += usize::from(is);
        }
    }
    let on_product = (0..products.series.len()).map(|column| {
        rows.iter()
            .filter(|row| products.has(&row.name, column))
            .count()
    });
    let numbers = numbers.into_iter().chain(on_product);
    line(text, set, area, numbers.map(|number| number.to_string()));
}

fn line(text: &mut String, set: &str, area: &str, columns: impl Iterator<Item = String>) {
    let mut line = format!("{set:<10}{area:<10}");
    for column in columns {
        line.push_str(&format!("{column:>11}"));
    }
    text.push_str(line.trim_end());
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::{Row, Support, report, rows};
    use crate::coverage::products::Products;
    use crate::coverage::sets;
    use crate::coverage::sources::Sources;
    use crate::declarations::Declarations;
    use crate::process::root;

    /// The state of this repository.
    fn here() -> Vec<Row> {
        let read = || {
            let all = Declarations::read(&root())?;
            Ok(rows(&all, &sets::read(&root())?, &Sources::read(&root())?))
        };
        let rows: Result<_, crate::error::Error> = read();
        rows.unwrap_or_default()
    }

    #[test]
    fn every_function_that_programs_use_is_declared_and_answered_by_the_emulator() {
        let rows = here();
        assert!(rows.len() > 400, "{} rows", rows.len());
        let is_silent = |row: &&Row| {
            let Support {
                declared,
                emulated,
                refused,
                ..
            } = row.support;
            row.set.is_some() && (!declared || emulated == refused)
        };
        let silent: Vec<_> = rows.iter().filter(is_silent).map(|row| &row.name).collect();
        assert!(
            silent.is_empty(),
            "neither emulated nor refused: {silent:?}"
        );
    }

    #[test]
    fn the_report_counts_and_lists() {
        let sources = Sources {
            emulated: ["aclInit".to_owned()].into(),
            refused: ["aclrtLaunchKernel".to_owned()].into(),
            typed: ["aclInit".to_owned()].into(),
        };
        let members = [("aclInit".to_owned(), 0), ("aclLost".to_owned(), 1)];
        let products = Products::read(&root()).unwrap_or_default();
        let rows = rows(&Declarations::default(), &members, &sources);
        let text = report(&rows, &products);
        for words in [
            "RT-90     all                 1          0          1          0          1          1",
            "RT-95     all                 2          0          1          0          1          2",
            "  on 950      on A3      on A2    on 310B    on 310P     on 910",
            "RT-95 not declared (1): aclLost",
            "RT-95 not emulated (1): aclLost",
        ] {
            assert!(text.contains(words), "`{words}` is missing in\n{text}");
        }
        assert!(!text.contains("RT-90 not emulated"), "{text}");
    }
}
