//! `cargo xtask tidy`: facts about the repository that no compiler checks.
//!
//! Each check is a function from files to findings, in a file of its own, with a test that shows that it finds
//! something.

mod areas;
mod changelog;
mod defaults;
mod drops;
pub(crate) mod floors;
mod flows;
pub(crate) mod layering;
mod lines;
mod named;
mod notes;
mod shape;
mod unbound;

use std::fmt;

use crate::error::Error;
use crate::files::{self, File};
use crate::process::root;
use crate::sources::{self, Source};

/// A mistake and its place: `<file>:<line>: <sentence>`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Finding {
    place: String,
    what: String,
}

impl Finding {
    fn new(file: &str, line: usize, what: impl Into<String>) -> Self {
        Self {
            place: format!("{file}:{line}"),
            what: what.into(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

pub(crate) fn command() -> Result<(), Error> {
    let root = root();
    let failed = |error: String| Error::Failed(format!("tidy: {error}"));
    let files = files::read(&root).map_err(failed)?;
    let cases = files::cases()?;

    for warning in shape::long_files(&files) {
        println!("warning: {warning}");
    }
    let sources = sources::read(&files).map_err(failed)?;
    let mut findings: Vec<String> = findings(&files, &sources)
        .iter()
        .map(Finding::to_string)
        .collect();
    findings.extend(cases.problems());
    if findings.is_empty() {
        println!(
            "tidy: {} files, {} ui cases",
            files.len(),
            cases.cases.len()
        );
        return Ok(());
    }
    let count = findings.len();
    Err(failed(format!("{count} findings\n{}", findings.join("\n"))))
}

fn findings(files: &[File], sources: &[Source<'_>]) -> Vec<Finding> {
    let each_file = files.iter().flat_map(|file| {
        let mut findings = lines::check(file);
        if file.is_rust() {
            findings.extend(shape::check(file));
            findings.extend(notes::check(file));
        }
        findings
    });
    let whole = [
        areas::check(files),
        changelog::check(files),
        defaults::check(sources),
        drops::check(sources),
        flows::check(files),
        layering::check(files),
        named::check(files),
        unbound::check(sources),
    ];
    each_file.chain(whole.into_iter().flatten()).collect()
}
