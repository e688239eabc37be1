//! The steps that must pass before a change is merged.

mod run;

use std::thread;

use crate::bench::{BOUNDS, WITHOUT_LTO};
use crate::capi;
use crate::error::Error;
use crate::files::{self, text};
use crate::process::{Line, target};
use run::{Failure, Step, run, step, steps};

/// The steps of a minute: no ui cases, no documentation. Each has a name and the line that runs it alone. With the kinds of
/// targets named, Cargo leaves out the examples in the documentation.
const QUICK: &str = "\
format | cargo fmt --all --check
rules | cargo xtask rules
clippy | cargo clippy --workspace --all-targets -- -D warnings
tests | cargo test --workspace --exclude ui-tests --lib --bins --tests";

/// The first steps of everything, the cheap ones first. `headers` prints a warning that it compared nothing if the package
/// index cannot be reached.
const FIRST: &str = "\
format | cargo fmt --all --check
tidy | cargo xtask tidy
house | cargo xtask house --check
rules | cargo xtask rules
# Manifests and lists of files; `.ci/packed` builds the packages, before a release.
packages | cargo xtask package
guide: text | cargo xtask guide --text
clippy | cargo clippy --workspace --all-targets -- -D warnings
headers | cargo xtask headers
# Without CANN there is only a library of our own to link with.
linked sys | cargo xtask linked";

/// The steps that run something. Cargo builds a package with the features that all chosen packages ask for, and with others
/// if fewer are chosen. So the steps of the tests choose the whole workspace, and share the build of the first one. A test of
/// the typed API has a process of its own, which often waits, so more of them run at a time than there are processors.
const TESTS: &str = "\
# With the engines for models and pictures: `ascendcl-watched` asks for them.
tests | RUST_TEST_THREADS=$threads cargo test --workspace
# The feature is off in all other steps.
tests: spans | cargo test --package ascendcl-sys --features spans --test spans
# The C library with the engines for models and pictures, which the workspace builds without.
tests: engines in C | cargo test --package ascendcl-emulator-capi --features emulator-onnx,emulator-media classified
# A process with findings ends with an error, and so does the test that it belongs to.
tests: checked | ASCENDCL_EMULATOR_CHECK=leaks RUST_TEST_THREADS=$threads cargo test --workspace --test it
examples: checked | ASCENDCL_EMULATOR_CHECK=leaks RUST_TEST_THREADS=$threads cargo test --workspace --test examples
# A fixed part of the runs in which one call or task fails.
faults | cargo xtask faults --some
C library | cargo build --package ascendcl-emulator-capi";

/// The steps behind the tests through the C library.
const LAST: &str = "\
# Each exercise fails as intended, each solution passes, and each wrong solution is found.
lessons | cargo lesson all
# The refusals as chapters, which a reader of the run can keep.
site | cargo xtask site --out target/refusals
# And in other orders than the usual one.
tests: lazy | ASCENDCL_EMULATOR_SCHEDULE=lazy RUST_TEST_THREADS=$threads cargo test --workspace --test it
tests: seeded | ASCENDCL_EMULATOR_SCHEDULE=seeded:1 RUST_TEST_THREADS=$threads cargo test --workspace --test it";

