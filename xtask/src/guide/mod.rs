//! `cargo xtask guide`: the guide of `docs/guide`, a book in English and its translation.
//!
//! Three things are checked. The translation has the chapters, headings and code of the original, and states which
//! revision of each chapter it translates (`pair`). Links lead to chapters, and the compiler's messages are those of
//! the ui cases (`links`, `mistakes`). The programs of each chapter build, run and print what the chapter says
//! (`programs`, `package`, `toolkit`). Both books have the same code, so it is built once.

mod book;
mod chapter;
mod links;
mod mistakes;
mod package;
mod pair;
mod programs;
pub(crate) mod readme;
mod run;
mod toolkit;

use crate::error::{Error, conclude};
use crate::files::{self, cases};
pub(crate) use book::Book;
pub(crate) use chapter::Chapter;
pub(crate) use links::{anchor_of, check as broken_links};
pub(crate) use mistakes::{signed, signed_line};

/// `cargo xtask guide`: checks the text, or the programs, or both.
pub(crate) fn command(of_text: bool, of_programs: bool) -> Result<(), Error> {
    let (english, chinese) = (Book::read("en")?, Book::read("zh")?);
    if of_text {
        text(&english, &chinese)?;
    }
    if of_programs {
        package::run(&english)?;
        toolkit::run(&english)?;
    }
    Ok(())
}

/// Checks what can be checked without a build.
fn text(english: &Book, chinese: &Book) -> Result<(), Error> {
    let cases = cases()?;
    let mut findings = Vec::new();
    for book in [english, chinese] {
        findings.extend(links::check(book));
        findings.extend(mistakes::check(book, &cases));
    }
    findings.extend(pair::check(english, chinese));
    conclude(&findings)?;
    println!(
        "guide: {} chapters in two languages",
        english.chapters.len()
    );
    Ok(())
}

/// Writes the compiler's messages anew, and copies the code of the English chapters to the translation.
pub(crate) fn write() -> Result<(), Error> {
    let (mut english, mut chinese) = (Book::read("en")?, Book::read("zh")?);
    let cases = cases()?;
    for chapter in english.chapters.iter_mut().chain(&mut chinese.chapters) {
        chapter.text = mistakes::written(&chapter.text, &cases);
    }
    for chapter in &mut chinese.chapters {
        if let Some(original) = english.chapter(&chapter.name) {
            chapter.text = pair::with_code_of(&chapter.text, &original.text);
        }
    }
    let mut chapters = english.chapters.iter().chain(&chinese.chapters);
    chapters.try_for_each(|chapter| files::write(&chapter.path, &chapter.text))
}
