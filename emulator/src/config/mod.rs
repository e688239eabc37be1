//! The configuration of the emulator, from the program or from the environment.
//!
//! `chosen` has the configuration of this process, `clock` the clock of limits, `fault` the injected faults, and `json` reads
//! the files of a program.

pub(crate) mod chosen;
pub(crate) mod clock;
pub(crate) mod fault;
#[cfg(any(feature = "operators", feature = "collectives"))]
pub(crate) mod json;

use std::env;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

pub use crate::config::clock::Clock;
use crate::config::fault::Fault;
use crate::product::Product;
use crate::results::joined;

/// The start of the names of all variables of the emulator.
const START: &str = "ASCENDCL_EMULATOR_";

/// The variables, behind [`START`].
const VARIABLES: [&str; 15] = [
    "DEVICES",
    "MEMORY",
    "SCHEDULE",
    "CLOCK",
    "RUN_MODE",
    "SOC",
    "STREAMS",
    "PEERS",
    "RANK_TIMEOUT",
    "GIGABYTE_PAGES",
    "FAULTS",
    "FAULT_SEED",
    "CHECK",
    "REPORT",
    "TRACE",
];

/// The time and order in which queued work runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Schedule {
    /// Queued work runs soon. Worker threads take large work at once and small work within a few milliseconds, and a
    /// thread that synchronises helps.
    #[default]
    Eager,
    /// Queued work runs as late as is legal. Nothing runs before a thread waits for it, and then only the tasks that
    /// the wait needs. A program that lacks a synchronise sees stale data every time.
    ///
    /// A host function is the exception: if no thread waits for it within a second, it runs all the same, after the
    /// tasks before it. The reason is that the program may sleep until then, without a call.
    Lazy,
    /// Queued work runs in a random order that the seed determines, among the orders that streams and events allow. A
    /// program that lacks a wait fails for some seed. It fails for that seed every time, as long as only one thread
    /// submits work.
    Seeded(u64),
}

/// The place where the program runs, as `aclrtGetRunMode` reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum RunMode {
    /// On a host with accelerator cards: the host cannot touch device memory.
    #[default]
    Host,
    /// On the device itself (Ascend RC): host and device share their memory.
    Device,
}

/// Whether the checker looks for mistakes that a card does not report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Check {
    /// The checker is off.
    #[default]
    Off,
    /// The checker is on, and [`findings`](crate::findings) returns its findings.
    Collect,
    /// The checker is on and writes its findings to standard error. A process with findings ends with
    /// [`EXIT_STATUS`](crate::EXIT_STATUS), unless all of them are leaks ([`EmulatorConfig::leaks_fail`]).
    Report,
}

/// The configuration of the emulator: its devices, the schedule of queued work, injected faults and the checker.
///
/// ```
/// use ascendcl_emulator::{EmulatorConfig, Schedule};
///
/// let config = EmulatorConfig::default().with_devices(1).with_schedule(Schedule::Lazy);
/// assert_eq!(config.devices, 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EmulatorConfig {
    /// Number of devices.
    pub devices: u32,
    /// Memory of each device in bytes. It is address space; only pages that the program uses take physical memory.
    pub memory: usize,
    /// Limit of page-locked host memory in bytes. It is address space; only pages that the program uses take physical
    /// memory.
    pub host_memory: usize,
    /// Name of the chip, which `aclrtGetSocName` returns.
    pub soc_name: String,
    /// Run mode, which `aclrtGetRunMode` returns.
    pub run_mode: RunMode,
    /// Schedule of queued work.
    pub schedule: Schedule,
    /// Clock of waits with a limit.
    pub clock: Clock,
    /// Number of streams of each device. The runtime uses two of them: of 1984 streams, 1982 remain for the program.
    pub streams: u32,
    /// Number of worker threads, which start on first need. `None` means one per processor, four at most.
    pub workers: Option<usize>,
    /// How devices access each other's memory.
    pub peers: Peers,
    /// Whether the devices have pages of 1 GiB, which some products lack.
    pub gigabyte_pages: bool,
    /// How long ranks wait for each other, to join and in each operation. `None` means the limits of the library: those
    /// of `HCCL_CONNECT_TIMEOUT` and `HCCL_EXEC_TIMEOUT`, or 120 seconds to join and 1836 seconds in an operation.
    pub rank_timeout: Option<Duration>,
    /// Injected faults: calls and tasks that fail although nothing is wrong.
    pub faults: Vec<Fault>,
    /// Seed for faults with a probability.
    pub fault_seed: u64,
    /// Whether calls are recorded for [`journal`](crate::journal).
    pub journal: bool,
    /// Whether the checker looks for mistakes of the program, and how it reports them.
    pub check: Check,
    /// Whether a process in which the checker finds only unreleased memory and objects ends with
    /// [`EXIT_STATUS`](crate::EXIT_STATUS), too. The end of the process releases them, so they are reported, but leave
    /// the status as it is otherwise.
    pub leaks_fail: bool,
    /// Whether the checker reports memory and streams that the reset of their device frees. A program that forgets to
    /// release them on one of its ways out is not found by any other check.
    pub left_to_reset: bool,
    /// File for the findings as JSON. Each finding is written when it is found, and memory and objects that were
    /// never released when the process ends. `%p` in the name becomes the process number. If the path is a link or a
    /// pipe, all findings are written at the end.
    pub report: Option<PathBuf>,
    /// File for the timeline, written when the process ends. `%p` in the name becomes the process number.
    pub trace: Option<PathBuf>,
}

