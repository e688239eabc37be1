//! The ledger of a device or context: the failures of its work, and whether they were returned.
//!
//! The runtime reports a failed task once, to the first wait. Another wait for the same work would then treat the
//! work as successful. So each failed wait is entered here, and each successful wait checks the ledger before it
//! counts as a proof.

use std::thread::{self, ThreadId};

use crate::error::{Error, Result, Usage};
use crate::park::StreamKey;
use crate::pending;
use crate::raw::Handle;
use crate::sync::{AtomicU64, Mutex, Ordering, lock, shared};

shared! {
    /// The number of failed waits for whole devices.
    static FAILED_WAITS: AtomicU64 = AtomicU64::new(0);
    /// The number of subscriptions in this process until now.
    static SUBSCRIPTIONS: AtomicU64 = AtomicU64::new(0);
}

impl Name {
    /// Makes an entry for a name that is claimed for a stream without work.
    fn held(key: StreamKey, borrowed: Option<Handle>) -> Name {
        Name {
            key,
            borrowed,
            held: true,
            poisoned: false,
            reported: false,
            unreported: None,
            subscription: 0,
            stream: Reach::Never,
            holder: None,
        }
    }
}

/// Returns the number of failed waits for whole devices until now, for [`Ledger::has_failed_since`].
#[inline(always)]
pub(crate) fn failed_waits() -> u64 {
    FAILED_WAITS.load(Ordering::SeqCst)
}

/// The names of the streams of a device or context, and the failures of their work.
#[derive(Debug)]
pub(crate) struct Ledger {
    /// The names. A name stays if the release of its stream gave no proof that the work is over.
    streams: Mutex<Vec<Name>>,
    /// Locked during a wait for the whole device, until the outcome of the wait is entered.
    device_wait: Mutex<()>,
    /// The number of failed waits and of host functions that have panicked.
    reports: AtomicU64,
    /// The text of the last failed wait or panicked host function.
    last_report: Mutex<(String, Option<i32>)>,
    /// The number of the last failed wait for this whole device among the failed waits for all devices, counted from
    /// one. Zero means none.
    last_failure: AtomicU64,
    /// The number of open scopes, in which memory is lent. It changes while `lent` is locked.
    scopes: AtomicU64,
    /// The names of the streams that memory was moved into while it was lent, until no scope is open. Such memory outlives
    /// its stream, and a later stream of the same name may use it.
    lent: Mutex<Vec<StreamKey>>,
    /// Locked while the end of a scope waits for streams of other threads, so that they are not destroyed meanwhile.
    lent_wait: Mutex<()>,
    /// The first failure that a wait for the whole device could not return. It may concern each poisoned stream.
    unreported: Mutex<Option<Error>>,
    /// The first failure of work that only the hook for failed releases has received.
    hook_only: Mutex<Option<HookOnly>>,
}

/// A failure of work that only the hook for failed releases has received.
#[derive(Debug)]
struct HookOnly {
    error: Error,
    /// The number of reports when the failure was entered here, itself included.
    reports: u64,
}

/// The name of a stream on a device, or its number.
#[derive(Debug)]
struct Name {
    key: StreamKey,
    /// The stream of another library that has this name, also while no handle has it.
    borrowed: Option<Handle>,
    /// Whether a handle has this name. The default stream lives longer than its handles, and so does its name.
    held: bool,
    /// Whether a wait that may concern this stream has failed, or a host function on the stream. No later wait proves
    /// anything about the work that the failed wait covered.
    poisoned: bool,
    /// Whether a failure of the stream was returned to its holder.
    reported: bool,
    /// A failure that was not returned yet: a panic of a host function, or an error that a wait could not return.
    unreported: Option<Error>,
    /// The number of the stream's subscription to a thread that runs its callbacks, or zero.
    subscription: u64,
    /// Whether threads other than that of its holder may wait for the stream.
    stream: Reach,
    /// The thread that has the stream in use, as far as it is known.
    holder: Option<ThreadId>,
}

