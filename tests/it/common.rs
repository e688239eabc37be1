//! Support for tests in processes of their own, and the first lines that most tests share.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::sync::{LazyLock, OnceLock};

use ascendcl::error::Usage;
use ascendcl::{Acl, Error, ErrorKind, HostSide};

/// The signal with which `abort` ends a process.
const SIGABRT: i32 = 6;

/// The variable with the name of the test that a child runs.
const CHILD: &str = "ASCENDCL_TEST_CHILD";

/// The variable with the backend under test. Without it, that is the emulator of this crate.
const BACKEND: &str = "ASCENDCL_BACKEND";

/// Declares tests that run in a process of their own, with further environment variables.
///
/// `isolated! { ["NAME" = "value"] fn name() { .. } }`
///
/// `on emulator fn name() { .. }` marks a test that needs the emulator. A test with a variable of [`DECIDING`] needs
/// it too. On other backends these tests are skipped.
///
/// The tests also run under the emulator's checker (`ASCENDCL_EMULATOR_CHECK=leaks`), where a finding ends
/// a child with an error. A test that makes a mistake on purpose switches it off.
macro_rules! isolated {
    ($(
        $(#[$meta:meta])*
        $([$($variable:literal = $value:expr),* $(,)?])?
        $(on $backend:ident)? fn $name:ident() $body:block
    )*) => {
        $(
            $(#[$meta])*
            #[test]
            fn $name() {
                let variables: &[(&str, &str)] = &[$($(($variable, $value)),*)?];
                if $crate::common::runs_on(&[$(stringify!($backend))?], variables) {
                    $crate::common::run_isolated(module_path!(), stringify!($name), variables, || $body);
                }
            }
        )*
    };
}
pub(crate) use isolated;

/// Settings of the emulator that change the meaning of a test: injected faults, and the properties of the machine.
const DECIDING: [&str; 9] = [
    "ASCENDCL_EMULATOR_FAULTS",
    "ASCENDCL_EMULATOR_DEVICES",
    "ASCENDCL_EMULATOR_GIGABYTE_PAGES",
    "ASCENDCL_EMULATOR_MEMORY",
    "ASCENDCL_EMULATOR_PEERS",
    "ASCENDCL_EMULATOR_RANK_TIMEOUT",
    "ASCENDCL_EMULATOR_RUN_MODE",
    "ASCENDCL_EMULATOR_SOC",
    "ASCENDCL_EMULATOR_STREAMS",
];

/// Whether a test with these variables runs on the backend under test.
#[expect(
    clippy::print_stdout,
    reason = "a test that does nothing says so, to whoever asks for its output"
)]
pub(crate) fn runs_on(backends: &[&str], variables: &[(&str, &str)]) -> bool {
    let decides = |(name, _): &(&str, &str)| DECIDING.contains(name);
    let needs_emulator = backends == ["emulator"] || variables.iter().any(decides);
    // In the child it is decided: its parent has read the library, which takes time.
    if !needs_emulator || std::env::var_os(CHILD).is_some() {
        return true;
    }
    let own = variables.iter().find(|(name, _)| *name == BACKEND);
    let runs = own.map_or_else(|| *IS_EMULATOR, |(_, value)| is_emulator(value));
    if !runs {
        println!("skipped: needs the emulator, which `{BACKEND}` is not");
    }
    runs
}

/// Whether the backend under test is the emulator.
static IS_EMULATOR: LazyLock<bool> =
    LazyLock::new(|| std::env::var(BACKEND).map_or(true, |backend| is_emulator(&backend)));

/// Whether a backend is the emulator. As a library it has the names of the emulator's settings.
fn is_emulator(backend: &str) -> bool {
    let name = DECIDING[0].as_bytes();
    let has_name = |bytes: Vec<u8>| bytes.windows(name.len()).any(|window| window == name);
    backend == "emulator" || fs::read(backend).is_ok_and(has_name)
}

