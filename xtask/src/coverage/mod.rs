//! The share of AscendCL that is declared, emulated and typed, set by set and area by area.

mod goals;
mod operators;
#[cfg(test)]
mod products;
mod sets;
mod sources;

use std::collections::{BTreeMap, BTreeSet};

use crate::declarations::Declarations;
use crate::error::Error;
use crate::files;
use crate::output::print;
use sets::{Member, SETS};
use sources::Sources;

/// The columns of the report, with the functions that each counts.
const COLUMNS: [(&str, fn(&Row) -> bool); 6] = [
    ("functions", |_| true),
    ("declared", |row| row.declared),
    ("emulated", |row| row.emulated),
    ("refused", |row| row.refused),
    ("typed", |row| row.typed),
    ("replaced", |row| row.replaced),
];

/// A function, and its state in this repository.
#[derive(Debug)]
struct Row {
    name: String,
    area: String,
    /// The smallest set that it is in, an index into [`SETS`]; none is only declared.
    set: Option<usize>,
    declared: bool,
    emulated: bool,
    /// The emulator has no hardware for it, and refuses.
    refused: bool,
    typed: bool,
    /// The typed API does not call it. The documentation of what replaces it has its name as an alias.
    replaced: bool,
}

/// `cargo xtask coverage [--write]`.
pub(crate) fn command(write: bool) -> Result<(), Error> {
    let all = Declarations::read()?;
    if write {
        return files::write(operators::PAGE, &operators::page(&all)?);
    }
    let rows = rows(&all, &sets::read()?, &Sources::read()?);
    print(&(report(&rows) + &goals::report(&all)?));
    Ok(())
}

/// The functions of all sets.
pub(crate) fn used() -> Result<BTreeSet<String>, Error> {
    Ok(sets::read()?.into_iter().map(|(name, _)| name).collect())
}

/// The functions that the typed API calls.
pub(crate) fn called() -> Result<BTreeSet<String>, Error> {
    Ok(Sources::read()?.typed)
}

/// The functions of the typed API that are operators.
pub(crate) fn typed_functions() -> Result<BTreeSet<String>, Error> {
    operators::functions()
}

/// Every function that is declared or counted.
fn rows(all: &Declarations, members: &[Member], sources: &Sources) -> Vec<Row> {
    let functions = all.functions.iter();
    let declared = functions.map(|function| (function.name.clone(), function.area.clone()));
    // The one function with arguments like `printf` is not in the lists.
    let log = ("aclAppLog".to_owned(), "log".to_owned());
    let mut names: Vec<(String, String)> = declared.chain([log]).collect();
    let known: BTreeSet<String> = names.iter().map(|(name, _)| name.clone()).collect();
    let undeclared = members.iter().filter(|(name, _)| !known.contains(name));
    names.extend(undeclared.map(|(name, _)| (name.clone(), String::new())));
    // The emulator does not compile without a definition of each.
    let phases = all.operators.iter();
    let phases = phases.flat_map(|one| [one.launch, one.prepare]);
    let phases: BTreeSet<&str> = phases.collect();
    let sets: BTreeMap<_, _> = members.iter().cloned().collect();
    let row = |(name, area): (String, String)| Row {
        set: sets.get(&name).copied(),
        declared: !area.is_empty(),
        emulated: sources.emulated.contains(&name) || phases.contains(name.as_str()),
        refused: sources.refused.contains(&name),
        typed: sources.typed.contains(&name),
        replaced: !sources.typed.contains(&name) && sources.named.contains(&name),
        name,
        area,
    };
    names.into_iter().map(row).collect()
}

