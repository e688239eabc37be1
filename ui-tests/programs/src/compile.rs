//! The compiler as a judge: many programs as one generated package.
//!
//! Each program is a module in a file of its own, so an error belongs to the program whose file it names. An error of
//! one kind can hide errors of another kind in other programs. So the programs without errors are compiled again,
//! until a compilation has no error.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use serde_json::Value;

/// An error of the compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// Such as `E0505`; empty if the error has no code.
    pub(crate) code: String,
    pub(crate) line: u64,
    pub(crate) message: String,
    /// The changes that the compiler offers, each with its edits.
    pub(crate) offers: Vec<Offer>,
}

/// The edits of an offer: ranges of bytes with the text that replaces them.
pub(crate) type Offer = Vec<(Range<usize>, String)>;

/// The errors of programs, by their numbers.
pub(crate) type Refusals = BTreeMap<usize, Vec<Refusal>>;

/// The place where programs are compiled.
#[derive(Debug, Clone)]
pub(crate) struct Workshop {
    /// The folder of the package `ascendcl`.
    pub(crate) source: PathBuf,
    /// The folder of the workspace, for its `Cargo.lock`.
    pub(crate) workspace: PathBuf,
    /// The folder of the generated package.
    pub(crate) folder: PathBuf,
    /// The folder of what is built.
    pub(crate) target: PathBuf,
}

impl Workshop {
    /// Builds the programs that the compiler accepts. Returns the errors of the others. `doubtful` has the numbers of
    /// the programs that are expected to be refused: they are checked first, because an error in a build costs a
    /// second look at all programs.
    pub(crate) fn build(
        &self,
        programs: &[String],
        doubtful: &[usize],
    ) -> Result<Refusals, String> {
        let mut refused = self.check(programs, doubtful)?;
        let left = (0..programs.len()).filter(|number| !refused.contains_key(number));
        let found = self.until_clean("build", programs, left.collect())?;
        refused.extend(found);
        Ok(refused)
    }

    /// Checks the programs with these numbers. Returns the errors of those that the compiler refuses.
    pub(crate) fn check(&self, programs: &[String], numbers: &[usize]) -> Result<Refusals, String> {
        self.until_clean("check", programs, numbers.to_vec())
    }

    /// Compiles programs until those that are left have no error.
    fn until_clean(
        &self,
        word: &str,
        programs: &[String],
        mut left: Vec<usize>,
    ) -> Result<Refusals, String> {
        let mut refused = Refusals::new();
        while !left.is_empty() || word == "build" {
            self.write(programs, &left)
                .map_err(|error| format!("cannot write the programs: {error}"))?;
            let found = self.cargo(word)?;
            if found.is_empty() {
                break;
            }
            left.retain(|number| !found.contains_key(number));
            refused.extend(found);
        }
        Ok(refused)
    }

    /// Whether a test of `tests/it` fails in the copy.
    pub(crate) fn fails(&self, test: &str) -> Result<bool, String> {
        let cargo = |words: &[&str]| {
            let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
            cargo.args([
                "test",
                "--offline",
                "--features",
                "graphs",
                "--test",
                "it",
                "--target-dir",
            ]);
            cargo.arg(&self.target).args(words);
            let output = cargo.current_dir(&self.source).output();
            output.map_err(|error| format!("cannot start cargo: {error}"))
        };
        let built = cargo(&["--no-run"])?;
        if !built.status.success() {
            let said = String::from_utf8_lossy(&built.stderr);
            return Err(format!("the copy does not compile\n{said}"));
        }
        let ran = cargo(&["--", "--exact", test])?;
        let said = String::from_utf8_lossy(&ran.stdout);
        if !said.contains("running 1 test") {
            return Err(format!("there is no test {test}\n{said}"));
        }
        Ok(!ran.status.success())
    }

    /// The executable of the last compilation with the program of this number.
    pub(crate) fn executable(&self, number: usize) -> PathBuf {
        self.target.join("debug").join(crate_of(number))
    }

