//! The meaning of the compiler's errors in a lesson.

use crate::course::Hints;
use random_programs::said::{NONE, Refusal};

/// The page of the documentation that explains the compiler's messages.
pub(crate) const PAGE: &str = "src/messages.rs";

/// Explains each code once: by the words of the lesson, else by those of the page, else by the compiler's own.
pub(crate) fn explain(errors: &[Refusal], hints: &Hints, page: &str) -> String {
    let mut codes: Vec<&str> = Vec::new();
    for error in errors {
        if !codes.contains(&error.code.as_str()) {
            codes.push(&error.code);
        }
    }
    let texts = codes.iter().map(|code| {
        let here = hints.errors.iter().find(|(known, _)| known == code);
        if let Some((_, text)) = here {
            return format!("{code}, in this lesson:\n{}", indented(text));
        }
        if let Some(text) = section(page, code) {
            return format!("{code} ({PAGE}):\n{}", indented(&text));
        }
        match *code {
            NONE => {
                "An error without a code. Read its first line, and the line that it marks.\n".into()
            }
            _ => {
                format!("{code}: this lesson has no words for it; `rustc --explain {code}` has.\n")
            }
        }
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// The first paragraph of the section whose heading has the code.
fn section(page: &str, code: &str) -> Option<String> {
    let mut lines = page.lines().filter_map(|line| line.strip_prefix("//!"));
    lines.find(|line| line.starts_with(" # ") && line.contains(code))?;
    let body = lines.map(str::trim).skip_while(|line| line.is_empty());
    let paragraph: Vec<&str> = body.take_while(|line| !line.is_empty()).collect();
    Some(paragraph.join("\n"))
}

/// Text in the middle of a page.
pub(crate) fn indented(text: &str) -> String {
    let lines = text.lines().map(|line| format!("    {line}\n"));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::explain;
    use crate::course::Hints;
    use random_programs::said::Refusal;

    const PAGE: &str = "//! Head.\n//!\n//! # E0502, E0503: borrowed\n//!\n//! Two uses.\n//! Or three.\n//!\n//! ```\n";

    fn said(code: &str) -> String {
        let error = || Refusal {
            code: code.into(),
            ..Refusal::default()
        };
        let hints = Hints {
            hints: vec!["Do it.".into()],
            errors: vec![("E0107".into(), "Hint 1.".into())],
        };
        explain(&[error(), error()], &hints, PAGE)
    }

    #[test]
    fn the_words_of_the_lesson_come_first() {
        assert_eq!(said("E0107"), "E0107, in this lesson:\n    Hint 1.\n");
        let of_page = "E0503 (src/messages.rs):\n    Two uses.\n    Or three.\n";
        assert_eq!(said("E0503"), of_page);
        assert!(said("E0001").contains("rustc --explain E0001"));
    }
}
