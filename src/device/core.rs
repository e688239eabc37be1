//! The core of a device or context: its handle, its ledger, its parking, and the waits at its end.

use std::mem;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;

use ascendcl_sys as sys;

use super::host_funcs::HostFuncs;
use super::ledger::Ledger;
use super::life::{Life, Lifetime};
use super::limit::{
    Aborts, wait_for_stream, wait_for_streams, wait_or_abort, wait_within_limit, why_not_aborted,
};
use super::proof::{behind_captures, unproven, wait_for_proof};
use super::shown::Open;
use super::uses;
use super::watch::Watches;
use crate::error::{Error, Result, Usage};
use crate::park::{Key, Moment, Parking, StreamKey, calls};
use crate::pending;
use crate::raw::{self, Handle, check, check_device, in_host_func};
use crate::release;

/// No code panics while it holds one of these locks, and their data is valid after every statement.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The way in which a device or context ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// By a reset of the device. The reset does not wait while another component holds the device too. So this crate
    /// waits for the device if a stream or parked memory may have work.
    Reset,
    /// By the destruction of a context. It is not known whether the destruction waits, so this crate always waits for
    /// the context.
    Destruction,
}

/// The state that the streams and bindings of a device share. They reach it through a borrow of the
/// [`Device`](crate::device::Device).
#[derive(Debug)]
pub(crate) struct Core {
    this: Weak<Core>,
    id: u32,
    context: Handle,
    ledger: Ledger,
    parking: Arc<Parking>,
    watches: Watches,
    open: Open,
    /// Whether a failed task stops the context.
    stops: AtomicBool,
    /// The limit of each wait of a release in milliseconds, or zero.
    limit: AtomicI32,
    host_funcs: Arc<HostFuncs>,
    /// Whether a model, a communicator, a channel or a graph was made here.
    other_queues: AtomicBool,
    /// Whether the context ends on a thread of its own, without a limit.
    ends_later: AtomicBool,
    aborts: Aborts,
    life: Lifetime,
    /// The explicit contexts of this device: their numbers, and the contexts that may have work. A number stays if
    /// the release of its context has failed.
    contexts: Mutex<Vec<(usize, Option<Arc<Core>>)>>,
}

impl Core {
    /// Makes the core of a context of the device `id`. The queues of the context park memory under `key`.
    pub(crate) fn new(id: u32, context: Handle, key: Key) -> Arc<Core> {
        Arc::new_cyclic(|this| Core {
            this: Weak::clone(this),
            id,
            context,
            ledger: Ledger::new(),
            parking: Parking::open(key),
            watches: Watches::new(),
            open: Open::new(),
            stops: AtomicBool::new(false),
            limit: AtomicI32::new(0),
            host_funcs: Arc::default(),
            other_queues: AtomicBool::new(false),
            ends_later: AtomicBool::new(false),
            aborts: Aborts::default(),
            life: Lifetime::new(),
            contexts: Mutex::new(Vec::new()),
        })
    }

    /// Returns a weak reference, for values that may be used after the device is gone.
    pub(crate) fn weak(&self) -> Weak<Core> {
        Weak::clone(&self.this)
    }

    pub(crate) fn id(&self) -> u32 {
        self.id
    }

    pub(crate) fn context(&self) -> Handle {
        self.context
    }

    pub(crate) fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    pub(crate) fn parking(&self) -> &Arc<Parking> {
        &self.parking
    }

    pub(crate) fn watches(&self) -> &Watches {
        &self.watches
    }

    /// The tasks that wait for a proof.
    pub(crate) fn open(&self) -> &Open {
        &self.open
    }

    /// Stores that a failed task stops the context.
    pub(crate) fn note_stops(&self) {
        self.stops.store(true, Ordering::Relaxed);
    }

    /// Whether a failed task stops the context.
    pub(crate) fn stops(&self) -> bool {
        self.stops.load(Ordering::Relaxed)
    }

    /// Enters the stream of a name that was claimed.
    pub(crate) fn set_stream(&self, key: StreamKey, stream: Handle) {
        self.ledger.set_stream(key, stream);
        self.parking.set_stream(key, stream.as_stream());
    }

    /// Limits the waits of releases, in milliseconds.
    pub(crate) fn set_limit(&self, millis: i32) {
        self.limit.store(millis, Ordering::Relaxed);
        if millis > 0 {
            calls::limit_releases(wait_within_limit);
        }
        for context in self.forgotten_contexts() {
            context.set_limit(millis);
        }
    }

