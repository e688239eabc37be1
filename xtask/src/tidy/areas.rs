//! One word names an area in every tree: each area of `src/` has integration tests, the lists of `ascendcl-sys` have
//! no other words, and the documents name all areas.

use ui_tests::area::AREAS;

use crate::files::File;
use crate::finding::Finding;

/// The folders of `ascendcl-sys` that have a file for each area.
const TREES: [&str; 3] = ["sys/src/functions/", "sys/src/types/", "sys/src/structs/"];

/// Files of these folders that are no area: `log` is for the runtime's own log, and `operators` is a part of `op`.
const OTHERS: [&str; 3] = ["mod", "log", "operators"];

/// The documents that name the areas.
const DOCUMENTS: [&str; 3] = ["ARCHITECTURE.md", "CONTRIBUTING.md", "ui-tests/README.md"];

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let has = |tree: &str, area: &str| {
        let (file, folder) = (format!("{tree}/{area}.rs"), format!("{tree}/{area}/"));
        let mut paths = files.iter().map(|file| &file.path);
        paths.any(|path| *path == file || path.starts_with(&folder))
    };
    for area in AREAS {
        if has("src", area) && !has("tests/it", area) {
            let what = format!("`{area}` has no tests");
            findings.push(Finding::new(format!("tests/it/{area}.rs"), 1, what));
        }
    }
    let list = AREAS.join(" ");
    for File { path, text } in files {
        let mut below = TREES.iter().filter_map(|tree| path.strip_prefix(tree));
        let name = below.find_map(|path| path.strip_suffix(".rs"));
        // An area with several files has a folder.
        let word = name.and_then(|name| name.split('/').next());
        if word.is_some_and(|word| !AREAS.contains(&word) && !OTHERS.contains(&word)) {
            findings.push(Finding::new(path, 1, "is named by no area"));
        }
        let words: Vec<_> = text.split_whitespace().collect();
        if DOCUMENTS.contains(&path.as_str()) && !words.join(" ").contains(&list) {
            let what = format!("does not name the areas `{list}`");
            findings.push(Finding::new(path, 1, what));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::{AREAS, check};
    use crate::files::File;

    #[test]
    fn areas_without_tests_files_of_no_area_and_lists_that_lack_one_are_found() {
        let (all, other) = (AREAS.join("\n"), AREAS.join(" ").replace(" graph", ""));
        for (paths, text, count) in [
            (["src/stream.rs", "tests/it/stream.rs"], "", 0),
            (["src/memory/mod.rs", "tests/it/memory/copy.rs"], "", 0),
            (["src/stream.rs", "tests/it/streams.rs"], "", 1),
            (["src/error.rs", "sys/src/functions/log.rs"], "", 0),
            (["sys/src/load.rs", "sys/src/functions/queue.rs"], "", 1),
            (["CONTRIBUTING.md", "README.md"], &all, 0),
            (["CONTRIBUTING.md", "README.md"], &other, 1),
        ] {
            let files = paths.map(|path| File::sample(path, text));
            assert_eq!(check(&files).len(), count, "{paths:?} {text}");
        }
    }
}
