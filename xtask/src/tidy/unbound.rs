//! Calls of C without the binding of a thread. A call acts on the current context of its thread, and a value that does not
//! borrow the binding outlives it: the call may run under another device, or under none. So a public method that calls C
//! takes a binding, or has a value that borrows one. The others, and the drops, are listed with the reason.
//!
//! The check reads the functions of `src/` as they are written. It sees a call of `sys`, a phase of an operator, and a call
//! of a function of the same file that makes one. A type has a binding if a field is a `Current`.

use std::collections::{BTreeMap, BTreeSet};

use syn::spanned::Spanned;
use syn::{ImplItem, Item, ItemImpl, Visibility};

use super::Finding;
use crate::files::File;
use crate::sources::{Source, name};

/// Functions that call C without a binding: the type, the method or `drop`, the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
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

pub(super) fn check(sources: &[Source<'_>]) -> Vec<Finding> {
    find(sources, EXCEPTIONS)
}

fn find(sources: &[Source<'_>], exceptions: &[(&str, &str, &str)]) -> Vec<Finding> {
    let sources: Vec<_> = sources.iter().map(Code::of).collect();
    let mut bound: BTreeSet<String> = BOUND.map(str::to_owned).into();
    for source in &sources {
        let structs = source.items.iter().filter_map(|item| match item {
            Item::Struct(item) => Some(item),
            _ => None,
        });
        let has = structs.filter(|item| {
            item.fields
                .iter()
                .any(|of| source.text(&of.ty).contains("Current<"))
        });
        bound.extend(has.map(|item| item.ident.to_string()));
    }
    let mut findings = Vec::new();
    let mut unused: Vec<_> = exceptions
        .iter()
        .map(|(of, name, _)| (*of, *name))
        .collect();
    for source in &sources {
        for (of, name, line) in source.unbound(&bound) {
            let before = unused.len();
            unused.retain(|known| *known != (of.as_str(), name.as_str()));
            if unused.len() != before {
                continue;
            }
            let what = format!(
                "`{name}` of `{of}` calls C without the binding of a thread; take a `Current`, or enter in \
                 xtask/src/tidy/unbound.rs why the call needs none"
            );
            findings.push(Finding::new(&source.file.path, line, what));
        }
    }
    for (of, name) in unused {
        let what = format!("the exception `{name}` of `{of}` is of no use");
        findings.push(Finding::new("xtask/src/tidy/unbound.rs", 1, what));
    }
    findings
}

/// A file with its lines.
struct Code<'a> {
    file: &'a File,
    lines: Vec<&'a str>,
    items: &'a [Item],
}

impl<'a> Code<'a> {
    fn of(source: &'a Source<'_>) -> Code<'a> {
        Code {
            file: source.file,
            lines: source.file.text.lines().collect(),
            items: &source.items,
        }
    }

    /// The lines of a part of the file, as one text.
    fn text(&self, part: &impl Spanned) -> String {
        let (start, end) = (part.span().start().line, part.span().end().line);
        let lines = self
            .lines
            .get(start.saturating_sub(1)..end)
            .unwrap_or_default();
        let code = lines
            .iter()
            .map(|line| line.split("//").next().unwrap_or_default());
        code.collect::<Vec<_>>().join("\n")
    }

    fn impls(&self) -> impl Iterator<Item = &ItemImpl> {
        self.items.iter().filter_map(|item| match item {
            Item::Impl(item) => Some(item),
            _ => None,
        })
    }

    /// The functions of the file that call C, themselves or by another one of them.
    fn callers(&self) -> BTreeSet<String> {
        let free = self.items.iter().filter_map(|item| match item {
            Item::Fn(item) => Some((item.sig.ident.to_string(), self.text(&item.block))),
            _ => None,
        });
        let methods = self.impls().flat_map(|item| &item.items);
        let methods = methods.filter_map(|item| match item {
            ImplItem::Fn(item) => Some((item.sig.ident.to_string(), self.text(&item.block))),
            _ => None,
        });
        let mut open: BTreeMap<String, String> = BTreeMap::new();
        for (name, body) in free.chain(methods) {
            open.entry(name).or_default().push_str(&body);
        }
        let mut callers = BTreeSet::new();
        loop {
            let found: Vec<_> = open
                .iter()
                .filter(|(_, body)| calls(body, &callers))
                .collect();
            let found: Vec<String> = found.into_iter().map(|(name, _)| name.clone()).collect();
            if found.is_empty() {
                return callers;
            }
            for name in found {
                open.remove(&name);
                callers.insert(name);
            }
        }
    }

    /// The type, the name and the line of each public method and drop that calls C without a binding.
    fn unbound(&self, bound: &BTreeSet<String>) -> Vec<(String, String, usize)> {
        let callers = self.callers();
        let mut unbound = Vec::new();
        for item in self.impls() {
            let Some(of) = name(&item.self_ty).map(ToString::to_string) else {
                continue;
            };
            let is_drop = item.trait_.is_some();
            if bound.contains(&of) {
                continue;
            }
            for method in &item.items {
                let ImplItem::Fn(method) = method else {
                    continue;
                };
                let name = method.sig.ident.to_string();
                let is_public = matches!(method.vis, Visibility::Public(_));
                let signature = self.text(&method.sig);
                let has_binding = BOUND.iter().any(|of| signature.contains(&format!("{of}<")));
                let counts = if is_drop {
                    name == "drop"
                } else {
                    is_public && !has_binding
                };
                if counts && calls(&self.text(&method.block), &callers) {
                    unbound.push((of.clone(), name, method.sig.ident.span().start().line));
                }
            }
        }
        unbound
    }
}