    /// The limit of each wait of a release, in milliseconds.
    pub(crate) fn limit(&self) -> Option<i32> {
        Some(self.limit.load(Ordering::Relaxed)).filter(|millis| *millis > 0)
    }

    /// Enters that a model, a communicator, a channel or a graph is made, whose work runs on queues of the runtime's own. A stream
    /// waits for them, and the abort of the stream does not reach them.
    pub(crate) fn note_other_queues(&self) {
        self.other_queues.store(true, Ordering::Relaxed);
    }

    /// Whether a stream may wait for a queue of the runtime's own.
    pub(crate) fn has_other_queues(&self) -> bool {
        self.other_queues.load(Ordering::Relaxed)
    }

    pub(crate) fn host_funcs(&self) -> &Arc<HostFuncs> {
        &self.host_funcs
    }

    /// Calls that abort streams, and have not returned.
    pub(crate) fn aborts(&self) -> &Aborts {
        &self.aborts
    }

    /// Claims a stream name on this device.
    pub(crate) fn claim_stream(&self, key: StreamKey) -> Result<()> {
        self.ledger.claim_stream(key)?;
        self.parking.stream_begins(key);
        Ok(())
    }

    /// Enters that a stream is gone, and frees the memory that was parked for it. The name of the stream becomes
    /// free, unless its work has failed.
    ///
    /// # Safety
    ///
    /// - All work of the stream is over.
    pub(crate) unsafe fn stream_ends(&self, key: StreamKey) {
        // SAFETY: the caller's contract. The name stays claimed until the next statement.
        let unfreed = unsafe { self.parking.stream_ends(key) };
        self.ledger.unclaim_stream(key);
        unfreed.iter().for_each(release::failed);
    }

    /// Reports an error of a value that was dropped. [`Acl::on`](crate::Acl::on) returns a failure of work.
    #[cold]
    pub(crate) fn failed_in_drop(&self, error: Error) {
        release::failed(&error);
        self.ledger.enter_hook_only(error);
    }

    /// Claims the number of an explicit context of this device.
    pub(crate) fn claim_context(&self, number: usize) -> Result<()> {
        let mut contexts = lock(&self.contexts);
        if contexts.iter().any(|(taken, _)| *taken == number) {
            return Err(Usage::ContextTaken { number }.into());
        }
        contexts.push((number, None));
        Ok(())
    }

    /// Stores the context that has the number; `None` means that the context has no work any more.
    pub(crate) fn note_context(&self, number: usize, core: Option<Arc<Core>>) {
        let mut contexts = lock(&self.contexts);
        if let Some((_, noted)) = contexts.iter_mut().find(|(taken, _)| *taken == number) {
            *noted = core;
        }
    }

    /// Gives the number of an explicit context back.
    pub(crate) fn unclaim_context(&self, number: usize) {
        lock(&self.contexts).retain(|(taken, _)| *taken != number);
    }

    /// Returns the explicit contexts that may have work: those that were forgotten or could not be destroyed.
    fn forgotten_contexts(&self) -> Vec<Arc<Core>> {
        let contexts = lock(&self.contexts);
        contexts
            .iter()
            .filter_map(|(_, core)| core.clone())
            .collect()
    }

    /// Waits for all streams of this context, which is current.
    pub(crate) fn wait_for_device(&self) -> Result<()> {
        self.wait_for_all(&mut || wait_for_streams(None))
    }

    /// Waits for all streams of this context by the call `wait`, whose success is a proof only beside no abort.
    fn wait_for_all(&self, wait: &mut dyn FnMut() -> Result<()>) -> Result<()> {
        let beside_none = &mut || self.wait_beside_no_abort(wait);
        self.ledger.wait_for_all(beside_none)
    }

    fn wait_beside_no_abort(&self, wait: &mut dyn FnMut() -> Result<()>) -> Result<()> {
        self.aborts.wait_beside_none(self.limit(), wait)
    }

    /// Waits as [`Core::wait_for_device`] does, within the limit of releases.
    pub(crate) fn wait_to_release(&self) -> Result<()> {
        self.wait_for_all(&mut || wait_for_streams(self.limit()))
    }

    /// Waits for all streams of this context, which is current, and frees its parked memory.
    pub(crate) fn wait_and_release(&self) -> Result<()> {
        let began = self.parking.wait_begins();
        self.wait_for_device()?;
        self.release_behind(began);
        Ok(())
    }

