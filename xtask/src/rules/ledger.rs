//! The rows of the ledger.

use super::list::{self, Mistake, names};

/// The path of the ledger, from the root.
pub(crate) const FILE: &str = "ui-tests/rules.csv";

/// The first line of the file.
const HEADER: &str = "id,area,class,stage,expected,rule,status,cases,reason";

/// The answer of this crate to a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    /// The compiler refuses a program that breaks the rule.
    Rejected,
    /// The rule allows something, and it works.
    Permitted,
    /// No call of the safe API can break the rule.
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

/// A rule of AscendCL, and this crate's claim about it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The line in the file, counted from 1.
    pub(super) line: usize,
    pub(crate) id: String,
    pub(super) area: String,
    /// `T` and `C`: a type or a constant can express the rule.
    pub(super) class: String,
    pub(super) stage: String,
    pub(crate) rule: String,
    pub(super) status: Status,
    /// Cases for `rejected`, tests for `permitted` and `runtime`.
    pub(crate) cases: Vec<String>,
    pub(super) reason: String,
}

impl Row {
    pub(super) fn mistake(&self, what: &str) -> Mistake {
        Mistake::new(FILE, self.line, format!("{}: {what}", self.id))
    }

    /// Whether a type or a constant can express the rule.
    pub(super) fn is_static(&self) -> bool {
        self.class == "T" || self.class == "C"
    }
}

/// The rows that can be read, and the mistakes of the others.
pub(crate) fn parse(text: &str) -> (Vec<Row>, Vec<Mistake>) {
    list::read((FILE, HEADER), text, row)
}

fn row(line: usize, fields: [String; 9]) -> Result<Row, String> {
    let [id, area, class, stage, _, rule, status, cases, reason] = fields;
    let Some(status) = Status::of_name(&status) else {
        let known: Vec<_> = Status::ALL.into_iter().map(Status::name).collect();
        let known = known.join(", ");
        return Err(format!(
            "{id}: `{status}` is no status: write one of {known}"
        ));
    };
    Ok(Row {
        line,
        id,
        area,
        class,
        stage,
        rule,
        status,
        cases: names(&cases),
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
        let (rows, mistakes) = sample("D04,Device,T,1,,Rule,maybe,,\nD05,Device\n");
        assert_eq!(rows, []);
        assert_eq!(
            mistakes,
            [
                "ui-tests/rules.csv:2: D04: `maybe` is no status: write one of rejected, permitted, \
                 unwritable, runtime, contract, open",
                "ui-tests/rules.csv:3: has 2 fields instead of 9: a field with a comma needs quotes",
            ]
        );
    }

    #[test]
    fn the_header_is_checked() {
        let (_, mistakes) = parse("id,rule\n");
        let lines: Vec<_> = mistakes.iter().map(ToString::to_string).collect();
        let expected = "ui-tests/rules.csv:1: is not \
                        `id,area,class,stage,expected,rule,status,cases,reason`";
        assert_eq!(lines, [expected]);
    }
}
