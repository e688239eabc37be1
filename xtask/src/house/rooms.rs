//! The rooms of a package, and the arrows between them.
//!
//! A room is a module of the package's root with everything inside it. One arrow leads from a room to each other room
//! that it names. `lib.rs` and `main.rs` are not rooms: they are above all floors.

use std::collections::{BTreeMap, BTreeSet};

use crate::files::File;
use crate::imports;
use crate::tidy::floors::Package;

/// The counts of a package.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Rooms {
    /// The modules at the root.
    pub(super) rooms: usize,
    /// All modules that have a file.
    pub(super) modules: usize,
    /// The floors that the rooms stand on.
    pub(super) floors: usize,
    /// Pairs of rooms of which the first names the second.
    pub(super) arrows: usize,
    /// Arrows that lead to a higher floor.
    pub(super) up: usize,
    /// Rooms of the largest group in which each reaches each other one.
    pub(super) circle: usize,
}

impl Rooms {
    pub(super) fn count(package: &Package, files: &[File]) -> Result<Rooms, String> {
        let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut modules = 0;
        for file in files.iter().filter(|file| file.is_rust()) {
            let Some(path) = file.path.strip_prefix(package.folder) else {
                continue;
            };
            let room = Package::room(path);
            if room == "lib" || room == "main" {
                continue;
            }
            modules += 1;
            let imports = imports::read(path, &file.text)
                .map_err(|error| package.folder.to_owned() + &error)?;
            let named = imports.into_iter().map(|import| import.module);
            arrows
                .entry(room.to_owned())
                .or_default()
                .extend(named.filter(|module| module != room));
        }
        let known: BTreeSet<String> = arrows.keys().cloned().collect();
        for named in arrows.values_mut() {
            named.retain(|module| known.contains(module));
        }
        let pairs = || {
            arrows
                .iter()
                .flat_map(|(from, named)| named.iter().map(move |to| (from, to)))
        };
        let is_up = |(from, to): &(&String, &String)| package.floor(from) < package.floor(to);
        Ok(Rooms {
            rooms: arrows.len(),
            modules,
            floors: package.floors.len(),
            arrows: pairs().count(),
            up: pairs().filter(is_up).count(),
            circle: circle(&arrows),
        })
    }
}

/// The size of the largest group in which each room reaches each other one; 0 where there is none.
fn circle(arrows: &BTreeMap<String, BTreeSet<String>>) -> usize {
    let reached: BTreeMap<&str, BTreeSet<&str>> = arrows
        .keys()
        .map(|room| (room.as_str(), reach(arrows, room)))
        .collect();
    let reaches = |from: &str, to: &str| reached.get(from).is_some_and(|all| all.contains(to));
    let group = |room: &&str| {
        let both = |other: &&&str| reaches(room, other) && reaches(other, room);
        reached.keys().filter(both).count()
    };
    reached.keys().map(group).max().unwrap_or(0)
}

/// The rooms that one room leads to over any number of arrows.
fn reach<'a>(arrows: &'a BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&str> = vec![from];
    while let Some(room) = next.pop() {
        for to in arrows.get(room).into_iter().flatten() {
            if reached.insert(to.as_str()) {
                next.push(to);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::Rooms;
    use crate::files::File;
    use crate::tidy::floors::Package;

    const PACKAGE: Package = Package {
        folder: "src/",
        floors: &[&["low", "lower"], &["high"]],
    };

    fn count(files: &[(&str, &str)]) -> Rooms {
        let files: Vec<_> = files
            .iter()
            .map(|(path, text)| File::sample(path, text))
            .collect();
        Rooms::count(&PACKAGE, &files).unwrap_or_default()
    }

    #[test]
    fn rooms_modules_and_arrows_are_counted() {
        let counted = count(&[
            ("src/lib.rs", "mod low; use crate::high;"),
            ("src/low.rs", ""),
            ("src/lower.rs", "use crate::{low, lower::x, other};"),
            ("src/high/mod.rs", "use crate::low;"),
            ("src/high/inner.rs", "use crate::{high::x, low, lower};"),
            ("tests/high.rs", "use crate::low;"),
        ]);
        let expected = Rooms {
            rooms: 3,
            modules: 4,
            floors: 2,
            arrows: 3,
            up: 0,
            circle: 0,
        };
        assert_eq!(counted, expected);
    }

    #[test]
    fn arrows_up_and_circles_are_counted() {
        let counted = count(&[
            ("src/low.rs", "use crate::high;"),
            ("src/lower.rs", "use crate::low;"),
            ("src/high.rs", "use crate::lower;"),
        ]);
        assert_eq!((counted.arrows, counted.up, counted.circle), (3, 1, 3));
        let pair = count(&[
            ("src/low.rs", "use crate::lower;"),
            ("src/lower.rs", "use crate::low;"),
            ("src/high.rs", "use crate::lower;"),
        ]);
        assert_eq!((pair.up, pair.circle), (0, 2));
    }
}
