//! One word names an area in every tree: each area of `src/` has integration tests, the lists of `ascendcl-sys` have
//! no other words, and the documents name all areas.

use ui_tests::area::AREAS;

use super::Finding;
use crate::files::File;

/// The folders of `ascendcl-sys` that have a file for each area.
const TREES: [&str; 3] = ["sys/src/functions/", "sys/src/types/", "sys/src/structs/"];

/// Files of these folders that are no area: `log` is for the runtime's own log, and `operators` is a part of `op`.
const OTHERS: [&str; 3] = ["mod", "log", "operators"];

/// The documents that name the areas.
const DOCUMENTS: [&str; 3] = ["ARCHITECTURE.md", "CONTRIBUTING.md", "ui-tests/README.md"];

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    [untested(files), unknown(files), unnamed(files)].concat()
}

/// Areas of the typed API that have no tests.
fn untested(files: &[File]) -> Vec<Finding> {
    let has = |tree: &str, area: &&str| {
        let (file, folder) = (format!("{tree}/{area}.rs"), format!("{tree}/{area}/"));
        let mut paths = files.iter().map(|file| &file.path);
        paths.any(|path| *path == file || path.starts_with(&folder))
    };
    let untested = |area: &&&str| has("src", area) && !has("tests/it", area);
    let finding = |area: &&str| {
        let file = format!("tests/it/{area}.rs");
        Finding::new(&file, 1, format!("`{area}` has no tests"))
    };
    AREAS.iter().filter(untested).map(finding).collect()
}

/// Files of `ascendcl-sys` that are not named after an area.
fn unknown(files: &[File]) -> Vec<Finding> {
    let is_unknown = |file: &&File| {
        let name = TREES
            .iter()
            .find_map(|tree| file.path.strip_prefix(tree)?.strip_suffix(".rs"));
        // An area with several files has a folder.
        let word = name.map(|name| name.split_once('/').map_or(name, |(folder, _)| folder));
        word.is_some_and(|word| !AREAS.contains(&word) && !OTHERS.contains(&word))
    };
    files
        .iter()
        .filter(is_unknown)
        .map(|file| Finding::new(&file.path, 1, "is named by no area"))
        .collect()
}

/// Documents that do not have the list of areas.
fn unnamed(files: &[File]) -> Vec<Finding> {
    let list = AREAS.join(" ");
    let lacks = |file: &&File| {
        let words: Vec<_> = file.text.split_whitespace().collect();
        DOCUMENTS.contains(&file.path.as_str()) && !words.join(" ").contains(&list)
    };
    files
        .iter()
        .filter(lacks)
        .map(|file| Finding::new(&file.path, 1, format!("does not name the areas `{list}`")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{AREAS, check};
    use crate::files::File;

    fn found(paths: &[&str]) -> usize {
        let files = paths.iter().map(|path| File::sample(path, ""));
        check(&files.collect::<Vec<_>>()).len()
    }

    #[test]
    fn an_area_without_tests_is_found() {
        assert_eq!(found(&["src/stream.rs", "tests/it/stream.rs"]), 0);
        assert_eq!(found(&["src/memory/mod.rs", "tests/it/memory/copy.rs"]), 0);
        assert_eq!(found(&["src/error.rs"]), 0, "not an area");
        assert_eq!(found(&["src/stream.rs", "tests/it/streams.rs"]), 1);
    }

    #[test]
    fn a_file_of_no_area_is_found() {
        assert_eq!(found(&["sys/src/functions/queue.rs"]), 1);
        for path in ["functions/log.rs", "types/event.rs", "load.rs"] {
            assert_eq!(found(&[&format!("sys/src/{path}")]), 0, "{path}");
        }
    }

    #[test]
    fn a_document_that_lacks_an_area_is_found() {
        let of = |text: &str| check(&[File::sample("CONTRIBUTING.md", text)]).len();
        let all = AREAS.join(" ");
        let broken = all.replacen(' ', "\n", 3);
        assert_eq!(of(&format!("The areas are `{broken}`.")), 0);
        assert_eq!(of(&all.replace(" graph", "")), 1);
    }
}
