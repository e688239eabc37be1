//! The two lists: the rules of AscendCL, and the promises of this API beside them. `docs/rules.md` explains their fields.

use serde::Deserialize;

use super::list::{self, Entry, names, text};
use crate::error::Error;
use crate::files;
use crate::finding::Finding;

/// The paths of the lists, from the root.
const RULES: &str = "ui-tests/rules.csv";
const PROMISES: &str = "ui-tests/promises.csv";

/// The answer of this crate to a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
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

/// A rule of AscendCL, and this crate's claim about it.
#[derive(Debug, Deserialize)]
pub(crate) struct Rule {
    pub(crate) id: String,
    pub(crate) rule: String,
    pub(super) status: Status,
    /// Cases for `rejected`, tests for `permitted` and `runtime`.
    #[serde(deserialize_with = "names")]
    pub(crate) cases: Vec<String>,
    pub(super) reason: String,
}

/// A refusal of this API that no rule of AscendCL requires, and the cases that show it.
#[derive(Debug, Deserialize)]
pub(crate) struct Promise {
    pub(crate) id: String,
    /// The promise, in one sentence.
    #[serde(deserialize_with = "text")]
    pub(crate) promise: String,
    /// The damage without the promise.
    #[serde(deserialize_with = "text")]
    pub(crate) otherwise: String,
    #[serde(deserialize_with = "names")]
    pub(crate) cases: Vec<String>,
}

/// The entries of both lists.
#[derive(Debug)]
pub(crate) struct Lists {
    pub(crate) rules: Vec<Entry<Rule>>,
    pub(crate) promises: Vec<Entry<Promise>>,
}

impl Lists {
    /// Reads both files. Lines that are no entry are mistakes.
    pub(crate) fn read() -> Result<(Lists, Vec<Finding>), Error> {
        Ok(Lists::parse(&files::text(RULES)?, &files::text(PROMISES)?))
    }

    pub(super) fn parse(rules: &str, promises: &str) -> (Lists, Vec<Finding>) {
        let (rules, of_rules) = list::read(RULES, rules);
        let (promises, of_promises) = list::read(PROMISES, promises);
        (Lists { rules, promises }, [of_rules, of_promises].concat())
    }
}
