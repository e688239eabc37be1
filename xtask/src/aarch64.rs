//! `cargo xtask aarch64`: the other processor that Ascend cards sit beside.
//!
//! Without an option the libraries are compiled, which needs no linker. With `--run` the tests of the typed API, those of
//! the emulator and the examples run under an emulator of that processor, and the machine code of the calls is compared.

use std::process::{Command, Stdio};

use crate::error::Error;
use crate::process::{Line, root, target};

const TARGET: &str = "aarch64-unknown-linux-gnu";

/// The libraries without code in C. That of the C library needs a compiler for the other processor.
const LIBRARIES: [&str; 5] = [
    "ascendcl",
    "ascendcl-sys",
    "ascendcl-emulator",
    "ascendcl-emulator-media",
    "ascendcl-emulator-onnx",
];

const LINKER: &str = "aarch64-linux-gnu-gcc";
const PROCESSOR: &str = "qemu-aarch64";

/// Where Debian has the C library of the other processor.
const SYSROOT: &str = "/usr/aarch64-linux-gnu";

/// What to install for the tests, by the names of Debian.
const PACKAGES: &str = "qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross";

/// The variable by which tests start themselves again on the other processor.
const RUNNER: &str = "ASCENDCL_TEST_RUNNER";

/// The variable with the compiler for the libraries that tests make.
const COMPILER: &str = "ASCENDCL_TEST_CC";

/// The variable that switches the checker on.
const CHECK: &str = "ASCENDCL_EMULATOR_CHECK";

/// The tests that run, each with whether the checker does. The tests of `ascendcl-sys` compile libraries of C, and those
/// of the examples build them for this machine, so both stay out.
const TESTS: [(&str, bool); 4] = [
    ("--package ascendcl --test it", false),
    ("--package ascendcl --test it", true),
    ("--package ascendcl-sys --lib", false),
    ("--package ascendcl-emulator --lib", false),
];

/// A test that compares the memory of its process. QEMU 7.2 keeps 70 pages for each thread that has ended, also of a program
/// in C, and the test allows less than one.
const NOT_THERE: &str = "a_loop_of_communicators_and_failing_calls_keeps_no_memory";

/// The test that compiles typed and raw calls for this processor. It runs on any processor.
const MACHINE_CODE: &str =
    "test --package ascendcl-benches --test assembly -- --include-ignored on_aarch64";

/// Examples that end with an error if a result is wrong, or print it. The checker reads along.
const EXAMPLES: [&str; 16] = [
    "01_copy",
    "02_operator",
    "03_streams",
    "04_event",
    "05_devices",
    "06_lend",
    "07_error",
    "08_failure",
    "09_share",
    "10_faults",
    "callback",
    "doctor",
    "mlp",
    "own_operator",
    "train_dp",
    "vector_add",
];

/// `cargo xtask aarch64 [--run]`.
pub(crate) fn command(options: &[&str]) -> Result<(), Error> {
    let runs = match options {
        [] => false,
        ["--run"] => true,
        _ => return Err(Error::Usage("`aarch64` takes only `--run`".into())),
    };
    if !is_there("rustup", &["target", "add", TARGET]) {
        println!(
            "\n*** aarch64: SKIPPED: the standard library for {TARGET} is not here and cannot be installed. Nothing \
             was checked. ***\n"
        );
        return Ok(());
    }
    check()?;
    if runs { run() } else { Ok(()) }
}

/// Compiles the libraries.
fn check() -> Result<(), Error> {
    let mut packages = LIBRARIES.to_vec();
    if is_there(LINKER, &["--version"]) {
        packages.push("ascendcl-emulator-capi");
    } else {
        println!("aarch64: the C library is left out, because there is no {LINKER}");
    }
    let arguments = packages.iter().flat_map(|name| ["--package", name]);
    // Code for one processor only leaves something unused on the other one, which is a warning there.
    cargo("clippy --quiet --lib --features ascendcl/emulator")
        .with_arguments(arguments.map(String::from))
        // A character of C has no sign there, so some casts are needed on x86-64 only.
        .with_arguments(
            ["--", "-D", "warnings", "-A", "clippy::unnecessary_cast"].map(String::from),
        )
        .run()?;
    println!("aarch64: compiled {}", packages.join(", "));
    Ok(())
}

/// Runs tests and examples.
fn run() -> Result<(), Error> {
    if !is_there(LINKER, &["--version"]) || !is_there(PROCESSOR, &["--version"]) {
        return Err(Error::Failed(format!(
            "aarch64: {LINKER} and {PROCESSOR} are needed; Debian has them in the packages {PACKAGES}"
        )));
    }
    // Compiled only, so it needs no emulated processor: the cheapest step.
    let machine_code = Line::new(&format!("cargo {MACHINE_CODE}"));
    println!("aarch64: {machine_code}");
    machine_code.run()?;
    for example in EXAMPLES {
        let line = on_processor(&format!("run --quiet --example {example}"));
        println!("aarch64: {line}");
        line.with_env("ASCENDCL_BACKEND", "emulator")
            .with_env(CHECK, "leaks")
            .run()?;
    }
    for (tests, checked) in TESTS {
        let line = on_processor(&format!("test {tests}")).with_arguments([
            "--".into(),
            "--skip".into(),
            NOT_THERE.into(),
        ]);
        let line = if checked {
            line.with_env(CHECK, "leaks")
        } else {
            line
        };
        println!("aarch64: {line}");
        line.run()?;
    }
    println!("aarch64: the tests and examples passed under {PROCESSOR}");
    Ok(())
}

/// A Cargo command for the other processor. Its results have a folder of their own.
fn cargo(arguments: &str) -> Line {
    let folder = target(&root()).join("aarch64").display().to_string();
    Line::new(&format!("cargo {arguments} --target {TARGET}"))
        .with_arguments(["--target-dir".into(), folder])
        .with_env("CC_aarch64_unknown_linux_gnu", LINKER)
}

/// A Cargo command that links programs and starts them.
fn on_processor(arguments: &str) -> Line {
    let runner = format!("{PROCESSOR} -L {SYSROOT}");
    cargo(arguments)
        .with_env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER)
        .with_env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", &runner)
        .with_env(RUNNER, &runner)
        .with_env(COMPILER, LINKER)
}

/// Whether a program is there and succeeds. Its output is not shown.
fn is_there(program: &str, arguments: &[&str]) -> bool {
    let quiet = Command::new(program)
        .args(arguments)
        .current_dir(root())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    quiet.is_ok_and(|status| status.success())
}
