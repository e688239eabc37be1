//! The state of an event, which the functions of `event` use.
//!
//! An event of `aclrtCreateEvent` or `aclrtCreateEventExWithFlag` represents a point in a stream: the number of the
//! task that recorded the event. A wait for the event waits until the stream reaches that point. This stays correct
//! when the event is recorded again or destroyed. An event of `aclrtCreateEventWithFlag` is a flag of the hardware: a
//! record sets the flag, a wait lasts until the flag is set, and a reset clears it.

use std::ptr;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ascendcl_sys::{
    ACL_EVENT_DEVICE_USE_ONLY, ACL_EVENT_EXTERNAL, ACL_EVENT_IPC, ACL_EVENT_SYNC,
    ACL_EVENT_TIME_LINE, ACL_SUCCESS, aclError, aclrtEvent,
};

use crate::check::violated;
use crate::engine::context::Context;
use crate::engine::device::{Device, DeviceState};
use crate::engine::engine;
use crate::engine::queue::Stream;
use crate::engine::slow_path::{self, Reason};
use crate::engine::submit::Target;
use crate::handles::slots::{Slot, handle};
use crate::observe::violation::What;
use crate::sync::{MutexGuard, Snapshot};

/// The zero of the device time. A device was started before the program, so no event has the time 0.
static START: LazyLock<Instant> = LazyLock::new(|| {
    let now = Instant::now();
    now.checked_sub(UP).unwrap_or(now)
});
/// The time for which the device was up before its first event.
const UP: Duration = Duration::from_secs(1);

/// The function that created an event, with its flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventKind {
    Plain,
    WithFlag(u32),
    Ex(u32),
}

/// An event.
#[derive(Debug, Default)]
pub(crate) struct Event {
    pub(crate) generation: AtomicU32,
    pub(crate) index: AtomicU32,
    /// The function that created the event in the high bits, the flags in the low bits.
    pub(crate) kind: AtomicU32,
    pub(crate) device: AtomicU32,
    /// The epoch of the device. If the device has another epoch now, the device of the event was released.
    pub(crate) epoch: AtomicU64,
    /// The users of the event, in one word, so that a wait is added or removed in one step. The low bits count the
    /// [`USER`]s: the handle, and each queued task that refers to the event. The bits above count the users that are
    /// [`WAIT`]s. The top bit says whether the event is [`LIVE`]. If it is not, the slot is free, and a user is a
    /// thread with an old handle that is about to find this out.
    users: AtomicU64,
    /// The flag of the hardware.
    pub(crate) set: AtomicBool,
    /// Whether the event has one of the hardware events of the device, whose number is limited.
    hardware: AtomicBool,
    /// The latest record, as words (see [`Record::words`]).
    record: Snapshot<4>,
}

/// One user of an event, in the count of users.
const USER: u64 = 1;
/// One user that is a queued wait, in the count of users.
const WAIT: u64 = 1 << 32 | USER;

/// The bit of the count of users that is set from the creation of an event until its last user has left.
const LIVE: u64 = 1 << 63;

/// The latest record of an event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Record {
    pub(crate) stream: &'static Stream,
    /// The number of the task in the stream.
    pub(crate) number: u64,
    /// The index of the context of the stream.
    context: u32,
    context_generation: u32,
    /// The time of completion in microseconds since [`START`], for events that have a time.
    pub(crate) time: Option<f64>,
    /// Whether an abort has dropped the record, which never completes then.
    pub(crate) is_dropped: bool,
}

/// The words of an event that was never recorded.
const UNRECORDED: [u64; 4] = [0; 4];
/// The word for no time, which is not the word of any number.
const NO_TIME: u64 = u64::MAX;
/// The word in place of the time for a record that was dropped, which is not the word of any time either.
const DROPPED: u64 = u64::MAX - 1;

