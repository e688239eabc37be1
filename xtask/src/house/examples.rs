//! The public types and methods of the typed API whose documentation has no example.
//!
//! rustdoc shows an item alone, and a reader who arrives there by a search sees no other example. So each type and each
//! method comes with one.

use std::collections::BTreeSet;

use syn::{Attribute, Expr, ExprLit, Ident, Item, Lit};

use super::names::Names;
use crate::sources::{Head, Source, head, methods};

/// The room whose methods exist only for the messages of the compiler.
const REMEDIES: &str = "src/remedy/";

/// Types that are not public, and have the names of public ones.
const PRIVATE: [&str; 2] = ["src/op/shape.rs: Dims", "src/op/slot.rs: Place"];

/// The items without an example, as `<file>: <name>`.
pub(super) fn missing(sources: &[Source<'_>], names: &Names) -> Vec<String> {
    let public = names.all.iter().filter_map(|path| path.rsplit("::").next());
    let public: BTreeSet<&str> = public.collect();
    let is_public = |name: &Ident| public.contains(name.to_string().as_str());
    let (mut types, mut of_types) = (Vec::new(), Vec::new());
    for Source { file, items } in sources {
        if file.path.starts_with(REMEDIES) {
            continue;
        }
        for item in items {
            match item {
                Item::Struct(_) | Item::Enum(_) | Item::Type(_) => {
                    let of_type = head(item).filter(|head| is_public(head.name) && is_bare(head));
                    types.extend(of_type.map(|head| format!("{}: {}", file.path, head.name)));
                }
                Item::Impl(_) => {
                    let bare = methods(item).into_iter();
                    let bare = bare.filter(|(of, head)| is_public(of) && is_bare(head));
                    of_types.extend(
                        bare.map(|(of, head)| format!("{}: {of}::{}", file.path, head.name)),
                    );
                }
                _ => {}
            }
        }
    }
    types.retain(|place| !PRIVATE.contains(&place.as_str()));
    [types, of_types].concat()
}

/// Whether an item is public, and documented without an example.
fn is_bare(head: &Head<'_>) -> bool {
    let mut texts = head.attrs.iter().filter_map(text);
    head.is_public() && !texts.any(|text| text.contains("```"))
}

/// The text of a comment of documentation.
fn text(attr: &Attribute) -> Option<String> {
    let pair = attr.meta.require_name_value().ok();
    match &pair.filter(|pair| pair.path.is_ident("doc"))?.value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.value()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::missing;
    use crate::files::File;
    use crate::house::names::Names;
    use crate::sources;

    #[test]
    fn types_and_methods_without_an_example_are_found() {
        let text = "/// A type.\n/// ```\n/// let a = 1;\n/// ```\npub struct Shown;
            /// A type.\npub struct Bare; /// Not exported.\npub struct Own; struct Private;
            impl Shown { /// A method.\npub fn bare() {} /// ```\n/// ```\npub fn shown() {} fn own() {}
                #[doc(hidden)] pub fn hidden() {} }
            impl Private { pub fn unseen() {} } impl Clone for Shown { fn clone(&self) {} }";
        let files = [
            ("src/lib.rs", "mod a; pub use a::{Bare, Shown};"),
            ("src/a.rs", text),
            ("src/remedy/b.rs", "impl Shown { pub fn remedy() {} }"),
            ("tests/c.rs", "pub struct Bare;"),
        ]
        .map(|(path, text)| File::sample(path, text));
        let sources = sources::read(&files).unwrap_or_default();
        let names = Names::read(&sources).unwrap_or_default();
        assert_eq!(
            missing(&sources, &names),
            ["src/a.rs: Bare", "src/a.rs: Shown::bare"]
        );
    }
}