/// In the parent: runs this test alone in a child, with the child's result. In the child: runs `body`.
pub(crate) fn run_isolated(
    module: &str,
    name: &str,
    variables: &[(&str, &str)],
    body: impl FnOnce(),
) {
    let path = module
        .split_once("::")
        .map_or(String::new(), |(_, rest)| format!("{rest}::"));
    let test = format!("{path}{name}");
    if std::env::var(CHILD).is_ok_and(|child| child == test) {
        body();
        return;
    }
    let mut command = this_program();
    command
        .args([&test, "--exact", "--nocapture", "--test-threads=1"])
        .env(CHILD, &test);
    if std::env::var_os(BACKEND).is_none() {
        command.env(BACKEND, "emulator");
    }
    // A test with this word in its name ends in an abort.
    let aborts = name.ends_with("_aborts");
    let output = command.envs(variables.iter().copied()).output().unwrap();
    if aborts {
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.signal(),
            Some(SIGABRT),
            "{test} did not abort: {stderr}"
        );
        assert!(!stderr.contains("went on"), "{test} went on: {stderr}");
        return;
    }
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{test} failed in its process:\n{stdout}\n{stderr}"
    );
    assert!(
        stdout.contains("1 passed"),
        "{test} did not run in its process:\n{stdout}"
    );
}

/// The program of this test, started as it was started itself: on another processor, by a program that emulates it.
pub(crate) fn this_program() -> Command {
    let program = std::env::current_exe().unwrap();
    let runner = std::env::var("ASCENDCL_TEST_RUNNER").unwrap_or_default();
    let mut words = runner.split_whitespace();
    let Some(runner) = words.next() else {
        return Command::new(program);
    };
    let mut command = Command::new(runner);
    command.args(words).arg(program);
    command
}

/// A backend with only a few functions, among them those of memory: no library for operators, and a damaged one for
/// media.
const INCOMPLETE: &str = "
int aclInit(void) { return 0; }
int aclFinalize(void) { return 0; }
int aclFinalizeReference(void) { return 500000; }
int aclrtSetDevice(void) { return 0; }
int aclrtResetDevice(void) { return 0; }
int aclrtGetCurrentContext(void **context) { *context = context; return 0; }
int aclrtSetCurrentContext(void) { return 0; }
int aclrtMalloc(void **memory) { *memory = (void *)0x100000; return 0; }
int aclrtMemset(void) { return 0; }
int aclrtFree(void) { return 0; }
";

/// The path of that backend, for `ASCENDCL_BACKEND`.
pub(crate) fn incomplete() -> &'static str {
    static LIBRARY: OnceLock<String> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("incomplete");
        let (source, library) = (folder.join("incomplete.c"), folder.join("libascendcl.so"));
        // The parent has made it, and a child uses it.
        if std::env::var_os(CHILD).is_none() {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&source, INCOMPLETE).unwrap();
            fs::write(folder.join("libacl_dvpp.so"), "no library").unwrap();
            // Of the processor that the tests run on, if that is not this machine's.
            let compiler = std::env::var("ASCENDCL_TEST_CC").unwrap_or_else(|_| "cc".into());
            let mut cc = Command::new(compiler);
            cc.args(["-shared", "-fPIC", "-o"])
                .arg(&library)
                .arg(&source);
            assert!(cc.status().unwrap().success(), "no C compiler");
        }
        library.display().to_string()
    })
}

/// AscendCL on the backend under test.
pub(crate) fn acl() -> Acl {
    Acl::from_env().unwrap()
}

