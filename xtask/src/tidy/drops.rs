//! Drops that use what a value borrows. The compiler asks for a borrow at the end of a value only if a `Drop` has its
//! lifetime: that of the type, or of a field. A `PhantomData` has none. So a value that releases an object of a device, and
//! has the device as a `PhantomData`, can be dropped behind the reset of the device.
//!
//! The check reads the types of `src/` as they are written. It does not see types that a macro makes.

use std::collections::{BTreeMap, BTreeSet};

use syn::{
    GenericArgument, Generics, Item, PathArguments, PathSegment, Type, TypeParamBound, Visibility,
};

use super::{Suspect, suspect};
use crate::files::File;
use crate::sources::{Source, flat, head, name};

/// Types that drop nothing of what they have.
const HOLLOW: &str = "ManuallyDrop MaybeUninit NonNull PhantomData Weak";

/// A type of the package, or another name of a type.
struct Known<'s> {
    file: &'s File,
    line: usize,
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

pub(super) fn check(sources: &[Source<'_>]) -> Vec<Suspect> {
    let mut types = Types::default();
    for Source { file, items } in sources {
        for item in flat(items) {
            types.add(file, item);
        }
    }
    let mut suspects = Vec::new();
    let all = types.known.iter();
    for (name, of) in all.flat_map(|(name, all)| all.iter().map(move |of| (name, of))) {
        for lifetime in types.unseen(name, of) {
            let what = format!(
                "the drop of `{name}` releases something, and the compiler does not see that it may use what is \
                 borrowed for `'{lifetime}`; add a field `DropUses<'{lifetime}>` (src/state.rs)"
            );
            let name = format!("{name}::{lifetime}");
            suspects.push(suspect(["drops", &name], of.file, of.line, &what));
        }
    }
    suspects
}

impl<'s> Types<'s> {
    fn add(&mut self, file: &'s File, item: &'s Item) {
        let (generics, fields): (&Generics, Vec<&Type>) = match item {
            Item::Struct(of) => (
                &of.generics,
                of.fields.iter().map(|field| &field.ty).collect(),
            ),
            Item::Enum(of) => {
                let fields = of.variants.iter().flat_map(|variant| &variant.fields);
                (&of.generics, fields.map(|field| &field.ty).collect())
            }
            Item::Type(of) => (&of.generics, vec![&of.ty]),
            Item::Impl(of) => {
                let of_trait = of.trait_.as_ref();
                let of_trait = of_trait.and_then(|(path, _)| path.segments.last());
                let dropped = of_trait.filter(|of| of.ident == "Drop");
                let dropped = dropped.and(name(&of.self_ty));
                self.drops.extend(dropped.map(ToString::to_string));
                return;
            }
            _ => return,
        };
        let Some(head) = head(item) else { return };
        let lifetimes = generics.lifetimes();
        let known = Known {
            file,
            line: head.name.span().start().line,
            is_public: matches!(
                (head.vis, item),
                (Visibility::Public(_), Item::Struct(_) | Item::Enum(_))
            ),
            lifetimes: lifetimes.map(|of| of.lifetime.ident.to_string()).collect(),
            fields,
        };
        self.known
            .entry(head.name.to_string())
            .or_default()
            .push(known);
    }

    /// The lifetimes of a public type that releases something, without those that its drop needs.
    fn unseen<'a>(&self, name: &str, known: &'a Known<'_>) -> Vec<&'a String> {
        let fields = || known.fields.iter();
        let mut seen = BTreeSet::new();
        let is_silent = known.is_public && !self.drops.contains(name);
        if !is_silent || !fields().any(|field| self.releases(field, &mut seen)) {
            return Vec::new();
        }
        let is_needed = |of: &str| fields().any(|field| self.needs(field, of, &BTreeSet::new()));
        known.lifetimes.iter().filter(|of| !is_needed(of)).collect()
    }

    /// Whether the drop of a value runs a `Drop` of this package.
    fn releases(&self, of: &Type, seen: &mut BTreeSet<String>) -> bool {
        let Some((name, _, types)) = named(of) else {
            let mut inner = inner(of).into_iter();
            return inner.any(|inner| self.releases(inner, seen));
        };
        if self.drops.contains(&name) || types.into_iter().any(|of| self.releases(of, seen)) {
            return true;
        }
        let known = self.known.get(&name).filter(|_| seen.insert(name));
        let mut fields = known.into_iter().flatten().flat_map(|known| &known.fields);
        fields.any(|field| self.releases(field, seen))
    }

    /// Whether the compiler asks for a lifetime at the drop of a value. Types of one name have to agree.
    fn needs(&self, of: &Type, lifetime: &str, seen: &BTreeSet<(String, String)>) -> bool {
        if let Type::TraitObject(object) = of {
            let is_bound = |bound: &TypeParamBound| matches!(bound, TypeParamBound::Lifetime(of) if of.ident == lifetime);
            return object.bounds.iter().any(is_bound);
        }
        let Some((name, lifetimes, types)) = named(of) else {
            let mut inner = inner(of).into_iter();
            return inner.any(|inner| self.needs(inner, lifetime, seen));
        };
        let mut types = types.into_iter();
        if types.any(|of| self.needs(of, lifetime, seen)) {
            return true;
        }
        let places = lifetimes.iter().enumerate();
        let mut places = places.filter(|(_, of)| *of == lifetime);
        places.any(|(place, _)| {
            let is_needed = |known: &Known<'_>| {
                known.lifetimes.get(place).is_some_and(|inside| {
                    let mut seen = seen.clone();
                    let is_new = seen.insert((name.clone(), inside.clone()));
                    let mut fields = known.fields.iter();
                    is_new && fields.any(|field| self.needs(field, inside, &seen))
                })
            };
            let known = self.known.get(&name);
            self.drops.contains(&name) || known.is_some_and(|known| known.iter().all(is_needed))
        })
    }
}