    fn write(&self, programs: &[String], left: &[usize]) -> io::Result<()> {
        let source = self.source.display().to_string().replace('\\', "/");
        let manifest =
            format!("{MANIFEST}ascendcl = {{ path = \"{source}\", features = [\"emulator\"] }}\n");
        write_if_changed(&self.folder.join("Cargo.toml"), &manifest)?;
        // The same versions as in the workspace, and nothing to download.
        let lock = fs::read_to_string(self.workspace.join("Cargo.lock"))?;
        fs::write(self.folder.join("Cargo.lock"), lock)?;
        for number in left {
            let text = programs.get(*number).map_or("", String::as_str);
            write_if_changed(&self.folder.join(format!("src/p{number}.rs")), text)?;
        }
        for name in CRATES {
            let of_crate = left.iter().filter(|number| crate_of(**number) == name);
            let file = self.folder.join(format!("src/{name}.rs"));
            write_if_changed(&file, &root(of_crate))?;
        }
        Ok(())
    }

    fn cargo(&self, word: &str) -> Result<Refusals, String> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .arg(word)
            .args([
                // Errors of one crate are no reason to leave out the other one.
                "--keep-going",
                "--offline",
                "--color=never",
                "--message-format=json",
                "--target-dir",
            ])
            .arg(&self.target)
            .current_dir(&self.folder)
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .output()
            .map_err(|error| format!("cannot start cargo: {error}"))?;
        let refusals = read(&String::from_utf8_lossy(&output.stdout))?;
        if output.status.success() != refusals.is_empty() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!(
                "the compiler stumbles over something else than a program\n{said}"
            ));
        }
        Ok(refusals)
    }
}

const MANIFEST: &str = "\
[package]
name = \"programs\"
version = \"0.0.0\"
edition = \"2024\"
publish = false

# Not a member of the workspace around this folder.
[workspace]

[profile.dev]
incremental = false

[[bin]]
name = \"even\"
path = \"src/even.rs\"

[[bin]]
name = \"odd\"
path = \"src/odd.rs\"

[dependencies]
";

/// The crates of the package: the compiler checks a crate on one processor, so there are two.
const CRATES: [&str; 2] = ["even", "odd"];

/// The crate that has the program of this number.
fn crate_of(number: usize) -> &'static str {
    let [even, odd] = CRATES;
    if number.is_multiple_of(2) { even } else { odd }
}

/// The root of a crate: what programs use, and the choice of the one that runs.
fn root<'a>(programs: impl Iterator<Item = &'a usize> + Clone) -> String {
    let mut text = String::from(ROOT);
    for number in programs.clone() {
        // Writing into a String cannot fail.
        let _ = writeln!(text, "mod p{number};");
    }
    text.push_str("\nfn chosen(number: usize) -> fn(Acl) -> Result<()> {\n    match number {\n");
    for number in programs {
        let _ = writeln!(text, "        {number} => p{number}::program,");
    }
    text.push_str("        _ => panic!(\"no such program\"),\n    }\n}\n");
    text
}

const ROOT: &str = "\
//! Random programs.
#![allow(warnings)]

use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};

pub(crate) use std::hint::black_box;
pub(crate) use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
pub(crate) use std::{mem, thread};

use ascendcl::emulator::model as emulated;

pub(crate) use ascendcl::collective::{CommName, Max, RootInfo, Sum};
pub(crate) use ascendcl::error::Usage;
pub(crate) use ascendcl::event::{Order, OrderTiming, Progress, Timing};
pub(crate) use ascendcl::media::{All, Nv12, Region};
pub(crate) use ascendcl::model::Queueing;
pub(crate) use ascendcl::{Acl, Error, ErrorKind, Npu, Result, StreamName, Thread, op};

pub(crate) const REGION: Region = Region { left: 0, top: 0, width: 32, height: 16 };

macro_rules! names {
    ($($name:ident)*) => { $(pub(crate) enum $name {} impl StreamName for $name {})* };
}
names! { Name0 Name1 Name2 Name3 Name4 Name5 Name6 }

pub(crate) enum Group0 {}
impl CommName for Group0 {}
pub(crate) enum Group1 {}
impl CommName for Group1 {}

/// A model that returns its input.
pub(crate) const MODEL: &[u8] = &[1 << 3, 8, 7 << 3 | 2, 1, 1];

struct Engine;