/// Whether any thread may wait for a stream.
#[derive(Debug, Clone, Copy)]
enum Reach {
    /// No: another library may destroy it.
    Never,
    /// Yes: it exists.
    Open(Handle),
    /// It was destroyed behind a proof, so there is nothing to wait for.
    Over,
}

impl Ledger {
    pub(crate) fn new() -> Ledger {
        Ledger {
            streams: Mutex::new(Vec::new()),
            device_wait: Mutex::new(()),
            reports: AtomicU64::new(0),
            last_report: Mutex::default(),
            last_failure: AtomicU64::new(0),
            scopes: AtomicU64::new(0),
            lent: Mutex::new(Vec::new()),
            lent_wait: Mutex::new(()),
            unreported: Mutex::new(None),
            hook_only: Mutex::new(None),
        }
    }

    /// Claims a stream name on this device.
    pub(crate) fn claim_stream(&self, key: StreamKey) -> Result<()> {
        let mut streams = lock(&self.streams);
        match find(&mut streams, key) {
            Some(taken) if taken.held || taken.poisoned => {
                let name = key.label();
                return Err(Usage::StreamNameTaken { name }.into());
            }
            Some(known) => known.held = true,
            None => streams.push(Name::held(key, None)),
        }
        Ok(())
    }

    /// Claims a name for a stream of another library. If the name belonged to another stream before, returns that
    /// stream: there is no proof that its work under the name is over.
    pub(crate) fn claim_borrowed(&self, key: StreamKey, raw: Handle) -> Result<Option<Handle>> {
        let mut streams = lock(&self.streams);
        let has_other_name = |known: &&Name| {
            known.key != key && known.borrowed == Some(raw) && (known.held || !known.poisoned)
        };
        if let Some(other) = streams.iter().find(has_other_name) {
            let name = other.key.label();
            return Err(Usage::StreamBorrowed { name }.into());
        }
        match find(&mut streams, key) {
            Some(taken) if taken.held || taken.poisoned => {
                let name = key.label();
                Err(Usage::StreamNameTaken { name }.into())
            }
            Some(known) => {
                known.held = true;
                let before = known.borrowed.replace(raw);
                Ok(before.filter(|before| *before != raw))
            }
            None => {
                streams.push(Name::held(key, Some(raw)));
                Ok(None)
            }
        }
    }

    /// Gives a name back that still belongs to the stream `before`, because there is no proof that the work of that
    /// stream is over.
    pub(crate) fn unclaim_borrowed(&self, key: StreamKey, before: Handle) {
        self.of_stream(key, &mut |name| {
            name.held = false;
            name.borrowed = Some(before);
        });
    }

    /// Gives a name back, unless it is poisoned.
    pub(crate) fn unclaim_stream(&self, key: StreamKey) {
        let mut streams = lock(&self.streams);
        streams.retain(|name| name.key != key || name.poisoned);
        if let (Some(name), StreamKey::Number(_)) = (find(&mut streams, key), key) {
            name.held = false;
        }
    }

    /// Removes the number of a stream that is gone. No later stream gets this number, so its poison flag is not
    /// needed any more. A failure that was not returned yet stays.
    #[cold]
    pub(crate) fn forget_number(&self, key: StreamKey) {
        if let StreamKey::Number(_) = key {
            lock(&self.streams)
                .retain(|name| name.key != key || name.held || name.unreported.is_some());
        }
    }

    /// Gives the name of a stream back that continues to exist. A later failure still belongs to the name.
    pub(crate) fn release_stream(&self, key: StreamKey) {
        self.of_stream(key, &mut |name| name.held = false);
    }

    /// Whether the device may have a stream with work. A stream that was destroyed after a proof has given its name
    /// back, and has no work.
    pub(crate) fn has_streams(&self) -> bool {
        !lock(&self.streams).is_empty()
    }

    /// Returns the failures that were not returned yet.
    pub(crate) fn take_untold(&self) -> Vec<Error> {
        let mut names = lock(&self.streams);
        let of_names = names.iter_mut().filter_map(|name| name.unreported.take());
        of_names.chain(lock(&self.unreported).take()).collect()
    }

