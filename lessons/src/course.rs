//! The files of a lesson, as data: the texts, `checks.toml` and `hints.md`.

use std::fs;
use std::path::PathBuf;

use serde::Deserialize;

use crate::files::{Result, root, text};

/// The exercises of the course, in order.
pub(crate) fn course() -> Result<Vec<Exercise>> {
    let entries = fs::read_dir(root().join("lessons"))?;
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
pub(crate) struct Exercise {
    pub(crate) number: usize,
    pub(crate) title: String,
    /// Its folder, seen from the root.
    pub(crate) folder: String,
    /// Whether this is the second part of the lesson, over `ascendcl`.
    pub(crate) ascendcl: bool,
    pub(crate) given: String,
    pub(crate) solution: String,
    pub(crate) checks: Checks,
    pub(crate) hints: Hints,
}

impl Exercise {
    fn read(number: usize, title: &str, folder: String, ascendcl: bool) -> Result<Self> {
        let file = |name: &str| text(format!("{folder}/{name}"));
        let wrong = |name, what| format!("{folder}/{name}: {what}");
        Ok(Self {
            number,
            title: title.to_owned(),
            ascendcl,
            given: file("exercise.rs")?,
            solution: file("solution.rs")?,
            checks: Checks::parse(&file("checks.toml")?)
                .map_err(|what| wrong("checks.toml", what))?,
            hints: Hints::parse(&file("hints.md")?).map_err(|what| wrong("hints.md", what))?,
            folder,
        })
    }

    /// The words behind `cargo lesson`.
    pub(crate) fn words(&self) -> String {
        let part = if self.ascendcl { " --ascendcl" } else { "" };
        format!("{}{part}", self.number)
    }

    /// A file of the learner, with this ending.
    pub(crate) fn mine(&self, ending: &str) -> PathBuf {
        let part = if self.ascendcl { "-ascendcl" } else { "" };
        format!("lessons/mine/{:02}{part}.{ending}", self.number).into()
    }
}

/// The properties of a right solution.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Checks {
    /// The codes of the errors of the exercise as given.
    pub(crate) errors: Vec<String>,
    /// The codes of a ui case; empty for other programs. A ui case is refused, and its twin runs.
    pub(crate) case: Vec<String>,
    /// The lines that the solution prints.
    pub(crate) prints: Vec<String>,
    /// Code that must compile behind the program.
    pub(crate) accepted: Vec<Check>,
    /// Code that must not compile behind the program.
    pub(crate) refused: Vec<Check>,
    pub(crate) cheats: Vec<Cheat>,
}

/// Code behind the program of a learner.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Check {
    pub(crate) title: String,
    /// The codes of its errors; empty for code that must compile.
    #[serde(default)]
    pub(crate) codes: Vec<String>,
    #[serde(default)]
    pub(crate) advice: String,
    pub(crate) code: String,
}

/// A wrong solution: the right one with some lines replaced.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cheat {
    pub(crate) title: String,
    /// The numbers of the refused checks that find it, counted from 1.
    #[serde(default)]
    pub(crate) found_by: Vec<usize>,
    changes: Vec<Change>,
}

/// Lines of the solution, and those in their place.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    old: String,
    new: String,
}

impl Cheat {
    /// Returns the wrong solution, or an error if a line is not in the right one. Indentation is not compared.
    pub(crate) fn apply(&self, solution: &str) -> Result<String> {
        let mut lines: Vec<&str> = solution.lines().collect();
        for Change { old, new } in &self.changes {
            let before: Vec<&str> = old.lines().collect();
            let is_it = |window: &[&str]| window.iter().zip(&before).all(|(a, b)| a.trim() == *b);
            let at = lines.windows(before.len().max(1)).position(is_it);
            let at = at.ok_or_else(|| format!("no lines `{old}` in the solution"))?;
            lines.splice(at..at + before.len(), new.lines());
        }
        Ok(lines.join("\n") + "\n")
    }
}

impl Checks {
    fn parse(text: &str) -> std::result::Result<Self, String> {
        let checks: Checks = toml::from_str(text).map_err(|error| error.to_string())?;
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
}

/// The hints of an exercise, and the meaning of the errors that a learner meets.
#[derive(Debug, Default)]
pub(crate) struct Hints {
    pub(crate) hints: Vec<String>,
    /// The code of an error, and its meaning here.
    pub(crate) errors: Vec<(String, String)>,
}

impl Hints {
    fn parse(text: &str) -> std::result::Result<Self, String> {
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
        let mut numbers = 1..=found.hints.len();
        let names_a_hint = |body: &str| {
            let mut numbers = numbers.clone();
            numbers.any(|number| body.contains(&format!("int {number}")))
        };
        match found.errors.iter().find(|(_, body)| !names_a_hint(body)) {
            Some((code, _)) => Err(format!("{code} names no hint")),
            None if numbers.next().is_none() => Err("has no hints".into()),
            None => Ok(found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Checks, Hints};

    #[test]
    fn a_check_that_finds_nothing_is_refused() {
        let refused = "[[refused]]\ntitle = 'wrong'\ncodes = ['E0505']\ncode = 'fn f() {}'\n";
        let cheat = "[[cheats]]\ntitle = 'open'\nfound_by = [1]\nchanges = []\n";
        for (text, is_right) in [
            (format!("{refused}{cheat}"), true),
            (format!("{refused}{}", cheat.replace('1', "2")), false),
            (refused.to_owned(), false),
            (format!("{refused}{cheat}unknown = 1\n"), false),
        ] {
            assert_eq!(Checks::parse(&text).is_ok(), is_right, "{text}");
        }
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
