//! The operators of a table: the entries of `functions! { .. }`, of which each makes a function and a type.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::Item;

/// The macro of the tables.
const MACRO: &str = "functions";

/// The module that the macro makes for the types of its operators.
pub(super) const TYPES: &str = "types";

/// What one entry makes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The type of the operator.
    pub(super) operator: String,
    /// The function that prepares it.
    pub(super) function: String,
}

/// The entries of all tables among the items of a module.
pub(super) fn entries(items: &[Item]) -> Result<Vec<Entry>, String> {
    let mut all = Vec::new();
    for item in items {
        if let Item::Macro(called) = item
            && called.ident.is_none()
            && called.mac.path.is_ident(MACRO)
        {
            let tokens: Vec<TokenTree> = called.mac.tokens.clone().into_iter().collect();
            for part in tokens.split(|token| is_punct(token, ';')) {
                if !matches!(part, [] | [TokenTree::Literal(_)]) {
                    all.push(entry(part).ok_or_else(|| unread(part))?);
                }
            }
        }
    }
    Ok(all)
}

/// `#[doc = ".."] Name<T: Family>, name(..) = ..`
fn entry(mut part: &[TokenTree]) -> Option<Entry> {
    while let [hash, TokenTree::Group(_), rest @ ..] = part
        && is_punct(hash, '#')
    {
        part = rest;
    }
    let [TokenTree::Ident(operator), rest @ ..] = part else {
        return None;
    };
    let mut open = 0_usize;
    let end = rest.iter().position(|token| {
        open += usize::from(is_punct(token, '<'));
        open = open.saturating_sub(usize::from(is_punct(token, '>')));
        open == 0
    })?;
    match rest.get(end + 1..)? {
        [
            comma,
            TokenTree::Ident(function),
            TokenTree::Group(group),
            ..,
        ] if is_punct(comma, ',') && group.delimiter() == Delimiter::Parenthesis => Some(Entry {
            operator: operator.to_string(),
            function: function.to_string(),
        }),
        _ => None,
    }
}

fn unread(part: &[TokenTree]) -> String {
    let text: TokenStream = part.iter().cloned().collect();
    format!("`{MACRO}!` has an entry that is not `Name<..>, name(..) = ..`: {text}")
}

fn is_punct(token: &TokenTree, expected: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == expected)
}

#[cfg(test)]
mod tests {
    use super::{Entry, entries};

    fn read(text: &str) -> Result<Vec<Entry>, String> {
        entries(&syn::parse_file(text).map_or_else(|_| Vec::new(), |file| file.items))
    }

    #[test]
    fn an_entry_makes_a_function_and_a_type() {
        let text = "other! { A<T>, a(x) = b; } functions! { \"about\"; /// Prepares.\n #[doc(alias(\"x\"))] \
                    Add<T: Into<i64>, U: crate::Any>, add(a: in T, b: list U) = x, y, |op| f(op); \
                    Neg<T: Any>, neg(a: in T) = x, y, |_| ok(); }";
        let entry = |operator: &str, function: &str| Entry {
            operator: operator.into(),
            function: function.into(),
        };
        assert_eq!(
            read(text),
            Ok(vec![entry("Add", "add"), entry("Neg", "neg")])
        );
        assert!(read("functions! { \"about\"; Add<T>: add(a: in T) = x; }").is_err());
    }
}
