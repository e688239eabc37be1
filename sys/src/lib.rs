//! Raw bindings to AscendCL, the C runtime of Huawei Ascend NPUs (CANN 8.1 to 9.x).
//!
//! Every function has its name and its signature of C. The crate `ascendcl` is a safe API over these functions.
//!
//! ```no_run
//! use ascendcl_sys as sys;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # #[cfg(feature = "loaded")] {
//! // SAFETY: the library that is found is CANN's.
//! let api = unsafe { sys::Api::find() }?; // looks where CANN's `set_env.sh` and its installer point
//! // SAFETY: the functions of CANN do what its manual says.
//! let origin = unsafe { api.install() }?;
//! println!("AscendCL from {origin}");
//! // SAFETY: null means no configuration file.
//! let status = unsafe { sys::aclInit(std::ptr::null()) };
//! assert_eq!(status, sys::ACL_SUCCESS, "{:?}", sys::status::name(status));
//! let mut count = 0;
//! // SAFETY: `count` is valid for a write of a u32.
//! assert_eq!(unsafe { sys::aclrtGetDeviceCount(&raw mut count) }, sys::ACL_SUCCESS);
//! println!("{count} devices");
//! // SAFETY: AscendCL was initialised, and nothing of it is in use.
//! assert_eq!(unsafe { sys::aclFinalize() }, sys::ACL_SUCCESS);
//! # } Ok(()) }
//! ```
//!
//! # Where the functions come from
//!
//! A process has one backend, an [`Api`]. [`Api::install`] makes it the target of all raw calls. Before that, and for a
//! function that the backend lacks, a call returns [`ACL_ERROR_API_NOT_SUPPORT`] or null, and
//! [`absent::take`] returns the name of the function.
//!
//! | feature | meaning |
//! |---|---|
//! | `loaded` (default) | CANN is found and loaded when the program runs: `Api::find`, `Api::load` |
//! | `linked` | CANN is linked at build time: `Api::linked`. Alone, each raw call is a direct call of C |
//! | `dispatch` | raw calls go through the installed [`Api`]; `loaded` needs it, and so does the emulator |
//! | `operators` (default) | the operators are declared, `aclnn*`; without them this crate builds in half of the time |
//! | `more-operators` | also the operators that fewer programs call |
//! | `training` | also the operators that only training needs |
//! | `media` (default) | the media engine is declared; its memory always is |
//! | `profiling` (default) | the profiler is declared, `aclprof*` |
//! | `config` | [`config`] reads the JSON file that `aclInit` takes |
//! | `spans` | each raw call is a `tracing` span with the target `ascendcl::call`, the level TRACE, and the status code |
//!
//! # Where things are
//!
//! [`functions`] has one module per area of the headers, [`structs`] and [`types`] the structures, enumerations and
//! flags, [`status`] the status codes. All of them are exported here under their names in C. Enumerations are
//! integers, so a value that a future runtime adds is not undefined behaviour.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![expect(
    non_camel_case_types,
    non_snake_case,
    non_upper_case_globals,
    reason = "the names of C are kept"
)]

pub mod absent;
mod api;
#[cfg(feature = "config")]
pub mod config;
pub mod functions;
#[cfg(feature = "linked")]
mod link;
#[cfg(feature = "loaded")]
mod load;
mod operator;
pub mod parameter;
mod release;
#[cfg(feature = "spans")]
mod spans;
pub mod status;
pub mod structs;
#[cfg(any(feature = "config", feature = "loaded"))]
mod text;
pub mod types;

pub use api::{AlreadyInstalled, Api, Origin, installed};
pub use functions::{
    callback::*, collective::*, context::*, device::*, event::*, graph::*, log::*, media::*,
    memory::*, model::*, op::*, profiling::*, runtime::*, stream::*,
};
#[cfg(feature = "loaded")]
pub use load::LoadError;
pub use operator::{FindOperator, Operator, aclnnLaunch, operator};
pub use status::*;
pub use structs::*;
pub use types::*;

/// The program of the README compiles.
#[cfg(all(doctest, feature = "loaded"))]
#[doc = include_str!("../README.md")]
mod readme {}
