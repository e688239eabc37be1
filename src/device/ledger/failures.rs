//! The failures of the work of a device, and whether they were returned.

use super::{HookOnly, Ledger, StreamEntry};
use crate::error::{Error, Result, Usage};
use crate::park::StreamKey;
use crate::pending;
use crate::sync::{AtomicU64, Ordering, lock, shared};

shared! {
    /// The number of failed waits for whole devices.
    static FAILED_WAITS: AtomicU64 = AtomicU64::new(0);
}

/// Returns the number of failed waits for whole devices until now, for [`Ledger::has_failed_since`].
#[inline(always)]
pub(crate) fn failed_waits() -> u64 {
    FAILED_WAITS.load(Ordering::SeqCst)
}

impl Ledger {
    /// Enters a failed wait for the stream. The caller returns the error to the holder of the stream.
    #[cold]
    pub(crate) fn enter(&self, key: StreamKey, told: &Error) {
        self.count(told);
        self.poison(key, None);
        self.of_stream(key, &mut |entry| entry.told = true);
    }

    /// Enters a failure on the stream. The next wait for the stream returns the error.
    #[cold]
    pub(crate) fn keep(&self, key: StreamKey, failure: Error) {
        self.count(&failure);
        self.poison(key, Some(failure));
    }

    /// Enters a failure on the stream, unless one is known already: then all waits for the stream fail.
    #[cold]
    pub(crate) fn keep_first(&self, key: StreamKey, failure: Error) {
        let is_known = |entry: &StreamEntry| entry.key == key && entry.poisoned;
        let known = lock(&self.streams).iter().any(is_known);
        if !known {
            self.keep(key, failure);
        }
    }

    /// Keeps the failure of a wait for the whole device that has just been entered and cannot be returned. The next
    /// wait for a stream that it may concern returns the error, or the next wait for the device.
    #[cold]
    pub(crate) fn keep_for_any(&self, failure: Error) {
        lock(&self.kept).get_or_insert(failure);
    }

    fn count(&self, failure: &Error) {
        *lock(&self.last_report) = (failure.to_string(), failure.code());
        self.reports.fetch_add(1, Ordering::SeqCst);
    }

    fn poison(&self, key: StreamKey, mut failure: Option<Error>) {
        self.of_stream(key, &mut |entry| {
            entry.poisoned = true;
            entry.kept = entry.kept.take().or(failure.take());
        });
        pending::failed();
    }

    /// Enters an error that only the hook for failed releases has received. Only failures of work count, not refused
    /// releases.
    #[cold]
    pub(crate) fn enter_hook_only(&self, error: Error) {
        if error.is_of_work() {
            let reports = self.reports.load(Ordering::SeqCst);
            lock(&self.hook_only).get_or_insert(HookOnly { error, reports });
        }
    }

    /// Returns the first failure of work that only the hook for failed releases has received.
    pub(crate) fn take_hook_only(&self) -> Result<()> {
        let hook_only = lock(&self.hook_only).take();
        hook_only.map_or(Ok(()), |hook_only| Err(hook_only.error))
    }

    /// Returns a failure of the stream that was not returned yet; `None` asks for those of all streams. Each failure
    /// is returned once.
    #[cold]
    pub(crate) fn tell(&self, key: Option<StreamKey>) -> Result<()> {
        let mut streams = lock(&self.streams);
        let of_interest = |entry: &&mut StreamEntry| key.is_none_or(|key| entry.key == key);
        for entry in streams.iter_mut().filter(of_interest) {
            let own = entry.kept.take();
            let of_any = || lock(&self.kept).take_if(|_| entry.poisoned);
            if let Some(kept) = own.or_else(of_any) {
                entry.told |= key.is_some();
                return Err(kept);
            }
        }
        if key.is_none() {
            return lock(&self.kept).take().map_or(Ok(()), Err);
        }
        Ok(())
    }

    /// Returns the failures that were not returned yet.
    pub(crate) fn take_kept(&self) -> Vec<Error> {
        let mut streams = lock(&self.streams);
        let of_streams = streams.iter_mut().filter_map(|entry| entry.kept.take());
        of_streams.chain(lock(&self.kept).take()).collect()
    }

