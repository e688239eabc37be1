//! A chapter: its headings, its blocks of code and its links.

use std::hash::Hasher as _;
use std::ops::Range;

use fnv::FnvHasher;
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// A file of a book.
#[derive(Debug)]
pub(crate) struct Chapter {
    /// The name of the file.
    pub(crate) name: String,
    /// The path from the root of the repository.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A block of code between fences.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block<'t> {
    /// The word behind the first fence.
    pub(super) language: String,
    pub(super) code: &'t str,
    /// The number of the first line of code.
    pub(super) line: usize,
    /// The place of the code in the text.
    pub(super) range: Range<usize>,
}

/// A heading with its words.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Heading {
    pub(super) level: HeadingLevel,
    pub(super) words: String,
}

impl Chapter {
    /// A sentence about a line of the chapter.
    pub(super) fn finding(&self, line: usize, what: &str) -> String {
        format!("{}:{line}: {what}", self.path)
    }
}

/// The blocks of code of a text, in their order.
pub(super) fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    for (event, range) in events(text) {
        let Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) = event else {
            continue;
        };
        let whole = text.get(range.clone()).unwrap_or_default();
        let start = whole.find('\n').map_or(whole.len(), |at| at + 1);
        let end = whole.rfind("```").unwrap_or(whole.len()).max(start);
        let range = range.start + start..range.start + end;
        let before = text.get(..range.start).unwrap_or_default();
        blocks.push(Block {
            language: language.into_string(),
            code: text.get(range.clone()).unwrap_or_default(),
            line: before.matches('\n').count() + 1,
            range,
        });
    }
    blocks
}

/// The headings of a text, in their order.
pub(super) fn headings(text: &str) -> Vec<Heading> {
    let mut headings: Vec<Heading> = Vec::new();
    let mut inside = false;
    for (event, _) in events(text) {
        match (event, headings.last_mut()) {
            (Event::Start(Tag::Heading { level, .. }), _) => {
                inside = true;
                let words = String::new();
                headings.push(Heading { level, words });
            }
            (Event::End(TagEnd::Heading(_)), _) => inside = false,
            (Event::Text(words) | Event::Code(words), Some(heading)) if inside => {
                heading.words.push_str(&words);
            }
            _ => {}
        }
    }
    headings
}

/// The destinations of the links of a text, in their order.
pub(super) fn links(text: &str) -> Vec<String> {
    let links = events(text).filter_map(|(event, _)| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            Some(dest_url.into_string())
        }
        _ => None,
    });
    links.collect()
}

/// The revision of a chapter: a number of everything that has to be translated, which is all but the code.
pub(super) fn revision(text: &str) -> String {
    let mut hasher = FnvHasher::default();
    let mut after = 0;
    for block in blocks(text) {
        let words = text.get(after..block.range.start).unwrap_or_default();
        hasher.write(words.as_bytes());
        after = block.range.end;
    }
    hasher.write(text.get(after..).unwrap_or_default().as_bytes());
    format!("{:016x}", hasher.finish())
}

fn events(text: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter()
}

#[cfg(test)]
impl Chapter {
    pub(super) fn sample(path: &str, text: &str) -> Chapter {
        let name = path.rsplit('/').next().unwrap_or(path);
        let [name, path, text] = [name, path, text].map(str::to_owned);
        Chapter { name, path, text }
    }
}