impl Default for EmulatorConfig {
    fn default() -> Self {
        EmulatorConfig {
            devices: 2,
            memory: 4 << 30,
            host_memory: 16 << 30,
            soc_name: String::from("Ascend910B1"),
            run_mode: RunMode::Host,
            schedule: Schedule::Eager,
            clock: Clock::Wall,
            streams: 1984,
            workers: None,
            peers: Peers::Open,
            gigabyte_pages: true,
            rank_timeout: None,
            faults: Vec::new(),
            fault_seed: 0,
            journal: false,
            check: Check::Off,
            leaks_fail: false,
            left_to_reset: false,
            report: None,
            trace: None,
        }
    }
}

impl EmulatorConfig {
    /// Returns the default configuration with the changes of the environment variables.
    ///
    /// | variable | value |
    /// |---|---|
    /// | `ASCENDCL_EMULATOR_DEVICES` | number of devices |
    /// | `ASCENDCL_EMULATOR_MEMORY` | memory of each device: bytes, or `512MiB`, `4GiB` |
    /// | `ASCENDCL_EMULATOR_SCHEDULE` | `eager`, `lazy`, or `seeded:7` with any number |
    /// | `ASCENDCL_EMULATOR_CLOCK` | `wall` or `still`: when the limit of a wait passes ([`Clock`]) |
    /// | `ASCENDCL_EMULATOR_RUN_MODE` | `host` or `device` |
    /// | `ASCENDCL_EMULATOR_SOC` | name of the chip |
    /// | `ASCENDCL_EMULATOR_STREAMS` | number of streams of each device |
    /// | `ASCENDCL_EMULATOR_PEERS` | `open`, `checked` or `none`: how devices reach each other's memory |
    /// | `ASCENDCL_EMULATOR_RANK_TIMEOUT` | seconds that ranks wait for each other |
    /// | `ASCENDCL_EMULATOR_GIGABYTE_PAGES` | `yes` or `no`: whether devices have pages of 1 GiB |
    /// | `ASCENDCL_EMULATOR_FAULTS` | injected faults: `aclrtMalloc=207001,task:aclrtMemcpyAsync%1=507001` ([`Fault`]) |
    /// | `ASCENDCL_EMULATOR_FAULT_SEED` | seed for faults with `%`, a number |
    /// | `ASCENDCL_EMULATOR_CHECK` | `1` switches the checker on ([`Check::Report`]), `0` off; `leaks` switches it on, and unreleased memory changes the exit status, too; `left-to-reset` is `leaks`, and also reports what a reset frees |
    /// | `ASCENDCL_EMULATOR_REPORT` | file for the findings as JSON; also switches the checker on |
    /// | `ASCENDCL_EMULATOR_TRACE` | file for the timeline, in the format of trace viewers |
    ///
    /// The last three variables also apply to a program that configures the emulator itself.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] names the first variable with an invalid value, or one whose name begins like these and is none.
    pub fn from_env() -> Result<EmulatorConfig, ConfigError> {
        check_environment()?;
        EmulatorConfig::read(environment)
    }

