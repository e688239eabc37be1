//! Memory that nobody owns any more but a device may still use.
//!
//! A queued buffer that is dropped (on an error path, say) cannot be freed: `aclrtFree` does not wait
//! for queued work (observed, CANN runtime 1.17). It is parked with the device or context whose queues use it,
//! and freed when that work is proven to be over: by a wait for the stream that used it, or by a wait for the
//! whole device that began after the memory was parked.
//!
//! Each device and each explicit context has a [`Parking`] of its own, which is found by its [`Key`] where a
//! buffer is dropped. A share that outlives the device keeps it: a later device of the same key has another one. So no device waits for another one's work.

use std::any::{TypeId, type_name};
use std::borrow::Cow;
use std::ffi::c_void;
use std::mem;
use std::ptr::NonNull;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::doubt;
use crate::error::{Error, Usage};
use crate::raw::check;
use crate::release;
use crate::sync::{AtomicU64, Condvar, Mutex, MutexGuard, Ordering, lock, shared, unpoisoned};

/// Which device or context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// The device in a slot.
    Slot(usize),
    /// An explicit context, by the slot of its device and its number there.
    Context(usize, usize),
    /// A device or context that types know by a brand: each has a number of its own.
    Numbered(u64),
}

/// Which stream of a device or context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamKey {
    /// The one with that name, which is a type; people know it by the text.
    Name(TypeId, &'static str),
    /// The one that has no name. No other stream of the process has the number.
    Number(u64),
}

impl StreamKey {
    /// The stream with the name `S`.
    #[inline(always)]
    pub(crate) fn of<S: 'static>() -> StreamKey {
        StreamKey::Name(TypeId::of::<S>(), type_name::<S>())
    }

    /// What people know the stream by.
    pub(crate) fn label(self) -> Cow<'static, str> {
        match self {
            StreamKey::Name(_, name) => name.into(),
            StreamKey::Number(number) => format!("number {number}").into(),
        }
    }
}

/// In whose hands memory is: those of one stream of a device or context, or with `None` of any of its streams.
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

// SAFETY: an allocation that nothing else owns; freeing works on any thread, as for `Buf`.
unsafe impl Send for Parked {}

/// What a proof must cover before parked memory is free.
enum Awaited {
    /// The whole device or context.
    All,
    /// Each of these streams.
    Streams(Vec<StreamKey>),
}

struct Entry {
    since: Moment,
    awaited: Awaited,
    parked: Parked,
}

/// What is known of a device's or context's work.
enum Phase {
    /// It is open, and may have work.
    Open,
    /// It was closed behind a proof that its work is over.
    Over,
    /// It was given up: a wait has failed again and again, so nothing proves that its work is over.
    Lost(Arc<Error>),
}

struct State {
    phase: Phase,
    /// Counts what happens here, so that it can be compared what came first.
    clock: u64,
    /// The streams that may have work.
    streams: Vec<StreamKey>,
    memory: Vec<Entry>,
    /// How many threads are freeing what they took out.
    freeing: usize,
}

/// The memory that is parked for one device or context.
pub struct Parking {
    key: Key,
    state: Mutex<State>,
    /// Told when nobody is freeing any more.
    freed: Condvar,
}

shared! {
    /// The parkings of devices and contexts that are open.
    static PARKINGS: Mutex<Vec<Arc<Parking>>> = Mutex::new(Vec::new());
    static NUMBERS: AtomicU64 = AtomicU64::new(0);
}

/// A number that no device, context or stream has had.
pub(crate) fn number() -> u64 {
    NUMBERS.fetch_add(1, Ordering::Relaxed)
}

/// The parking of the open device or context with that key. Whoever asks borrows it; if it were gone all the same,
/// nothing would be known of its work, and what is parked there is given up.
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

