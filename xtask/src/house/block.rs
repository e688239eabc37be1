//! The lines of a file that a command writes, between two marks.

pub(super) const BEGIN: &str = "<!-- cargo xtask house --write -->";
pub(super) const END: &str = "<!-- end -->";

/// The text around the lines, with the marks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Rest<'t> {
    before: &'t str,
    after: &'t str,
}

impl Rest<'_> {
    /// The file with other lines between the marks.
    pub(super) fn with(&self, lines: &str) -> String {
        format!("{}{lines}{}", self.before, self.after)
    }
}

/// The lines between the marks, and the text around them.
pub(super) fn find(text: &str) -> Option<(&str, Rest<'_>)> {
    let begin = text.find(BEGIN)? + BEGIN.len() + 1;
    let (before, marked) = text.split_at_checked(begin)?;
    let (lines, after) = marked.split_at_checked(marked.find(END)?)?;
    Some((lines, Rest { before, after }))
}

#[cfg(test)]
mod tests {
    use super::{BEGIN, END, find};

    #[test]
    fn lines_between_the_marks_are_found_and_replaced() {
        let text = format!("a\n{BEGIN}\nold\n{END}\nz\n");
        let found = find(&text);
        assert_eq!(found.as_ref().map(|(lines, _)| *lines), Some("old\n"));
        let new = found.map(|(_, rest)| rest.with("new\nlines\n"));
        assert_eq!(new, Some(format!("a\n{BEGIN}\nnew\nlines\n{END}\nz\n")));
        assert_eq!(find("a\n"), None);
        assert_eq!(find(&format!("{BEGIN}\nold\n")), None);
    }
}
