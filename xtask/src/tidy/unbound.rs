//! Calls of C without the binding of a thread. A call acts on the current context of its thread, and a value that does not
//! borrow the binding outlives it: the call may run under another device, or under none. So a public method that calls C
//! takes a binding, or has a value that borrows one. The others, and the drops, are listed with the reason.
//!
//! The check reads the functions of `src/` as they are written. It sees a call of `sys`, a phase of an operator, and a call
//! of a function of the same file that makes one. A type has a binding if a field is a `Current`.

use std::collections::BTreeSet;

use syn::spanned::Spanned;
use syn::{ImplItem, Item, ItemImpl, Visibility};

use super::{Exception, excepted};
use crate::finding::Finding;
use crate::sources::{Source, name};

/// Functions that call C without a binding: the type, the method or `drop`, the reason.
pub(super) const EXCEPTIONS: &[Exception<'_>] = &[
    ("Description", "drop", HOST),
    ("Histogram", "check", HOST),
    ("Queued", "predict_encoded", HOST),
    ("Desc", "drop", HOST),
    ("Config", "drop", HOST),
    ("Operands", "drop", HOST),
    ("LoadOptions", "new", HOST),
    ("Counted", "shape", HOST),
    ("Counted", "front", HOST),
    ("Counted", "tensor", HOST),
    ("Executor", "drop", HOST),
    ("Done", "millis_since", HOST),
    ("Acl", "set_exception_info_callback", PROCESS),
    ("ModelFile", "new", PROCESS),
    ("Entry", "find", PROCESS),
    ("V2", "exit", PROCESS),
    ("V2", "drop", PROCESS),
    ("Acl", "init", PROCESS),
    ("Acl", "init_with_config", PROCESS),
    ("Acl", "emulator", PROCESS),
    ("Acl", "emulator_with_config", PROCESS),
    ("Acl", "from_env", PROCESS),
    ("Acl", "from_env_with_config", PROCESS),
    ("Acl", "attach", PROCESS),
    ("Acl", "device_count", PROCESS),
    ("Acl", "soc_name", PROCESS),
    ("Acl", "set_op_wait_timeout", PROCESS),
    ("Acl", "finalize", PROCESS),
    ("Acl", "drop", PROCESS),
    ("Acl", "sys_param", PROCESS),
    ("Acl", "set_sys_param", PROCESS),
    ("Acl", "version", PROCESS),
    ("Hold", "drop", NAMED),
    ("RawComm", "drop", NAMED),
    ("Device", "create_context", NAMED),
    ("Context", "destroy", NAMED),
    ("Context", "drop", NAMED),
    ("Before", "drop", NAMED),
    ("Device", "reset_force", NAMED),
    ("Acl", "set_device", NAMED),
    ("Acl", "with_device", NAMED),
    ("Acl", "set_default_device", NAMED),
    ("JpegStream", "release", NAMED),
    ("JpegStream", "drop", NAMED),
    ("PeerAccess", "p2p_map", NAMED),
    ("PeerAccess", "disable", NAMED),
    ("PeerAccess", "drop", NAMED),
    ("Event", "destroy", HANDLE),
    ("Event", "drop", HANDLE),
    ("Fence", "synchronize_within", HANDLE),
    ("Recorded", "query", HANDLE),
    ("Processing", "wait", HANDLE),
    ("Processing", "drop", HANDLE),
    ("Memory", "drop", HANDLE),
];

const HOST: &str = "an object of the host, which no device sees";
const PROCESS: &str = "it is about the process, not about a device";
const NAMED: &str = "the call names its device, context, channel or communicator";
const HANDLE: &str =
    "the handle or the address names its device, and the call needs no current context";

/// What has a binding, or is one.
const BOUND: [&str; 5] = ["Current", "Stream", "Session", "Thread", "ReportThread"];

pub(super) fn check(sources: &[Source<'_>], exceptions: &[Exception<'_>]) -> Vec<Finding> {
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
    excepted("xtask/src/tidy/unbound.rs", exceptions, suspects.collect())
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

/// Each public method and drop that calls C without a binding, with its type and its name.
fn unbound(source: &Source<'_>, bound: &BTreeSet<String>) -> Vec<([String; 2], Finding)> {
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
                let what = format!(
                    "`{name}` of `{of}` calls C without the binding of a thread; take a `Current`, or enter in \
                     xtask/src/tidy/unbound.rs why the call needs none"
                );
                let line = method.sig.ident.span().start().line;
                let finding = Finding::new(&source.file.path, line, what);
                unbound.push(([of.clone(), name], finding));
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
        let of_c = name
            .strip_prefix("sys::")
            .is_some_and(|name| !name.contains(':'));
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
        for (text, count) in [
            (
                "impl A<'_> {\n pub fn run(self) {\n unsafe { sys::aclRun(1) } } }",
                1,
            ),
            (
                "impl<P> A<P> {\n pub fn run(self) {\n unsafe { P::prepare(1) } } }",
                1,
            ),
            (
                "fn exit() {\n unsafe { sys::aclRun() } }\nimpl A {\n pub fn run(self) {\n exit() } }",
                1,
            ),
            (
                "impl A {\n pub fn run(self, current: Current<'_, D>) {\n unsafe { sys::aclRun(1) } } }",
                0,
            ),
            (
                "struct A<'t> {\n current: Current<'t>\n}\nimpl A<'_> {\n pub fn run(self) {\n unsafe { sys::aclRun(1) } } }",
                0,
            ),
            (
                "impl A {\n fn run(self) {\n unsafe { sys::aclRun(1) } } }",
                0,
            ),
            (
                "impl A {\n pub fn run(self) -> B {\n sys::ACL_SUCCESS } }",
                0,
            ),
        ] {
            let files = [File::sample("src/a.rs", text)];
            let sources = sources::read(&files).unwrap_or_default();
            let found = |exceptions: &[_]| check(&sources, exceptions).len();
            assert_eq!(found(&[]), count, "{text}");
            assert_eq!(
                found(&[("A", "run", "")]),
                1 - count,
                "one is of no use: {text}"
            );
            assert_eq!(
                found(&[("A", "run", ""), ("B", "run", "")]),
                2 - count,
                "{text}"
            );
        }
        let text = "impl Drop for A {\n fn drop(&mut self) {\n unsafe { sys::aclRun() } } }";
        let files = [File::sample("src/a.rs", text)];
        assert_eq!(
            check(&sources::read(&files).unwrap_or_default(), &[]).len(),
            1
        );
    }
}
