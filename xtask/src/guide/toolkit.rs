//! The C and Python programs of the guide, built and run with the C library of the emulator.

use std::path::Path;
use std::process::Command;

use super::book::Book;
use super::programs::{Language, Run, programs};
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
    // The names that the chapters use.
    for (language, source) in [(Language::C, "program.c"), (Language::Python, "program.py")] {
        if language == Language::Python && Command::new("python3").arg("-V").output().is_err() {
            println!("guide: SKIPPED the programs of Python: `python3` cannot be started");
            continue;
        }
        let (mut findings, mut count) = (Vec::new(), 0);
        for chapter in &book.chapters {
            for mut program in programs(chapter, language)? {
                count += 1;
                let (folder, line) = (folder.join(&program.name), program.code.lines().count());
                // Its lines are numbered as in a file of the reader.
                let source = folder.join(source);
                write(&source, program.code.trim_start_matches('\n'))?;
                let built = folder.join("program");
                let strict = ["-Wall", "-Wextra", "-Werror"];
                if language == Language::C
                    && let Err(words) = capi::compile(&toolkit, &source, &built, &strict)
                {
                    let what = format!("the program does not compile:\n{words}");
                    findings.push(chapter.finding(line, &what));
                    continue;
                }
                if program.runs.is_empty() {
                    program.runs.push(Run {
                        line,
                        ..Run::default()
                    });
                }
                let runs = program.runs.iter();
                findings.extend(
                    runs.flat_map(|run| compare(chapter, run, start(language, &folder, &toolkit))),
                );
            }
        }
        conclude(&findings)?;
        println!("guide: {count} programs of {language:?}");
    }
    Ok(())
}

/// What starts a program in its folder.
fn start(language: Language, folder: &Path, toolkit: &Path) -> Command {
    let mut command = match language {
        Language::Python => Command::new("python3"),
        Language::C | Language::Rust => Command::new(folder.join("program")),
    };
    if language == Language::Python {
        command.args(["-B", "program.py"]);
    }
    command.env("LD_LIBRARY_PATH", toolkit.join("lib64"));
    command.env("PYTHONPATH", toolkit.join("python/site-packages"));
    command.current_dir(folder);
    command
}
