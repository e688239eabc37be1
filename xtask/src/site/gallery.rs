//! The refusals with everything that the repository says about them.

use std::fs;
use std::path::Path;

use ui_tests::case::Case;
use ui_tests::cases::Cases;
use ui_tests::twin;

use super::markdown::{codes, rows};
use crate::error::Error;
use crate::rules::list::{self, names};

/// The areas in the order of lessons: first the values that a program begins with, then the areas that build on them.
pub(super) const ORDER: [&str; 13] = [
    "runtime",
    "device",
    "memory",
    "stream",
    "event",
    "context",
    "callback",
    "op",
    "graph",
    "model",
    "media",
    "collective",
    "real",
];

/// A line of a program.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) text: String,
    /// Whether only one of case and twin has it.
    pub(super) differs: bool,
}

/// A rule of AscendCL, or a promise of this API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reason {
    pub(super) id: String,
    pub(super) text: String,
    /// The damage without the promise; empty for a rule.
    pub(super) otherwise: String,
    cases: Vec<String>,
}

/// A row of `docs/misuse.md`: a class of mistakes, and the reaction of C.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Class {
    pub(super) misuse: String,
    pub(super) in_c: String,
    /// Programs of `tests/c/mistakes` with this mistake.
    pub(super) findings: Vec<String>,
    pub(super) here: String,
    cases: Vec<String>,
}

/// A mistake of a public program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bug {
    pub(super) number: String,
    pub(super) mistake: String,
    cases: Vec<String>,
}

/// A refusal.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) area: String,
    pub(super) name: String,
    pub(super) head: String,
    pub(super) case: Vec<Line>,
    pub(super) twin: Vec<Line>,
    pub(super) message: String,
    pub(super) reasons: Vec<Reason>,
    pub(super) classes: Vec<Class>,
    pub(super) bugs: Vec<Bug>,
}

impl Entry {
    /// The name of the case as words.
    pub(super) fn title(&self) -> String {
        self.name.replace('_', " ")
    }

    /// The file of its page, from the root of the site.
    pub(super) fn page(&self) -> String {
        format!("{}/{}.html", self.area, self.name)
    }

    /// The code of the first error, such as `E0505`; `error` for an error without a code.
    pub(super) fn code(&self) -> &str {
        let code = self.message.strip_prefix("error[");
        let code = code.and_then(|rest| rest.split_once(']'));
        code.map_or("error", |(code, _)| code)
    }

    /// The first line of the message without its code.
    pub(super) fn summary(&self) -> &str {
        let first = self.message.lines().next().unwrap_or_default();
        first.split_once(": ").map_or(first, |(_, words)| words)
    }
}

/// All refusals, in the order of lessons: by area, and in an area first those that stand for a class of mistakes.
pub(super) fn read(root: &Path) -> Result<Vec<Entry>, Error> {
    let text = |path: &str| {
        fs::read_to_string(root.join(path))
            .map_err(|error| Error::Failed(format!("cannot read {path}: {error}")))
    };
    let reasons = reasons(
        &text("ui-tests/rules.csv")?,
        &text("ui-tests/promises.csv")?,
    )?;
    let classes = classes(&text("docs/misuse.md")?)?;
    let bugs = bugs(&text("docs/real-bugs.md")?)?;
    let cases = Cases::read(&root.join("ui-tests"))
        .map_err(|error| Error::Failed(format!("cannot read the ui cases: {error}")))?;
    let mut entries = Vec::new();
    for case in cases.cases {
        entries.push(entry(case, &reasons, &classes, &bugs)?);
    }
    let area = |entry: &Entry| ORDER.iter().position(|area| *area == entry.area);
    let class = |entry: &Entry| {
        let name = path(&entry.area, &entry.name);
        let position = classes.iter().position(|class| class.cases.contains(&name));
        position.unwrap_or(classes.len())
    };
    entries.sort_by_cached_key(|entry| (area(entry), class(entry), entry.name.clone()));
    Ok(entries)
}

fn path(area: &str, name: &str) -> String {
    format!("{area}/{name}")
}

fn entry(case: Case, reasons: &[Reason], classes: &[Class], bugs: &[Bug]) -> Result<Entry, Error> {
    let name = path(&case.area, &case.name);
    let twin = twin::twin(&case.text)
        .map_err(|problems| Error::Failed(format!("{name}: {problems:?}")))?;
    let head = case.text.lines().next().unwrap_or_default();
    let reasons = reasons.iter().filter(|reason| reason.cases.contains(&name));
    let reasons: Vec<Reason> = reasons.cloned().collect();
    let mut of_case: Vec<Class> = classes
        .iter()
        .filter(|class| class.cases.contains(&name))
        .cloned()
        .collect();
    // The other cases of its rule belong to a class of mistakes that this one belongs to as well.
    if of_case.is_empty() {
        let beside = |class: &&Class| {
            let mut of_rule = reasons.iter().filter(|reason| reason.otherwise.is_empty());
            of_rule.any(|reason| reason.cases.iter().any(|case| class.cases.contains(case)))
        };
        of_case.extend(classes.iter().find(beside).cloned());
    }
    let bugs = bugs.iter().filter(|bug| bug.cases.contains(&name));
    Ok(Entry {
        head: head.trim_start_matches("//! ").to_owned(),
        case: without_head(&case.text, case_line),
        twin: twin_lines(&case.text, &twin),
        message: case.message.unwrap_or_default().trim_end().to_owned(),
        reasons,
        classes: of_case,
        bugs: bugs.cloned().collect(),
        area: case.area,
        name: case.name,
    })
}

