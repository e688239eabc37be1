//! Programs in Python with the module `acl` that `cargo xtask capi` writes: right programs without a finding of the checker,
//! and a mistake whose finding names the line of Python that the word `here` marks.
//!
//! The programs are in `tests/python`. They need Python 3.8 and no package. Without `python3` nothing is tested, and a line
//! says so.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod toolkit;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use toolkit::{root, toolkit};

/// Exit status of a process with findings.
const FINDINGS: i32 = 66;

/// Runs a program under the checker. `None` if there is no Python.
#[expect(
    clippy::print_stderr,
    reason = "who runs the tests learns what was left out"
)]
fn run(program: &Path, arguments: &[PathBuf], check: &str) -> Option<Output> {
    let mut command = Command::new("python3");
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("ASCENDCL") {
            command.env_remove(name);
        }
    }
    command.arg("-B").arg(program).args(arguments);
    command.env("PYTHONPATH", toolkit().join("python/site-packages"));
    let output = command.env("ASCENDCL_EMULATOR_CHECK", check).output();
    match output {
        Ok(output) => Some(output),
        Err(error) => {
            eprintln!("nothing was tested: `python3` cannot be started: {error}");
            None
        }
    }
}

/// Returns the programs of a folder.
fn programs(folder: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(root().join("tests/python").join(folder)).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "py"));
    assert!(!files.is_empty(), "{folder}");
    files
}

/// Fails if the program did, or if the checker says anything.
fn succeeds(program: &Path, arguments: &[PathBuf]) {
    for check in ["0", "leaks"] {
        let Some(output) = run(program, arguments, check) else {
            return;
        };
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {words}", program.display());
        let is_quiet = words.lines().all(|line| line.contains("100% of the words"));
        assert!(is_quiet, "{} {check}: {words}", program.display());
    }
}

#[test]
fn right_programs_run_and_the_checker_is_silent() {
    for program in programs("") {
        succeeds(&program, &[]);
    }
}

#[cfg(all(feature = "emulator-onnx", feature = "emulator-media"))]
#[test]
fn a_picture_is_decoded_scaled_and_classified() {
    let example = root().join("examples/classify");
    let arguments = [
        example.join("digits.onnx"),
        example.join("pictures/six_1771.jpg"),
        "6".into(),
    ];
    succeeds(&root().join("tests/python/engines/classify.py"), &arguments);
}

#[test]
fn a_finding_names_the_line_of_python() {
    for program in programs("mistakes") {
        let Some(output) = run(&program, &[], "1") else {
            return;
        };
        let words = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(FINDINGS), "{words}");
        // The text after a dot distinguishes several programs with the same mistake.
        let name = program.file_stem().unwrap().to_str().unwrap();
        let name = name.split('.').next().unwrap();
        assert!(words.contains(&format!("[{name}]")), "{words}");
        let text = fs::read_to_string(&program).unwrap();
        let line = text
            .lines()
            .position(|line| line.contains("# here"))
            .unwrap()
            + 1;
        let place = format!("{}:{line}", program.display());
        assert!(words.contains(&place), "{place} is not in: {words}");
    }
}
