//! The data structures that threads share, without C types: locks that survive a panic, the [`Ring`] of the tasks of
//! a stream, the [`Snapshot`] of an event, the [`Post`] of the thread that looks for work, and [`Progress`], where
//! threads sleep. Loom checks all of them but the locks (`interleavings.rs`). [`cores`] distributes large work over threads.

pub(crate) mod cores;
mod mutex;
mod post;
mod primitive;
mod progress;
mod ring;
mod snapshot;
pub(crate) mod threads;

#[cfg(all(test, loom))]
mod interleavings;

pub(crate) use mutex::{Mutex, MutexGuard, lock};
pub(crate) use post::Post;
pub(crate) use progress::{Progress, Ticket};
pub(crate) use ring::{Claim, Ring, Spent};
pub(crate) use snapshot::Snapshot;
