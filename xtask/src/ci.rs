//! The steps that must pass before a change is merged.

mod run;

use std::thread;

use crate::capi;
use crate::error::Error;
use crate::files::{self, text};
use crate::process::{Line, target};
use run::{Step, run, steps};

/// The steps, in parts.
const STEPS: &str = include_str!("../data/steps.txt");

/// Everything, the cheap steps first.
pub(crate) fn command(no_fail_fast: bool) -> Result<(), Error> {
    run("ci", &ci_steps()?, no_fail_fast)
}

/// The checks of a minute.
pub(crate) fn quick() -> Result<(), Error> {
    run("quick", &steps(part("quick"), &[]), false)
}

/// The lines of a part of the steps, which begins with its name in brackets.
fn part(name: &str) -> &'static str {
    let (_, rest) = STEPS
        .split_once(&format!("\n[{name}]\n"))
        .unwrap_or_default();
    rest.split("\n[").next().unwrap_or(rest)
}

fn ci_steps() -> Result<Vec<Step>, Error> {
    let manifest = text("Cargo.toml")?;
    let mut lines = manifest.lines();
    let oldest = lines.find_map(|line| line.strip_prefix("rust-version = "));
    let threads = thread::available_parallelism().map_or(1, |cores| 3 * cores.get());
    let library = target().join("debug").join(capi::BUILT);
    let words = [
        (
            "$oldest",
            oldest.unwrap_or_default().trim_matches('"').to_owned(),
        ),
        ("$threads", threads.to_string()),
        ("$library", library.display().to_string()),
    ];
    let beside = |step| Step {
        is_beside: true,
        ..step
    };
    let mut all = locks()?;
    all.extend(steps(part("ci"), &words));
    all.extend(steps(part("beside"), &words).into_iter().map(beside));
    Ok(all)
}

/// Whether the lock file of each workspace beside the main one fits the manifests. These are built seldom and with
/// `--locked`, so their commands would fail much later. Cargo builds and downloads nothing here.
fn locks() -> Result<Vec<Step>, Error> {
    // Without the package index, it fails for the main workspace, too, whose lock file Cargo has just written.
    const LINE: &str = "cargo update --workspace --locked --quiet";
    let mut files = files::read()?;
    files.retain(|file| file.path.ends_with("/Cargo.toml"));
    let is_workspace = |file: &&files::File| file.text.lines().any(|line| line == "[workspace]");
    let step = |file: &files::File| Step {
        name: "lock file",
        line: Line::new(&format!("{LINE} --manifest-path {}", file.path)),
        needs: Some(Line::new(LINE)),
        is_beside: false,
    };
    Ok(files.iter().filter(is_workspace).map(step).collect())
}

#[cfg(test)]
mod tests {
    use super::{ci_steps, part};
    use crate::error::Error;
    use crate::files::text;

    #[test]
    fn the_steps_are_those_of_the_readme_with_engines_and_the_oldest_rust() -> Result<(), Error> {
        let steps = ci_steps()?;
        let lines: Vec<_> = steps.iter().map(|step| step.line.to_string()).collect();
        let whole = lines
            .iter()
            .filter(|line| line.ends_with(" cargo test --workspace"));
        assert_eq!(whole.count(), 1, "{lines:?}");
        assert!(!lines.concat().contains('$'), "{lines:?}");
        assert!(steps.iter().any(|step| step.is_beside) && part("quick").contains("clippy"));
        // The tests of the parsers of the engines are left out without them.
        let manifest = text("tests/faults/watch/Cargo.toml")?;
        for feature in ["emulator-media", "emulator-onnx"] {
            assert!(manifest.contains(&format!("{feature:?}")), "{feature}");
        }
        Ok(())
    }
}
