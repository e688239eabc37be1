//! Parked memory: memory that has no owner any more, but that a device may still use.
//!
//! A queued buffer that is dropped (for example on an error path) cannot be freed at once, because `aclrtFree` does
//! not wait for queued work (observed, CANN runtime 1.17). So the buffer is parked with the device or context whose
//! queues use it. It is freed when that work is proven to be over: by a wait for the stream that has used it, or by a
//! wait for the whole device that began after the memory was parked.
//!
//! Each device and each explicit context has its own [`Parking`]. The drop of a buffer finds it by its [`Key`]. A
//! share of memory that lives longer than its device holds the parking of that device; a later device with the same
//! key has another parking. So no device waits for the work of another one.

use std::any::{TypeId, type_name};
use std::borrow::Cow;
use std::ffi::c_void;
use std::mem;
use std::ptr::NonNull;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::error::{Error, Usage};
use crate::pending;
use crate::raw::check;
use crate::release;
use crate::sync::{AtomicU64, Condvar, Mutex, MutexGuard, Ordering, lock, shared, unpoisoned};

/// The key of a device or context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// The device in a slot.
    Slot(usize),
    /// An explicit context: the slot of its device, and the number of the context.
    Context(usize, usize),
    /// A device or context with a brand: a number that no other one has.
    Numbered(u64),
}

/// The key of a stream of a device or context.
#[derive(Debug, Clone, Copy, Eq)]
pub enum StreamKey {
    /// A stream with a name: its type, and the text for messages.
    Name(TypeId, &'static str),
    /// A stream without a name: a number that no other stream of the process has.
    Number(u64),
}

impl StreamKey {
    /// Returns the key of the stream with the name `S`.
    #[inline(always)]
    pub(crate) fn of<S: 'static>() -> StreamKey {
        StreamKey::Name(TypeId::of::<S>(), type_name::<S>())
    }

    /// Returns the text that identifies the stream in messages.
    pub(crate) fn label(self) -> Cow<'static, str> {
        match self {
            StreamKey::Name(_, name) => name.into(),
            StreamKey::Number(number) => format!("number {number}").into(),
        }
    }
}

impl PartialEq for StreamKey {
    /// The text of a name is that of its type, so it need not be compared.
    #[inline]
    fn eq(&self, other: &StreamKey) -> bool {
        match (self, other) {
            (StreamKey::Name(one, _), StreamKey::Name(other, _)) => one == other,
            (StreamKey::Number(one), StreamKey::Number(other)) => one == other,
            _ => false,
        }
    }
}

/// The user of memory: one stream of a device or context, or with `None` any of its streams.
pub(crate) type User = Option<StreamKey>;

/// A point in the history of a parking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(u64);

/// An allocation with the function that frees it.
pub(crate) struct Parked {
    pub(crate) pointer: NonNull<c_void>,
    pub(crate) bytes: usize,
    pub(crate) free: unsafe fn(NonNull<c_void>) -> sys::aclError,
    pub(crate) call: &'static str,
}

// SAFETY: no other value owns the allocation, and it can be freed on any thread, as for `Buf`.
unsafe impl Send for Parked {}

/// The work that must be proven to be over before parked memory is freed.
enum Awaited {
    /// The work of the whole device or context.
    All,
    /// The work of each of these streams.
    Streams(Vec<StreamKey>),
}

struct Entry {
    since: Moment,
    awaited: Awaited,
    parked: Parked,
}

/// The state of a device or context and its work.
enum Phase {
    /// The device or context is open, and may have work.
    Open,
    /// The device or context was closed after a proof that its work is over.
    Over,
    /// Repeated waits have failed, so there is no proof that the work is over.
    Lost(Arc<Error>),
}

struct State {
    phase: Phase,
    /// A logical clock that orders the events of this parking.
    clock: u64,
    /// The streams that may have work.
    streams: Vec<StreamKey>,
    memory: Vec<Entry>,
    /// The number of threads that are freeing entries which they have taken out.
    freeing: usize,
}

/// The memory that is parked for one device or context.
pub struct Parking {
    key: Key,
    state: Mutex<State>,
    /// Notified when no thread is freeing any more.
    freed: Condvar,
}

shared! {
    /// The parkings of devices and contexts that are open.
    static PARKINGS: Mutex<Vec<Arc<Parking>>> = Mutex::new(Vec::new());
    static NUMBERS: AtomicU64 = AtomicU64::new(0);
}

/// Returns a number that no device, context or stream has had.
pub(crate) fn number() -> u64 {
    NUMBERS.fetch_add(1, Ordering::Relaxed)
}

/// Returns the parking of the open device or context with a key. The caller borrows that device or context. If it
/// were gone all the same, the state of its work would be unknown, and the memory would be leaked.
#[cold]
pub(crate) fn find(key: Key) -> Arc<Parking> {
    let parkings = lock(&PARKINGS);
    let parking = parkings.iter().find(|parking| parking.key == key);
    parking.map_or_else(
        || {
            let cause = "its device is gone".to_owned();
            Parking::new(key, Phase::Lost(Arc::new(Usage::Unproven { cause }.into())))
        },
        Arc::clone,
    )
}

