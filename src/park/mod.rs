//! Parked memory: memory that has no owner any more, but that a device may still use.
//!
//! A queued buffer that is dropped (for example on an error path) cannot be freed at once, because `aclrtFree` does
//! not wait for queued work (observed, CANN runtime 1.17). So the buffer is parked with the device or context whose
//! queues use it. It is freed when that work is proven to be over: by a wait for the stream that has used it, by a wait
//! for an event that was recorded behind it, also on a stream that waits for the first one, or by a wait for the whole
//! device that began after the memory was parked.
//!
//! Each device and each explicit context has its own [`Parking`]. The drop of a buffer finds it by its [`Key`]. A
//! share of memory that lives longer than its device holds the parking of that device; a later device with the same
//! key has another parking. So no device waits for the work of another one.

#[cfg(feature = "async")]
mod begun;
pub(crate) mod calls;
pub(crate) mod dropped;
#[cfg(all(test, loom))]
mod interleavings;
mod notice;
mod order;
pub(crate) mod pools;
#[cfg(feature = "graphs")]
mod recorded;
mod users;

use std::any::{TypeId, type_name};
use std::borrow::Cow;
use std::ffi::c_void;
use std::mem;
use std::ptr::NonNull;
use std::sync::Arc;

use ascendcl_sys as sys;

use self::notice::Notice;
pub use self::notice::set_parked_threshold;
pub(crate) use self::order::Moment;
use self::order::Orders;
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
    /// The recordings of a graph with this number. Their work runs on the stream that has the graph.
    #[cfg(feature = "graphs")]
    Graph(u64),
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
            #[cfg(feature = "graphs")]
            StreamKey::Graph(number) => format!("that records graph {number}").into(),
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
            #[cfg(feature = "graphs")]
            (StreamKey::Graph(one), StreamKey::Graph(other)) => one == other,
            _ => false,
        }
    }
}

/// The user of memory: one stream of a device or context, or with `None` any of its streams.
pub(crate) type User = Option<StreamKey>;

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
    /// The streams that may have work, and the address of each, which is null for the default stream.
    streams: Vec<(StreamKey, usize)>,
    memory: Vec<Entry>,
    /// The sum of the sizes in `memory`.
    bytes: usize,
    notice: Notice,
    /// The streams that have waited for another one since one of the two was proven to be idle, as far as the calls were
    /// entered, and that other one if its record was entered.
    waited: Vec<(StreamKey, Option<StreamKey>)>,
    orders: Orders,
    /// The last point of each stream whose host function has begun, and that has freed nothing yet.
    begun: Vec<(StreamKey, Moment)>,
    /// The number of threads that are freeing entries which they have taken out.
    freeing: usize,
    /// The memory that recordings have dropped, with the number of its graph. It is the graph's: no wait frees it.
    #[cfg(feature = "graphs")]
    recorded: Vec<(u64, Parked)>,
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
            Parking::new(
                key,
                Phase::Lost(Arc::new(Usage::Unproven { cause, code: None }.into())),
            )
        },
        Arc::clone,
    )
}

