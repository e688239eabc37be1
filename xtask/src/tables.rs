//! The operators of a table: the entries of `functions! { .. }`, of which each makes a function and a type.

use proc_macro2::{Group, TokenTree};
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{Attribute, Generics, Ident, Item, LitStr, Token};

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
            let read = called.mac.parse_body_with(table);
            all.extend(read.map_err(|error| {
                format!("`{MACRO}!` has an entry that is not `Name<..>, name(..) = aclnnName, ..`: {error}")
            })?);
        }
    }
    Ok(all)
}

/// What holds for all entries, and the entries.
fn table(input: ParseStream<'_>) -> syn::Result<Vec<Entry>> {
    input.parse::<LitStr>()?;
    input.parse::<Token![;]>()?;
    let mut entries = Vec::new();
    while !input.is_empty() {
        entries.push(entry(input)?);
    }
    Ok(entries)
}

/// `#[doc = ".."] Name<T: Family>, name(..) = aclnnName, ..;`
fn entry(input: ParseStream<'_>) -> syn::Result<Entry> {
    Attribute::parse_outer(input)?;
    let operator: Ident = input.parse()?;
    let families = input.parse::<Generics>()?.span().source_text();
    input.parse::<Token![,]>()?;
    let function: Ident = input.parse()?;
    input.parse::<Group>()?;
    input.parse::<Token![=]>()?;
    let launch: Ident = input.parse()?;
    while input.parse::<Option<Token![;]>>()?.is_none() {
        input.parse::<TokenTree>()?;
    }
    let families = families.unwrap_or_default();
    let families = families
        .strip_prefix('<')
        .and_then(|of| of.strip_suffix('>'));
    Ok(Entry {
        operator: operator.to_string(),
        families: families.unwrap_or_default().to_owned(),
        function: function.to_string(),
        launch: launch.to_string(),
    })
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
