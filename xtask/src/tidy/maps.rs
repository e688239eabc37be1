//! The modules of the emulator that every program builds share one kind of ordered map. Each further kind of map is
//! thousands of lines to compile, for each build of each program.

use super::Finding;
use crate::files::File;

const EMULATOR: &str = "emulator/src/";

/// The file of that map.
const SHARED: &str = "ordered.rs";

/// The modules that a program leaves out by a feature.
const AREAS: [&str; 4] = ["collective/", "media/", "model/", "op/"];

const MAPS: [&str; 4] = ["BTreeMap", "BTreeSet", "HashMap", "HashSet"];

pub(super) fn check(file: &File) -> Vec<Finding> {
    let Some(path) = file.path.strip_prefix(EMULATOR) else {
        return Vec::new();
    };
    if path == SHARED || AREAS.iter().any(|area| path.starts_with(area)) {
        return Vec::new();
    }
    let uses = |(number, line): (usize, &str)| {
        let map = MAPS.iter().find(|map| line.contains(**map))?;
        let what = format!("`{map}` is one more kind of map to compile: use those of `ordered.rs`");
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
        assert_eq!(found("emulator/src/callback.rs"), 1);
        for other in [
            "emulator/src/ordered.rs",
            "emulator/src/op/named/bind.rs",
            "xtask/src/main.rs",
        ] {
            assert_eq!(found(other), 0, "{other}");
        }
    }
}