    /// Enters an error that only the hook for failed releases has received. Only failures of work count, not refused
    /// releases.
    #[cold]
    pub(crate) fn enter_unseen(&self, error: Error) {
        if error.is_of_work() {
            let reports = self.reports.load(Ordering::SeqCst);
            lock(&self.hook_only).get_or_insert(HookOnly { error, reports });
        }
    }

    /// Returns the first failure of work that only the hook for failed releases has received.
    pub(crate) fn take_unseen(&self) -> Result<()> {
        let hook_only = lock(&self.hook_only).take();
        hook_only.map_or(Ok(()), |hook_only| Err(hook_only.error))
    }

    /// Changes the entry of a stream, if there is one.
    fn of_stream(&self, key: StreamKey, change: &mut dyn FnMut(&mut Name)) {
        let mut streams = lock(&self.streams);
        if let Some(name) = find(&mut streams, key) {
            change(name);
        }
    }

    /// Enters a failed wait for the stream. The caller returns the error to the holder of the stream.
    #[cold]
    pub(crate) fn enter(&self, key: StreamKey, told: &Error) {
        self.note(told);
        self.poison(key, None);
        self.of_stream(key, &mut |name| name.reported = true);
    }

    /// Enters a failure on the stream. The next wait for the stream returns the error.
    #[cold]
    pub(crate) fn keep(&self, key: StreamKey, failure: Error) {
        self.note(&failure);
        self.poison(key, Some(failure));
    }

    /// Enters a failure on the stream, unless one is known already: then all waits for the stream fail.
    #[cold]
    pub(crate) fn keep_first(&self, key: StreamKey, failure: Error) {
        let is_known = |name: &Name| name.key == key && name.poisoned;
        let known = lock(&self.streams).iter().any(is_known);
        if !known {
            self.keep(key, failure);
        }
    }

    /// Keeps the failure of a wait for the whole device that has just been entered and cannot be returned. The next
    /// wait for a stream that it may concern returns the error, or the next wait for the device.
    #[cold]
    pub(crate) fn keep_for_any(&self, failure: Error) {
        lock(&self.unreported).get_or_insert(failure);
    }

    fn note(&self, told: &Error) {
        *lock(&self.last_report) = (told.to_string(), told.code());
        self.reports.fetch_add(1, Ordering::SeqCst);
    }

    fn poison(&self, key: StreamKey, mut failure: Option<Error>) {
        self.of_stream(key, &mut |name| {
            name.poisoned = true;
            name.unreported = name.unreported.take().or(failure.take());
        });
        pending::failed();
    }

    /// Returns a failure of the stream that was not returned yet; `None` asks for those of all streams. Each failure
    /// is returned once.
    #[cold]
    pub(crate) fn tell(&self, key: Option<StreamKey>) -> Result<()> {
        let mut streams = lock(&self.streams);
        let of_interest = |name: &&mut Name| key.is_none_or(|key| name.key == key);
        for name in streams.iter_mut().filter(of_interest) {
            let own = name.unreported.take();
            let of_any = || lock(&self.unreported).take_if(|_| name.poisoned);
            if let Some(unreported) = own.or_else(of_any) {
                name.reported |= key.is_some();
                return Err(unreported);
            }
        }
        if key.is_none() {
            return lock(&self.unreported).take().map_or(Ok(()), Err);
        }
        Ok(())
    }

    /// Whether work of the stream may have failed, and no error was returned to its holder.
    #[cold]
    pub(crate) fn has_failed_silently(&self, key: StreamKey) -> bool {
        self.settle();
        let silent = |name: &Name| name.key == key && name.poisoned && !name.reported;
        lock(&self.streams).iter().any(silent)
    }

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

    /// Enters the stream of a name that was claimed, so that any thread may wait for it until [`Ledger::stream_goes`].
    pub(crate) fn stream_is(&self, key: StreamKey, stream: Handle) {
        self.of_stream(key, &mut |name| {
            name.stream = Reach::Open(stream);
            name.holder = Some(thread::current().id());
        });
    }

