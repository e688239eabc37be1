//! The programs of the matrix: the binaries of the package `faults`, with what its manifest says of some of them.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::error::{Context as _, Error};
use crate::package::packages;

/// A program, and the rules that do not hold for it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Program {
    #[serde(skip)]
    pub(super) name: String,
    /// The arguments, separated by spaces. `{examples}` is the folder of the examples.
    pub(super) arguments: String,
    /// The number of objects that the program forgets, and leaves to its device.
    pub(super) forgets: u64,
    /// Whether the program may leave objects behind that nothing counts.
    pub(super) may_leave: bool,
    /// Whether it has ranks. One that waits for a failed one waits for ever, so the process ends, and the other ranks release
    /// nothing. A rank that fails destroys its communicator, and the other ones cannot make their operations.
    #[serde(rename = "ranks")]
    pub(super) has_ranks: bool,
    /// Whether each wait of the program has a limit, so that it ends although a task hangs. The limits do not depend on time.
    #[serde(rename = "limits")]
    pub(super) has_limits: bool,
    /// Whether it sets faults of its own, and is run without others.
    #[serde(rename = "faults")]
    pub(super) has_faults: bool,
}

/// Reads the manifest.
pub(super) fn read() -> Result<Vec<Program>, Error> {
    const MANIFEST: &str = "tests/faults/Cargo.toml";
    let packages = packages()?;
    let mut packages = packages.iter();
    let package = packages.find(|of| of.get("name").is_some_and(|name| name == "faults"));
    let package = package.ok_or_else(|| "there is no package `faults`".to_owned())?;
    let said = package
        .pointer("/metadata/programs")
        .unwrap_or(&Value::Null);
    let mut said = BTreeMap::<String, Program>::deserialize(said).on(MANIFEST)?;
    let targets = package.get("targets").and_then(Value::as_array);
    let names = targets
        .into_iter()
        .flatten()
        .filter_map(|of| of.get("name")?.as_str());
    let program = |name: &str| Program {
        name: name.to_owned(),
        ..said.remove(name).unwrap_or_default()
    };
    let programs = names.map(program).collect();
    match said.keys().next() {
        Some(name) => Err(format!("{MANIFEST} speaks of `{name}`, which is no program").into()),
        None => Ok(programs),
    }
}

#[cfg(test)]
mod tests {
    use super::{Program, read};
    use crate::error::Error;
    use crate::process::root;

    #[test]
    fn each_program_and_each_example_is_listed() -> Result<(), Error> {
        let programs = read()?;
        for folder in ["examples", "tests/faults/programs"] {
            let entries = std::fs::read_dir(root().join(folder));
            for entry in entries.into_iter().flatten().flatten() {
                let path = entry.path();
                let is_rust = path.extension().is_some_and(|end| end == "rs");
                let name = path.file_stem().and_then(|name| name.to_str());
                let is_listed = programs
                    .iter()
                    .any(|program| Some(program.name.as_str()) == name);
                let is_program = is_rust || path.join("main.rs").exists();
                assert!(!is_program || is_listed, "{} is in no list", path.display());
            }
        }
        assert!(programs.iter().any(|program| program.has_limits));
        Ok(())
    }

    #[test]
    fn an_unknown_word_is_an_error() {
        let read = |text| serde_json::from_str::<Program>(text);
        assert!(read("{\"forgets\": 2, \"may-leave\": true}").is_ok_and(|one| one.forgets == 2));
        assert!(read("{\"forgets\": true}").is_err() && read("{\"limit\": true}").is_err());
    }
}