/// Steps that run beside the other ones, so that both processors have work. Their target folders are others. Tests and examples
/// switch the emulator on, so only the library's features can be separated.
const BESIDE: &str = "\
clippy: no features | cargo clippy --target-dir target/features --package ascendcl --lib --no-default-features -- -D warnings
clippy: emulator | cargo clippy --target-dir target/features --package ascendcl --lib --features emulator -- -D warnings
# What README's first command builds: the root package alone. A test of the examples runs the program.
clippy: first command | cargo clippy --target-dir target/features --package ascendcl --example vector_add -- -D warnings
clippy: only the emulator | cargo clippy --target-dir target/features --package ascendcl --lib --no-default-features --features emulator -- -D warnings
clippy: only operators | cargo clippy --target-dir target/features --package ascendcl --lib --no-default-features --features operators -- -D warnings
clippy: more-operators | cargo clippy --target-dir target/features --package ascendcl --lib --no-default-features --features emulator,more-operators -- -D warnings
clippy: training | cargo clippy --target-dir target/features --package ascendcl --lib --no-default-features --features emulator,training -- -D warnings
clippy: only models | cargo clippy --target-dir target/features --package ascendcl --lib --no-default-features --features models -- -D warnings
clippy: only the media engine | cargo clippy --target-dir target/features --package ascendcl --lib --no-default-features --features media -- -D warnings
clippy: only collectives | cargo clippy --target-dir target/features --package ascendcl --lib --no-default-features --features collectives -- -D warnings
clippy: only kernels | cargo clippy --target-dir target/features --package ascendcl --lib --no-default-features --features kernels -- -D warnings
clippy: only graphs | cargo clippy --target-dir target/features --package ascendcl --lib --no-default-features --features emulator,graphs -- -D warnings
clippy: only the profiler | cargo clippy --target-dir target/features --package ascendcl --lib --no-default-features --features emulator,profiling -- -D warnings
# The emulator of a program that leaves the areas out.
test: bare emulator | cargo test --target-dir target/features --package ascendcl-emulator --no-default-features --lib
clippy: bare sys | cargo clippy --target-dir target/features --package ascendcl-sys --no-default-features -- -D warnings
# Tables of areas without functions.
test: bare sys | cargo test --target-dir target/features --package ascendcl-sys --no-default-features --features dispatch --test tables
check: linked sys | cargo check --target-dir target/features --package ascendcl-sys --features linked
check: linked | cargo check --target-dir target/features --package ascendcl --no-default-features --features linked
# The programs of cudarc that docs/peers.md counts.
check: peers | cargo check --locked --manifest-path benches/peers/Cargo.toml --target-dir target/features --package flows-cudarc
# The state that threads share in the emulator and in the typed API, in every order of their steps.
models: loom | RUSTFLAGS=--cfg=loom cargo test --package ascendcl-emulator --lib --no-default-features --release sync::interleavings
# Nothing of the emulator runs there, so nothing of it is optimized.
models: typed | RUSTFLAGS=--cfg=loom cargo test --config profile.release.package.ascendcl-emulator.opt-level=0 --package ascendcl --lib --release interleavings
# The published packages with the oldest Rust that they promise. Benchmarks and the commands of this repository need the pinned
# one, and lints are those of it. A folder of its own, so that the two compilers do not rebuild each other's results.
oldest Rust | RUSTFLAGS=--cap-lints=allow rustup run $oldest cargo check --quiet --lib --tests --examples --package ascendcl --package ascendcl-sys --package ascendcl-emulator --package ascendcl-emulator-media --package ascendcl-emulator-capi --target-dir target/msrv | rustup run --install $oldest rustc --version
# The libraries for the other processor of Ascend hosts, and the C library where there is a C compiler for it. `.ci/aarch64`
# runs tests there. Code for one processor only leaves something unused on the other one. A character of C has no sign there,
# so some casts are needed on x86-64 only.
aarch64 | cargo clippy --quiet --lib --package ascendcl --package ascendcl-sys --package ascendcl-emulator --package ascendcl-emulator-media --package ascendcl-emulator-onnx --features ascendcl/emulator --target aarch64-unknown-linux-gnu --target-dir target/aarch64 -- -D warnings -A clippy::unnecessary_cast | rustup target add aarch64-unknown-linux-gnu
aarch64: C | CC_aarch64_unknown_linux_gnu=aarch64-linux-gnu-gcc cargo clippy --quiet --lib --package ascendcl-emulator-capi --target aarch64-unknown-linux-gnu --target-dir target/aarch64 -- -D warnings -A clippy::unnecessary_cast | aarch64-linux-gnu-gcc --version
# What a first build has to translate.
bench: IR | cargo xtask bench ir";

