//! The core calls of AscendCL over the CUDA driver, as a library for the backend `loaded`.
//!
//! It is no NPU, and it has what a program of the typed API calls for memory, pools, streams, events and host functions. A function that is
//! not here is absent, and its call says so. A free block goes to the next allocation at once, as that of `aclrtFree` does: CUDA's
//! own functions would wait for the work that uses it, and hide the mistake.
#![expect(non_snake_case, reason = "the parameters have C's names")]
#![expect(
    clippy::missing_safety_doc,
    reason = "the contract of each function is that of `acl/acl_rt.h`"
)]

pub mod driver;
mod event;
mod memory;
mod pool;
mod runtime;
mod state;
mod stream;

pub use event::*;
pub use memory::*;
pub use pool::*;
pub use runtime::*;
pub use stream::*;
