//! The Rust programs of the guide, built as one package outside of the workspace, as a reader's project is.
//!
//! One program with a module for each program of the guide is built once and linked once. Each run is a process of
//! its own, because the state of AscendCL belongs to the process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::book::Book;
use super::programs::{Language, programs};
use super::run::compare;
use crate::error::{Context as _, Error, conclude};
use crate::files::{removed, write};
use crate::process::{Line, root, target};

/// Builds all programs and compares their output.
pub(super) fn run(book: &Book) -> Result<(), Error> {
    let folder = target().join("guide").join("package");
    let mut all = Vec::new();
    for chapter in &book.chapters {
        let programs = programs(chapter, Language::Rust)?.into_iter();
        all.extend(programs.map(|program| (chapter, program)));
    }
    let modules = all.iter();
    let modules = modules.map(|(_, of)| (of.name.clone(), format!("{}{START}", of.code)));
    let mut modules: Vec<(String, String)> = modules.collect();
    let names = all.iter().map(|(_, program)| program.name.as_str());
    modules.push(("main".to_owned(), main(names)));
    let path = root().display().to_string();
    let dependencies = format!(
        "[dependencies]\nascendcl = {{ path = {path:?}, features = [\"async\", \"emulator-media\", \"graphs\", \"kernels\"] }}\n"
    );
    let built = build(&folder, "guide", &dependencies, &modules)?;
    let mut findings = Vec::new();
    for (chapter, program) in &all {
        if program.runs.is_empty() {
            let line = program.code.lines().count();
            let what = "ends a program without a run: add a block `console` with its output";
            findings.push(chapter.finding(line, what));
        }
        for run in &program.runs {
            let mut command = Command::new(&built);
            command.arg(&program.name).current_dir(&folder);
            // Cargo puts the emulator's C library there, which the program would take for CANN.
            command.env_remove("LD_LIBRARY_PATH");
            findings.extend(compare(chapter, run, command));
        }
    }
    conclude(&findings)?;
    let runs: usize = all.iter().map(|(_, program)| program.runs.len()).sum();
    println!("guide: {} programs of Rust, {runs} runs", all.len());
    Ok(())
}

/// Makes a package of these modules, and returns its program. The versions of its dependencies are those of the workspace, so
/// nothing is downloaded. All share the library that the random programs have built.
pub(super) fn build(
    folder: &Path,
    name: &str,
    dependencies: &str,
    modules: &[(String, String)],
) -> Result<PathBuf, Error> {
    let source = folder.join("src");
    removed(fs::remove_dir_all(&source)).on(source.display())?;
    let package = format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[workspace]\n\n");
    let manifest = folder.join("Cargo.toml");
    write(&manifest, &(package + dependencies))?;
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).on(folder.display())?;
    for (name, text) in modules {
        write(source.join(format!("{name}.rs")), text)?;
    }
    let built = target().join("programs/built");
    Line::new("cargo build --quiet --offline")
        .with_option("--manifest-path", manifest)
        .with_option("--target-dir", &built)
        .run()?;
    Ok(built.join("debug").join(name))
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