/// The last steps beside the other ones: rustc has one crate at a time in most of them. The last four use one library, which
/// the first of these builds, and executables of the same names, so they run one behind the other.
const BESIDE_LAST: &str = "\
# The public documentation, as it is published: its links are checked against public items.
documentation | RUSTDOCFLAGS=-Dwarnings cargo doc --target-dir target/features --workspace --no-deps --features ascendcl/emulator
# A change that the compiler offers for a mistake must not be another mistake.
suggestions | cargo xtask suggestions
# No program that breaks a rule of AscendCL compiles, and none that compiles has a finding.
programs | cargo xtask programs
readme | cargo xtask readme
# The programs of the guide, with the library that the step before has built.
guide: programs | cargo xtask guide --programs";

/// Everything, the cheap steps first.
pub(crate) fn command(no_fail_fast: bool) -> Result<(), Error> {
    let failure = match no_fail_fast {
        false => Failure::Ends,
        true => Failure::GoesOn,
    };
    run("ci", &ci_steps()?, failure)
}

/// The checks of a minute.
pub(crate) fn quick() -> Result<(), Error> {
    run("quick", &steps(QUICK, &[]), Failure::Ends)
}

fn ci_steps() -> Result<Vec<Step>, Error> {
    let manifest = text("Cargo.toml")?;
    let mut lines = manifest.lines();
    let oldest = lines.find_map(|line| line.strip_prefix("rust-version = "));
    let oldest = oldest.unwrap_or_default().trim_matches('"');
    let threads = thread::available_parallelism().map_or(1, |cores| 3 * cores.get());
    let words = [
        ("$oldest", oldest.to_owned()),
        ("$threads", threads.to_string()),
    ];
    let mut all = steps(FIRST, &words);
    all.extend(locks()?);
    let mut beside = steps(BESIDE, &words);
    // Instructions, calls and allocations beside the raw program. No time is measured, so the result is exact here.
    beside.extend([
        step("bench: bounds", BOUNDS),
        step("bench: no LTO", WITHOUT_LTO),
    ]);
    beside.extend(steps(BESIDE_LAST, &words));
    all.extend(beside.into_iter().map(|step| Step {
        is_beside: true,
        ..step
    }));
    all.extend(steps(TESTS, &words));
    // The same tests once more, through `dlopen` and the C functions.
    let library = target().join("debug").join(capi::BUILT);
    let line = format!(
        "ASCENDCL_BACKEND={} RUST_TEST_THREADS={threads} cargo test --workspace --test it",
        library.display()
    );
    all.push(step("tests: loaded", &line));
    all.extend(steps(LAST, &words));
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
        needs: Some(Line::new(LINE)),
        ..step(
            "lock file",
            &format!("{LINE} --manifest-path {}", file.path),
        )
    };
    Ok(files.iter().filter(is_workspace).map(step).collect())
}

#[cfg(test)]
mod tests {
    use super::ci_steps;
    use crate::error::Error;
    use crate::files::text;

    #[test]
    fn the_steps_are_those_of_the_readme_with_engines_and_the_oldest_rust() -> Result<(), Error> {
        let steps = ci_steps()?;
        let lines: Vec<_> = steps.iter().map(|step| step.line.to_string()).collect();
        assert!(
            lines
                .iter()
                .any(|line| line.ends_with(" cargo test --workspace"))
        );
        assert!(!lines.concat().contains('$'), "{lines:?}");
        // The tests of the parsers of the engines are left out without them.
        let manifest = text("tests/faults/watch/Cargo.toml")?;
        for feature in ["emulator-media", "emulator-onnx"] {
            assert!(manifest.contains(&format!("{feature:?}")), "{feature}");
        }
        Ok(())
    }
}
