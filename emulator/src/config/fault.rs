//! Injected faults: calls and tasks that fail or hang because the configuration says so.

use ascendcl_sys as sys;
use ascendcl_sys::{ACL_SUCCESS, aclError};

/// An injected fault: a call or a queued task that fails or hangs although nothing is wrong. It shows the reaction of a
/// program to a failing card.
///
/// A call with a fault returns the code and does nothing else, except that the second phase of an operator ends its
/// executor, as a failed second phase does on a card. A task with a fault ends without doing anything, and
/// the next synchronise of its stream returns the code once.
///
/// A task that hangs never ends by itself, and nothing behind it in its stream runs. `aclrtStreamAbort` and
/// `aclrtDestroyStreamForce` end it. Each reset of its device waits for it, as on a card. Tasks that may hang are counted in
/// the order in which they come to the front of their streams. The tasks in a branch of a graph run as a part of one task,
/// and do not hang.
///
/// The text form, in `ASCENDCL_EMULATOR_FAULTS`:
///
/// | text | failing calls or tasks |
/// |---|---|
/// | `aclrtMalloc=207001` | the first call |
/// | `aclrtMalloc#3=207001` | the third call |
/// | `aclrtMalloc#3+=207001` | the third call and all later ones |
/// | `aclrtMalloc%0.5=207001` | one call in two hundred, drawn from the seed |
/// | `task:aclrtMemcpyAsync#2=507001` | the second task of `aclrtMemcpyAsync` that runs; also with `+` and `%` |
/// | `task:aclrtMemcpyAsync=507015` | also the first copy of a batch, whose copies are tasks of `aclrtMemcpyAsync` |
/// | `task:HcclAllReduce=507015` | the first part of a rank in such an operation; the other ranks of the operation fail with 507048 |
/// | `task:aclnnMine=507015` | the first task of an operator, also of one that the program [registers](mod@crate::operator) |
/// | `task:aclrtLaunchKernelWithHostArgs=507015` | the first kernel of the program that this function has queued; also with the other forms of launches |
/// | `hang:aclrtMemcpyAsync#2` | the second task of `aclrtMemcpyAsync` never ends; also with `+` and `%`, and for the tasks that `task:` knows |
/// | `half:aclrtStreamAbort=507899` | the first abort fails half-way: no task ends, and the stream stays aborted. Its waits return 107023 at once and its submissions fail with it, until another abort succeeds |
/// | `slow:aclrtStreamAbort=5000` | the first abort takes 5000 milliseconds longer. Until then its stream is as above |
/// | `out-of-memory` | the first call of every function that allocates; also with `#`, `+` and `%` |
/// | `no-stream` | the first call of every function that creates streams; also with `#`, `+` and `%` |
/// | `memory-error`, `link-error` | the first call of every function that waits, with the code of a memory (507054) or a link (507056) that is broken; also with `#`, `+` and `%` |
/// | `device-lost#100` | the hundredth call and all later ones, of all functions that return a code |
/// | `device-lost#100~20` | the same, but only twenty calls |
/// | `device-lost#100~reset` | the same, until `aclrtResetDevice` or `aclrtResetDeviceForce` has released a device, which these calls do then |
///
/// A device that is lost has lost its queues: what is queued at the first failing call ends without doing anything, on all
/// devices of the process. A wait that runs meanwhile returns 507010, or else the next one of each such stream. What a
/// lost device really does, and what makes it usable again, was not observed; this is a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    call: String,
    when: When,
    code: aclError,
    effect: Effect,
    heals: Heals,
}

/// What a fault does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// A call fails.
    Call,
    /// A task fails.
    Task,
    /// A task never ends.
    Hang,
    /// An abort fails half-way.
    Half,
    /// An abort takes longer, by this number of milliseconds.
    Slow(u32),
}

/// The end of a fault that lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heals {
    Never,
    /// With the next release of a device.
    ByReset,
    /// After this number of failed calls.
    After(u64),
}

/// The calls of a function that fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// The call with this number.
    Nth(u64),
    /// The call with this number and all later ones.
    From(u64),
    /// This number of calls in a million.
    PerMillion(u32),
}

/// The functions of HCCL that queue work.
const COLLECTIVES: [&str; 15] = [
    "HcclAllGather",
    "HcclAllGatherV",
    "HcclAllReduce",
    "HcclAlltoAll",
    "HcclAlltoAllV",
    "HcclAlltoAllVC",
    "HcclBarrier",
    "HcclBatchSendRecv",
    "HcclBroadcast",
    "HcclRecv",
    "HcclReduce",
    "HcclReduceScatter",
    "HcclReduceScatterV",
    "HcclScatter",
    "HcclSend",
];

