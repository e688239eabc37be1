//! Negative controls: a rule of the API is removed in a copy, and the programs have to find the hole.
//!
//! A control replaces lines of `src/` (`patch`). If the text is not there exactly once, the control does not fit the source any
//! more, and the command fails.

mod patch;

use std::path::Path;
use std::time::Instant;
use std::{fs, io};

use patch::{Control, Edit, Judge, all};

use crate::compile::Workshop;
use crate::judge::{Judgement, Outcome, judge_all};
use crate::model::judge;
use crate::options::{Options, SEED, of_run};
use crate::print::print;
use crate::program::Program;

/// What a copy needs to be compiled.
const COPIED: &[&str] = &[
    "src",
    "sys",
    "emulator",
    "tests/it",
    "Cargo.toml",
    "Cargo.lock",
    "build.rs",
];

/// Tries the controls whose names have `word`, with the programs of the seed.
pub(crate) fn run(options: &Options, word: &str, say: &dyn Fn(&str)) -> Result<(), String> {
    let mut all = all()?;
    all.retain(|control| control.name.contains(word));
    if all.is_empty() {
        return Err(format!("no control has {word:?} in its name"));
    }
    let copy = options.target.join("control");
    for name in COPIED {
        copy_all(&options.workspace.join(name), &copy.join(name))
            .map_err(|error| format!("cannot copy {name}: {error}"))?;
    }
    own_workspace(&copy.join("Cargo.toml"))?;
    let workshop = Workshop {
        source: copy.clone(),
        workspace: options.workspace.clone(),
        folder: options.target.join("control-package"),
        target: options.target.join("control-built"),
    };
    let made = of_run(options, 0..options.count);
    let mut missed = Vec::new();
    for control in &all {
        let start = Instant::now();
        let before = apply(&copy, control)?;
        let holes = holes(&workshop, &made, control);
        for (file, text) in before {
            fs::write(copy.join(file), text)
                .map_err(|error| format!("cannot restore {file}: {error}"))?;
        }
        let holes = holes.map_err(|error| format!("without \"{}\": {error}", control.name))?;
        let found = if holes == 0 { "MISSED" } else { "found" };
        say(&format!(
            "{found:>6}  {holes:>3} holes, {:>3} s  {}\n",
            start.elapsed().as_secs(),
            control.name
        ));
        if holes == 0 {
            missed.push(control.name);
        }
    }
    say(&format!(
        "{} of {} controls were found\n",
        all.len() - missed.len(),
        all.len()
    ));
    if missed.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{} programs find no hole where the API does not ask that {}",
        options.count,
        missed.join(", or that ")
    ))
}

/// The number of programs that are illegal and accepted, or that have a finding; 1 for a test that fails.
fn holes(workshop: &Workshop, made: &[Program], control: &Control) -> Result<usize, String> {
    let able = made.iter().filter(|program| {
        let has_kind = control.kind.is_none_or(|kind| program.has_kind(kind));
        program.reach() >= control.needs && has_kind
    });
    match control.found_by {
        Judge::Checker => {
            let able: Vec<Program> = able.cloned().collect();
            let judgements = judge_all(workshop, &able, SEED)?;
            let outcomes = judgements.iter().map(Judgement::outcome);
            Ok(outcomes.filter(|outcome| *outcome == Outcome::Hole).count())
        }
        Judge::Compiler => {
            // Legal programs say nothing about what is accepted too much.
            let is_refused = |program: &&Program| {
                let broken = judge(program).broken;
                broken.is_some_and(|rule| !rule.is_found_at_run_time())
            };
            let illegal: Vec<String> = able.filter(is_refused).map(print).collect();
            let numbers: Vec<usize> = (0..illegal.len()).collect();
            let refused = workshop.check(&illegal, &numbers)?;
            Ok(illegal.len() - refused.len())
        }
        Judge::Test(test) => workshop.fails(test).map(usize::from),
    }
}

/// Applies the edits of a control, and returns the files as they were.
fn apply(copy: &Path, control: &Control) -> Result<Vec<(&'static str, String)>, String> {
    let mut before: Vec<(&'static str, String)> = Vec::new();
    for Edit { file, old, new } in &control.edits {
        let path = copy.join(file);
        let text =
            fs::read_to_string(&path).map_err(|error| format!("cannot read {file}: {error}"))?;
        if text.matches(old).count() != 1 {
            return Err(format!(
                "the control \"{}\" does not fit {file} any more: this text is not there once:\n{old}",
                control.name
            ));
        }
        fs::write(&path, text.replace(old, new))
            .map_err(|error| format!("cannot write {file}: {error}"))?;
        if before.iter().all(|(known, _)| known != file) {
            before.push((file, text));
        }
    }
    Ok(before)
}

/// The copy has fewer packages than the workspace.
fn own_workspace(manifest: &Path) -> Result<(), String> {
    let failed = |error: io::Error| format!("cannot change {}: {error}", manifest.display());
    let text = fs::read_to_string(manifest).map_err(failed)?;
    let lines = text.lines().map(|line| {
        if line.starts_with("members = [") {
            "members = [\"sys\", \"emulator\"]"
        } else {
            line
        }
    });
    // The copy has no examples.
    let mut in_example = false;
    let text: Vec<&str> = lines
        .filter(|line| {
            if line.starts_with('[') {
                in_example = *line == "[[example]]";
            }
            !in_example && !line.starts_with("exclude = [")
        })
        .collect();
    fs::write(manifest, text.join("\n")).map_err(failed)
}

/// Copies a file or a folder. Files that are the same keep their time, so that they are not compiled again.
fn copy_all(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let name = entry?.file_name();
            copy_all(&from.join(&name), &to.join(&name))?;
        }
        return Ok(());
    }
    let bytes = fs::read(from)?;
    if fs::read(to).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(to, bytes)
}

#[cfg(test)]
mod tests {
    use super::{Edit, all};

    #[test]
    fn each_control_fits_the_source() {
        assert!(all().is_ok_and(|all| all.len() > 90));
        for control in all().unwrap_or_default() {
            assert!(!control.edits.is_empty(), "{}", control.name);
            for Edit { file, old, new } in &control.edits {
                let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../..").to_owned() + "/" + file;
                let text = std::fs::read_to_string(path).unwrap_or_default();
                assert_eq!(text.matches(old).count(), 1, "{file}: {old}");
                assert_ne!(old, new, "{}", control.name);
            }
        }
    }
}
