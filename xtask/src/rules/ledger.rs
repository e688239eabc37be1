//! The rows of the ledger.

use std::fmt;

use super::FILE;
use super::line::fields;

/// The first line of the file.
const HEADER: &str = "id,area,class,stage,expected,rule,status,cases,reason";

/// What this crate does about a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    /// The compiler refuses what breaks the rule.
    Rejected,
    /// The rule allows something, and it works.
    Permitted,
    /// No call of the safe API can say it.
    Unwritable,
    /// An error when the program runs.
    Runtime,
    /// A documented limit, or a promise that an unsafe call asks for.
    Contract,
    /// Not built, or not proven.
    Open,
}

impl Status {
    /// All of them, in the order of the table.
    pub(super) const ALL: [Status; 6] = [
        Status::Rejected,
        Status::Permitted,
        Status::Unwritable,
        Status::Runtime,
        Status::Contract,
        Status::Open,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Status::Rejected => "rejected",
            Status::Permitted => "permitted",
            Status::Unwritable => "unwritable",
            Status::Runtime => "runtime",
            Status::Contract => "contract",
            Status::Open => "open",
        }
    }

    fn of_name(name: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// A rule of AscendCL, and what is claimed about it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// The line in the file, counted from 1.
    pub(super) line: usize,
    pub(super) id: String,
    pub(super) area: String,
    /// `T` and `C` are rules that types or constants could carry.
    pub(super) class: String,
    pub(super) stage: String,
    pub(super) status: Status,
    /// Cases for `rejected`, tests for `permitted` and `runtime`.
    pub(super) cases: Vec<String>,
    pub(super) reason: String,
}

impl Row {
    pub(super) fn mistake(&self, what: impl fmt::Display) -> Mistake {
        Mistake::new(self.line, format!("{}: {what}", self.id))
    }

    /// Whether a type or a constant could carry the rule.
    pub(super) fn is_static(&self) -> bool {
        self.class == "T" || self.class == "C"
    }
}

/// Something wrong with the ledger, and what to do about it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mistake {
    pub(super) line: usize,
    what: String,
}

impl Mistake {
    fn new(line: usize, what: impl Into<String>) -> Self {
        let what = what.into();
        Self { line, what }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{FILE}:{}: {}", self.line, self.what)
    }
}

/// The rows that can be read, and what is wrong with the others.
pub(super) fn parse(text: &str) -> (Vec<Row>, Vec<Mistake>) {
    let mut rows = Vec::new();
    let mut mistakes = Vec::new();
    let mut lines = (1..).zip(text.lines());
    if lines.next().is_none_or(|(_, line)| line != HEADER) {
        mistakes.push(Mistake::new(1, format!("is not `{HEADER}`")));
    }
    for (number, line) in lines {
        match row(number, line) {
            Ok(row) => rows.push(row),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    (rows, mistakes)
}

fn row(number: usize, line: &str) -> Result<Row, Mistake> {
    let fields = fields(line).map_err(|what| Mistake::new(number, what))?;
    let count = fields.len();
    let Ok([id, area, class, stage, _, _, status, cases, reason]) = <[String; 9]>::try_from(fields)
    else {
        let what = format!("has {count} fields instead of 9: a field with a comma needs quotes");
        return Err(Mistake::new(number, what));
    };
    let Some(status) = Status::of_name(&status) else {
        let known: Vec<_> = Status::ALL.into_iter().map(Status::name).collect();
        let known = known.join(", ");
        let what = format!("{id}: `{status}` is no status: write one of {known}");
        return Err(Mistake::new(number, what));
    };
    let cases = cases.split(';').map(str::trim);
    Ok(Row {
        line: number,
        id,
        area,
        class,
        stage,
        status,
        cases: cases.filter(|c| !c.is_empty()).map(String::from).collect(),
        reason,
    })
}

#[cfg(test)]
pub(super) fn sample(lines: &str) -> (Vec<Row>, Vec<String>) {
    let (rows, mistakes) = parse(&format!("{HEADER}\n{lines}"));
    (rows, mistakes.iter().map(Mistake::to_string).collect())
}

#[cfg(test)]
mod tests {
    use super::{Status, parse, sample};

    #[test]
    fn a_row_is_read() {
        let (rows, mistakes) =
            sample("D04,Device,T,1,rejected,\"Pairs, always\",rejected,device/a;device/b,\n");
        assert_eq!(mistakes, Vec::<String>::new());
        let read: Vec<_> = rows
            .iter()
            .map(|row| (row.line, row.id.as_str(), row.status, row.cases.join(" ")))
            .collect();
        let expected = (2, "D04", Status::Rejected, "device/a device/b".into());
        assert_eq!(read, [expected]);
        assert!(rows.iter().all(super::Row::is_static));
    }

    #[test]
    fn what_is_no_row_is_named() {
        let (rows, mistakes) = sample("D04,Device,T,1,,Rule,maybe,,\nD05,Device\nD06,\"x\n");
        assert_eq!(rows, []);
        assert_eq!(
            mistakes,
            [
                "ui-tests/rules.csv:2: D04: `maybe` is no status: write one of rejected, permitted, \
                 unwritable, runtime, contract, open",
                "ui-tests/rules.csv:3: has 2 fields instead of 9: a field with a comma needs quotes",
                "ui-tests/rules.csv:4: has a quoted field without an end: close the quote on the \
                 same line",
            ]
        );
    }

    #[test]
    fn the_header_is_checked() {
        for text in ["", "id,rule\n"] {
            let (_, mistakes) = parse(text);
            let lines: Vec<_> = mistakes.iter().map(ToString::to_string).collect();
            let expected = "ui-tests/rules.csv:1: is not \
                            `id,area,class,stage,expected,rule,status,cases,reason`";
            assert_eq!(lines, [expected], "{text:?}");
        }
    }
}
