//! Causes of errors. A program that prints an error with its causes, or looks for one among them, asks for
//! `std::error::Error::source`. So a type of `src/` that is an error and holds another one gives it.

use std::collections::BTreeMap;

use syn::spanned::Spanned;
use syn::{Item, Type};

use super::{Exceptions, excepted};
use crate::finding::Finding;
use crate::sources::{Source, flat, name};

/// Errors that give no error that they hold, with the reason.
pub(super) const EXCEPTIONS: Exceptions<'_> = &[(
    "Error ErrorKind Usage",
    "their text is that of the error that they hold, which has no cause",
)];

pub(super) fn check(sources: &[Source<'_>], exceptions: Exceptions<'_>) -> Vec<Finding> {
    let items = || {
        sources.iter().flat_map(|Source { file, items }| {
            flat(items).into_iter().map(move |item| (*file, item))
        })
    };
    // Whether each error gives a cause. A derived one says it at the field.
    let mut errors = BTreeMap::new();
    for (_, item) in items() {
        match item {
            Item::Impl(of) => {
                let Some((path, _)) = &of.trait_ else {
                    continue;
                };
                let path = text(path);
                if let ("std::error::Error", Some(name)) = (&*path, name(&of.self_ty)) {
                    errors.insert(name.to_string(), !of.items.is_empty());
                }
            }
            Item::Enum(of) => {
                let text = text(of);
                if text.contains("thiserror::Error") {
                    let gives = text.contains("#[source]") || text.contains("#[from]");
                    errors.insert(of.ident.to_string(), gives);
                }
            }
            _ => {}
        }
    }
    let mut suspects = Vec::new();
    for (file, item) in items() {
        let (ident, fields): (_, Vec<&Type>) = match item {
            Item::Struct(of) => (&of.ident, of.fields.iter().map(|field| &field.ty).collect()),
            Item::Enum(of) => {
                let fields = of.variants.iter().flat_map(|variant| &variant.fields);
                (&of.ident, fields.map(|field| &field.ty).collect())
            }
            _ => continue,
        };
        let holds = |ty: &&Type| {
            text(*ty)
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| errors.contains_key(word))
        };
        if errors.get(&ident.to_string()) == Some(&false) && fields.iter().any(holds) {
            let what = format!(
                "`{ident}` holds an error that it does not give: implement `source`, or enter the reason in \
                 xtask/src/tidy/causes.rs"
            );
            let finding = Finding::new(&file.path, ident.span().start().line, what);
            suspects.push((ident.to_string(), finding));
        }
    }
    excepted("xtask/src/tidy/causes.rs", exceptions, suspects)
}

fn text(of: &impl Spanned) -> String {
    of.span().source_text().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::files::File;
    use crate::finding::lines;
    use crate::sources;

    const SOURCE: &str = "struct Refused(Option<Box<Mistake>>);
impl std::error::Error for Refused {}
#[derive(thiserror::Error)]
enum Mistake { Length(usize) }
struct Left<Q> { error: Refused, memory: Q }
impl<Q> std::error::Error for Left<Q> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> { Some(&self.error) }
}
struct NoError(Refused);
#[derive(thiserror::Error)]
enum Derived { Of { error: Refused } }
";

    #[test]
    fn an_error_that_hides_its_cause_is_found() {
        let files = [File::sample("src/a.rs", SOURCE)];
        let sources = sources::read(&files).unwrap_or_default();
        let found = |exceptions: &[_]| {
            let lines = lines(&check(&sources, exceptions)).into_iter();
            let words = lines.filter_map(|line| line.split(' ').next().map(str::to_owned));
            words.collect::<Vec<_>>()
        };
        assert_eq!(found(&[]), ["src/a.rs:1:", "src/a.rs:11:"]);
        assert_eq!(found(&[("Refused", "no reason")]), ["src/a.rs:11:"]);
        let useless = found(&[("Refused Derived Left", "")]);
        assert_eq!(useless, ["xtask/src/tidy/causes.rs:1:"]);
    }
}
