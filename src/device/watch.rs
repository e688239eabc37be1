//! Watches: objects with an error of their own, which a wait for a stream asks for.
//!
//! Work of a communicator can fail without an error of its stream. So each wait for a stream that has run such work asks
//! the communicator, before the wait counts as a proof.

use crate::doubt;
use crate::error::{Error, Result};
use crate::park::StreamKey;
use crate::raw::Handle;
use crate::sync::{Mutex, lock};

/// An object of the runtime that knows failures of work.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Watched {
    pub(crate) handle: Handle,
    /// Returns the error of the object. It waits for nothing and calls no hook.
    pub(crate) ask: fn(Handle) -> Result<()>,
}

#[derive(Debug)]
struct Entry {
    stream: StreamKey,
    object: Watched,
    /// The text that names the object in messages.
    about: String,
}

impl Entry {
    fn ask(&self) -> Result<()> {
        (self.object.ask)(self.object.handle).map_err(|error| error.about(&self.about))
    }
}

/// The objects that the streams of a device or context ask.
#[derive(Debug)]
pub(crate) struct Watches(Mutex<Vec<Entry>>);

impl Watches {
    pub(super) fn new() -> Watches {
        Watches(Mutex::new(Vec::new()))
    }

    /// Enters that a stream runs work of an object. From now on each wait for the stream asks the object.
    #[cold]
    pub(crate) fn begin(&self, stream: StreamKey, object: Watched, about: &str) {
        let mut entries = lock(&self.0);
        if entries
            .iter()
            .any(|entry| entry.stream == stream && entry.object.handle == object.handle)
        {
            return;
        }
        entries.push(Entry {
            stream,
            object,
            about: about.to_owned(),
        });
        doubt::watched();
    }

    /// Asks an object for the last time, and removes it. It is destroyed after this, and no wait can ask it then. Returns
    /// each stream that has to report its error.
    #[must_use]
    pub(crate) fn end(&self, handle: Handle) -> Vec<(StreamKey, Error)> {
        let mut failures = Vec::new();
        let mut entries = lock(&self.0);
        let before = entries.len();
        entries.retain(|entry| {
            let is_other = entry.object.handle != handle;
            if !is_other && let Err(error) = entry.ask() {
                failures.push((entry.stream, error));
            }
            is_other
        });
        doubt::unwatched(before - entries.len());
        failures
    }

    /// Removes the entries of a stream without a name that has ended. A wait has proven its work, and no later stream has its
    /// number. The entries of a name stay, because its next stream counts as the same one: there are as many of them as names.
    #[cold]
    pub(crate) fn forget_number(&self, stream: StreamKey) {
        if let StreamKey::Name(..) = stream {
            return;
        }
        let mut entries = lock(&self.0);
        let before = entries.len();
        entries.retain(|entry| entry.stream != stream);
        doubt::unwatched(before - entries.len());
    }

    /// Asks all objects, behind a wait for all streams. Returns each stream that has to report an error.
    #[cold]
    #[must_use]
    pub(crate) fn ask_all(&self) -> Vec<(StreamKey, Error)> {
        let entries = lock(&self.0);
        let failed = entries
            .iter()
            .filter_map(|entry| Some((entry.stream, entry.ask().err()?)));
        failed.collect()
    }

    /// Asks the objects of a stream, and returns the first error. The lock is held meanwhile, so an object that is asked is
    /// not destroyed.
    #[cold]
    pub(crate) fn ask(&self, stream: StreamKey) -> Result<()> {
        let entries = lock(&self.0);
        let mut of_stream = entries.iter().filter(|entry| entry.stream == stream);
        of_stream.try_for_each(Entry::ask)
    }

    /// Adds the names of the objects of a stream to the error of a wait for the stream.
    #[cold]
    pub(crate) fn name(&self, stream: StreamKey, error: Error) -> Error {
        let entries = lock(&self.0);
        let of_stream = entries.iter().filter(|entry| entry.stream == stream);
        let names: Vec<&str> = of_stream.map(|entry| entry.about.as_str()).collect();
        if names.is_empty() {
            return error;
        }
        error.about(&names.join(", "))
    }
}
