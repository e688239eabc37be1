//! No file uses a module of a higher floor of its package.

use super::Finding;
use super::files::File;
use super::floors::{PACKAGES, Package, REST};

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
    let own = path
        .split('/')
        .next()
        .unwrap_or(path)
        .trim_end_matches(".rs");
    if own == "lib" {
        return Vec::new();
    }
    let Some(floor) = floor_of(package, own) else {
        let what = format!("module `{own}` has no floor; enter it in xtask/src/tidy/floors.rs");
        return vec![Finding::new(&file.path, 1, what)];
    };

    let mut findings = Vec::new();
    for (line, word) in words(file, path) {
        let what = match floor_of(package, &word) {
            Some(used) if used <= floor => continue,
            Some(_) => format!("`{own}` uses `{word}`, which stands on a higher floor"),
            // What the root re-exports has a module of its own, which may stand low enough.
            None => format!(
                "`crate::{word}` is of lib.rs, which stands above `{own}`; name it by its module"
            ),
        };
        findings.push(Finding::new(&file.path, line, what));
    }
    findings
}

fn floor_of(package: &Package, module: &str) -> Option<usize> {
    let holds = |word: &str| {
        package
            .floors
            .iter()
            .position(|floor| floor.contains(&word))
    };
    holds(module).or_else(|| holds(REST))
}

/// The modules of the package's root that the file names, with the line of each.
fn words(file: &File, path: &str) -> Vec<(usize, String)> {
    let mut code = String::new();
    let mut starts = Vec::new();
    for (_, line) in file.code() {
        starts.push(code.len());
        code.push_str(line);
        code.push('\n');
    }
    let line_of = |at: usize| starts.partition_point(|start| *start <= at);

    // A file in `src/` reaches the root with one `super`, a file in `src/memory/` with two.
    let folders = path.matches('/').count();
    let depth = if path.ends_with("mod.rs") {
        folders
    } else {
        folders + 1
    };
    let supers = "super::".repeat(depth);

    let mut found = Vec::new();
    for root in ["crate::", &supers] {
        for (at, _) in code.match_indices(root) {
            let (before, after) = code.split_at(at);
            let continues = |c: char| c.is_alphanumeric() || c == '_' || c == ':' || c == '$';
            if before.ends_with(continues) {
                continue;
            }
            let after = after.strip_prefix(root).unwrap_or(after);
            let names = first_names(after);
            // In a nested module `super` is another place, so only known modules count.
            let known = |name: &String| root == "crate::" || is_known(name);
            found.extend(
                names
                    .into_iter()
                    .filter(known)
                    .map(|name| (line_of(at), name)),
            );
        }
    }
    found.sort();
    found
}

fn is_known(module: &str) -> bool {
    let floors = PACKAGES.iter().flat_map(|package| package.floors);
    floors.copied().flatten().any(|known| *known == module)
}

/// `stream` of `stream::Stream`, and `raw`, `state` of `{raw, state::Uninit}`.
fn first_names(after: &str) -> Vec<String> {
    let Some(group) = after.strip_prefix('{') else {
        return name(after).into_iter().collect();
    };
    let mut names = Vec::new();
    let mut depth = 0;
    let mut item = 0;
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                names.extend(group.get(item..at).and_then(|text| name(text.trim_start())));
                item = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names
}

fn name(text: &str) -> Option<String> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    let name = text.get(..end.unwrap_or(text.len()))?;
    (!name.is_empty() && name != "self").then(|| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::{Package, REST, check_in};
    use crate::tidy::files::File;

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
    fn the_rest_stands_on_its_own_floor() {
        let package = Package {
            folder: "src/",
            floors: &[&["heap"], &[REST]],
        };
        let high = File::sample("src/stream.rs", "use crate::{heap, event};\n");
        assert_eq!(check_in(&package, &high), []);
        let low = File::sample("src/heap.rs", "use crate::event;\n");
        assert_eq!(check_in(&package, &low).len(), 1);
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
