//! Whether the translation has what the original has.

use super::book::Book;
use super::chapter::{Block, Chapter, blocks, headings, revision};

/// The first words of a translated chapter. The revision of the original follows.
const HEAD: &str = "<!-- translates revision ";

/// The differences of the translation from the original.
pub(super) fn check(original: &Book, translation: &Book) -> Vec<String> {
    let [own, others] = [translation, original].map(|book| -> Vec<&String> {
        let chapters = book.chapters.iter();
        chapters.map(|chapter| &chapter.name).collect()
    });
    if own != others {
        return vec![format!(
            "{}/SUMMARY.md: lists other chapters than {}/SUMMARY.md, or in another order: {own:?} and {others:?}",
            translation.folder, original.folder
        )];
    }
    let pairs = original.chapters.iter().zip(&translation.chapters);
    pairs.flat_map(|(from, to)| of_chapter(from, to)).collect()
}

fn of_chapter(original: &Chapter, translation: &Chapter) -> Vec<String> {
    let mut findings = Vec::new();
    let mut find = |line, what: String| findings.push(translation.finding(line, &what));
    let from = &original.path;
    let levels = |chapter: &Chapter| -> Vec<_> {
        let headings = headings(&chapter.text).into_iter();
        headings.map(|heading| heading.level).collect()
    };
    if levels(original) != levels(translation) {
        let what = "translate those that were added";
        find(1, format!("has other headings than {from}: {what}"));
    }
    let (own, others) = (blocks(&translation.text), blocks(&original.text));
    if languages(&own) != languages(&others) {
        let what = "copy those that were added";
        find(1, format!("has other blocks of code than {from}: {what}"));
    } else {
        let pairs = own.iter().zip(&others);
        for (own, other) in pairs.filter(|(own, other)| own.code != other.code) {
            let hint = "`cargo xtask guide --write` copies it";
            let what = format!("is not the code of {from}:{}; {hint}", other.line);
            find(own.line, what);
        }
    }
    let current = format!("{HEAD}{} -->", revision(&original.text));
    if translation.text.lines().next() != Some(current.as_str()) {
        let what = format!(
            "translates another revision of {from}: compare the two (`git log -p {from}`), translate \
             what has changed, and make this the first line: {current}"
        );
        find(1, what);
    }
    findings
}

fn languages<'b>(blocks: &'b [Block<'_>]) -> Vec<&'b str> {
    blocks.iter().map(|block| block.language.as_str()).collect()
}

/// The translation with the code of the original, if it has the same blocks.
pub(super) fn with_code_of(translation: &str, original: &str) -> String {
    let (own, others) = (blocks(translation), blocks(original));
    if languages(&own) != languages(&others) {
        return translation.to_owned();
    }
    let mut text = String::new();
    let mut after = 0;
    for (own, other) in own.iter().zip(&others) {
        text.push_str(translation.get(after..own.range.start).unwrap_or_default());
        text.push_str(other.code);
        after = own.range.end;
    }
    text.push_str(translation.get(after..).unwrap_or_default());
    text
}

#[cfg(test)]
mod tests {
    use super::super::book::Book;
    use super::super::chapter::revision;
    use super::{HEAD, check, with_code_of};

    const ORIGINAL: &str = "# Copy\n\nWords.\n\n```rust\nfn main() {}\n```\n";

    fn translation() -> String {
        let words = ORIGINAL.replace("Words", "Worte");
        format!("{HEAD}{} -->\n{words}", revision(ORIGINAL))
    }

    fn found(original: &str, translation: &str) -> Vec<String> {
        let original = Book::sample([("en/a.md", original)]);
        check(&original, &Book::sample([("zh/a.md", translation)]))
    }

    #[test]
    fn what_falls_behind_is_found() {
        assert_eq!(found(ORIGINAL, &translation()), [""; 0]);
        let changed = |from, to| found(&ORIGINAL.replace(from, to), &translation());
        assert!(
            changed("Words", "Other words")
                .concat()
                .contains("another revision")
        );
        assert!(
            changed("Words", "## Words")
                .concat()
                .contains("other headings")
        );
        assert!(
            changed("```rust", "```c")
                .concat()
                .contains("other blocks of code")
        );
        let of_code = changed("main() {}", "main() { () }");
        assert_eq!(of_code.len(), 1, "code needs no translation: {of_code:?}");
        assert!(
            of_code
                .concat()
                .starts_with("zh/a.md:7: is not the code of")
        );
        let [one, other] = ["a.md", "b.md"].map(|name| Book::sample([(name, ORIGINAL)]));
        assert!(
            check(&one, &other)
                .concat()
                .contains("lists other chapters")
        );
    }

    #[test]
    fn code_is_copied() {
        let changed = ORIGINAL.replace("fn main() {}", "fn main() { () }\n");
        let copied = with_code_of(&translation(), &changed);
        assert_eq!(found(&changed, &copied), [""; 0]);
        let other = ORIGINAL.replace("```rust", "```c");
        assert_eq!(with_code_of(&translation(), &other), translation());
    }
}