/// Returns the number of bytes that are parked for all devices and contexts.
#[cold]
pub(crate) fn bytes() -> usize {
    let parkings = lock(&PARKINGS);
    let of = |parking: &Arc<Parking>| {
        let state = lock(&parking.state);
        state
            .memory
            .iter()
            .map(|entry| entry.parked.bytes)
            .sum::<usize>()
    };
    parkings.iter().map(of).sum()
}

impl Parking {
    /// Makes the parking of a device or context that is opened now. No other open device or context has this key: a
    /// slot, the number of a context and its device are claimed until the parking is closed or given up, and a number
    /// is never used again.
    pub(crate) fn open(key: Key) -> Arc<Parking> {
        let parking = Parking::new(key, Phase::Open);
        lock(&PARKINGS).push(Arc::clone(&parking));
        parking
    }

    fn new(key: Key, phase: Phase) -> Arc<Parking> {
        Arc::new(Parking {
            key,
            state: Mutex::new(State {
                phase,
                clock: 0,
                streams: Vec::new(),
                memory: Vec::new(),
                freeing: 0,
            }),
            freed: Condvar::new(),
        })
    }

    pub(crate) fn key(&self) -> Key {
        self.key
    }

    /// Parks an allocation that `users` may use. If their work is proven to be over already, no later wait would free
    /// the memory, so it is freed at once.
    pub(crate) fn park(&self, users: &[User], parked: Parked) {
        // Hooks must not run under a lock.
        let failed = self.park_or_free(users, parked);
        failed.iter().for_each(release::failed);
    }

    /// Parks an allocation, or frees it at once. Returns the errors of failed releases.
    fn park_or_free(&self, users: &[User], parked: Parked) -> Vec<Error> {
        let mut state = lock(&self.state);
        match &state.phase {
            Phase::Open => {}
            Phase::Lost(why) => {
                let why = Arc::clone(why);
                drop(state);
                release::leaked(&why);
                return Vec::new();
            }
            Phase::Over => {
                drop(state);
                // SAFETY: all work is over (`close`).
                return unsafe { free(vec![parked]) };
            }
        }
        let awaited = match users.iter().copied().collect::<Option<Vec<_>>>() {
            Some(mut streams) => {
                streams.retain(|stream| state.streams.contains(stream));
                if streams.is_empty() {
                    drop(state);
                    // SAFETY: the streams have ended, each after a proof that its work is over (`stream_ends`).
                    return unsafe { free(vec![parked]) };
                }
                pending::parked();
                Awaited::Streams(streams)
            }
            None => Awaited::All,
        };
        let since = state.now();
        state.memory.push(Entry {
            since,
            awaited,
            parked,
        });
        Vec::new()
    }

    /// Enters that a stream may have work from now on.
    pub(crate) fn stream_begins(&self, stream: StreamKey) {
        let mut state = lock(&self.state);
        if !state.streams.contains(&stream) {
            state.streams.push(stream);
        }
    }

    /// Frees the memory that only this stream was using. Returns the errors of failed releases.
    ///
    /// # Safety
    ///
    /// - The stream has no work, and gets none before this function returns.
    #[must_use = "report the errors"]
    pub(crate) unsafe fn stream_is_idle(&self, stream: StreamKey) -> Vec<Error> {
        let state = lock(&self.state);
        // SAFETY: no stream that has used the memory has work. For this stream that is the caller's contract. Each
        // other stream was removed from the list by an earlier call of this kind, after the memory was parked. Parked
        // memory is never queued again.
        unsafe { self.free_where(state, |entry| entry.is_free_behind(stream)) }
    }

    /// Enters that a stream ends, and frees the memory that only this stream was using. Returns the errors of failed
    /// releases.
    ///
    /// # Safety
    ///
    /// - The stream has no work, and gets none before this function returns.
    /// - No stream has the key until [`Parking::stream_begins`].
    #[must_use = "report the errors"]
    pub(crate) unsafe fn stream_ends(&self, stream: StreamKey) -> Vec<Error> {
        let mut state = lock(&self.state);
        state.streams.retain(|other| *other != stream);
        // SAFETY: as in `stream_is_idle`.
        unsafe { self.free_where(state, |entry| entry.is_free_behind(stream)) }
    }

    /// Whether work of `user` may still run: its stream has not ended behind a proof, and neither has the whole device.
    pub(crate) fn may_have_work(&self, user: User) -> bool {
        let state = lock(&self.state);
        match state.phase {
            Phase::Over => false,
            Phase::Lost(_) => true,
            Phase::Open => user.is_none_or(|stream| state.streams.contains(&stream)),
        }
    }

