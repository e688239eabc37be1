//! The functions that public programs use, as sets (`xtask/data/functions.csv`).
//!
//! 63 614 calls in 36 public C and C++ projects were counted. A set has the functions of the runtime that are needed
//! to cover that many percent of the calls, under every weighting of the projects. Each set contains the one before
//! it.

use serde::Deserialize;

use crate::error::{Error, conclude};
use crate::files::text;
use crate::rules::list;

/// The file, below the root of the workspace.
const FILE: &str = "xtask/data/functions.csv";

/// The sets, the smallest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub(super) enum Set {
    #[serde(rename = "RT-90")]
    Rt90,
    #[serde(rename = "RT-95")]
    Rt95,
    #[serde(rename = "RT-99")]
    Rt99,
}

/// A function with the smallest set that it belongs to.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Member {
    pub(super) function: String,
    pub(super) set: Set,
}

pub(super) fn read() -> Result<Vec<Member>, Error> {
    let (members, mistakes) = list::read(FILE, &text(FILE)?);
    conclude(&mistakes)?;
    Ok(members.into_iter().map(|member| member.of).collect())
}

#[test]
fn the_file_has_the_sets_that_were_counted() {
    let members = read().unwrap_or_default();
    let count = |most| members.iter().filter(|member| member.set <= most).count();
    assert_eq!([Set::Rt90, Set::Rt95, Set::Rt99].map(count), [34, 57, 131]);
    let names: std::collections::BTreeSet<_> =
        members.iter().map(|member| &member.function).collect();
    assert_eq!(names.len(), members.len(), "a function stands there twice");
}
