//! The rows of the ledger.

use super::list::{self, names};
use crate::finding::Finding;

/// The path of the ledger, from the root.
pub(crate) const FILE: &str = "ui-tests/rules.csv";

/// The first line of the file.
pub(super) const HEADER: &str = "id,area,class,stage,expected,rule,status,cases,reason";

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

/// All of them with their names, in the order of the table.
pub(super) const ALL: [(Status, &str); 6] = [
    (Status::Rejected, "rejected"),
    (Status::Permitted, "permitted"),
    (Status::Unwritable, "unwritable"),
    (Status::Runtime, "runtime"),
    (Status::Contract, "contract"),
    (Status::Open, "open"),
];

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

/// The rows that can be read, and the mistakes of the others.
pub(crate) fn parse(text: &str) -> (Vec<Row>, Vec<Finding>) {
    list::read((FILE, HEADER), text, |line, fields: [String; 9]| {
        let [id, area, class, stage, _, rule, status, cases, reason] = fields;
        let Some((status, _)) = ALL.into_iter().find(|(_, name)| *name == status) else {
            let known = ALL.map(|(_, name)| name).join(", ");
            return Err(format!(
                "{id}: `{status}` is no status: write one of {known}"
            ));
        };
        let cases = names(&cases);
        Ok(Row {
            line,
            id,
            area,
            class,
            stage,
            rule,
            status,
            cases,
            reason,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{HEADER, Status, parse};
    use crate::finding::lines;

    #[test]
    fn rows_are_read_and_what_is_no_row_is_named() {
        let row = "D04,Device,T,1,rejected,\"Pairs, always\",rejected,device/a;device/b,\n";
        let (rows, mistakes) = parse(&format!("{HEADER}\n{row}D04,Device,T,1,,Rule,maybe,,\n"));
        let read = rows.first();
        let read = read.map(|row| (row.line, row.status, row.cases.join(" ")));
        assert_eq!(
            read,
            Some((2, Status::Rejected, "device/a device/b".into()))
        );
        let expected = "ui-tests/rules.csv:3: D04: `maybe` is no status: write one of rejected, permitted, \
                        unwritable, runtime, contract, open";
        assert_eq!(lines(&mistakes), [expected]);
    }
}
