//! The steps that must pass before a change is merged.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::bench::{BOUNDS, without_lto};
use crate::capi;
use crate::error::Error;
use crate::files;
use crate::process::{Line, root, target};

/// One check, with the line that runs it alone.
struct Step {
    name: &'static str,
    line: Line,
    /// A line that fails where something is absent, and perhaps installs it. If it fails, the step is left out with a
    /// warning.
    needs: Option<Line>,
}

/// The libraries without code in C. That of the C library needs a compiler for the other processor.
const LIBRARIES: &str = "--package ascendcl --package ascendcl-sys --package ascendcl-emulator \
                         --package ascendcl-emulator-media --package ascendcl-emulator-onnx";

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
        // Manifests and lists of files; `.ci/packed` builds the packages, before a release.
        step("packages", "cargo xtask package"),
        step("guide: text", "cargo xtask guide --text"),
        step("clippy", CLIPPY),
        // Prints a warning that it compared nothing if the package index cannot be reached.
        step("headers", "cargo xtask headers"),
    ];
    steps.extend(locks(root));

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
    steps.extend(oldest_rust(root));
    steps.extend(aarch64(root));

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
        let line = format!("cargo test --test {tests}");
        steps.push(step_with(name, &line, "ASCENDCL_EMULATOR_CHECK", "leaks"));
    }
    // A fixed part of the runs in which one call or task fails.
    steps.push(step("faults", "cargo xtask faults --some"));
    // A change that the compiler offers for a mistake must not be another mistake.
    steps.push(step("suggestions", "cargo xtask suggestions"));
    // No program that breaks a rule of AscendCL compiles, and none that compiles has a finding.
    steps.push(step("programs", "cargo xtask programs"));
    // The public documentation, as it is published: its links are checked against public items.
    let line = "cargo doc --workspace --no-deps --features ascendcl/emulator";
    steps.push(step_with(
        "documentation",
        line,
        "RUSTDOCFLAGS",
        "-D warnings",
    ));
    let line = "cargo build --package ascendcl-emulator-capi";
    steps.push(step("C library", line));
    // The same tests once more, through `dlopen` and the C functions.
    let library = target(root).join("debug").join(capi::BUILT);
    let library = library.display().to_string();
    let line = "cargo test --test it";
    steps.push(step_with(
        "tests: loaded",
        line,
        "ASCENDCL_BACKEND",
        &library,
    ));

    steps.push(step("readme", "cargo xtask readme"));
    // The programs of the guide, with the library that the step before has built.
    steps.push(step("guide: programs", "cargo xtask guide --programs"));
    // Each exercise fails as intended, each solution passes, and each wrong solution is found.
    steps.push(step("lessons", "cargo xtask lesson all"));
    // The refusals as chapters, which a reader of the run can keep.
    steps.push(step("site", "cargo xtask site --out target/refusals"));

    // And in other orders than the usual one.
    for (name, schedule) in [("tests: lazy", "lazy"), ("tests: seeded", "seeded:1")] {
        steps.push(step_with(
            name,
            line,
            "ASCENDCL_EMULATOR_SCHEDULE",
            schedule,
        ));
    }

    // The state that threads share in the emulator and in the typed API, in every order of their steps.
    let line = "cargo test --package ascendcl-emulator --lib --release sync::model";
    steps.push(step_with("models: loom", line, "RUSTFLAGS", "--cfg loom"));

    let line = "cargo test --package ascendcl --lib --release model";
    let flags = "--cfg loom_typed";
    steps.push(step_with("models: typed", line, "RUSTFLAGS", flags));

    // Instructions, calls and allocations beside the raw program. No time is measured, so the result is exact here.
    steps.push(step("bench: bounds", BOUNDS));
    steps.push(of_line("bench: no LTO", without_lto()));

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
    of_line(name, Line::new(line))
}

/// A step with a variable.
fn step_with(name: &'static str, line: &str, variable: &str, value: &str) -> Step {
    of_line(name, Line::new(line).with_env(variable, value))
}

fn of_line(name: &'static str, line: Line) -> Step {
    let needs = None;
    Step { name, line, needs }
}

