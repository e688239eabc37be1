//! The files of a lesson, as data.
//!
//! ```text
//! //# error E0505                                the exercise as given fails with this code
//! //> three numbers                              a line that the solution prints
//! //# accepted: a title                          code that must compile behind the program
//! //# refused E0505 E0597: a title               code that must not compile behind it, with one of these codes
//! //? advice, if it compiles
//! //# cheat 2: a title                           a change of the solution that check 2 of the refused finds
//! //- a line of the solution
//! //+ the line in its place
//! //# case E0382                                 the program is a ui case: it is refused, and its twin runs
//! ```

use std::fs;

use crate::error::{Context as _, Error};
use crate::files::text;
use crate::process::root;

/// The exercises of the course, in order.
pub(super) fn course() -> Result<Vec<Exercise>, Error> {
    let entries = fs::read_dir(root().join("lessons")).on("cannot read lessons")?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let is_lesson = |name: &String| name.starts_with(|first: char| first.is_ascii_digit());
    let mut names: Vec<String> = names.filter(is_lesson).collect();
    names.sort();
    let mut exercises = Vec::new();
    for (number, name) in names.iter().enumerate() {
        if !name.starts_with(&format!("{number:02}-")) {
            return Err(format!("lessons/{name} is not lesson {number}").into());
        }
        let folder = format!("lessons/{name}");
        let readme = text(format!("{folder}/README.md"))?;
        let head = format!("# Lesson {number}: ");
        let title = readme.lines().next();
        let title = title.and_then(|line| line.strip_prefix(&head));
        let title = title.ok_or_else(|| format!("{folder}/README.md has no head `{head}..`"))?;
        exercises.push(Exercise::read(number, title, folder.clone(), false)?);
        let part = format!("{folder}/ascendcl");
        if root().join(&part).is_dir() {
            exercises.push(Exercise::read(number, title, part, true)?);
        }
    }
    Ok(exercises)
}

/// An exercise with everything that belongs to it.
#[derive(Debug)]
pub(super) struct Exercise {
    pub(super) number: usize,
    pub(super) title: String,
    /// Its folder, seen from the root.
    pub(super) folder: String,
    /// Whether this is the second part of the lesson, over this crate.
    pub(super) ascendcl: bool,
    pub(super) given: String,
    pub(super) solution: String,
    pub(super) checks: Checks,
    pub(super) hints: Hints,
}

impl Exercise {
    fn read(number: usize, title: &str, folder: String, ascendcl: bool) -> Result<Self, Error> {
        let file = |name: &str| text(format!("{folder}/{name}"));
        Ok(Self {
            number,
            title: title.to_owned(),
            ascendcl,
            given: file("exercise.rs")?,
            solution: file("solution.rs")?,
            checks: Checks::parse(&file("checks.rs")?).on(format!("{folder}/checks.rs"))?,
            hints: Hints::parse(&file("hints.md")?).on(format!("{folder}/hints.md"))?,
            folder,
        })
    }

    /// The words behind `cargo xtask lesson`.
    pub(super) fn words(&self) -> String {
        let part = if self.ascendcl { " --ascendcl" } else { "" };
        format!("{}{part}", self.number)
    }

    /// The learner's file, without its ending.
    pub(super) fn mine(&self) -> String {
        let part = if self.ascendcl { "-ascendcl" } else { "" };
        format!("lessons/mine/{:02}{part}", self.number)
    }
}

/// The properties of a right solution.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Checks {
    /// The codes of the errors of the exercise as given.
    pub(super) errors: Vec<String>,
    /// The codes of a ui case; empty for other programs.
    pub(super) case: Vec<String>,
    /// The lines that the program prints.
    pub(super) prints: Vec<String>,
    pub(super) accepted: Vec<Check>,
    pub(super) refused: Vec<Check>,
    pub(super) cheats: Vec<Cheat>,
}

/// Code behind the program of a learner.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Check {
    pub(super) title: String,
    pub(super) codes: Vec<String>,
    pub(super) advice: String,
    pub(super) code: String,
}

/// A wrong solution: the right one with some lines replaced.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Cheat {
    pub(super) title: String,
    /// The numbers of the refused checks that find it, counted from 1.
    pub(super) found_by: Vec<usize>,
    changes: Vec<(Vec<String>, Vec<String>)>,
}

impl Cheat {
    /// Returns the wrong solution, or an error if a line is not in the right one. Indentation is not compared.
    pub(super) fn apply(&self, solution: &str) -> Result<String, String> {
        let mut lines: Vec<&str> = solution.lines().collect();
        for (old, new) in &self.changes {
            let is_it = |window: &[&str]| window.iter().zip(old).all(|(a, b)| a.trim() == b);
            let at = lines.windows(old.len().max(1)).position(is_it);
            let at = at.ok_or_else(|| format!("no lines `{}` in the solution", old.join(" ")))?;
            lines.splice(at..at + old.len(), new.iter().map(String::as_str));
        }
        Ok(lines.join("\n") + "\n")
    }
}

