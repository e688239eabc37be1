//! The functions that public programs use, as sets (`xtask/data/functions.csv`).
//!
//! 63 614 calls in 36 public C and C++ projects were counted. A set has the functions of the runtime that are needed
//! to cover that many percent of the calls, under every weighting of the projects. Each set contains the one before
//! it.

use std::collections::BTreeSet;

use crate::error::Error;
use crate::files::text;
use crate::rules::list;

/// The file, below the root of the workspace, and its first line.
const FILE: (&str, &str) = ("xtask/data/functions.csv", "function,set");
/// The sets, the smallest first.
pub(super) const SETS: [&str; 3] = ["RT-90", "RT-95", "RT-99"];

/// A function with the smallest set that it belongs to, as an index into [`SETS`].
pub(super) type Member = (String, usize);

pub(super) fn read() -> Result<Vec<Member>, Error> {
    parse(&text(FILE.0)?)
}

fn parse(text: &str) -> Result<Vec<Member>, Error> {
    let (members, mistakes) = list::read(FILE, text, |_, [name, set]| {
        let at = SETS.iter().position(|known| *known == set);
        let at = at.ok_or(format!("names no set; the sets are {}", SETS.join(", ")))?;
        Ok((name, at))
    });
    if let Some(mistake) = mistakes.first() {
        return Err(mistake.to_string().into());
    }
    let mut names = BTreeSet::new();
    match members.iter().find(|(name, _)| !names.insert(name)) {
        Some((name, _)) => Err(format!("{}: `{name}` stands there twice", FILE.0).into()),
        None => Ok(members),
    }
}

#[cfg(test)]
mod tests {
    use super::{parse, read};

    #[test]
    fn the_file_has_the_sets_that_were_counted_and_a_wrong_line_is_named() {
        let members = read().unwrap_or_default();
        let count = |most: usize| members.iter().filter(|(_, set)| *set <= most).count();
        assert_eq!([count(0), count(1), count(2)], [34, 57, 131]);
        for (text, words) in [
            ("function,set\naclInit", ":2: has 1 fields instead of 2"),
            ("function,set\naclInit,RT-80", ":2: names no set"),
            ("function,set\na,RT-90\na,RT-95", ": `a` stands there twice"),
        ] {
            let error = parse(text).map_or_else(|error| error.to_string(), |_| String::new());
            assert!(error.contains(words), "{text:?}: {error}");
        }
    }
}
