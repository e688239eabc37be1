//! Typed AscendCL: mistakes with Huawei Ascend NPUs that do not compile.
//!
//! AscendCL is the C runtime of CANN. It takes handles and addresses on trust: a copy in the wrong
//! direction, a buffer that outlives its device, a thread without a context, memory given to the
//! wrong free function are found at run time, or never. This crate puts what AscendCL knows only by
//! convention into types. A typed call makes the calls of C that the raw program makes, and no more; what
//! types do not know is checked where that program has to check it, such as two lengths of run time.
//!
//! ```
//! # #![allow(unused_imports)]
//! use ascendcl::{Acl, Npu, op, stream::Main};
//!
//! # #[cfg(feature = "emulator")]
//! fn main() -> ascendcl::Result<()> {
//!     let acl = Acl::from_env()?; // CANN where it is found, else the emulator (feature `emulator`)
//!     let host = acl.host()?;
//!     acl.on::<Npu<0>, _>(0, |current| {
//!         let mut stream = current.create_stream::<Main>()?;
//!         let numbers = stream.malloc_host_from(host, &[1.0_f32, 2.0, 3.0, 4.0])?;
//!         let a = stream.memcpy_async(stream.malloc(4)?, &numbers)?; // upload: fresh memory becomes initialised
//!         let out = stream.malloc(4)?.into_tensor(&[4])?;
//!         let plan = op::add(current, &a.tensor(&[4])?, &a.tensor(&[4])?, 1.0, out)?;
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
//! [`Acl::on`] sets the device, binds the thread to it and resets it at the end. What the work of a stream uses belongs to
//! the stream, so that nothing is freed or read too early: the host has it again behind [`Stream::synchronize`]. The
//! package's folder `examples/` has ten short programs, `01_copy` to `10_faults`, and longer ones.
//!
//! # From C to here
//!
//! | AscendCL | here | what the type knows |
//! |---|---|---|
//! | `aclInit`, `aclFinalize` | [`Acl`] | everything borrows it |
//! | `aclrtSetDevice`, `aclrtResetDevice` | [`Acl::set_device`], [`Device`] | which device, by name |
//! | the same, for the length of a function | [`Acl::on`] | nothing of the device leaves it |
//! | `aclrtCreateContext` | [`Device::create_context`], [`Context`] | its device, its number |
//! | the thread's current context | [`Thread`], [`Current`] | which device this thread is bound to |
//! | `aclrtStream` | [`Stream`], [`stream::DefaultStream`] | its device, its name, its thread |
//! | `aclrtMallocHost`, `aclrtMalloc`, `acldvppMalloc` | [`HostBuf`], [`DeviceBuf`], [`DvppBuf`] | domain, device, element, length, whether it was written |
//! | `aclrtMemcpy`, `aclrtMemset` | [`Current::memcpy`], [`Current::memset`] | the direction |
//! | `aclrtMemcpy2d`, `aclrtMemcpy2dAsync` | [`Current::memcpy_2d`], [`memory::Rows`] | height, width, pitch |
//! | pieces of an allocation | [`memory::Block`] | pad, alignment, what is left |
//! | `aclrtDeviceEnablePeerAccess` | [`peer`] | from which device to which |
//! | `aclrtSetStreamFailureMode` | [`Device::stop_on_failure`] | what an event proves |
//! | the same, for the work of a stream | [`Stream::malloc_host`], [`Stream::malloc`] | which stream uses the memory |
//! | `aclrtMemcpyAsync`, `aclrtMemsetAsync` | [`Stream::memcpy_async`], [`queue`] | which stream uses the memory |
//! | `aclrtEvent` | [`Event`], [`event`] | what it can do, whether it was recorded |
//! | `aclnnXxxGetWorkspaceSize`, `aclnnXxx` | [`op`], [`op::Plan`] | one run, live operands |
//! | `aclrtLaunchHostFunc`, `aclrtLaunchCallback` | [`callback`] | what may go to another thread, whose memory it may touch |
//! | handles and addresses of another library | [`interop`] | that they are borrowed: never destroyed or freed |
//! | `aclError`, `aclGetRecentErrMsg` | [`Error`] | call, code, device, text, what helps |
//!
//! # What the compiler refuses
//!
//! A buffer must not outlive its device. In C nothing says so; here:
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
//! In the right order it compiles:
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
//! The page [`messages`] says what the messages of the compiler mean here, and what helps. Every refusal has a case with its
//! exact message in the package `ui-tests`, and a twin that differs in the offending lines only and compiles.
//!
//! # Backends
//!
//! [`Acl::init`] finds and loads CANN when the program runs (feature `loaded`, the default) or uses the
//! one it was linked with (`linked`). [`Acl::emulator`](Acl#method.emulator) (feature `emulator`) runs
//! the same program on the CPU. It never stands in for a program that asked for CANN: [`Acl::from_env`] is
//! for programs that leave the choice to their user, by `ASCENDCL_BACKEND`, and [`Acl::backend`] says what it
//! chose. Without the feature `emulator` it finds CANN or nothing.
//!
//! # Limits
//!
//! - Other code in the process can reset a device or switch a context through the C API; types here
//!   cannot see that. The runtime's refusals are reported as errors.
//! - `mem::forget` leaks, as everywhere. A forgotten device keeps its slot, a forgotten stream its name until its device
//!   is reset.
//! - What is dropped while it is queued is freed by the next wait for its stream that succeeds. A [block](memory::Block),
//!   and what a forgotten stream used, waits for the whole device.
//! - Borrowed memory comes back only behind a wait that has succeeded. Where none does, [`op::Plan::run`],
//!   [`Current::scope`] and blocking copies abort the process; work on memory that was handed over is leaked instead.
//! - Work behind a failed task runs all the same, on its own stream and on those that wait for it. Memory that moves on
//!   [names](queue::After) the streams that have to vouch for it; what later work makes from such memory does not. So
//!   a result counts when each stream that took part in it was synchronised without an error.
//! - Models, media calls and collectives are not typed yet; [`sys`] has the raw calls.

mod auto_traits;
pub mod bounds;
pub mod callback;
mod context;
mod device;
mod doubt;
pub mod error;
pub mod event;
pub mod interop;
pub mod memory;
pub mod messages;
pub mod op;
mod outcome;
mod park;
pub mod peer;
pub mod queue;
mod raw;
mod release;
mod remedy;
mod runtime;
pub mod scope;
mod state;
pub mod stream;
mod sync;

#[cfg(feature = "emulator")]
pub use ascendcl_emulator as emulator;
pub use ascendcl_sys as sys;

pub use context::{Context, Current, Thread};
pub use device::{Brand, Ctx, Device, DeviceTag, Npu, Stopping};
pub use error::{Error, ErrorKind, Result};
pub use event::Event;
pub use memory::{Buf, DeviceBuf, DvppBuf, HostBuf, LocalBuf, MallocPolicy, MemAttr, MemInfo};
pub use outcome::{ContinueOnFailure, StopOnFailure};
pub use queue::Queued;
pub use release::{leaks, on_release_failure, release_failures};
pub use runtime::{Acl, DeviceSide, HostSide, RunMode, SysParam};
pub use stream::{ParkedStream, Stream, StreamName};
