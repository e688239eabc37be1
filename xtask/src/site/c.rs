//! The mistakes as C programs, run on the emulator: the checker's report is a part of the site.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;
use std::process::Command;

use crate::capi;
use crate::error::Error;
use crate::files::text;

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
    root: &Path,
    scratch: &Path,
    names: impl Iterator<Item = String>,
) -> Result<BTreeMap<String, Program>, Error> {
    let toolkit = scratch.join("toolkit");
    let out = toolkit.display().to_string();
    capi::command(&["--out", &out, "--debug"])?;
    let mut programs = BTreeMap::new();
    for name in names {
        if let Entry::Vacant(place) = programs.entry(name) {
            let program = run_one(root, scratch, &toolkit, place.key())?;
            place.insert(program);
        }
    }
    Ok(programs)
}

fn run_one(root: &Path, scratch: &Path, toolkit: &Path, name: &str) -> Result<Program, Error> {
    let failed = |what: &str| Error::Failed(format!("site: tests/c/mistakes/{name}.c {what}"));
    let path = format!("tests/c/mistakes/{name}.c");
    let source = text(&root.join(&path))?;
    let program = scratch.join(name);
    capi::compile(toolkit, &root.join(&path), &program, &[]).map_err(|words| failed(&words))?;
    let output = Command::new(&program)
        .env("LD_LIBRARY_PATH", toolkit.join("lib64"))
        .env("ASCENDCL_EMULATOR_CHECK", "left-to-reset")
        .envs(variable(&source))
        .current_dir(root)
        .output()
        .map_err(|error| failed(&format!("does not start: {error}")))?;
    let words = String::from_utf8_lossy(&output.stderr);
    let report: Vec<&str> = words.lines().map(str::trim_end).collect();
    if report
        .iter()
        .all(|line| !line.contains("ascendcl-emulator:"))
    {
        return Err(failed("has no finding of the checker"));
    }
    Ok(Program {
        name: name.to_owned(),
        source: source.trim_end().to_owned(),
        report: report.join("\n"),
    })
}

/// The words of the first line of a program, without the variable that it sets and the processor that it needs.
fn title(source: &str) -> Option<&str> {
    let words = source.lines().next()?.strip_prefix("/* ")?;
    let words = words.strip_suffix(" */")?;
    let words = [": with ", ", found on "]
        .into_iter()
        .fold(words, |words, end| {
            words.split_once(end).map_or(words, |(words, _)| words)
        });
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
    fn the_first_line_sets_a_variable() {
        let source = "/* A copy fails: with FAULTS=task:copy=507001 */\nwith X=1\n";
        assert_eq!(variable(source), Some(("FAULTS", "task:copy=507001")));
        assert_eq!(variable("/* A leak. */\nwith X=1\n"), None);
    }

    #[test]
    fn the_first_line_has_the_title() {
        assert_eq!(title("/* A leak. */\nint a;\n"), Some("A leak"));
        assert_eq!(
            title("/* A copy fails: with X=1 */\n"),
            Some("A copy fails")
        );
        let both = "/* A copy fails, found on x86-64: with X=1 */\n";
        assert_eq!(title(both), Some("A copy fails"));
        assert_eq!(title("int a;\n"), None);
    }
}
