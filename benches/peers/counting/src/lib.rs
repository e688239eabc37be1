//! The shared parts of the comparisons: a library that counts, a row of the table, raw calls, and an executor.
//!
//! The comparisons are separate programs, because some peers cannot be built everywhere. This crate makes their rows
//! comparable.

pub mod acl;
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

/// The launch of `saxpy(x, y, a, n)`: its blocks, the threads of a block of CUDA, the factor, and the length as the kernel
/// takes it.
pub const BLOCKS: u32 = 8;
pub const THREADS: u32 = 128;
pub const FACTOR: f32 = 2.0;
pub const COUNT: u32 = BLOCKS * THREADS;
const _: () = assert!(COUNT as usize == LEN, "a thread for each element");
/// Stands for the file of the kernel: the libraries do not read it.
pub const FILE: &str = "saxpy";

/// Checks a status, as every raw call does.
#[inline]
pub fn ok(status: c_int) {
    assert!(status == 0, "status {status}");
}
