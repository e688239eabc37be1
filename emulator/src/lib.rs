//! AscendCL, the C runtime of Huawei Ascend NPUs, implemented in Rust on the CPU.
//!
//! [`api`] returns a backend for `ascendcl-sys`: the functions of the C library, implemented without a card. It
//! serves machines without a card, tests, and the search for mistakes in a program. The emulator behaves as the
//! production runtime was observed to behave, including the error codes and the order of the argument checks. Where
//! that runtime crashes or corrupts memory, the emulator returns an error and records a [`Violation`].
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
//! The emulator has no AI cores: a kernel of the program is code of the host here (`kernel`). It has only the
//! operators of its list.
//!
//! These uses return `ACL_ERROR_RT_FEATURE_NOT_SUPPORT`, and the error text gives the reason:
//!
//! - binaries for AI cores, addresses and variables in binaries, kernels of threads (SIMT) and of the CPU of a device;
//! - managed memory, buffers of queues (`refusal` has the functions);
//! - jumps to labels of other streams and jumps backward;
//! - functions of the program, notifies, external events and waits for numbers in branches of conditional tasks;
//! - offline models (`.om`), ONNX models without a registered engine ([`model`]), and ONNX models with unknown shapes;
//! - decoding, encoding and smooth scaling of pictures without a registered engine ([`media`]);
//! - data about the operators inside of a model (`aclprofModelSubscribe`, `aclprofGetOp*`).
//!
//! Of the media engine, video is not modelled (`aclvdec*`, `aclvenc*`, and channels of `hi_mpi_vdec_*` and
//! `hi_mpi_venc_*` for anything but JPEG), nor are formats of more than eight bits.
//!
//! Every other function that is declared and not implemented returns `ACL_ERROR_API_NOT_SUPPORT`, and
//! `aclGetRecentErrMsg` names the function. `cargo xtask coverage` counts both groups.
//!
//! # What crashes
//!
//! The emulator looks handles and device addresses up and never dereferences them. Any value is allowed; a value that
//! names no object is refused. As in C, the emulator dereferences pointers to results, structures, strings, arrays
//! and values of the host, and it calls the functions that a program registers. An invalid pointer of these kinds
//! crashes unless it is null. Copies check ordinary host memory at both ends of the range before they use it.
//!
//! # What the checker changes
//!
//! The checker (`ASCENDCL_EMULATOR_CHECK=1`, [`Check`]) changes no return code. It changes the timing: calls take
//! longer, a call with a finding takes milliseconds longer, and queued work continues meanwhile. So results that
//! depend on timing can differ. For example, work that uses freed memory fails its synchronise with 507001 without
//! the checker. With the checker the work may have finished before the free.
//!
//! The checker also protects page-locked memory from access by the program while queued work uses that memory, and
//! after a task failed to write it. If the program accesses such memory too early, the processor raises a fault, and
//! the checker records it. A system call that is given such memory fails with `EFAULT`.
//!
//! # What differs on purpose
//!
//! - A handle is never used again. The runtime gives the address of a destroyed stream or event to the next one.
//!   There a second destroy destroys the next one, and an invalid handle crashes, because the runtime dereferences
//!   it. The emulator returns `ACL_ERROR_RT_INVALID_HANDLE` in both cases.
//! - An event ends with its device. The last reset of the device, or the end of its last context, releases the
//!   device. From then on each use of the event is refused and recorded ([`What::EventUsedAfterReset`]). The runtime
//!   reads the freed device: it crashes, or it succeeds by luck once the device is set again.
//! - The default stream cannot be destroyed (`ACL_ERROR_INVALID_PARAM`). The manual forbids it, and the runtime has
//!   no check: it returns success, and the reset of the device crashes.
//! - If an event is destroyed while a stream waits for it, the stream continues, and the emulator records this
//!   ([`What::EventDestroyedWhileAwaited`]).
//! - The call that runs a graph queues the tasks of the graph one by one. If a stream of the capture has more than
//!   2048 tasks, the call waits for room in the queue. So the call must not follow work in the same stream that the
//!   same thread releases only later. A card starts the run by itself.
//! - The tasks of a captured graph are those that the program submitted. The runtime also lists a reset for an event
//!   of the capture, and one task at the end.
//! - Copies and fills in a task group, and callbacks that block a captured stream, crash the runtime. The emulator
//!   refuses them and records this ([`What::RuntimeCrash`]).
//! - A conditional task runs the tasks of its branch one after the other, in its own place in the stream. A WHILE
//!   runs all its rounds without a break. A timeout does not interrupt them. If another stream is to end a WHILE,
//!   another thread has to run that stream at the same time. A round in which a task fails is the last round. The
//!   checker treats the tasks of a branch as possible uses of memory: it finds memory that is freed while a branch
//!   may use it, and no other mistake in the branch.
//! - A branch of a conditional task runs and ends with the instance that it belongs to. Running or destroying a
//!   branch alone returns `ACL_ERROR_RT_FEATURE_NOT_SUPPORT`. This is an assumption, and the limit of 4096 branches
//!   is one too. Each branch takes as many streams of the device as are captured into it.
//! - The emulator checks memory up to the end of its allocation, padding included; a card checks whole pages.
//! - Copies check whether the first and the last page of a range of host memory exist, and remember the result. If
//!   the program returns the memory to the system after a copy, a later copy with it still crashes.
//! - Copies and fills of bytes, and the operands of operators, can span several mappings of physical memory. Copies of rows,
//!   fills with words, kernels of the program and collectives have to stay in one mapping.
//! - Random numbers differ from those of a card, although they come from the same generator (`random`).
//! - Memory of another process belongs to the device that is current when the program imports it. So copies between
//!   two devices of two processes have none of the limits of a card.
//! - Error texts name the call, the value and the remedy, as the texts of the runtime do, in other words. They omit
//!   the codes of the runtime (`EH0007`), the process number, the date, the trace of the runtime's own calls, and the
//!   five repetitions. On a thread without a context `aclGetRecentErrMsg` never returns NULL, as in the runtime. But
//!   the emulator returns only new texts; the runtime repeats every earlier text of that thread (1.5 MB after 2,000
//!   refused calls).
//! - The program can allocate all of the device memory. The runtime takes 21 MiB when it starts and some KiB for each
//!   stream. So tests that count free bytes pass on the emulator only.
//! - The number of events for ordering (`aclrtCreateEventExWithFlag`) is limited to 2^24; the runtime showed no
//!   limit. The limit of 65,535 events of the hardware was observed with a simulated driver.
//! - `aclrtEventElapsedTime` of recorded events without `ACL_EVENT_TIME_LINE`: the runtime returns 0 or
//!   `ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID`, and the result changes from run to run. The emulator returns 0 for
//!   events that `aclrtCreateEventWithFlag` made with `ACL_EVENT_SYNC` alone, and the code for all others.
//! - An operand that is no device memory, null among them, is refused by the second phase of its operator (107000). CANN
//!   takes any address, and the kernel fails on the card.
//! - The tensors of an executor that runs once may be destroyed between the two phases. The operator uses the
//!   addresses of the first phase. CANN reads freed memory.
//! - Operators whose outputs have the size that the data decide (`aclnnNonzero`, `aclnnMaskedSelect`, `aclnnUnique2`)
//!   are queued like others, and the shape changes when the task has run. The second phase of CANN waits for the
//!   stream instead, so it blocks, and it may return the failure of earlier work (opbase, July 2026). The manual
//!   promises the shape behind a wait only, which holds for both.
//! - Models are ONNX files. Their gears come from the metadata of the file. The memory that a model needs beside that of
//!   the program is not memory of the device, so it is not counted. A model that uses memory which is too small or was
//!   freed fails with 507001, and a failure of the engine is 507011.
//! - Pictures: the media engine rounds as nobody has documented. Scaling is that of OpenCV (`INTER_LINEAR` and
//!   `INTER_NEAREST`), within one step of brightness; the filters of higher order and the bilinear filter of TensorFlow are
//!   that one too. A decoded JPEG differs from libjpeg by at most 2 in brightness, and by at most 4 in colours that pixels
//!   share. The orientation of EXIF data is applied, as the manual says.
//! - A picture that the media engine refuses fails its stream with 507018, and the status in its description is a status
//!   code of ACL. Both are assumptions. The second generation refuses such a picture in the call that sends it.
//! - A kernel of the program is code of the host (`kernel`). The emulator knows its parameters, so a launch with other
//!   arguments is refused (107000), and so is a host pointer. A card runs the kernel with them.
//! - The profiler writes a Chrome trace with the times of the emulator. It is not in the format of msprof, and has no data
//!   about AI cores and other hardware. The codes are those of CANN 9.0. Later releases accept `aclprofStart` without
//!   `aclprofInit` and without a configuration. They also return success for `aclprofStop` and `aclprofFinalize` without
//!   `aclprofInit`.
//! - A wait returns when the work is over, also after a failure. A product without a buffer for errors was observed
//!   to take 24 seconds longer (with a simulated driver).
//! - The C library `libascendcl.so` contains all functions. CANN has the functions of tensors in `libnnopbase.so`,
//!   operators in `libopapi*.so`, the media engine in `libacl_dvpp.so` and `libacl_dvpp_mpi.so`, and the profiler in
//!   `libmsprofiler.so`.
//! - A waiting thread runs the queued work itself. If no thread waits, small work starts within milliseconds, when a
//!   worker finds it. A timeout ends on time, and a process ends at once; the runtime first asks the device for
//!   diagnostics and joins its threads.
//!
//! One case reads like a difference and is none: `aclrtRandomNumAsync` writes to the structure that it takes as
//! `const`. So a structure serves one call only, and it cannot lie in read-only memory.
//!
//! # Map
//!
//! Each folder of `src` is a module with several files. The head of a module describes its files. A module uses only
//! the modules below it:
//!
//! ```text
//! api                                  the tables of all functions, plain and observed
//! exit                                 the end of the process: last findings, exit status
//! collective  kernel  media  model     the areas of the C headers, one module each; kernel: those of the program
//! op  profiling
//! memory  runtime                      the functions under their C names
//! device
//! context
//! event  stream
//! callback  graph  refusal             graph: captures and other aclmdlRI*; refusal: functions that need a card
//! engine                               queues, tasks, events, and the threads that run them; uses no area
//! object_calls                         objects behind handles
//! check                                finds mistakes of the program
//! observe  space                       calls, timeline, faults; addresses and their memory
//! config  handles                      settings; numbers that represent objects
//! error  ordered  sync  wide           error texts, an ordered map, state that threads share, loops for wide vectors
//! ```
//!
//! A function of C looks up its handles (`engine/submit.rs`), checks its arguments in the order of the runtime, and
//! queues a task (`engine/task.rs`). A task of an area that the engine does not know implements `Work`
//! (`engine/work.rs`). A task of a graph goes to a `Recorder` instead of the queue (`engine/slow_path.rs`).
//!
//! Each module stores its own state: `config` the settings, `space` the memory, `engine` the queues and all objects
//! with handles, `check` and `observe` their observations, `runtime` the count of `aclInit`. The first call creates
//! the engine, and the engine starts the modules below it (`engine/mod.rs`).
#![cfg_attr(docsrs, feature(doc_cfg))]
#![allow(non_snake_case, reason = "the names of C are kept")]
// The maps of this package (`clippy.toml`).
#![warn(clippy::disallowed_types)]
#![cfg_attr(
    not(all(
        feature = "operators",
        feature = "models",
        feature = "media",
        feature = "collectives",
        feature = "graphs",
        feature = "kernels",
        feature = "profiling"
    )),
    allow(
        dead_code,
        unused_imports,
        unreachable_pub,
        reason = "an area that is left out would use it"
    )
)]

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
compile_error!(
    "the emulator needs 64-bit Linux: its handles and its address space are made for it"
);

