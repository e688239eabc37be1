//! `cargo xtask headers`: compares the declarations of `ascendcl-sys` with the headers of AscendCL.
//!
//! The command generates a program of assertions from the declarations, and compiles it together with the headers: signatures,
//! constants, values of enumerations, sizes, alignments and offsets. It is a program of C++: some headers have constants as
//! lengths, which C refuses. The program does not run. One function is not in the library but in its header, so
//! another program calls it and prints what it writes (`initialiser`).

mod header;
mod initialiser;
mod program;
mod wheel;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::declarations::{Declarations, Function};
use crate::error::{Context as _, Error, conclude};
use header::Header;
use wheel::WHEELS;

/// `cargo xtask headers [--include <folder>]`.
pub(crate) fn command(include: Option<PathBuf>) -> Result<(), Error> {
    let all = Declarations::read()?;
    if let Some(folder) = include {
        return conclude(&compare(&all, &folder, &folder.display().to_string())?);
    }
    let mut wrong = Vec::new();
    for (version, acl, folder) in WHEELS {
        if let Some(folder) = wheel::headers(version, folder)? {
            let name = format!("ACL {acl} of torch-npu {version}");
            wrong.extend(compare(&all, &folder, &name)?);
        } else {
            println!(
                "\n*** headers: SKIPPED torch-npu {version}: the package index cannot be \
                 reached. Nothing was compared with ACL {acl}. ***\n"
            );
        }
    }
    conclude(&wrong)
}

/// Changes between the releases other than signatures. The declarations here are those of the newest release.
const CORRECTED: [(&str, &str); 2] = [
    // A spelling mistake in the older release.
    (
        "1.15",
        "aclrtStreamAttr has the value ACL_STREAM_ATTR_CACHE_OP_IFNO, which is not declared",
    ),
    // The structure has its version and its size in its head. Both are compared with what the header writes.
    ("1.15", "size and alignment of HcclCommConfig"),
];

/// Differences from every release.
const INTENDED: [&str; 1] = [
    // The results of HCCL have no negative value, so compilers choose an unsigned type. Here they are signed as the codes of
    // AscendCL are, and C passes both in the same way.
    "HcclResult as i32",
];

/// Names of the first free value of an enumeration, which each release moves.
const ENDS: [&str; 4] = [
    "ACL_PROF_ARGS_MAX",
    "HCCL_E_RESERVED",
    "HCCL_CONFIG_RESERVED",
    "HCCL_COMM_CONFIG_RESERVED",
];

/// Compares with the headers in a folder, and returns the differences. The new functions there are printed.
fn compare(all: &Declarations, folder: &Path, name: &str) -> Result<Vec<String>, Error> {
    if !folder.join("acl/acl.h").is_file() {
        return Err(format!("{} holds no acl/acl.h", folder.display()).into());
    }
    let header = read(folder)?;
    let (program, checks) = program::program(all, &header);
    let output = compiler(folder, &["-fsyntax-only"], &program)?;
    let said = text(&output.stderr);
    let mut wrong: BTreeSet<String> = failures(&said).into_iter().collect();
    if wrong.is_empty() && !output.status.success() {
        return Err(format!("the assertions do not compile:\n{said}").into());
    }
    if header.has(initialiser::NAME) {
        wrong.extend(initialiser::differences(folder, all, &header)?);
    }
    wrong.extend(unknown_values(all, &header));
    wrong.extend(unmarked(all, &header));
    let changed = changed_since(all, &header);
    let known = |what: &String| {
        changed.contains(what.as_str())
            || CORRECTED.contains(&(header.version.as_str(), what.as_str()))
            || INTENDED.contains(&what.as_str())
    };
    let (known, mut wrong): (Vec<_>, Vec<_>) = wrong.into_iter().partition(known);
    println!(
        "headers: {name}: {checks} assertions, {} known differences",
        known.len()
    );
    // A wrong mark would make a function absent in a release that has it.
    let same = changed.iter();
    let same = same.filter(|name| !known.iter().any(|what| what == *name));
    wrong
        .extend(same.map(|name| format!("{name} is marked as changed and has the same signature")));
    let ours = all.functions.iter().map(|function| &function.name);
    let ours: BTreeSet<_> = ours.collect();
    let is_lacking = |name: &&String| {
        let starts = ["aclrt", "aclmdlRI", "Hccl"];
        let is_wanted = starts.iter().any(|start| name.starts_with(start));
        is_wanted && !ours.contains(name) && name.as_str() != initialiser::NAME
    };
    let lacking = header.functions.iter().filter(is_lacking);
    let lacking: Vec<_> = lacking.map(String::as_str).collect();
    let (count, lacking) = (lacking.len(), lacking.join(" "));
    println!("  functions of the runtime and of HCCL that are not declared ({count}): {lacking}");
    let wrong = wrong.into_iter().map(|what| format!("{name}: {what}"));
    Ok(wrong.collect())
}