/// The functions that wait for queued work.
const WAITS: [&str; 6] = [
    "aclrtSynchronizeStream",
    "aclrtSynchronizeStreamWithTimeout",
    "aclrtSynchronizeEvent",
    "aclrtSynchronizeEventWithTimeout",
    "aclrtSynchronizeDevice",
    "aclrtSynchronizeDeviceWithTimeout",
];

/// The name that matches every function.
const ANY: &str = "*";
/// The function whose copies are tasks of `aclrtMemcpyAsync`.
const BATCH: &str = "aclrtMemcpyBatchAsync";
/// The function that can fail half-way, and take longer.
const ABORT: &str = "aclrtStreamAbort";

impl Fault {
    /// Creates a fault: the first call of the C function `call` fails with `code`.
    #[must_use]
    pub fn new(call: impl Into<String>, code: aclError) -> Fault {
        Fault::with(call.into(), code, Effect::Call)
    }

    /// Creates a fault: the first task that the C function `call` queues never ends.
    #[must_use]
    pub fn hang(call: impl Into<String>) -> Fault {
        Fault::with(call.into(), ACL_SUCCESS, Effect::Hang)
    }

    /// Creates a fault: the first `aclrtStreamAbort` fails half-way with `code`, and leaves its stream aborted.
    #[must_use]
    pub fn half_abort(code: aclError) -> Fault {
        Fault::with(ABORT.to_owned(), code, Effect::Half)
    }

    /// Creates a fault: the first `aclrtStreamAbort` takes longer, by a number of milliseconds.
    #[must_use]
    pub fn slow_abort(millis: u32) -> Fault {
        Fault::with(ABORT.to_owned(), ACL_SUCCESS, Effect::Slow(millis))
    }

    fn with(call: String, code: aclError, effect: Effect) -> Fault {
        Fault {
            call,
            when: When::Nth(1),
            code,
            effect,
            heals: Heals::Never,
        }
    }

    /// Returns this fault for the `nth` call of the function; 1 is the first.
    #[must_use]
    pub fn at(mut self, nth: u64) -> Fault {
        self.when = When::Nth(nth);
        self
    }

    /// Returns this fault for the `nth` call of the function and all later ones; 1 is the first.
    #[must_use]
    pub fn from(mut self, nth: u64) -> Fault {
        self.when = When::From(nth);
        self
    }

    /// Returns this fault for a number of calls in a million. They are drawn from the seed of the configuration.
    #[must_use]
    pub fn per_million(mut self, calls: u32) -> Fault {
        self.when = When::PerMillion(calls);
        self
    }

    /// Returns this fault for the tasks that the function queues. They are counted in the order in which they run.
    #[must_use]
    pub fn in_task(mut self) -> Fault {
        self.effect = Effect::Task;
        self
    }

    /// Returns this fault with an end, for one of [`Fault::from`]: a reset that releases a device. That reset does not fail.
    #[must_use]
    pub fn heals_by_reset(mut self) -> Fault {
        self.heals = Heals::ByReset;
        self
    }

    /// Returns this fault with an end, for one of [`Fault::from`]: this number of failed calls.
    #[must_use]
    pub fn heals_after(mut self, calls: u64) -> Fault {
        self.heals = Heals::After(calls);
        self
    }

    /// Returns the name of the C function, or `*` for any function. The text form has no `*`.
    #[must_use]
    pub fn call(&self) -> &str {
        &self.call
    }

    /// Returns the number of the first failing call, counted from 1. A fault with a probability returns 1.
    #[must_use]
    pub fn nth(&self) -> u64 {
        match self.when {
            When::Nth(nth) | When::From(nth) => nth,
            When::PerMillion(_) => 1,
        }
    }

    /// Returns the code of the failure; 0 for a task that hangs and an abort that takes longer.
    #[must_use]
    pub fn code(&self) -> aclError {
        self.code
    }

    /// Returns whether the tasks of the function fail instead of its calls.
    #[must_use]
    pub fn is_in_task(&self) -> bool {
        self.effect == Effect::Task
    }

    /// Returns what the fault does.
    pub(crate) fn effect(&self) -> Effect {
        self.effect
    }

