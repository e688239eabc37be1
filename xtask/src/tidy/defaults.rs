//! Defaults of traits. A type that wraps another one inherits them without a word, and loses what its contents have to
//! learn or to say: a mark that nothing proves, a copy that waits. So a trait of `src/` leaves each method and each constant
//! to its implementations, also where most of them have the same.

use syn::parse::{ParseStream, Parser as _};
use syn::{Item, ItemTrait, LitStr, Token, TraitItem};

use super::{Suspect, suspect};
use crate::sources::{Source, flat};

pub(super) fn check(sources: &[Source<'_>]) -> Vec<Suspect> {
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
                let (line, name) = (name.span().start().line, format!("{}::{name}", of.ident));
                let what = format!(
                    "`{name}` has a default, which a wrapper inherits: leave it to each implementation"
                );
                suspects.push(suspect(["defaults", &name], file, line, &what));
            }
        }
    }
    suspects
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
    use super::super::tests::found;
    use super::check;
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
        let files = [File::sample("src/a.rs", SOURCE)];
        let sources = sources::read(&files).unwrap_or_default();
        let lines = found(&check(&sources));
        let names = lines.iter().map(|line| line.split(" has").next());
        let expected = [
            "src/a.rs:6: `Owned::accepted`",
            "src/a.rs:10: `Source::WAITS`",
        ];
        assert!(names.eq(expected.map(Some)), "{lines:?}");
    }
}
