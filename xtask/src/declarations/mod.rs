//! The declarations of `ascendcl-sys`, read from its sources: the lists of functions, and the types.
//!
//! The lists and types are written in one form, line by line, which this reads; a line that it cannot
//! read is an error and never skipped in silence.

mod functions;
pub(crate) mod operators;
mod types;

use std::fs;
use std::path::Path;

use crate::error::Error;

/// A function of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Function {
    /// The word of its area.
    pub(crate) area: String,
    pub(crate) name: String,
    /// Whether CANN 8.1 lacks it.
    pub(crate) newer: bool,
    /// The release of AscendCL before which it has another signature.
    pub(crate) changed: Option<String>,
    /// The types of its parameters, as Rust writes them.
    pub(crate) parameters: Vec<String>,
    /// The type of its result; `None` is `void`.
    pub(crate) result: Option<String>,
}

/// An enumeration with its named values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Enumeration {
    pub(crate) name: String,
    /// `u32` or `i32`.
    pub(crate) repr: String,
    pub(crate) values: Vec<Constant>,
}

/// A named number: a status code, a flag, a limit, or a value of an enumeration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Constant {
    pub(crate) name: String,
    /// A number, or the name of another constant.
    pub(crate) value: String,
}

/// A structure or a union.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) name: String,
    pub(crate) is_union: bool,
    /// Names and types.
    pub(crate) fields: Vec<(String, String)>,
}

/// A name for another type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Alias {
    pub(crate) name: String,
    pub(crate) target: String,
}

/// Everything that is declared.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Declarations {
    pub(crate) functions: Vec<Function>,
    /// The operators, whose functions are among those.
    pub(crate) operators: Vec<operators::Operator>,
    pub(crate) enumerations: Vec<Enumeration>,
    pub(crate) constants: Vec<Constant>,
    pub(crate) records: Vec<Record>,
    pub(crate) aliases: Vec<Alias>,
}

impl Declarations {
    /// Reads the sources of `ascendcl-sys` below the root of the workspace.
    pub(crate) fn read(root: &Path) -> Result<Declarations, Error> {
        let source = root.join("sys/src");
        let mut all = Declarations::default();
        let kinds = operators::kinds(&file(&source.join("parameter.rs"))?.1);
        for (path, text) in files(&source.join("functions"))? {
            all.operators
                .extend(operators::read(&text).map_err(|error| located(&path, error))?);
            let text = operators::expand(&text, &kinds);
            all.functions
                .extend(functions::read(&text).map_err(|error| located(&path, error))?);
        }
        let mut others = files(&source.join("types"))?;
        others.extend(files(&source.join("structs"))?);
        others.push(file(&source.join("status.rs"))?);
        for (path, text) in others {
            types::read(&text, &mut all).map_err(|error| located(&path, error))?;
        }
        Ok(all)
    }

    /// The number of a constant, whose value may be the name of another one.
    pub(crate) fn number<'a>(&'a self, value: &'a str) -> &'a str {
        let named = self.constants.iter().find(|other| other.name == value);
        named.map_or(value, |other| self.number(&other.value))
    }

    pub(crate) fn record(&self, name: &str) -> Option<&Record> {
        self.records.iter().find(|record| record.name == name)
    }
}

/// A line that means nothing: its number and what is wrong.
type Unreadable = (usize, String);

fn located(path: &str, (line, what): Unreadable) -> Error {
    Error::Failed(format!("{path}:{line}: {what}"))
}

/// The Rust files of a folder with their names, in the order of the names.
fn files(folder: &Path) -> Result<Vec<(String, String)>, Error> {
    let failed = |error| {
        Error::Failed(format!(
            "cannot read the folder {}: {error}",
            folder.display()
        ))
    };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
    paths.sort();
    paths.iter().map(|path| file(path)).collect()
}

fn file(path: &Path) -> Result<(String, String), Error> {
    let text = fs::read_to_string(path)
        .map_err(|error| Error::Failed(format!("cannot read {}: {error}", path.display())))?;
    Ok((path.display().to_string(), text))
}

/// Splits at commas that stand in no bracket.
pub(crate) fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, sign) in text.char_indices() {
        match sign {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' => depth -= 1,
            '>' if !text[..at].ends_with('-') => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::{Declarations, split};
    use crate::process::root;

    #[test]
    fn commas_inside_of_brackets_do_not_split() {
        let parts = split("a: Option<unsafe extern \"C\" fn(u8, u8) -> u8>, b: [u8; 4],");
        assert_eq!(
            parts,
            [
                "a: Option<unsafe extern \"C\" fn(u8, u8) -> u8>",
                "b: [u8; 4]"
            ]
        );
    }

    #[test]
    fn the_sources_are_read_whole() {
        let read = Declarations::read(&root());
        let Ok(read) = read else {
            unreachable!("{read:?}");
        };
        let malloc = read
            .functions
            .iter()
            .find(|function| function.name == "aclrtMalloc");
        let Some(malloc) = malloc else {
            unreachable!("aclrtMalloc is declared");
        };
        assert_eq!((malloc.area.as_str(), malloc.newer), ("memory", false));
        assert_eq!(
            malloc.parameters,
            ["*mut *mut c_void", "usize", "aclrtMemMallocPolicy"]
        );
        assert_eq!(malloc.result.as_deref(), Some("aclError"));
        for operator in &read.operators {
            let is_there = |name: &str| read.functions.iter().any(|one| one.name == name);
            assert!(is_there(&operator.launch) && is_there(&operator.prepare));
        }
        assert!(read.operators.len() > 9);
        assert_eq!(read.number("ACL_RT_SUCCESS"), "0");
        let property = read.record("aclrtPhysicalMemProp");
        assert_eq!(property.map(|record| record.fields.len()), Some(5));
        let count = |wanted: &str| {
            read.aliases
                .iter()
                .filter(|alias| alias.name == wanted)
                .count()
        };
        assert_eq!((count("aclrtStream"), count("aclrtHostFunc")), (1, 1));
    }
}