impl Checks {
    fn parse(text: &str) -> Result<Self, String> {
        let printed = text.lines().filter_map(|line| line.strip_prefix("//> "));
        let mut checks = Checks {
            prints: printed.map(str::to_owned).collect(),
            ..Checks::default()
        };
        for section in text.split("\n//# ").skip(1) {
            let (head, body) = section.split_once('\n').unwrap_or((section, ""));
            checks
                .add(head, body)
                .map_err(|what| format!("`{head}`: {what}"))?;
        }
        for cheat in &checks.cheats {
            let known = |n: &usize| (1..=checks.refused.len()).contains(n);
            let finds = checks.case.is_empty();
            if !cheat.found_by.iter().all(known) || cheat.found_by.is_empty() == finds {
                return Err(format!("`{}` is found by no known check", cheat.title));
            }
        }
        for (number, check) in (1..).zip(&checks.refused) {
            if !checks.cheats.iter().any(|c| c.found_by.contains(&number)) {
                return Err(format!("no cheat is found by `{}`", check.title));
            }
        }
        Ok(checks)
    }

    /// Adds a section.
    fn add(&mut self, head: &str, body: &str) -> Result<(), String> {
        let (words, title) = head.split_once(": ").unwrap_or((head, ""));
        let (kind, rest) = words.split_once(' ').unwrap_or((words, ""));
        let codes: Vec<String> = rest.split_whitespace().map(String::from).collect();
        match kind {
            "error" => self.errors = codes,
            "case" => self.case = codes,
            "accepted" => self.accepted.push(Check::of(title, codes, body)),
            "refused" => self.refused.push(Check::of(title, codes, body)),
            "cheat" => {
                let numbers: Result<_, _> = codes.iter().map(|code| code.parse()).collect();
                self.cheats.push(Cheat {
                    title: title.into(),
                    found_by: numbers.map_err(|_| "expected numbers of checks")?,
                    changes: changes(body)?,
                });
            }
            _ => return Err("unknown section".into()),
        }
        Ok(())
    }
}

impl Check {
    fn of(title: &str, codes: Vec<String>, body: &str) -> Check {
        let advice = body.lines().filter_map(|line| line.strip_prefix("//? "));
        let is_code = |line: &&str| !line.starts_with("//? ") && !line.starts_with("//> ");
        let code = body.lines().filter(is_code);
        Check {
            title: title.into(),
            codes,
            advice: advice.collect::<Vec<_>>().join(" "),
            code: code.map(|line| format!("{line}\n")).collect(),
        }
    }
}

/// The old and the new lines of each change of a cheat.
fn changes(body: &str) -> Result<Vec<(Vec<String>, Vec<String>)>, String> {
    let mut changes: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for line in body.lines().filter(|line| !line.trim().is_empty()) {
        if let Some(old) = line.strip_prefix("//- ") {
            let old = old.trim().to_owned();
            match changes.last_mut().filter(|(_, new)| new.is_empty()) {
                Some((lines, _)) => lines.push(old),
                None => changes.push((vec![old], Vec::new())),
            }
        } else if let Some(new) = line.strip_prefix("//+ ") {
            let (_, lines) = changes.last_mut().ok_or("a new line without an old one")?;
            lines.push(new.into());
        } else {
            return Err("expected `//- ` or `//+ `".into());
        }
    }
    Ok(changes)
}

/// The hints of an exercise, and the meaning of the errors that a learner meets.
#[derive(Debug, Default)]
pub(super) struct Hints {
    pub(super) hints: Vec<String>,
    /// The code of an error, and its meaning here.
    pub(super) errors: Vec<(String, String)>,
}

impl Hints {
    fn parse(text: &str) -> Result<Self, String> {
        let mut found = Hints::default();
        for section in text.split("\n## ").skip(1) {
            let (head, body) = section.split_once('\n').unwrap_or((section, ""));
            let body = body.split("\n# ").next().unwrap_or(body).trim().to_owned();
            if let Some(number) = head.strip_prefix("Hint ") {
                if number != (found.hints.len() + 1).to_string() {
                    return Err(format!("hint {number} is not in its place"));
                }
                found.hints.push(body);
            } else {
                found.errors.push((head.into(), body));
            }
        }
        let numbers = 1..=found.hints.len();
        let names_a_hint = |body: &str| {
            numbers
                .clone()
                .any(|number| body.contains(&format!("int {number}")))
        };
        match found.errors.iter().find(|(_, body)| !names_a_hint(body)) {
            Some((code, _)) => Err(format!("{code} names no hint")),
            None if found.hints.is_empty() => Err("has no hints".into()),
            None => Ok(found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Checks, Hints};

    const CHECKS: &str = "\
//! Checks.

//# error E0107
//> one
//> two

//# accepted: right
fn check() {}

//# refused E0505 E0597: wrong
//? Do not
//? do it.
fn check() {
    wrong();
}

//# cheat 1: open
//- a
//- b
//+ c
//- d
//+ e
";

    #[test]
    fn a_check_that_finds_nothing_is_refused() {
        let without = CHECKS.replace("//# cheat 1: open", "//# cheat 2: open");
        assert!(Checks::parse(&without).is_err());
        let (without, _) = CHECKS.split_once("//# cheat").unwrap_or_default();
        assert!(Checks::parse(without).is_err());
    }

    #[test]
    fn an_error_names_a_hint() {
        let text = "# Hints\n\n## Hint 1\n\nDo it.\n\n# Errors\n\n## E0107\n\nBad. Hint 1.\n";
        let hints = Hints::parse(text).unwrap_or_default();
        assert_eq!(hints.hints, ["Do it."]);
        assert_eq!(hints.errors, [("E0107".into(), "Bad. Hint 1.".into())]);
        assert!(Hints::parse(&text.replace("Bad. Hint 1.", "Bad. Hint 2.")).is_err());
        assert!(Hints::parse(&text.replace("## Hint 1", "## Hint 2")).is_err());
    }
}
