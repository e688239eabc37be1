//! The operators of a table: the entries of `functions! { .. }`, of which each makes a function and a type.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::Item;

/// The macro of the tables.
const MACRO: &str = "functions";

/// The module that the macro makes for the types of its operators.
pub(crate) const TYPES: &str = "types";

/// What one entry makes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The type of the operator.
    pub(crate) operator: String,
    /// Its type parameters, `T: Family, U: Element`.
    pub(crate) families: String,
    /// The function that prepares it.
    pub(crate) function: String,
    /// The second phase in C.
    pub(crate) launch: String,
}

/// The entries of all tables among the items of a module.
pub(crate) fn entries(items: &[Item]) -> Result<Vec<Entry>, String> {
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

/// `#[doc = ".."] Name<T: Family>, name(..) = aclnnName, ..`
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
    let families: String = rest.get(1..end)?.iter().map(ToString::to_string).collect();
    match rest.get(end + 1..)? {
        [
            comma,
            TokenTree::Ident(function),
            TokenTree::Group(group),
            equals,
            TokenTree::Ident(launch),
            ..,
        ] if is_punct(comma, ',')
            && group.delimiter() == Delimiter::Parenthesis
            && is_punct(equals, '=') =>
        {
            Some(Entry {
                operator: operator.to_string(),
                families: families.replace(':', ": ").replace(',', ", "),
                function: function.to_string(),
                launch: launch.to_string(),
            })
        }
        _ => None,
    }
}

fn unread(part: &[TokenTree]) -> String {
    let text: TokenStream = part.iter().cloned().collect();
    format!("`{MACRO}!` has an entry that is not `Name<..>, name(..) = aclnnName, ..`: {text}")
}

fn is_punct(token: &TokenTree, expected: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == expected)
}

#[cfg(test)]
mod tests {
    use super::entries;

    #[test]
    fn an_entry_of_another_form_is_an_error() {
        let read = |text: &str| {
            let file = syn::parse_file(text).map_err(|error| error.to_string());
            file.and_then(|file| entries(&file.items))
                .map(|entries| entries.len())
        };
        assert_eq!(
            read("functions! { \"about\"; Neg<T: Any>, neg(a: in T) = aclnnNeg, y; }"),
            Ok(1)
        );
        assert!(read("functions! { \"about\"; Neg<T>: neg(a: in T) = aclnnNeg; }").is_err());
    }
}
