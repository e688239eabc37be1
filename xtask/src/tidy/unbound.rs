//! Calls of C without the binding of a thread. A call acts on the current context of its thread, and a value that does not
//! borrow the binding outlives it: the call may run under another device, or under none. So a public method that calls C
//! takes a binding, or has a value that borrows one. The others, and the drops, are listed with the reason.
//!
//! The check reads the functions of `src/` as they are written. It sees a call of `sys`, a phase of an operator, and a call
//! of a function of the same file that makes one. A type has a binding if a field is a `Current`.

use std::collections::BTreeSet;

use syn::spanned::Spanned;
use syn::{ImplItem, Item, ItemImpl, Visibility};

use super::{Suspect, suspect};
use crate::sources::{Source, name};

/// What has a binding, or is one.
const BOUND: [&str; 5] = ["Current", "Stream", "Session", "Thread", "ReportThread"];

pub(super) fn check(sources: &[Source<'_>]) -> Vec<Suspect> {
    let mut bound: BTreeSet<String> = BOUND.map(str::to_owned).into();
    for source in sources {
        for item in &source.items {
            if let Item::Struct(of) = item
                && of
                    .fields
                    .iter()
                    .any(|field| text(source, &field.ty).contains("Current<"))
            {
                bound.insert(of.ident.to_string());
            }
        }
    }
    let suspects = sources.iter().flat_map(|source| unbound(source, &bound));
    suspects.collect()
}

/// The lines of a part of a file, as one text without comments.
fn text(source: &Source<'_>, part: &impl Spanned) -> String {
    let (start, end) = (part.span().start().line, part.span().end().line);
    let lines = source.file.code().skip(start - 1).take(end + 1 - start);
    lines.map(|(_, line)| format!("{line}\n")).collect()
}

fn impls<'s>(source: &'s Source<'_>) -> impl Iterator<Item = &'s ItemImpl> {
    source.items.iter().filter_map(|item| match item {
        Item::Impl(item) => Some(item),
        _ => None,
    })
}

/// The functions of a file that call C, themselves or by another one of them.
fn callers(source: &Source<'_>) -> BTreeSet<String> {
    let mut open = Vec::new();
    for item in &source.items {
        if let Item::Fn(of) = item {
            open.push((of.sig.ident.to_string(), text(source, &of.block)));
        }
    }
    for method in impls(source).flat_map(|item| &item.items) {
        if let ImplItem::Fn(of) = method {
            open.push((of.sig.ident.to_string(), text(source, &of.block)));
        }
    }
    let mut callers = BTreeSet::new();
    loop {
        let before = callers.len();
        for (name, body) in &open {
            if calls(body, &callers) {
                callers.insert(name.clone());
            }
        }
        if callers.len() == before {
            return callers;
        }
    }
}

/// Each public method and drop that calls C without a binding.
fn unbound(source: &Source<'_>, bound: &BTreeSet<String>) -> Vec<Suspect> {
    let callers = callers(source);
    let mut unbound = Vec::new();
    for item in impls(source) {
        let of = name(&item.self_ty).map(ToString::to_string);
        let Some(of) = of.filter(|of| !bound.contains(of)) else {
            continue;
        };
        for method in &item.items {
            let ImplItem::Fn(method) = method else {
                continue;
            };
            let name = method.sig.ident.to_string();
            let signature = text(source, &method.sig);
            let has_binding = BOUND.iter().any(|of| signature.contains(&format!("{of}<")));
            let counts = match item.trait_ {
                Some(_) => name == "drop",
                None => matches!(method.vis, Visibility::Public(_)) && !has_binding,
            };
            if counts && calls(&text(source, &method.block), &callers) {
                let name = format!("{of}::{name}");
                let what =
                    format!("`{name}` calls C without the binding of a thread; take a `Current`");
                let line = method.sig.ident.span().start().line;
                unbound.push(suspect(["unbound", &name], source.file, line, &what));
            }
        }
    }
    unbound
}

/// Whether a body calls C, or a function of the file that does.
fn calls(body: &str, callers: &BTreeSet<String>) -> bool {
    let is_sign = |of: char| !(of.is_alphanumeric() || "_:(".contains(of));
    let mut words = body
        .split(is_sign)
        .flat_map(|word| word.split_inclusive('('));
    words.any(|word| {
        let Some(name) = word.strip_suffix('(') else {
            return false;
        };
        let of_c = name.strip_prefix("sys::");
        let of_c = of_c.is_some_and(|name| !name.contains(':'));
        of_c || matches!(name, "P::prepare" | "P::launch") || callers.contains(name)
    })
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::files::File;
    use crate::sources;

    #[test]
    fn a_call_without_a_binding_is_found() {
        let accepted = "\
impl A { pub fn run(self, current: Current<'_, D>) { unsafe { sys::aclRun(1) } } }
struct A<'t> { current: Current<'t> } impl A<'_> { pub fn run(self) { unsafe { sys::aclRun(1) } } }
impl A { fn run(self) { unsafe { sys::aclRun(1) } } }
impl A { pub fn run(self) -> B { sys::ACL_SUCCESS } }";
        let wrong = "\
impl A<'_> { pub fn run(self) { unsafe { sys::aclRun(1) } } }
impl<P> A<P> { pub fn run(self) { unsafe { P::prepare(1) } } }
fn exit() { unsafe { sys::aclRun() } } impl A { pub fn run(self) { exit() } }
impl Drop for A { fn drop(&mut self) { unsafe { sys::aclRun() } } }";
        for (text, count) in accepted
            .lines()
            .map(|text| (text, 0))
            .chain(wrong.lines().map(|text| (text, 1)))
        {
            // Each word on a line of its own: the check reads whole lines.
            let files = [File::sample("src/a.rs", &text.replace("{ ", "{\n"))];
            let sources = sources::read(&files).unwrap_or_default();
            assert_eq!(check(&sources).len(), count, "{text}");
        }
    }
}