/// Whether a body calls C, or a function of the file that does.
fn calls(body: &str, callers: &BTreeSet<String>) -> bool {
    let words =
        body.split(|of: char| !(of.is_alphanumeric() || of == '_' || of == ':' || of == '('));
    words
        .flat_map(|word| word.split_inclusive('('))
        .any(|word| {
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
    use super::find;
    use crate::files::File;
    use crate::sources;

    fn found(text: &str, exceptions: &[(&str, &str, &str)]) -> usize {
        let files = [File::sample("src/a.rs", text)];
        find(&sources::read(&files).unwrap_or_default(), exceptions).len()
    }

    #[test]
    fn a_call_without_a_binding_is_found() {
        for text in [
            "impl A<'_> {\n pub fn run(self) {\n unsafe { sys::aclRun(1) } } }",
            "impl<P> A<P> {\n pub fn run(self) {\n unsafe { P::prepare(1) } } }",
            "fn exit() {\n unsafe { sys::aclRun() } }\nimpl A {\n pub fn run(self) {\n exit() } }",
        ] {
            assert_eq!(found(text, &[]), 1, "{text}");
            assert_eq!(found(text, &[("A", "run", "")]), 0, "{text}");
            assert_eq!(
                found(text, &[("A", "run", ""), ("B", "run", "")]),
                1,
                "{text}"
            );
        }
        let text = "impl Drop for A {\n fn drop(&mut self) {\n unsafe { sys::aclRun() } } }";
        assert_eq!(found(text, &[]), 1);
    }

    #[test]
    fn calls_with_a_binding_are_accepted() {
        for text in [
            "impl A {\n pub fn run(self, current: Current<'_, D>) {\n unsafe { sys::aclRun(1) } } }",
            "struct A<'t> {\n current: Current<'t>\n}\nimpl A<'_> {\n pub fn run(self) {\n unsafe { sys::aclRun(1) } } }",
            "impl A {\n fn run(self) {\n unsafe { sys::aclRun(1) } } }",
            "impl A {\n pub fn run(self) -> B {\n sys::ACL_SUCCESS } }",
        ] {
            assert_eq!(found(text, &[]), 0, "{text}");
        }
    }
}