    /// Returns whether the next reset of a device ends the fault, once it has struck.
    pub(crate) fn heals_at_reset(&self) -> bool {
        self.heals == Heals::ByReset
    }

    /// Returns whether the fault takes the queued work with it, if it strikes for the first time with this call.
    pub(crate) fn loses_work(&self, nth: u64) -> bool {
        self.call == ANY && self.when == When::From(nth)
    }

    /// Returns whether the fault applies to a function. A fault for any function applies to those that return a code.
    pub(crate) fn concerns(&self, call: &str, has_code: bool) -> bool {
        self.call == call || (has_code && self.call == ANY)
    }

    /// Returns whether the `nth` call fails.
    pub(crate) fn strikes(&self, nth: u64, seed: u64) -> bool {
        match self.when {
            When::Nth(number) => nth == number,
            When::From(number) => {
                let lasts = match self.heals {
                    Heals::After(calls) => nth - number.min(nth) < calls,
                    Heals::Never | Heals::ByReset => true,
                };
                nth >= number && lasts
            }
            When::PerMillion(calls) => draw(seed, &self.call, nth) % 1_000_000 < u64::from(calls),
        }
    }

    /// Parses a comma-separated list of faults; `None` if one of them is invalid.
    pub(crate) fn list(text: &str) -> Option<Vec<Fault>> {
        let mut faults = Vec::new();
        for fault in text.split(',') {
            faults.extend(Fault::parse(fault.trim())?);
        }
        Some(faults)
    }

    fn parse(text: &str) -> Option<Vec<Fault>> {
        let (which, code) = match text.split_once('=') {
            Some((which, code)) => (which, Some(code.trim())),
            None => (text, None),
        };
        let (kind, which) = match which.split_once(':') {
            Some((kind, which)) => (kind, which),
            None => ("", which),
        };
        let (which, heals) = match which.split_once('~') {
            Some((which, heals)) => (which, Heals::parse(heals.trim())?),
            None => (which, Heals::Never),
        };
        let (name, when) = When::parse(which)?;
        let queues = (name.starts_with("aclnn") && !name.ends_with("Size"))
            || (name.ends_with("Async") && name != BATCH)
            || name.starts_with("aclrtLaunchKernel")
            || COLLECTIVES.contains(&name);
        let (effect, code, known) = match (kind, code) {
            ("", None) => return Fault::scenario(name, when, heals),
            ("hang", None) => (Effect::Hang, ACL_SUCCESS, queues),
            (_, None) => return None,
            ("slow", Some(millis)) => {
                let millis = millis.parse().ok()?;
                (Effect::Slow(millis), ACL_SUCCESS, name == ABORT)
            }
            (_, Some(code)) => {
                let (effect, known) = match kind {
                    "" => (Effect::Call, true),
                    "task" => (Effect::Task, queues),
                    "half" => (Effect::Half, name == ABORT),
                    _ => return None,
                };
                match code.parse() {
                    Ok(code) if code != ACL_SUCCESS => (effect, code, known),
                    _ => return None,
                }
            }
        };
        if !known || heals != Heals::Never || !is_name(name) {
            return None;
        }
        let mut fault = Fault::with(name.to_owned(), code, effect);
        fault.when = when;
        Some(vec![fault])
    }

    /// Returns the faults of a named scenario.
    fn scenario(name: &str, mut when: When, heals: Heals) -> Option<Vec<Fault>> {
        let (calls, code) = scenario(name)?;
        match (calls, when) {
            // A lost device stays lost, unless it heals.
            ([ANY], When::Nth(nth)) => when = When::From(nth),
            ([ANY], When::From(_)) => {}
            _ if heals == Heals::Never => {}
            _ => return None,
        }
        let mut faults = Vec::new();
        for call in calls {
            let mut fault = Fault::with((*call).to_owned(), code, Effect::Call);
            (fault.when, fault.heals) = (when, heals);
            faults.push(fault);
        }
        Some(faults)
    }
}

impl Heals {
    fn parse(text: &str) -> Option<Heals> {
        if text == "reset" {
            return Some(Heals::ByReset);
        }
        match text.parse() {
            Ok(calls @ 1..) => Some(Heals::After(calls)),
            _ => None,
        }
    }
}

