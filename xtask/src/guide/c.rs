//! The C programs of the guide, built with the C library of the emulator and run.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::book::Book;
use super::chapter::Chapter;
use super::programs::{Language, Program, Run, programs};
use super::run::compare;
use crate::capi;
use crate::error::Error;
use crate::process::{root, target};

/// Builds and runs all programs. One without a run in its chapter prints nothing.
pub(super) fn run(book: &Book) -> Result<(), Error> {
    let folder = target(&root()).join("guide");
    let toolkit = folder.join("toolkit");
    capi::command(&["--out", &toolkit.display().to_string(), "--debug"])?;
    let mut findings = Vec::new();
    let mut count = 0;
    for chapter in &book.chapters {
        for mut program in programs(chapter, Language::C).map_err(Error::Failed)? {
            count += 1;
            if program.runs.is_empty() {
                program.runs.push(Run {
                    line: program.code.lines().count(),
                    variables: Vec::new(),
                    output: String::new(),
                });
            }
            findings.extend(of_program(chapter, &program, &folder, &toolkit)?);
        }
    }
    if findings.is_empty() {
        println!("guide: {count} programs of C");
        return Ok(());
    }
    Err(Error::Failed(format!("guide: {}", findings.join("\n"))))
}

fn of_program(
    chapter: &Chapter,
    program: &Program,
    folder: &Path,
    toolkit: &Path,
) -> Result<Vec<String>, Error> {
    let folder = folder.join(&program.name);
    let failed = |error: std::io::Error| Error::Failed(format!("guide: C programs: {error}"));
    fs::create_dir_all(&folder).map_err(failed)?;
    // The name that the chapters use. Its lines are numbered as in a file of the reader.
    let code = program.code.trim_start_matches('\n');
    fs::write(folder.join("program.c"), code).map_err(failed)?;
    let built = folder.join("program");
    let warnings = ["-Wall", "-Wextra", "-Werror"];
    if let Err(words) = capi::compile(toolkit, &folder.join("program.c"), &built, &warnings) {
        let what = format!("the program does not compile:\n{words}");
        return Ok(vec![chapter.finding(program.code.lines().count(), &what)]);
    }
    let mut findings = Vec::new();
    for run in &program.runs {
        let mut command = Command::new(&built);
        command
            .env("LD_LIBRARY_PATH", toolkit.join("lib64"))
            .current_dir(&folder);
        findings.extend(compare(chapter, run, command));
    }
    Ok(findings)
}
