//! The steps that must pass before a change is merged.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::bench::{BOUNDS, without_lto};
use crate::capi;
use crate::error::Error;
use crate::process::{Line, root, target};

/// One check, with the line that runs it alone.
struct Step {
    name: &'static str,
    line: Line,
}

/// What happens behind a step that fails.
#[derive(Clone, Copy, PartialEq)]
enum Failure {
    /// The run ends there.
    Ends,
    /// The other steps run, and the end names all steps that failed.
    GoesOn,
}

/// Everything, the cheap steps first.
pub(crate) fn command(options: &[&str]) -> Result<(), Error> {
    let failure = match options {
        [] => Failure::Ends,
        ["--no-fail-fast"] => Failure::GoesOn,
        [option, ..] => {
            let text = format!("`ci` has no option `{option}`, only `--no-fail-fast`");
            return Err(Error::Usage(text));
        }
    };
    run("ci", &ci_steps(&root()), failure)
}

/// The checks of a minute: no ui cases, no documentation.
pub(crate) fn quick() -> Result<(), Error> {
    // With the kinds of targets named, Cargo leaves out the examples in the documentation.
    let tests = "cargo test --workspace --exclude ui-tests --lib --bins --tests";
    let steps = [
        step("format", FORMAT),
        step("rules", RULES),
        step("clippy", CLIPPY),
        step("tests", tests),
    ];
    run("quick", &steps, Failure::Ends)
}

const FORMAT: &str = "cargo fmt --all --check";
const RULES: &str = "cargo xtask rules";
const CLIPPY: &str = "cargo clippy --workspace --all-targets -- -D warnings";

