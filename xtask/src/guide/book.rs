//! A book: its table of contents and its chapters.

use std::collections::BTreeSet;
use std::fs;

use super::chapter::{Chapter, links};
use crate::error::{Context as _, Error};
use crate::files::text;
use crate::process::root;

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
        let failed = format!("cannot list {folder}");
        let mut files = BTreeSet::new();
        for entry in fs::read_dir(root().join(&folder)).on(&failed)? {
            files.insert(
                entry
                    .on(&failed)?
                    .file_name()
                    .to_string_lossy()
                    .into_owned(),
            );
        }
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
