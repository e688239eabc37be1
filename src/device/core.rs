//! What lies behind a device handle: claims, the names of streams, doubt, and the last wait.

use std::any::TypeId;
use std::mem;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;

use ascendcl_sys as sys;

use crate::error::{Error, Result, Usage};
use crate::park::{self, Key, Member, Moment};
use crate::raw::{self, Handle, check, check_wait};
use crate::release;

/// More than zero while a wait for a whole device is under way, and for good once a wait has failed or a host
/// function has panicked. Only then does a stream look whether its own wait was a proof.
static DOUBT: AtomicU32 = AtomicU32::new(0);

/// How many waits for whole devices have failed.
static FAILED_WAITS: AtomicU64 = AtomicU64::new(0);

/// How often a wait that must end in a proof is tried.
const WAITS: u32 = 32;

/// How many subscriptions there have been.
static SUBSCRIPTIONS: AtomicU64 = AtomicU64::new(0);

/// More than zero when a wait that succeeded needs a second look ([`Core::settle`]).
#[inline(always)]
pub(crate) fn doubts() -> u32 {
    // Who took the report of a failed task away from a stream had entered its doubt before, and the
    // runtime's own order makes that visible behind the stream's wait.
    DOUBT.load(Ordering::SeqCst)
}

/// How many waits for whole devices have failed until now, for [`Core::has_failed_since`].
#[inline(always)]
pub(crate) fn failed_waits() -> u64 {
    FAILED_WAITS.load(Ordering::SeqCst)
}

/// No code panics while it holds one of these locks, and their data is valid after every statement.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The open devices and contexts that share a parking, because types know them by brands only.
static BRANDED: Mutex<Vec<Arc<Core>>> = Mutex::new(Vec::new());

/// What is known of the work of a device or context when it was closed.
#[derive(Default)]
struct Released {
    failed: Vec<Error>,
    /// How many allocations were given up, and why.
    given_up: Option<(usize, Error)>,
}

/// How a device or context ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// By a reset of the device, which does not wait while another component holds it too: it is waited
    /// for if a stream was left behind.
    Reset,
    /// By its destruction, which is not known to wait: it is waited for in any case.
    Destruction,
}

impl Released {
    /// Tells the hook, which must not run under a lock.
    fn report(self) {
        self.failed.iter().for_each(release::failed);
        if let Some((count, error)) = self.given_up {
            (0..count).for_each(|_| release::leaked(&error));
            if count == 0 {
                release::failed(&error);
            }
        }
    }
}

/// What a device's streams and bindings share. They reach it through a borrow of the
/// [`Device`](crate::device::Device).
#[derive(Debug)]
pub(crate) struct Core {
    this: Weak<Core>,
    id: u32,
    context: Handle,
    /// Where memory is parked that the streams here may use.
    key: Key,
    member: Member,
    /// Names of the streams that live here. A name stays when its stream's release proved nothing.
    streams: Mutex<Vec<Name>>,
    /// Numbers of the explicit contexts of this device. A number stays when the release of its context
    /// failed.
    contexts: Mutex<Vec<usize>>,
    /// Held during a wait for the whole device, until its outcome is entered.
    device_wait: Mutex<()>,
    /// How often a wait was told of a failure, or a host function has panicked.
    reports: AtomicU64,
    /// What was said last of it.
    last_report: Mutex<String>,
    /// Which of all failed waits was the last one for this whole device, counted from one.
    last_failure: AtomicU64,
}

/// The name of a stream on a device.
#[derive(Debug)]
struct Name {
    key: TypeId,
    /// Whether a handle has it. The default stream outlives its handles, and so does its name.
    held: bool,
    /// Whether a wait has failed that may have been this stream's, or a host function on it: then no later wait says
    /// anything about the work that the failed one covered.
    poisoned: bool,
    /// What has failed and nobody was told yet: a panic of a host function, or what a wait had to keep to itself.
    untold: Option<Error>,
    /// The number of the stream's subscription to a thread that runs its callbacks, or zero.
    subscription: u64,
}

impl Core {
    /// Notes a context of the device `id`, whose queues park memory under `key`.
    pub(crate) fn new(id: u32, context: Handle, key: Key) -> Arc<Core> {
        let core = Arc::new_cyclic(|this| Core {
            this: Weak::clone(this),
            id,
            context,
            key,
            member: park::join(key),
            streams: Mutex::new(Vec::new()),
            contexts: Mutex::new(Vec::new()),
            device_wait: Mutex::new(()),
            reports: AtomicU64::new(0),
            last_report: Mutex::default(),
            last_failure: AtomicU64::new(0),
        });
        if key == Key::Branded {
            lock(&BRANDED).push(Arc::clone(&core));
        }
        core
    }

