//! AscendCL, the C runtime of Huawei Ascend NPUs, implemented in Rust on the CPU.
//!
//! [`api`] is a backend for `ascendcl-sys`: the functions of the C library, for machines without a
//! card, for tests, and for looking at what a program does wrong. It behaves as the production runtime
//! was observed to, down to the error codes and the order of the checks. Where that runtime crashes or
//! corrupts memory, this one returns an error and records a [`Violation`].
//!
//! ```
//! use ascendcl_sys::{ACL_SUCCESS, Origin};
//!
//! let origin = ascendcl_emulator::install()?;
//! assert_eq!(origin.to_string(), "the emulator");
//! // SAFETY: no pointers are involved.
//! assert_eq!(unsafe { ascendcl_sys::aclrtSetDevice(0) }, ACL_SUCCESS);
//! # Ok::<(), ascendcl_sys::AlreadyInstalled>(())
//! ```
//!
//! # What is not modelled
//!
//! Kernel binaries, events and notifies that processes share, and the operators beyond those of the list.
//! Kernels, jumps to labels of other streams or back, and functions of the program, notifies, external events and
//! waits for numbers in branches of conditional tasks, refuse with `ACL_ERROR_RT_FEATURE_NOT_SUPPORT` and say why (`refusal` has the kernels). Everything else that is
//! declared and not written here returns `ACL_ERROR_API_NOT_SUPPORT`, and `aclGetRecentErrMsg` names it. `cargo
//! xtask coverage` counts both.
//!
//! # What crashes
//!
//! Handles and device addresses are looked up, never followed: any value is allowed, and what names nothing is
//! refused. Followed are, as in C, pointers to results, structures, strings, arrays and values of the host, and the
//! functions that a program registers. Those that are not null and not valid crash. Ordinary host memory of copies
//! is looked at before it is used, at both ends.
//!
//! # What the checker changes
//!
//! No return code. Calls take longer under it (`ASCENDCL_EMULATOR_CHECK=1`, [`Check`]), a call with a finding by
//! milliseconds, and queued work goes on meanwhile. What depends on time turns out differently: work that meets
//! freed memory fails its synchronise with 507001, and may be over before the free under the checker. Page-locked
//! memory that queued work uses, or that a failed task should have written, is kept from the program: touching it
//! too early costs a fault that the checker hears of, and a system call that is given it fails with `EFAULT`.
//!
//! # What differs on purpose
//!
//! - A handle is never used again. The runtime gives a destroyed stream's or event's address to the next
//!   one, and destroying twice destroys that; it follows garbage and crashes. Here both are
//!   `ACL_ERROR_RT_INVALID_HANDLE`.
//! - An event ends with its device, which the last reset or the end of its last context releases.
//!   From then on each use is refused and recorded ([`What::EventUsedAfterReset`]). The runtime looks at the
//!   freed device: it crashes, or succeeds by luck once the device is set again.
//! - The default stream's handle is not destroyed (`ACL_ERROR_INVALID_PARAM`). The manual forbids to try, and the
//!   runtime has no check: it answers success, and the reset of the device crashes.
//! - A stream whose wait lost its event goes on, and that is recorded
//!   ([`What::EventDestroyedWhileAwaited`]).
//! - A run of a graph is queued by the call that asks for it, task by task. A capture of more than
//!   2048 tasks in a stream makes that call wait for room, so it must not stand behind work that the same
//!   thread lets go on later; a card starts the run by itself.
//! - A conditional task runs its branch in its own place, one task after the other, and a WHILE all of its rounds
//!   in one go. A timeout does not interrupt them; if another stream is to end a WHILE, another thread has to run
//!   that stream meanwhile. A round in which a task fails is the last one. The checker takes what a branch does as something that may
//!   happen: it finds memory that is freed under it, and no other mistake inside.
//! - A branch of a conditional task runs and ends with the instance that it belongs to. Running or destroying it
//!   alone is `ACL_ERROR_RT_FEATURE_NOT_SUPPORT`: an assumption, as is the limit of 4096 branches. Each branch takes
//!   as many streams as are captured into it, of those that a device has.
//! - Memory ends where its allocation does, padding included; a card checks whole pages.
//! - Whether there is memory at an address of the host is looked at for the first and the last page of a range, and
//!   remembered: what the program gives back to the system after a copy with it still faults.
//! - Copies and fills of bytes go over several mappings of physical memory; copies of rows, fills with words, random
//!   numbers and operators have to stay in one.
//! - Random numbers are not those of a card, though they come from the same generator (`random`).
//! - Memory of another process lies on the device that is current where it is imported, so that copies between
//!   two devices of two processes meet none of the limits that a card has for them.
//! - Error texts. They name call, value and remedy as the runtime's do, in other words and without its codes
//!   (`EH0007`), the number of the process, the date, a trace of its calls, and the same five times. On a thread
//!   without a context `aclGetRecentErrMsg` is never NULL, as there; but it says what is new, where the runtime
//!   says everything again that was said on that thread, 1.5 MB after 2,000 refused calls.
//! - Device memory. All of it is the program's: the runtime takes 21 MiB when it starts and some KiB for each
//!   stream, so that tests which count free bytes hold here only.
//! - Events for ordering (`aclrtCreateEventExWithFlag`) run out at 2^24, where the runtime showed no limit. The
//!   65,535 events of the hardware are a number that a simulated driver had.
//! - `aclrtEventElapsedTime` of recorded events without `ACL_EVENT_TIME_LINE`: the runtime answers 0 or
//!   `ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID` from run to run. Here it is 0 for events that
//!   `aclrtCreateEventWithFlag` made with `ACL_EVENT_SYNC` alone, and the code for all others.
//! - A wait returns when the work is over, also after a failure. A product without a buffer for errors was seen
//!   to take 24 seconds longer, over a simulated driver.
//! - Libraries. As a C library all functions are in one, `libascendcl.so`. CANN has those of tensors in
//!   `libnnopbase.so`, operators in `libopapi*.so` and media memory in `libacl_dvpp.so`.
//! - Time. Whoever waits runs the work; small work that nobody waits for starts within milliseconds,
//!   when a worker finds it. A timeout ends on time, and a process ends at once; the runtime asks the
//!   device for diagnostics first, and joins its threads.
//!
//! No difference, though it reads like one: `aclrtRandomNumAsync` writes to the structure that it takes as
//! `const`, which so serves one call and does not lie in read-only memory.
//!
//! # Map
//!
//! Each folder here is a wing. Its head names its rooms, and it uses the wings below it only:
//!
//! ```text
//! api                                  the tables of all functions, plain and observed
//! exit                                 the last words of the process
//! media  op                            the areas of the C headers, one wing each:
//! memory  runtime                      the functions under their C names
//! device
//! context
//! event  stream
//! callback  graph  refusal             graph: captures and other aclmdlRI*; refusal: what needs a card
//! engine                               queues, tasks, events, and who runs them; knows no area
//! check                                finds mistakes of the program
//! observe  space                       calls, timeline, faults; addresses and the memory behind them
//! config  handles                      settings; numbers that stand for objects
//! error  ordered  sync                 texts, the one kind of ordered map, what threads share
//! ```
//!
//! A function of C looks up its handles (`engine/submit.rs`), checks its arguments in the order of the runtime, and
//! queues a task (`engine/task.rs`). What an area brings that the engine does not know is a `Work`
//! (`engine/work.rs`). What a graph keeps instead comes to it through a `Keeper` (`engine/detour.rs`).
//!
//! Each wing keeps its own state: `config` the settings, `space` the memory, `engine` the queues and all objects with
//! handles, `check` and `observe` what they have seen, `runtime` the count of `aclInit`. The first call makes the
//! engine, which starts what is below it (`engine/mod.rs`).
#![allow(non_snake_case, reason = "the names of C are kept")]

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
compile_error!(
    "the emulator needs 64-bit Linux: its handles and its address space are made for it"
);

