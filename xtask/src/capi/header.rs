//! The C header, written from the lists of `ascendcl-sys`, so that it declares what the library exports.
//!
//! The lists are Rust in a few fixed shapes, one item after the other. What has another shape is not for
//! C, and left out.

use std::fs;
use std::path::Path;

use crate::declarations::operators;
use crate::error::Error;

const HEAD: &str = "\
/* AscendCL as the emulator knows it. Written by `cargo xtask capi` from the lists of ascendcl-sys. */
#ifndef ASCENDCL_EMULATOR_ACL_H
#define ASCENDCL_EMULATOR_ACL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern \"C\" {
#endif
";

/// The one function that is in no list.
const LOG: &str = "
void aclAppLog(aclLogLevel logLevel, const char *func, const char *file, uint32_t line, const char *fmt, ...);
#define ACL_APP_LOG(level, ...) aclAppLog(level, __func__, __FILE__, __LINE__, __VA_ARGS__)
";

const FOOT: &str = "
#ifdef __cplusplus
}
#endif
#endif
";

/// The whole header.
pub(super) fn write(root: &Path) -> Result<String, Error> {
    let source = root.join("sys/src");
    let (mut types, mut structs, mut functions) = (String::new(), String::new(), String::new());
    for (folder, text) in [
        ("types", &mut types),
        ("structs", &mut structs),
        ("functions", &mut functions),
    ] {
        read(&source.join(format!("{folder}.rs")), text)?;
        read(&source.join(folder), text)?;
    }
    let mut kinds = String::new();
    read(&source.join("parameter.rs"), &mut kinds)?;
    let functions = operators::expand(&functions, &operators::kinds(&kinds));
    let mut status = String::new();
    read(&source.join("status.rs"), &mut status)?;
    let mut header = HEAD.to_owned();
    let aliases: Vec<(String, String)> = aliases(&types);
    let is_function = |(_, of): &&(String, String)| of.starts_with("Option<");
    let typedef =
        |(name, of): &(String, String)| format!("typedef {};\n", declare(of, name, false));
    header.extend(
        aliases
            .iter()
            .filter(|alias| !is_function(alias))
            .map(typedef),
    );
    header.push_str(&enumerations(&types));
    header.push_str(&constants(&types));
    header.push_str(&codes(&status));
    let records = records(&structs);
    for (kind, name, _) in &records {
        header.push_str(&format!("typedef {kind} {name} {name};\n"));
    }
    header.extend(aliases.iter().filter(is_function).map(typedef));
    for (kind, name, fields) in in_order(&records) {
        header.push_str(&format!("\n{kind} {name} {{\n"));
        for (field, of) in fields {
            header.push_str(&format!("    {};\n", declare(of, field, false)));
        }
        header.push_str("};\n");
    }
    header.push_str(&prototypes(&functions));
    header.push_str(LOG);
    header.push_str(FOOT);
    Ok(header)
}

/// Adds the text of a file, or of all files of a folder, if it is there.
fn read(path: &Path, text: &mut String) -> Result<(), Error> {
    let failed = |error| Error::Failed(format!("{} cannot be read: {error}", path.display()));
    if path.is_dir() {
        let mut files = fs::read_dir(path)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(failed)?;
        files.sort_by_key(fs::DirEntry::path);
        return files.iter().try_for_each(|file| read(&file.path(), text));
    }
    if path.is_file() {
        text.push_str(&fs::read_to_string(path).map_err(failed)?);
    }
    Ok(())
}

/// The lines without comments and attributes, and with what a statement needs on one line.
fn statements(text: &str) -> Vec<String> {
    let mut statements = vec![String::new()];
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("//") || line.starts_with("#[") || line.starts_with("#!") {
            continue;
        }
        if let Some(last) = statements.last_mut() {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(line);
        }
        if line.ends_with([';', '{', '}', ',']) && balanced(statements.last()) {
            statements.push(String::new());
        }
    }
    statements
}