    /// Does the work of [`EmulatorConfig::from_env`], with the environment as a function.
    fn read(variable: impl Fn(&str) -> Option<String>) -> Result<EmulatorConfig, ConfigError> {
        let mut config = EmulatorConfig::default();
        let value = |name| variable(name).filter(|value: &String| !value.is_empty());
        let name = "ASCENDCL_EMULATOR_DEVICES";
        if let Some(text) = value(name) {
            config.devices = text
                .parse()
                .ok()
                .filter(|devices| *devices <= 64)
                .ok_or_else(|| ConfigError::new(name, &text, "a number from 0 to 64"))?;
        }
        let name = "ASCENDCL_EMULATOR_MEMORY";
        if let Some(text) = value(name) {
            let in_range = |bytes: &usize| (1 << 20..=1 << 40).contains(bytes);
            config.memory = bytes(&text).filter(in_range).ok_or_else(|| {
                ConfigError::new(name, &text, "from 1MiB to 1TiB, such as 512MiB or 4GiB")
            })?;
        }
        let name = "ASCENDCL_EMULATOR_SCHEDULE";
        if let Some(text) = value(name) {
            let seed = || text.strip_prefix("seeded:")?.parse().ok();
            config.schedule = match text.as_str() {
                "eager" => Schedule::Eager,
                "lazy" => Schedule::Lazy,
                _ => seed().map(Schedule::Seeded).ok_or_else(|| {
                    ConfigError::new(name, &text, "eager, lazy, or seeded:7 with any number")
                })?,
            };
        }
        let name = "ASCENDCL_EMULATOR_CLOCK";
        if let Some(text) = value(name) {
            let is_still = choice(name, &text, "wall", "still", "wall or still")?;
            config.clock = if is_still { Clock::Still } else { Clock::Wall };
        }
        let name = "ASCENDCL_EMULATOR_RUN_MODE";
        if let Some(text) = value(name) {
            config.run_mode = match text.as_str() {
                "host" => RunMode::Host,
                "device" => RunMode::Device,
                _ => return Err(ConfigError::new(name, &text, "host or device")),
            };
        }
        let name = "ASCENDCL_EMULATOR_SOC";
        if let Some(text) = value(name) {
            let is_known = Product::is_chip(&text);
            config.soc_name = Some(text.clone())
                .filter(|_| is_known)
                .ok_or_else(|| ConfigError::new(name, &text, Product::CHIPS))?;
        }
        let name = "ASCENDCL_EMULATOR_STREAMS";
        if let Some(text) = value(name) {
            config.streams = text
                .parse()
                .ok()
                .filter(|streams| (3..=65536).contains(streams))
                .ok_or_else(|| ConfigError::new(name, &text, "a number from 3 to 65536"))?;
        }
        let name = "ASCENDCL_EMULATOR_PEERS";
        if let Some(text) = value(name) {
            config.peers = match &*text {
                "open" => Peers::Open,
                "checked" => Peers::Checked,
                "none" => Peers::None,
                _ => return Err(ConfigError::new(name, &text, "open, checked or none")),
            };
        }
        let name = "ASCENDCL_EMULATOR_GIGABYTE_PAGES";
        if let Some(text) = value(name) {
            config.gigabyte_pages = choice(name, &text, "no", "yes", "yes or no")?;
        }
        let name = "ASCENDCL_EMULATOR_RANK_TIMEOUT";
        if let Some(text) = value(name) {
            let seconds = text.parse().ok();
            let timeout = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            config.rank_timeout = Some(timeout.ok_or_else(|| {
                ConfigError::new(name, &text, "a number of seconds, such as 2.5")
            })?);
        }
        let name = "ASCENDCL_EMULATOR_FAULTS";
        if let Some(text) = value(name) {
            config.faults = Fault::list(&text).ok_or_else(|| {
                let remedy =
                    "functions with codes, such as aclrtMalloc=207001,aclrtMemcpy#3=507001";
                ConfigError::new(name, &text, remedy)
            })?;
        }
        let name = "ASCENDCL_EMULATOR_FAULT_SEED";
        if let Some(text) = value(name) {
            config.fault_seed = text
                .parse()
                .map_err(|_| ConfigError::new(name, &text, "a number from 0 to 2^64 - 1"))?;
        }
        config.watched(variable)
    }