/// Whether the lock file of each workspace beside the main one fits the manifests. These are built seldom and with
/// `--locked`, so their commands would fail much later. Cargo builds and downloads nothing here.
fn locks(root: &Path) -> Vec<Step> {
    // Without the package index, it fails for the main workspace, too, whose lock file Cargo has just written.
    const LINE: &str = "cargo update --workspace --locked --quiet";
    let files = files::read(root).unwrap_or_default();
    let is_workspace = |file: &&files::File| file.text.lines().any(|line| line == "[workspace]");
    let workspaces = files.iter().filter(is_workspace);
    let manifests = workspaces.filter(|file| file.path.ends_with("/Cargo.toml"));
    let step = |file: &files::File| Step {
        needs: Some(Line::new(LINE)),
        ..step(
            "lock file",
            &format!("{LINE} --manifest-path {}", file.path),
        )
    };
    manifests.map(step).collect()
}

/// Builds the published packages with the oldest Rust that they promise. Benchmarks and the commands of this repository
/// need the pinned one.
fn oldest_rust(root: &Path) -> Option<Step> {
    let manifest = fs::read_to_string(root.join("Cargo.toml")).ok()?;
    let mut lines = manifest.lines();
    let version =
        lines.find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'))?;
    // A folder of its own, so that the two compilers do not rebuild each other's results.
    let folder = target(root).join("msrv");
    let line = format!(
        "rustup run {version} cargo check --quiet --lib --tests --examples --package ascendcl --package ascendcl-sys \
         --package ascendcl-emulator --package ascendcl-emulator-media --package ascendcl-emulator-capi --target-dir {}",
        folder.display()
    );
    Some(Step {
        // Lints are those of the pinned toolchain.
        needs: Some(Line::new(&format!(
            "rustup run --install {version} rustc --version"
        ))),
        ..step_with("oldest Rust", &line, "RUSTFLAGS", "--cap-lints=allow")
    })
}

/// Compiles the libraries for the other processor of Ascend hosts, and the C library where there is a C compiler for it.
/// `.ci/aarch64` runs tests there.
fn aarch64(root: &Path) -> [Step; 2] {
    let folder = target(root).join("aarch64");
    let line = |packages: &str| {
        // Code for one processor only leaves something unused on the other one. A character of C has no sign there, so
        // some casts are needed on x86-64 only.
        let line = format!(
            "cargo clippy --quiet --lib {packages} --target aarch64-unknown-linux-gnu --target-dir {} -- -D warnings -A \
             clippy::unnecessary_cast",
            folder.display()
        );
        Line::new(&line).with_env("CC_aarch64_unknown_linux_gnu", COMPILER)
    };
    const COMPILER: &str = "aarch64-linux-gnu-gcc";
    let packages = format!("{LIBRARIES} --features ascendcl/emulator");
    [
        Step {
            needs: Some(Line::new("rustup target add aarch64-unknown-linux-gnu")),
            ..of_line("aarch64", line(&packages))
        },
        Step {
            needs: Some(Line::new(&format!("{COMPILER} --version"))),
            ..of_line("aarch64: C", line("--package ascendcl-emulator-capi"))
        },
    ]
}

/// Runs the steps, then prints what ran and how long it took.
fn run(command: &str, steps: &[Step], failure: Failure) -> Result<(), Error> {
    let mut done: Vec<(&Step, Duration)> = Vec::new();
    let mut failed = Vec::new();
    for (number, step) in (1..).zip(steps) {
        println!("\n[{number}/{}] {}: {}", steps.len(), step.name, step.line);
        let start = Instant::now();
        if let Some(needs) = step
            .needs
            .as_ref()
            .filter(|line| line.run_quietly().is_err())
        {
            println!(
                "\n*** {}: SKIPPED, because `{needs}` fails here ***\n",
                step.name
            );
            continue;
        }
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
    use super::{Failure, Step, ci_steps, command, run, step};
    use crate::error::Error;
    use crate::process::Line;
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
    fn a_step_without_what_it_needs_is_left_out() {
        let needs = |program| Some(Line::new(program));
        let with = |needs| {
            [Step {
                needs,
                ..step("broken", "false")
            }]
        };
        assert!(run("ci", &with(needs("no-such-program")), Failure::Ends).is_ok());
        assert!(run("ci", &with(needs("true")), Failure::Ends).is_err());
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
