//! `cargo xtask tidy`: facts about the repository that no compiler checks.
//!
//! Each check is a function from files to findings, with a test that shows that it finds something.

mod areas;
mod causes;
mod defaults;
mod drops;
pub(crate) mod floors;
mod flows;
pub(crate) mod layering;
mod lines;
mod named;
mod shape;
mod unbound;

use crate::error::{Error, conclude};
use crate::files::{self, File};
use crate::finding::Finding;
use crate::sources;

pub(crate) fn command() -> Result<(), Error> {
    let files = files::read()?;
    let cases = files::cases()?;
    let sources = sources::read(&files)?;
    let whole = [
        areas::check(&files),
        causes::check(&sources, causes::EXCEPTIONS),
        shape::changelog(&files),
        defaults::check(&sources, defaults::EXCEPTIONS),
        drops::check(&sources, drops::EXCEPTIONS),
        flows::check(&files),
        layering::check(&files),
        named::check(&files),
        unbound::check(&sources, unbound::EXCEPTIONS),
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

/// What a check lets pass: names that are separated by spaces, and the reason.
type Exceptions<'e> = &'e [(&'e str, &'e str)];

/// The findings that are no exceptions, and the exceptions in `file` that are of no use. Each finding has a name.
fn excepted(
    file: &str,
    exceptions: Exceptions<'_>,
    suspects: Vec<(String, Finding)>,
) -> Vec<Finding> {
    let names = exceptions
        .iter()
        .flat_map(|(names, _)| names.split_whitespace());
    let mut unused: Vec<&str> = names.collect();
    let mut findings = Vec::new();
    for (name, finding) in suspects {
        match unused.iter().position(|known| *known == name) {
            Some(place) => drop(unused.remove(place)),
            None => findings.push(finding),
        }
    }
    let useless = |name| format!("the exception `{name}` is of no use");
    findings.extend(
        unused
            .into_iter()
            .map(|name| Finding::new(file, 1, useless(name))),
    );
    findings
}
