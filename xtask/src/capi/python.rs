//! The Python module `acl`: the lists of `ascendcl-sys` in the short words of `xtask/data/acl/values.py`, and the parts of that
//! folder, which do the rest.

use crate::declarations::{Declarations, Function, Type};

/// The module with the two lists left out.
const MODULE: &str = concat!(
    include_str!("../../data/acl/values.py"),
    "\n\n",
    include_str!("../../data/acl/calls.py"),
    "\n\n",
    include_str!("../../data/acl/forms.py"),
    "\n\n",
    include_str!("../../data/acl/util.py")
);

/// Functions of other libraries, and of those that have no Python form.
const OTHERS: [&str; 4] = ["Hccl", "Acl", "aclnn", "acldump"];

/// What the module cannot convert.
const UNKNOWN: &str = "?";

/// The text of the module.
pub(super) fn module(all: &Declarations) -> String {
    let phases: Vec<&str> = all
        .operators
        .iter()
        .flat_map(|one| [one.prepare, one.launch])
        .collect();
    let functions = all.functions.iter().filter(|one| {
        let name = one.name.as_str();
        !phases.contains(&name) && !OTHERS.iter().any(|start| name.starts_with(start))
    });
    let functions: Vec<String> = functions.map(|one| function(all, one)).collect();
    let records: Vec<String> = all
        .records
        .iter()
        .filter_map(|one| record(all, &one.name))
        .collect();
    MODULE
        .replace("@FUNCTIONS@", &functions.join("\n"))
        .replace("@RECORDS@", &records.join("\n"))
}

/// `aclrtSetDevice i32 deviceId:i32`.
fn function(all: &Declarations, one: &Function) -> String {
    let mut words = vec![one.name.clone(), word(all, &one.result)];
    words.extend(
        one.parameters
            .iter()
            .map(|of| format!("{}:{}", of.name, word(all, &of.ty))),
    );
    words.join(" ")
}

/// `aclmdlHW hwCount:u64 hw:u64*2*128`, or nothing for a union and what contains one.
fn record(all: &Declarations, name: &str) -> Option<String> {
    let record = all.record(name).filter(|record| !record.is_union)?;
    let mut words = vec![name.to_owned()];
    for field in &record.fields {
        let kind = match &field.ty {
            Type::Pointer { .. } => "p".to_owned(),
            other => word(all, other),
        };
        words.push(format!("{}:{kind}", field.name));
        if kind.contains(UNKNOWN) {
            return None;
        }
    }
    Some(words.join(" "))
}

/// The word of a type.
fn word(all: &Declarations, ty: &Type) -> String {
    match ty {
        Type::Name(name) => name_word(all, name),
        Type::Array { of, len } => format!("{}*{}", word(all, of), all.number(len)),
        Type::Function { .. } => UNKNOWN.to_owned(),
        Type::Pointer { constant, to } => {
            let kind = if *constant { '<' } else { '>' };
            match to.name() {
                Some("char") if *constant => return "s".to_owned(),
                Some(name) if name == "void" || all.opaque.iter().any(|one| one == name) => {
                    return "p".to_owned();
                }
                _ => {}
            }
            match &**to {
                Type::Function { .. } => "f".to_owned(),
                to => match word(all, to) {
                    of if of == UNKNOWN => UNKNOWN.to_owned(),
                    of if of.starts_with(['<', '>']) => format!("{kind}p"),
                    of => format!("{kind}{of}"),
                },
            }
        }
    }
}

/// The word of a type with a name.
fn name_word(all: &Declarations, name: &str) -> String {
    let fixed = match name {
        "int" | "int32_t" => "i32",
        "int8_t" => "i8",
        "int16_t" => "i16",
        "int64_t" => "i64",
        "uint8_t" => "u8",
        "uint16_t" => "u16",
        "uint32_t" => "u32",
        "uint64_t" | "size_t" | "unsigned long long" => "u64",
        "float" => "f32",
        "double" => "f64",
        "void" | "char" | "bool" => name,
        _ => "",
    };
    if !fixed.is_empty() {
        return fixed.to_owned();
    }
    if let Some(of) = all.enumerations.iter().find(|of| of.name == name) {
        return of.repr.clone();
    }
    if let Some(of) = all.aliases.iter().find(|of| of.name == name) {
        return word(all, &of.target);
    }
    match record(all, name) {
        Some(_) => format!("[{name}]"),
        None => UNKNOWN.to_owned(),
    }
}