fn ci_steps(root: &Path) -> Vec<Step> {
    let mut steps = vec![
        step("format", FORMAT),
        step("tidy", "cargo xtask tidy"),
        step("house", "cargo xtask house --check"),
        step("rules", RULES),
        // Prints a warning that it compared nothing if the package index cannot be reached.
        step("locks", "cargo xtask locks"),
        // Manifests and lists of files; `--alone` also builds the packages, before a release.
        step("packages", "cargo xtask package"),
        step("guide: text", "cargo xtask guide --text"),
        step("clippy", CLIPPY),
        // Prints a warning that it compared nothing if the package index cannot be reached.
        step("headers", "cargo xtask headers"),
    ];

    // Tests and examples switch the emulator on, so only the library's features can be separated.
    for (name, features) in [
        ("clippy: no features", "--no-default-features"),
        ("clippy: emulator", "--features emulator"),
        (
            "clippy: only the emulator",
            "--no-default-features --features emulator",
        ),
        (
            "clippy: only operators",
            "--no-default-features --features operators",
        ),
        (
            "clippy: only models",
            "--no-default-features --features models",
        ),
        (
            "clippy: only the media engine",
            "--no-default-features --features dvpp",
        ),
        (
            "clippy: only collectives",
            "--no-default-features --features collectives",
        ),
        (
            "clippy: only graphs",
            "--no-default-features --features emulator,graphs",
        ),
        (
            "clippy: only the profiler",
            "--no-default-features --features emulator,profiling",
        ),
    ] {
        let line = format!("cargo clippy --package ascendcl --lib {features} -- -D warnings");
        steps.push(step(name, &line));
    }
    // The emulator of a program that leaves the areas out.
    let line = "cargo test --package ascendcl-emulator --no-default-features --lib";
    steps.push(step("test: bare emulator", line));
    let line = "cargo clippy --package ascendcl-sys --no-default-features -- -D warnings";
    steps.push(step("clippy: bare sys", line));
    // Tables of areas without functions.
    let line =
        "cargo test --package ascendcl-sys --no-default-features --features dispatch --test tables";
    steps.push(step("test: bare sys", line));
    // Without CANN there is only a library of our own to link with.
    steps.push(step("linked sys", "cargo xtask linked"));
    let line = "cargo check --package ascendcl-sys --features linked";
    steps.push(step("check: linked sys", line));
    let line = "cargo check --package ascendcl --no-default-features --features linked";
    steps.push(step("check: linked", line));
    // Prints a warning that it built nothing if the old toolchain cannot be installed.
    steps.push(step("oldest Rust", "cargo xtask msrv"));

    // Prints a warning that it compiled nothing if the target cannot be installed.
    steps.push(step("aarch64", "cargo xtask aarch64"));

    steps.push(step("tests", "cargo test --workspace"));
    // The feature is off in all other steps.
    let line = "cargo test --package ascendcl-sys --features spans --test spans";
    steps.push(step("tests: spans", line));
    // The C library with the engines for models and pictures, which the workspace builds without.
    let line = "cargo test --package ascendcl-emulator-capi --features onnx,media classified";
    steps.push(step("tests: engines in C", line));
    // The parsers of the engines with the inputs of `fuzz/corpus`.
    let line = "cargo test --features onnx,media --test parsers";
    steps.push(step("tests: parsers of engines", line));
    // A process with findings ends with an error, and so does the test that it belongs to.
    for (name, tests) in [("tests: checked", "it"), ("examples: checked", "examples")] {
        steps.push(Step {
            name,
            line: Line::new(&format!("cargo test --test {tests}"))
                .with_env("ASCENDCL_EMULATOR_CHECK", "leaks"),
        });
    }
    // A fixed part of the runs in which one call or task fails.
    steps.push(step("faults", "cargo xtask faults --some"));
    // A change that the compiler offers for a mistake must not be another mistake.
    steps.push(step("suggestions", "cargo xtask suggestions"));
    // No program that breaks a rule of AscendCL compiles, and none that compiles has a finding.
    steps.push(step("programs", "cargo xtask programs"));
    // The public documentation, as it is published: its links are checked against public items.
    let line = Line::new("cargo doc --workspace --no-deps --features ascendcl/emulator");
    steps.push(Step {
        name: "documentation",
        line: line.with_env("RUSTDOCFLAGS", "-D warnings"),
    });
    let line = "cargo build --package ascendcl-emulator-capi";
    steps.push(step("C library", line));
    // The same tests once more, through `dlopen` and the C functions.
    let library = target(root).join("debug").join(capi::BUILT);
    steps.push(Step {
        name: "tests: loaded",
        line: Line::new("cargo test --test it")
            .with_env("ASCENDCL_BACKEND", &library.display().to_string()),
    });

    steps.push(step("readme", "cargo xtask readme"));
    // The programs of the guide, with the library that the step before has built.
    steps.push(step("guide: programs", "cargo xtask guide --programs"));
    // Each exercise fails as intended, each solution passes, and each wrong solution is found.
    steps.push(step("lessons", "cargo xtask lesson all"));
    // The refusals as pages, which a reader of the run can keep.
    steps.push(step(
        "site",
        "cargo xtask site --out target/refusals --test",
    ));

    // And in other orders than the usual one.
    for (name, schedule) in [("tests: lazy", "lazy"), ("tests: seeded", "seeded:1")] {
        steps.push(Step {
            name,
            line: Line::new("cargo test --test it")
                .with_env("ASCENDCL_EMULATOR_SCHEDULE", schedule),
        });
    }

    // The state that threads share in the emulator and in the typed API, in every order of their steps.
    let line = "cargo test --package ascendcl-emulator --lib --release sync::model";
    steps.push(Step {
        name: "models: loom",
        line: Line::new(line).with_env("RUSTFLAGS", "--cfg loom"),
    });

    let line = "cargo test --package ascendcl --lib --release model";
    steps.push(Step {
        name: "models: typed",
        line: Line::new(line).with_env("RUSTFLAGS", "--cfg loom_typed"),
    });

    // Instructions, calls and allocations beside the raw program. No time is measured, so the result is exact here.
    steps.push(step("bench: bounds", BOUNDS));
    steps.push(Step {
        name: "bench: no LTO",
        line: without_lto(),
    });

    // What a first build has to translate.
    steps.push(step("bench: IR", "cargo xtask bench ir"));

    let examples = root.join("examples");
    if examples.join("vector_add.rs").exists() || examples.join("vector_add").exists() {
        let line = "cargo run --example vector_add";
        steps.push(step("main example", line));
    }
    steps
}

