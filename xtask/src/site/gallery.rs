//! The refusals with everything that the repository says about them.

use std::path::Path;

use ui_tests::area;
use ui_tests::case::Case;

use super::markdown::{codes, rows};
use crate::error::Error;
use crate::files;
use crate::guide::sign;
use crate::rules::{ledger, promises};

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

/// A refusal.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) area: String,
    pub(super) name: String,
    pub(super) head: String,
    /// The program with the mistake and the accepted lines, as a difference.
    pub(super) program: String,
    pub(super) message: String,
    /// The code of the first error, such as `E0505`; `error` for an error without a code.
    pub(super) code: String,
    pub(super) reasons: Vec<Reason>,
    pub(super) classes: Vec<Class>,
    /// Mistakes of public programs.
    pub(super) bugs: Vec<String>,
}

impl Entry {
    /// The name of the case as words.
    pub(super) fn title(&self) -> String {
        self.name.replace('_', " ")
    }
}

/// All refusals, by area, and in an area first those that stand for a class of mistakes.
pub(super) fn read(root: &Path) -> Result<Vec<Entry>, Error> {
    let text = |path: &str| files::text(&root.join(path));
    let reasons = reasons(&text(ledger::FILE)?, &text(promises::FILE)?)?;
    let misuse = table::<5>(&text("docs/misuse.md")?, "| misuse | the C runtime |")?;
    let classes = misuse
        .into_iter()
        .map(|[misuse, in_c, findings, here, cases]| Class {
            misuse,
            in_c,
            findings: codes(&findings),
            here,
            cases: codes(&cases),
        });
    let classes: Vec<Class> = classes.collect();
    let bugs = table::<3>(&text("docs/real-bugs.md")?, "| no. | the mistake |")?;
    let cases = files::cases()?.cases.into_iter();
    let mut entries: Vec<Entry> = cases
        .map(|case| entry(case, &reasons, &classes, &bugs))
        .collect();
    let area = |entry: &Entry| area::folders().position(|area| *area == entry.area);
    let class = |entry: &Entry| {
        let name = format!("{}/{}", entry.area, entry.name);
        let position = classes.iter().position(|class| class.cases.contains(&name));
        position.unwrap_or(classes.len())
    };
    entries.sort_by_cached_key(|entry| (area(entry), class(entry), entry.name.clone()));
    Ok(entries)
}

fn entry(case: Case, reasons: &[Reason], classes: &[Class], bugs: &[[String; 3]]) -> Entry {
    let name = case.id();
    let code = case.code().unwrap_or("error").to_owned();
    let reasons = reasons.iter().filter(|reason| reason.cases.contains(&name));
    let reasons: Vec<Reason> = reasons.cloned().collect();
    let of_case = classes.iter().filter(|class| class.cases.contains(&name));
    let mut of_case: Vec<Class> = of_case.cloned().collect();
    // The other cases of its rule belong to a class of mistakes that this one belongs to as well.
    if of_case.is_empty() {
        let beside = |class: &&Class| {
            let mut of_rule = reasons.iter().filter(|reason| reason.otherwise.is_empty());
            of_rule.any(|reason| reason.cases.iter().any(|case| class.cases.contains(case)))
        };
        of_case.extend(classes.iter().find(beside).cloned());
    }
    let bugs = bugs
        .iter()
        .filter(|[_, _, cases]| codes(cases).contains(&name));
    let (head, body) = case.text.split_once('\n').unwrap_or_default();
    let lines = body.trim_start().lines().map(sign);
    Entry {
        head: head.trim_start_matches("//! ").to_owned(),
        program: lines
            .map(|(sign, code)| format!("{}\n", format!("{sign}{code}").trim_end()))
            .collect(),
        message: case.message.unwrap_or_default().trim_end().to_owned(),
        code,
        reasons,
        classes: of_case,
        bugs: bugs.map(|[_, mistake, _]| mistake.clone()).collect(),
        area: case.area,
        name: case.name,
    }
}

fn reasons(rules: &str, promises: &str) -> Result<Vec<Reason>, Error> {
    let (rules, mut mistakes) = ledger::parse(rules);
    let (promises, of_promises) = promises::parse(promises);
    mistakes.extend(of_promises);
    if let Some(mistake) = mistakes.first() {
        return Err(Error::Failed(mistake.to_string()));
    }
    let rules = rules.into_iter().map(|row| Reason {
        id: row.id,
        text: row.rule,
        otherwise: String::new(),
        cases: row.cases,
    });
    let promises = promises.into_iter().map(|promise| Reason {
        id: promise.id,
        text: promise.promise,
        otherwise: promise.otherwise,
        cases: promise.cases,
    });
    Ok(rules.chain(promises).collect())
}

/// The rows of the table that begins with `first`, which are of `N` cells.
fn table<const N: usize>(text: &str, first: &str) -> Result<Vec<[String; N]>, Error> {
    let rows = rows(text, first).into_iter();
    let rows: Option<Vec<_>> = rows.map(|cells| cells.try_into().ok()).collect();
    let rows = rows.filter(|rows| !rows.is_empty());
    rows.ok_or_else(|| Error::Failed(format!("no table of {N} columns begins with `{first}`")))
}
