//! The share of AscendCL that is declared, emulated and typed.

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
pub(crate) use operators::functions as typed_functions;
use sets::{Member, Set};
use sources::Sources;

/// A function, and its state in this repository.
#[derive(Debug)]
struct Row {
    name: String,
    /// The smallest set that it is in; one in none is only declared.
    set: Option<Set>,
    declared: bool,
    emulated: bool,
    /// The emulator has no hardware for it, and refuses.
    refused: bool,
    typed: bool,
    /// The typed API does not call it. The documentation of what replaces it has its name as an alias.
    replaced: bool,
}

/// The lines of the report, with the functions that each counts.
const LINES: [(&str, fn(&Row) -> bool); 7] = [
    ("functions", |_| true),
    ("declared", |row| row.declared),
    ("emulated", |row| row.emulated),
    ("refused", |row| row.refused),
    ("typed", |row| row.typed),
    ("replaced", |row| row.replaced),
    ("neither of both", |row| !row.typed && !row.replaced),
];

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
    Ok(sets::read()?
        .into_iter()
        .map(|member| member.function)
        .collect())
}

/// The functions that the typed API calls.
pub(crate) fn called() -> Result<BTreeSet<String>, Error> {
    Ok(Sources::read()?.typed)
}

/// Every function that is declared or used by programs.
fn rows(all: &Declarations, members: &[Member], sources: &Sources) -> Vec<Row> {
    let sets: BTreeMap<&str, Set> = members
        .iter()
        .map(|of| (of.function.as_str(), of.set))
        .collect();
    // The one function with arguments like `printf` is not in the lists.
    let declared = all
        .functions
        .iter()
        .map(|function| function.name.as_str())
        .chain(["aclAppLog"]);
    let declared: BTreeSet<&str> = declared.collect();
    // The emulator does not compile without a definition of each.
    let phases = all
        .operators
        .iter()
        .flat_map(|one| [one.launch, one.prepare]);
    let phases: BTreeSet<&str> = phases.collect();
    let row = |name: &&str| Row {
        name: (*name).to_owned(),
        set: sets.get(name).copied(),
        declared: declared.contains(name),
        emulated: sources.emulated.contains(*name) || phases.contains(name),
        refused: sources.refused.contains(*name),
        typed: sources.typed.contains(*name),
        replaced: !sources.typed.contains(*name) && sources.named.contains(*name),
    };
    let used = sets.keys().copied().collect();
    declared.union(&used).map(row).collect()
}

/// The numbers of all functions, and of those that programs use; then the names of those that are not typed.
fn report(rows: &[Row]) -> String {
    let mut text = format!("{:<16}{:>8}{:>8}\n", "", "all", "used");
    let used = || rows.iter().filter(|row| row.set.is_some());
    for (what, is_it) in LINES {
        let all = rows.iter().filter(|row| is_it(row)).count();
        let used = used().filter(|row| is_it(row)).count();
        text += &format!("{what:<16}{all:>8}{used:>8}\n");
    }
    for set in [Set::Rt90, Set::Rt95, Set::Rt99] {
        let added = used().filter(|row| row.set == Some(set) && !row.typed && !row.replaced);
        let names: Vec<&str> = added.map(|row| row.name.as_str()).collect();
        text += &format!(
            "\nneither typed nor replaced, of {set:?}: {}\n",
            names.join(" ")
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Sources, rows, sets};
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
}
