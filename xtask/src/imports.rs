//! Reads which modules of the package's root a Rust file names.
//!
//! Tokens are read and not text, so comments and strings do not count. A path that `macro_rules!` writes with
//! `$crate` does not count either, because the file that uses the macro names that module.

use std::str::FromStr;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A module of the root that a file names, and the line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Import {
    pub(crate) line: usize,
    pub(crate) module: String,
}

/// The modules that a file names behind `crate::`, or behind as many `super::` as lead to the root.
///
/// `path` is that of the file below the source folder: `stream.rs`, `memory/host.rs`.
pub(crate) fn read(path: &str, text: &str) -> Result<Vec<Import>, String> {
    let tokens = TokenStream::from_str(text).map_err(|error| {
        let line = error.span().start().line;
        format!("{path}:{line}: cannot be read: {error}")
    })?;
    let folders = path.matches('/').count();
    // `a.rs` and `a/mod.rs` reach the root with one `super`, `a/b.rs` with two.
    let depth = folders + usize::from(!path.ends_with("mod.rs"));
    let mut found = Vec::new();
    walk(tokens, depth, &mut found);
    found.sort();
    found.dedup();
    Ok(found)
}

/// Reads the tokens of a module that stands `depth` modules below the root.
fn walk(tokens: TokenStream, depth: usize, found: &mut Vec<Import>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                let is_module = group.delimiter() == Delimiter::Brace
                    && at >= 2
                    && is_word(tokens.get(at - 2), "mod");
                walk(group.stream(), depth + usize::from(is_module), found);
            }
            TokenTree::Ident(word) => {
                let continues = at >= 1 && is_sign(tokens.get(at - 1), '$')
                    || at >= 2 && is_separator(&tokens, at - 2);
                let next = behind_root(&tokens, at, depth).filter(|_| !continues);
                let modules = next.map(|next| names(tokens.get(next)));
                let line = word.span().start().line;
                let import = |module| Import { line, module };
                found.extend(modules.into_iter().flatten().map(import));
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// The position after the root of a path that begins at `at`: after `crate::`, or after `depth` times `super::`.
fn behind_root(tokens: &[TokenTree], at: usize, depth: usize) -> Option<usize> {
    let (word, count) = if is_word(tokens.get(at), "crate") {
        ("crate", 1)
    } else {
        ("super", depth)
    };
    let mut next = at;
    for _ in 0..count {
        if !is_word(tokens.get(next), word) || !is_separator(tokens, next + 1) {
            return None;
        }
        next += 3;
    }
    let is_root = count > 0 && !is_word(tokens.get(next), "super");
    is_root.then_some(next)
}

/// `stream` of `stream::Stream`, and `raw`, `state` of `{raw, state::Uninit}`.
fn names(token: Option<&TokenTree>) -> Vec<String> {
    match token {
        Some(TokenTree::Ident(name)) if name != "self" => vec![name.to_string()],
        Some(TokenTree::Group(group)) => {
            let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
            let parts = tokens.split(|token| is_sign(Some(token), ','));
            parts.flat_map(|part| names(part.first())).collect()
        }
        _ => Vec::new(),
    }
}

fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident == word)
}

fn is_sign(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

/// Whether `::` stands at `at`.
fn is_separator(tokens: &[TokenTree], at: usize) -> bool {
    is_sign(tokens.get(at), ':') && is_sign(tokens.get(at + 1), ':')
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn paths_from_the_root_are_found_with_their_lines() {
        let text = "use crate::{error, memory::{self, Buf}};\n\nfn a(b: crate::raw::B) { super::stream::c() }\n";
        for (path, text, expected) in [
            ("event.rs", text, "1 error, 1 memory, 3 raw, 3 stream"),
            ("a/b.rs", "use super::c;", ""),
            ("a/b.rs", "use super::super::c;", "1 c"),
            ("a/mod.rs", "use super::c;", "1 c"),
            ("a.rs", "mod tests { use super::c; }", ""),
            ("a.rs", "mod tests { use super::super::c; }", "1 c"),
            ("a.rs", "fn f() { { super::c() } }", "1 c"),
            ("a.rs", "use super::super::c;", ""),
            // Comments, texts, macros and longer paths do not count.
            ("a.rs", "//! See [`Stream`](crate::stream::Stream).\n", ""),
            (
                "a.rs",
                "/// crate::stream\nfn f() { g(\"crate::stream\") }",
                "",
            ),
            (
                "a.rs",
                "macro_rules! m { () => { $crate::stream::m() } }",
                "",
            ),
            ("a.rs", "pub(crate) fn f() {}", ""),
            ("a.rs", "use other::crate_::stream;", ""),
        ] {
            let read = read(path, text).unwrap_or_default().into_iter();
            let found = read.map(|one| format!("{} {}", one.line, one.module));
            let found: Vec<_> = found.collect();
            assert_eq!(found.join(", "), expected, "{path}: {text}");
        }
        assert!(read("a.rs", "fn f( {").is_err());
    }
}
