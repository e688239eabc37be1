//! The programs of the matrix: the binaries of the package `faults`, with what its manifest says of some of them.

use serde_json::Value;

use crate::error::Error;
use crate::package::packages;

/// A program, and the rules that do not hold for it.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) name: String,
    /// The arguments, separated by spaces. `{examples}` is the folder of the examples.
    pub(super) arguments: String,
    /// The number of objects that the program forgets, and leaves to its device.
    pub(super) forgets: u64,
    /// Whether the program may leave objects behind that nothing counts.
    pub(super) may_leave: bool,
    /// Whether it has ranks. One that waits for a failed one waits for ever, so the process ends, and the other ranks release
    /// nothing. A rank that fails destroys its communicator, and the other ones cannot make their operations.
    pub(super) has_ranks: bool,
    /// Whether each wait of the program has a limit, so that it ends although a task hangs. The limits do not depend on time.
    pub(super) has_limits: bool,
    /// Whether it sets faults of its own, and is run without others.
    pub(super) has_faults: bool,
}

/// Reads the manifest.
pub(super) fn read() -> Result<Vec<Program>, Error> {
    let packages = packages()?;
    let mut packages = packages.iter();
    let package = packages.find(|of| of.get("name").is_some_and(|name| name == "faults"));
    let package = package.ok_or_else(|| "there is no package `faults`".to_owned())?;
    let said = package.pointer("/metadata/programs");
    let said = said.and_then(Value::as_object).cloned().unwrap_or_default();
    let targets = package.get("targets").and_then(Value::as_array);
    let targets = targets.into_iter().flatten();
    let names = targets.filter_map(|of| of.get("name")?.as_str());
    let names: Vec<&str> = names.collect();
    if let Some(name) = said.keys().find(|name| !names.contains(&name.as_str())) {
        return Err(
            format!("tests/faults/Cargo.toml speaks of `{name}`, which is no program").into(),
        );
    }
    let none = Value::Null;
    let program = |name: &&str| read_one(name, said.get(*name).unwrap_or(&none));
    names.iter().map(program).collect()
}

/// A program with what the manifest says of it.
fn read_one(name: &str, said: &Value) -> Result<Program, Error> {
    let mut program = Program {
        name: name.to_owned(),
        ..Program::default()
    };
    for (word, value) in said.as_object().into_iter().flatten() {
        match (word.as_str(), value) {
            ("arguments", Value::String(text)) => program.arguments.clone_from(text),
            ("forgets", Value::Number(count)) => program.forgets = count.as_u64().unwrap_or(0),
            ("may-leave", Value::Bool(is)) => program.may_leave = *is,
            ("ranks", Value::Bool(is)) => program.has_ranks = *is,
            ("limits", Value::Bool(is)) => program.has_limits = *is,
            ("faults", Value::Bool(is)) => program.has_faults = *is,
            _ => {
                let text = format!("tests/faults/Cargo.toml: `{name}` has no `{word} = {value}`");
                return Err(text.into());
            }
        }
    }
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::{read, read_one};
    use crate::error::Error;
    use crate::process::root;
    use serde_json::json;

    #[test]
    fn each_program_and_each_example_is_listed() -> Result<(), Error> {
        let programs = read()?;
        let listed: Vec<_> = programs
            .iter()
            .map(|program| program.name.as_str())
            .collect();
        for folder in ["examples", "tests/faults/programs"] {
            let entries = std::fs::read_dir(root().join(folder));
            for entry in entries.into_iter().flatten().flatten() {
                let path = entry.path();
                let is_rust = path.extension().is_some_and(|end| end == "rs");
                let name = path.file_stem().and_then(|name| name.to_str());
                let is_listed = listed.contains(&name.unwrap_or_default());
                let is_program = is_rust || path.join("main.rs").exists();
                assert!(!is_program || is_listed, "{} is in no list", path.display());
            }
        }
        assert!(programs.iter().any(|program| program.has_limits));
        Ok(())
    }

    #[test]
    fn an_unknown_word_is_an_error() {
        assert!(read_one("a", &json!({"forgets": 2})).is_ok_and(|one| one.forgets == 2));
        assert!(read_one("a", &json!({"forgets": true})).is_err());
        assert!(read_one("a", &json!({"limit": true})).is_err());
    }
}
