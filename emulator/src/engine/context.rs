//! The state of a context, which the functions of `context` use.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};

use ascendcl_sys::aclError;

use crate::engine::engine;
use crate::engine::queue::Stream;
use crate::engine::slow_path::{self, Reason};
use crate::handles::slots::Slot;
use crate::results::list_of;
use crate::sync::{Mutex, lock};

/// A context: streams of one device that end together.
#[derive(Debug, Default)]
pub(crate) struct Context {
    pub(crate) generation: AtomicU32,
    pub(crate) device: AtomicU32,
    /// Whether `aclrtSetDevice` created the context, so that `aclrtResetDevice` destroys it.
    pub(crate) primary: AtomicBool,
    /// The code of the failed task that stopped the context.
    pub(crate) failure: AtomicI32,
    /// The default stream, as an index.
    pub(crate) default_stream: AtomicU32,
    /// All streams with their generations, the default one first.
    pub(crate) streams: Mutex<Vec<(u32, u32)>>,
}

impl Slot for Context {
    const TAG: u8 = b'C';
    fn generation(&self) -> &AtomicU32 {
        &self.generation
    }
}

impl Context {
    /// Returns whether a task has ever stopped a context. This is rare, so most calls need not check their own
    /// context.
    #[inline]
    pub(crate) fn has_any_failed() -> bool {
        slow_path::is(Reason::Stopped)
    }

    /// Returns the code of the failed task that stopped the context, or success.
    #[inline]
    pub(crate) fn failure(&self) -> aclError {
        self.failure.load(Ordering::Acquire)
    }

    /// Stops the context.
    pub(crate) fn fail(&self, code: aclError) {
        slow_path::set(Reason::Stopped, true);
        self.failure.store(code, Ordering::Release);
    }

    /// Returns whether the context still has this generation.
    pub(crate) fn is(&self, generation: u32) -> bool {
        self.generation.load(Ordering::Acquire) == generation
    }

    /// Returns the default stream of the context.
    #[inline]
    pub(crate) fn default_stream(&self) -> Option<(u32, &'static Stream)> {
        let index = self.default_stream.load(Ordering::Relaxed);
        Some((index, engine().streams.at(index)?))
    }

    /// Returns the streams of the context, the default one first.
    pub(crate) fn streams(&self) -> Vec<&'static Stream> {
        let streams = lock(&self.streams);
        list_of(
            streams
                .iter()
                .filter_map(|(index, _)| engine().streams.at(*index)),
        )
    }

    /// Adds a stream unless the context was closed.
    pub(crate) fn adopt(&self, generation: u32, stream: (u32, u32)) -> bool {
        let mut streams = lock(&self.streams);
        let alive = self.is(generation);
        if alive {
            streams.push(stream);
        }
        alive
    }

    /// Removes a stream that is about to be destroyed.
    pub(crate) fn disown(&self, stream: (u32, u32)) {
        lock(&self.streams).retain(|entry| *entry != stream);
    }
}