    /// Enters that the calling thread takes the stream into use, or that it parks the stream.
    #[cold]
    pub(crate) fn holds(&self, key: StreamKey, is_in_use: bool) {
        let holder = is_in_use.then(|| thread::current().id());
        self.of_stream(key, &mut |name| name.holder = holder);
    }

    /// Returns the streams that exist and that this crate has created.
    pub(crate) fn open_streams(&self) -> Vec<(StreamKey, Handle)> {
        let streams = lock(&self.streams);
        let handles = streams.iter().filter_map(|name| match name.stream {
            Reach::Open(stream) if stream != Handle::NULL_STREAM => Some((name.key, stream)),
            _ => None,
        });
        handles.collect()
    }

    /// Enters that memory that is lent in a scope is moved into the stream.
    pub(crate) fn lends_to(&self, key: StreamKey) {
        let mut lent = lock(&self.lent);
        if !lent.contains(&key) {
            lent.push(key);
        }
    }

    /// Enters, while a scope is open, that the work of the stream is over and its holder is about to destroy it. Behind this
    /// call no other thread waits for it.
    pub(crate) fn stream_goes(&self, key: StreamKey) {
        let _no_wait = lock(&self.lent_wait);
        self.of_stream(key, &mut |name| name.stream = Reach::Over);
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
                find(&mut lock(&self.streams), key).map(|name| (name.stream, name.holder == own));
            match stream {
                Some((Reach::Open(stream), is_own)) => wait(key, stream, is_own)?,
                // A name goes when its stream has ended behind a proof.
                Some((Reach::Over, _)) | None => {}
                Some((Reach::Never, _)) => return Err(refused),
            }
        }
        Ok(())
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

    /// Enters a new subscription of the stream, and returns its number.
    pub(crate) fn subscribe(&self, key: StreamKey) -> u64 {
        let number = SUBSCRIPTIONS.fetch_add(1, Ordering::Relaxed) + 1;
        self.of_stream(key, &mut |name| name.subscription = number);
        number
    }

    /// Enters that the subscription of the stream has ended.
    pub(crate) fn unsubscribe(&self, key: StreamKey) {
        self.of_stream(key, &mut |name| name.subscription = 0);
    }

    /// Whether the subscription of the stream has this number.
    pub(crate) fn has_subscription(&self, key: StreamKey, number: u64) -> bool {
        let of_stream = |name: &Name| name.key == key && name.subscription == number;
        lock(&self.streams).iter().any(of_stream)
    }

    /// Whether a wait that may concern the stream has failed. Waits first for the outcome of a running wait for the
    /// whole device.
    #[cold]
    pub(crate) fn is_poisoned(&self, key: StreamKey) -> bool {
        self.settle();
        lock(&self.streams)
            .iter()
            .any(|name| name.key == key && name.poisoned)
    }

    /// Waits for the outcome of a running wait for the whole device, if there is one.
    #[cold]
    pub(crate) fn settle(&self) {
        drop(lock(&self.device_wait));
    }

    /// Whether a wait for this whole device has failed since the number of failed waits for all devices was `before`.
    #[cold]
    pub(crate) fn has_failed_since(&self, before: u64) -> bool {
        self.settle();
        self.last_failure.load(Ordering::SeqCst) > before
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
            self.note(error);
            for name in lock(&self.streams).iter_mut() {
                name.poisoned = true;
            }
            pending::failed();
            let number = FAILED_WAITS.fetch_add(1, Ordering::SeqCst) + 1;
            self.last_failure.store(number, Ordering::SeqCst);
        }
        pending::wait_ends();
        waited
    }
}

fn find(streams: &mut [Name], key: StreamKey) -> Option<&mut Name> {
    streams.iter_mut().find(|name| name.key == key)
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
        assert_eq!(ledger.take_untold().len(), 1, "of the second one");
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
