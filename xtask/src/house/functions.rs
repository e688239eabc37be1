//! `src/from_c.md`: which method of the typed API stands for which function of C.
//!
//! The page is made from the aliases in the sources (`#[doc(alias = "aclrtMalloc")]`), so it cannot name a method that
//! is gone. Operators have a page of their own, and are left out.

use std::collections::{BTreeMap, BTreeSet};

use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, Item, LitStr, Token, Visibility};

use super::names::Names;
use crate::sources::{Head, Source, head, methods};
use crate::tidy::floors::Package;

/// The page, which the documentation of the crate includes.
pub(super) const PAGE: &str = "src/from_c.md";

/// What the page is made of, beside the sources of the typed API.
#[derive(Debug, Default)]
pub(super) struct Functions {
    /// The area and the name of each function that is declared, in the order of the declarations.
    pub(super) declared: Vec<(String, String)>,
    /// The functions that public programs use most, of which none should be missing silently.
    pub(super) used: BTreeSet<String>,
    /// The functions that the typed API calls.
    pub(super) called: BTreeSet<String>,
}

/// What stands for a function of C: links to items, and the name in pyACL.
#[derive(Debug, Default)]
struct Here {
    links: BTreeSet<String>,
    python: Option<String>,
}

/// The aliases of the typed API, by the name in C.
type Aliases = BTreeMap<String, Here>;

/// The text of the page.
pub(super) fn page(sources: &[Source<'_>], names: &Names, functions: &Functions) -> String {
    let aliases = aliases(sources, names);
    let mut text =
        "<!-- `cargo xtask house --write` writes this page from the aliases in the sources. -->\n"
            .to_owned();
    for declared in functions
        .declared
        .chunk_by(|(one, _), (next, _)| one == next)
    {
        let (mut rows, mut untyped) = (String::new(), Vec::new());
        for (_, name) in declared {
            match aliases.get(name) {
                Some(Here { links, python }) => {
                    let python = python
                        .iter()
                        .map(|name| format!("`{name}` "))
                        .collect::<String>();
                    let links: Vec<_> = links.iter().map(String::as_str).collect();
                    rows += &format!("| `{name}` | {python}| {} |\n", links.join(", "));
                }
                None if functions.called.contains(name) => {
                    rows += &format!("| `{name}` | | called by the methods that need it |\n");
                }
                None if functions.used.contains(name) => untyped.push(format!("`{name}`")),
                None => {}
            }
        }
        if let Some((area, _)) = declared
            .first()
            .filter(|_| !rows.is_empty() || !untyped.is_empty())
        {
            text += &format!("\n# Area `{area}`\n\n");
        }
        if !rows.is_empty() {
            text += &format!("| C | pyACL | here |\n|---|---|---|\n{rows}");
        }
        if !untyped.is_empty() {
            let untyped = untyped.join(", ");
            text += &format!(
                "\nThese functions have only raw calls, in [`sys`](crate::sys): {untyped}.\n"
            );
        }
    }
    text
}

/// Reads the aliases of all public items, and of the functions in them.
fn aliases(sources: &[Source<'_>], names: &Names) -> Aliases {
    let mut found = Aliases::new();
    for source in sources {
        let place = |name: &Ident| place(names, Package::room(source.path()), &name.to_string());
        for item in &source.items {
            if let Some(Head { attrs, name, .. }) = head(item)
                && let Some(path) = place(name)
            {
                let call = if matches!(item, Item::Fn(_)) {
                    "()"
                } else {
                    ""
                };
                add(
                    &mut found,
                    attrs,
                    &format!("[`{name}{call}`](crate::{path})"),
                );
            }
            for (of, Head { vis, attrs, name }) in methods(item) {
                if let Some(path) = place(of).filter(|_| matches!(vis, Visibility::Public(_))) {
                    let link = format!("[`{of}::{name}`](crate::{path}::{name})");
                    add(&mut found, attrs, &link);
                }
            }
        }
    }
    found
}

/// The public path of an item with this name. Of several, the one in the module of the same room.
fn place(names: &Names, room: &str, name: &str) -> Option<String> {
    let of_name = |path: &&String| path.rsplit("::").next() == Some(name);
    let mut paths: Vec<&String> = names.all.iter().filter(of_name).collect();
    paths.sort_by_key(|path| !path.starts_with(room));
    paths.first().map(|path| (*path).clone())
}

/// Adds a link below each name of C among the attributes of an item.
fn add(found: &mut Aliases, attrs: &[Attribute], link: &str) {
    let words: Vec<String> = attrs.iter().flat_map(words).collect();
    let (python, c): (Vec<String>, Vec<String>) =
        words.into_iter().partition(|word| word.contains('.'));
    for name in &c {
        let here = found.entry(name.clone()).or_default();
        here.links.insert(link.to_owned());
        let of_python = match (c.as_slice(), python.as_slice()) {
            ([_], [one]) => Some(one),
            _ => python.iter().find(|python| is_same(name, python)),
        };
        here.python = here.python.take().or_else(|| of_python.cloned());
    }
}

/// Whether a name of pyACL is that of a function: `acl.rt.get_mem_info` is `aclrtGetMemInfo`.
fn is_same(c: &str, python: &str) -> bool {
    let bare = |text: &str| text.replace(['.', '_'], "").to_lowercase();
    bare(c) == bare(python)
}

/// The words of `#[doc(alias = "..")]` and of `#[doc(alias("..", ".."))]`.
fn words(attr: &Attribute) -> Vec<String> {
    let mut words = Vec::new();
    // Any other `doc` is a text, and no error.
    let _ = attr.parse_nested_meta(|meta| {
        if attr.path().is_ident("doc") && meta.path.is_ident("alias") {
            if let Ok(value) = meta.value() {
                words.push(value.parse::<LitStr>()?.value());
            } else {
                let inside;
                syn::parenthesized!(inside in meta.input);
                let list = Punctuated::<LitStr, Token![,]>::parse_terminated(&inside)?;
                words.extend(list.iter().map(LitStr::value));
            }
        }
        Ok(())
    });
    words
}
