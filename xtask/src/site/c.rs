//! The mistakes as C programs, run on the emulator: the checker's report is a part of the site.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::capi;
use crate::error::{Context as _, Error};
use crate::files::text;
use crate::process::root;

/// Builds and runs programs of `tests/c/mistakes`, and returns their sections by their names. The folder `scratch` gets the C
/// library.
pub(super) fn run<'n>(
    scratch: &Path,
    names: impl Iterator<Item = &'n str>,
) -> Result<BTreeMap<&'n str, String>, Error> {
    let toolkit = scratch.join("toolkit");
    capi::command(&toolkit, true, None)?;
    let mut sections = BTreeMap::new();
    for name in names {
        if !sections.contains_key(name) {
            sections.insert(name, section(scratch, &toolkit, name)?);
        }
    }
    Ok(sections)
}

/// The program, and the words of the checker on standard error.
fn section(scratch: &Path, toolkit: &Path, name: &str) -> Result<String, Error> {
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
    let report = report.join("\n");
    if !report.contains("ascendcl-emulator:") {
        return Err(format!("{path} has no finding of the checker").into());
    }
    let (title, source) = (title(&source).unwrap_or(name), source.trim_end());
    Ok(format!(
        "\n## {name}\n\n{title}.\n\n```c\n{source}\n```\n\nThe checker says\n\n```text\n{report}\n```\n\n"
    ))
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