    /// Returns this configuration with the checker, report and trace of the environment. The environment has
    /// priority, because the user who runs the program sets it.
    pub(crate) fn watched(
        mut self,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<EmulatorConfig, ConfigError> {
        let value = |name| variable(name).filter(|value: &String| !value.is_empty());
        if let Some(path) = value("ASCENDCL_EMULATOR_REPORT") {
            self.report = Some(path.into());
            self.check = Check::Report;
        }
        if let Some(path) = value("ASCENDCL_EMULATOR_TRACE") {
            self.trace = Some(path.into());
        }
        let name = "ASCENDCL_EMULATOR_CHECK";
        if let Some(text) = value(name) {
            self.check = match text.as_str() {
                "0" => Check::Off,
                "1" => Check::Report,
                "leaks" | "left-to-reset" => {
                    self.leaks_fail = true;
                    self.left_to_reset = text == "left-to-reset";
                    Check::Report
                }
                _ => {
                    return Err(ConfigError::new(
                        name,
                        &text,
                        "0, 1, leaks or left-to-reset",
                    ));
                }
            };
        }
        Ok(self)
    }

    /// Returns this configuration with one more injected fault.
    #[must_use]
    pub fn with_fault(mut self, fault: Fault) -> Self {
        self.faults.push(fault);
        self
    }

    /// Returns this configuration with a seed for faults with a probability.
    #[must_use]
    pub fn with_fault_seed(mut self, seed: u64) -> Self {
        self.fault_seed = seed;
        self
    }

    /// Returns this configuration with or without a journal of the calls.
    #[must_use]
    pub fn with_journal(mut self, journal: bool) -> Self {
        self.journal = journal;
        self
    }

    /// Returns this configuration with the checker off or on.
    #[must_use]
    pub fn with_check(mut self, check: Check) -> Self {
        self.check = check;
        self
    }

    /// Returns this configuration with an exit status that unreleased memory and objects change, or do not change. They
    /// need [`Check::Report`].
    #[must_use]
    pub fn with_leaks_fail(mut self, fail: bool) -> Self {
        self.leaks_fail = fail;
        self
    }

    /// Returns this configuration with or without findings about memory and streams that a reset frees. They need the
    /// checker.
    #[must_use]
    pub fn with_left_to_reset(mut self, found: bool) -> Self {
        self.left_to_reset = found;
        self
    }

    /// Returns this configuration with a file for the timeline.
    #[must_use]
    pub fn with_trace(mut self, file: impl Into<PathBuf>) -> Self {
        self.trace = Some(file.into());
        self
    }

    /// Returns whether calls have to be observed.
    pub(crate) fn observes(&self) -> bool {
        self.journal || !self.faults.is_empty() || self.check != Check::Off || self.trace.is_some()
    }

    /// Returns this configuration with a number of devices.
    #[must_use]
    pub fn with_devices(mut self, devices: u32) -> Self {
        self.devices = devices;
        self
    }

    /// Returns this configuration with a size of the memory of each device, in bytes.
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// Returns this configuration with a limit of page-locked host memory, in bytes.
    #[must_use]
    pub fn with_host_memory(mut self, bytes: usize) -> Self {
        self.host_memory = bytes;
        self
    }

    /// Returns this configuration with a name of the chip.
    #[must_use]
    pub fn with_soc_name(mut self, name: impl Into<String>) -> Self {
        self.soc_name = name.into();
        self
    }

    /// Returns this configuration with a run mode.
    #[must_use]
    pub fn with_run_mode(mut self, mode: RunMode) -> Self {
        self.run_mode = mode;
        self
    }

    /// Returns this configuration with a schedule.
    #[must_use]
    pub fn with_schedule(mut self, schedule: Schedule) -> Self {
        self.schedule = schedule;
        self
    }

    /// Returns this configuration with another clock of waits with a limit.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Returns this configuration with a number of streams of each device.
    #[must_use]
    pub fn with_streams(mut self, streams: u32) -> Self {
        self.streams = streams;
        self
    }

    /// Returns this configuration with a rule for access between devices.
    #[must_use]
    pub fn with_peers(mut self, peers: Peers) -> Self {
        self.peers = peers;
        self
    }

    /// Returns this configuration with or without pages of 1 GiB.
    #[must_use]
    pub fn with_gigabyte_pages(mut self, has: bool) -> Self {
        self.gigabyte_pages = has;
        self
    }

    /// Sets how long ranks wait for each other, to join and in each operation.
    #[must_use]
    pub fn with_rank_timeout(mut self, timeout: Duration) -> Self {
        self.rank_timeout = Some(timeout);
        self
    }

    /// Returns this configuration with a number of worker threads. With 0, queued work runs only when a thread of the
    /// program waits for it.
    #[must_use]
    pub fn with_workers(mut self, workers: usize) -> Self {
        self.workers = Some(workers);
        self
    }
}

/// Refuses an environment with a misspelt variable: what it should change would be missing without a word.
pub(crate) fn check_environment() -> Result<(), ConfigError> {
    let names = env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
    check_names(names)
}

fn check_names(mut names: impl Iterator<Item = String>) -> Result<(), ConfigError> {
    let unknown = names.find(|name| {
        let variable = name.strip_prefix(START);
        variable.is_some_and(|variable| !VARIABLES.contains(&variable))
    });
    match unknown {
        None => Ok(()),
        Some(name) => {
            let value = environment(&name).unwrap_or_default();
            Err(ConfigError::new(
                START,
                &format!("{name} ({value:?})"),
                "no value",
            ))
        }
    }
}

/// How devices access each other's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Peers {
    /// Access needs no permission, and nothing is refused. The production runtime was observed to do so over a
    /// simulated driver.
    #[default]
    Open,
    /// Copies and fills between devices need `aclrtDeviceEnablePeerAccess`. The direction is from the device that is
    /// read, or from the device whose stream does the work, to the device that is written. Without it the calls
    /// return `ACL_ERROR_RT_PARAM_INVALID`, because the manual says that they fail.
    Checked,
    /// No access: `aclrtDeviceCanAccessPeer` reports none, as for cards without a connecting switch, and copies and
    /// fills between devices fail.
    None,
}