/// The tables, and the missing functions of each set.
fn report(rows: &[Row]) -> String {
    let mut text = String::new();
    let names = COLUMNS.map(|(name, _)| name.to_owned());
    line(&mut text, "set", "area", names);
    for limit in (0..SETS.len()).map(Some).chain([None]) {
        let name = limit.and_then(|set| SETS.get(set)).unwrap_or(&"declared");
        let inside = |row: &&Row| limit.is_none() || row.set.is_some_and(|set| Some(set) <= limit);
        let set: Vec<_> = rows.iter().filter(inside).collect();
        counts(&mut text, name, "all", &set);
        let areas: BTreeSet<_> = set.iter().map(|row| row.area.as_str()).collect();
        for area in areas {
            let of_area: Vec<_> = set.iter().copied().filter(|row| row.area == area).collect();
            counts(&mut text, "", area, &of_area);
        }
    }
    let missing: [(&str, fn(&Row) -> bool); 4] = [
        ("not declared", |row| !row.declared),
        ("not emulated", |row| !row.emulated && !row.refused),
        ("refused by the emulator", |row| row.refused),
        ("neither typed nor replaced", |row| {
            !row.typed && !row.replaced
        }),
    ];
    for (index, set) in SETS.iter().enumerate() {
        for (what, is_missing) in missing {
            let added = rows.iter();
            let added = added.filter(|row| row.set == Some(index) && is_missing(row));
            let names: Vec<_> = added.map(|row| row.name.as_str()).collect();
            if !names.is_empty() {
                let (count, names) = (names.len(), names.join(" "));
                text += &format!("\n{set} {what} ({count}): {names}\n");
            }
        }
    }
    text + &format!(
        "\nEach set is listed without what the smaller ones list. Beyond {} most is declared only.\n",
        SETS.last().unwrap_or(&"")
    )
}

fn counts(text: &mut String, set: &str, area: &str, rows: &[&Row]) {
    let count = |is: fn(&Row) -> bool| rows.iter().filter(|row| is(row)).count();
    let counts = COLUMNS.map(|(_, is)| count(is).to_string());
    line(text, set, area, counts);
}

fn line(text: &mut String, set: &str, area: &str, columns: [String; COLUMNS.len()]) {
    let columns = columns.map(|column| format!("{column:>11}")).concat();
    *text += &format!("{set:<10}{area:<10}{columns}\n");
}

#[cfg(test)]
mod tests {
    use super::{Sources, report, rows, sets};
    use crate::declarations::Declarations;
    use crate::error::Error;

    #[test]
    fn every_function_that_programs_use_is_declared_and_answered_by_the_emulator()
    -> Result<(), Error> {
        let rows = rows(&Declarations::read()?, &sets::read()?, &Sources::read()?);
        assert!(rows.len() > 400, "{} rows", rows.len());
        let used = rows.iter().filter(|row| row.set.is_some());
        let silent = used.filter(|row| !row.declared || row.emulated == row.refused);
        let silent: Vec<_> = silent.map(|row| &row.name).collect();
        assert!(
            silent.is_empty(),
            "neither emulated nor refused: {silent:?}"
        );
        Ok(())
    }

    #[test]
    fn the_report_counts_and_lists() {
        let sources = Sources {
            emulated: ["aclInit".to_owned()].into(),
            refused: ["aclrtLaunchKernel".to_owned()].into(),
            typed: ["aclInit".to_owned()].into(),
            named: ["aclInit".to_owned(), "aclOld".to_owned()].into(),
        };
        let names = ["aclInit", "aclOld", "aclLost"].map(str::to_owned);
        let members: Vec<_> = names.into_iter().zip([0, 1, 1]).collect();
        let rows = rows(&Declarations::default(), &members, &sources);
        let text = report(&rows);
        for words in [
            "RT-90     all                 1          0          1          0          1          0",
            "RT-95     all                 3          0          1          0          1          1",
            "RT-95 not declared (2): aclOld aclLost",
            "RT-95 not emulated (2): aclOld aclLost",
        ] {
            assert!(text.contains(words), "`{words}` is missing in\n{text}");
        }
        assert!(
            text.contains("RT-95 neither typed nor replaced (1): aclLost"),
            "{text}"
        );
        assert!(!text.contains("RT-90 not emulated"), "{text}");
    }
}
