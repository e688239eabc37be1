//! Watches: objects with an error of their own, which a wait for a stream asks for.
//!
//! Work of a communicator can fail without an error of its stream. So each wait for a stream that has run such work asks
//! the communicator, before the wait counts as a proof.

use std::ffi::c_void;

use ascendcl_sys as sys;

use crate::error::{Error, Result};
use crate::park::StreamKey;
use crate::pending;
use crate::raw::Handle;
use crate::sync::Latch;

/// A call that writes the error of an object.
type Query = unsafe fn(*mut c_void, *mut sys::HcclResult) -> sys::HcclResult;

/// An object of the runtime that knows failures of work.
///
/// # Invariants
///
/// - `query` can be called with `handle` and a place for a result, on any thread, while the object is in a list of
///   [`Watches`]. It waits for nothing and calls no hook.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Watched {
    handle: Handle,
    call: &'static str,
    query: Query,
}

impl Watched {
    /// Makes a watch of an object, which `query` asks. The name of the function is `call`.
    ///
    /// # Safety
    ///
    /// - `query` writes a result, waits for nothing and calls no hook. It can be called on any thread while the object lives.
    /// - The object lives until [`Watches::end`] has removed it.
    pub(crate) unsafe fn new(handle: Handle, call: &'static str, query: Query) -> Watched {
        // INVARIANT: the caller's contract.
        Watched {
            handle,
            call,
            query,
        }
    }
}

#[derive(Debug)]
struct Entry {
    stream: StreamKey,
    object: Watched,
    /// The text that names the object in messages.
    about: String,
}

impl Entry {
    /// Asks the object for its error.
    ///
    /// # Safety
    ///
    /// - The entry is in a list whose latch is taken.
    #[inline(always)]
    unsafe fn ask(&self) -> Result<()> {
        let (handle, mut failure) = (self.object.handle.as_ptr(), sys::HCCL_SUCCESS);
        // SAFETY: the object is in a list (caller's contract), so it can be asked (invariant). `failure` is valid for a write.
        let code = unsafe { (self.object.query)(handle, &raw mut failure) };
        // `HCCL_SUCCESS` is 0, so both are compared at once.
        if code.0 | failure.0 == sys::HCCL_SUCCESS.0 {
            return Ok(());
        }
        Err(self.failed(code, failure))
    }

    #[cold]
    #[inline(never)]
    fn failed(&self, code: sys::HcclResult, failure: sys::HcclResult) -> Error {
        let is_refused = code != sys::HCCL_SUCCESS;
        let code = if is_refused { code.0 } else { failure.0 };
        Error::wait(self.object.call, code).about(&self.about)
    }
}

/// The objects that the streams of a device or context ask.
#[derive(Debug)]
pub(crate) struct Watches(Latch<Vec<Entry>>);

impl Watches {
    pub(super) fn new() -> Watches {
        Watches(Latch::new(Vec::new()))
    }

    /// Enters that a stream may run work of an object. From now on each wait for the stream asks the object, which `about`
    /// names in messages.
    #[cold]
    pub(crate) fn begin(&self, stream: StreamKey, object: Watched, about: impl FnOnce() -> String) {
        let mut entries = self.0.take();
        if has(&entries, stream, object.handle) {
            return;
        }
        entries.push(Entry {
            stream,
            object,
            about: about(),
        });
        pending::watched();
    }

    /// Whether each wait for the stream asks the object.
    pub(crate) fn has(&self, stream: StreamKey, object: Handle) -> bool {
        has(&self.0.take(), stream, object)
    }

    /// Asks an object for the last time, and removes it. It is destroyed after this, and no wait can ask it then. `keep` gets
    /// each stream that has to report its error, while a wait for the stream still finds the object here: a wait that does not
    /// find it any more finds what `keep` has kept.
    pub(crate) fn end(&self, handle: Handle, mut keep: impl FnMut(StreamKey, Error)) {
        let mut entries = self.0.take();
        let before = entries.len();
        entries.retain(|entry| {
            let is_other = entry.object.handle != handle;
            // SAFETY: an entry of the list, whose latch is taken.
            if !is_other && let Err(error) = unsafe { entry.ask() } {
                keep(entry.stream, error);
            }
            is_other
        });
        pending::unwatched(before - entries.len());
    }

    /// Removes the entries of a stream without a name that has ended. A wait has proven its work, and no later stream has its
    /// number. The entries of a name stay, because its next stream counts as the same one: there are as many of them as names.
    #[cold]
    pub(crate) fn forget_number(&self, stream: StreamKey) {
        if let StreamKey::Name(..) = stream {
            return;
        }
        let mut entries = self.0.take();
        let before = entries.len();
        entries.retain(|entry| entry.stream != stream);
        pending::unwatched(before - entries.len());
    }

    /// Asks all objects, behind a wait for all streams. Returns each stream that has to report an error.
    #[cold]
    #[must_use]
    pub(crate) fn ask_all(&self) -> Vec<(StreamKey, Error)> {
        let entries = self.0.take();
        let failed = entries.iter().filter_map(|entry| {
            // SAFETY: an entry of the list, whose latch is taken.
            let asked = unsafe { entry.ask() };
            Some((entry.stream, asked.err()?))
        });
        failed.collect()
    }

    /// Asks the objects of a stream, and returns the first error. The latch is taken meanwhile, so an object that is asked is
    /// not destroyed.
    #[inline(always)]
    pub(crate) fn ask(&self, stream: StreamKey) -> Result<()> {
        for entry in self.0.take().iter() {
            if entry.stream == stream {
                // SAFETY: an entry of the list, whose latch is taken.
                unsafe { entry.ask() }?;
            }
        }
        Ok(())
    }

    /// Adds the names of the objects of a stream to the error of a wait for the stream.
    #[cold]
    pub(crate) fn name(&self, stream: StreamKey, error: Error) -> Error {
        let entries = self.0.take();
        let of_stream = entries.iter().filter(|entry| entry.stream == stream);
        let names: Vec<&str> = of_stream.map(|entry| entry.about.as_str()).collect();
        if names.is_empty() {
            return error;
        }
        error.about(&names.join(", "))
    }
}

fn has(entries: &[Entry], stream: StreamKey, object: Handle) -> bool {
    entries
        .iter()
        .any(|entry| entry.stream == stream && entry.object.handle == object)
}
