//! Running other programs, in the root of the workspace if nothing else is said.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::{env, fmt};

use crate::error::{Context as _, Error};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    // Cargo sets the variable for `cargo xtask`. The built-in value is for a start by hand.
    let xtask = env::var_os("CARGO_MANIFEST_DIR").unwrap_or(env!("CARGO_MANIFEST_DIR").into());
    let mut root = PathBuf::from(xtask);
    root.pop();
    root
}

/// The folder of Cargo's results.
pub(crate) fn target() -> PathBuf {
    let folder = env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    root().join(folder)
}

/// A path as the user typed it.
pub(crate) fn here(path: impl AsRef<Path>) -> Result<PathBuf, Error> {
    let folder = env::current_dir().on("there is no current folder")?;
    Ok(folder.join(path))
}

/// A command line, and its changes to the environment.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    environment: Vec<(String, String)>,
    program: String,
    arguments: Vec<String>,
    /// The folder, if it is not the root of the workspace.
    folder: Option<PathBuf>,
}

impl Line {
    /// A line of words that are separated by spaces, with variables in front: `A=1 cargo test`. No word contains a space.
    pub(crate) fn new(line: &str) -> Self {
        let mut words = line.split_whitespace().map(String::from).peekable();
        let is_variable = |word: &String| word.contains('=');
        let variables = std::iter::from_fn(|| words.next_if(is_variable));
        let pair = |word: String| {
            let (name, value) = word.split_once('=')?;
            Some((name.to_owned(), value.to_owned()))
        };
        Self {
            environment: variables.filter_map(pair).collect(),
            program: words.next().unwrap_or_default(),
            arguments: words.collect(),
            folder: None,
        }
    }

    /// A line that is a program alone, whose path may contain spaces.
    pub(crate) fn of(program: impl AsRef<OsStr>) -> Self {
        let program = shown(program);
        Self {
            program,
            ..Self::default()
        }
    }

    pub(crate) fn with_env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.environment.push((name.into(), shown(value)));
        self
    }

    pub(crate) fn with(mut self, words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.arguments.extend(words.into_iter().map(shown));
        self
    }

    /// Adds an option and its value, such as a path.
    pub(crate) fn with_option(self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.with([OsStr::new(name), value.as_ref()])
    }

    /// Runs the line in another folder.
    pub(crate) fn within(mut self, folder: &Path) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// Runs the line with this program's input and output.
    pub(crate) fn run(&self) -> Result<(), Error> {
        let status = self.command().status().on(self.not_started())?;
        self.succeeded(status, "")
    }

    /// Runs the line, and returns its output. It is shown only if the line fails.
    pub(crate) fn run_quietly(&self) -> Result<String, Error> {
        let (status, said) = self.output()?;
        self.succeeded(status, &format!("{said}\n"))?;
        Ok(said)
    }

    /// Runs the line, and returns its status and its output.
    pub(crate) fn output(&self) -> Result<(ExitStatus, String), Error> {
        let output = self.command().output().on(self.not_started())?;
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        Ok((output.status, said))
    }

    /// The error of a line that fails, behind what it said.
    fn succeeded(&self, status: ExitStatus, said: &str) -> Result<(), Error> {
        let error = || Error::from(format!("{said}`{self}` failed: {status}"));
        status.success().then_some(()).ok_or_else(error)
    }

    fn not_started(&self) -> String {
        format!("cannot start `{self}`")
    }

    /// What starts the line.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(self.executable());
        let variables = self.environment.iter().map(|(name, value)| (name, value));
        let folder = self.folder.clone().unwrap_or_else(root);
        command.args(&self.arguments).envs(variables);
        command.current_dir(folder);
        command
    }

    /// The Cargo that started this program. Another one could belong to another toolchain.
    fn executable(&self) -> OsString {
        let cargo = env::var_os("CARGO").filter(|_| self.program == "cargo");
        cargo.unwrap_or_else(|| self.program.clone().into())
    }
}

fn shown(word: impl AsRef<OsStr>) -> String {
    word.as_ref().to_string_lossy().into_owned()
}

/// The line as a user types it into a shell.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.environment {
            write!(f, "{name}='{value}' ")?;
        }
        f.write_str(&self.program)?;
        self.arguments
            .iter()
            .try_for_each(|word| write!(f, " {word}"))
    }
}

#[cfg(test)]
mod tests {
    use super::Line;

    #[test]
    fn a_line_reads_as_it_is_typed() {
        let line = Line::new("cargo doc --no-deps").with_env("RUSTDOCFLAGS", "-D warnings");
        let typed = "RUSTDOCFLAGS='-D warnings' cargo doc --no-deps";
        assert_eq!(line.to_string(), typed);
        let typed = "A='1' cargo doc --cfg=b";
        assert_eq!(Line::new("A=1 cargo doc --cfg=b").to_string(), typed);
    }

    #[test]
    fn a_program_that_fails_or_is_missing_is_an_error() {
        assert!(Line::new("true").run().is_ok());
        assert!(Line::new("false").run().is_err());
        assert!(Line::new("no-such-program").run().is_err());
        assert!(Line::new("true").run_quietly().is_ok());
        let failed = Line::new("cargo no-such-command").run_quietly();
        assert!(failed.is_err_and(|error| error.to_string().contains("no such command")));
    }
}