fn step(name: &'static str, line: &str) -> Step {
    Step {
        name,
        line: Line::new(line),
    }
}

/// Runs the steps, then prints what ran and how long it took.
fn run(command: &str, steps: &[Step], failure: Failure) -> Result<(), Error> {
    let mut done: Vec<(&Step, Duration)> = Vec::new();
    let mut failed = Vec::new();
    for (number, step) in (1..).zip(steps) {
        println!("\n[{number}/{}] {}: {}", steps.len(), step.name, step.line);
        let start = Instant::now();
        let result = step.line.run();
        done.push((step, start.elapsed()));
        if let Err(Error::Failed(text) | Error::Usage(text)) = result {
            println!("{text}");
            failed.push(step);
            if failure == Failure::Ends {
                break;
            }
        }
    }
    print_summary(&done);
    if failed.is_empty() {
        println!("\ncargo xtask {command}: all {} steps passed", steps.len());
        return Ok(());
    }
    let texts: Vec<String> = failed
        .iter()
        .map(|step| failure_text(command, step))
        .collect();
    Err(Error::Failed(texts.join("\n")))
}

fn failure_text(command: &str, step: &Step) -> String {
    format!(
        "cargo xtask {command}: step `{}` failed; run it alone with\n    {}",
        step.name, step.line
    )
}

fn print_summary(done: &[(&Step, Duration)]) {
    println!();
    let mut total = Duration::ZERO;
    for (step, duration) in done {
        total += *duration;
        println!(
            "{:>7.1} s  {:<26} {}",
            duration.as_secs_f64(),
            step.name,
            step.line
        );
    }
    println!("{:>7.1} s  together", total.as_secs_f64());
}

#[cfg(test)]
mod tests {
    use super::{Failure, ci_steps, command, run, step};
    use crate::error::Error;
    use std::path::Path;

    #[test]
    fn a_failure_names_its_step_and_stops() {
        let steps = [step("broken", "false"), step("next", "no-such-program")];
        let Err(Error::Failed(text)) = run("ci", &steps, Failure::Ends) else {
            unreachable!("the first step cannot succeed");
        };
        let words = "step `broken` failed; run it alone with\n    false";
        assert!(text.contains(words), "{text}");
        assert!(!text.contains("no-such-program"), "{text}");
    }

    #[test]
    fn every_failure_is_named_where_the_run_goes_on() {
        let steps = [
            step("broken", "false"),
            step("right", "true"),
            step("missing", "no-such-program"),
        ];
        let Err(Error::Failed(text)) = run("ci", &steps, Failure::GoesOn) else {
            unreachable!("the first step cannot succeed");
        };
        assert!(text.contains("step `broken` failed"), "{text}");
        assert!(text.contains("step `missing` failed"), "{text}");
        assert!(!text.contains("right"), "{text}");
    }

    #[test]
    fn another_option_is_refused_before_a_step_runs() {
        let Err(Error::Usage(text)) = command(&["--keep-going"]) else {
            unreachable!("`ci` has one option");
        };
        assert!(text.contains("`--keep-going`"), "{text}");
    }

    #[test]
    fn the_tests_are_those_of_the_readme() {
        let steps = ci_steps(Path::new("no-such-folder"));
        let lines: Vec<_> = steps.iter().map(|step| step.line.to_string()).collect();
        assert!(lines.contains(&"cargo test --workspace".to_string()));
        assert!(
            !lines.iter().any(|line| line.contains("--example")),
            "no examples are here"
        );
    }
}