/// Whether no bracket of arguments is open.
fn balanced(statement: Option<&String>) -> bool {
    let count = |c: char| statement.map_or(0, |statement| statement.matches(c).count());
    let arrows = statement.map_or(0, |statement| statement.matches("->").count());
    // Elsewhere `<` and `>` are no brackets, or not those of a type.
    let is_alias = statement.is_some_and(|statement| statement.starts_with("pub type "));
    let of_types = !is_alias || count('<') + arrows == count('>');
    count('(') == count(')') && count('[') == count(']') && of_types
}

/// `pub type name = of;`
fn aliases(text: &str) -> Vec<(String, String)> {
    let alias = |statement: &String| {
        let (name, of) = statement.strip_prefix("pub type ")?.split_once('=')?;
        Some((
            name.trim().into(),
            of.trim().trim_end_matches(';').trim().into(),
        ))
    };
    statements(text).iter().filter_map(alias).collect()
}

/// `name: u32 { VALUE = 0, }` inside of `enumeration!`.
fn enumerations(text: &str) -> String {
    let mut header = String::new();
    let mut open: Option<String> = None;
    for statement in statements(text) {
        let start = statement
            .strip_suffix('{')
            .and_then(|start| start.split_once(": "));
        match (&open, start) {
            (None, Some((name, repr))) if ["u32", "i32"].contains(&repr.trim()) => {
                header.push_str(&format!("\ntypedef enum {name} {{\n"));
                open = Some(name.to_owned());
            }
            (Some(name), None) if statement.starts_with('}') => {
                header.push_str(&format!("}} {name};\n"));
                open = None;
            }
            (Some(_), None) => {
                if let Some((value, number)) = statement.trim_end_matches(',').split_once(" = ") {
                    header.push_str(&format!("    {value} = {number},\n"));
                }
            }
            _ => {}
        }
    }
    // A comma behind the last value is no C of 1989, and nothing else.
    header.replace(",\n}", "\n}")
}

/// `pub const NAME: u32 = 0;`
fn constants(text: &str) -> String {
    let constant = |statement: &String| {
        let (name, rest) = statement.strip_prefix("pub const ")?.split_once(": ")?;
        let (of, value) = rest.trim_end_matches(';').split_once(" = ")?;
        let is_number = ["u8", "u16", "u32", "u64", "usize", "i32", "i64"].contains(&of);
        (is_number && !name.contains('$'))
            .then(|| format!("#define {name} {}\n", value.replace('_', "")))
    };
    let lines: String = statements(text).iter().filter_map(constant).collect();
    format!("\n{lines}")
}

/// `NAME = 0,` inside of `codes!`.
fn codes(text: &str) -> String {
    let code = |statement: &String| {
        let (name, number) = statement.trim_end_matches(',').split_once(" = ")?;
        let is_code = name.starts_with("ACL") && number.parse::<i32>().is_ok();
        is_code.then(|| format!("#define {name} {number}\n"))
    };
    let lines: String = statements(text).iter().filter_map(code).collect();
    format!("\n{lines}#define ACL_ERROR_NONE ACL_SUCCESS\n\n")
}

