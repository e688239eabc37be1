//! `cargo xtask site`: the refusals as a book of mdBook, which has the search and the pages.
//!
//! Everything that the chapters say comes from `ui-tests/`, `docs/misuse.md`, `docs/real-bugs.md` and `tests/c/mistakes/`,
//! whose programs run on the emulator when the book is written.

mod c;
mod chapters;
mod gallery;

use std::path::Path;

use ui_tests::area;

use crate::error::{Error, conclude};
use crate::files::write;
use crate::guide::{Book, Chapter, broken_links};
use crate::output::say;
use crate::process::{here, target};

/// The settings of the book.
const BOOK: &str = "[book]\ntitle = \"Mistakes that do not compile\"\nlanguage = \"en\"\n";

/// Runs the command.
pub(crate) fn command(out: &Path) -> Result<(), Error> {
    let out = here(out)?;
    let entries = gallery::read()?;
    let classes = entries.iter().flat_map(|entry| &entry.classes);
    let names = classes.flat_map(|class| class.findings.clone());
    let programs = c::run(&target().join("site"), names)?;

    let areas = area::folders().filter(|area| entries.iter().any(|entry| entry.area == *area));
    let mut chapters = vec![("index", chapters::index(&entries))];
    chapters.extend(areas.map(|area| (area, chapters::area(area, &entries))));
    chapters.push(("checker", chapters::checker(programs.values(), &entries)));
    let chapters = chapters.into_iter().map(|(name, text)| {
        let (name, path) = (format!("{name}.md"), format!("{name}.md"));
        Chapter { name, path, text }
    });
    let book = Book {
        chapters: chapters.collect(),
        ..Book::default()
    };
    conclude(&broken_links(&book))?;
    let summary: String = book.chapters.iter().map(listed).collect();
    write(out.join("book.toml"), BOOK)?;
    write(
        out.join("src/SUMMARY.md"),
        &format!("# Summary\n\n{summary}"),
    )?;
    for chapter in &book.chapters {
        write(out.join("src").join(&chapter.path), &chapter.text)?;
    }
    say!(
        "site: {} refusals and {} programs of C; `mdbook serve --open {}` shows them (`cargo install mdbook`)\n",
        entries.len(),
        programs.len(),
        out.display()
    );
    Ok(())
}

/// The line of a chapter in the table of contents.
fn listed(chapter: &Chapter) -> String {
    let head = chapter.text.lines().next().unwrap_or_default();
    format!("- [{}]({})\n", head.trim_start_matches("# "), chapter.name)
}
