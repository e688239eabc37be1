//! Programs in processes of their own, whose end and standard error the test looks at.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Output};

use ascendcl_emulator::api;
use ascendcl_sys::Api;

/// The variable with the name of the program that a child runs.
const PROGRAM: &str = "ASCENDCL_TEST_PROGRAM";

/// Runs the named program in a child process of this test's executable, with these variables.
pub(crate) fn run(program: &str, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "the_programs", "--nocapture", "--test-threads=1"]);
    command
        .env(PROGRAM, program)
        .envs(variables.iter().copied());
    command.output().unwrap()
}

/// Returns what the program has written to standard error.
pub(crate) fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A program with its name.
pub(crate) type Program = fn(&Api);

/// Runs the program of a child process, in the test `the_programs` of its file. The parent runs none.
pub(crate) fn run_own(programs: &[(&str, Program)]) {
    if let Ok(program) = std::env::var(PROGRAM) {
        let (_, main) = programs.iter().find(|(name, _)| *name == program).unwrap();
        main(&api());
    }
}
