//! The mistakes as C programs, run on the emulator: the checker's report is a part of the site.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;
use std::process::Command;

use crate::capi;
use crate::error::{Context as _, Error};
use crate::files::text;
use crate::process::root;

/// A mistake as a C program.
#[derive(Debug)]
pub(super) struct Program {
    /// The name of its file without the ending.
    pub(super) name: String,
    pub(super) source: String,
    /// The words of the checker on standard error.
    pub(super) report: String,
}

impl Program {
    /// The sentence at the head of the program, without its full stop.
    pub(super) fn title(&self) -> &str {
        title(&self.source).unwrap_or(&self.name)
    }
}

/// Builds and runs the C programs of `tests/c/mistakes` that `names` has. The folder `scratch` gets the C library.
pub(super) fn run(
    scratch: &Path,
    names: impl Iterator<Item = String>,
) -> Result<BTreeMap<String, Program>, Error> {
    let toolkit = scratch.join("toolkit");
    capi::command(&toolkit, true, None)?;
    let mut programs = BTreeMap::new();
    for name in names {
        if let Entry::Vacant(place) = programs.entry(name) {
            let program = run_one(scratch, &toolkit, place.key())?;
            place.insert(program);
        }
    }
    Ok(programs)
}

fn run_one(scratch: &Path, toolkit: &Path, name: &str) -> Result<Program, Error> {
    let path = format!("tests/c/mistakes/{name}.c");
    let source = text(&path)?;
    let program = scratch.join(name);
    capi::compile(toolkit, &root().join(&path), &program, &[]).on(&path)?;
    let output = Command::new(&program)
        .env("LD_LIBRARY_PATH", toolkit.join("lib64"))
        .env("ASCENDCL_EMULATOR_CHECK", "left-to-reset")
        .envs(variable(&source))
        .current_dir(root())
        .output()
        .on(format!("{path} does not start"))?;
    let words = String::from_utf8_lossy(&output.stderr);
    let report: Vec<&str> = words.lines().map(str::trim_end).collect();
    if !report
        .iter()
        .any(|line| line.contains("ascendcl-emulator:"))
    {
        return Err(format!("{path} has no finding of the checker").into());
    }
    Ok(Program {
        name: name.to_owned(),
        source: source.trim_end().to_owned(),
        report: report.join("\n"),
    })
}

/// The words of the first line of a program, without the variable that it sets and the processor that it needs.
fn title<'s>(source: &'s str) -> Option<&'s str> {
    let words = source.lines().next()?.strip_prefix("/* ")?;
    let words = words.strip_suffix(" */")?;
    let cut = |words: &'s str, end| words.split_once(end).map_or(words, |(words, _)| words);
    let words = [": with ", ", found on "].into_iter().fold(words, cut);
    Some(words.trim_end_matches('.'))
}

/// The variable that the first line of a program sets: `with <name>=<value>`.
fn variable(source: &str) -> Option<(&str, &str)> {
    let first = source.lines().next()?;
    let (_, set) = first.split_once("with ")?;
    set.trim_end_matches(" */").split_once('=')
}

#[cfg(test)]
mod tests {
    use super::{title, variable};

    #[test]
    fn the_first_line_has_the_title_and_sets_a_variable() {
        for (source, words, set) in [
            (
                "/* A copy fails: with FAULTS=task:copy=507001 */\nwith X=1\n",
                "A copy fails",
                "FAULTS task:copy=507001",
            ),
            (
                "/* A copy fails, found on x86-64: with X=1 */\n",
                "A copy fails",
                "X 1",
            ),
            ("/* A leak. */\nwith X=1\n", "A leak", ""),
            ("int a;\n", "", ""),
        ] {
            assert_eq!(title(source).unwrap_or_default(), words);
            let variable = variable(source).map(|(name, value)| format!("{name} {value}"));
            assert_eq!(variable.unwrap_or_default(), set);
        }
    }
}
