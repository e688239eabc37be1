//! The functions that the emulator has, and those that the typed API calls or names, read from the sources.

use std::collections::BTreeSet;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::error::{Context as _, Error};
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
            sources.table(tokens(table.as_ref())?);
        }
        // The one function without a table.
        if text(LOG)?.contains("fn aclAppLog") {
            sources.emulated.insert("aclAppLog".to_owned());
        }
        for path in below("src")? {
            if path.extension().is_some_and(|extension| extension == "rs") {
                sources.calls(tokens(&path)?, false);
            }
        }
        Ok(sources)
    }

    /// Reads the functions of modules: `runtime { aclInit, aclFinalize, }`.
    fn table(&mut self, tokens: TokenStream) {
        let mut module = String::new();
        for token in tokens {
            match token {
                TokenTree::Ident(word) => module = word.to_string(),
                TokenTree::Group(group) => match names(&group) {
                    Some(names) if module == REFUSING => self.refused.extend(names),
                    Some(names) => self.emulated.extend(names),
                    None => self.table(group.stream()),
                },
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    /// Reads the words of the code, and the texts of aliases: `alias = ".."` and `alias("..", "..")`.
    fn calls(&mut self, tokens: TokenStream, of_alias: bool) {
        let first = tokens.clone().into_iter().next();
        let of_alias = of_alias || first.is_some_and(|first| first.to_string() == "alias");
        for token in tokens {
            match token {
                TokenTree::Ident(word) => drop(self.typed.insert(word.to_string())),
                TokenTree::Group(group) => self.calls(group.stream(), of_alias),
                TokenTree::Literal(text) if of_alias => {
                    self.named
                        .insert(text.to_string().trim_matches('"').to_owned());
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

fn tokens(path: &Path) -> Result<TokenStream, Error> {
    text(path)?.parse().on(path.display())
}

/// The names in braces that have nothing else.
fn names(group: &proc_macro2::Group) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for token in group.stream() {
        match token {
            TokenTree::Ident(name) => names.push(name.to_string()),
            TokenTree::Punct(sign) if sign.as_char() == ',' => {}
            _ => return None,
        }
    }
    (group.delimiter() == Delimiter::Brace).then_some(names)
}

#[cfg(test)]
mod tests {
    use super::Sources;

    #[test]
    fn entries_and_calls_are_found() {
        let mut sources = Sources::default();
        let tokens = |text: &str| text.parse().unwrap_or_default();
        sources.table(tokens(
            "x!(X { runtime { aclInit, } refusal { aclrtX, aclrtY, } ..Y { aclA: b, } });",
        ));
        let code = "let c = unsafe { sys::aclrtFree(p, \"aclrtText\") };\n// sys::aclrtNot\nuse sys::aclError;\n\
                    #[doc(alias = \"aclrtOld\")]\n#[doc(alias(\"aclrtA\",\n \"aclrtB\"))]";
        sources.calls(tokens(code), false);
        assert!(sources.emulated.into_iter().eq(["aclInit"]));
        assert!(sources.refused.into_iter().eq(["aclrtX", "aclrtY"]));
        assert!(
            sources
                .named
                .into_iter()
                .eq(["aclrtA", "aclrtB", "aclrtOld"])
        );
        let is_typed = |name| sources.typed.contains(name);
        assert!(is_typed("aclrtFree") && !is_typed("aclrtNot") && !is_typed("aclrtText"));
    }
}