impl When {
    /// Splits a name from the number after `#` or the percentage after `%`.
    fn parse(text: &str) -> Option<(&str, When)> {
        if let Some((name, percent)) = text.split_once('%') {
            let percent: f64 = percent.trim().parse().ok()?;
            let in_range = (0.0..=100.0).contains(&percent);
            // The value is in range, so the cast loses only the fraction.
            return in_range.then_some((name.trim(), When::PerMillion((percent * 1e4) as u32)));
        }
        let Some((name, number)) = text.split_once('#') else {
            return Some((text.trim(), When::Nth(1)));
        };
        let (number, when): (&str, fn(u64) -> When) = match number.trim().strip_suffix('+') {
            Some(number) => (number, When::From),
            None => (number, When::Nth),
        };
        let number = number.trim().parse().ok().filter(|number| *number > 0)?;
        Some((name.trim(), when(number)))
    }
}

/// Returns the functions and the code of a named scenario.
fn scenario(name: &str) -> Option<(&'static [&'static str], aclError)> {
    match name {
        "out-of-memory" => Some((
            &[
                "aclrtMalloc",
                "aclrtMallocAlign32",
                "aclrtMallocCached",
                "aclrtMallocWithCfg",
                "aclrtMallocHost",
                "aclrtMallocHostWithCfg",
                "acldvppMalloc",
                "hi_mpi_dvpp_malloc",
            ],
            sys::ACL_ERROR_RT_MEMORY_ALLOCATION,
        )),
        "no-stream" => Some((
            &["aclrtCreateStream", "aclrtCreateStreamWithConfig"],
            sys::ACL_ERROR_RT_NO_STREAM_RESOURCE,
        )),
        "memory-error" => Some((&WAITS, sys::ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR)),
        "link-error" => Some((&WAITS, sys::ACL_ERROR_RT_LINK_ERROR)),
        "device-lost" => Some((&[ANY], sys::ACL_ERROR_RT_LOST_HEARTBEAT)),
        _ => None,
    }
}