impl Record {
    /// Returns the record of a task as words: the index of the stream plus one, so that no record is 0, with the
    /// generation of the context above it; the number of the task; the index of the context; the time.
    fn words(stream: Target, number: u64) -> [u64; 4] {
        let Target { stream, index, .. } = stream;
        let generation = u64::from(stream.context_generation.load(Ordering::Relaxed));
        let context = u64::from(stream.context.load(Ordering::Relaxed));
        [
            (u64::from(index) + 1) | (generation << 32),
            number,
            context,
            NO_TIME,
        ]
    }

    #[inline]
    fn from_words([stream, number, context, time]: [u64; 4]) -> Option<Record> {
        let index = (stream as u32).checked_sub(1)?;
        Some(Record {
            stream: engine().streams.at(index)?,
            number,
            context: context as u32,
            context_generation: (stream >> 32) as u32,
            time: (time < DROPPED).then(|| f64::from_bits(time)),
            is_dropped: time == DROPPED,
        })
    }

    /// Returns the code of the failed task that stopped the context of the record, if there is one.
    pub(crate) fn stopped(&self) -> Option<aclError> {
        if !Context::has_any_failed() {
            return None;
        }
        let context = engine().contexts.at(self.context)?;
        let code = context.failure();
        (context.is(self.context_generation) && code != ACL_SUCCESS).then_some(code)
    }

    #[inline]
    pub(crate) fn is_complete(&self) -> bool {
        self.stream.completed() >= self.number && !self.is_dropped
    }

    /// Returns whether this is the record that is the task of this number.
    fn is_of(&self, stream: &Stream, number: u64) -> bool {
        self.number == number && ptr::eq(self.stream, stream)
    }
}

/// The state of the flag of an event.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Flag {
    /// The flag is set.
    Set,
    /// The task of this number in this stream will set the flag.
    Coming(&'static Stream, u64),
    /// The flag is clear, and its latest record is not queued.
    Clear,
}

impl Slot for Event {
    const TAG: u8 = b'E';
    fn generation(&self) -> &AtomicU32 {
        &self.generation
    }
}

impl Event {
    pub(crate) fn kind(&self) -> EventKind {
        let bits = self.kind.load(Ordering::Relaxed);
        match bits >> 16 {
            0 => EventKind::Plain,
            1 => EventKind::WithFlag(bits & 0xffff),
            _ => EventKind::Ex(bits & 0xffff),
        }
    }

    /// Returns the handle of the present event of the slot.
    pub(crate) fn handle(&self) -> aclrtEvent {
        handle::<Event>(
            self.index.load(Ordering::Relaxed),
            self.generation.load(Ordering::Relaxed),
        )
    }

    /// Returns whether waits are for the flag of the hardware, which any later record may set.
    #[inline]
    pub(crate) fn is_flag(&self) -> bool {
        matches!(self.kind(), EventKind::WithFlag(_))
    }

    #[inline]
    pub(crate) fn latest(&self) -> Option<Record> {
        Record::from_words(self.record.read())
    }

    /// Removes the latest record.
    pub(crate) fn forget(&self) {
        self.record.update(|_| UNRECORDED);
    }

    /// Stores a task of a stream as the latest record.
    #[inline]
    pub(crate) fn record(&self, stream: Target, number: u64) {
        self.record.update(|_| Record::words(stream, number));
    }

    /// Completes a record that was queued on `stream`.
    pub(crate) fn complete(&self, stream: &Stream, number: u64) {
        if self.kind().has_time() {
            let now = START.elapsed().as_secs_f64() * 1e6;
            self.record.update(|words| match Record::from_words(words) {
                Some(latest) if latest.is_of(stream, number) => {
                    let [stream, number, context, _] = words;
                    [stream, number, context, now.to_bits()]
                }
                _ => words,
            });
        }
        self.set.store(true, Ordering::Release);
        self.release();
    }

