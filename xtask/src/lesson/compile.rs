//! The compiler and the programs of learners.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use random_programs::said::{self, Refusal};
use serde_json::Value;

use crate::process::{root, target};

/// The compiler with the arguments for programs that use this crate.
pub(super) struct Compiler {
    scratch: PathBuf,
    library: Vec<String>,
    colours: bool,
}

impl Compiler {
    /// Prepares the compiler. `library` builds `ascendcl` with the emulator.
    pub(super) fn new(library: Option<Library>, colours: bool) -> Result<Self, String> {
        let scratch = target(&root()).join("lessons");
        fs::create_dir_all(&scratch)
            .map_err(|error| format!("cannot make {}: {error}", scratch.display()))?;
        Ok(Self {
            scratch,
            library: library.map_or(Ok(Vec::new()), built)?,
            colours,
        })
    }

    /// The errors of a program in a file.
    pub(super) fn check(&self, file: &Path) -> Result<Vec<Refusal>, String> {
        let out = self.scratch.join("program.rmeta");
        self.rustc(file, "metadata", &out)
    }

    /// The errors of a program that is in no file.
    pub(super) fn check_text(&self, text: &str) -> Result<Vec<Refusal>, String> {
        self.check(&self.write(text)?)
    }

    /// Writes a program into a file of its own.
    pub(super) fn write(&self, text: &str) -> Result<PathBuf, String> {
        let file = self.scratch.join("program.rs");
        fs::write(&file, text)
            .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        Ok(file)
    }

    /// Builds and runs a program. Returns its output, with the reason if it fails.
    pub(super) fn run(&self, file: &Path) -> Result<Result<String, String>, String> {
        let out = self.scratch.join("program");
        if let Some(error) = self.rustc(file, "link", &out)?.first() {
            return Err(error.rendered.clone());
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

    fn rustc(&self, file: &Path, emit: &str, out: &Path) -> Result<Vec<Refusal>, String> {
        let mut command = Command::new("rustc");
        command
            .args(["--edition", "2024", "--crate-name", "lesson"])
            .args(["-A", "warnings", "--error-format", "json"])
            .arg(format!("--emit={emit}"))
            .arg("-o")
            .arg(out)
            .args(&self.library)
            .arg(file)
            .current_dir(root());
        if self.colours {
            command.arg("--json=diagnostic-rendered-ansi");
        }
        let output = output(&mut command)?;
        let said = String::from_utf8_lossy(&output.stderr);
        let errors = said::errors(&said, |_| true)?;
        if output.status.success() == errors.is_empty() {
            Ok(errors)
        } else {
            Err(format!("the compiler failed\n{said}"))
        }
    }
}

fn output(command: &mut Command) -> Result<Output, String> {
    let program = command.get_program().to_owned();
    command
        .output()
        .map_err(|error| format!("cannot start {}: {error}", program.display()))
}

/// How `ascendcl` is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Library {
    /// Alone, which is quick.
    Alone,
    /// As for `cargo test --workspace`, to share its build.
    OfWorkspace,
}

/// Builds `ascendcl`, and returns the arguments that make it known to the compiler.
fn built(library: Library) -> Result<Vec<String>, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    let chosen = match library {
        Library::Alone => "--package ascendcl --lib --features emulator,half",
        // The example needs the library, with the features of the tests.
        Library::OfWorkspace => "--workspace --example 01_copy",
    };
    command
        .args(["build", "--message-format=json"])
        .args(chosen.split(' '))
        .stderr(std::process::Stdio::inherit())
        .current_dir(root());
    let output = output(&mut command)?;
    if !output.status.success() {
        return Err("cannot build ascendcl".into());
    }
    let said = String::from_utf8_lossy(&output.stdout);
    let messages = said
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let files = messages
        .filter(|message| {
            message
                .pointer("/target/name")
                .is_some_and(|n| n == "ascendcl")
        })
        .filter_map(|message| message.get("filenames").cloned())
        .flat_map(|files| files.as_array().cloned().unwrap_or_default());
    let file = files
        .filter_map(|file| file.as_str().map(PathBuf::from))
        .find(|file| file.extension().is_some_and(|ending| ending == "rlib"));
    let file = file.ok_or("cannot find the library ascendcl")?;
    // Cargo puts a library that was asked for beside the folder of its dependencies, and others into it.
    let folder = file.parent().unwrap_or(&file);
    let folder = if folder.ends_with("deps") {
        folder.to_owned()
    } else {
        folder.join("deps")
    };
    Ok(vec![
        "--extern".into(),
        format!("ascendcl={}", file.display()),
        "-L".into(),
        format!("dependency={}", folder.display()),
    ])
}
