//! `cargo xtask guide`: the guide of `docs/guide`, a book in English and its translation.
//!
//! Three things are checked. The translation has the chapters, headings and code of the original, and states which
//! revision of each chapter it translates (`pair`). Links lead to chapters, and the compiler's messages are those of
//! the ui cases (`links`, `mistakes`). The programs of each chapter build, run and print what the chapter says
//! (`programs`, `package`, `c`). Both books have the same code, so it is built once.

mod book;
mod c;
mod chapter;
mod links;
mod mistakes;
mod package;
mod pair;
mod programs;
pub(crate) mod readme;
mod run;

use crate::error::Error;
use crate::files::{self, cases};
use crate::process::root;
pub(crate) use book::Book;
pub(crate) use chapter::{Chapter, links as destinations};
pub(crate) use links::{anchor_of, check as broken_links};
pub(crate) use mistakes::sign;

/// Runs the command.
pub(crate) fn command(options: &[&str]) -> Result<(), Error> {
    match options {
        [] => text().and_then(|()| programs()),
        ["--text"] => text(),
        ["--programs"] => programs(),
        ["--write"] => write(),
        _ => Err(Error::Usage(
            "`guide` takes --text, --programs or --write, or nothing".into(),
        )),
    }
}

/// Builds and runs the programs.
fn programs() -> Result<(), Error> {
    let (english, _) = books()?;
    package::run(&english)?;
    c::run(&english)
}

/// Checks what can be checked without a build.
fn text() -> Result<(), Error> {
    let (english, chinese) = books()?;
    let cases = cases()?;
    let mut findings = Vec::new();
    for book in [&english, &chinese] {
        findings.extend(links::check(book));
        findings.extend(mistakes::check(book, &cases));
    }
    findings.extend(pair::check(&english, &chinese));
    match findings.len() {
        0 => {
            let count = english.chapters.len();
            println!("guide: {count} chapters in two languages");
            Ok(())
        }
        count => Err(Error::Failed(format!(
            "guide: {count} findings\n{}",
            findings.join("\n")
        ))),
    }
}

/// Writes the compiler's messages anew, and copies the code of the English chapters to the translation.
fn write() -> Result<(), Error> {
    let (mut english, mut chinese) = books()?;
    let cases = cases()?;
    for chapter in &mut english.chapters {
        chapter.text = mistakes::written(&chapter.text, &cases);
    }
    for chapter in &mut chinese.chapters {
        if let Some(original) = english.chapter(&chapter.name) {
            chapter.text = mistakes::written(&chapter.text, &cases);
            chapter.text = pair::with_code_of(&chapter.text, &original.text);
        }
    }
    let mut chapters = english.chapters.iter().chain(&chinese.chapters);
    chapters.try_for_each(|chapter| files::write(&root().join(&chapter.path), &chapter.text))
}

fn books() -> Result<(Book, Book), Error> {
    let read = |language| Book::read(&root(), language).map_err(Error::Failed);
    Ok((read("en")?, read("zh")?))
}
