//! The functions that the emulator has, and those that the typed API calls or names, read from the sources.

use std::collections::BTreeSet;

use crate::error::Error;
use crate::files::{below, text};

/// The tables of the emulator.
const TABLES: &str = "\
emulator/src/api/graph.rs emulator/src/api/kernel.rs emulator/src/api/mod.rs emulator/src/api/model.rs
emulator/src/api/op.rs emulator/src/api/profiling.rs emulator/src/api/refused.rs";
/// The further exports of the C library.
const LOG: &str = "emulator/capi/src/log.rs";
/// The module whose functions refuse, because the emulator has no hardware for them.
const REFUSING: &str = "refusal";

/// The names of functions, by their state.
#[derive(Debug, Default)]
pub(super) struct Sources {
    pub(super) emulated: BTreeSet<String>,
    pub(super) refused: BTreeSet<String>,
    pub(super) typed: BTreeSet<String>,
    /// The names in `#[doc(alias)]`: most are called there, and the others are replaced by the item.
    pub(super) named: BTreeSet<String>,
}

impl Sources {
    pub(super) fn read() -> Result<Sources, Error> {
        let mut sources = Sources::default();
        for table in TABLES.split_whitespace() {
            sources.table(&text(table)?);
        }
        // The one function without a table.
        if text(LOG)?.contains("fn aclAppLog") {
            sources.emulated.insert("aclAppLog".to_owned());
        }
        for path in below("src")? {
            if path.extension().is_some_and(|extension| extension == "rs") {
                sources.calls(&text(&path)?);
            }
        }
        Ok(sources)
    }

    /// Reads the functions of modules: `runtime {`, lines of `aclInit, aclFinalize,` and `}`.
    fn table(&mut self, text: &str) {
        let mut module = None;
        for line in text.lines().map(str::trim) {
            match (module, line.strip_suffix(" {")) {
                (_, Some(begun)) => module = Some(begun).filter(|name| is_name(name)),
                (Some(of), None) if line.ends_with(',') => {
                    let entries = line.split(',').map(str::trim).filter(|name| is_name(name));
                    let entries = entries.map(str::to_owned);
                    match of {
                        REFUSING => self.refused.extend(entries),
                        _ => self.emulated.extend(entries),
                    }
                }
                _ => module = None,
            }
        }
    }

    /// Reads the names in code, outside comments, attributes and texts, and the aliases.
    fn calls(&mut self, text: &str) {
        for list in text.split("#[doc(alias").skip(1) {
            let list = list.split(")]").next().unwrap_or_default();
            let names = list.split('"').skip(1).step_by(2);
            self.named.extend(names.map(str::to_owned));
        }
        for line in text.lines().map(str::trim_start) {
            if line.starts_with("//") || line.starts_with('#') {
                continue;
            }
            for code in line.split('"').step_by(2) {
                let words = code.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
                self.typed.extend(words.map(str::to_owned));
            }
        }
    }
}

fn is_name(word: &str) -> bool {
    let mut signs = word.chars();
    !word.is_empty() && signs.all(|sign| sign.is_alphanumeric() || sign == '_')
}

#[cfg(test)]
mod tests {
    use super::Sources;

    #[test]
    fn entries_and_calls_are_found() {
        let mut sources = Sources::default();
        sources.table("x!(X {\n runtime {\n aclInit,\n }\n refusal {\n aclrtX, aclrtY,\n }\n ..Y {\n aclA: b,\n");
        sources.calls(
            "let c = unsafe { sys::aclrtFree(p) };\n// sys::aclrtNot\nuse sys::aclError;\n\
             #[doc(alias = \"aclrtOld\")]\n#[doc(alias(\"aclrtA\",\n \"aclrtB\"))]",
        );
        assert!(sources.emulated.contains("aclInit") && sources.emulated.len() == 1);
        assert!(sources.refused.contains("aclrtX") && sources.refused.len() == 2);
        assert!(sources.typed.contains("aclrtFree") && !sources.typed.contains("aclrtNot"));
        assert!(
            sources
                .named
                .into_iter()
                .eq(["aclrtA", "aclrtB", "aclrtOld"])
        );
    }
}
