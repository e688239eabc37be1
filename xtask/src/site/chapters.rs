//! The chapters: one for each area, one for the mistakes in C, and the first one.

use super::c::Program;
use super::gallery::{Class, Entry, Reason};
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
        text += &format!("| [{area}]({area}.md) | {} |\n", entries.len());
    }
    text
}

/// The chapter of an area: a list, and then each refusal.
pub(super) fn area(area: &str, entries: &[Entry]) -> String {
    let of_area = || entries.iter().filter(|entry| entry.area == area);
    let mut text = format!("# {area}\n\n");
    for entry in of_area() {
        let (title, code) = (entry.title(), &entry.code);
        text += &format!("- [{title}](#{}) `{code}`\n", anchor_of(&title));
    }
    text.extend(of_area().map(refusal));
    text
}

/// A refusal.
fn refusal(entry: &Entry) -> String {
    let (title, head, program) = (entry.title(), &entry.head, &entry.program);
    let message = without_marks(&entry.message);
    let mut text = format!(
        "\n## {title}\n\n{head}\n\n```diff\n{program}```\n\nThe compiler says\n\n```text\n{message}\n```\n\n"
    );
    for Reason {
        id,
        text: what,
        otherwise,
        ..
    } in &entry.reasons
    {
        text += &match otherwise.as_str() {
            "" => format!("- Rule of AscendCL {id}: {what}.\n"),
            _ => format!("- Promise of this API {id}: {what}. Otherwise {otherwise}.\n"),
        };
    }
    for Class {
        misuse,
        in_c,
        here,
        findings,
        ..
    } in &entry.classes
    {
        let link = |finding: &String| format!(" [{finding}](checker.md#{})", anchor_of(finding));
        let links: String = findings.iter().map(link).collect();
        text += &format!(
            "- In C, for the class of mistakes \u{201c}{misuse}\u{201d}: {in_c}. Here, {here}.{links}\n"
        );
    }
    let bug = |bug: &String| format!("- In a public program: {bug}\n");
    text.extend(entry.bugs.iter().map(bug));
    text
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
        let (name, title, source, report) = (
            &program.name,
            program.title(),
            &program.source,
            &program.report,
        );
        text += &format!(
            "\n## {name}\n\n{title}.\n\n```c\n{source}\n```\n\nThe checker says\n\n```text\n{report}\n```\n\n"
        );
        let is_of = |entry: &&Entry| {
            entry
                .classes
                .iter()
                .any(|class| class.findings.contains(name))
        };
        for entry in entries.iter().filter(is_of) {
            let (title, area) = (entry.title(), &entry.area);
            let anchor = anchor_of(&title);
            text += &format!("- Refused: [{title}]({area}.md#{anchor})\n");
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
