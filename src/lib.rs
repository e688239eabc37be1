//! A typed API over AscendCL for Huawei Ascend NPUs: many mistakes do not compile.
//!
//! AscendCL is the C runtime of CANN. It cannot check the handles and addresses that it is given. A copy in the wrong
//! direction, a buffer that is used after its device, a thread without a context, and memory in the wrong free
//! function are found at run time, or never. In this crate, types express the rules that AscendCL only documents. A
//! typed call makes the same calls of C as the raw program, and no other calls. Facts that are known only at run
//! time, such as two lengths, are checked at run time.
//!
//! ```
//! # #![allow(unused_imports)]
//! use ascendcl::{Acl, Npu, op, stream::Main};
//!
//! # #[cfg(feature = "emulator")]
//! fn main() -> ascendcl::Result<()> {
//!     let acl = Acl::from_env()?; // CANN, or the emulator where there is none
//!     let host = acl.host()?;
//!     acl.on::<Npu<0>, _>(0, |current| {
//!         let mut stream = current.create_stream::<Main>()?;
//!         let numbers = stream.malloc_host_from(host, &[1.0_f32, 2.0, 3.0, 4.0])?;
//!         let a = stream.memcpy_async(stream.malloc(4)?, &numbers)?; // upload
//!         let a = a.tensor(&[4])?;
//!         let out = stream.malloc(4)?.into_tensor(&[4])?;
//!         let plan = op::add(current, &a, &a, 1.0, out)?;
//!         let sum = plan.launch(&mut stream)?.into_output();
//!         let result = stream.memcpy_async(stream.malloc_host(host, 4)?, &sum)?; // download
//!         assert_eq!(stream.synchronize()?.take(result)[..], [2.0, 4.0, 6.0, 8.0]);
//!         Ok(())
//!     })
//! }
//! # #[cfg(not(feature = "emulator"))]
//! # fn main() {}
//! ```
//!
//! [`Acl::on`] sets the device, binds the thread to it and resets it at the end. A stream owns the memory that its
//! work uses, so the memory is not freed or read too early. The host gets the memory back after
//! [`Stream::synchronize`]. The folder `examples/` of the package has short programs, from `01_copy` on,
//! and longer ones. The guide explains the API step by step, in English and in Chinese: it is in the folder `docs/guide` of
//! the repository.
//!
//! # The states of memory
//!
//! Types follow a buffer from its allocation to its end. A call that its state does not offer does not compile.
//!
//! ```text
//! malloc ──> Uninit ── memcpy, memset ──> Init ──> free
//!              │                         A  │
//!              │       synchronize, take │  │ adopt
//!              │                         │  V
//!              └── memcpy_async ───────> Queued <── wait_fence ──┐
//!                                        │  A │                  │
//!                            drain, take │  │ └──── fence ───> Fence
//!                                        │  └────── cancel ──────┤
//!                                        V                       │
//!                                    Unverified <─ synchronize ──┘
//!                                        │
//!                                        └─ verify, accept_unverified ─> Init
//! ```
//!
//! - [`Uninit`](memory::Uninit) memory can be written and not read. [`Init`](memory::Init) memory was written by work
//!   that is over.
//! - [`Queued`] memory belongs to its stream, because work that was queued may still use it. The host has no access.
//! - A [`Fence`](event::Fence) is a point in the work of a stream. Behind it the memory can move to another stream, or
//!   back to the host.
//! - [`Unverified`](queue::Unverified) memory is no longer in use, but an event does not say whether the work has
//!   succeeded. A successful wait for the stream verifies it.
//!
//! # From C to here
//!
//! This table has the main types. The page [`from_c`] has a line for each function of C that this API calls. The raw calls
//! of all functions are in [`sys`].
//!
//! | AscendCL | here | information in the type |
//! |---|---|---|
//! | `aclInit`, `aclFinalize` | [`Acl`] | all other values borrow it |
//! | `aclrtSetDevice`, `aclrtResetDevice` | [`Acl::set_device`], [`Device`] | the device, by name |
//! | `aclrtSetDevice`, `aclrtResetDevice` around a function | [`Acl::on`] | no value of the device leaves the closure |
//! | `aclrtCreateContext` | [`Device::create_context`], [`Context`] | the device, the number |
//! | the current context of a thread | [`Thread`], [`Current`] | the device that the thread is bound to |
//! | `aclrtStream` | [`Stream`], [`stream::DefaultStream`] | the device, the name, the thread |
//! | `aclrtMallocHost`, `aclrtMalloc`, `acldvppMalloc` | [`HostBuf`], [`DeviceBuf`], [`DvppBuf`] | place, device, element, length, initialised or not |
//! | `aclrtMallocHost`, `aclrtMalloc` for the work of a stream | [`Stream::malloc_host`], [`Stream::malloc`] | the stream that uses the memory |
//! | `aclrtMemcpy`, `aclrtMemset` | [`Current::memcpy`], [`Current::memset`] | the direction |
//! | `aclrtMemcpy2d`, `aclrtMemcpy2dAsync` | [`Current::memcpy_2d`], [`memory::Rows`] | height, width, pitch |
//! | pieces of an allocation | [`memory::Block`] | padding, alignment, remaining length |
//! | `aclrtMemPoolCreate`, `aclrtMemPoolMallocAsync` | [`memory::Pool`], [`Stream::malloc_from`] | the pool, the stream in whose order it is freed |
//! | `aclrtReserveMemAddress`, `aclrtMapMem` | [`memory::ReservedBuf`] | what was written, the end that grows |
//! | `aclrtHostRegister`, `aclrtHostGetDevicePointer` | [`Scope::lend_mapped`](scope::Scope::lend_mapped) | the borrow, and whether copies take it |
//! | `aclrtDeviceEnablePeerAccess` | [`peer`] | the two devices and the direction |
//! | `aclrtSetStreamFailureMode` | [`Device::stop_on_failure`] | the meaning of a completed event |
//! | `aclrtSetDeviceSatMode`, `aclrtSetDeviceResLimit`, `aclrtSetStreamResLimit` | [`settings`] | what must not exist yet |
//! | `aclrtIpcMemGetExportKey`, `aclrtNotifyGetExportKey` and their imports | [`share`] | the side of the process, the copies that exist |
//! | `aclrtMemcpyAsync`, `aclrtMemsetAsync` | [`Stream::memcpy_async`], [`queue`] | the stream that uses the memory |
//! | `aclrtEvent` | [`Event`], [`event`] | its abilities, recorded or not |
//! | `aclrtNotify` | [`event::Notify`], [`event::Signal`] | the stream that waits for it, the memory that moves with it |
//! | `aclrtCntNotify` | [`event::CntNotify`] | the device, numbers that begin at 1 |
//! | `aclnnXxxGetWorkspaceSize`, `aclnnXxx` | [`op`], [`op::Plan`] | a plan runs once, its operands are alive |
//! | `acldvpp*`, `hi_mpi_*` | [`Acl::media`], [`media`] | the interface, the pixel format, the stream that has the channel |
//! | `HcclCommInitRootInfo`, `HcclAllReduce` | [`Current::comm_init_root_info`], [`collective`] | the communicator of a rank, the stream that has it, element types that HCCL reduces |
//! | `aclmdlLoadFromFile`, `aclmdlExecute`, `aclmdlExecuteAsync` | [`Current::load_model`], [`model`] | blocking or queued, its gears, the stream that runs it |
//! | a thread with a device, streams and plans that serves other threads | [`worker`] | no state leaves the thread |
//! | `aclmdlRICaptureBegin`, `aclmdlRIExecuteAsync` | [`Stream::capture`], [`graph`] | the stream that runs it, the memory of its tasks |
//! | `aclrtBinaryLoadFromFile`, `aclrtLaunchKernelWithHostArgs` | [`Current::load_binary`], [`kernel`](mod@kernel) | the parameters of the kernel, the stream that runs it |
//! | `aclrtLaunchHostFunc`, `aclrtLaunchCallback` | [`callback`] | values that may move to another thread, memory that may be used |
//! | handles and addresses of another library | [`interop`] | borrowed: never destroyed or freed |
//! | `aclError`, `aclGetRecentErrMsg` | [`Error`] | call, code, device, text, remedy |
//!
//! # What the compiler refuses
//!
//! A buffer must not live longer than its device. C does not check that. Here the wrong order does not compile:
//!
//! ```compile_fail,E0505
//! # use ascendcl::{Acl, Npu, Result, Thread};
//! # fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
//! let device = acl.set_device::<Npu<0>>(thread, 0)?;
//! let current = thread.set_current(&device)?;
//! let buf = current.malloc::<f32>(16)?;
//! device.reset()?; // error: cannot move out of `device` because it is borrowed
//! buf.free()?;
//! # Ok(()) }
//! ```
//!
//! The right order compiles:
//!
//! ```
//! # use ascendcl::{Acl, Npu, Result, Thread};
//! # fn right(acl: &Acl, thread: &mut Thread) -> Result<()> {
//! # let device = acl.set_device::<Npu<0>>(thread, 0)?;
//! # let current = thread.set_current(&device)?;
//! # let buf = current.malloc::<f32>(16)?;
//! buf.free()?;
//! device.reset()?;
//! # Ok(()) }
//! ```
//!
//! The page [`messages`] explains the messages of the compiler and their remedies. The package `ui-tests` has a case
//! for every refusal, with the exact message. Each case has a twin that compiles and differs in the wrong lines only.
//!
//! # Backends
//!
//! [`Acl::init`] finds and loads CANN at run time (feature `loaded`, the default), or uses the CANN that the program
//! was linked with (feature `linked`). [`Acl::emulator`](Acl#method.emulator) (feature `emulator`) runs the same
//! program on the CPU. The emulator never replaces CANN silently: a program that asks for CANN gets CANN or an error.
//! [`Acl::from_env`] is for programs whose user chooses the backend by `ASCENDCL_BACKEND`, and [`Acl::backend`]
//! returns the choice. Without the feature `emulator`, `from_env` finds CANN or fails.
//!
//! # Features
//!
//! | feature | meaning |
//! |---|---|
//! | `loaded` (default) | CANN is found and loaded when the program runs; nothing of it is needed to build |
//! | `linked` | CANN is linked at build time |
//! | `operators` (default) | [`op`], and the operators of the emulator |
//! | `more-operators` | operators that fewer programs call: mixtures of experts, pads, other sizes of images, running extremes, statistics |
//! | `training` | the operators that only training needs: gradients, losses, optimizers, dropout, and those on lists of tensors |
//! | `models` (default) | [`model`]; with `operators`, because inputs and outputs have their element types |
//! | `media` (default) | [`media`]; memory of the media engine needs no feature |
//! | `collectives` (default) | [`collective`] |
//! | `graphs` | [`graph`]: work that is recorded once and run many times |
//! | `kernels` | [`kernel`](mod@kernel): kernels of the program |
//! | `profiling` | [`sys`] declares the profiler (`aclprof*`), and the emulator has it |
//! | `emulator` | `Acl::emulator` and `ASCENDCL_BACKEND=emulator` run on the CPU |
//! | `emulator-onnx` | the emulator runs ONNX models; the engine needs Rust 1.89 and takes longer to build than the rest |
//! | `emulator-media` | the emulator decodes, encodes and scales pictures |
//! | `async` | futures for any executor: `Stream::synchronized`, `Stream::completed`, the [answers](worker::Answer) of workers |
//! | `dlpack` | tensors of DLPack, to and from other libraries of the process |
//! | `half` | tensors of `half::f16` and `half::bf16` |
//! | `serde` | errors for a log, as `error::Report`s; settings of a file: `WorkerOptions`, `CommOptions`, `StreamConfig`, `LaunchConfig`, `MallocPolicy` |
//! | `tracing` (default) | releases that fail in `Drop` are logged |
//! | `spans` | each call of C is a `tracing` span: target `ascendcl::call`, level TRACE, the status code as `status`. The calls of operators that a program [declares](crate::operator!) have none |
//!
//! A program without operators, models, pictures and collectives takes less than half of the time to build with
//! `default-features = false` and `features = ["loaded"]`.
//!
//! Without `spans` nothing of the spans is in the program. With it, and while no subscriber wants them, a call reads one more
//! number in memory.
//!
//! # Limits
//!
//! - Other code in the process can reset a device or switch a context through the C API. The types of this crate
//!   cannot see that. If the runtime refuses a call for this reason, the call returns an error.
//! - `mem::forget` leaks resources. The slot of a forgotten device stays taken. The name of a forgotten stream stays
//!   taken until its device is reset.
//! - Memory that is dropped while it is queued is freed by the next successful wait for its stream. A
//!   [block](memory::Block), and memory that a forgotten stream has used, is freed by a successful wait for the whole
//!   device.
//! - Borrowed memory comes back only after a successful wait. If no wait succeeds, [`op::Plan::run`],
//!   [`Current::scope`] and blocking copies abort the process. Memory that was handed over to a stream is leaked
//!   instead.
//! - Work after a failed task runs all the same, on the same stream and on streams that wait for it. Memory that
//!   moves to another stream [names](queue::After) the streams that must prove their success. The results that later
//!   work makes from that memory do not name them. So a result is valid only if each stream that took part in it was
//!   synchronised without an error.
//! - Models with dynamic AIPP are not typed yet. [`sys`] has the raw calls.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(all(
        feature = "operators",
        feature = "models",
        feature = "media",
        feature = "collectives"
    )),
    allow(
        dead_code,
        unused_imports,
        unreachable_pub,
        reason = "an area that is left out would use it"
    )
)]

