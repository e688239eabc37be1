//! A message of this crate has at most three notes: a reader tries the first one, and seldom reads a fourth.

use super::Finding;
use crate::files::File;

/// The most notes of one message.
const MOST: usize = 3;

/// The beginning of a message.
const MESSAGE: &str = "#[diagnostic::on_unimplemented(";

/// Finds messages with more notes than [`MOST`].
pub(super) fn check(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut begun: Option<(usize, usize)> = None;
    for (number, line) in file.lines() {
        let line = line.trim();
        if line == MESSAGE {
            begun = Some((number, 0));
        } else if let Some((start, notes)) = begun {
            if line.starts_with("note = ") {
                begun = Some((start, notes + 1));
            } else if line == ")]" {
                if notes > MOST {
                    let what = format!(
                        "the message has {notes} notes, {MOST} are the limit: put the likeliest remedy first, and join others"
                    );
                    findings.push(Finding::new(&file.path, start, what));
                }
                begun = None;
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::files::File;

    #[test]
    fn a_fourth_note_is_found() {
        let message = |notes: usize| {
            let notes = "    note = \"one\",\n".repeat(notes);
            let text = format!(
                "use a;\n#[diagnostic::on_unimplemented(\n    message = \"no\",\n{notes})]\ntrait A {{}}\n"
            );
            check(&File::sample("src/a.rs", &text))
        };
        assert_eq!(message(3), []);
        let places: Vec<_> = message(4).into_iter().map(|found| found.place).collect();
        assert_eq!(places, ["src/a.rs:2"]);
    }
}
