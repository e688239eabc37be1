//! The emulator has maps of its own. Each kind of those of the standard library is thousands of lines to compile, for each
//! build of each program.

use super::Finding;
use crate::files::File;

const EMULATOR: &str = "emulator/src/";

/// The files of its maps, and one that reads an object of JSON, which is a map of the standard library.
const SHARED: [&str; 3] = ["ordered.rs", "sorted.rs", "op/named/folder.rs"];

const MAPS: [&str; 4] = ["BTreeMap", "BTreeSet", "HashMap", "HashSet"];

pub(super) fn check(file: &File) -> Vec<Finding> {
    let Some(path) = file.path.strip_prefix(EMULATOR) else {
        return Vec::new();
    };
    if SHARED.contains(&path) {
        return Vec::new();
    }
    let uses = |(number, line): (usize, &str)| {
        let map = MAPS.iter().find(|map| line.contains(**map))?;
        let what = format!(
            "`{map}` is one more kind of map to compile: use those of `ordered.rs` or `sorted.rs`"
        );
        Some(Finding::new(&file.path, number, what))
    };
    file.code().filter_map(uses).collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::files::File;

    #[test]
    fn a_further_map_is_found_where_every_program_builds_it() {
        let found = |path: &str| {
            let text = "use std::collections::HashMap;\n// not a BTreeMap\n";
            check(&File::sample(path, text)).len()
        };
        assert_eq!(found("emulator/src/check/values.rs"), 1);
        assert_eq!(found("emulator/src/op/named/bind.rs"), 1);
        for other in [
            "emulator/src/ordered.rs",
            "emulator/src/op/named/folder.rs",
            "xtask/src/main.rs",
        ] {
            assert_eq!(found(other), 0, "{other}");
        }
    }
}