    /// Waits at the end of a scope, whose context is current, for all work that may use memory that is lent in it.
    ///
    /// That is a wait for the device. While other code captures, the runtime refuses it, and it may exceed the limit of releases.
    /// Then this waits for the streams that such memory was moved into, one after the other; one that is captured itself refuses
    /// that, too, and one that this thread has in use is aborted if it exceeds the limit.
    pub(crate) fn wait_behind_scope(&self) -> Result<()> {
        let began = self.parking.wait_begins();
        let refused = match self.wait_to_release() {
            Ok(()) => {
                self.release_behind(began);
                return Ok(());
            }
            Err(refused) if refused.is_of_capture() || refused.is_late() => refused,
            failed => return failed,
        };
        let is_late = refused.is_late();
        self.ledger.wait_for_lent(refused, |key, stream, is_own| {
            let mut wait = || {
                let mut wait = || {
                    // SAFETY: a live stream of the current context: the ledger keeps its holder from destroying it.
                    unsafe { wait_for_stream(stream.as_stream(), self.limit()) }
                };
                let aborts = &self.aborts;
                let waited = aborts.wait_beside_own(key, self.limit(), &mut wait);
                waited.inspect_err(|told| {
                    if told.is_wait() {
                        self.ledger.enter(key, told);
                    }
                })
            };
            if !is_late {
                return wait();
            }
            let may_abort =
                is_own && stream != Handle::NULL_STREAM && why_not_aborted(self, key).is_none();
            let own = may_abort.then_some((key, stream));
            // SAFETY: as above. This thread has the stream in use, so nobody submits work to it.
            unsafe { wait_or_abort(self, own.as_slice(), &mut wait) }.map(drop)
        })
    }

    /// Asks the watched objects of all streams, behind a wait for them. The ledger keeps their errors.
    pub(crate) fn ask_watched(&self) {
        if pending::of_watches() {
            for (stream, failure) in self.watches.ask_all() {
                self.ledger.keep_first(stream, failure);
            }
        }
    }

    /// Asks an object for the last time, before it is destroyed. The next waits for its streams report the error.
    #[cold]
    pub(crate) fn unwatch(&self, object: Handle) {
        self.watches.end(object, |stream, failure| {
            self.ledger.keep_first(stream, failure);
        });
    }

    /// Frees the memory that was parked before `began`. The caller's wait began at that moment and has succeeded.
    pub(super) fn release_behind(&self, began: Moment) {
        // SAFETY: the caller has waited, so all queues of this context are empty of earlier work.
        let unfreed = unsafe { self.parking.wait_succeeded(began) };
        unfreed.iter().for_each(release::failed);
    }

    /// Waits for all work of this context from another thread, and frees its parked memory. Returns the errors of
    /// failed work and of failed releases.
    pub(crate) fn wait_elsewhere(&self) -> Result<Vec<Error>> {
        self.wait_elsewhere_for(&[], self.limit())
    }

    /// Waits as [`Core::wait_elsewhere`] does. Within the limit of releases, aborts `streams` if the work does not end: live
    /// streams that nobody holds any more.
    fn wait_elsewhere_for(
        &self,
        streams: &[(StreamKey, Handle)],
        limit: Option<i32>,
    ) -> Result<Vec<Error>> {
        let began = self.parking.wait_begins();
        let (first, _) = self.elsewhere(|| {
            let mut wait = || self.wait_for_all(&mut || wait_for_streams(limit));
            // SAFETY: nobody holds the streams, so nobody destroys them, and the ledger lists none that was destroyed.
            unsafe { wait_or_abort(self, streams, &mut behind_captures(&mut wait)) }
        })?;
        // SAFETY: a wait has succeeded, so all queues of this context are empty of earlier work.
        let unfreed = unsafe { self.parking.wait_succeeded(began) };
        Ok(first.into_iter().chain(unfreed).collect())
    }