/// The first lines of most tests: AscendCL, a device with the number 0, and its context, which becomes current.
///
/// `bound!(acl, device: Npu<0>, current);`, with `side` behind `acl` the proof for host memory, and with `stream` at the end a
/// stream. `acl with journal` has a journal. A test that uses its [`Thread`](ascendcl::Thread) again writes the lines itself.
macro_rules! bound {
    ($acl:ident, $($rest:tt)*) => {
        let $acl = $crate::common::acl();
        $crate::common::bound!(@ $acl $($rest)*);
    };
    ($acl:ident with journal, $($rest:tt)*) => {
        let $acl = $crate::common::acl_with_journal();
        $crate::common::bound!(@ $acl $($rest)*);
    };
    (@ $acl:ident $device:ident: $tag:ty, $current:ident $(, $stream:ident)?) => {
        let mut thread = ascendcl::Thread::claim().unwrap();
        let $device = $acl.set_device::<$tag>(&mut thread, 0).unwrap();
        let $current = thread.set_current(&$device).unwrap();
        $( let mut $stream = $current.create_stream::<ascendcl::stream::Main>().unwrap(); )?
    };
    (@ $acl:ident $side:ident, $($rest:tt)*) => {
        let $side = $crate::common::host(&$acl);
        $crate::common::bound!(@ $acl $($rest)*);
    };
}
pub(crate) use bound;

/// AscendCL with a journal of the calls, where the backend is the embedded emulator.
pub(crate) fn acl_with_journal() -> Acl {
    if std::env::var_os("ASCENDCL_BACKEND").is_some_and(|backend| backend == "emulator") {
        let config = ascendcl::emulator::EmulatorConfig::from_env().unwrap();
        return Acl::emulator(config.with_journal(true)).unwrap();
    }
    acl()
}

/// The number of calls of a C function, if there is a journal.
pub(crate) fn calls(name: &str) -> usize {
    let journal = ascendcl::emulator::journal();
    journal.iter().filter(|call| call.name == name).count()
}

/// The proof for host memory; the tests run in host mode unless they say otherwise.
pub(crate) fn host(acl: &Acl) -> HostSide<'_> {
    acl.run_mode().unwrap().host().unwrap()
}

/// Whether the backend is the embedded emulator, whose state tests can read.
pub(crate) fn embedded(acl: &Acl) -> bool {
    matches!(acl.backend(), ascendcl::sys::Origin::Rust(_))
}

/// Fails unless every release has succeeded and the emulator has recorded no violation.
pub(crate) fn assert_clean(acl: &Acl) {
    assert_eq!(ascendcl::release_failures(), 0);
    if embedded(acl) {
        assert_eq!(ascendcl::emulator::violations(), []);
    }
}

/// Fails unless `result` is an error whose text holds every one of `parts`.
pub(crate) fn assert_says<T: std::fmt::Debug>(result: ascendcl::Result<T>, parts: &[&str]) {
    let text = result.expect_err("an error was expected").to_string();
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in: {text}");
    }
}

/// Fails unless the result is a refusal with this code.
#[track_caller]
pub(crate) fn assert_refused<T: std::fmt::Debug>(result: ascendcl::Result<T>, code: i32) {
    match result.map_err(Error::into_kind) {
        Err(ErrorKind::Refused(refused)) => assert_eq!(refused.code, code),
        other => panic!("another outcome: {other:?}"),
    }
}

/// The caller's mistake in a result.
#[track_caller]
pub(crate) fn usage<T>(result: ascendcl::Result<T>) -> Usage {
    match result.map_err(Error::into_kind) {
        Err(ErrorKind::Usage(usage)) => usage,
        Err(other) => panic!("another error: {other}"),
        Ok(_) => panic!("no error"),
    }
}

#[test]
fn what_needs_the_emulator_is_skipped_elsewhere() {
    let emulator = ("ASCENDCL_BACKEND", "emulator");
    let other = ("ASCENDCL_BACKEND", incomplete());
    let faults = ("ASCENDCL_EMULATOR_FAULTS", "aclInit=500000");
    let lazy = ("ASCENDCL_EMULATOR_SCHEDULE", "lazy");
    let devices = ("ASCENDCL_EMULATOR_DEVICES", "4");
    assert!(runs_on(&["emulator"], &[emulator]) && runs_on(&[], &[emulator, faults]));
    assert!(!runs_on(&["emulator"], &[other]) && !runs_on(&[], &[other, faults]));
    assert!(runs_on(&[], &[emulator, devices]) && !runs_on(&[], &[other, devices]));
    assert!(runs_on(&[], &[other, lazy]));
    assert!(!runs_on(&["emulator"], &[("ASCENDCL_BACKEND", "cann")]));
}