/// Parses one of two words; the second means true.
fn choice(
    name: &'static str,
    text: &str,
    off: &str,
    on: &str,
    expected: &'static str,
) -> Result<bool, ConfigError> {
    if text == on || text == off {
        Ok(text == on)
    } else {
        Err(ConfigError::new(name, text, expected))
    }
}

/// Parses a number of bytes with an optional binary unit, at most 1 TiB.
fn bytes(text: &str) -> Option<usize> {
    let units = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40)];
    let found = units
        .iter()
        .find_map(|(unit, shift)| Some((text.strip_suffix(unit)?, *shift)));
    let (number, shift) = found.unwrap_or((text, 0));
    let number: usize = number.trim().parse().ok()?;
    number
        .checked_mul(1 << shift)
        .filter(|bytes| (1..=1 << 40).contains(bytes))
}

/// An environment variable with an invalid value, or one that does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The variable. Of one that does not exist it is the start of the name: `ASCENDCL_EMULATOR_`.
    pub variable: &'static str,
    /// The value of the variable. Of one that does not exist it is the name with the value.
    pub value: String,
    /// The values that are allowed.
    pub expected: &'static str,
}

impl ConfigError {
    fn new(variable: &'static str, value: &str, expected: &'static str) -> ConfigError {
        ConfigError {
            variable,
            value: value.to_owned(),
            expected,
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ConfigError {
            variable,
            value,
            expected,
        } = self;
        if *variable == START {
            return write!(
                f,
                "the variable {value} does not exist; correct its name, or unset it: behind {START} stands {}",
                joined(&VARIABLES, ", ")
            );
        }
        write!(
            f,
            "the variable {variable} is {value:?}; set it to {expected}, or unset it"
        )
    }
}

impl std::error::Error for ConfigError {}

/// Returns a variable of the environment.
pub(crate) fn environment(name: &str) -> Option<String> {
    env::var_os(name).map(|value| value.to_string_lossy().into())
}

#[cfg(test)]
mod tests;