    /// Waits as [`Core::wait_elsewhere`] does, for a caller that does not borrow the device. A context that was
    /// released after a proof has no work.
    ///
    /// # Errors
    ///
    /// [`Usage::PeerLost`] with the device `owner`, when no wait has succeeded or the context was released without a
    /// proof.
    pub(super) fn wait_as_stranger(&self, owner: u32, limit: Option<i32>) -> Result<Vec<Error>> {
        self.life.hold(|life| {
            let (cause, code) = match life {
                Life::Over => return Ok(Vec::new()),
                // Its thread waits for the device without a limit, and no wait passes that.
                Life::Open if limit.is_some() && self.ends_later.load(Ordering::SeqCst) => {
                    ("it is still ending".to_owned(), None)
                }
                Life::Open => match self.wait_elsewhere_for(&[], limit.or(self.limit())) {
                    Ok(failed) => return Ok(failed),
                    Err(error) => (error.to_string(), error.code()),
                },
                Life::Lost => (
                    "it was reset after a failure that stopped it".to_owned(),
                    None,
                ),
            };
            Err(Usage::PeerLost {
                user: self.id,
                peer: owner,
                cause,
                code,
            }
            .into())
        })
    }

    /// Waits until the work of this context is over, if it may have work. Adds the errors of failed work to `failed`.
    fn prove(&self, ending: Ending, failed: &mut Vec<Error>) -> Result<()> {
        let may_have_work = ending == Ending::Destruction
            || self.parking.holds_memory()
            || self.ledger.has_streams()
            || uses::has_user(self);
        if may_have_work {
            // Streams that were forgotten, or whose release was given up: no value of the context lives any more. Behind an
            // abort, a wait for the device need not cover the queues that the runtime makes (A28).
            let aborted = match self.has_other_queues() {
                true => Vec::new(),
                false => self.ledger.open_streams(),
            };
            failed.extend(self.wait_elsewhere_for(&aborted, self.limit())?);
        }
        Ok(())
    }

    /// Waits until no work uses this context, its memory, or the forgotten contexts of the same device. Returns the
    /// state in which the life of the context ends.
    fn settle(&self, ending: Ending, failed: &mut Vec<Error>) -> Result<Life> {
        let contexts = self.forgotten_contexts();
        let mut proven = Ok(());
        for context in &contexts {
            proven = proven.and(context.prove(Ending::Destruction, failed));
        }
        proven = proven.and(self.prove(ending, failed));
        // A call that aborts streams uses the context until it returns, also one of a lost device.
        for core in contexts.iter().map(Arc::as_ref).chain([self]) {
            proven = proven.and(core.wait_beside_no_abort(&mut || Ok(())));
        }
        let life = match proven {
            Ok(()) => Life::Over,
            // The caller goes on, on a thread that need not be in time.
            Err(error) if ending == Ending::Reset && self.goes_on_behind(&error) => {
                return Err(error);
            }
            // Every wait fails, and only a reset helps.
            Err(error) if ending == Ending::Reset && self.is_lost_by(&error) => {
                self.give_up(&error);
                // Their memory is leaked, but the reset may release it.
                self.host_funcs.close();
                contexts.iter().for_each(|core| core.host_funcs.close());
                Life::Lost
            }
            Err(error) => {
                self.give_up(&error);
                return Err(error);
            }
        };
        if ending == Ending::Reset {
            uses::owner_ends(self.id, self.limit())?;
        }
        Ok(life)
    }

    /// Enters that the context ends on a thread of its own, which takes as long as it takes.
    pub(super) fn note_ends_later(&self) {
        for context in self.forgotten_contexts() {
            context.note_ends_later();
        }
        self.ends_later.store(true, Ordering::SeqCst);
        self.set_limit(0);
    }

    /// Ends the context with `release`, which removes it from the runtime.
    ///
    /// # Errors
    ///
    /// Without a proof that its work is over, the context is not released, and neither inside a function that the runtime
    /// has called, which might wait for itself. The exceptions are a device that has stopped on a failure and one that
    /// does not answer any more, because only a reset helps there. If the release fails, there is no proof that the context is
    /// gone. After each error the caller must keep its claims. After one that [`Core::goes_on_behind`] names, nothing was given
    /// up, and this can be called again.
    pub(crate) fn close(
        &self,
        ending: Ending,
        call: &'static str,
        release: impl FnOnce() -> sys::aclError,
    ) -> Result<()> {
        if in_host_func() {
            let error = Usage::InHostFunc.into();
            self.give_up(&error);
            return Err(error);
        }
        let mut failed = Vec::new();
        let settled = match self.settle(ending, &mut failed) {
            // Nothing was given up: the caller calls this again, and the streams must be known then.
            Err(error) if ending == Ending::Reset && self.goes_on_behind(&error) => {
                failed
                    .into_iter()
                    .for_each(|error| self.failed_in_drop(error));
                return Err(error);
            }
            settled => settled,
        };
        // A `close` by value does not drop the fields, so the failures are taken here.
        failed.extend(self.ledger.take_kept());
        for context in self.forgotten_contexts() {
            failed.extend(context.ledger.take_kept());
        }
        let closed = settled.and_then(|life| {
            for context in self.forgotten_contexts() {
                failed.extend(context.end(life));
            }
            failed.extend(self.end(life));
            if raw::bound_device() == Some(self.id) {
                raw::note_device(None);
            }
            check_device(call, self.id, release())
        });
        failed
            .into_iter()
            .for_each(|error| self.failed_in_drop(error));
        closed
    }