    /// Fails if a failure was entered since the number of failures was `before`, or if a failure was not returned
    /// yet. The error contains the text of a failure that only the hook has received since then. So that failure is
    /// returned by this error, and not once more.
    pub(crate) fn check_reports(&self, before: u64) -> Result<()> {
        self.settle();
        self.tell(None)?;
        if self.reports.load(Ordering::SeqCst) == before {
            return Ok(());
        }
        let hook_only = lock(&self.hook_only).take_if(|hook_only| hook_only.reports > before);
        let (cause, code) = match hook_only {
            Some(hook_only) => (hook_only.error.to_string(), hook_only.error.code()),
            None => lock(&self.last_report).clone(),
        };
        Err(Usage::FailedMeanwhile { cause, code }.into())
    }

    /// Whether work of the stream may have failed, and no error was returned to its holder.
    #[cold]
    pub(crate) fn has_failed_silently(&self, key: StreamKey) -> bool {
        self.settle();
        let is_silent = |entry: &StreamEntry| entry.key == key && entry.poisoned && !entry.told;
        lock(&self.streams).iter().any(is_silent)
    }

    /// Whether a wait that may concern the stream has failed. Waits first for the outcome of a running wait for the
    /// whole device.
    #[cold]
    pub(crate) fn is_poisoned(&self, key: StreamKey) -> bool {
        self.settle();
        lock(&self.streams)
            .iter()
            .any(|entry| entry.key == key && entry.poisoned)
    }

    /// Whether a wait for this whole device has failed since the number of failed waits for all devices was `before`.
    #[cold]
    pub(crate) fn has_failed_since(&self, before: u64) -> bool {
        self.settle();
        self.last_failure.load(Ordering::SeqCst) > before
    }

    /// Waits for the outcome of a running wait for the whole device, if there is one.
    #[cold]
    pub(crate) fn settle(&self) {
        drop(lock(&self.device_wait));
    }

    /// Runs a wait for all streams of the device, and enters its outcome.
    ///
    /// The runtime reports a failed task once. If this wait takes the report, no stream can prove anything about
    /// earlier work any more. If the wait of a stream ends meanwhile, it sees that the outcome is open, and checks
    /// the ledger.
    pub(crate) fn wait_for_all(&self, wait: &mut dyn FnMut() -> Result<()>) -> Result<()> {
        let _outcome_is_open = lock(&self.device_wait);
        pending::wait_begins();
        let waited = wait();
        if let Some(error) = waited.as_ref().err().filter(|error| error.is_wait()) {
            self.count(error);
            for entry in lock(&self.streams).iter_mut() {
                entry.poisoned = true;
            }
            pending::failed();
            let number = FAILED_WAITS.fetch_add(1, Ordering::SeqCst) + 1;
            self.last_failure.store(number, Ordering::SeqCst);
        }
        pending::wait_ends();
        waited
    }
}

#[cfg(all(test, not(loom)))]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::Ledger;
    use crate::error::Usage;
    use crate::park::StreamKey;

    fn failure() -> crate::error::Error {
        let name = "some".into();
        Usage::HostFuncPanicked { name }.into()
    }

    /// A service that replaces each failed stream does not use more and more memory, and loses no failure.
    #[test]
    fn numbers_of_failed_streams_do_not_pile_up() {
        let ledger = Ledger::new();
        let [first, second] = [1, 2].map(StreamKey::Number);
        for key in [first, second] {
            ledger.claim_stream(key).unwrap();
            ledger.enter(key, &failure());
            ledger.forget_number(key);
            assert!(ledger.is_poisoned(key), "it is alive");
        }
        ledger.keep(second, failure());
        for key in [first, second] {
            ledger.unclaim_stream(key);
            assert!(ledger.is_poisoned(key));
            ledger.forget_number(key);
        }
        assert!(!ledger.is_poisoned(first));
        assert_eq!(ledger.take_kept().len(), 1, "of the second one");
    }

    /// A later stream could have the same name, so the name of a failed stream stays.
    #[test]
    fn names_of_failed_streams_stay() {
        let ledger = Ledger::new();
        let key = StreamKey::of::<u8>();
        ledger.claim_stream(key).unwrap();
        ledger.enter(key, &failure());
        ledger.unclaim_stream(key);
        ledger.forget_number(key);
        assert!(ledger.is_poisoned(key));
        ledger.claim_stream(key).unwrap_err();
    }
}
