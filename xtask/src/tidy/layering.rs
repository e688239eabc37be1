//! The rooms of a package, and the arrows between them: no file names a module of a higher floor.
//!
//! A room is a module of the package's root with everything inside it. One arrow leads from a room to each other room
//! that it names. `lib.rs` and `main.rs` are not rooms: they are above all floors.

use std::collections::{BTreeMap, BTreeSet};

use super::floors::{Package, TABLE, packages};
use crate::files::File;
use crate::finding::Finding;
use crate::imports::{self, Import};

/// The counts of a package.
#[derive(Debug)]
pub(crate) struct Rooms {
    /// The modules at the root.
    pub(crate) rooms: usize,
    /// All modules that have a file.
    pub(crate) modules: usize,
    /// Pairs of rooms of which the first names the second.
    pub(crate) arrows: usize,
    /// Rooms of the largest group in which each reaches each other one.
    pub(crate) circle: usize,
}

/// The rooms that each room of a package names.
type Arrows = BTreeMap<String, BTreeSet<String>>;

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    let of_package = |package| of_package(package, files);
    packages(TABLE).iter().flat_map(of_package).collect()
}

fn of_package(package: &Package, files: &[File]) -> Vec<Finding> {
    let (mut findings, arrows, _) = read(package, files);
    let listed = package.floors.iter().flatten();
    findings.extend(
        listed
            .filter(|name| !arrows.contains_key(**name))
            .map(|name| {
                let what = format!("`{}` has no module `{name}`", package.folder);
                Finding::new("xtask/data/floors.txt", 1, what)
            }),
    );
    findings
}

/// Counts the rooms of a package.
pub(crate) fn count(package: &Package, files: &[File]) -> Rooms {
    let (_, arrows, modules) = read(package, files);
    let is_room = |to: &&String| arrows.contains_key(*to);
    Rooms {
        rooms: arrows.len(),
        modules,
        arrows: arrows.values().flatten().filter(is_room).count(),
        circle: circle(&arrows),
    }
}

/// The findings in a package, its arrows, and the number of its modules.
fn read(package: &Package, files: &[File]) -> (Vec<Finding>, Arrows, usize) {
    let (mut findings, mut arrows, mut modules) = (Vec::new(), Arrows::new(), 0);
    for file in files.iter().filter(|file| file.is_rust()) {
        let Some(path) = file.path.strip_prefix(package.folder) else {
            continue;
        };
        let own = Package::room(path);
        if own == "lib" || own == "main" {
            continue;
        }
        modules += 1;
        let named = arrows.entry(own.to_owned()).or_default();
        let Some(floor) = package.floor(own) else {
            let what = format!("module `{own}` has no floor; enter it in xtask/data/floors.txt");
            findings.push(Finding::new(&file.path, 1, what));
            continue;
        };
        let imports = imports::read(path, &file.text).unwrap_or_else(|error| {
            findings.push(Finding::new(&file.path, 1, error));
            Vec::new()
        });
        for Import { line, module: word } in imports {
            // An item that the root re-exports has a module of its own, which may have a floor low enough.
            let root = format!(
                "`crate::{word}` is of lib.rs, which stands above `{own}`; name it by its module"
            );
            let above = format!("`{own}` uses `{word}`, which stands on a higher floor");
            let used = package.floor(&word);
            if used.is_none_or(|used| used > floor) {
                let what = used.map_or(root, |_| above);
                findings.push(Finding::new(&file.path, line, what));
            }
            if word != own {
                named.insert(word);
            }
        }
    }
    (findings, arrows, modules)
}

/// The size of the largest group in which each room reaches each other one; 0 where there is none.
fn circle(arrows: &Arrows) -> usize {
    let rooms = arrows.keys();
    let rooms = rooms.map(|room| (room.as_str(), reach(arrows, room)));
    let reached: BTreeMap<&str, BTreeSet<&str>> = rooms.collect();
    let reaches = |from: &str, to: &str| reached.get(from).is_some_and(|all| all.contains(to));
    let group = |room: &&str| {
        let both = |other: &&&str| reaches(room, other) && reaches(other, room);
        reached.keys().filter(both).count()
    };
    reached.keys().map(group).max().unwrap_or(0)
}

/// The rooms that one room leads to over any number of arrows.
fn reach<'a>(arrows: &'a Arrows, from: &str) -> BTreeSet<&'a str> {
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
    use super::{Package, TABLE, of_package, packages, read};
    use crate::files::File;
    use crate::finding::lines;

    fn package() -> Package {
        let mut packages = packages("src/\nerror raw\ndevice\n# Both.\nmemory stream");
        packages
            .pop()
            .unwrap_or_else(|| unreachable!("there is one"))
    }

    /// A file, its text, and the finding there.
    const FILES: &str = "\
src/stream.rs | use crate::{error, memory}; |
src/memory/host.rs | use super::copy; use super::super::stream::Stream; |
src/lib.rs | pub use crate::stream::Stream; |
sys/src/raw.rs | use crate::stream; |
src/error.rs | macro_rules! m { () => { $crate::stream::m() } } |
src/error.rs | use crate::stream::S; | 1: `error` uses `stream`
src/device/mod.rs | fn f(s: crate::memory::Buf) {} | 1: `device` uses
src/device.rs | use crate::{ raw::{a, b}, stream, }; | 1: `device` uses `stream`
src/raw.rs | use super::device::D; | 1: `raw` uses `device`
src/device/a.rs | use super::super::memory::B; | `device` uses `memory`
src/raw.rs | use crate::Stream; | 1: `crate::Stream` is of lib.rs
src/queue.rs | | 1: module `queue` has no floor
src/raw.rs | fn f( { | cannot be read";

    #[test]
    fn higher_floors_the_root_and_unknown_modules_are_reported() {
        for line in FILES.lines() {
            let mut fields = line.split('|').map(str::trim);
            let [path, text, words] = [(); 3].map(|()| fields.next().unwrap_or_default());
            let found = lines(&read(&package(), &[File::sample(path, text)]).0);
            let is_it = found.len() == usize::from(!words.is_empty());
            assert!(is_it && found.concat().contains(words), "{line}: {found:?}");
        }
    }

    #[test]
    fn a_floor_of_a_module_that_does_not_exist_is_reported() {
        let modules = ["error", "raw/mod", "device", "memory/host"];
        let files = modules.map(|name| File::sample(&format!("src/{name}.rs"), ""));
        let expected = ["xtask/data/floors.txt:1: `src/` has no module `stream`"];
        assert_eq!(lines(&of_package(&package(), &files)), expected);
    }

    #[test]
    fn every_module_of_a_real_package_has_one_floor() {
        for Package { folder, floors } in packages(TABLE) {
            let mut all: Vec<_> = floors.concat();
            let named = all.len();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), named, "{folder} names a module twice");
        }
    }
}
