//! Kernels: functions of a program for the AI cores, loaded from a file and launched on a stream (`acl/acl_rt.h`; manual
//! chapter 14).
//!
//! A kernel is written in Ascend C and compiled to a binary, such as `saxpy.o`. [`kernel!`](crate::kernel!) declares its
//! parameters once. [`Binary::kernel`] looks the kernel up and is the only `unsafe` call: there a file and a declaration
//! meet, and nothing can compare all of them. From then on each [`Stream::launch`](crate::Stream::launch) is a safe call.
//! The compiler compares the arguments with the declaration: their order, number and types, the device and the stream of
//! each buffer, that no output is also an input, and that fresh memory is written before it is read.
//!
//! ```
//! use ascendcl::kernel::{In, InOut, LenOf};
//!
//! ascendcl::kernel! {
//!     /// `y += a * x`
//!     pub struct Saxpy = saxpy(x: In<f32>, y: InOut<f32>, a: f32, n: LenOf<x>) where x == y;
//! }
//!
//! # #[cfg(feature = "emulator")]
//! # use ascendcl::emulator::kernel::{View, ViewMut};
//! # #[cfg(feature = "emulator")]
//! # ascendcl::emulator::kernel::register(ascendcl::emulator::kernel!(
//! #     saxpy(x: View<f32>, y: ViewMut<f32>, a: f32, n: u32) |block| {
//! #         for i in block.part(n as usize) { y.set(i, a * x.get(i) + y.get(i)); }
//! #     }
//! # ));
//! # ascendcl::example!(|acl, host, current, stream| {
//! # let file = std::env::temp_dir().join("ascendcl-doc-saxpy.o");
//! # std::fs::write(&file, "a kernel stands for it").unwrap();
//! let binary = current.load_binary(&file)?; // such as "saxpy.o"
//! // SAFETY: the file was built from `saxpy.cpp`, whose kernel `saxpy` is the declared one.
//! let saxpy = unsafe { binary.kernel::<Saxpy>() }?;
//!
//! let numbers = stream.malloc_host_from(host, &[1.0_f32; 1024])?;
//! let x = stream.memcpy_async(stream.malloc(1024)?, &numbers)?;
//! let mut y = stream.memcpy_async(stream.malloc(1024)?, &numbers)?;
//! stream.launch(saxpy, 8, (&x, &mut y, 2.0, ()))?; // 8 blocks; the length is filled in
//! let back = stream.memcpy_async(stream.malloc_host(host, 1024)?, &y)?;
//! assert_eq!(stream.synchronize()?.take(back)[..], [3.0; 1024]);
//! binary.unload()?;
//! # });
//! ```
//!
//! The emulator runs kernels that a program registers as functions of Rust (`emulator::kernel`), and kernels in Ascend C
//! that the compiler of the host has built with the emulator's own `kernel_operator.h`. It refuses a binary of an AI core.
//!
//! What is checked when a kernel is launched: the `where` of its declaration, that a part of a buffer begins at a multiple
//! of 32 bytes, and that a length fits its parameter. A launch makes one call of C, and allocates nothing.

mod argument;
mod binary;
mod config;
mod declare;
mod exact;
pub(crate) mod launch;
mod list;
mod parameter;
mod tuple;

pub use argument::Arguments;
pub use binary::{Binary, Function};
pub use config::{LaunchConfig, Schedule};
pub use declare::Kernel;
#[doc(hidden)]
pub use declare::{ParameterName, bare};
pub use exact::Exact;
#[doc(hidden)]
pub use exact::holds;
#[doc(hidden)]
pub use parameter::check_declaration;
pub use parameter::{In, InOut, LenOf, Out, Parameter, Parameters, Placed, Struct};
