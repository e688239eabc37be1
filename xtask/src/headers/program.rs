//! The program for the compiler: one assertion for each thing that both the headers and `ascendcl-sys` declare.

use super::header::Header;
use crate::declarations::{Alias, Constant, Declarations, Parameter, Record, Type};

/// The beginning of each program.
pub(super) const PRELUDE: &str = include_str!("../../data/assertions.h");

/// Headers that a program includes if they exist.
const HEADERS: &str = "\
acl/acl.h acl/acl_rt_allocator.h acl/acl_rt_memory_soma.h acl/acl_dump.h acl/acl_mdl.h acl/acl_op_compiler.h
acl/acl_prof.h acl/error_codes/rt_error_codes.h acl/error_codes/ge_error_codes.h acl/ops/acl_dvpp.h
acl/dvpp/hi_dvpp.h aclnn/acl_meta.h";

/// The headers of HCCL, in CANN and in the wheels of torch-npu.
const HCCL: &str = include_str!("../../data/hccl.h");

/// The lines that include the existing headers.
pub(super) fn includes() -> String {
    // The headers of the media engine need this definition, and every program that uses them has it.
    let each = |header| format!("#if __has_include(\"{header}\")\n#include \"{header}\"\n#endif\n");
    let all: String = HEADERS.split_whitespace().map(each).collect();
    format!("#define ENABLE_DVPP_INTERFACE\n{all}{HCCL}")
}

/// The constants that name the release differ in each.
const RELEASE: [&str; 3] = [
    "ACL_MAJOR_VERSION",
    "ACL_MINOR_VERSION",
    "ACL_PATCH_VERSION",
];

/// The program for the contents of a header, and the number of its assertions.
pub(super) fn program(all: &Declarations, header: &Header) -> (String, usize) {
    let mut text = format!("{PRELUDE}{}", includes());
    for Alias { name, target } in all.aliases.iter().filter(|of| header.has(&of.name)) {
        check(
            &mut text,
            name,
            &format!("SAME_TYPE({name}, {})", target.declare("")),
        );
    }
    for kind in all.enumerations.iter().filter(|of| header.has(&of.name)) {
        let (name, signed) = (&kind.name, u8::from(kind.repr.starts_with('i')));
        let right = format!("sizeof({name}) == 4 && IS_SIGNED({name}) == {signed}");
        check(&mut text, &format!("{name} as {}", kind.repr), &right);
    }
    let values = all.enumerations.iter().flat_map(|kind| &kind.values);
    for Constant { name, value } in all.constants.iter().chain(values) {
        if header.has(name) && !RELEASE.contains(&name.as_str()) {
            let number = all.number(value);
            check(
                &mut text,
                name,
                &format!("(long long)({name}) == {number}LL"),
            );
        }
    }
    for record in all.records.iter().filter(|of| header.has(&of.name)) {
        layout(&mut text, record, all, header);
    }
    for function in all.functions.iter().filter(|of| header.has(&of.name)) {
        let (name, pointer) = (&function.name, function.pointer().declare(""));
        check(&mut text, name, &format!("SAME(&{name}, {pointer})"));
    }
    let checks = text.matches("\nCHECK(").count();
    (text, checks)
}

fn check(text: &mut String, what: &str, condition: &str) {
    *text += &format!("CHECK(\"{what}\", {condition})\n");
}

/// Declares a structure as Rust has it, and compares it with the header's.
fn layout(text: &mut String, record: &Record, all: &Declarations, header: &Header) {
    let name = &record.name;
    *text += &declaration(record, &format!("rust_{name}"), all, header);
    text.push('\n');
    let ours = format!("{} rust_{name}", record.kind());
    let equal = format!("sizeof({name}) == sizeof({ours}) && ALIGN({name}) == ALIGN({ours})");
    check(text, &format!("size and alignment of {name}"), &equal);
    let offset = |text: &mut String, theirs: &str, path: &str| {
        let equal = format!("offsetof({name}, {theirs}) == offsetof({ours}, {path})");
        check(text, &format!("offset of {name}.{path}"), &equal);
    };
    for Parameter { name: field, ty } in &record.fields {
        let is_nameless = Declarations::is_nameless_member(ty);
        match nameless_in_c(ty, all, header) {
            // The release does not have the field yet.
            _ if !is_nameless && !header.has_field(name, field) => {}
            None => {
                let same = format!("SAME((({name} *)0)->{field}, {})", ty.declare(""));
                check(text, &format!("type of {name}.{field}"), &same);
                offset(text, field, field);
            }
            Some(inner) => {
                for member in inner.fields.iter().map(|member| &member.name) {
                    let path = format!("{field}.{member}");
                    offset(text, if is_nameless { member } else { &path }, &path);
                }
            }
        }
    }
}

/// The union that Rust names and C writes out inside of its structure.
fn nameless_in_c<'a>(ty: &Type, all: &'a Declarations, header: &Header) -> Option<&'a Record> {
    let record = all.record(ty.name()?)?;
    (!header.has(&record.name)).then_some(record)
}

/// The structure as Rust has it; a union without a name in C is written out inside.
pub(super) fn declaration(
    record: &Record,
    name: &str,
    all: &Declarations,
    header: &Header,
) -> String {
    let field = |field: &Parameter| match nameless_in_c(&field.ty, all, header) {
        Some(inner) => {
            let inside = declaration(inner, "", all, header);
            format!(" {} {};", inside.trim_end_matches(';'), field.name)
        }
        None => format!(" {};", field.ty.declare(&field.name)),
    };
    let fields: String = record.fields.iter().map(field).collect();
    format!("{} {name} {{{fields} }};", record.kind())
}
