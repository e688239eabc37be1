//! Where the libraries of custom operators are: the packages that `msopgen` builds and an administrator installs.

use std::env;
use std::path::{Path, PathBuf};

use crate::text;

/// The library of a package, below its folder.
const LIBRARY: &str = "op_api/lib/libcust_opapi.so";

/// The files that may hold custom operators, the first one wins. The last is looked for by the system's loader.
pub(super) fn files() -> impl Iterator<Item = PathBuf> {
    let packages = env::var_os("ASCEND_CUSTOM_OPP_PATH").unwrap_or_default();
    let packages: Vec<_> = env::split_paths(&packages)
        .filter(|package| !package.as_os_str().is_empty())
        .collect();
    let packages = packages.into_iter().chain(vendors());
    let files = packages.map(|package| package.join(LIBRARY));
    files
        .filter(|file| file.is_file())
        .chain([PathBuf::from("libcust_opapi.so")])
}

/// The folders of the vendors whose operators are installed with the toolkit.
fn vendors() -> Vec<PathBuf> {
    let below_home = || {
        let home =
            super::variable("ASCEND_HOME_PATH").or_else(|| super::variable("ASCEND_TOOLKIT_HOME"));
        home.map(|home| home.join("opp"))
    };
    let Some(operators) = super::variable("ASCEND_OPP_PATH").or_else(below_home) else {
        return Vec::new();
    };
    let vendors = operators.join("vendors");
    let text = text::read(&vendors.join("config.ini")).unwrap_or_default();
    in_order(&vendors, &text)
}

/// The folders that `load_priority=one,two` names, the first one wins.
fn in_order(vendors: &Path, config: &str) -> Vec<PathBuf> {
    let line = config.lines().find_map(|line| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == "load_priority").then_some(value)
    });
    let names = line.unwrap_or_default().split(',').map(str::trim);
    names
        .filter(|name| !name.is_empty())
        .map(|name| vendors.join(name))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::in_order;
    use std::path::{Path, PathBuf};

    #[test]
    fn vendors_stand_in_the_order_of_their_file() {
        let found = in_order(Path::new("/opp"), "# x\nload_priority = mine, theirs,\n");
        assert_eq!(
            found,
            [PathBuf::from("/opp/mine"), PathBuf::from("/opp/theirs")]
        );
        assert!(in_order(Path::new("/opp"), "").is_empty());
    }
}
