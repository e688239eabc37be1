//! The machine code of a typed call is that of the raw one, if CANN is linked.
//!
//! Compiles `benches/linked` with optimisation, for either processor of Ascend hosts, and compares, for each pair of
//! functions in it, the instructions on the path where the call succeeds. Registers are named by their first
//! appearance, so that their choice does not matter.
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

const CALLS: [(&str, &str); 4] = [
    ("memcpy", "aclrtMemcpy"),
    ("memset", "aclrtMemset"),
    ("memcpy_async", "aclrtMemcpyAsync"),
    ("memset_async", "aclrtMemsetAsync"),
];

/// The calls by an address that is another one while memory is parked.
const BY_ADDRESS: [(&str, &str); 2] = [
    ("record", "aclrtRecordEvent"),
    ("wait", "aclrtStreamWaitEvent"),
];

/// A processor, and the form of its instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Processor {
    X86,
    Arm,
}

#[test]
#[cfg_attr(
    not(target_arch = "x86_64"),
    ignore = "needs the standard library of the other processor"
)]
fn a_typed_call_on_x86_64_is_the_raw_call() {
    let (only_typed, only_raw) = compare(Processor::X86);
    // After the call, a wait checks whether another wait received the report of a failure. The status and that word
    // are one test, so this is two loads, and `or` instead of `test`.
    assert_eq!(only_typed, ["movq", "movl", "orl"]);
    assert_eq!(only_raw, ["testl"]);
}

#[test]
#[cfg_attr(
    not(target_arch = "aarch64"),
    ignore = "needs the standard library of the other processor; `.ci/aarch64` runs this"
)]
fn a_typed_call_on_aarch64_is_the_raw_call() {
    let (only_typed, only_raw) = compare(Processor::Arm);
    // The address of that word takes two instructions more than on x86-64, and a status of 0 is made anew.
    let expected = ["adrp", "ldr", "add", "ldar", "orr", "mov"];
    assert_eq!(only_typed, expected);
    assert!(only_raw.is_empty(), "{only_raw:?}");
}

/// Compares the calls, and returns the instructions that only the typed and only the raw wait has.
fn compare(processor: Processor) -> (Vec<String>, Vec<String>) {
    let assembly = compile(processor);
    let functions = functions(&assembly);
    let path = |name: String| success_path(&functions, &name, processor);
    for (call, c_name) in CALLS {
        let typed = path(format!("typed_{call}"));
        let raw = path(format!("raw_{call}"));
        assert_eq!(typed, raw, "{call}");
        // A linked call is direct, without a table of functions.
        let direct = processor.direct_call(c_name);
        assert!(raw.contains(&direct), "{raw:?}");
    }
    // The typed launch stores each argument when it has loaded it, and the raw one loads them all first.
    let sorted = |name: &str| {
        let mut lines = path(name.into());
        lines.sort_unstable();
        lines
    };
    let raw = sorted("raw_launch");
    assert_eq!(sorted("typed_launch"), raw);
    assert!(
        raw.contains(&processor.direct_call("aclrtLaunchKernelWithHostArgs")),
        "{raw:?}"
    );
    // The instance is the first field of a raw graph, and not of a typed one, which also has its memory.
    let typed = path("typed_graph".into()).join("\n");
    let raw = path("raw_graph".into()).join("\n");
    assert_eq!(without_offset(&typed), raw);
    assert!(
        raw.contains(&processor.direct_call("aclmdlRIExecuteAsync")),
        "{raw}"
    );
    for (call, c_name) in BY_ADDRESS {
        let typed = path(format!("typed_{call}"));
        let raw = path(format!("raw_{call}"));
        let more = typed.len() - raw.len();
        assert_eq!(more, processor.load_of_an_address(), "{typed:?} {raw:?}");
        assert!(raw.contains(&processor.direct_call(c_name)), "{raw:?}");
    }
    let typed = path("typed_synchronize".into());
    let raw = path("raw_synchronize".into());
    let verbs_without = |lines: &[String], others: &[String]| -> Vec<String> {
        let own = lines.iter().filter(|line| !others.contains(line));
        let verb = |line: &String| line.split(' ').next().unwrap_or_default().to_owned();
        own.map(verb).collect()
    };
    (verbs_without(&typed, &raw), verbs_without(&raw, &typed))
}