/// The program of the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod api;
mod callback;
mod check;
#[cfg(feature = "collectives")]
mod collective;
mod config;
mod context;
mod device;
mod engine;
mod error;
mod event;
mod exit;
mod fork;
#[cfg_attr(not(feature = "graphs"), path = "graph/absent.rs")]
mod graph;
mod handles;
#[cfg(feature = "kernels")]
pub mod kernel;
#[cfg(feature = "media")]
pub mod media;
mod memory;
#[cfg(feature = "models")]
pub mod model;
mod object_calls;
mod observe;
#[cfg(feature = "operators")]
#[allow(
    unreachable_pub,
    reason = "the functions are public as in C, their folder is not"
)]
mod op;
mod ordered;
mod product;
#[cfg(feature = "profiling")]
mod profiling;
mod refusal;
mod results;
mod runtime;
mod sorted;
mod space;
mod stream;
mod sync;
#[cfg(any(feature = "media", feature = "operators"))]
mod wide;

use ascendcl_sys::{AlreadyInstalled, Api, Origin};

pub use api::API;
pub use api::observed::{Call, journal};
pub use api::withheld::shared;
pub use check::{Finding, Issued, Mistake, called_from, findings, take_findings};
pub use config::chosen::{AlreadyRunning, configure};
pub use config::fault::Fault;
pub use config::{Check, Clock, ConfigError, EmulatorConfig, Peers, RunMode, Schedule};
pub use engine::live::{Live, live};
pub use error::unread_text;
pub use exit::EXIT_STATUS;
pub use observe::inject::faults_struck;
pub use observe::violation::{Violation, What, take_violations, violations};
#[cfg(feature = "operators")]
pub use op::custom as operator;

/// Makes the emulator the backend of this process.
///
/// # Errors
///
/// [`AlreadyInstalled`] if the process already has a backend.
pub fn install() -> Result<&'static Origin, AlreadyInstalled> {
    // SAFETY: each function keeps to the documentation of the C function of its name; that is what
    // this crate is.
    unsafe { api().install() }
}

/// Returns the emulator as a backend for [`Api::install`].
///
/// If the checker, faults, a timeline or a journal are configured (call [`configure`] first, or set the environment),
/// every call is observed. Otherwise the functions are those of [`API`], except that those that the configured product
/// lacks refuse ([`EmulatorConfig::soc_name`]).
#[must_use]
pub fn api() -> Api {
    api::withheld::hear_of_forks();
    api::withheld::of_product(if config::chosen::observes() {
        exit::hear_of_quick_exit();
        api::observed::OBSERVED
    } else {
        API
    })
}
