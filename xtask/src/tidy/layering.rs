//! The rooms of a package: no file names a module of a higher floor.
//!
//! A room is a module of the package's root with everything inside it. `lib.rs` and `main.rs` are not rooms: they are above all
//! floors. Rooms of one floor may name each other; a circle of more of them than there were is reported.

use std::collections::{BTreeMap, BTreeSet};

use super::floors::{Package, TABLE, packages};
use crate::files::File;
use crate::finding::Finding;
use crate::imports::{self, Import};

/// The most rooms in a circle of the typed API. Other packages have none.
const CIRCLE: (&str, usize) = ("src/", 4);

/// The rooms that each room of a package names.
type Arrows = BTreeMap<String, BTreeSet<String>>;

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    let of_package = |package| of_package(package, files);
    packages(TABLE).iter().flat_map(of_package).collect()
}

fn of_package(package: &Package, files: &[File]) -> Vec<Finding> {
    let (mut findings, arrows) = read(package, files);
    let (circle, (folder, most)) = (circle(&arrows), CIRCLE);
    if circle.len() > if package.folder == folder { most } else { 0 } {
        let what = format!("each of these modules leads to each other one: {circle:?}");
        findings.push(Finding::new(package.folder, 1, what));
    }
    let paths = files
        .iter()
        .filter_map(|file| file.path.strip_prefix(package.folder));
    let modules: BTreeSet<&str> = paths.map(Package::room).collect();
    let listed = package.floors.iter().flatten();
    findings.extend(listed.filter(|name| !modules.contains(*name)).map(|name| {
        let what = format!("`{}` has no module `{name}`", package.folder);
        Finding::new("xtask/data/floors.txt", 1, what)
    }));
    findings
}

/// The files that name a module of a higher floor, or are on none, and what each room names.
fn read(package: &Package, files: &[File]) -> (Vec<Finding>, Arrows) {
    let (mut findings, mut arrows) = (Vec::new(), Arrows::new());
    for file in files.iter().filter(|file| file.is_rust()) {
        let Some(path) = file.path.strip_prefix(package.folder) else {
            continue;
        };
        let own = Package::room(path);
        if own == "lib" || own == "main" {
            continue;
        }
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
            let used = package.floor(&word);
            if used.is_none_or(|used| used > floor) {
                // An item that the root re-exports has a module of its own, which may have a floor low enough.
                let root = format!(
                    "`crate::{word}` is of lib.rs, which stands above `{own}`; name it by its module"
                );
                let above = format!("`{own}` uses `{word}`, which stands on a higher floor");
                findings.push(Finding::new(&file.path, line, used.map_or(root, |_| above)));
            }
            if word != own {
                arrows.entry(own.to_owned()).or_default().insert(word);
            }
        }
    }
    (findings, arrows)
}

/// The largest group of rooms in which each reaches each other one.
fn circle(arrows: &Arrows) -> BTreeSet<&str> {
    let groups = arrows.keys().map(|room| {
        let mut group = reach(arrows, room);
        group.retain(|other| reach(arrows, other).contains(room.as_str()));
        group
    });
    groups.max_by_key(BTreeSet::len).unwrap_or_default()
}

/// The rooms that one room leads to over any number of arrows.
fn reach<'a>(arrows: &'a Arrows, from: &'a str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut next = vec![from];
    while let Some(room) = next.pop() {
        let new = arrows.get(room).into_iter().flatten();
        next.extend(new.map(String::as_str).filter(|to| reached.insert(*to)));
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::{CIRCLE, Package, TABLE, of_package, packages, read};
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
    fn a_circle_of_a_package_that_has_none_is_reported() {
        let floors = vec![vec!["error", "raw"]];
        let files = [("error", "raw"), ("raw", "error")];
        let files = files.map(|(of, to)| {
            let text = format!("use crate::{to}::X;");
            File::sample(&format!("src/{of}.rs"), &text)
        });
        let of = |folder| Package {
            folder,
            floors: floors.clone(),
        };
        assert!(lines(&of_package(&of(CIRCLE.0), &files)).is_empty());
        let files = files.map(|file| File {
            path: file.path.replace("src/", "a/"),
            ..file
        });
        let found = lines(&of_package(&of("a/"), &files));
        assert_eq!(
            found,
            ["a/:1: each of these modules leads to each other one: {\"error\", \"raw\"}"]
        );
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
