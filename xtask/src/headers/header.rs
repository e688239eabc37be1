//! The contents of a preprocessed header: its words, the values of its enumerations, its functions.

use std::collections::{BTreeMap, BTreeSet};

use crate::files::words;

/// A header with all that it includes.
#[derive(Debug, Default)]
pub(super) struct Header {
    words: BTreeSet<String>,
    /// The words inside of each structure and union.
    records: BTreeMap<String, BTreeSet<String>>,
    /// The version of ACL, such as `1.17`.
    pub(super) version: String,
    /// The named values of each enumeration.
    pub(super) enumerations: BTreeMap<String, Vec<String>>,
    /// The functions of AscendCL.
    pub(super) functions: BTreeSet<String>,
    /// The successor of each deprecated function.
    pub(super) successors: BTreeMap<String, String>,
}

impl Header {
    /// Reads the output of the preprocessor, and the macros that it defined.
    pub(super) fn new(preprocessed: &str, macros: &str) -> Header {
        let mut header = Header::default();
        let last = |text: &str| words(text).last().map(str::to_owned);
        header.words.extend(words(preprocessed).map(str::to_owned));
        let mut version = ["ACL_MAJOR_VERSION", "ACL_MINOR_VERSION"].map(|name| (name, None));
        for line in macros
            .lines()
            .filter_map(|line| line.strip_prefix("#define "))
        {
            let Some(name) = words(line).next() else {
                continue;
            };
            header.words.insert(name.to_owned());
            for (_, number) in version.iter_mut().filter(|(wanted, _)| *wanted == name) {
                *number = last(line);
            }
        }
        header.version = version
            .map(|(_, number)| number.unwrap_or_default())
            .join(".");
        for definition in preprocessed.split("typedef ").skip(1) {
            let parts = definition_parts(definition);
            let Some((body, name)) = parts.and_then(|(body, end)| Some((body, last(end)?))) else {
                continue;
            };
            if definition.starts_with("enum") {
                let values = body.split(',');
                let values = values.filter_map(|one| words(one).next().map(str::to_owned));
                header.enumerations.insert(name, values.collect());
            } else if !body.is_empty() {
                let fields = words(body).map(str::to_owned).collect();
                header.records.insert(name, fields);
            }
        }
        for message in preprocessed.split("deprecated(\"").skip(1) {
            if let Some((name, rest)) = message.split_once(" is deprecated, use ") {
                let successor = words(rest).next().unwrap_or_default();
                let (name, successor) = (name.to_owned(), successor.to_owned());
                header.successors.insert(name, successor);
            }
        }
        let statements = preprocessed.split([';', '}', '{']);
        for statement in statements.filter(|one| !one.trim_start().starts_with("typedef")) {
            for (at, _) in statement.match_indices('(') {
                let before: Vec<_> = words(statement.get(..at).unwrap_or_default()).collect();
                let starts = ["acl", "hi_mpi_", "Hccl"];
                if let [_, .., name] = before.as_slice()
                    && starts.iter().any(|start| name.starts_with(start))
                {
                    header.functions.insert((*name).to_owned());
                }
            }
        }
        header
    }

    /// Whether a structure has a field. A structure that was not read has all fields.
    pub(super) fn has_field(&self, record: &str, field: &str) -> bool {
        let words = self.records.get(record);
        words.is_none_or(|words| words.contains(field))
    }

    /// Whether a name occurs there.
    pub(super) fn has(&self, name: &str) -> bool {
        self.words.contains(name)
    }
}

/// The text between the outer braces of a definition (empty without braces), and the name after them.
fn definition_parts(definition: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    let mut open = None;
    let mut close = 0;
    for (at, sign) in definition.char_indices() {
        match sign {
            '{' => {
                open = open.or(Some(at + 1));
                depth += 1;
            }
            '}' => {
                depth -= 1;
                close = at;
            }
            ';' if depth == 0 => {
                let body = open.map_or("", |open| definition.get(open..close).unwrap_or_default());
                return Some((body, definition.get(close..at)?));
            }
            _ => {}
        }
    }
    None
}
