//! The compiler and the programs of learners.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use random_programs::said::{self, Refusal};

use crate::files::{Result, root, write};

/// The compiler with the arguments for programs that use this crate.
pub(crate) struct Compiler {
    scratch: PathBuf,
    library: Vec<String>,
    colours: bool,
}

impl Compiler {
    /// Prepares the compiler. `library` builds `ascendcl` with the emulator.
    pub(crate) fn new(library: Option<Library>, colours: bool) -> Result<Self> {
        let scratch = target().join("lessons");
        fs::create_dir_all(&scratch)?;
        let library = library.map_or(Ok(Vec::new()), built)?;
        Ok(Self {
            scratch,
            library,
            colours,
        })
    }

    /// The errors of a program in a file.
    pub(crate) fn check(&self, file: &Path) -> Result<Vec<Refusal>> {
        self.rustc(file, "metadata", &self.scratch.join("program.rmeta"))
    }

    /// The errors of a program that is in no file.
    pub(crate) fn check_text(&self, text: &str) -> Result<Vec<Refusal>> {
        self.check(&self.write(text)?)
    }

    /// Writes a program into a file of its own.
    pub(crate) fn write(&self, text: &str) -> Result<PathBuf> {
        let file = self.scratch.join("program.rs");
        write(&file, text)?;
        Ok(file)
    }

    /// Builds and runs a program. Returns its output, with the reason if it fails.
    pub(crate) fn run(&self, file: &Path) -> Result<std::result::Result<String, String>> {
        let out = self.scratch.join("program");
        if let Some(error) = self.rustc(file, "link", &out)?.first() {
            return Err(error.rendered.clone().into());
        }
        let mut command = Command::new(&out);
        // The checker of the emulator is a judge of programs that use the crate.
        command
            .env("ASCENDCL_BACKEND", "emulator")
            .env("ASCENDCL_EMULATOR_CHECK", "leaks");
        let output = output(&mut command)?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() {
            return Ok(Ok(said));
        }
        let errors = String::from_utf8_lossy(&output.stderr);
        Ok(Err(format!("{said}{errors}{}", output.status)))
    }

    fn rustc(&self, file: &Path, emit: &str, out: &Path) -> Result<Vec<Refusal>> {
        let mut command = Command::new("rustc");
        command
            .args(["--edition", "2024", "--crate-name", "lesson"])
            .args(["-A", "warnings", "--error-format", "json"])
            .arg(format!("--emit={emit}"))
            .arg("-o")
            .arg(out)
            .args(&self.library)
            .arg(file)
            .args(self.colours.then_some("--json=diagnostic-rendered-ansi"))
            .current_dir(root());
        let output = output(&mut command)?;
        let said = String::from_utf8_lossy(&output.stderr);
        let errors = said::errors(&said, |_| true)?;
        if output.status.success() == errors.is_empty() {
            return Ok(errors);
        }
        Err(format!("the compiler failed\n{said}").into())
    }
}

/// The folder of Cargo's results.
fn target() -> PathBuf {
    root().join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

fn output(command: &mut Command) -> Result<Output> {
    let program = command.get_program().to_owned();
    let failed = |error| format!("cannot start {}: {error}", program.display());
    Ok(command.output().map_err(failed)?)
}

/// How `ascendcl` is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Library {
    /// Alone, which is quick.
    Alone,
    /// As for `cargo test --workspace`, to share its build.
    OfWorkspace,
}

/// Builds `ascendcl`, and returns the arguments that make it known to the compiler.
fn built(library: Library) -> Result<Vec<String>> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let chosen = match library {
        Library::Alone => "--package ascendcl --lib --features emulator,half",
        // With the example, the library has the features of the tests.
        Library::OfWorkspace => "--workspace --lib --example 01_copy",
    };
    let mut command = Command::new(cargo);
    command.arg("build").args(chosen.split(' '));
    if !command.current_dir(root()).status()?.success() {
        return Err("cannot build ascendcl".into());
    }
    // Cargo puts a library that was asked for there, and the others into the folder `deps`.
    let folder = target().join("debug");
    let library = format!("ascendcl={}", folder.join("libascendcl.rlib").display());
    let others = format!("dependency={}", folder.join("deps").display());
    Ok(["--extern".into(), library, "-L".into(), others].into())
}
