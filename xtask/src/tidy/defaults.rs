//! Defaults of traits. A type that wraps another one inherits them without a word, and loses what its contents have to
//! learn or to say: a mark that nothing proves, a copy that waits. So a trait of `src/` leaves each method and each constant
//! to its implementations, also where most of them have the same.

use syn::parse::{ParseStream, Parser as _};
use syn::{Item, ItemTrait, LitStr, Token, TraitItem};

use super::{Exceptions, excepted};
use crate::finding::Finding;
use crate::sources::{Source, flat};

/// Defaults that a wrapper may inherit, as `<trait>::<item>`, with the reason.
pub(super) const EXCEPTIONS: Exceptions<'_> = &[
    (
        "Source::WHOLE Destination::WHOLE",
        "`false` claims nothing: the address is checked",
    ),
    (
        "Output::data",
        "one implementation, for all types, has this method",
    ),
    (
        "Operator::entry Operator::find Operator::prepare Operator::launch Operator::plan",
        "`operator!` writes the rest",
    ),
];

pub(super) fn check(sources: &[Source<'_>], exceptions: Exceptions<'_>) -> Vec<Finding> {
    let mut suspects = Vec::new();
    for Source { file, items } in sources {
        for item in flat(items) {
            let sealed = sealed(item);
            let of = match item {
                Item::Trait(of) => Some(of),
                _ => sealed.as_ref(),
            };
            let Some(of) = of else { continue };
            for item in &of.items {
                let name = match item {
                    TraitItem::Fn(item) if item.default.is_some() => &item.sig.ident,
                    TraitItem::Const(item) if item.default.is_some() => &item.ident,
                    _ => continue,
                };
                let what = format!(
                    "`{}::{name}` has a default, which a wrapper inherits: leave it to each implementation, or enter the \
                     reason in xtask/src/tidy/defaults.rs",
                    of.ident
                );
                let finding = Finding::new(&file.path, name.span().start().line, what);
                suspects.push((format!("{}::{name}", of.ident), finding));
            }
        }
    }
    excepted("xtask/src/tidy/defaults.rs", exceptions, suspects)
}

/// The trait in `sealed! { "the reason"; .. }`.
fn sealed(item: &Item) -> Option<ItemTrait> {
    let parse = |input: ParseStream<'_>| {
        input.parse::<LitStr>()?;
        input.parse::<Token![;]>()?;
        input.parse()
    };
    let Item::Macro(of) = item else { return None };
    let is_sealed = of.mac.path.segments.last()?.ident == "sealed";
    is_sealed.then(|| parse.parse2(of.mac.tokens.clone()).ok())?
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::files::File;
    use crate::finding::lines;
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
        let files = [File::sample("src/a.rs", SOURCE)];
        let sources = sources::read(&files).unwrap_or_default();
        let found = |exceptions: &[_]| {
            let lines = lines(&check(&sources, exceptions)).into_iter();
            let words = lines.filter_map(|line| line.split(' ').next().map(str::to_owned));
            words.collect::<Vec<_>>()
        };
        assert_eq!(found(&[]), ["src/a.rs:6:", "src/a.rs:10:"]);
        let known = ("Owned::accepted", "no reason");
        assert_eq!(found(&[known]), ["src/a.rs:10:"]);
        let stale = ("Owned::park", "no reason");
        let useless = found(&[known, ("Source::WAITS", ""), stale]);
        assert_eq!(useless, ["xtask/src/tidy/defaults.rs:1:"]);
    }
}
