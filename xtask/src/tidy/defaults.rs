//! Defaults of traits. A type that wraps another one inherits them without a word, and loses what its contents have to
//! learn or to say: a mark that nothing proves, a copy that waits. So a trait of `src/` leaves each method and each constant
//! to its implementations, also where most of them have the same.

use syn::parse::{Parse, ParseStream};
use syn::{Item, ItemTrait, LitStr, Token, TraitItem};

use super::Finding;
use crate::sources::Source;

/// Defaults that a wrapper may inherit, with the reason: the trait, the item, the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "Source",
        "WHOLE",
        "`false` claims nothing: the address is checked",
    ),
    (
        "Destination",
        "WHOLE",
        "`false` claims nothing: the address is checked",
    ),
    (
        "Output",
        "data",
        "one implementation, for all types, has this method",
    ),
    ("Operator", "entry", "`operator!` writes the rest"),
    ("Operator", "find", "`operator!` writes the rest"),
    ("Operator", "prepare", "`operator!` writes the rest"),
    ("Operator", "launch", "`operator!` writes the rest"),
    ("Operator", "plan", "`operator!` writes the rest"),
];

/// What stands in `sealed! { .. }`: the reason, and a trait.
struct Sealed(ItemTrait);

impl Parse for Sealed {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<LitStr>()?;
        input.parse::<Token![;]>()?;
        input.parse().map(Sealed)
    }
}

pub(super) fn check(sources: &[Source<'_>]) -> Vec<Finding> {
    find(sources, EXCEPTIONS)
}

fn find(sources: &[Source<'_>], exceptions: &[(&str, &str, &str)]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut unused: Vec<_> = exceptions.iter().collect();
    for Source { file, items } in sources {
        for (of, item, line) in defaults(items) {
            let is_it = |known: &&(&str, &str, &str)| known.0 == of && known.1 == item;
            if let Some(place) = unused.iter().position(is_it) {
                unused.remove(place);
                continue;
            }
            let what = format!(
                "`{of}::{item}` has a default, which a wrapper inherits: leave it to each implementation, or enter the \
                 reason in xtask/src/tidy/defaults.rs"
            );
            findings.push(Finding::new(&file.path, line, what));
        }
    }
    for (of, item, _) in unused {
        let what = format!("the exception `{of}::{item}` is of no use");
        findings.push(Finding::new("xtask/src/tidy/defaults.rs", 1, what));
    }
    findings
}

/// The trait, the item and the line of each default.
fn defaults(items: &[Item]) -> Vec<(String, String, usize)> {
    let mut found = Vec::new();
    for item in items {
        match item {
            Item::Trait(item) => found.extend(of_trait(item)),
            Item::Macro(item)
                if item
                    .mac
                    .path
                    .segments
                    .last()
                    .is_some_and(|last| last.ident == "sealed") =>
            {
                if let Ok(Sealed(item)) = item.mac.parse_body() {
                    found.extend(of_trait(&item));
                }
            }
            Item::Mod(item) => {
                let items = item.content.as_ref().map(|(_, items)| items.as_slice());
                found.extend(defaults(items.unwrap_or_default()));
            }
            _ => {}
        }
    }
    found
}

fn of_trait(of: &ItemTrait) -> impl Iterator<Item = (String, String, usize)> {
    of.items.iter().filter_map(|item| {
        let name = match item {
            TraitItem::Fn(item) if item.default.is_some() => &item.sig.ident,
            TraitItem::Const(item) if item.default.is_some() => &item.ident,
            _ => return None,
        };
        let line = name.span().start().line;
        Some((of.ident.to_string(), name.to_string(), line))
    })
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::files::File;
    use crate::sources;

    const SOURCE: &str = "pub(crate) mod owned {
    sealed! {
        \"a reason\";
        pub trait Owned<D> {
            unsafe fn park(self);
            fn accepted(&self) {}
        }
    }
}
trait Source { const WAITS: bool = false; const WHOLE: bool; }
";

    #[test]
    fn a_default_is_found_in_each_trait() {
        let file = File::sample("src/queue/mod.rs", SOURCE);
        let found = |exceptions: &[(&str, &str, &str)]| {
            let sources = sources::read(std::slice::from_ref(&file)).unwrap_or_default();
            let findings = find(&sources, exceptions);
            let places = findings.into_iter().map(|finding| finding.place);
            places.collect::<Vec<_>>()
        };
        assert_eq!(found(&[]), ["src/queue/mod.rs:6", "src/queue/mod.rs:10"]);
        let known = ("Owned", "accepted", "no reason");
        assert_eq!(found(&[known]), ["src/queue/mod.rs:10"]);
        let stale = ("Owned", "park", "no reason");
        assert_eq!(
            found(&[known, ("Source", "WAITS", ""), stale]),
            ["xtask/src/tidy/defaults.rs:1"]
        );
    }
}
