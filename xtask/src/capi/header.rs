//! The C headers. They are written from the declarations of `ascendcl-sys`, so they declare the functions that the
//! library exports. The functions of operators are in headers of their own, as in CANN: a program may declare an operator
//! itself whose header it does not include.

use std::collections::{BTreeMap, BTreeSet};

use crate::declarations::{Alias, Constant, Declarations, Function, Parameter, Record, Type};

/// The header of everything but operators, and that of some operators, with a place for what is declared.
const ALL: &str = include_str!("../../data/acl.h");
const OF_OPERATORS: &str = include_str!("../../data/aclnn.h");
const PLACE: &str = "@DECLARATIONS@\n";

/// What the headers of the second media interface have beside the declarations.
pub(super) const OF_MEDIA: &str = include_str!("../../data/hi_dvpp.h");

/// What the headers of the status codes of operators and of numbers of half precision have beside the declarations.
pub(super) const OF_CODES: &str = include_str!("../../data/op_errno.h");
pub(super) const OF_HALVES: &str = include_str!("../../data/fp16_t.h");

/// The header of libc_sec.
pub(super) const OF_COPIES: &str = include_str!("../../data/securec.h");

/// The headers of the operators below `aclnnop/`, with their texts.
pub(super) fn of_operators(all: &Declarations) -> BTreeMap<&str, String> {
    let mut headers: BTreeMap<&str, String> = BTreeMap::new();
    for operator in &all.operators {
        let header = headers.entry(operator.header).or_default();
        for name in [operator.prepare, operator.launch] {
            let functions = all.functions.iter().filter(|one| one.name == name);
            header.extend(functions.map(prototype));
        }
    }
    for (name, prototypes) in &mut headers {
        let guard = name.to_uppercase().replace('.', "_");
        *prototypes = OF_OPERATORS
            .replace("@GUARD@", &guard)
            .replace(PLACE, prototypes);
    }
    headers
}

/// The header of everything else.
pub(super) fn write(all: &Declarations) -> String {
    let mut header = String::new();
    let typedef = |alias: &Alias| format!("typedef {};\n", alias.target.declare(&alias.name));
    let (hooks, others): (Vec<_>, Vec<_>) = all.aliases.iter().partition(is_hook);
    header.extend(others.into_iter().map(typedef));
    for kind in &all.enumerations {
        let values = kind.values.iter();
        let values: Vec<_> = values
            .map(|of| format!("    {} = {}", of.name, of.value))
            .collect();
        let (name, values) = (&kind.name, values.join(",\n"));
        header += &format!("\ntypedef enum {name} {{\n{values}\n}} {name};\n");
    }
    header.push('\n');
    for Constant { name, value } in &all.constants {
        header += &format!("#define {name} {value}\n");
    }
    header.push('\n');
    for name in &all.opaque {
        header += &format!("typedef struct {name} {name};\n");
    }
    for record in &all.records {
        let (kind, name) = (record.kind(), &record.name);
        header += &format!("typedef {kind} {name} {name};\n");
    }
    header.extend(hooks.into_iter().map(typedef));
    for record in in_order(&all.records) {
        header += &format!("\n{} {} {{\n", record.kind(), record.name);
        for Parameter { name, ty } in &record.fields {
            let nameless = Some(ty).filter(|ty| Declarations::is_nameless_member(ty));
            match nameless.and_then(|ty| all.record(ty.name()?)) {
                Some(union) => {
                    // C99 does not have them.
                    header += &format!("    __extension__ {} {{\n", union.kind());
                    for member in &union.fields {
                        header += &format!("        {};\n", member.ty.declare(&member.name));
                    }
                    header += "    };\n";
                }
                None => header += &format!("    {};\n", ty.declare(name)),
            }
        }
        header += "};\n";
    }
    let phases = all.operators.iter();
    let phases = phases.flat_map(|one| [one.prepare, one.launch]);
    let phases: BTreeSet<&str> = phases.collect();
    let others = all.functions.iter();
    let others = others.filter(|one| !phases.contains(one.name.as_str()));
    header.extend(others.map(prototype));
    ALL.replace(PLACE, &(header + "\n"))
}

/// Whether an alias is of a pointer to a function, whose parameters may be structures.
fn is_hook(alias: &&Alias) -> bool {
    matches!(&alias.target, Type::Pointer { to, .. } if matches!(**to, Type::Function { .. }))
}

/// The function with its documentation.
fn prototype(function: &Function) -> String {
    let doc = function.doc.replace('`', "");
    format!("\n/* {doc} */\n{};\n", function.declare())
}

/// The records, each after those that it contains, as C requires.
fn in_order(records: &[Record]) -> Vec<&Record> {
    let mut left: Vec<&Record> = records.iter().collect();
    let mut ordered = Vec::new();
    while !left.is_empty() {
        let names: Vec<_> = left.iter().map(|record| record.name.as_str()).collect();
        let contains_one_left = |record: &&Record| {
            let of = record.fields.iter();
            let mut of = of.filter_map(|field| contained(&field.ty));
            of.any(|name| names.contains(&name))
        };
        let (rest, next): (Vec<_>, Vec<_>) = left.into_iter().partition(contains_one_left);
        if next.is_empty() {
            // Records that contain each other are not valid in Rust either.
            break;
        }
        ordered.extend(next);
        left = rest;
    }
    ordered
}

/// The name of the type that a field holds as a value.
fn contained(ty: &Type) -> Option<&str> {
    match ty {
        Type::Array { of, .. } => contained(of),
        other => other.name(),
    }
}