/// The name of a type, and the lifetimes and types among its arguments. A hollow type has no arguments.
fn named(of: &Type) -> Option<(String, Vec<String>, Vec<&Type>)> {
    let Type::Path(path) = of else { return None };
    let mut segments = path.path.segments.iter().rev();
    let last = segments.next().filter(|_| path.qself.is_none())?;
    // A type of a parameter, such as `X::Site`, is of no type that has the name.
    let is_of = |of: &PathSegment| of.ident.to_string().starts_with(char::is_uppercase);
    if segments.next().is_some_and(is_of) {
        return None;
    }
    let (name, mut lifetimes, mut types) = (last.ident.to_string(), Vec::new(), Vec::new());
    let is_hollow = HOLLOW.split(' ').any(|hollow| hollow == name);
    if let (PathArguments::AngleBracketed(all), false) = (&last.arguments, is_hollow) {
        for argument in &all.args {
            match argument {
                GenericArgument::Lifetime(of) => lifetimes.push(of.ident.to_string()),
                GenericArgument::Type(of) => types.push(of),
                _ => {}
            }
        }
    }
    Some((name, lifetimes, types))
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

#[cfg(test)]
mod tests {
    use super::super::tests::found as lines;
    use super::check;
    use crate::files::File;
    use crate::sources;

    /// An object of the runtime, and the marker.
    const BASE: &str = "pub struct Object(u8);\nimpl Drop for Object { fn drop(&mut self) {} }\n\
        struct DropUses<'a>(PhantomData<&'a ()>);\nimpl Drop for DropUses<'_> { fn drop(&mut self) {} }\n";

    fn found(text: &str) -> Vec<String> {
        let files = [("src/base.rs", BASE), ("src/a.rs", text)];
        let files = files.map(|(path, text)| File::sample(path, text));
        lines(&check(&sources::read(&files).unwrap_or_default()))
    }

    #[test]
    fn a_release_behind_a_marker_without_a_drop_is_found() {
        // Also where the marker is for another lifetime, or a type of a parameter may need nothing.
        let wrong = "\
pub struct A<'d> { object: Object, _d: PhantomData<&'d ()> }
pub struct A<'d>(Option<Arc<Object>>, PhantomData<&'d ()>);
pub struct A<'d>([Object; 2], &'d ());
pub enum A<'d> { One(Object), Two(&'d u8) }
struct B { object: Object } pub struct A<'d>(B, PhantomData<&'d ()>);
pub struct A<'d, 'e>(Object, DropUses<'d>, &'e ());
struct B<'x, 'y>(DropUses<'y>, &'x ()); pub struct A<'d>(Object, B<'d, 'static>);
pub struct A<'d, X: Has>(Object, X::DropUses<'d>);
type Many<T> = Vec<T>; pub struct A<'d>(Many<Object>, &'d ());";
        for text in wrong.lines() {
            let found = found(text);
            assert!(
                found.len() == 1 && found.concat().starts_with("src/a.rs:1: "),
                "{text}"
            );
        }
    }

    #[test]
    fn drops_that_the_compiler_sees_are_accepted() {
        // Also where nothing is released or borrowed, and where nobody outside has one.
        let right = "\
pub struct A<'d>(Object, DropUses<'d>);
pub struct A<'d>(Object, &'d ()); impl Drop for A<'_> { fn drop(&mut self) {} }
struct B<'x>(Object, DropUses<'x>); pub struct A<'d>(Vec<Option<B<'d>>>);
struct B<'x, 'y>(DropUses<'y>, &'x ()); pub struct A<'d>(Object, B<'static, 'd>);
struct B<'x>(DropUses<'x>); type C<'z> = (u8, B<'z>); pub struct A<'d>(Object, C<'d>);
pub struct A<'d>(Object, Box<dyn FnOnce() + 'd>);
pub struct A<'d>(&'d Object);
pub struct A<'d>(Weak<Object>, ManuallyDrop<Object>, PhantomData<&'d Object>);
pub struct A(Object);
struct A<'d>(Object, &'d ());";
        for text in right.lines() {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn each_lifetime_is_a_finding() {
        let text = "pub struct A<'d, 'e>(Object, &'d (), &'e ());";
        assert_eq!(found(text).len(), 2);
    }
}
