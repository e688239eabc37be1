//! A run of a program in a process of its own, with a limit that only a hang reaches.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use random_programs::wait;

use super::plan::Fault;
use super::programs::Program;
use crate::error::{Context as _, Error};
use crate::process::{Line, root, target};

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
        let line = self.line();
        let failed = line.to_string();
        fs::create_dir_all(place).on(&failed)?;
        let [out, err] = ["stdout", "stderr"].map(|name| place.join(name));
        let mut command = line.within(place).command();
        let set = command.get_envs().map(|(name, _)| name.to_owned());
        let set: Vec<OsString> = set.collect();
        for (name, _) in env::vars_os().filter(|(name, _)| !set.contains(name)) {
            let text = name.to_string_lossy();
            let starts = ["ASCEND", "RUST_", "LD_LIBRARY_PATH"];
            if starts.iter().any(|start| text.starts_with(start)) {
                command.env_remove(&name);
            }
        }
        command
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

    /// The line that repeats the run.
    pub(super) fn line(&self) -> Line {
        let examples = root().join("examples").display().to_string();
        let arguments = self.program.arguments.split_whitespace();
        let arguments = arguments.map(|word| word.replace("{examples}", &examples));
        // As `cargo build --package faults` makes it.
        let program = target().join("debug").join(&self.program.name);
        let mut line = Line::of(program)
            .with(arguments)
            .with_env("ASCENDCL_BACKEND", "emulator")
            .with_env("ASCENDCL_EMULATOR_CHECK", "leaks")
            .with_env("ASCENDCL_EMULATOR_SCHEDULE", self.schedule);
        if self.program.has_limits {
            line = line.with_env("ASCENDCL_EMULATOR_CLOCK", "still");
        }
        if let Some(fault) = &self.fault {
            line = line.with_env("ASCENDCL_EMULATOR_FAULTS", fault.to_string());
        }
        match &self.trace {
            Some(trace) => line.with_env("ASCENDCL_EMULATOR_TRACE", trace),
            None => line,
        }
    }
}