    /// Whether the device or context has ended after a proof that its work is over.
    pub(crate) fn is_over(&self) -> bool {
        matches!(lock(&self.state).phase, Phase::Over)
    }

    /// Whether there will be no proof that the work of the device or context is over.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(lock(&self.state).phase, Phase::Lost(_))
    }

    /// Whether memory is parked here or is being freed.
    pub(crate) fn holds_memory(&self) -> bool {
        let state = lock(&self.state);
        !state.memory.is_empty() || state.freeing > 0
    }

    /// Returns the moment at which a wait begins.
    pub(crate) fn wait_begins(&self) -> Moment {
        lock(&self.state).now()
    }

    /// Frees the memory that was parked before `began`. Waits until other threads have freed their part of it.
    /// Returns the errors of failed releases.
    ///
    /// # Safety
    ///
    /// - All work that was queued before `began` is over.
    #[must_use = "report the errors"]
    pub(crate) unsafe fn wait_succeeded(&self, began: Moment) -> Vec<Error> {
        let state = lock(&self.state);
        // SAFETY: the work that uses the memory was queued before the memory was parked, and so before `began`.
        let failed = unsafe { self.free_where(state, |entry| entry.since < began) };
        let mut state = lock(&self.state);
        while state.freeing > 0 {
            state = unpoisoned(self.freed.wait(state));
        }
        failed
    }

    /// Closes the parking of a device or context that ends, and frees the memory that was parked since the wait for
    /// it. Returns the errors of failed releases.
    ///
    /// # Safety
    ///
    /// - All work of the device or context is over, and there will be no new work.
    #[must_use = "report the errors"]
    pub(crate) unsafe fn close(&self) -> Vec<Error> {
        self.forget();
        let mut state = lock(&self.state);
        state.phase = Phase::Over;
        // SAFETY: the caller's contract.
        unsafe { self.free_where(state, |_| true) }
    }

    /// Leaks the parked memory, and all memory that will be parked here later, because there is no proof that the
    /// work is over.
    #[cold]
    pub(crate) fn give_up(&self, why: Error) {
        self.forget();
        let why = Arc::new(why);
        let mut state = lock(&self.state);
        state.phase = Phase::Lost(Arc::clone(&why));
        let lost = mem::take(&mut state.memory);
        drop(state);
        pending::unparked(lost.iter().filter(|entry| entry.is_of_streams()).count());
        lost.iter().for_each(|_| release::leaked(&why));
    }

    /// Removes the parking from the list, so that its key may be used again. The key is still claimed, so no other
    /// parking in the list has it.
    fn forget(&self) {
        lock(&PARKINGS).retain(|other| other.key != self.key);
    }

    /// Frees the entries that `is_free` selects. They are taken out under the lock and freed without it, because a
    /// host function may park memory meanwhile. Until the entries are freed, `freeing` counts this thread.
    ///
    /// # Safety
    ///
    /// - No queued work uses the selected allocations.
    unsafe fn free_where(
        &self,
        mut state: MutexGuard<'_, State>,
        mut is_free: impl FnMut(&mut Entry) -> bool,
    ) -> Vec<Error> {
        let taken: Vec<Entry> = state
            .memory
            .extract_if(.., |entry| is_free(entry))
            .collect();
        if taken.is_empty() {
            return Vec::new();
        }
        state.freeing += 1;
        drop(state);
        pending::unparked(taken.iter().filter(|entry| entry.is_of_streams()).count());
        // SAFETY: the caller's contract.
        let failed = unsafe { free(taken.into_iter().map(|entry| entry.parked).collect()) };
        let mut state = lock(&self.state);
        state.freeing -= 1;
        if state.freeing == 0 {
            self.freed.notify_all();
        }
        failed
    }
}

impl State {
    fn now(&mut self) -> Moment {
        self.clock += 1;
        Moment(self.clock)
    }
}

impl Entry {
    fn is_of_streams(&self) -> bool {
        matches!(self.awaited, Awaited::Streams(_))
    }

    /// Removes a stream without work from the list of this entry. Returns whether the list is empty then.
    fn is_free_behind(&mut self, stream: StreamKey) -> bool {
        match &mut self.awaited {
            Awaited::All => false,
            Awaited::Streams(streams) => {
                streams.retain(|other| *other != stream);
                streams.is_empty()
            }
        }
    }
}

/// Frees allocations that were taken out, and returns the errors of failed releases.
///
/// # Safety
///
/// - No queued work uses the allocations.
unsafe fn free(taken: Vec<Parked>) -> Vec<Error> {
    let mut failed = Vec::new();
    for parked in taken {
        // SAFETY: the caller's contract; the code that parked the allocation gave up its ownership.
        let code = unsafe { (parked.free)(parked.pointer) };
        failed.extend(check(parked.call, code).err());
    }
    failed
}

impl std::fmt::Debug for Parking {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Parking").field(&self.key).finish()
    }
}