/// The number of bytes that are parked for all devices and contexts: buffers and workspaces that were dropped while they were
/// queued, and whose work no wait has proven to be over.
///
/// A wait for their stream frees them, a wait for a [fence](crate::Stream::fence) or a [point](crate::Stream::record) behind
/// their work, or one for the whole device.
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// drop(stream.memset_async(stream.malloc::<u8>(4)?, 0)?); // the work may still run
/// assert_eq!(ascendcl::parked_bytes(), 4);
/// stream.synchronize()?;
/// assert_eq!(ascendcl::parked_bytes(), 0);
/// # });
/// ```
#[must_use]
#[cold]
pub fn parked_bytes() -> usize {
    let of = |parking: &Arc<Parking>| lock(&parking.state).bytes;
    lock(&PARKINGS).iter().map(of).sum()
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
                streams: Vec::new(),
                memory: Vec::new(),
                bytes: 0,
                notice: Notice::Unknown,
                waited: Vec::new(),
                orders: Orders::new(),
                begun: Vec::new(),
                freeing: 0,
                #[cfg(feature = "graphs")]
                recorded: Vec::new(),
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
        if let Some(bytes) = self.notice() {
            let stream = users.iter().flatten().next().map(|stream| stream.label());
            release::report(&Usage::Parked { bytes, stream }.into());
        }
    }

    /// Returns the number of parked bytes if the hook has to be told of it: once in the life of a device or context.
    fn notice(&self) -> Option<usize> {
        let mut state = lock(&self.state);
        if !state.notice.is_due(state.bytes) {
            return None;
        }
        if state.notice.asks_for_memory() {
            // Not under the lock: a host function may park memory meanwhile.
            drop(state);
            let total = notice::device_memory()?;
            state = lock(&self.state);
            state.notice.learn(total);
        }
        let bytes = state.bytes;
        state.notice.take(bytes)
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
        #[cfg(feature = "graphs")]
        if let [Some(StreamKey::Graph(number))] = users {
            state.recorded.push((*number, parked));
            return Vec::new();
        }
        let awaited = match users.iter().copied().collect::<Option<Vec<_>>>() {
            Some(mut streams) => {
                streams.retain(|stream| state.has_stream(*stream));
                if streams.is_empty() {
                    drop(state);
                    // SAFETY: the streams have ended, each after a proof that its work is over (`stream_ends`).
                    return unsafe { free(vec![parked]) };
                }
                pending::parked();
                calls::choose();
                Awaited::Streams(streams)
            }
            None => Awaited::All,
        };
        let since = state.orders.now();
        state.bytes += parked.bytes;
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
        if !state.has_stream(stream) {
            state.streams.push((stream, 0));
        }
    }

    /// Enters the address of a stream that has begun. An older stream with this address does not exist any more.
    pub(crate) fn set_stream(&self, stream: StreamKey, raw: sys::aclrtStream) {
        for parking in &*lock(&PARKINGS) {
            let mut state = lock(&parking.state);
            let older = state.streams.iter_mut().filter(|(_, at)| *at == raw.addr());
            older.for_each(|(_, at)| *at = 0);
        }
        let mut state = lock(&self.state);
        let entered = state.streams.iter_mut().find(|(key, _)| *key == stream);
        if let Some((_, at)) = entered {
            *at = raw.addr();
        }
    }

    /// Frees the memory that only this stream was using, and streams that it has waited for. Returns the errors of
    /// failed releases.
    ///
    /// # Safety
    ///
    /// - The stream has no work, and gets none before this function returns.
    #[must_use = "report the errors"]
    pub(crate) unsafe fn stream_is_idle(&self, stream: StreamKey) -> Vec<Error> {
        let mut state = lock(&self.state);
        // What the stream has handed over is not in use by its own work any more, and neither by the work that it had waited for.
        let is_over =
            |(on, of): &mut (StreamKey, Option<StreamKey>)| *on == stream || *of == Some(stream);
        let waited = state.waited.extract_if(.., is_over).count();
        let now = state.orders.now();
        drop(state);
        if waited > 0 {
            pending::unrecorded(waited);
            calls::choose();
        }
        // SAFETY: the stream has no work at all (the caller's contract), and so none from before this moment.
        unsafe { self.reached(stream, now) }
    }

    /// Frees the memory whose work is over because the stream has reached a point. Returns the errors of failed
    /// releases.
    ///
    /// # Safety
    ///
    /// - All work that was submitted to the stream before the moment `point` is over.
    #[must_use = "report the errors"]
    unsafe fn reached(&self, stream: StreamKey, point: Moment) -> Vec<Error> {
        let mut state = lock(&self.state);
        let over = state.orders.reach(stream, point);
        // SAFETY: the work that uses an entry was submitted before the entry was parked. A stream leaves the list of an
        // entry when its work from before that moment is over: by the caller's contract and the waits of streams
        // (`reach`). Parked memory is never queued again.
        unsafe { self.free_where(state, &|entry| entry.is_free_at(&over)) }
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
        state.streams.retain(|(other, _)| *other != stream);
        state.begun.retain(|(other, _)| *other != stream);
        drop(state);
        // SAFETY: the caller's contract.
        unsafe { self.stream_is_idle(stream) }
    }

    /// Whether the stream has taken memory over from another one, and neither was proven to be idle since.
    pub(crate) fn has_waited(&self, stream: StreamKey) -> bool {
        let state = lock(&self.state);
        state.waited.iter().any(|(on, _)| *on == stream)
    }

    /// Whether work of `user` may still run: its stream has not ended behind a proof, and neither has the whole device.
    pub(crate) fn may_have_work(&self, user: User) -> bool {
        let state = lock(&self.state);
        match state.phase {
            Phase::Over => false,
            Phase::Lost(_) => true,
            Phase::Open => user.is_none_or(|stream| state.has_stream(stream)),
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
        lock(&self.state).orders.now()
    }

    /// Frees the memory that was parked before `began`. Waits until other threads have freed their part of it.
    /// Returns the errors of failed releases.
    ///
    /// # Safety
    ///
    /// - All work that was queued before `began` is over.
    #[must_use = "report the errors"]
    pub(crate) unsafe fn wait_succeeded(&self, began: Moment) -> Vec<Error> {
        let mut state = lock(&self.state);
        state.orders.forget_before(began);
        // SAFETY: the work that uses the memory was queued before the memory was parked, and so before `began`.
        let failed = unsafe { self.free_where(state, &|entry| entry.since < began) };
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
        state.forget_orders();
        // SAFETY: the caller's contract.
        unsafe { self.free_where(state, &|_| true) }
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
        state.bytes = 0;
        state.forget_orders();
        drop(state);
        unparked(&lost);
        lost.iter().for_each(|_| release::leaked(&why));
        #[cfg(feature = "graphs")]
        self.leak_all_recorded(&why);
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
        is_free: &dyn Fn(&mut Entry) -> bool,
    ) -> Vec<Error> {
        let taken: Vec<Entry> = state
            .memory
            .extract_if(.., |entry| is_free(entry))
            .collect();
        if taken.is_empty() {
            return Vec::new();
        }
        state.freeing += 1;
        state.bytes -= taken.iter().map(|entry| entry.parked.bytes).sum::<usize>();
        drop(state);
        unparked(&taken);
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
    /// Forgets the order of the streams, because the device or context ends.
    fn forget_orders(&mut self) {
        pending::unrecorded(mem::take(&mut self.waited).len());
        self.orders.clear();
    }

    fn has_stream(&self, stream: StreamKey) -> bool {
        self.streams.iter().any(|(key, _)| *key == stream)
    }
}

impl Entry {
    fn is_of_streams(&self) -> bool {
        matches!(self.awaited, Awaited::Streams(_))
    }

    /// Removes the streams that have reached a point behind this entry from its list. Returns whether the list is empty
    /// then.
    fn is_free_at(&mut self, over: &[(StreamKey, Moment)]) -> bool {
        let since = self.since;
        let is_over = |stream: &StreamKey| {
            let behind = |(key, point): &(StreamKey, Moment)| key == stream && since < *point;
            over.iter().any(behind)
        };
        match &mut self.awaited {
            Awaited::All => false,
            Awaited::Streams(streams) => {
                streams.retain(|stream| !is_over(stream));
                streams.is_empty()
            }
        }
    }
}

/// Enters that these entries are not parked any more.
fn unparked(taken: &[Entry]) {
    pending::unparked(taken.iter().filter(|entry| entry.is_of_streams()).count());
    calls::choose();
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