/// The line of the wrong program, without its mark; nothing for a line of the twin.
fn case_line(line: &str) -> Option<Line> {
    let Some((code, mark)) = line.split_once("//~") else {
        return Some(Line {
            text: line.to_owned(),
            differs: false,
        });
    };
    (mark.trim() == "mistake").then(|| Line {
        text: code.trim_end().to_owned(),
        differs: true,
    })
}

/// The lines of the twin. A twin has a line for each line of its case, so a mark of the case marks the twin's line.
fn twin_lines(case: &str, twin: &str) -> Vec<Line> {
    let mut lines = twin.lines();
    without_head(case, |marked| {
        let text = lines.next().unwrap_or_default().to_owned();
        let mark = marked.split_once("//~").map(|(_, mark)| mark.trim());
        (mark != Some("mistake")).then(|| Line {
            differs: mark.is_some(),
            text,
        })
    })
}

/// The lines of a program below its head sentence.
fn without_head(text: &str, line: impl FnMut(&str) -> Option<Line>) -> Vec<Line> {
    let lines: Vec<Option<Line>> = text.lines().map(line).collect();
    let lines = lines.into_iter().skip(1).flatten();
    let is_blank = |line: &Line| line.text.trim().is_empty();
    lines.skip_while(is_blank).collect()
}

fn reasons(rules: &str, promises: &str) -> Result<Vec<Reason>, Error> {
    let rule = |_, [id, _, _, _, _, text, _, cases, _]: [String; 9]| {
        Ok(Reason {
            id,
            text,
            otherwise: String::new(),
            cases: names(&cases),
        })
    };
    let promise = |_, [id, _, text, otherwise, cases]: [String; 5]| {
        Ok(Reason {
            id,
            text,
            otherwise,
            cases: names(&cases),
        })
    };
    let header = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    let of_rules = ("ui-tests/rules.csv", header(rules));
    let of_promises = ("ui-tests/promises.csv", header(promises));
    let (mut found, mut mistakes) = list::read((of_rules.0, &of_rules.1), rules, rule);
    let (more, others) = list::read((of_promises.0, &of_promises.1), promises, promise);
    found.extend(more);
    mistakes.extend(others);
    match mistakes.first() {
        Some(mistake) => Err(Error::Failed(mistake.to_string())),
        None => Ok(found),
    }
}

fn classes(text: &str) -> Result<Vec<Class>, Error> {
    let class = |cells: Vec<String>| {
        let [misuse, in_c, findings, here, cases] = <[String; 5]>::try_from(cells).ok()?;
        Some(Class {
            misuse,
            in_c,
            findings: codes(&findings),
            here,
            cases: codes(&cases),
        })
    };
    let rows = rows(text, "| misuse | the C runtime |");
    let classes: Option<Vec<Class>> = rows.into_iter().map(class).collect();
    let classes = classes.filter(|classes| !classes.is_empty());
    classes.ok_or_else(|| {
        Error::Failed("docs/misuse.md has no table of five columns for the compiler".into())
    })
}

fn bugs(text: &str) -> Result<Vec<Bug>, Error> {
    let bug = |cells: Vec<String>| {
        let [number, mistake, here] = <[String; 3]>::try_from(cells).ok()?;
        Some(Bug {
            number,
            mistake,
            cases: codes(&here),
        })
    };
    let rows = rows(text, "| no. | the mistake |");
    let bugs: Option<Vec<Bug>> = rows.into_iter().map(bug).collect();
    let bugs = bugs.filter(|bugs| !bugs.is_empty());
    bugs.ok_or_else(|| Error::Failed("docs/real-bugs.md has no table of three columns".into()))
}

#[cfg(test)]
mod tests {
    use super::{Line, case_line, twin_lines, without_head};

    const CASE: &str =
        "//! Frees twice.\n\nfn main() {\n    free(a); //~ mistake\n    //~ instead: keep(a);\n}\n";

    fn line(text: &str, differs: bool) -> Line {
        let text = text.to_owned();
        Line { text, differs }
    }

    #[test]
    fn the_wrong_program_has_its_marked_lines() {
        let lines = without_head(CASE, case_line);
        let expected = [
            line("fn main() {", false),
            line("    free(a);", true),
            line("}", false),
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn the_twin_has_the_lines_in_their_place() {
        let twin = "//! Frees twice.\n\nfn main() {\n\n    keep(a);\n}\n";
        let expected = [
            line("fn main() {", false),
            line("    keep(a);", true),
            line("}", false),
        ];
        assert_eq!(twin_lines(CASE, twin), expected);
    }
}
