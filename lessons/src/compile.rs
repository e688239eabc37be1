//! The compiler and the programs of learners.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use random_programs::said::{self, Refusal};
use serde_json::Value;

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
        let target = env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
        let scratch = root().join(target).join("lessons");
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
    let messages = said.lines();
    let messages = messages.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let of_library = messages.filter(|of| {
        of.pointer("/target/name")
            .is_some_and(|name| name == "ascendcl")
    });
    let files = of_library.filter_map(|of| of.get("filenames")?.as_array().cloned());
    let files = files.flatten();
    let mut files = files.filter_map(|file| file.as_str().map(PathBuf::from));
    let file = files.find(|file| file.extension().is_some_and(|end| end == "rlib"));
    let file = file.ok_or("cannot find the library ascendcl")?;
    // Cargo puts a library that was asked for beside the folder of its dependencies, and others into it.
    let mut folder = file.parent().unwrap_or(&file).to_owned();
    if !folder.ends_with("deps") {
        folder.push("deps");
    }
    let (library, folder) = (
        format!("ascendcl={}", file.display()),
        format!("dependency={}", folder.display()),
    );
    Ok(["--extern".into(), library, "-L".into(), folder].into())
}
