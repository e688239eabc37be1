//! Drops that use what a value borrows. The compiler asks for a borrow at the end of a value only if a `Drop` has its
//! lifetime: that of the type, or of a field. A `PhantomData` has none. So a value that releases an object of a device, and
//! has the device as a `PhantomData`, can be dropped behind the reset of the device.
//!
//! The check reads the types of `src/` as they are written. It does not see types that a macro makes.

use std::collections::{BTreeMap, BTreeSet};

use syn::{
    Fields, GenericArgument, Generics, Item, PathArguments, PathSegment, Type, TypeParamBound,
    Visibility,
};

use super::Finding;
use crate::sources::{Source, name};

/// Types whose drop does not need a lifetime, with the reason: the name, the lifetime, the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("Batch", "a", "what is borrowed is not dropped"),
    ("Batch", "id", "a brand is the name of a stream"),
    ("Batch", "t", "what is borrowed is not dropped"),
    (
        "Comm",
        "t",
        "a thread that is bound to another device lets another thread destroy the communicator",
    ),
    (
        "Pipeline",
        "t",
        "parked streams and their memory belong to no thread",
    ),
    (
        "Plan",
        "b",
        "the destruction of an executor does not use the memory of its tensors",
    ),
];

/// Types that drop nothing of what they have.
const HOLLOW: [&str; 5] = [
    "ManuallyDrop",
    "MaybeUninit",
    "NonNull",
    "PhantomData",
    "Weak",
];

/// A type of the package, or another name of a type.
struct Known<'s> {
    place: (&'s str, usize),
    is_public: bool,
    lifetimes: Vec<String>,
    fields: Vec<&'s Type>,
}

/// All types with a name. Two of one name are in different modules.
#[derive(Default)]
struct Types<'s> {
    known: BTreeMap<String, Vec<Known<'s>>>,
    /// The types with a `Drop` of their own.
    drops: BTreeSet<String>,
}

