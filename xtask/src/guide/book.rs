//! A book: its table of contents and its chapters.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::chapter::{Chapter, links};

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
    pub(super) fn read(root: &Path, language: &str) -> Result<Book, String> {
        let folder = format!("docs/guide/{language}/src");
        let read = |name: &str| {
            let path = format!("{folder}/{name}");
            fs::read_to_string(root.join(&path))
                .map_err(|error| format!("guide: cannot read {path}: {error}"))
        };
        let listed = links(&read(SUMMARY)?);
        let mut files = BTreeSet::new();
        let entries = fs::read_dir(root.join(&folder))
            .map_err(|error| format!("guide: cannot list {folder}: {error}"))?;
        for entry in entries {
            let entry = entry.map_err(|error| format!("guide: cannot list {folder}: {error}"))?;
            files.insert(entry.file_name().to_string_lossy().into_owned());
        }
        files.remove(SUMMARY);
        let mut book = Book {
            folder: folder.clone(),
            ..Book::default()
        };
        for link in listed {
            if files.remove(&link) {
                book.chapters.push(Chapter {
                    name: link.clone(),
                    path: format!("{folder}/{link}"),
                    text: read(&link)?,
                });
            } else {
                let stray = format!("{folder}/{SUMMARY}: `{link}` is no file, or is listed twice");
                book.strays.push(stray);
            }
        }
        let unlisted = |file| format!("{folder}/{file}: is not in {SUMMARY}");
        book.strays.extend(files.into_iter().map(unlisted));
        Ok(book)
    }

    pub(super) fn chapter(&self, name: &str) -> Option<&Chapter> {
        self.chapters.iter().find(|chapter| chapter.name == name)
    }
}

#[cfg(test)]
impl Book {
    /// A book of chapters with these paths and texts.
    pub(super) fn sample<const N: usize>(chapters: [(&str, &str); N]) -> Book {
        Book {
            chapters: chapters
                .map(|(path, text)| Chapter::sample(path, text))
                .into(),
            ..Book::default()
        }
    }
}
