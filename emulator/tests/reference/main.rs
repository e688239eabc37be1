//! Operators against independent software. `generate.py` computes results with PyTorch and writes a line for each case
//! to the files beside it. `text.rs` explains the form of a line. A new operator needs lines only.
//!
//! `ASCENDCL_REFERENCE` names a folder with other lines, for example those of `generate.py --large`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test, and the test tells how many cases it ran"
)]

#[macro_use]
#[path = "../common/mod.rs"]
mod common;
mod arguments;
mod mutants;
mod text;

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::ptr;

use arguments::{Arguments, Listed, OPERATORS};
use common::{malloc, start};
use text::Line;

/// Returns the lines of all files, with their places.
fn lines() -> Vec<(String, String)> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference");
    let folder = env::var_os("ASCENDCL_REFERENCE").map_or(own, PathBuf::from);
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "txt"));
    files.sort();
    let mut lines = Vec::new();
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for (number, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            if !line.is_empty() && !line.starts_with('#') && is_there(line) {
                lines.push((format!("{name}:{}", number + 1), line.to_owned()));
            }
        }
    }
    lines
}

/// Whether this build has the operator of a line. Two features have some of them; with both, each line has an operator.
fn is_there(line: &str) -> bool {
    let is_named = |one: &Listed| line.split_whitespace().next() == Some(one.name);
    cfg!(all(feature = "more-operators", feature = "training")) || OPERATORS.iter().any(is_named)
}

/// Runs both phases of a case and compares the results.
fn run(line: &Line<'_>) -> Result<(), String> {
    let arguments = Arguments::new(line);
    let (mut size, mut executor) = (u64::MAX, ptr::null_mut());
    let operator = Listed::find(line.operator);
    let code = operator.prepare(&arguments, &mut size, &mut executor);
    if code != line.code {
        return Err(format!(
            "the first phase returned {code}: {}",
            common::text()
        ));
    }
    if code != 0 {
        return match (size, executor.is_null()) {
            (u64::MAX, true) => Ok(()),
            left => Err(format!("a refused first phase wrote {left:?}")),
        };
    }
    let workspace = match size {
        0 => ptr::null_mut(),
        size => malloc(usize::try_from(size).unwrap()),
    };
    let stream = ptr::null_mut();
    let code = operator.launch(workspace, size, executor, stream);
    if code != 0 {
        return Err(format!(
            "the second phase returned {code}: {}",
            common::text()
        ));
    }
    check!(stream.aclrtSynchronizeStream(stream));
    if size > 0 {
        check!(memory.aclrtFree(workspace));
    }
    arguments.compare(line.tolerance)
}

#[test]
fn results_are_those_of_other_software() {
    let _serial = start();
    let lines = lines();
    let mut wrong = Vec::new();
    for (place, text) in &lines {
        if let Err(reason) = run(&Line::new(text)) {
            wrong.push(format!(
                "{place}: {}: {reason}",
                text.chars().take(300).collect::<String>()
            ));
        }
    }
    println!("{} cases", lines.len());
    assert!(
        wrong.is_empty(),
        "{} of {} cases:\n{}",
        wrong.len(),
        lines.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_operator_has_a_case() {
    if env::var_os("ASCENDCL_REFERENCE").is_some() {
        return;
    }
    let lines = lines();
    let named: BTreeSet<_> = lines
        .iter()
        .map(|(_, text)| Line::new(text).operator)
        .collect();
    let names = OPERATORS.iter().map(|operator| operator.name);
    let without: Vec<_> = names.filter(|name| !named.contains(name)).collect();
    assert!(without.is_empty(), "no case for {without:?}");
}