/// A structure or union: which, its name, and its fields with their types.
type Record = (&'static str, String, Vec<(String, String)>);

/// The records with fields, each behind those that it contains, as C wants them.
fn in_order(records: &[Record]) -> Vec<&Record> {
    let mut left: Vec<&Record> = records
        .iter()
        .filter(|(_, _, fields)| !fields.is_empty())
        .collect();
    let mut ordered = Vec::new();
    while !left.is_empty() {
        let contains_one_left = |record: &&Record| {
            record.2.iter().any(|(_, of)| {
                let of = of.trim_start_matches('[').split([';', ' ']).next();
                left.iter().any(|(_, name, _)| Some(name.as_str()) == of)
            })
        };
        let (next, rest): (Vec<_>, Vec<_>) =
            left.iter().partition(|record| !contains_one_left(record));
        if next.is_empty() {
            // Records that contain each other are no Rust either.
            break;
        }
        ordered.extend(next);
        left = rest;
    }
    ordered
}

/// Structures and unions with their fields; those of `opaque!` have none, and those of `union!` are
/// written without `pub`.
fn records(text: &str) -> Vec<Record> {
    let mut records = Vec::new();
    let (mut opaque, mut union) = (false, false);
    for statement in statements(text) {
        if statement == "opaque! {" {
            opaque = true;
        } else if statement == "union! {" {
            union = true;
        } else if statement.starts_with('}') {
            (opaque, union) = (false, false);
        } else if union && let Some(name) = statement.strip_suffix(" {") {
            records.push(("union", name.to_owned(), Vec::new()));
        } else if opaque && let Some(name) = statement.strip_suffix(';') {
            records.push(("struct", name.to_owned(), Vec::new()));
        } else if let Some((kind, name)) = ["struct", "union"].into_iter().find_map(|kind| {
            let name = statement
                .strip_prefix(&format!("pub {kind} "))?
                .strip_suffix(" {")?;
            Some((kind, name))
        }) && !name.contains('$')
        {
            records.push((kind, name.to_owned(), Vec::new()));
        } else if let Some((name, of)) = statement
            .strip_prefix("pub ")
            .or(union.then_some(statement.as_str()))
            .and_then(|field| field.trim_end_matches(',').split_once(": "))
            && let Some((_, _, fields)) = records.last_mut()
        {
            fields.push((name.to_owned(), of.to_owned()));
        }
    }
    records
}

/// `fn name(arg: of) -> of;` with the comment above it, inside of the lists.
fn prototypes(text: &str) -> String {
    let mut header = String::new();
    let mut comment = String::new();
    let mut open = String::new();
    for line in text.lines().map(str::trim) {
        if let Some(words) = line.strip_prefix("/// ") {
            comment = format!("{comment} {words}");
            continue;
        }
        open = format!("{open}{line} ");
        let start = open
            .split_once("] fn ")
            .map_or(open.strip_prefix("fn "), |(_, rest)| Some(rest));
        let Some(start) =
            start.filter(|start| !start.contains('$') && balanced(Some(&(*start).to_owned())))
        else {
            if !open.contains("fn ") || line.ends_with(['{', '}']) {
                open.clear();
                comment.clear();
            }
            continue;
        };
        if let Some(prototype) = start.trim().strip_suffix(';').and_then(prototype) {
            let comment = comment.trim().replace('`', "");
            header.push_str(&format!("\n/* {comment} */\n{prototype};\n"));
        }
        open.clear();
        comment.clear();
    }
    header
}

fn prototype(text: &str) -> Option<String> {
    let (name, rest) = text.split_once('(')?;
    let (arguments, answer) = rest.rsplit_once(')').map(|(arguments, answer)| {
        (
            arguments,
            answer.trim().strip_prefix("->").unwrap_or("()").trim(),
        )
    })?;
    Some(declare(
        answer,
        &format!("{name}({})", parameters(arguments)),
        false,
    ))
}

/// The parameters of a function, `void` for none.
fn parameters(text: &str) -> String {
    let mut depth = 0;
    let pieces = text.split(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    let parameters: Vec<String> = pieces
        .filter_map(|piece| piece.trim().split_once(": "))
        .map(|(name, of)| declare(of, name, false))
        .collect();
    if parameters.is_empty() {
        "void".into()
    } else {
        parameters.join(", ")
    }
}

/// A declaration in C of something of a type in Rust.
fn declare(of: &str, name: &str, constant: bool) -> String {
    let of = of.trim().trim_end_matches(',').trim();
    let qualifier = if constant { "const " } else { "" };
    if let Some(of) = of.strip_prefix("*mut ") {
        return declare(of, &format!("*{qualifier}{name}"), false);
    }
    if let Some(of) = of.strip_prefix("*const ") {
        return declare(of, &format!("*{qualifier}{name}"), true);
    }
    if let Some((of, len)) = of
        .strip_prefix('[')
        .and_then(|of| of.strip_suffix(']'))
        .and_then(|of| of.rsplit_once("; "))
    {
        return declare(of, &format!("{name}[{len}]"), constant);
    }
    if let Some(function) = of
        .strip_prefix("Option<")
        .and_then(|of| of.trim().strip_suffix('>'))
        .and_then(|of| of.trim().trim_end_matches(',').split_once("fn("))
        && let Some((arguments, answer)) = function.1.rsplit_once(')')
    {
        let answer = answer.trim().strip_prefix("->").unwrap_or("()");
        return declare(
            answer,
            &format!("(*{name})({})", parameters(arguments)),
            false,
        );
    }
    let name = name.strip_suffix('_').unwrap_or(name);
    let of = match of {
        "()" | "c_void" => "void",
        "c_char" => "char",
        "c_int" => "int",
        "f32" => "float",
        "f64" => "double",
        "usize" => "size_t",
        "u8" => "uint8_t",
        "u16" => "uint16_t",
        "u32" => "uint32_t",
        "u64" => "uint64_t",
        "i8" => "int8_t",
        "i16" => "int16_t",
        "i32" => "int32_t",
        "i64" => "int64_t",
        other => other,
    };
    format!("{qualifier}{of} {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_declared_in_c() {
        for (of, c) in [
            ("*mut *mut c_void", "void **x"),
            ("*const c_char", "const char *x"),
            ("*const *mut u8", "uint8_t *const *x"),
            ("*const *const f32", "const float *const *x"),
            ("[u32; 4]", "uint32_t x[4]"),
            ("aclrtStream", "aclrtStream x"),
            (
                "Option<unsafe extern \"C\" fn(userData: *mut c_void) -> aclError>",
                "aclError (*x)(void *userData)",
            ),
            ("Option<unsafe extern \"C\" fn()>", "void (*x)(void)"),
            (
                "Option< unsafe extern \"C\" fn( id: i32, size: usize, ) -> *mut c_void, >",
                "void *(*x)(int32_t id, size_t size)",
            ),
        ] {
            assert_eq!(declare(of, "x", false), c, "{of}");
        }
    }

    #[test]
    fn a_list_becomes_prototypes() {
        let list = "area \"event\", EventTable;\n/// Creates `one`.\nfn aclrtCreateEvent(event: *mut aclrtEvent) -> aclError;\n\
            /// Newer.\n[newer] fn aclrtNew(\n    fn_: u32,\n    size: usize,\n) -> *mut aclTensor;\n/// None.\nfn aclrtNone();";
        assert_eq!(
            prototypes(list),
            "\n/* Creates one. */\naclError aclrtCreateEvent(aclrtEvent *event);\n\
             \n/* Newer. */\naclTensor *aclrtNew(uint32_t fn, size_t size);\n\
             \n/* None. */\nvoid aclrtNone(void);\n"
        );
    }

    #[test]
    fn enumerations_constants_codes_and_structures() {
        let text = "enumeration! {\n/// Doc.\nKind: u32 {\nONE = 1,\nTWO = 0xffff,\n}\n}\npub const FLAG: u32 = 0x0_1;";
        assert_eq!(
            enumerations(text),
            "\ntypedef enum Kind {\n    ONE = 1,\n    TWO = 0xffff\n} Kind;\n"
        );
        assert_eq!(constants(text), "\n#define FLAG 0x01\n");
        assert!(codes("codes! {\nACL_SUCCESS = 0,\n}").contains("#define ACL_SUCCESS 0\n"));
    }

    #[test]
    fn structures_stand_behind_what_they_contain() {
        let inner =
            "pub struct Outer {\npub one: [Inner; 2],\n}\npub union Inner {\npub id: u32,\n}";
        let inner = records(inner);
        let order: Vec<_> = in_order(&inner)
            .iter()
            .map(|(_, name, _)| name.as_str())
            .collect();
        assert_eq!(order, ["Inner", "Outer"]);
        let text = "union! {\n/// Doc.\nEither {\nid: u32,\nnumber: i64,\n}\n}";
        let unions = records(text);
        assert!(
            matches!(&unions[..], [("union", name, fields)] if name == "Either" && fields.len() == 2)
        );
        let text = "opaque! {\n/// Doc.\nHidden;\n}\n#[repr(C)]\npub struct Seen {\n/// Doc.\npub id: u32,\n}";
        let fields = vec![("id".to_owned(), "u32".to_owned())];
        assert_eq!(
            records(text),
            [
                ("struct", "Hidden".into(), vec![]),
                ("struct", "Seen".into(), fields)
            ]
        );
    }
}