/// The functions that have another signature in the release of a header, as their marks say.
fn changed_since<'a>(all: &'a Declarations, header: &Header) -> BTreeSet<&'a str> {
    let theirs = release(&header.version);
    let is_older = |function: &&Function| {
        let since = function.changed.as_deref().and_then(release);
        since.is_some() && theirs.is_some() && theirs < since && header.has(&function.name)
    };
    let changed = all.functions.iter().filter(is_older);
    changed.map(|function| function.name.as_str()).collect()
}

/// The numbers of a release such as `1.17`.
fn release(version: &str) -> Option<(u32, u32)> {
    let (major, minor) = version.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// Reads the headers in a folder.
fn read(folder: &Path) -> Result<Header, Error> {
    let run = |options: &[&str]| {
        let output = compiler(folder, options, &program::includes())?;
        let failed = || {
            format!(
                "the headers in {} cannot be read:\n{}",
                folder.display(),
                text(&output.stderr)
            )
        };
        let said = output.status.success().then(|| text(&output.stdout));
        said.ok_or_else(|| Error::from(failed()))
    };
    Ok(Header::new(&run(&["-E", "-P"])?, &run(&["-E", "-dM"])?))
}

/// Compiles a source, and returns the output and the messages of the compiler.
fn compiler(folder: &Path, options: &[&str], source: &str) -> Result<Output, Error> {
    let failed = "cannot run the compiler `c++`";
    let mut compiler = Command::new("c++")
        .args(["-x", "c++", "-std=gnu++17"])
        .args(options)
        .arg("-I")
        .arg(folder)
        .args(hccl_root(folder))
        .arg("-")
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .on(failed)?;
    if let Some(mut input) = compiler.stdin.take() {
        input.write_all(source.as_bytes()).on(failed)?;
    }
    compiler.wait_with_output().on(failed)
}

/// The option for headers that name each other from the root of all headers of torch-npu, as those of HCCL do there.
fn hccl_root(folder: &Path) -> Option<String> {
    let mut above = folder.ancestors();
    let root = above.find(|path| path.join("third_party/hccl").is_dir())?;
    Some(format!("-I{}", root.display()))
}

/// The output of a program as text.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The compiler's findings: the texts of failed assertions, and other errors unchanged.
fn failures(messages: &str) -> Vec<String> {
    let errors = messages.lines().filter(|line| line.contains("error:"));
    let text = |line: &str| {
        let (_, rest) = line.split_once("[[")?;
        Some(rest.split_once("]]")?.0.to_owned())
    };
    errors
        .map(|line| text(line).unwrap_or_else(|| line.to_owned()))
        .collect()
}

/// Values of enumerations that the headers have and the declarations here lack.
fn unknown_values(all: &Declarations, header: &Header) -> impl Iterator<Item = String> {
    all.enumerations.iter().flat_map(|kind| {
        let theirs = header.enumerations.get(&kind.name).into_iter().flatten();
        theirs
            .filter(|value| kind.values.iter().all(|ours| ours.name != **value))
            .filter(|value| !ENDS.contains(&value.as_str()))
            .map(|value| format!("{} has the value {value}, which is not declared", kind.name))
    })
}

/// Functions that the headers call deprecated, and the documentation here does not.
fn unmarked(all: &Declarations, header: &Header) -> impl Iterator<Item = String> {
    all.functions.iter().filter_map(|function| {
        let name = &function.name;
        let mark = format!("Deprecated: `{}`", header.successors.get(name)?);
        let is_there = function.doc.contains(&mark);
        (!is_there).then(|| format!("the documentation of {name} does not say \"{mark}\""))
    })
}

#[cfg(test)]
mod tests {
    use super::{compare, failures};
    use crate::declarations::Declarations;
    use crate::files::{scratch, write};

    /// The differences between `ascendcl-sys` and a header of this text.
    fn disagreements(name: &str, header: &str) -> Vec<String> {
        let compared = scratch(&format!("headers-{name}"), |folder| {
            write(folder.join("acl/acl.h"), header)?;
            compare(&Declarations::read()?, folder, name)
        });
        match compared {
            Ok(Ok(wrong)) => wrong,
            Ok(Err(error)) | Err(error) => unreachable!("{error}"),
        }
    }

    const RIGHT: &str = include_str!("../../data/headers/acl.h");

    /// Changes of the header.
    const CHANGES: &str = r#"flag | 0x00000001U | 2 | ACL_EVENT_SYNC
alias | void *aclrtEvent | int aclrtEvent | aclrtEvent
value | ACL_DEVICE, ACL_HOST | ACL_HOST, ACL_DEVICE | ACL_HOST
extra | ACL_HOST } | ACL_HOST, ACL_BOTH } | aclrtRunMode has the value ACL_BOTH, which is not declared
sign | ACL_DEVICE,  | ACL_LESS = -1, ACL_DEVICE,  | aclrtRunMode as u32
type | uint32_t dataOffset | uint64_t dataOffset | type of aclrtPlaceHolderInfo.dataOffset
order | uint32_t addrOffset; uint32_t dataOffset | uint32_t dataOffset; uint32_t addrOffset | offset of aclrtPlaceHolderInfo.addrOffset
size | uint32_t dataOffset; | uint32_t dataOffset; int more; | size and alignment of aclrtPlaceHolderInfo
parameter | uint32_t timeout | uint64_t timeout | aclrtSetOpWaitTimeout
const | const char *key | char *key | aclrtIpcMemClose
mark | aclError aclrtIpc | __attribute__((deprecated("aclrtIpcMemClose is deprecated, use aclrtX instead"))) aclError aclrtIpc | the documentation of aclrtIpcMemClose does not say "Deprecated: `aclrtX`""#;

    /// Changes of the function that writes the options of HCCL.
    const WRITES: &str = "\
magic | magic = 0xf0f0f0f0 | magic = 1 | HcclCommConfigInit writes 1 to magic, and ascendcl-sys 4042322160
version | version = 5 | version = 4 | HcclCommConfig has the version 4, which HcclCommConfig::VERSIONS lacks
size-of | uint32_t hcclRdmaServiceLevel; | uint64_t hcclRdmaServiceLevel; | HcclCommConfigInit writes 304 to size, and ascendcl-sys 300
number | hcclDeterministic = 0xffffffff | hcclDeterministic = 0 | HcclCommConfigInit writes 0 to hcclDeterministic, and ascendcl-sys 4294967295
left-out | config->hcclUdi[0] = 0; |  | HcclCommConfigInit writes 90 to hcclUdi, and ascendcl-sys 0";

    /// The changes of a list: a name, the text, the text in its place, and what is found.
    fn changes(list: &str) -> impl Iterator<Item = [&str; 4]> {
        list.lines().map(|line| {
            let fields = <[&str; 4]>::try_from(line.split(" | ").collect::<Vec<_>>());
            fields.unwrap_or_else(|fields| unreachable!("{fields:?}"))
        })
    }

    #[test]
    fn each_kind_of_disagreement_is_found_and_named() {
        assert_eq!(disagreements("right", RIGHT), [""; 0]);
        for [name, right, wrong, what] in changes(CHANGES) {
            let header = RIGHT.replace(right, wrong);
            assert_ne!(header, RIGHT, "{name} changes nothing");
            let found = disagreements(name, &header);
            let expected = format!("{name}: {what}");
            assert!(found.contains(&expected), "{name}: {found:?}");
        }
    }

    #[test]
    fn a_changed_function_differs_in_older_headers_and_in_no_others() {
        let header = |minor: &str, device: &str| {
            RIGHT.to_owned()
                + &format!(
                    "#define ACL_MAJOR_VERSION 1\n#define ACL_MINOR_VERSION {minor}\n\
                     typedef struct aclrtMemUsageInfo aclrtMemUsageInfo;\n\
                     aclError aclrtGetMemUsageInfo({device} id, aclrtMemUsageInfo *info, size_t n, size_t *out);"
                )
        };
        let is_marked = |found: &[String]| found.concat().contains("is marked as changed");
        let name = |found: &[String]| {
            let mut found = found.iter();
            found.any(|what| what.ends_with("aclrtGetMemUsageInfo"))
        };
        let older = disagreements("older", &header("15", "uint32_t"));
        assert!(!is_marked(&older) && !name(&older), "{older:?}");
        let same = disagreements("same", &header("15", "int32_t"));
        assert!(is_marked(&same), "{same:?}");
        let newer = disagreements("newer", &header("17", "uint32_t"));
        assert!(!is_marked(&newer) && name(&newer), "{newer:?}");
    }

    /// The options of HCCL in the version of CANN 8.1, and the function that writes them.
    const OPTIONS: &str = include_str!("../../data/headers/options.h");

    #[test]
    fn what_a_header_writes_is_compared_with_what_this_crate_writes() {
        let written = |found: &[String]| -> Vec<String> {
            let of = |what: &&String| what.contains("writes") || what.contains("VERSIONS");
            found.iter().filter(of).cloned().collect()
        };
        let right = disagreements("init", &(RIGHT.to_owned() + OPTIONS));
        assert_eq!(written(&right), [""; 0], "{right:?}");
        for [name, right, wrong, what] in changes(WRITES) {
            let header = RIGHT.to_owned() + &OPTIONS.replacen(right, wrong, 1);
            let found = written(&disagreements(name, &header));
            let expected = format!("{name}: {what}");
            assert!(found.contains(&expected), "{name}: {found:?}");
        }
    }

    #[test]
    fn other_errors_of_the_compiler_are_told_as_they_are() {
        let messages = "x.c:1:2: error: static assertion failed: \"[[aclrtFree]]\"\n  note: x\n\
                        x.c:3: error: odd";
        assert_eq!(failures(messages), ["aclrtFree", "x.c:3: error: odd"]);
    }
}