/// Removes the offset of the one address that has one.
fn without_offset(lines: &str) -> String {
    let place = |offset: &str| lines.find(offset).map(|at| (at, at + offset.len()));
    let offsets = ["72", ", #72"];
    let Some((begin, end)) = offsets.iter().rev().find_map(|offset| place(offset)) else {
        return lines.to_owned();
    };
    format!("{}{}", &lines[..begin], &lines[end..])
}

impl Processor {
    fn target(self) -> &'static str {
        match self {
            Processor::X86 => "x86_64-unknown-linux-gnu",
            Processor::Arm => "aarch64-unknown-linux-gnu",
        }
    }

    fn direct_call(self, function: &str) -> String {
        match self {
            Processor::X86 => format!("callq *{function}@GOTPCREL(%rip)"),
            Processor::Arm => format!("bl {function}"),
        }
    }

    /// The instructions that a call by an address in a static has more.
    fn load_of_an_address(self) -> usize {
        match self {
            Processor::X86 => 2,
            Processor::Arm => 3,
        }
    }

    fn returns(self, instruction: &str) -> bool {
        instruction
            == match self {
                Processor::X86 => "retq",
                Processor::Arm => "ret",
            }
    }

    fn jumps(self, instruction: &str) -> bool {
        let jumps: &[&str] = match self {
            Processor::X86 => &["j"],
            Processor::Arm => &["b ", "b.", "cb", "tb"],
        };
        jumps.iter().any(|start| instruction.starts_with(start))
    }

    /// The register that a word names a part of: `eax` is half of `rax`, and `w0` half of `x0`. Nothing for words that are
    /// no registers, or for the ones that have no choice.
    fn register(self, word: &str) -> Option<&str> {
        match self {
            Processor::X86 => {
                let name = word.strip_prefix('%').filter(|name| *name != "rip")?;
                let base = name.trim_start_matches(['r', 'e']);
                Some(base.trim_end_matches('d'))
            }
            Processor::Arm => {
                let number = word.strip_prefix(['x', 'w'])?;
                let is_number = number.parse::<u8>().is_ok();
                is_number.then_some(number)
            }
        }
    }
}

/// The assembly text of the package `linked`.
fn compile(processor: Processor) -> String {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("linked");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("linked");
    let folder = target.join(processor.target()).join("release/deps");
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
        .args(["rustc", "--quiet", "--locked", "--release", "--lib"])
        .args(["--target", processor.target(), "--"])
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
fn success_path(
    functions: &HashMap<&str, Vec<&str>>,
    name: &str,
    processor: Processor,
) -> Vec<String> {
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
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if processor.jumps(&line) {
            path.push("jump to where a failure is dealt with".to_owned());
            continue;
        }
        path.push(rename(&line, processor, &mut registers));
        if processor.returns(&line) {
            return path;
        }
    }
    panic!("`{name}` does not return: {lines:#?}");
}

/// An instruction with its registers named by their first appearance in the function.
fn rename(line: &str, processor: Processor, registers: &mut HashMap<String, usize>) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "%_$.@:".contains(c);
    let mut renamed = String::new();
    let mut rest = line;
    while let Some(start) = rest.find(is_word) {
        let (between, from) = rest.split_at(start);
        let length = from.find(|c| !is_word(c)).unwrap_or(from.len());
        let (word, behind) = from.split_at(length);
        renamed.push_str(between);
        match processor.register(word) {
            Some(register) => {
                let next = registers.len();
                let number = *registers.entry(register.to_owned()).or_insert(next);
                renamed.push_str(&format!("%{number}"));
            }
            None => renamed.push_str(word),
        }
        rest = behind;
    }
    renamed + rest
}

#[test]
fn a_register_has_one_name_in_a_function() {
    let mut registers = HashMap::new();
    let mut arm = |line: &str| rename(line, Processor::Arm, &mut registers);
    assert_eq!(arm("ldr x8, [x1]"), "ldr %0, [%1]");
    assert_eq!(arm("mov w8, wzr"), "mov %0, wzr");
    let mut registers = HashMap::new();
    let mut x86 = |line: &str| rename(line, Processor::X86, &mut registers);
    assert_eq!(x86("movq (%rsi), %rdi"), "movq (%0), %1");
    assert_eq!(
        x86("testl %edi, f@GOTPCREL(%rip)"),
        "testl %1, f@GOTPCREL(%rip)"
    );
}
