//! The chapters: one for each area, one for the mistakes in C, and the first one.

use std::fmt::Write as _;

use super::c::Program;
use super::gallery::{Class, Entry};
use crate::guide::anchor_of;

/// The first chapter.
pub(super) fn index(entries: &[Entry]) -> String {
    let mut text = format!(
        "# Mistakes that do not compile\n\n\
         Each of the {} refusals has a program with a mistake (`-`) and the accepted program in its place (`+`), the message \
         of the Rust compiler, the reason, and the behaviour of C. In each area the mistakes that most programs can make come \
         first. The search takes a word, an area, a rule or the code of an error.\n\n| area | refusals |\n|---|--:|\n",
        entries.len()
    );
    for entries in entries.chunk_by(|one, next| one.area == next.area) {
        let area = entries.first().map_or("", |entry| &entry.area);
        let _ = writeln!(text, "| [{area}]({area}.md) | {} |", entries.len());
    }
    text
}

/// The chapter of an area: a list, and then each refusal.
pub(super) fn area(area: &str, entries: &[Entry]) -> String {
    let of_area = || entries.iter().filter(|entry| entry.area == area);
    let mut text = format!("# {area}\n\n");
    for entry in of_area() {
        let (title, code) = (entry.title(), &entry.code);
        let _ = writeln!(text, "- [{title}](#{}) `{code}`", anchor_of(&title));
    }
    for entry in of_area() {
        refusal(&mut text, entry);
    }
    text
}

/// A refusal. Writing to a `String` cannot fail.
fn refusal(text: &mut String, entry: &Entry) {
    let _ = write!(
        text,
        "\n## {}\n\n{}\n\n```diff\n{}```\n\nThe compiler says\n\n```text\n{}\n```\n\n",
        entry.title(),
        entry.head,
        entry.program,
        without_marks(&entry.message)
    );
    for reason in &entry.reasons {
        let (id, what) = (&reason.id, &reason.text);
        let _ = if reason.otherwise.is_empty() {
            writeln!(text, "- Rule of AscendCL {id}: {what}.")
        } else {
            writeln!(
                text,
                "- Promise of this API {id}: {what}. Otherwise {}.",
                reason.otherwise
            )
        };
    }
    for class in &entry.classes {
        in_c(text, class);
    }
    for bug in &entry.bugs {
        let _ = writeln!(text, "- In a public program: {bug}");
    }
}

/// The reaction of C to a class of mistakes.
fn in_c(text: &mut String, class: &Class) {
    let Class {
        misuse, in_c, here, ..
    } = class;
    let _ = write!(
        text,
        "- In C, for the class of mistakes \u{201c}{misuse}\u{201d}: {in_c}. Here, {here}."
    );
    for finding in &class.findings {
        let _ = write!(text, " [{finding}](checker.md#{})", anchor_of(finding));
    }
    text.push('\n');
}

/// The chapter of the mistakes in C, with the reports of the checker.
pub(super) fn checker<'p>(
    programs: impl Iterator<Item = &'p Program>,
    entries: &[Entry],
) -> String {
    let mut text = String::from(
        "# The same mistakes in C\n\nThese C programs compile. The emulator runs them with `ASCENDCL_EMULATOR_CHECK` and \
         reports the mistake.\n",
    );
    for program in programs {
        let _ = write!(
            text,
            "\n## {}\n\n{}.\n\n```c\n{}\n```\n\nThe checker says\n\n```text\n{}\n```\n\n",
            program.name,
            program.title(),
            program.source,
            program.report
        );
        let is_of = |entry: &&Entry| {
            let mut classes = entry.classes.iter();
            classes.any(|class| class.findings.contains(&program.name))
        };
        for entry in entries.iter().filter(is_of) {
            let (title, area) = (entry.title(), &entry.area);
            let _ = writeln!(
                text,
                "- Refused: [{title}]({area}.md#{})",
                anchor_of(&title)
            );
        }
    }
    text
}

/// A message without the marks that a case has for its twin, and without the placeholders that make it the same on each
/// computer.
fn without_marks(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.contains("//~ instead"));
    let lines = lines.map(|line| {
        line.replace(" //~ mistake", "")
            .replace("$WORKSPACE/", "")
            .replace("and $N others", "and others")
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::without_marks;

    #[test]
    fn the_marks_and_placeholders_are_not_in_the_message() {
        let text = " 8 |     a(); //~ mistake\n 9 |     //~ instead: b();\n  --> $WORKSPACE/src/a.rs\n     and $N others";
        let expected = " 8 |     a();\n  --> src/a.rs\n     and others";
        assert_eq!(without_marks(text), expected);
    }
}
