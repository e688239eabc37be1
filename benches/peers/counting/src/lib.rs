//! The shared parts of the comparisons: a library that counts, a row of the table, the raw calls of CUDA, and an executor.
//!
//! The comparisons are separate programs, because some peers cannot be built everywhere. This crate makes their rows
//! comparable.

pub mod cuda;
mod row;
mod wait;

pub use row::{Counting, head};
pub use wait::{Executor, RawWait};

use std::ffi::c_int;

/// Elements of a buffer.
pub const LEN: usize = 1024;
/// Bytes of a buffer.
pub const BYTES: usize = LEN * size_of::<f32>();

/// Checks a status, as every raw call does.
#[inline]
pub fn ok(status: c_int) {
    assert!(status == 0, "status {status}");
}