mod auto_traits;
pub mod bounds;
pub mod callback;
#[cfg(feature = "collectives")]
pub mod collective;
mod context;
mod device;
#[cfg(feature = "dlpack")]
pub mod dlpack;
pub mod error;
pub mod event;
mod example;
/// The functions of C, area by area, each with the methods that stand for it.
///
/// Search works with these names too: the names in C and in pyACL are aliases in this documentation. The operators
/// (`aclnnXxx`) are in [`op`](crate::op), each as a function whose name is that of C in Rust case.
#[doc = include_str!("from_c.md")]
pub mod from_c {}
#[cfg(feature = "graphs")]
pub mod graph;
pub mod interop;
#[cfg(feature = "kernels")]
pub mod kernel;
#[cfg(feature = "media")]
pub mod media;
pub mod memory;
pub mod messages;
#[cfg(feature = "models")]
pub mod model;
#[doc(alias("aclopCompile", "aclopCompileAndExecute", "aclopCompileAndExecuteV2"))]
#[doc(alias("aclopExecute", "aclopExecuteV2", "aclopExecWithHandle", "aclopCast"))]
#[doc(alias(
    "aclopCreateAttr",
    "aclopSetModelDir",
    "aclopLoad",
    "acl.op.execute_v2"
))]
#[cfg(feature = "operators")]
pub mod op;
mod outcome;
mod park;
pub mod peer;
mod pending;
pub mod pipeline;
pub mod queue;
mod raw;
mod release;
mod remedy;
mod runtime;
pub mod scope;
pub mod settings;
pub mod share;
mod state;
pub mod stream;
mod sync;
pub mod worker;

#[cfg(feature = "emulator")]
pub use ascendcl_emulator as emulator;
pub use ascendcl_sys as sys;

pub use context::{Context, Current, Thread};
pub use device::{Brand, Ctx, Device, DeviceTag, Npu, Stopping};
pub use error::{Error, ErrorKind, Result};
pub use event::Event;
pub use memory::{Buf, DeviceBuf, DvppBuf, HostBuf, LocalBuf, MallocPolicy, MemAttr, MemInfo};
pub use outcome::{ContinueOnFailure, StopOnFailure};
pub use park::{parked_bytes, set_parked_threshold};
pub use queue::Queued;
pub use release::{leaks, on_release_failure, release_failures};
pub use runtime::{Acl, DeviceSide, HostSide, RunMode, RuntimeVersion, SysParam};
pub use stream::{ParkedStream, Stream, StreamName};