    /// Enters that an abort drops a record that was queued on `stream`. If it is still the latest one, it never completes.
    pub(crate) fn drop_record(&self, stream: &Stream, number: u64) {
        slow_path::set(Reason::Dropped, true);
        self.record.update(|words| match Record::from_words(words) {
            Some(latest) if latest.is_of(stream, number) => {
                let [stream, number, context, _] = words;
                [stream, number, context, DROPPED]
            }
            _ => words,
        });
    }

    /// Returns whether the latest record is this one, and was dropped.
    #[cold]
    pub(crate) fn is_dropped(&self, stream: &Stream, number: u64) -> bool {
        let latest = self.latest();
        latest.is_some_and(|latest| latest.is_dropped && latest.is_of(stream, number))
    }

    /// Completes a reset.
    pub(crate) fn clear(&self) {
        self.set.store(false, Ordering::Release);
        self.record.update(|words| match Record::from_words(words) {
            Some(latest) if latest.is_complete() || latest.is_dropped => UNRECORDED,
            _ => words,
        });
        self.release();
    }

    /// Takes a hardware event, unless the event has one already. Returns false if all are in use.
    #[inline]
    #[must_use]
    pub(crate) fn take_hardware(&self) -> bool {
        self.hardware.load(Ordering::Relaxed) || self.take_first_hardware()
    }

    #[cold]
    fn take_first_hardware(&self) -> bool {
        let Some((device, mut held)) = self.device() else {
            return true;
        };
        // Under the lock, so that two concurrent first records take only one.
        if self.hardware.load(Ordering::Relaxed) {
            return true;
        }
        let took = device.take_event(&mut held);
        self.hardware.store(took, Ordering::Relaxed);
        took
    }

    /// Returns the hardware event to the device. If the device was released since, it has all of them already.
    fn put_hardware(&self) {
        if !self.hardware.load(Ordering::Relaxed) {
            return;
        }
        if let Some((device, mut held)) = self.device()
            && device.epoch() == self.epoch.load(Ordering::Relaxed)
        {
            device.put_event(&mut held);
        }
        self.hardware.store(false, Ordering::Relaxed);
    }

    fn device(&self) -> Option<(&'static Device, MutexGuard<'static, DeviceState>)> {
        let id = self.device.load(Ordering::Relaxed);
        let device = engine().devices.get(id as usize)?;
        Some((device, device.lock()))
    }

    /// Returns the state of the flag for a wait.
    pub(crate) fn flag(&self) -> Flag {
        if self.set.load(Ordering::Acquire) {
            return Flag::Set;
        }
        let coming = |record: &Record| !record.is_complete() && !record.is_dropped;
        if let Some(record) = self.latest().filter(coming) {
            return Flag::Coming(record.stream, record.number);
        }
        if self.generation.load(Ordering::Acquire).is_multiple_of(2) {
            // Between the two looks above, the record may have run and the event ended.
            if self.set.load(Ordering::Acquire) {
                return Flag::Set;
            }
            // The event cannot be recorded any more. Recording a violation helps the programmer more than a stream
            // that waits for ever.
            violated(
                "aclrtDestroyEvent",
                What::EventDestroyedWhileAwaited,
                format_args!(
                    "a stream waited for a record that can never come; the wait was ended"
                ),
            );
            return Flag::Set;
        }
        Flag::Clear
    }

    /// Opens the slot for a new event; its handle is the first user.
    pub(crate) fn open(&self) {
        // Added and not stored, because a thread with the handle of an earlier event may be about to leave. A thread
        // that joins sees the generation with which the last event ended.
        self.users.fetch_add(LIVE + USER, Ordering::Release);
    }

    /// Adds a user for a task that refers to the event of a handle. Returns false if that event was destroyed.
    #[inline]
    #[must_use]
    pub(crate) fn refer_as(&self, handle: aclrtEvent) -> bool {
        self.join(USER, handle)
    }

    /// Adds a user for a task that waits for the event of a handle. Returns false if that event was destroyed.
    #[inline]
    #[must_use]
    pub(crate) fn refer_to_wait_as(&self, handle: aclrtEvent) -> bool {
        self.join(WAIT, handle)
    }

