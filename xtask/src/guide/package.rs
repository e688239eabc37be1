//! The Rust programs of the guide, built as one package outside of the workspace, as a reader's project is.
//!
//! One program with a module for each program of the guide is built once and linked once. Each run is a process of
//! its own, because the state of AscendCL belongs to the process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::book::Book;
use super::programs::{Language, Program, programs};
use super::run::compare;
use crate::error::Error;
use crate::process::{Line, root, target};

/// Builds all programs and compares their output.
pub(super) fn run(book: &Book) -> Result<(), Error> {
    let folder = target(&root()).join("guide").join("package");
    let mut all = Vec::new();
    for chapter in &book.chapters {
        let programs = programs(chapter, Language::Rust).map_err(Error::Failed)?;
        all.extend(programs.into_iter().map(|program| (chapter, program)));
    }
    let modules = all.iter().map(|(_, Program { name, code, .. })| {
        let text = format!("{code}{START}");
        (name.clone(), text)
    });
    let mut modules: Vec<(String, String)> = modules.collect();
    let names = all.iter().map(|(_, program)| program.name.as_str());
    modules.push(("main".to_owned(), main(names)));
    let path = root().display().to_string();
    let dependencies = format!(
        "[dependencies]\nascendcl = {{ path = {path:?}, features = [\"async\", \"emulator-media\", \"kernels\"] }}\n"
    );
    lay_out(&folder, "guide", &dependencies, &modules)?;
    let built = build(&folder, "guide")?;
    let mut findings = Vec::new();
    let mut runs = 0;
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
            runs += 1;
        }
    }
    if findings.is_empty() {
        println!("guide: {} programs of Rust, {runs} runs", all.len());
        return Ok(());
    }
    Err(Error::Failed(format!("guide: {}", findings.join("\n"))))
}

/// Writes a package of these modules. The versions of its dependencies are those of the workspace, so nothing is downloaded.
pub(super) fn lay_out(
    folder: &Path,
    name: &str,
    dependencies: &str,
    modules: &[(String, String)],
) -> Result<(), Error> {
    let source = folder.join("src");
    let write = || {
        if source.exists() {
            fs::remove_dir_all(&source)?;
        }
        fs::create_dir_all(&source)?;
        let package =
            format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[workspace]\n\n");
        fs::write(folder.join("Cargo.toml"), package + dependencies)?;
        fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
        let mut modules = modules.iter();
        modules.try_for_each(|(name, text)| fs::write(source.join(format!("{name}.rs")), text))
    };
    write().map_err(|error| Error::Failed(format!("guide: {}: {error}", folder.display())))
}

/// Builds a package, and returns its program. All share the library that the random programs have built.
pub(super) fn build(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    let manifest = folder.join("Cargo.toml").display().to_string();
    let built = target(&root()).join("programs/built");
    let arguments = [manifest, "--target-dir".into(), built.display().to_string()];
    Line::new("cargo build --quiet --offline --manifest-path")
        .with_arguments(arguments)
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