impl emulated::Engine for Engine {
    fn read(&self, _: &[u8]) -> std::result::Result<Arc<dyn emulated::Network>, emulated::Unreadable> {
        let port = |name: &str| emulated::Port {
            name: name.to_owned(),
            data_type: ascendcl::sys::ACL_INT32,
            shape: Some(vec![emulated::Dim::Fixed(48)]),
        };
        Ok(Arc::new(Same(emulated::Description {
            inputs: vec![port(\"from\")],
            outputs: vec![port(\"to\")],
            metadata: Default::default(),
            weight_bytes: 0,
        })))
    }
}

struct Same(emulated::Description);

impl emulated::Network for Same {
    fn description(&self) -> &emulated::Description { &self.0 }

    fn run(&self, inputs: &[emulated::Array<'_>]) -> std::result::Result<Vec<emulated::Output>, String> {
        let same = |input: &emulated::Array<'_>| emulated::Output {
            shape: input.shape.to_vec(),
            bytes: input.bytes.to_vec(),
        };
        Ok(inputs.iter().map(same).collect())
    }
}

pub(crate) fn pass<T>(value: T) -> T { value }

pub(crate) fn all<const N: usize>(ranks: [thread::ScopedJoinHandle<'_, Result<()>>; N]) -> Result<()> {
    let ended = ranks.map(|rank| rank.join().unwrap_or_else(|panic| resume_unwind(panic)));
    ended.into_iter().collect()
}

/// The root information, of which a process that runs one rank gets a copy.
static ROOT: OnceLock<RootInfo> = OnceLock::new();
/// The worst end of a process with a rank.
static WORST: Mutex<u8> = Mutex::new(0);

pub(crate) fn root(make: impl FnOnce() -> Result<RootInfo>) -> Result<RootInfo> {
    let Ok(text) = std::env::var(\"PROGRAM_ROOT\") else {
        let root = make()?;
        let _ = ROOT.set(root.clone());
        return Ok(root);
    };
    let byte = |at: usize| u8::from_str_radix(text.get(at * 2..at * 2 + 2).unwrap_or_default(), 16);
    let bytes: std::result::Result<Vec<u8>, _> = (0..text.len() / 2).map(byte).collect();
    RootInfo::from_bytes(&bytes.unwrap_or_default())
}

/// Starts a rank: as a thread, or as a process of this program that runs no other rank.
pub(crate) fn start<'scope>(
    threads: &'scope thread::Scope<'scope, '_>,
    rank: usize,
    run: impl FnOnce() -> Result<()> + Send + 'scope,
) -> thread::ScopedJoinHandle<'scope, Result<()>> {
    let own = std::env::var(\"PROGRAM_RANK\").ok();
    let has_processes = std::env::var_os(\"PROGRAM_PROCESSES\").is_some();
    threads.spawn(move || match own {
        Some(own) if own != rank.to_string() => Ok(()),
        None if has_processes => process(rank),
        _ => run(),
    })
}

fn process(rank: usize) -> Result<()> {
    let root = ROOT.get().map(|root| root.to_bytes().map(|byte| format!(\"{byte:02x}\")).concat());
    let ended = Command::new(std::env::current_exe().expect(\"a program\"))
        .args(std::env::args().skip(1))
        .env(\"PROGRAM_RANK\", rank.to_string())
        .env(\"PROGRAM_ROOT\", root.unwrap_or_default())
        .status()
        .expect(\"a process\");
    let code = ended.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(101);
    // A finding is worse than an error, and a crash is worse than both.
    let mut worst = WORST.lock().expect(\"a lock\");
    let order = |code: u8| [0, 3, 66].iter().position(|known| *known == code).unwrap_or(3);
    if order(code) > order(*worst) { *worst = code; }
    if code == 0 { Ok(()) } else { Err(stopped()) }
}

pub(crate) fn equal(ranks: usize, len: usize) -> Vec<usize> { vec![len / ranks; ranks] }

pub(crate) fn more(ranks: usize, len: usize) -> Vec<usize> {
    let mut all = vec![len / 2 / ranks; ranks];
    all[0] = len - all[0] * (ranks - 1);
    all
}

pub(crate) fn gap(ranks: usize, len: usize) -> Vec<usize> {
    let mut all = equal(ranks, len);
    all[0] = 0;
    all[ranks - 1] += len / ranks;
    all
}

pub(crate) fn short(ranks: usize, len: usize) -> Vec<usize> { equal(ranks, len / 2) }

pub(crate) fn row(each: &[usize], rank: usize) -> Vec<usize> {
    (0..each.len()).map(|other| each[(rank + other) % each.len()]).collect()
}

pub(crate) fn rows(each: &[usize]) -> Vec<usize> {
    (0..each.len()).flat_map(|rank| row(each, rank)).collect()
}

pub(crate) fn stopped() -> Error { Usage::NoDefaultDevice.into() }

pub(crate) fn stops(place: usize) -> bool {
    std::env::var(\"PROGRAM_STOPS\").is_ok_and(|at| at == place.to_string())
}

fn main() -> std::process::ExitCode {
    let number = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(usize::MAX);
    emulated::register(Arc::new(Engine));
    let acl = Acl::from_env().expect(\"the emulator starts\");
    let ended = chosen(number)(acl);
    let worst = *WORST.lock().expect(\"a lock\");
    if worst != 0 { return worst.into(); }
    let Err(error) = ended else { return 0.into() };
    if matches!(error.kind(), ErrorKind::Usage(Usage::NoDefaultDevice)) {
        return 0.into();
    }
    eprintln!(\"the program returns: {error:?} {error}\");
    3.into()
}

";

/// The errors in the output of Cargo.
fn read(output: &str) -> Result<Refusals, String> {
    let mut refusals = Refusals::new();
    for line in output.lines() {
        let line: Value = serde_json::from_str(line)
            .map_err(|error| format!("cannot read what Cargo says: {error}"))?;
        let message = line.get("message").unwrap_or(&Value::Null);
        let word = |value: &Value, key: &str| {
            value
                .get(key)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        if word(&line, "reason") != "compiler-message" || word(message, "level") != "error" {
            continue;
        }
        let spans = message.get("spans").and_then(Value::as_array);
        let Some((number, at)) = spans.into_iter().flatten().find_map(place) else {
            continue;
        };
        let code = message
            .get("code")
            .map(|code| word(code, "code"))
            .unwrap_or_default();
        let refusal = Refusal {
            code,
            line: at,
            message: word(message, "message"),
            offers: offers(message),
        };
        refusals.entry(number).or_default().push(refusal);
    }
    Ok(refusals)
}

/// The changes of a program that the notes of an error offer.
fn offers(message: &Value) -> Vec<Offer> {
    let list = |value: &Value, key: &str| {
        let list = value.get(key).and_then(Value::as_array);
        list.cloned().unwrap_or_default()
    };
    let edit = |span: &Value| {
        let (number, _) = span.get("file_name").and(place(span))?;
        let byte = |key: &str| usize::try_from(span.get(key)?.as_u64()?).ok();
        let text = span.get("suggested_replacement")?.as_str()?;
        let range = byte("byte_start")?..byte("byte_end")?;
        Some((number, (range, text.to_owned())))
    };
    let offer = |child: &Value| {
        let edits: Option<Vec<_>> = list(child, "spans").iter().map(edit).collect();
        let edits = edits.filter(|edits| !edits.is_empty())?;
        Some(edits.into_iter().map(|(_, edit)| edit).collect())
    };
    list(message, "children").iter().filter_map(offer).collect()
}

/// The program and the line of a span, or of the use of the macro around it.
fn place(span: &Value) -> Option<(usize, u64)> {
    let file = Path::new(span.get("file_name")?.as_str()?);
    let name = file.file_stem()?.to_str()?;
    let number = name
        .strip_prefix('p')
        .and_then(|number| number.parse().ok());
    match number {
        Some(number) => Some((number, span.get("line_start")?.as_u64()?)),
        None => place(span.pointer("/expansion/span")?),
    }
}

/// An unchanged file keeps its time.
fn write_if_changed(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, text)
}

#[cfg(test)]
mod tests {
    use super::{Refusal, read, root};

    #[test]
    fn an_error_belongs_to_the_program_of_its_file() {
        let line = r#"{"reason":"compiler-message","message":{"level":"error","message":"moved","code":{"code":"E0382"},"spans":[{"file_name":"src/p7.rs","line_start":3}]}}"#;
        let inside = line.replace(
            r#""file_name":"src/p7.rs","line_start":3"#,
            r#""file_name":"/library/macros.rs","line_start":1,"expansion":{"span":{"file_name":"src/p7.rs","line_start":3}}"#,
        );
        let refusal = Refusal {
            code: "E0382".into(),
            line: 3,
            message: "moved".into(),
            offers: Vec::new(),
        };
        for text in [line, &inside] {
            let expected = [(7, vec![refusal.clone()])].into();
            assert_eq!(read(text), Ok(expected), "{text}");
        }
        assert!(read("warning: something").is_err());
        let warning = line.replace("\"error\"", "\"warning\"");
        assert_eq!(read(&warning), Ok([].into()));
    }

    #[test]
    fn the_root_has_the_programs_that_are_left() {
        let text = root([3, 5].iter());
        assert!(text.contains("mod p3;\nmod p5;\n"));
        assert!(text.contains("        5 => p5::program,\n"));
    }
}
