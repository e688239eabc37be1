//! `cargo xtask tidy`: facts about the repository that no compiler checks.
//!
//! Each check is a function from files to findings, with a test that shows that it finds something.

mod areas;
mod defaults;
mod drops;
mod features;
pub(crate) mod floors;
mod flows;
mod layering;
mod lines;
mod named;
mod paths;
mod shape;
mod unbound;

use serde::Deserialize;

use crate::error::{Error, conclude};
use crate::files::{self, File};
use crate::finding::Finding;
use crate::process::root;
use crate::rules::list;
use crate::sources;

pub(crate) fn command() -> Result<(), Error> {
    let files = files::read()?;
    let cases = files::cases()?;
    let sources = sources::read(&files)?;
    let suspects = [
        defaults::check(&sources),
        drops::check(&sources),
        unbound::check(&sources),
    ];
    let whole = [
        areas::check(&files),
        features::check(&files),
        shape::changelog(&files),
        flows::check(&files),
        layering::check(&files),
        named::check(&files),
        paths::check(&files, &|path| root().join(path).exists()),
        excepted(suspects.concat(), &files::text(EXCEPTIONS)?),
    ];
    let mut findings: Vec<Finding> = whole.concat();
    for file in &files {
        findings.extend(lines::check(file));
        if file.is_rust() {
            findings.extend(shape::check(file));
            findings.extend(shape::notes(file));
        }
    }
    let mut findings: Vec<String> = findings.iter().map(Finding::to_string).collect();
    findings.extend(cases.problems());
    conclude(&findings)?;
    let (files, cases) = (files.len(), cases.cases.len());
    println!("tidy: {files} files, {cases} ui cases");
    Ok(())
}

/// The file with the text of a path.
fn find<'f>(files: &'f [File], path: &str) -> Option<&'f File> {
    files.iter().find(|file| file.path == path)
}

/// What the checks of sources let pass, with the reasons.
const EXCEPTIONS: &str = "xtask/data/exceptions.csv";

/// An entry of that list.
#[derive(Deserialize)]
struct Exception {
    check: String,
    #[serde(deserialize_with = "list::names")]
    names: Vec<String>,
}

/// A finding that may be an exception: the check, and the name there.
type Suspect = ([String; 2], Finding);

fn suspect(name: [&str; 2], file: &File, line: usize, what: &str) -> Suspect {
    let what = format!("{what}, or enter the reason in {}", EXCEPTIONS);
    let finding = Finding::new(&file.path, line, what);
    (name.map(str::to_owned), finding)
}

/// The findings that are no exceptions, and the exceptions that are of no use. `text` is that of the list.
fn excepted(suspects: Vec<Suspect>, text: &str) -> Vec<Finding> {
    let (entries, mut findings) = list::read::<Exception>(EXCEPTIONS, text);
    let mut unused = Vec::new();
    for entry in &entries {
        let names = entry.names.iter();
        unused.extend(names.map(|name| (entry, [entry.check.clone(), name.clone()])));
    }
    for (name, finding) in suspects {
        match unused.iter().position(|(_, known)| *known == name) {
            Some(place) => drop(unused.remove(place)),
            None => findings.push(finding),
        }
    }
    findings.extend(unused.into_iter().map(|(entry, [check, name])| {
        entry.mistake(format!("the exception `{name}` of `{check}` is of no use"))
    }));
    findings
}

#[cfg(test)]
mod tests {
    use super::{Suspect, excepted, suspect};
    use crate::files::File;
    use crate::finding::lines;

    /// The findings of a check as they are printed.
    pub(super) fn found(suspects: &[Suspect]) -> Vec<String> {
        let findings = suspects.iter().map(|(_, finding)| finding.to_string());
        findings.collect()
    }

    #[test]
    fn an_exception_is_for_one_check_and_one_name() {
        let file = File::sample("src/a.rs", "");
        let found = |text: &str| {
            let suspects = ["A::a", "A::b"].map(|name| suspect(["drops", name], &file, 1, "no"));
            lines(&excepted(
                suspects.into(),
                &format!("check,names,reason\n{text}"),
            ))
        };
        assert_eq!(found("drops,A::a;A::b,why\n"), [""; 0]);
        let useless =
            "xtask/data/exceptions.csv:2: the exception `A::b` of `defaults` is of no use";
        let suspected = "src/a.rs:1: no, or enter the reason in xtask/data/exceptions.csv";
        let expected = [suspected, useless];
        assert_eq!(found("defaults,A::b,why\ndrops,A::b,why\n"), expected);
    }
}