    /// For what may come back when the device is gone.
    pub(crate) fn weak(&self) -> Weak<Core> {
        Weak::clone(&self.this)
    }

    pub(crate) fn id(&self) -> u32 {
        self.id
    }

    pub(crate) fn context(&self) -> Handle {
        self.context
    }

    /// Claims a stream name on this device.
    pub(crate) fn claim_stream(&self, key: TypeId, name: &'static str) -> Result<()> {
        let mut streams = lock(&self.streams);
        match streams.iter_mut().find(|known| known.key == key) {
            Some(taken) if taken.held || taken.poisoned => {
                return Err(Usage::StreamNameTaken { name }.into());
            }
            Some(known) => known.held = true,
            None => streams.push(Name {
                key,
                held: true,
                poisoned: false,
                untold: None,
                subscription: 0,
            }),
        }
        Ok(())
    }

    /// Gives a name back, unless it is poisoned.
    pub(crate) fn unclaim_stream(&self, key: TypeId) {
        lock(&self.streams).retain(|name| name.key != key || name.poisoned);
    }

    /// Gives the name of a stream back that goes on to live, so that a later failure is still that of the name.
    pub(crate) fn release_stream(&self, key: TypeId) {
        for name in lock(&self.streams)
            .iter_mut()
            .filter(|name| name.key == key)
        {
            name.held = false;
        }
    }

    /// Claims the number of an explicit context of this device.
    pub(crate) fn claim_context(&self, number: usize) -> Result<()> {
        let mut contexts = lock(&self.contexts);
        if contexts.contains(&number) {
            return Err(Usage::ContextTaken { number }.into());
        }
        contexts.push(number);
        Ok(())
    }

    /// Gives the number back.
    pub(crate) fn unclaim_context(&self, number: usize) {
        lock(&self.contexts).retain(|taken| *taken != number);
    }

    /// Remembers that a wait of the stream has failed, which is told elsewhere.
    #[cold]
    pub(crate) fn poison_stream(&self, key: TypeId, told: &Error) {
        self.note_report(told);
        self.poison(key, None);
    }

    /// Remembers that something has failed on the stream, which the next one to wait for it is told.
    #[cold]
    pub(crate) fn keep(&self, key: TypeId, failure: Error) {
        self.note_report(&failure);
        self.poison(key, Some(failure));
    }

    fn note_report(&self, told: &Error) {
        *lock(&self.last_report) = told.to_string();
        self.reports.fetch_add(1, Ordering::SeqCst);
    }

    fn poison(&self, key: TypeId, mut failure: Option<Error>) {
        let mut streams = lock(&self.streams);
        for name in streams.iter_mut().filter(|name| name.key == key) {
            name.poisoned = true;
            name.untold = name.untold.take().or_else(|| failure.take());
        }
        DOUBT.fetch_add(1, Ordering::SeqCst);
    }

    /// Tells once what has failed on the stream, or on any: then each time of one stream.
    #[cold]
    pub(crate) fn tell(&self, key: Option<TypeId>) -> Result<()> {
        let mut streams = lock(&self.streams);
        let of_interest = |name: &&mut Name| key.is_none_or(|key| name.key == key);
        let mut names = streams.iter_mut().filter(of_interest);
        match names.find_map(|name| name.untold.take()) {
            Some(untold) => Err(untold),
            None => Ok(()),
        }
    }

    /// How often a wait was told of a failure, or a host function has panicked, for [`Core::check_reports`].
    pub(crate) fn reports(&self) -> u64 {
        self.reports.load(Ordering::SeqCst)
    }

    /// Fails if somebody was told of a failure since there were `before` reports, or is to be told.
    pub(crate) fn check_reports(&self, before: u64) -> Result<()> {
        self.settle();
        self.tell(None)?;
        if self.reports() == before {
            return Ok(());
        }
        let told = lock(&self.last_report).clone();
        Err(Usage::FailedMeanwhile { told }.into())
    }

