//! Calls of C without the binding of a thread. A call acts on the current context of its thread, and a value that does not
//! borrow the binding outlives it: the call may run under another device, or under none. So a public method that calls C
//! takes a binding, or has a value that borrows one. The others, and the drops, are listed with the reason.
//!
//! The check reads the functions of `src/` as they are written. It sees a call of `sys`, a phase of an operator, and a call
//! of a function of the same file that makes one. A type has a binding if a field is a `Current`.

use std::collections::BTreeSet;

use syn::spanned::Spanned;
use syn::{ImplItem, Item, ItemImpl, Visibility};

use super::{Exceptions, excepted};
use crate::finding::Finding;
use crate::sources::{Source, name};

/// Functions that call C without a binding, as `<type>::<method>` or `<type>::drop`, with the reason.
pub(super) const EXCEPTIONS: Exceptions<'_> = &[
    (
        "\
         Description::drop Histogram::check Queued::predict_encoded Desc::drop Config::drop Operands::drop \
         LoadOptions::new Counted::shape Counted::front Counted::tensor Executor::drop Done::millis_since",
        "an object of the host, which no device sees",
    ),
    (
        "\
         Acl::set_exception_info_callback ModelFile::new Entry::find V2::exit V2::drop Acl::init \
         Acl::init_with_config Acl::emulator Acl::emulator_with_config Acl::from_env \
         Acl::from_env_with_config Acl::attach Acl::device_count Acl::soc_name Acl::set_op_wait_timeout \
         Acl::finalize Acl::drop Acl::sys_param Acl::set_sys_param Acl::version \
         Acl::set_device_state_callback Acl::bare_tgid Acl::version_num Acl::set_device_limit Acl::device_limit \
         Acl::app_log",
        "it is about the process, not about a device",
    ),
    (
        "\
         Hold::drop RawComm::drop Device::create_context Context::destroy Context::drop Before::drop \
         Device::reset_force Acl::set_device Acl::with_device Acl::set_default_device JpegStream::release \
         JpegStream::drop PeerAccess::p2p_map PeerAccess::disable PeerAccess::drop \
         Device::set_res_limit Device::res_limit Device::reset_res_limit Acl::device_uuid Acl::pci_bus_id \
         Acl::device_by_pci_bus_id Acl::device_info",
        "the call names its device, context, channel or communicator",
    ),
    (
        "\
         Event::destroy Event::drop Fence::synchronize_within SharedEvent::synchronize_within Recorded::synchronize_within Recorded::query \
         Recorded::id Done::timestamp Notify::id CntNotify::id Processing::wait Processing::drop Memory::drop",
        "the handle or the address names its device, and the call needs no current context",
    ),
    ("Device::set_sat_mode", "it takes the thread, and binds it"),
    (
        "RawPool::drop Pool::drop",
        "the call needs a context of any device, and a thread that has none leaves it to another one",
    ),
    (
        "Notify::destroy",
        "it makes the context of the notify current",
    ),
    (
        "Update::launch Limited::drop",
        "it has a stream, which borrows the binding",
    ),
];

/// What has a binding, or is one.
const BOUND: [&str; 5] = ["Current", "Stream", "Session", "Thread", "ReportThread"];

pub(super) fn check(sources: &[Source<'_>], exceptions: Exceptions<'_>) -> Vec<Finding> {
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

/// Each public method and drop that calls C without a binding.
fn unbound(source: &Source<'_>, bound: &BTreeSet<String>) -> Vec<(String, Finding)> {
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
                unbound.push((format!("{of}::{name}"), finding));
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
            let found = |exceptions: &[_]| check(&sources, exceptions).len();
            assert_eq!(found(&[]), count, "{text}");
            let known = if text.contains("Drop") {
                "A::drop"
            } else {
                "A::run"
            };
            assert_eq!(found(&[(known, "")]), 1 - count, "one is of no use: {text}");
            assert_eq!(found(&[(known, ""), ("B::run", "")]), 2 - count, "{text}");
        }
    }
}
