//! Whether each link within a book leads to a chapter, and to a heading of it.

use std::collections::{BTreeMap, BTreeSet};

use super::book::Book;
use super::chapter::{headings, links};

/// The links that lead nowhere, and chapters without a file or without an entry.
pub(crate) fn check(book: &Book) -> Vec<String> {
    let mut findings = book.strays.clone();
    // A chapter is long, and has many links to its headings, so its headings are read once.
    let anchors = book.chapters.iter().map(|chapter| {
        let headings = headings(&chapter.text).into_iter();
        let anchors: BTreeSet<String> = headings.map(|of| anchor_of(&of.words)).collect();
        (chapter.name.as_str(), anchors)
    });
    let anchors: BTreeMap<&str, BTreeSet<String>> = anchors.collect();
    for chapter in &book.chapters {
        let leads = |link: &str| {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let file = if file.is_empty() { &chapter.name } else { file };
            let anchors = anchors.get(file);
            anchors.is_some_and(|anchors| anchor.is_empty() || anchors.contains(anchor))
        };
        for link in links(&chapter.text) {
            if !link.contains("://") && !leads(&link) {
                findings.push(format!("{}: the link `{link}` leads nowhere", chapter.path));
            }
        }
    }
    findings
}

/// The name that mdBook gives to a heading.
pub(crate) fn anchor_of(words: &str) -> String {
    let kept = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c.to_ascii_lowercase()),
        c if c.is_whitespace() => Some('-'),
        _ => None,
    };
    words.chars().filter_map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::super::book::Book;
    use super::check;

    #[test]
    fn links_that_lead_nowhere_are_found() {
        let text = "[1](b.md) [2](b.md#two-words) [3](https://example.org) [4](#here)\n\n# Here\n";
        let other = "# `Two` words!\n\n[5](c.md) [6](a.md#there) [7](#two)\n";
        let book = Book {
            strays: vec!["stray".to_owned()],
            ..Book::sample([("a.md", text), ("b.md", other)])
        };
        let missing = ["c.md", "a.md#there", "#two"];
        let missing = missing.map(|link| format!("b.md: the link `{link}` leads nowhere"));
        assert_eq!(check(&book), [&["stray".to_owned()][..], &missing].concat());
    }
}
