//! Nothing unfinished is committed.

use super::Finding;
use crate::files::File;

/// Words that mark unfinished work. They are split here, or this file would be a finding.
const WORDS: [&str; 2] = [concat!("TO", "DO"), concat!("FIX", "ME")];

/// Macros for debugging only.
const MACROS: [&str; 2] = [concat!("to", "do!"), concat!("db", "g!")];

pub(super) fn words(file: &File) -> Vec<Finding> {
    find(file, file.lines(), WORDS)
}

pub(super) fn macros(file: &File) -> Vec<Finding> {
    find(file, file.code(), MACROS)
}

fn find<'a>(
    file: &File,
    lines: impl Iterator<Item = (usize, &'a str)>,
    words: [&str; 2],
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in lines {
        for word in words {
            if holds_word(line, word) {
                findings.push(Finding::new(
                    &file.path,
                    number,
                    format!("`{word}` is left"),
                ));
            }
        }
    }
    findings
}

/// Whether the text has this word, and not only as a part of a longer one.
fn holds_word(line: &str, word: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let (before, rest) = line.split_at(at);
        let after = rest.strip_prefix(word).unwrap_or_default();
        !before.ends_with(inside) && !after.starts_with(inside)
    })
}

#[cfg(test)]
mod tests {
    use super::{MACROS, WORDS, macros, words};
    use crate::files::File;

    #[test]
    fn leftovers_are_found() {
        for word in WORDS {
            let file = File::sample("notes.md", &format!("fine\n- {word}: the rest\n"));
            assert_eq!(words(&file).len(), 1, "{word}");
        }
        for name in MACROS {
            let file = File::sample("a.rs", &format!("fn f() {{ {name}(1) }}\n"));
            assert_eq!(macros(&file).len(), 1, "{name}");
        }
    }

    #[test]
    fn longer_words_and_comments_about_macros_are_fine() {
        let longer = format!("MAS{}S\n", WORDS.concat());
        assert_eq!(words(&File::sample("a.md", &longer)), []);
        let comment = format!("// never {}\n", MACROS.concat());
        assert_eq!(macros(&File::sample("a.rs", &comment)), []);
    }
}
