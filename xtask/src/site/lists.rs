//! What the lists of rules and promises, and the documents, say about a refusal.

use std::collections::BTreeSet;

use crate::error::{Error, conclude};
use crate::files::text;
use crate::guide::anchor_of;
use crate::rules::{self, Promise};

/// A rule of AscendCL, or a promise of this API.
struct Reason {
    line: String,
    is_rule: bool,
    cases: Vec<String>,
}

/// A class of mistakes (a row of `docs/misuse.md`): the mistake, the reaction of C, programs of `tests/c/mistakes`, what is
/// here instead, and cases.
type Class = [String; 5];

pub(super) struct Lists {
    reasons: Vec<Reason>,
    classes: Vec<Class>,
    /// Mistakes of public programs: a number, the mistake, and cases.
    bugs: Vec<[String; 3]>,
    /// Mistakes on a GPU: the mistake, wrong results and trials of three sizes, of the right program, and a case.
    measured: Vec<[String; 6]>,
}

impl Lists {
    pub(super) fn read() -> Result<Self, Error> {
        let (lists, mistakes) = rules::Lists::read()?;
        conclude(&mistakes)?;
        let rules = lists.rules.into_iter().map(|entry| Reason {
            line: format!("- Rule of AscendCL {}: {}.\n", entry.id, entry.rule),
            is_rule: true,
            cases: entry.of.cases,
        });
        let promises = lists.promises.into_iter().map(|entry| {
            let Promise {
                id,
                promise,
                otherwise,
                cases,
            } = entry.of;
            Reason {
                line: format!("- Promise of this API {id}: {promise}. Otherwise {otherwise}.\n"),
                is_rule: false,
                cases,
            }
        });
        Ok(Self {
            reasons: rules.chain(promises).collect(),
            classes: table("docs/misuse.md", "| misuse | the C runtime |")?,
            bugs: table("docs/real-bugs.md", "| no. | the mistake |")?,
            measured: table("docs/hardware.md", "| mistake | 4 KiB |")?,
        })
    }

    /// The place of a case in the order of the classes.
    pub(super) fn place(&self, case: &str) -> usize {
        let is_of = |[.., cases]: &Class| codes(cases).any(|of| of == case);
        let place = self.classes.iter().position(is_of);
        place.unwrap_or(self.classes.len())
    }

    /// The names of the programs in C.
    pub(super) fn findings(&self) -> impl Iterator<Item = &str> {
        let classes = self.classes.iter();
        classes.flat_map(|[_, _, findings, ..]| codes(findings))
    }

    /// The names of those that have the mistake of a case.
    pub(super) fn findings_of(&self, case: &str) -> BTreeSet<&str> {
        let classes = self.classes(case).into_iter();
        classes
            .flat_map(|[_, _, findings, ..]| codes(findings))
            .collect()
    }

    /// Rows for the mistakes on a GPU, each with a link to its refusal.
    pub(super) fn measured(&self, link: impl Fn(&str) -> String) -> String {
        let row = |[mistake, small, middle, large, _, case]: &[String; 6]| {
            let links: Vec<String> = codes(case).map(&link).collect();
            let links = links.join(", ");
            format!("| {mistake} | {small} | {middle} | {large} | {links} |\n")
        };
        self.measured.iter().map(row).collect()
    }

    fn reasons(&self, case: &str) -> impl Iterator<Item = &Reason> {
        let reasons = self.reasons.iter();
        reasons.filter(move |reason| reason.cases.iter().any(|of| of == case))
    }

    fn classes(&self, case: &str) -> Vec<&Class> {
        let classes = || self.classes.iter();
        let of_case = classes().filter(|[.., cases]| codes(cases).any(|of| of == case));
        let of_case: Vec<&Class> = of_case.collect();
        if !of_case.is_empty() {
            return of_case;
        }
        // The other cases of its rule belong to a class of mistakes that this one belongs to as well.
        let rules = self.reasons(case).filter(|reason| reason.is_rule);
        let beside: BTreeSet<&str> = rules
            .flat_map(|rule| &rule.cases)
            .map(String::as_str)
            .collect();
        let mut classes = classes();
        let class = classes.find(|[.., cases]| codes(cases).any(|of| beside.contains(of)));
        class.into_iter().collect()
    }

    /// The lines below the message of a case.
    pub(super) fn about(&self, case: &str) -> String {
        let reasons = self.reasons(case).map(|reason| reason.line.as_str());
        let mut text: String = reasons.collect();
        for [misuse, in_c, findings, here, _] in self.classes(case) {
            let link = |finding| format!(" [{finding}](checker.md#{})", anchor_of(finding));
            let links: String = codes(findings).map(link).collect();
            text += &format!(
                "- In C, for the class of mistakes \u{201c}{misuse}\u{201d}: {in_c}. Here, {here}.{links}\n"
            );
        }
        for [_, mistake, cases] in &self.bugs {
            if codes(cases).any(|of| of == case) {
                text += &format!("- In a public program: {mistake}\n");
            }
        }
        text
    }
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
        let cells = row.split(" | ").map(|cell| cell.trim().to_owned());
        cells.collect()
    };
    rows.map(cells).collect()
}

/// All code of a text.
fn codes(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}
