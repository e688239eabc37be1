//! The refusals with everything that the repository says about them.

use ui_tests::area;
use ui_tests::case::Case;

use crate::error::Error;
use crate::files::{self, text};
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
pub(super) fn read() -> Result<Vec<Entry>, Error> {
    let reasons = reasons()?;
    let misuse = table::<5>("docs/misuse.md", "| misuse | the C runtime |")?.into_iter();
    let class = |[misuse, in_c, findings, here, cases]: [String; 5]| {
        let (findings, cases) = (codes(&findings), codes(&cases));
        Class {
            misuse,
            in_c,
            findings,
            here,
            cases,
        }
    };
    let classes: Vec<Class> = misuse.map(class).collect();
    let bugs = table::<3>("docs/real-bugs.md", "| no. | the mistake |")?;
    let cases = files::cases()?.cases.into_iter();
    let entries = cases.map(|case| entry(case, &reasons, &classes, &bugs));
    let mut entries: Vec<Entry> = entries.collect();
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

fn reasons() -> Result<Vec<Reason>, Error> {
    let (rules, mut mistakes) = ledger::parse(&text(ledger::FILE)?);
    let (promises, of_promises) = promises::parse(&text(promises::FILE)?);
    mistakes.extend(of_promises);
    if let Some(mistake) = mistakes.first() {
        return Err(mistake.to_string().into());
    }
    let rules = rules
        .into_iter()
        .map(|of| (of.id, of.rule, String::new(), of.cases));
    let promises = promises
        .into_iter()
        .map(|of| (of.id, of.promise, of.otherwise, of.cases));
    let all = rules.chain(promises);
    let reason = |(id, text, otherwise, cases)| Reason {
        id,
        text,
        otherwise,
        cases,
    };
    Ok(all.map(reason).collect())
}

/// The rows of the table of a file that begins with `first`, which are of `N` cells.
fn table<const N: usize>(file: &str, first: &str) -> Result<Vec<[String; N]>, Error> {
    let rows = rows(&text(file)?, first).into_iter();
    let rows: Option<Vec<_>> = rows.map(|cells| cells.try_into().ok()).collect();
    let rows = rows.filter(|rows| !rows.is_empty());
    rows.ok_or_else(|| format!("no table of {N} columns begins with `{first}`").into())
}

/// The cells of each row below the header that begins with `first`. An empty list means that there is no such table.
fn rows(text: &str, first: &str) -> Vec<Vec<String>> {
    let lines = text.lines().skip_while(|line| !line.starts_with(first));
    let rows = lines.skip(2).take_while(|line| line.starts_with('|'));
    let cells = |row: &str| {
        let row = row.trim().trim_start_matches('|').trim_end_matches('|');
        row.split(" | ")
            .map(|cell| cell.trim().to_owned())
            .collect()
    };
    rows.map(cells).collect()
}

/// All code of a text.
fn codes(text: &str) -> Vec<String> {
    text.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{codes, rows};

    #[test]
    fn a_table_ends_at_the_first_other_line() {
        let text = "# x\n\n| a | b |\n|---|---|\n| 1 | `two | 2` |\n|  | 4 |\n\n| a | b |\n";
        let cells = rows(text, "| a |");
        assert_eq!(cells, [vec!["1", "`two", "2`"], vec!["", "4"]]);
        assert!(rows(text, "| c |").is_empty());
        assert_eq!(codes("see `a/b`, `c/d`"), ["a/b", "c/d"]);
    }
}
