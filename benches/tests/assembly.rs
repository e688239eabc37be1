//! The machine code of a typed call is that of the raw one, if CANN is linked.
//!
//! Compiles `benches/linked` with optimisation and compares, for each pair of functions in it, the
//! instructions on the path where the call succeeds. Registers are named by their first appearance,
//! so that their choice does not matter.
#![cfg(target_arch = "x86_64")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::collections::HashMap;
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

const CALLS: [(&str, &str); 6] = [
    ("memcpy", "aclrtMemcpy"),
    ("memset", "aclrtMemset"),
    ("memcpy_async", "aclrtMemcpyAsync"),
    ("memset_async", "aclrtMemsetAsync"),
    ("record", "aclrtRecordEvent"),
    ("wait", "aclrtStreamWaitEvent"),
];

#[test]
fn a_typed_call_is_the_raw_call() {
    let assembly = compile();
    let functions = functions(&assembly);
    for (call, c_name) in CALLS {
        let typed = success_path(&functions, &format!("typed_{call}"));
        let raw = success_path(&functions, &format!("raw_{call}"));
        assert_eq!(typed, raw, "{call}");
        // A linked call is direct, without a table of functions.
        let direct = format!("callq *{c_name}@GOTPCREL(%rip)");
        assert!(raw.contains(&direct), "{raw:?}");
    }
    // After the call, a wait checks whether another wait received the report of a failure. The status and that word
    // are one test, so this is two loads, and `or` instead of `test`.
    let typed = success_path(&functions, "typed_synchronize");
    let raw = success_path(&functions, "raw_synchronize");
    let only_typed: Vec<_> = typed.iter().filter(|line| !raw.contains(line)).collect();
    let only_raw: Vec<_> = raw.iter().filter(|line| !typed.contains(line)).collect();
    let verbs = |lines: &[&String]| -> Vec<String> {
        let verb = |line: &&String| line.split(' ').next().unwrap_or_default().to_owned();
        lines.iter().map(verb).collect()
    };
    assert_eq!(verbs(&only_typed), ["movq", "movl", "orl"], "{typed:?}");
    assert_eq!(verbs(&only_raw), ["testl"], "{raw:?}");
}

/// The assembly text of the package `linked`.
fn compile() -> String {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("linked");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("linked");
    let folder = target.join("release/deps");
    // The name of the file has a hash. A file of an older compilation must not be taken for it.
    let assembly = || {
        let files = fs::read_dir(&folder).into_iter().flatten().flatten();
        files
            .map(|file| file.path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "s"))
    };
    for old in assembly() {
        fs::remove_file(old).unwrap();
    }
    let status = Command::new(env!("CARGO"))
        .args(["rustc", "--quiet", "--locked", "--release", "--lib", "--"])
        .args(["--emit", "asm", "-C", "codegen-units=1"])
        // A changed argument compiles anew although the sources are unchanged.
        .args(["--cfg", &format!("run=\"{}\"", std::process::id())])
        .args(["--check-cfg", "cfg(run, values(any()))"])
        .current_dir(package)
        .env("CARGO_TARGET_DIR", &target)
        .env_remove("RUSTFLAGS")
        .status()
        .unwrap();
    assert!(status.success(), "the package `linked` does not compile");
    let file = assembly().next().unwrap();
    fs::read_to_string(file).unwrap()
}

/// The lines of each function, by its name.
fn functions(assembly: &str) -> HashMap<&str, Vec<&str>> {
    let mut functions: HashMap<_, Vec<_>> = HashMap::new();
    let mut current = None;
    for line in assembly.lines() {
        match line.strip_suffix(':') {
            Some(label) if label.starts_with("typed_") || label.starts_with("raw_") => {
                current = Some(label);
            }
            Some(label) if label.starts_with(".Lfunc_end") => current = None,
            _ => {}
        }
        if let Some(name) = current {
            functions.entry(name).or_default().push(line.trim());
        }
    }
    functions
}

/// The instructions from the start to the return, without the jumps to the handling of failures.
fn success_path(functions: &HashMap<&str, Vec<&str>>, name: &str) -> Vec<String> {
    let Some(lines) = functions.get(name) else {
        panic!("there is no function `{name}`");
    };
    let mut registers = HashMap::new();
    let mut path = Vec::new();
    for line in lines {
        // Labels and directives.
        if line.ends_with(':') || line.starts_with('.') || line.is_empty() {
            continue;
        }
        let jump = line.starts_with('j');
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if jump {
            path.push("jump to where a failure is dealt with".to_owned());
            continue;
        }
        let done = line == "retq";
        path.push(rename(&line, &mut registers));
        if done {
            return path;
        }
    }
    panic!("`{name}` does not return: {lines:#?}");
}

/// An instruction with its registers named by their first appearance in the function.
fn rename(line: &str, registers: &mut HashMap<String, usize>) -> String {
    let mut renamed = String::new();
    let mut rest = line;
    while let Some((before, from)) = rest.split_once('%') {
        let length = from
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(from.len());
        let (register, behind) = from.split_at(length);
        renamed.push_str(before);
        rest = behind;
        if register == "rip" {
            renamed.push_str("%rip");
            continue;
        }
        let next = registers.len();
        let number = *registers.entry(whole(register)).or_insert(next);
        renamed.push_str(&format!("%{number}"));
    }
    renamed + rest
}

/// The register that a name is a part of: `eax` is half of `rax`.
fn whole(register: &str) -> String {
    let base = register.trim_start_matches(['r', 'e']);
    base.trim_end_matches('d').to_owned()
}