mod api;
mod callback;
mod check;
mod config;
mod context;
mod device;
mod engine;
mod error;
mod event;
mod exit;
mod graph;
mod handles;
mod media;
mod memory;
mod observe;
#[allow(
    unreachable_pub,
    reason = "the functions are public as in C, their folder is not"
)]
mod op;
mod ordered;
mod refusal;
mod runtime;
mod space;
mod stream;
mod sync;

use ascendcl_sys::{AlreadyInstalled, Api, Origin};

pub use api::API;
pub use api::observed::{Call, journal};
pub use check::{Finding, Issued, Mistake, findings, take_findings};
pub use config::chosen::{AlreadyRunning, configure};
pub use config::fault::Fault;
pub use config::{Check, ConfigError, EmulatorConfig, Peers, RunMode, Schedule};
pub use engine::live::{Live, live};
pub use exit::EXIT_STATUS;
pub use observe::violation::{Violation, What, take_violations, violations};
pub use op::custom as operator;

/// Makes the emulator the backend of this process.
///
/// # Errors
///
/// [`AlreadyInstalled`] when the process has a backend.
pub fn install() -> Result<&'static Origin, AlreadyInstalled> {
    // SAFETY: each function keeps to the documentation of the C function of its name; that is what
    // this crate is.
    unsafe { api().install() }
}

/// The emulator as a backend, for [`Api::install`].
///
/// With the checker, faults or a journal configured ([`configure`] first, or the environment) every call is
/// observed; else this is [`API`].
#[must_use]
pub fn api() -> Api {
    if config::chosen::observes() {
        exit::hear_of_quick_exit();
        api::observed::OBSERVED
    } else {
        API
    }
}
