//! The typed API against a backend: the emulator, or whatever `ASCENDCL_BACKEND` names.
//!
//! AscendCL is state of the process, so each test runs in a process of its own (see `common`).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod attach;
mod auto_traits;
mod common;
mod context;
mod device;
mod error;
mod event;
mod local;
mod memory;
mod memory_copy;
mod op;
mod queue;
mod queue_op;
mod release;
mod runtime;
mod scope;
mod stream;