    /// Notes that the stream has a subscription from now on, and gives its number.
    pub(crate) fn subscribe(&self, key: TypeId) -> u64 {
        let number = SUBSCRIPTIONS.fetch_add(1, Ordering::Relaxed) + 1;
        self.set_subscription(key, number);
        number
    }

    /// Notes that the stream's subscription has ended.
    pub(crate) fn unsubscribe(&self, key: TypeId) {
        self.set_subscription(key, 0);
    }

    fn set_subscription(&self, key: TypeId, number: u64) {
        for name in lock(&self.streams)
            .iter_mut()
            .filter(|name| name.key == key)
        {
            name.subscription = number;
        }
    }

    /// Whether that is the number of the stream's subscription.
    pub(crate) fn has_subscription(&self, key: TypeId, number: u64) -> bool {
        let of_stream = |name: &Name| name.key == key && name.subscription == number;
        lock(&self.streams).iter().any(of_stream)
    }

    /// Whether a wait has failed that may have been the stream's, after all waits for the whole device
    /// that are under way.
    #[cold]
    pub(crate) fn is_poisoned(&self, key: TypeId) -> bool {
        self.settle();
        lock(&self.streams)
            .iter()
            .any(|name| name.key == key && name.poisoned)
    }

    /// Waits for the outcome of a wait for the whole device that is under way.
    #[cold]
    pub(crate) fn settle(&self) {
        drop(lock(&self.device_wait));
    }

    /// Whether a wait for the whole device has failed since there were `before` such failures, of any device.
    #[cold]
    pub(crate) fn has_failed_since(&self, before: u64) -> bool {
        self.settle();
        self.last_failure.load(Ordering::SeqCst) > before
    }

    /// Waits for all streams of the context that is current, which is this device's.
    ///
    /// The runtime reports a failed task once. If this wait takes the report, no stream can prove
    /// anything about earlier work any more; streams whose own wait ends meanwhile see that the
    /// outcome is open, and look again.
    pub(crate) fn wait_for_device(&self) -> Result<()> {
        self.wait_by(|| {
            // SAFETY: takes no argument; a context is current.
            let code = unsafe { sys::aclrtSynchronizeDevice() };
            check_wait("aclrtSynchronizeDevice", code)
        })
    }

    /// The same by another call that waits for the current context.
    fn wait_by(&self, wait: impl FnOnce() -> Result<()>) -> Result<()> {
        let _outcome_is_open = lock(&self.device_wait);
        DOUBT.fetch_add(1, Ordering::SeqCst);
        let waited = wait();
        if let Some(error) = waited.as_ref().err().filter(|error| error.is_wait()) {
            self.note_report(error);
            for name in lock(&self.streams).iter_mut() {
                name.poisoned = true;
            }
            // The doubt stays.
            let number = FAILED_WAITS.fetch_add(1, Ordering::SeqCst) + 1;
            self.last_failure.store(number, Ordering::SeqCst);
        } else {
            DOUBT.fetch_sub(1, Ordering::SeqCst);
        }
        waited
    }

    /// Waits as [`Core::wait_for_device`] does, and frees what is parked if that is proven to be unused.
    pub(crate) fn wait_and_release(&self) -> Result<()> {
        let began = park::wait_begins();
        self.wait_for_device()?;
        self.release_behind(began);
        Ok(())
    }

    /// Frees what is parked and proven to be unused by a wait that began at `began` and has succeeded.
    fn release_behind(&self, began: Moment) {
        // SAFETY: the caller has waited, so all queues of this context are empty.
        let unfreed = unsafe { park::wait_succeeded(self.member, self.key, began) };
        unfreed.iter().for_each(release::failed);
    }

    /// The same by another call that waits for the context that is current, which is this one.
    pub(crate) fn wait_with(&self, wait: impl FnOnce() -> Result<()>) -> Result<()> {
        let began = park::wait_begins();
        self.wait_by(wait)?;
        self.release_behind(began);
        Ok(())
    }