/// How many bytes are parked for all devices and contexts.
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
    /// The parking of a device or context that is opened now. No other one that is open has this key.
    pub(crate) fn open(key: Key) -> Arc<Parking> {
        let parking = Parking::new(key, Phase::Open);
        let mut parkings = lock(&PARKINGS);
        parkings.retain(|other| other.key != key);
        parkings.push(Arc::clone(&parking));
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

    /// Parks an allocation that is in the hands of `users`. Where their work is proven to be over already, nobody would
    /// come back for the memory, and it is freed at once.
    pub(crate) fn park(&self, users: &[User], parked: Parked) {
        // Hooks must not run under a lock.
        let failed = self.park_or_free(users, parked);
        failed.iter().for_each(release::failed);
    }

    /// Parks an allocation, or frees it at once. Gives back what failed.
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
                    // SAFETY: the streams have ended, each behind a proof that its work is over (`stream_ends`).
                    return unsafe { free(vec![parked]) };
                }
                doubt::parked();
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

    /// A stream of that name may have work from now on.
    pub(crate) fn stream_begins(&self, stream: StreamKey) {
        let mut state = lock(&self.state);
        if !state.streams.contains(&stream) {
            state.streams.push(stream);
        }
    }

    /// Frees what only this stream was using. Gives back what failed.
    ///
    /// # Safety
    ///
    /// The stream has no work, and gets none before this returns.
    #[must_use = "report the errors"]
    pub(crate) unsafe fn stream_is_idle(&self, stream: StreamKey) -> Vec<Error> {
        let state = lock(&self.state);
        // SAFETY: no stream that has used the memory has work: this one by the caller's contract, and each other one
        // was struck off the list by such a call after the memory was parked. Nothing queues it again.
        unsafe { self.free_where(state, |entry| entry.is_free_behind(stream)) }
    }

    /// Frees what only this stream was using, which ends. Gives back what failed.
    ///
    /// # Safety
    ///
    /// As for [`Parking::stream_is_idle`], and no stream has the name until [`Parking::stream_begins`].
    #[must_use = "report the errors"]
    pub(crate) unsafe fn stream_ends(&self, stream: StreamKey) -> Vec<Error> {
        let mut state = lock(&self.state);
        state.streams.retain(|other| *other != stream);
        // SAFETY: as in `stream_is_idle`.
        unsafe { self.free_where(state, |entry| entry.is_free_behind(stream)) }
    }

    /// Whether the device or context has ended behind a proof that its work is over.
    pub(crate) fn is_over(&self) -> bool {
        matches!(lock(&self.state).phase, Phase::Over)
    }

    /// Whether it was given up.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(lock(&self.state).phase, Phase::Lost(_))
    }

    /// Whether something is parked here, or being freed.
    pub(crate) fn holds_memory(&self) -> bool {
        let state = lock(&self.state);
        !state.memory.is_empty() || state.freeing > 0
    }

    /// The moment at which a wait begins.
    pub(crate) fn wait_begins(&self) -> Moment {
        lock(&self.state).now()
    }

    /// Frees what was parked before `began`, and returns when nothing of that is left, here or in the hands of another
    /// thread that frees. Gives back what failed.
    ///
    /// # Safety
    ///
    /// All work that was queued before `began` is over.
    #[must_use = "report the errors"]
    pub(crate) unsafe fn wait_succeeded(&self, began: Moment) -> Vec<Error> {
        let state = lock(&self.state);
        // SAFETY: what uses the memory was queued before it was parked, and so before `began`.
        let failed = unsafe { self.free_where(state, |entry| entry.since < began) };
        let mut state = lock(&self.state);
        while state.freeing > 0 {
            state = unpoisoned(self.freed.wait(state));
        }
        failed
    }

    /// Closes the parking of a device or context that is gone, and frees what was parked since the wait for it. Gives
    /// back what failed.
    ///
    /// # Safety
    ///
    /// All work is over, and there will be none.
    #[must_use = "report the errors"]
    pub(crate) unsafe fn close(&self) -> Vec<Error> {
        self.forget();
        let mut state = lock(&self.state);
        state.phase = Phase::Over;
        // SAFETY: the caller's contract.
        unsafe { self.free_where(state, |_| true) }
    }

    /// Gives up what is parked, and whatever will be, because nothing proves that the work is over.
    #[cold]
    pub(crate) fn give_up(&self, why: Error) {
        self.forget();
        let why = Arc::new(why);
        let mut state = lock(&self.state);
        state.phase = Phase::Lost(Arc::clone(&why));
        let lost = mem::take(&mut state.memory);
        drop(state);
        doubt::unparked(lost.iter().filter(|entry| entry.is_of_streams()).count());
        lost.iter().for_each(|_| release::leaked(&why));
    }

    /// Takes the parking out of the list: its key may be used again.
    fn forget(&self) {
        lock(&PARKINGS).retain(|other| !std::ptr::eq(&raw const **other, self));
    }

    /// Frees the entries that `is_free` names. They are taken out under the lock and freed without it, because a host
    /// function may be parking memory meanwhile; until that is over, `freeing` says so.
    ///
    /// # Safety
    ///
    /// Nothing uses those allocations.
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
        doubt::unparked(taken.iter().filter(|entry| entry.is_of_streams()).count());
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

    /// Strikes a stream off that has no work any more. Whether none is left.
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

/// Frees what was taken out, and gives back what failed.
///
/// # Safety
///
/// No queued work uses the allocations.
unsafe fn free(taken: Vec<Parked>) -> Vec<Error> {
    let mut failed = Vec::new();
    for parked in taken {
        // SAFETY: the caller's contract; whoever parked it gave up its ownership.
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
