//! Paths in Markdown exist: the targets of links, and the paths between backquotes that begin in a folder of the repository.

use crate::files::File;
use crate::finding::Finding;

/// What a reader makes: a program, solutions of the exercises, and builds.
const OF_THE_READER: [&str; 3] = ["src/main.rs", "lessons/mine/", "target/"];

/// A page of rustdoc, whose links are paths of Rust.
const RUSTDOC: &str = "src/from_c.md";

/// `exists` says whether there is a file or a folder of this path, which begins at the root.
pub(super) fn check(files: &[File], exists: &dyn Fn(&str) -> bool) -> Vec<Finding> {
    let pages = files.iter().filter(|file| file.path.ends_with(".md"));
    let mut findings = Vec::new();
    for page in pages.filter(|page| page.path != RUSTDOC) {
        let folder = page.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let is_here = |path: &str| exists(&joined(folder, path));
        let mut is_code = false;
        for (number, line) in page.lines() {
            is_code ^= line.trim_start().starts_with("```");
            let links = line
                .split("](")
                .skip(1)
                .filter_map(|rest| rest.split(')').next());
            let links = links.map(|link| link.split('#').next().unwrap_or_default());
            let links = links.filter(|link| !link.contains("://") && !is_here(link));
            let words = line.split('`').skip(1).step_by(2);
            let words = words.filter(|word| {
                let folder = word.split_once('/').map_or("", |(folder, _)| folder);
                let is_path = word.chars().all(is_of_path) && !folder.is_empty() && exists(folder);
                let is_of_reader = OF_THE_READER.iter().any(|path| word.starts_with(path));
                is_path && !is_of_reader && !exists(word) && !is_here(word)
            });
            for path in links.chain(words).filter(|_| !is_code) {
                let what = format!("names `{path}`, which does not exist");
                findings.push(Finding::new(&page.path, number, what));
            }
        }
    }
    findings
}

fn is_of_path(c: char) -> bool {
    c.is_ascii_alphanumeric() || "/._-".contains(c)
}

/// The path of a file that a page in `folder` names.
fn joined(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::files::File;
    use crate::finding::lines;

    #[test]
    fn paths_of_nothing_are_found() {
        let text = "[a](../src/a.rs#x), [b](b.md), [c](https://c.example/d), [e](#e)\n\
                    `src/a.rs`, `src/`, `src/main.rs`, `b.md`, `x/y`, `src/{a,b}.rs`\n\
                    `src/b.rs`, [a](a.rs)\n\
                    ```text\n[0](0) `src/c.rs`\n```\n";
        let exists =
            |path: &str| ["", "src", "src/", "src/a.rs", "docs", "docs/b.md"].contains(&path);
        let expected = ["a.rs", "src/b.rs"];
        let expected =
            expected.map(|path| format!("docs/a.md:3: names `{path}`, which does not exist"));
        assert_eq!(
            lines(&check(&[File::sample("docs/a.md", text)], &exists)),
            expected
        );
    }
}