    /// Ends the context with `release`, which takes it from the runtime. If that fails, nothing says that
    /// it is gone, and the caller must keep its claims.
    pub(crate) fn close(
        &self,
        ending: Ending,
        call: &'static str,
        release: impl FnOnce() -> sys::aclError,
    ) -> Result<()> {
        // Devices that share a key close one after the other: none is gone while another waits for it.
        let mut sharing = (self.key == Key::Branded).then(|| lock(&BRANDED));
        let others = sharing.as_deref().map_or(&[][..], Vec::as_slice);
        let mut released = self.release_parked(ending, others);
        let is_over = released.given_up.is_none();
        // Whoever closes by value does not drop the fields.
        for name in mem::take(&mut *lock(&self.streams)) {
            released.failed.extend(name.untold);
        }
        if raw::bound_device() == Some(self.id) {
            raw::note_device(None);
        }
        let closed = check(call, release());
        if closed.is_ok() && is_over {
            // SAFETY: a wait for all work came before, or no stream was left that could have work.
            let unfreed = unsafe { park::leave(self.member, self.key) };
            released.failed.extend(unfreed);
        }
        if let Some(sharing) = &mut sharing {
            sharing.retain(|core| core.member != self.member);
        }
        drop(sharing);
        released.report();
        closed
    }

    /// Frees the memory that is parked for this device, if the waits for all its work succeed: for this
    /// context, and for those of `others` that share its parking. What is parked there may be memory of this
    /// device, which must not stay behind it. One with a stream left is waited for even if nothing is parked:
    /// what a forgotten stream uses may be parked later, by a share that outlives the device.
    fn release_parked(&self, ending: Ending, others: &[Arc<Core>]) -> Released {
        let mut released = Released::default();
        let holds = park::holds(self.key);
        // A stream that was destroyed behind a proof has given its name back, and left no work.
        let has_streams = !lock(&self.streams).is_empty();
        if !holds && !has_streams && ending == Ending::Reset {
            return released;
        }
        let others = if holds { others } else { &[] };
        let others = others.iter().filter(|core| core.member != self.member);
        for core in others.map(Arc::as_ref).chain([self]) {
            match core.wait_elsewhere() {
                Ok(failed) => released.failed.extend(failed),
                Err(error) => {
                    released.given_up = Some((park::give_up(self.key), error));
                    break;
                }
            }
        }
        released
    }

    /// Waits until a wait succeeds, and gives back the first failure; it is the error if none does. Each failure is
    /// reported once, but other threads may add to them; so it is not the second wait that says that there is no proof.
    pub(crate) fn wait_for_proof(&self, wait: impl Fn() -> Result<()>) -> Result<Option<Error>> {
        let Err(first) = wait() else {
            return Ok(None);
        };
        if (1..WAITS).any(|_| wait().is_ok()) {
            return Ok(Some(first));
        }
        Err(first)
    }

    /// Waits for all work of this context from another thread, and frees what is parked. Gives back the
    /// errors of work that has failed, and of frees; errors of work are reported once, so a second wait tells
    /// whether the queues are empty.
    pub(crate) fn wait_elsewhere(&self) -> Result<Vec<Error>> {
        let began = park::wait_begins();
        let first = self.elsewhere(|| self.wait_for_proof(|| self.wait_for_device()))?;
        // SAFETY: all queues of this context are empty.
        let unfreed = unsafe { park::wait_succeeded(self.member, self.key, began) };
        Ok(first.into_iter().chain(unfreed).collect())
    }

    /// Runs `work` on a thread of its own with this device's context current.
    ///
    /// The calling thread may be bound to another device, and what it is bound to must not change, not
    /// even for a moment: hooks and destructors may run in it. `work` calls no hook.
    pub(crate) fn elsewhere<T: Send>(&self, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        let body = || {
            raw::note_device(Some(self.id));
            // SAFETY: the context is retained until `close` releases it.
            let code = unsafe { sys::aclrtSetCurrentContext(self.context.as_ptr()) };
            check("aclrtSetCurrentContext", code)?;
            work()
        };
        thread::scope(|scope| {
            let started = thread::Builder::new()
                .name("ascendcl release".to_owned())
                .spawn_scoped(scope, body);
            let reason = match started {
                Ok(thread) => match thread.join() {
                    Ok(result) => return result,
                    Err(panic) => {
                        mem::forget(panic);
                        "it panicked".to_owned()
                    }
                },
                Err(error) => error.to_string(),
            };
            Err(Usage::NoThread { reason }.into())
        })
    }
}

/// The context that is current on the calling thread.
pub(crate) fn current_context() -> Result<Handle> {
    let mut context = core::ptr::null_mut();
    // SAFETY: `context` is valid for a write of a pointer.
    let code = unsafe { sys::aclrtGetCurrentContext(&raw mut context) };
    check("aclrtGetCurrentContext", code)?;
    Handle::new("aclrtGetCurrentContext", context)
}