    /// Adds a user, unless another thread has destroyed the event meanwhile. Then the slot may have another event.
    #[inline]
    fn join(&self, user: u64, handle: aclrtEvent) -> bool {
        let before = self.users.fetch_add(user, Ordering::Acquire);
        if before & LIVE != 0 && self.handle() == handle {
            return true;
        }
        self.leave(user);
        false
    }

    /// Adds a user for a task that refers to the event. The caller is a user already.
    #[inline]
    pub(crate) fn refer(&self) {
        self.users.fetch_add(USER, Ordering::Relaxed);
    }

    /// Adds a user for a task that waits for the event. The caller is a user already.
    #[inline]
    pub(crate) fn refer_to_wait(&self) {
        self.users.fetch_add(WAIT, Ordering::Relaxed);
    }

    /// Returns whether a queued task waits for the event.
    pub(crate) fn is_awaited(&self) -> bool {
        self.users.load(Ordering::Acquire) & !LIVE >= WAIT
    }

    /// Removes the user of a wait that is over.
    #[inline]
    pub(crate) fn waited(&self) {
        self.leave(WAIT);
    }

    /// Removes a user.
    #[inline]
    pub(crate) fn release(&self) {
        self.leave(USER);
    }

    #[inline]
    fn leave(&self, user: u64) {
        let before = self.users.fetch_sub(user, Ordering::AcqRel);
        debug_assert!(before & !LIVE >= user, "more leave than have come");
        if before - user == LIVE {
            self.end();
        }
    }

    /// Returns the slot to the table. If a thread joined meanwhile with a handle of this event, that thread does so
    /// when it leaves.
    #[inline]
    fn end(&self) {
        let ended = self
            .users
            .compare_exchange(LIVE, 0, Ordering::AcqRel, Ordering::Relaxed);
        if ended.is_ok() {
            self.put_hardware();
            engine().events.put(self.index.load(Ordering::Relaxed));
        }
    }
}

impl EventKind {
    pub(crate) fn bits(self) -> u32 {
        match self {
            EventKind::Plain => 0,
            EventKind::WithFlag(flags) => 1 << 16 | flags,
            EventKind::Ex(flags) => 2 << 16 | flags,
        }
    }

    /// Returns whether streams can wait for the event.
    pub(crate) fn is_awaitable(self) -> bool {
        match self {
            EventKind::Plain => true,
            EventKind::WithFlag(flags) => flags & (ACL_EVENT_SYNC | ACL_EVENT_EXTERNAL) != 0,
            EventKind::Ex(flags) => flags & ACL_EVENT_SYNC != 0,
        }
    }

    /// Returns whether `aclrtEventElapsedTime` accepts the event. It accepts `ACL_EVENT_SYNC` alone (observed).
    pub(crate) fn has_time(self) -> bool {
        match self {
            EventKind::Plain => true,
            EventKind::WithFlag(flags) => {
                flags == ACL_EVENT_SYNC || flags & ACL_EVENT_TIME_LINE != 0
            }
            EventKind::Ex(flags) => flags & ACL_EVENT_TIME_LINE != 0,
        }
    }

    /// Returns whether only captured graphs may use the event.
    pub(crate) fn is_external(self) -> bool {
        self == EventKind::WithFlag(ACL_EVENT_EXTERNAL)
    }

    /// Returns whether processes share the event.
    pub(crate) fn is_ipc(self) -> bool {
        self == EventKind::Ex(ACL_EVENT_IPC)
    }

    /// Returns whether a record of the event is no task of the engine.
    pub(crate) fn is_apart(self) -> bool {
        self.is_device_only() || self.is_ipc()
    }

    /// Returns whether only the device may use the event.
    pub(crate) fn is_device_only(self) -> bool {
        self == EventKind::WithFlag(ACL_EVENT_DEVICE_USE_ONLY)
    }
}
