//! Tests and examples on the library, each in a process of its own, and what came of them.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Mutex;
use std::thread;

use crate::Done;

/// The seconds after which a program hangs.
const LIMIT: &str = "60";

/// Areas that the library lacks, by the first word of their tests.
const ABSENT: [&str; 6] = ["op", "model", "media", "collective", "kernel", "graph"];

/// Tests and examples that need what the library does not have, a line each.
const EXPECTED: &str = include_str!("../expected.txt");

/// What the errors say of a function that is absent; the last one is the code that a raw call returns.
const LACKS_FUNCTION: [&str; 4] = [
    "has no function",
    "has no operator",
    "there is no function",
    "200001",
];
/// What they say of a device.
const LACKS_DEVICE: [&str; 2] = ["107001", "DeviceCount"];

/// What came of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Passed,
    OnEmulator,
    LacksFunction,
    LacksDevice,
    Hangs,
    Fails,
}

/// Runs the tests of a test program, those of absent areas left out. Returns whether each passed or has a reason.
pub(crate) fn tests(program: &str, library: &Path) -> Done {
    let listed = Command::new(program)
        .args(["--list", "--format=terse"])
        .output()?;
    let listed = String::from_utf8(listed.stdout)?;
    let names = listed
        .lines()
        .filter_map(|line| line.strip_suffix(": test"));
    let is_absent = |name: &&str| {
        let area = name.split([':', '_']).next();
        area.is_some_and(|area| ABSENT.contains(&area))
    };
    let names = names
        .filter(|name| !is_absent(name))
        .map(String::from)
        .collect();
    let own = std::env::current_exe()?;
    run("tests", names, |name| {
        let mut command = limited(Path::new(program), library);
        command.args([name, "--exact", "--nocapture"]);
        // Each test starts itself again by this program, which sees the backend that the test has chosen.
        command.env("ASCENDCL_TEST_RUNNER", format!("{} child", own.display()));
        command
    })
}

/// A test that starts itself: leaves it out where it has chosen the emulator.
pub(crate) fn child(program: &str, arguments: &[&str]) -> Done {
    if std::env::var_os("ASCENDCL_BACKEND").is_some_and(|backend| backend == "emulator") {
        println!("{ON_EMULATOR}");
        return Ok(true);
    }
    Err(Command::new(program).args(arguments).exec().into())
}

const ON_EMULATOR: &str = "skipped: needs the emulator";

/// Runs the examples of a folder that Cargo has filled. Returns whether each succeeded or has a reason.
pub(crate) fn examples(folder: &str, library: &Path) -> Done {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        // Beside each program are its parts, whose names have these characters.
        if !name.contains(['-', '.']) {
            names.push(name);
        }
    }
    names.sort();
    run("examples", names, |name| {
        limited(&Path::new(folder).join(name), library)
    })
}

fn limited(program: &Path, library: &Path) -> Command {
    let mut command = Command::new("timeout");
    command.args(["--signal=KILL", LIMIT]).arg(program);
    command.env("ASCENDCL_BACKEND", library);
    command
}

/// Runs the programs, several at a time, and prints how many came out how.
fn run(what: &str, names: Vec<String>, command: impl Fn(&str) -> Command + Sync) -> Done {
    let (all, next) = (names.len(), Mutex::new(names.into_iter()));
    let outcomes = Mutex::new(BTreeMap::<Outcome, Vec<String>>::new());
    let work = || -> Result<(), std::io::Error> {
        loop {
            let name = next.lock().expect("no thread panics").next();
            let Some(name) = name else { return Ok(()) };
            let outcome = judge(&command(&name).output()?);
            let mut outcomes = outcomes.lock().expect("no thread panics");
            outcomes.entry(outcome).or_default().push(name);
        }
    };
    let at_a_time = thread::available_parallelism()?.get();
    thread::scope(|scope| -> Result<(), Box<dyn Error>> {
        let threads: Vec<_> = (0..at_a_time).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            thread.join().map_err(|_| "a thread has panicked")??;
        }
        Ok(())
    })?;
    let outcomes = outcomes.into_inner()?;
    let is_expected = |name: &&String| EXPECTED.lines().any(|line| line == **name);
    let of = |outcome| outcomes.get(&outcome).map_or(&[][..], Vec::as_slice);
    let failed = [of(Outcome::Fails), of(Outcome::Hangs)].concat();
    let (expected, other): (Vec<_>, Vec<_>) = failed.iter().partition(is_expected);
    println!(
        "{all} {what}: {} passed, {} need the emulator, {} a function that the library lacks, {} another device, {} fail as expected",
        of(Outcome::Passed).len(),
        of(Outcome::OnEmulator).len(),
        of(Outcome::LacksFunction).len(),
        of(Outcome::LacksDevice).len(),
        expected.len(),
    );
    for name in &other {
        let hangs = of(Outcome::Hangs).contains(name);
        println!("{}: {name}", if hangs { "hangs" } else { "fails" });
    }
    Ok(other.is_empty())
}

fn judge(output: &Output) -> Outcome {
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    let said = String::from_utf8_lossy(&said);
    let has = |words: &[&str]| words.iter().any(|word| said.contains(word));
    match output.status.code() {
        _ if has(&[ON_EMULATOR]) => Outcome::OnEmulator,
        Some(0) => Outcome::Passed,
        // The limit ends all processes of the group, its own too.
        None => Outcome::Hangs,
        _ if has(&LACKS_FUNCTION) => Outcome::LacksFunction,
        _ if has(&LACKS_DEVICE) => Outcome::LacksDevice,
        _ => Outcome::Fails,
    }
}