pub(super) fn check(sources: &[Source<'_>]) -> Vec<Finding> {
    find(sources, EXCEPTIONS)
}

fn find(sources: &[Source<'_>], exceptions: &[(&str, &str, &str)]) -> Vec<Finding> {
    let mut types = Types::default();
    for Source { file, items } in sources {
        types.add(&file.path, items);
    }
    let mut findings = Vec::new();
    let mut unused: BTreeSet<_> = exceptions
        .iter()
        .map(|(name, of, _)| (*name, *of))
        .collect();
    for (name, known) in &types.known {
        for known in known.iter().filter(|known| known.is_public) {
            let (file, line) = &known.place;
            for lifetime in types.unseen(name, known) {
                if unused.remove(&(name.as_str(), lifetime)) {
                    continue;
                }
                let what = format!(
                    "the drop of `{name}` releases something, and the compiler does not see that it may use what is \
                     borrowed for `'{lifetime}`; add a field `DropUses<'{lifetime}>` (src/state.rs), or enter the reason \
                     in xtask/src/tidy/drops.rs"
                );
                findings.push(Finding::new(file, *line, what));
            }
        }
    }
    for (name, lifetime) in unused {
        let what = format!("the exception `{name}` with `'{lifetime}` is of no use");
        findings.push(Finding::new("xtask/src/tidy/drops.rs", 1, what));
    }
    findings
}

impl<'s> Types<'s> {
    fn add(&mut self, file: &'s str, items: &'s [Item]) {
        for item in items {
            match item {
                Item::Struct(item) => {
                    let fields = types_of(&item.fields).collect();
                    self.enter(file, &item.ident, &item.vis, &item.generics, fields);
                }
                Item::Enum(item) => {
                    let fields = item.variants.iter();
                    let fields = fields.flat_map(|variant| types_of(&variant.fields));
                    let fields = fields.collect();
                    self.enter(file, &item.ident, &item.vis, &item.generics, fields);
                }
                Item::Type(item) => {
                    let inherited = Visibility::Inherited;
                    let fields = vec![&*item.ty];
                    self.enter(file, &item.ident, &inherited, &item.generics, fields);
                }
                Item::Impl(item) => {
                    let of = item
                        .trait_
                        .as_ref()
                        .and_then(|(path, _)| path.segments.last());
                    if of.is_some_and(|of| of.ident == "Drop")
                        && let Some(name) = name(&item.self_ty)
                    {
                        self.drops.insert(name.to_string());
                    }
                }
                Item::Mod(item) => {
                    let items = item.content.as_ref().map(|(_, items)| items.as_slice());
                    self.add(file, items.unwrap_or_default());
                }
                _ => {}
            }
        }
    }

    fn enter(
        &mut self,
        file: &'s str,
        name: &syn::Ident,
        visibility: &Visibility,
        generics: &Generics,
        fields: Vec<&'s Type>,
    ) {
        let lifetimes = generics.lifetimes();
        let known = Known {
            place: (file, name.span().start().line),
            is_public: matches!(visibility, Visibility::Public(_)),
            lifetimes: lifetimes.map(|of| of.lifetime.ident.to_string()).collect(),
            fields,
        };
        self.known.entry(name.to_string()).or_default().push(known);
    }

    /// The lifetimes of a type that releases something, without those that its drop needs.
    fn unseen<'a>(&self, name: &str, known: &'a Known<'_>) -> Vec<&'a str> {
        let fields = || known.fields.iter();
        let mut seen = BTreeSet::new();
        if self.drops.contains(name) || !fields().any(|field| self.releases(field, &mut seen)) {
            return Vec::new();
        }
        let lifetimes = known.lifetimes.iter().map(String::as_str);
        lifetimes
            .filter(|of| !fields().any(|field| self.needs(field, of, &mut BTreeSet::new())))
            .collect()
    }

    /// Whether the drop of a value runs a `Drop` of this package.
    fn releases(&self, of: &Type, seen: &mut BTreeSet<String>) -> bool {
        let Some(segment) = segment(of) else {
            return inner(of)
                .into_iter()
                .any(|inner| self.releases(inner, seen));
        };
        let name = segment.ident.to_string();
        if HOLLOW.contains(&name.as_str()) {
            return false;
        }
        let (_, types) = arguments(segment);
        if self.drops.contains(&name) || types.into_iter().any(|of| self.releases(of, seen)) {
            return true;
        }
        if !seen.insert(name.clone()) {
            return false;
        }
        let known = self.known.get(&name).into_iter().flatten();
        let mut fields = known.flat_map(|known| &known.fields);
        fields.any(|field| self.releases(field, seen))
    }

    /// Whether the compiler asks for a lifetime at the drop of a value. Types of one name have to agree.
    fn needs(&self, of: &Type, lifetime: &str, seen: &mut BTreeSet<(String, String)>) -> bool {
        if let Type::TraitObject(object) = of {
            let is_bound = |bound: &TypeParamBound| matches!(bound, TypeParamBound::Lifetime(of) if of.ident == lifetime);
            return object.bounds.iter().any(is_bound);
        }
        let Some(segment) = segment(of) else {
            return inner(of)
                .into_iter()
                .any(|inner| self.needs(inner, lifetime, seen));
        };
        let name = segment.ident.to_string();
        if HOLLOW.contains(&name.as_str()) {
            return false;
        }
        let (lifetimes, types) = arguments(segment);
        if types.into_iter().any(|of| self.needs(of, lifetime, seen)) {
            return true;
        }
        let places = lifetimes.iter().enumerate();
        let mut places = places
            .filter(|(_, of)| *of == lifetime)
            .map(|(place, _)| place);
        places.any(|place| {
            if self.drops.contains(&name) {
                return true;
            }
            let known = self.known.get(&name).map_or(&[][..], Vec::as_slice);
            let is_needed = |known: &Known<'_>| {
                let Some(inside) = known.lifetimes.get(place) else {
                    return false;
                };
                let is_new = seen.clone().insert((name.clone(), inside.clone()));
                let mut seen = seen.clone();
                seen.insert((name.clone(), inside.clone()));
                let mut fields = known.fields.iter();
                is_new && fields.any(|field| self.needs(field, inside, &mut seen))
            };
            !known.is_empty() && known.iter().all(is_needed)
        })
    }
}

fn types_of(fields: &Fields) -> impl Iterator<Item = &Type> {
    fields.iter().map(|field| &field.ty)
}

/// The name of a type, with its arguments.
fn segment(of: &Type) -> Option<&PathSegment> {
    match of {
        Type::Path(path) if path.qself.is_none() => {
            let mut segments = path.path.segments.iter().rev();
            let last = segments.next();
            // A type of a parameter, such as `X::Site`, is of no type that has the name.
            let is_of = |before: &PathSegment| {
                let name = before.ident.to_string();
                name.starts_with(char::is_uppercase)
            };
            last.filter(|_| !segments.next().is_some_and(is_of))
        }
        _ => None,
    }
}

/// The parts of a type without a name. A reference and a pointer own nothing.
fn inner(of: &Type) -> Vec<&Type> {
    match of {
        Type::Array(of) => vec![&of.elem],
        Type::Slice(of) => vec![&of.elem],
        Type::Group(of) => vec![&of.elem],
        Type::Paren(of) => vec![&of.elem],
        Type::Tuple(of) => of.elems.iter().collect(),
        _ => Vec::new(),
    }
}

/// The lifetimes and the types among the arguments of a name.
fn arguments(segment: &PathSegment) -> (Vec<String>, Vec<&Type>) {
    let (mut lifetimes, mut types) = (Vec::new(), Vec::new());
    if let PathArguments::AngleBracketed(all) = &segment.arguments {
        for argument in &all.args {
            match argument {
                GenericArgument::Lifetime(of) => lifetimes.push(of.ident.to_string()),
                GenericArgument::Type(of) => types.push(of),
                _ => {}
            }
        }
    }
    (lifetimes, types)
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::files::File;
    use crate::sources;

    /// An object of the runtime, and the marker.
    const BASE: &str = "pub struct Object(u8);\nimpl Drop for Object { fn drop(&mut self) {} }\n\
        struct DropUses<'a>(PhantomData<&'a ()>);\nimpl Drop for DropUses<'_> { fn drop(&mut self) {} }\n";

    fn found(text: &str) -> Vec<String> {
        let files = [
            File::sample("src/base.rs", BASE),
            File::sample("src/a.rs", text),
        ];
        let findings = find(&sources::read(&files).unwrap_or_default(), &[]);
        findings.into_iter().map(|finding| finding.place).collect()
    }

    #[test]
    fn a_release_behind_a_marker_without_a_drop_is_found() {
        for text in [
            "pub struct A<'d> { object: Object, _d: PhantomData<&'d ()> }",
            "pub struct A<'d>(Option<Arc<Object>>, PhantomData<&'d ()>);",
            "pub struct A<'d>([Object; 2], &'d ());",
            "pub enum A<'d> { One(Object), Two(&'d u8) }",
            "struct B { object: Object }\npub struct A<'d>(B, PhantomData<&'d ()>);",
            // The marker is for another lifetime.
            "pub struct A<'d, 'e>(Object, DropUses<'d>, &'e ());",
            "struct B<'x, 'y>(DropUses<'y>, &'x ());\npub struct A<'d>(Object, B<'d, 'static>);",
            // A type of a parameter may need nothing.
            "pub struct A<'d, X: Has>(Object, X::DropUses<'d>);",
            "type Many<T> = Vec<T>;\npub struct A<'d>(Many<Object>, &'d ());",
        ] {
            let line = text.lines().count();
            assert_eq!(found(text), [format!("src/a.rs:{line}")], "{text}");
        }
    }

    #[test]
    fn drops_that_the_compiler_sees_are_accepted() {
        for text in [
            "pub struct A<'d>(Object, DropUses<'d>);",
            "pub struct A<'d>(Object, &'d ());\nimpl Drop for A<'_> { fn drop(&mut self) {} }",
            "struct B<'x>(Object, DropUses<'x>);\npub struct A<'d>(Vec<Option<B<'d>>>);",
            "struct B<'x, 'y>(DropUses<'y>, &'x ());\npub struct A<'d>(Object, B<'static, 'd>);",
            "struct B<'x>(DropUses<'x>);\ntype C<'z> = (u8, B<'z>);\npub struct A<'d>(Object, C<'d>);",
            "pub struct A<'d>(Object, Box<dyn FnOnce() + 'd>);",
            // Nothing is released.
            "pub struct A<'d>(&'d Object);",
            "pub struct A<'d>(Weak<Object>, ManuallyDrop<Object>, PhantomData<&'d Object>);",
            // Nothing is borrowed, or nobody outside has one.
            "pub struct A(Object);",
            "struct A<'d>(Object, &'d ());",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn exceptions_are_for_one_type_and_one_lifetime() {
        let text = "pub struct A<'d, 'e>(Object, &'d (), &'e ());";
        let files = [
            File::sample("src/base.rs", BASE),
            File::sample("src/a.rs", text),
        ];
        let sources = sources::read(&files).unwrap_or_default();
        let found = |exceptions: &[_]| find(&sources, exceptions).len();
        assert_eq!(found(&[]), 2);
        assert_eq!(found(&[("A", "e", "")]), 1);
        assert_eq!(
            found(&[("A", "e", ""), ("B", "d", "")]),
            2,
            "one is of no use"
        );
    }
}
