//! A book: its table of contents and its chapters.

use std::collections::BTreeSet;

use super::chapter::{Chapter, links};
use crate::error::Error;
use crate::files::{below, text};

/// The table of contents, in mdBook's form.
const SUMMARY: &str = "SUMMARY.md";

/// A book, with its chapters in the order of the table of contents.
#[derive(Debug, Default)]
pub(crate) struct Book {
    /// The folder of the chapters, from the root of the repository.
    pub(crate) folder: String,
    pub(crate) chapters: Vec<Chapter>,
    /// Chapters that are listed and have no file, and files that are not listed.
    pub(crate) strays: Vec<String>,
}

impl Book {
    /// Reads the book of a language, `en` or `zh`.
    pub(super) fn read(language: &str) -> Result<Book, Error> {
        let folder = format!("docs/guide/{language}/src");
        let files = below(&folder)?.into_iter();
        let names = files.filter_map(|path| path.file_name()?.to_str().map(str::to_owned));
        let mut files: BTreeSet<String> = names.collect();
        files.remove(SUMMARY);
        let (mut chapters, mut strays) = (Vec::new(), Vec::new());
        for name in links(&text(format!("{folder}/{SUMMARY}"))?) {
            let path = format!("{folder}/{name}");
            if files.remove(&name) {
                let text = text(&path)?;
                chapters.push(Chapter { name, path, text });
            } else {
                strays.push(format!(
                    "{folder}/{SUMMARY}: `{name}` is no file, or is listed twice"
                ));
            }
        }
        let unlisted = |file| format!("{folder}/{file}: is not in {SUMMARY}");
        strays.extend(files.into_iter().map(unlisted));
        Ok(Book {
            folder,
            chapters,
            strays,
        })
    }

    pub(super) fn chapter(&self, name: &str) -> Option<&Chapter> {
        self.chapters.iter().find(|chapter| chapter.name == name)
    }
}

#[cfg(test)]
impl Book {
    /// A book of chapters with these paths and texts.
    pub(super) fn sample<const N: usize>(chapters: [(&str, &str); N]) -> Book {
        let chapters = chapters.map(|(path, text)| Chapter::sample(path, text));
        Book {
            chapters: chapters.into(),
            ..Book::default()
        }
    }
}
