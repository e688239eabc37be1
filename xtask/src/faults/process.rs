//! A run of a program in a process of its own, with a limit that only a hang reaches.

use std::env;
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use random_programs::wait;

use super::plan::Fault;
use super::programs::Program;
use crate::error::{Context as _, Error};
use crate::process::{root, target};

/// A run takes milliseconds, or seconds on a machine with other work.
const LIMIT: Duration = Duration::from_secs(90);

/// One run.
pub(super) struct Run<'p> {
    pub(super) program: &'p Program,
    pub(super) schedule: &'static str,
    pub(super) fault: Option<Fault>,
    /// The file for the timeline.
    pub(super) trace: Option<PathBuf>,
}

/// The end of a run.
#[derive(Debug, Default, Clone)]
pub(super) struct Ended {
    pub(super) code: Option<i32>,
    pub(super) signal: Option<i32>,
    /// Whether the limit was reached.
    pub(super) hung: bool,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Run<'_> {
    /// Runs the program in the new folder `place`, and removes it.
    pub(super) fn start(&self, place: &Path) -> Result<Ended, Error> {
        let failed = self.line();
        fs::create_dir_all(place).on(&failed)?;
        let [out, err] = ["stdout", "stderr"].map(|name| place.join(name));
        let mut command = Command::new(executable(&self.program.name));
        for (name, _) in env::vars_os() {
            let text = name.to_string_lossy();
            let starts = ["ASCEND", "RUST_", "LD_LIBRARY_PATH"];
            if starts.iter().any(|start| text.starts_with(start)) {
                command.env_remove(&name);
            }
        }
        command
            .args(self.arguments())
            .envs(self.variables())
            .current_dir(place)
            .stdin(Stdio::null())
            .stdout(File::create(&out).on(&failed)?)
            .stderr(File::create(&err).on(&failed)?);
        let child = command.spawn().on(&failed)?;
        let status = wait(child, LIMIT).on(&failed)?;
        let [stdout, stderr] = [fs::read(out).on(&failed)?, fs::read(err).on(&failed)?]
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        fs::remove_dir_all(place).on(&failed)?;
        Ok(Ended {
            code: status.and_then(|status| status.code()),
            signal: status.and_then(|status| status.signal()),
            hung: status.is_none(),
            stdout,
            stderr,
        })
    }

    fn arguments(&self) -> Vec<String> {
        let examples = root().join("examples").display().to_string();
        let words = self.program.arguments.split_whitespace();
        words
            .map(|word| word.replace("{examples}", &examples))
            .collect()
    }

    fn variables(&self) -> Vec<(&'static str, String)> {
        let mut variables = vec![
            ("ASCENDCL_BACKEND", "emulator".to_owned()),
            ("ASCENDCL_EMULATOR_CHECK", "leaks".to_owned()),
            ("ASCENDCL_EMULATOR_SCHEDULE", self.schedule.to_owned()),
        ];
        if self.program.has_limits {
            variables.push(("ASCENDCL_EMULATOR_CLOCK", "still".to_owned()));
        }
        let fault = self.fault.as_ref().map(ToString::to_string);
        variables.extend(fault.map(|fault| ("ASCENDCL_EMULATOR_FAULTS", fault)));
        let trace = self.trace.as_ref().map(|trace| trace.display().to_string());
        variables.extend(trace.map(|trace| ("ASCENDCL_EMULATOR_TRACE", trace)));
        variables
    }

    /// The line that repeats the run.
    pub(super) fn line(&self) -> String {
        let set = |(name, value): (&str, String)| format!("{name}='{value}' ");
        let variables: String = self.variables().into_iter().map(set).collect();
        let program = executable(&self.program.name);
        let arguments = self.arguments().join(" ");
        format!("{variables}{} {arguments}", program.display())
    }
}

/// The program, as `cargo build --package faults` makes it.
fn executable(name: &str) -> PathBuf {
    target().join("debug").join(name)
}
