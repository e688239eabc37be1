//! The Rust programs of the guide, built as one package outside of the workspace, as a reader's project is.
//!
//! One program with a module for each program of the guide is built once and linked once. Each run is a process of
//! its own, because the state of AscendCL belongs to the process.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::book::Book;
use super::programs::{Language, Program, programs};
use super::run::compare;
use crate::error::Error;
use crate::process::{Line, root, target};

/// The package without its path to this repository.
const MANIFEST: &str = "\
[package]
name = \"guide\"
version = \"0.0.0\"
edition = \"2024\"
publish = false

[workspace]

[dependencies]
";

/// Builds all programs and compares their output.
pub(super) fn run(book: &Book) -> Result<(), Error> {
    let folder = target(&root()).join("guide").join("package");
    let mut all = Vec::new();
    for chapter in &book.chapters {
        let programs = programs(chapter, Language::Rust).map_err(Error::Failed)?;
        all.extend(programs.into_iter().map(|program| (chapter, program)));
    }
    lay_out(&folder, all.iter().map(|(_, program)| program))
        .map_err(|error| Error::Failed(format!("guide: {}: {error}", folder.display())))?;
    let manifest = folder.join("Cargo.toml").display().to_string();
    // The folder of `cargo xtask readme`, which builds the same library.
    let built = target(&root()).join("readme");
    let arguments = [manifest, "--target-dir".into(), built.display().to_string()];
    Line::new("cargo build --quiet --offline --manifest-path")
        .with_arguments(arguments)
        .run()?;
    let mut findings = Vec::new();
    let mut runs = 0;
    for (chapter, program) in &all {
        if program.runs.is_empty() {
            let line = program.code.lines().count();
            let what = "ends a program without a run: add a block `console` with its output";
            findings.push(chapter.finding(line, what));
        }
        for run in &program.runs {
            let mut command = Command::new(built.join("debug").join("guide"));
            command.arg(&program.name).current_dir(&folder);
            // Cargo puts the emulator's C library there, which the program would take for CANN.
            command.env_remove("LD_LIBRARY_PATH");
            findings.extend(compare(chapter, run, command));
            runs += 1;
        }
    }
    if findings.is_empty() {
        println!("guide: {} programs of Rust, {runs} runs", all.len());
        return Ok(());
    }
    Err(Error::Failed(format!("guide: {}", findings.join("\n"))))
}

/// Writes the package. The versions of the dependencies are those of the workspace, so nothing is downloaded.
fn lay_out<'p>(
    folder: &Path,
    programs: impl Iterator<Item = &'p Program> + Clone,
) -> std::io::Result<()> {
    let source = folder.join("src");
    if source.exists() {
        fs::remove_dir_all(&source)?;
    }
    fs::create_dir_all(&source)?;
    let path = root().display().to_string();
    let dependency =
        format!("ascendcl = {{ path = {path:?}, features = [\"emulator\", \"media\"] }}\n");
    fs::write(folder.join("Cargo.toml"), format!("{MANIFEST}{dependency}"))?;
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    for program in programs.clone() {
        let text = format!("{}{START}", program.code);
        fs::write(source.join(format!("{}.rs", program.name)), text)?;
    }
    let names = programs.map(|program| program.name.as_str());
    fs::write(source.join("main.rs"), main(names))
}

/// The end of each module: its `main` may return anything that a program's may.
const START: &str = "
pub(super) fn start() -> std::process::ExitCode {
    std::process::Termination::report(main())
}
";

/// The program that starts the program of its first argument.
fn main<'n>(names: impl Iterator<Item = &'n str> + Clone) -> String {
    let modules: String = names.clone().map(|name| format!("mod {name};\n")).collect();
    let arms = names.map(|name| format!("        Some({name:?}) => {name}::start(),\n"));
    let arms: String = arms.collect();
    format!(
        "#![deny(warnings)]\n\n{modules}\nfn main() -> std::process::ExitCode {{\n    match std::env::args().nth(1).as_deref() {{\n\
         {arms}        _ => std::process::ExitCode::FAILURE,\n    }}\n}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::main;

    #[test]
    fn each_program_has_a_module_and_an_arm() {
        let text = main(["copy_3", "wait_9"].into_iter());
        for words in ["mod copy_3;\n", "Some(\"wait_9\") => wait_9::start(),\n"] {
            assert!(text.contains(words), "{text}");
        }
    }
}
