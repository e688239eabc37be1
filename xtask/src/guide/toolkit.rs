//! The C and Python programs of the guide, built and run with the C library of the emulator.

use std::path::Path;
use std::process::Command;

use super::book::Book;
use super::chapter::Chapter;
use super::programs::{Language, Program, Run, programs};
use super::run::compare;
use crate::capi;
use crate::error::{Error, conclude};
use crate::files::write;
use crate::process::target;

/// Builds and runs all programs. One without a run in its chapter prints nothing.
pub(super) fn run(book: &Book) -> Result<(), Error> {
    let folder = target().join("guide");
    let toolkit = folder.join("toolkit");
    capi::command(&toolkit, true, None)?;
    for (language, of_program) in [
        (Language::C, of_c as OfProgram),
        (Language::Python, of_python),
    ] {
        if language == Language::Python && Command::new("python3").arg("-V").output().is_err() {
            println!("guide: SKIPPED the programs of Python: `python3` cannot be started");
            continue;
        }
        let mut findings = Vec::new();
        let mut count = 0;
        for chapter in &book.chapters {
            for mut program in programs(chapter, language)? {
                count += 1;
                if program.runs.is_empty() {
                    let line = program.code.lines().count();
                    program.runs.push(Run {
                        line,
                        ..Run::default()
                    });
                }
                let folder = folder.join(&program.name);
                findings.extend(of_program(chapter, &program, &folder, &toolkit)?);
            }
        }
        conclude(&findings)?;
        println!("guide: {count} programs of {language:?}");
    }
    Ok(())
}

/// Builds and runs a program in a folder.
type OfProgram = fn(&Chapter, &Program, &Path, &Path) -> Result<Vec<String>, Error>;

fn of_c(
    chapter: &Chapter,
    program: &Program,
    folder: &Path,
    toolkit: &Path,
) -> Result<Vec<String>, Error> {
    // The name that the chapters use. Its lines are numbered as in a file of the reader.
    let (source, built) = (folder.join("program.c"), folder.join("program"));
    write(&source, program.code.trim_start_matches('\n'))?;
    if let Err(words) = capi::compile(toolkit, &source, &built, &["-Wall", "-Wextra", "-Werror"]) {
        let what = format!("the program does not compile:\n{words}");
        return Ok(vec![chapter.finding(program.code.lines().count(), &what)]);
    }
    let of_run = |run| {
        let mut command = Command::new(&built);
        command
            .env("LD_LIBRARY_PATH", toolkit.join("lib64"))
            .current_dir(folder);
        compare(chapter, run, command)
    };
    Ok(program.runs.iter().flat_map(of_run).collect())
}

fn of_python(
    chapter: &Chapter,
    program: &Program,
    folder: &Path,
    toolkit: &Path,
) -> Result<Vec<String>, Error> {
    let source = folder.join("program.py");
    write(&source, program.code.trim_start_matches('\n'))?;
    let of_run = |run| {
        let mut command = Command::new("python3");
        command
            .env("PYTHONPATH", toolkit.join("python/site-packages"))
            .args(["-B", "program.py"])
            .current_dir(folder);
        compare(chapter, run, command)
    };
    Ok(program.runs.iter().flat_map(of_run).collect())
}
