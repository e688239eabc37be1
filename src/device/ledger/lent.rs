//! The scopes in which memory is lent to a device, and the streams that may use such memory.

use std::thread;

use super::{Ledger, Reach, find};
use crate::error::{Error, Result};
use crate::park::StreamKey;
use crate::raw::Handle;
use crate::sync::{Ordering, lock};

impl Ledger {
    /// Enters that a scope begins, in which memory is lent. Returns the number of failures so far, for
    /// [`Ledger::check_reports`].
    pub(crate) fn scope_begins(&self) -> u64 {
        let _lent = lock(&self.lent);
        self.scopes.fetch_add(1, Ordering::SeqCst);
        self.reports.load(Ordering::SeqCst)
    }

    /// Enters that a scope has ended. Behind the last one no memory is lent.
    pub(crate) fn scope_ends(&self) {
        let mut lent = lock(&self.lent);
        if self.scopes.fetch_sub(1, Ordering::SeqCst) == 1 {
            lent.clear();
        }
    }

    /// Whether memory is lent to the device in a scope.
    pub(crate) fn has_scopes(&self) -> bool {
        self.scopes.load(Ordering::SeqCst) > 0
    }

    /// Enters that memory that is lent in a scope is moved into the stream.
    pub(crate) fn enter_lent(&self, key: StreamKey) {
        let mut lent = lock(&self.lent);
        if !lent.contains(&key) {
            lent.push(key);
        }
    }

    /// Enters, while a scope is open, that the work of the stream is over and its holder is about to destroy it. Behind this
    /// call no other thread waits for it.
    pub(crate) fn stream_goes(&self, key: StreamKey) {
        let _no_wait = lock(&self.lent_wait);
        self.of_stream(key, &mut |entry| entry.reach = Reach::Over);
    }

    /// Calls `wait` for each stream that may use memory of an open scope, and says whether the calling thread has it in use; each
    /// is alive until `wait` returns.
    ///
    /// # Errors
    ///
    /// The first of a wait, or `refused` if another thread must not wait for one of them.
    pub(crate) fn wait_for_lent(
        &self,
        refused: Error,
        mut wait: impl FnMut(StreamKey, Handle, bool) -> Result<()>,
    ) -> Result<()> {
        let _no_end = lock(&self.lent_wait);
        let lent = lock(&self.lent).clone();
        for key in lent {
            let own = Some(thread::current().id());
            let stream =
                find(&mut lock(&self.streams), key).map(|entry| (entry.reach, entry.holder == own));
            match stream {
                Some((Reach::Any(stream), is_own)) => wait(key, stream, is_own)?,
                // A name goes when its stream has ended behind a proof.
                Some((Reach::Over, _)) | None => {}
                Some((Reach::Holder, _)) => return Err(refused),
            }
        }
        Ok(())
    }
}
