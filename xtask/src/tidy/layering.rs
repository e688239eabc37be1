//! No file uses a module of a higher floor of its package.

use super::Finding;
use super::floors::{PACKAGES, Package};
use crate::files::File;
use crate::imports::{self, Import};

pub(super) fn check(file: &File) -> Vec<Finding> {
    PACKAGES
        .iter()
        .flat_map(|package| check_in(package, file))
        .collect()
}

fn check_in(package: &Package, file: &File) -> Vec<Finding> {
    let Some(path) = file.path.strip_prefix(package.folder) else {
        return Vec::new();
    };
    let own = Package::room(path);
    if own == "lib" || own == "main" {
        return Vec::new();
    }
    let Some(floor) = package.floor(own) else {
        let what = format!("module `{own}` has no floor; enter it in xtask/src/tidy/floors.rs");
        return vec![Finding::new(&file.path, 1, what)];
    };

    let imports = match imports::read(path, &file.text) {
        Ok(imports) => imports,
        Err(error) => return vec![Finding::new(&file.path, 1, error)],
    };
    let mut findings = Vec::new();
    for Import { line, module: word } in imports {
        let what = match package.floor(&word) {
            Some(used) if used <= floor => continue,
            Some(_) => format!("`{own}` uses `{word}`, which stands on a higher floor"),
            // An item that the root re-exports has a module of its own, which may have a floor low enough.
            None => format!(
                "`crate::{word}` is of lib.rs, which stands above `{own}`; name it by its module"
            ),
        };
        findings.push(Finding::new(&file.path, line, what));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::{Package, check_in};
    use crate::files::File;

    const PACKAGE: Package = Package {
        folder: "src/",
        floors: &[&["error", "raw"], &["device"], &["memory", "stream"]],
    };

    #[test]
    fn lower_and_equal_floors_may_be_used() {
        assert_clean(
            "src/stream.rs",
            "use crate::{error, memory};\nfn a() { crate::raw::a() }\n",
        );
        assert_clean(
            "src/memory/host.rs",
            "use super::copy;\nuse super::super::stream::Stream;\n",
        );
        assert_clean("src/lib.rs", "pub use crate::stream::Stream;\n");
        assert_clean("sys/src/raw.rs", "use crate::stream;\n");
    }

    #[test]
    fn comments_and_macros_do_not_count() {
        assert_clean(
            "src/error.rs",
            "//! See [`Stream`](crate::stream::Stream).\n",
        );
        assert_clean(
            "src/error.rs",
            "macro_rules! m { () => { $crate::stream::m() } }\n",
        );
        assert_clean("src/error.rs", "pub(crate) fn f() {}\n");
    }

    #[test]
    fn higher_floors_may_not_be_used() {
        assert_finding(
            "src/error.rs",
            "\nuse crate::stream::Stream;\n",
            "2: `error` uses `stream`",
        );
        assert_finding(
            "src/device/mod.rs",
            "fn f(s: &crate::memory::Buf) {}\n",
            "1: `device` uses",
        );
        let group = "use crate::{\n    raw::{a, b},\n    stream,\n};\n";
        assert_finding("src/device.rs", group, "1: `device` uses `stream`");
        assert_finding(
            "src/raw.rs",
            "use super::device::Device;\n",
            "1: `raw` uses `device`",
        );
        let nested = "use super::super::memory::Buf;\n";
        assert_finding("src/device/reset.rs", nested, "1: `device` uses `memory`");
    }

    #[test]
    fn the_root_and_unknown_modules_are_reported() {
        assert_finding(
            "src/raw.rs",
            "use crate::Stream;\n",
            "1: `crate::Stream` is of lib.rs",
        );
        assert_finding("src/queue.rs", "", "1: module `queue` has no floor");
    }

    #[test]
    fn every_module_of_a_real_package_has_one_floor() {
        for package in super::PACKAGES {
            let mut all: Vec<_> = package.floors.concat();
            let named = all.len();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), named, "{} names a module twice", package.folder);
            // A glob would allow any module.
            assert!(!all.contains(&"*"));
        }
    }

    fn assert_clean(path: &str, text: &str) {
        assert_eq!(check_in(&PACKAGE, &File::sample(path, text)), []);
    }

    fn assert_finding(path: &str, text: &str, words: &str) {
        let findings = check_in(&PACKAGE, &File::sample(path, text));
        let found = findings
            .iter()
            .any(|finding| finding.to_string().contains(words));
        assert!(found && findings.len() == 1, "{findings:?}");
    }
}