    /// Whether the context was released after a proof that its work is over. Does not wait.
    pub(crate) fn is_over(&self) -> bool {
        self.life.has_ended(Life::Over)
    }

    /// Whether the context was released without a proof that its work is over. Does not wait.
    pub(super) fn is_lost(&self) -> bool {
        self.life.has_ended(Life::Lost)
    }

    /// Enters the state in which the life of the context ends, and frees the memory that was parked since the wait
    /// for the context. Returns the errors of failed releases.
    fn end(&self, life: Life) -> Vec<Error> {
        self.life.end(life);
        uses::user_ends(self, life);
        if life == Life::Lost {
            return Vec::new();
        }
        // SAFETY: the work is over (`settle`), and no value that could queue work borrows the context any more.
        unsafe { self.parking.close() }
    }

    /// Leaks the memory that is parked for this context and for the forgotten contexts.
    pub(super) fn give_up(&self, error: &Error) {
        let contexts = self.forgotten_contexts();
        for core in contexts.iter().map(Arc::as_ref).chain([self]) {
            core.parking.give_up(unproven(error));
        }
    }

    /// Makes this context current on the calling thread.
    fn bind(&self) -> Result<()> {
        // SAFETY: the context is retained until `close` releases it.
        let code = unsafe { sys::aclrtSetCurrentContext(self.context.as_ptr()) };
        check("aclrtSetCurrentContext", code)
    }

    /// Runs `work` on a new thread, on which this context is current. The binding is tried as often as a wait: the
    /// release after it must not happen while work is running, only because one call has failed.
    ///
    /// The calling thread may be bound to another device. Its binding must never change, because hooks and
    /// destructors may run on it. `work` calls no hook.
    ///
    /// # Errors
    ///
    /// [`Usage::InHostFunc`] inside a function that the runtime has called: `work` could wait for that function.
    pub(crate) fn elsewhere<T: Send>(&self, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        let (mut work, mut outcome) = (Some(work), None);
        self.run_elsewhere(&mut || outcome = work.take().map(|work| work()))?;
        outcome.unwrap_or_else(|| Err(no_thread("its work is gone")))
    }

    fn run_elsewhere(&self, work: &mut (dyn FnMut() + Send)) -> Result<()> {
        if in_host_func() {
            return Err(Usage::InHostFunc.into());
        }
        let work = Mutex::new(work);
        let run = || (lock(&work))();
        let body = || {
            // The thread has no device before the binding succeeds, and the runtime is not asked for texts until then.
            wait_for_proof(&mut || self.bind())?;
            raw::note_device(Some(self.id));
            run();
            Ok(())
        };
        thread::scope(|scope| {
            let started = thread::Builder::new()
                .name("ascendcl release".to_owned())
                .spawn_scoped(scope, body);
            match started {
                Ok(thread) => thread.join().unwrap_or_else(|panic| {
                    mem::forget(panic);
                    Err(no_thread("it panicked"))
                }),
                // If the context is current already, no other thread is needed.
                Err(_) if current_context().is_ok_and(|current| current == self.context) => {
                    run();
                    Ok(())
                }
                Err(error) => Err(no_thread(&error.to_string())),
            }
        })
    }
}

fn no_thread(reason: &str) -> Error {
    let reason = reason.to_owned();
    Usage::NoThread { reason }.into()
}

/// Returns the context that is current on the calling thread.
pub(crate) fn current_context() -> Result<Handle> {
    let mut context = core::ptr::null_mut();
    // SAFETY: `context` is valid for a write of a pointer.
    let code = unsafe { sys::aclrtGetCurrentContext(&raw mut context) };
    check("aclrtGetCurrentContext", code)?;
    Handle::new("aclrtGetCurrentContext", context)
}
