//! The shared parts of the comparisons: a library that counts, a row of the table, and the raw calls of CUDA.
//!
//! They are programs of their own because some peers do not build everywhere; this is what makes their
//! rows comparable.

pub mod cuda;
mod row;

pub use row::{Counting, head};

use std::ffi::c_int;

/// Elements of a buffer.
pub const LEN: usize = 1024;
/// Bytes of a buffer.
pub const BYTES: usize = LEN * size_of::<f32>();

/// Looks at a status, as every raw call does.
#[inline]
pub fn ok(status: c_int) {
    assert!(status == 0, "status {status}");
}
