//! What `HcclCommConfigInit` writes, beside what `ascendcl-sys` writes.
//!
//! The function is not in the library: the header of HCCL defines it inline. A library of another release reads the
//! structure by the size and the version in its head, so each value has to be that of the header.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use ascendcl_sys::HcclCommConfig;

use super::header::Header;
use super::{Language, program, text};
use crate::declarations::{Declarations, Type};
use crate::error::{Context as _, Error};
use crate::files::scratch;

/// The function that the header defines.
pub(super) const NAME: &str = "HcclCommConfigInit";
const RECORD: &str = "HcclCommConfig";
const HEAD: &str = "HcclCommConfigHead";

/// Lists fields with their values. A text has its first byte.
macro_rules! values {
    ($config:ident: $($number:ident)*; $($text:ident)*) => { [
        $( (stringify!($number), i64::from($config.$number)), )*
        $( (stringify!($text), $config.$text.first().map_or(0, |byte| i64::from(*byte))), )*
    ] };
}

/// The options in the newest version, as `ascendcl-sys` writes them.
fn ours() -> Vec<(&'static str, i64)> {
    let config = HcclCommConfig::new();
    let wide = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
    let mut values = values!(
        config:
        hcclBufferSize hcclDeterministic hcclOpExpansionMode hcclRdmaTrafficClass hcclRdmaServiceLevel hcclWorldRankID
        aclGraphZeroCopyEnable hcclExecTimeOut hcclQos;
        hcclCommName hcclUdi hcclAlgo hcclRetryEnable hcclRetryParams hcclBufferName
    )
    .to_vec();
    values.push(("hcclJobID", wide(config.hcclJobID)));
    let window = wide(config.hcclSymWinMaxMemSizePerRank);
    values.push(("hcclSymWinMaxMemSizePerRank", window));
    values
}

/// Runs the function of the header, and returns the values that differ from those of `ascendcl-sys`.
pub(super) fn differences(
    language: Language,
    folder: &Path,
    all: &Declarations,
    header: &Header,
) -> Result<Vec<String>, Error> {
    let theirs = written(language, folder, &source(all, header))?;
    let of = |name: &str| theirs.get(name).copied().unwrap_or(i64::MIN);
    let mut versions = HcclCommConfig::VERSIONS.iter();
    let known = versions.find(|(version, _)| i64::from(*version) == of("version"));
    let Some(size) = known.and_then(|(_, size)| i64::try_from(*size).ok()) else {
        let version = of("version");
        let text = format!("{RECORD} has the version {version}, which {RECORD}::VERSIONS lacks");
        return Ok(vec![text]);
    };
    let magic = i64::from(HcclCommConfig::new().head.magic);
    let mut expected = vec![
        ("sizeof", size),
        ("size", size),
        ("magic", magic),
        ("reserved", 0),
    ];
    let fields = ours().into_iter();
    expected.extend(fields.filter(|(field, _)| header.has_field(RECORD, field)));
    let wrong = expected.into_iter();
    let wrong = wrong.filter(|(field, value)| of(field) != *value);
    let wrong = wrong.map(|(field, value)| {
        let theirs = of(field);
        format!("{NAME} writes {theirs} to {field}, and ascendcl-sys {value}")
    });
    Ok(wrong.collect())
}

/// The program that calls the function and prints each value.
fn source(all: &Declarations, header: &Header) -> String {
    let mut source = format!("{}{}", program::PRELUDE, program::includes());
    source += "#include <stdio.h>\n#include <string.h>\n";
    let mut print = String::new();
    let mut add = |field: &str, place: &str| {
        print += &format!("    printf(\"{field} %lld\\n\", (long long){place});\n");
    };
    if let Some(head) = all.record(HEAD) {
        source += &program::declaration(head, HEAD, all, header);
        for field in head.fields.iter().map(|field| &field.name) {
            add(field, &format!("head.{field}"));
        }
    }
    let fields = all.record(RECORD).map(|record| record.fields.as_slice());
    let is_text = |name: &str| {
        let mut fields = fields.unwrap_or_default().iter();
        fields.any(|field| field.name == name && matches!(field.ty, Type::Array { .. }))
    };
    for (field, _) in ours()
        .into_iter()
        .filter(|(field, _)| header.has_field(RECORD, field))
    {
        let first = if is_text(field) { "[0]" } else { "" };
        add(field, &format!("config.{field}{first}"));
    }
    source
        + &format!(
            "\nint main() {{\n    {RECORD} config;\n    memset(&config, 0x5a, sizeof(config));\n    {NAME}(&config);\n    \
             {HEAD} head;\n    memcpy(&head, &config, sizeof(head));\n    \
             printf(\"sizeof %lld\\n\", (long long)sizeof(config));\n{print}    return 0;\n}}\n"
        )
}

/// Builds and runs a program, and returns the numbers that it prints, by their names.
fn written(
    language: Language,
    folder: &Path,
    source: &str,
) -> Result<BTreeMap<String, i64>, Error> {
    let failed = format!("a program that calls {NAME} cannot be built or run");
    let printed: Result<String, Error> = scratch("initialiser", |scratch| {
        let built = scratch.join("program");
        let name = built.display().to_string();
        let output = language.run(folder, &["-o", &name], source)?;
        if !output.status.success() {
            return Err(format!("{failed}: {}", text(&output.stderr)).into());
        }
        Ok(text(&Command::new(&built).output().on(&failed)?.stdout))
    })?;
    let value = |line: &str| {
        let (name, value) = line.split_once(' ')?;
        Some((name.to_owned(), value.parse().ok()?))
    };
    Ok(printed?.lines().filter_map(value).collect())
}
