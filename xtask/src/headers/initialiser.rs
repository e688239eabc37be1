//! What `HcclCommConfigInit` writes, beside what `ascendcl-sys` writes.
//!
//! The function is not in the library: the header of HCCL defines it inline. A library of another release reads the
//! structure by the size and the version in its head, so each value has to be that of the header.

use std::path::Path;
use std::process::Command;

use ascendcl_sys::HcclCommConfig;

use super::header::Header;
use super::{compiler, program, text};
use crate::declarations::Declarations;
use crate::error::{Context as _, Error};
use crate::files::scratch;

/// The function that the header defines.
pub(super) const NAME: &str = "HcclCommConfigInit";
const RECORD: &str = "HcclCommConfig";
const HEAD: &str = "HcclCommConfigHead";

/// The program that calls the function. It prints what differs.
const PROGRAM: &str = include_str!("../../data/headers/initialiser.c");

/// Lists fields with their places and values. A text has its first byte.
macro_rules! values {
    ($config:ident: $($number:ident)*; $($text:ident)*) => { [
        $( (stringify!($number), stringify!($number), i128::from($config.$number)), )*
        $( (stringify!($text), concat!(stringify!($text), "[0]"), $config.$text.first().map_or(0, |byte| i128::from(*byte))), )*
    ] };
}

/// The options in the newest version, as `ascendcl-sys` writes them.
fn ours() -> impl Iterator<Item = (&'static str, &'static str, i128)> {
    let config = HcclCommConfig::new();
    let values = values!(
        config:
        hcclBufferSize hcclDeterministic hcclOpExpansionMode hcclRdmaTrafficClass hcclRdmaServiceLevel hcclWorldRankID
        aclGraphZeroCopyEnable hcclExecTimeOut hcclQos hcclJobID hcclSymWinMaxMemSizePerRank;
        hcclCommName hcclUdi hcclAlgo hcclRetryEnable hcclRetryParams hcclBufferName
    );
    values.into_iter()
}

/// Runs the function of the header, and returns the values that differ from those of `ascendcl-sys`.
pub(super) fn differences(
    folder: &Path,
    all: &Declarations,
    header: &Header,
) -> Result<Vec<String>, Error> {
    let failed = format!("a program that calls {NAME} cannot be built or run");
    let source = source(all, header);
    let printed: Result<String, Error> = scratch("initialiser", |scratch| {
        let built = scratch.join("program");
        let name = built.display().to_string();
        let output = compiler(folder, &["-o", &name], &source)?;
        if !output.status.success() {
            return Err(format!("{failed}: {}", text(&output.stderr)).into());
        }
        let output = Command::new(&built).output().on(&failed)?;
        let ended = output.status.success().then(|| text(&output.stdout));
        ended.ok_or_else(|| failed.clone().into())
    })?;
    Ok(printed?.lines().map(str::to_owned).collect())
}

/// The program for the contents of a header.
fn source(all: &Declarations, header: &Header) -> String {
    let head = all.record(HEAD);
    let head = head.map(|head| program::declaration(head, HEAD, all, header));
    let version =
        |(version, size): &(_, _)| format!("    if (head.version == {version}) size = {size};\n");
    let versions: String = HcclCommConfig::VERSIONS.iter().map(version).collect();
    let magic = i128::from(HcclCommConfig::new().head.magic);
    let of_head = [
        ("magic", "head.magic", magic),
        ("reserved", "head.reserved", 0),
    ];
    let of_head = of_head.map(|(field, place, value)| (field, place.to_owned(), value));
    let known = ours().filter(|(field, ..)| header.has_field(RECORD, field));
    let known = known.map(|(field, place, value)| (field, format!("config.{place}"), value));
    let compare = |(field, place, value)| format!("    COMPARE(\"{field}\", {place}, {value}LL)\n");
    let fields: String = of_head.into_iter().chain(known).map(compare).collect();
    let program = PROGRAM.replace("@HEAD@", &head.unwrap_or_default());
    let program = program.replace("@VERSIONS@\n", &versions);
    let program = program.replace("@FIELDS@\n", &fields);
    format!("{}{}{program}", program::PRELUDE, program::includes())
}