/// Returns a pseudo-random number that is always the same for the same arguments (SplitMix64).
fn draw(seed: u64, call: &str, nth: u64) -> u64 {
    let mix = |mut z: u64| {
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let start = call
        .bytes()
        .fold(seed, |state, byte| mix(state ^ u64::from(byte)));
    mix(start.wrapping_add(nth.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

/// Returns whether a C function of this name exists and can fail by injection. The name of an operator may be that of
/// one that the program registers later.
fn is_name(name: &str) -> bool {
    let operator = name.strip_prefix("aclnn").unwrap_or_default();
    if operator.starts_with(|first: char| first.is_ascii_uppercase())
        && operator.chars().all(|one| one.is_ascii_alphanumeric())
    {
        return true;
    }
    let areas = [
        sys::RuntimeTable::NAMES,
        sys::DeviceTable::NAMES,
        sys::ContextTable::NAMES,
        sys::StreamTable::NAMES,
        sys::EventTable::NAMES,
        sys::MemoryTable::NAMES,
        sys::CallbackTable::NAMES,
        sys::OpTable::NAMES,
        sys::GraphTable::NAMES,
        sys::ModelTable::NAMES,
        sys::MediaTable::NAMES,
        sys::CollectiveTable::NAMES,
        sys::ProfilingTable::NAMES,
    ];
    areas.iter().any(|names| names.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::Fault;

    #[test]
    fn faults_are_read_in_all_their_forms() {
        let read = Fault::list(
            "aclrtMalloc=207001, aclrtMemcpy#3=507001, aclrtFree#2+=107000, aclrtMemset%0.5=507899, \
             task:aclrtMemcpyAsync#2=507001",
        );
        let expected = vec![
            Fault::new("aclrtMalloc", 207001),
            Fault::new("aclrtMemcpy", 507001).at(3),
            Fault::new("aclrtFree", 107000).from(2),
            Fault::new("aclrtMemset", 507899).per_million(5000),
            Fault::new("aclrtMemcpyAsync", 507001).at(2).in_task(),
        ];
        assert_eq!(read, Some(expected));
    }

    #[test]
    fn operations_of_ranks_fail_as_tasks_and_other_functions_of_hccl_do_not() {
        for name in super::COLLECTIVES {
            let fault = Fault::new(name, 507015).in_task();
            let read = Fault::list(&format!("task:{name}=507015"));
            assert_eq!(read, Some(vec![fault]), "{name}");
        }
        let read = Fault::list("task:HcclCommDestroy=507015");
        assert_eq!(read, None, "it queues nothing");
        let read = Fault::list("task:aclrtMemcpyBatchAsync=507001");
        assert_eq!(read, None, "its copies are tasks of `aclrtMemcpyAsync`");
    }

    /// The program registers its operators after the configuration was read.
    #[test]
    fn the_name_of_an_operator_is_open() {
        let fault = Fault::new("aclnnMine", 507015).in_task();
        assert_eq!(Fault::list("task:aclnnMine=507015"), Some(vec![fault]));
    }

    #[test]
    fn words_stand_for_several_calls() {
        let streams = vec![
            Fault::new("aclrtCreateStream", 207008).at(2),
            Fault::new("aclrtCreateStreamWithConfig", 207008).at(2),
        ];
        assert_eq!(Fault::list("no-stream#2"), Some(streams));
        let memory = Fault::list("out-of-memory%10").unwrap_or_default();
        assert!(memory.contains(&Fault::new("aclrtMallocHost", 207001).per_million(100_000)));
        let lost = || Fault::new("*", 507010).from(100);
        for (text, fault) in [
            ("device-lost#100", lost()),
            ("device-lost#100+", lost()),
            ("device-lost#100~20", lost().heals_after(20)),
            ("device-lost#100~reset", lost().heals_by_reset()),
        ] {
            assert_eq!(Fault::list(text), Some(vec![fault]), "{text}");
        }
        let broken = Fault::list("link-error#2").unwrap_or_default();
        assert!(broken.contains(&Fault::new("aclrtSynchronizeDevice", 507056).at(2)));
        let broken = Fault::list("memory-error").unwrap_or_default();
        assert!(broken.contains(&Fault::new("aclrtSynchronizeStream", 507054)));
    }

    #[test]
    fn tasks_hang_and_aborts_fail_half_way_or_late() {
        for (text, fault) in [
            ("hang:aclrtMemcpyAsync", Fault::hang("aclrtMemcpyAsync")),
            ("hang:aclnnMine#2", Fault::hang("aclnnMine").at(2)),
            ("hang:HcclSend#2+", Fault::hang("HcclSend").from(2)),
            ("half:aclrtStreamAbort=507899", Fault::half_abort(507899)),
            ("slow:aclrtStreamAbort#2=70", Fault::slow_abort(70).at(2)),
        ] {
            assert_eq!(Fault::list(text), Some(vec![fault]), "{text}");
        }
    }

    #[test]
    fn a_fault_that_heals_strikes_for_a_number_of_calls() {
        let fault = Fault::new("*", 507010).from(3).heals_after(2);
        let struck: Vec<u64> = (1..9).filter(|nth| fault.strikes(*nth, 0)).collect();
        assert_eq!(struck, [3, 4]);
    }

    #[test]
    fn what_means_nothing_is_refused() {
        for text in [
            "",
            "aclrtMalloc",
            "aclrtMaloc=1",
            "aclrtMalloc=0",
            "aclrtMalloc#0=1",
            "aclrtMalloc#+=1",
            "aclrtMalloc%101=1",
            "aclrtMalloc%x=1",
            "aclInit=x",
            "aclInit=1,",
            "task:aclrtMalloc=1",
            "task:aclrtRecordEvent=1",
            "task:aclnnmine=1",
            "task:aclnnMine!=1",
            "task:out-of-memory",
            "hang:aclrtMalloc",
            "hang:aclrtMemcpyAsync=507001",
            "half:aclrtMalloc=507899",
            "half:aclrtStreamAbort",
            "slow:aclrtStreamAbort",
            "slow:aclrtMalloc=5",
            "late:aclrtStreamAbort=5",
            "aclrtMalloc#3+~20=207001",
            "out-of-memory~reset",
            "device-lost~",
            "device-lost~0",
            "device-lost%1~20",
            "out-of-memory=1",
        ] {
            assert_eq!(Fault::list(text), None, "{text}");
        }
    }

    #[test]
    fn chance_is_fair_and_the_same_for_the_same_seed() {
        let fault = Fault::new("aclrtMalloc", 207001).per_million(250_000);
        let struck = |seed| {
            (1..=10_000)
                .filter(|nth| fault.strikes(*nth, seed))
                .collect::<Vec<u64>>()
        };
        assert_eq!(struck(7), struck(7));
        assert_ne!(struck(7), struck(8));
        assert!(
            (2300..2700).contains(&struck(7).len()),
            "{}",
            struck(7).len()
        );
    }
}
