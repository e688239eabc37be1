//! The state of an event, below the functions of `event.rs`.
//!
//! An event of `aclrtCreateEvent` or `aclrtCreateEventExWithFlag` stands for a point in a stream: the
//! number of the record's task. Whoever waits for it waits for the stream to get there, which stays
//! right when the event is recorded again or destroyed. An event of `aclrtCreateEventWithFlag` is a
//! flag of the hardware: a record sets it, a wait lasts until it is set, a reset clears it.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{LazyLock, MutexGuard};
use std::time::Instant;

use ascendcl_sys::{
    ACL_EVENT_DEVICE_USE_ONLY, ACL_EVENT_EXTERNAL, ACL_EVENT_SYNC, ACL_EVENT_TIME_LINE,
    ACL_SUCCESS, aclError, aclrtEvent,
};

use crate::check::violated;
use crate::engine::context::Context;
use crate::engine::device::{Device, DeviceState};
use crate::engine::engine;
use crate::engine::queue::Stream;
use crate::engine::submit::Target;
use crate::handles::slots::{Slot, handle};
use crate::observe::violation::What;
use crate::sync::Snapshot;

/// What device time counts from.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Which function made an event, and with which flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Plain,
    WithFlag(u32),
    Ex(u32),
}

/// An event.
#[derive(Debug, Default)]
pub(crate) struct Event {
    pub(crate) generation: AtomicU32,
    pub(crate) index: AtomicU32,
    /// Its constructor in the high bits, its flags in the low ones.
    pub(crate) kind: AtomicU32,
    pub(crate) device: AtomicU32,
    /// The device's epoch: once it has changed, the event's device is gone.
    pub(crate) epoch: AtomicU64,
    /// Below, the [`USER`]s: the handle, and each queued task that refers to the event. Above, how many of them
    /// are [`WAIT`]s. On top whether the event is [`LIVE`]; if not, the slot is free, and a user is one with an
    /// old handle, who is about to find that out. One word, so that a wait comes and goes in one step.
    users: AtomicU64,
    /// The flag of the hardware.
    pub(crate) set: AtomicBool,
    /// Whether it has one of the events of the device's hardware, which are not many.
    hardware: AtomicBool,
    /// The latest record, as words: see [`Record::words`].
    record: Snapshot<4>,
}

/// One user of an event, in its count of them.
const USER: u64 = 1;
/// A user that is a queued wait.
const WAIT: u64 = 1 << 32 | USER;

/// From the creation of an event until its last user has left, in the count of its users.
const LIVE: u64 = 1 << 63;

/// The latest record of an event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Record {
    pub(crate) stream: &'static Stream,
    /// The task's number in the stream.
    pub(crate) number: u64,
    /// The index of its context.
    context: u32,
    context_generation: u32,
    /// Microseconds since [`START`] at completion, for events that carry a time.
    pub(crate) time: Option<f64>,
}

/// The words of an event that was never recorded.
const UNRECORDED: [u64; 4] = [0; 4];
/// The word for no time, which is none of a number.
const NO_TIME: u64 = u64::MAX;

impl Record {
    /// The record of a stream's task as words: the stream's index, one up so that none is 0, with the
    /// generation of its context above; the task; the context's index; the time.
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
            time: (time != NO_TIME).then(|| f64::from_bits(time)),
        })
    }

    /// The code of the task that stopped the context it was recorded in, if one did.
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
        self.stream.completed() >= self.number
    }
}

/// What a wait for an event's flag finds.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Flag {
    /// It is set.
    Set,
    /// It will be, by a task of that number in that stream.
    Coming(&'static Stream, u64),
    /// Nobody has queued a record.
    Clear,
}

impl Slot for Event {
    const TAG: u8 = b'E';
    fn generation(&self) -> &AtomicU32 {
        &self.generation
    }
}

impl Event {
    pub(crate) fn kind(&self) -> Kind {
        let bits = self.kind.load(Ordering::Relaxed);
        match bits >> 16 {
            0 => Kind::Plain,
            1 => Kind::WithFlag(bits & 0xffff),
            _ => Kind::Ex(bits & 0xffff),
        }
    }

    /// The handle of its present life.
    pub(crate) fn handle(&self) -> aclrtEvent {
        handle::<Event>(
            self.index.load(Ordering::Relaxed),
            self.generation.load(Ordering::Relaxed),
        )
    }

    /// Whether waits are for the flag of the hardware, which anybody may set later.
    #[inline]
    pub(crate) fn is_flag(&self) -> bool {
        matches!(self.kind(), Kind::WithFlag(_))
    }

    #[inline]
    pub(crate) fn latest(&self) -> Option<Record> {
        Record::from_words(self.record.read())
    }

    /// Forgets the latest record.
    pub(crate) fn forget(&self) {
        self.record.update(|_| UNRECORDED);
    }

    /// Makes a task of a stream its latest record.
    #[inline]
    pub(crate) fn record(&self, stream: Target, number: u64) {
        self.record.update(|_| Record::words(stream, number));
    }

    /// A record that was queued on `stream` has been reached.
    pub(crate) fn complete(&self, stream: &Stream, number: u64) {
        if self.kind().has_time() {
            let now = START.elapsed().as_secs_f64() * 1e6;
            self.record.update(|words| match Record::from_words(words) {
                Some(latest) if latest.number == number && ptr::eq(latest.stream, stream) => {
                    let [stream, number, context, _] = words;
                    [stream, number, context, now.to_bits()]
                }
                _ => words,
            });
        }
        self.set.store(true, Ordering::Release);
        self.release();
    }

    /// A reset has been reached.
    pub(crate) fn clear(&self) {
        self.set.store(false, Ordering::Release);
        self.record.update(|words| match Record::from_words(words) {
            Some(latest) if latest.is_complete() => UNRECORDED,
            _ => words,
        });
        self.release();
    }

    /// Takes an event of the hardware, unless it has one already; false when all are taken.
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
        // Under the lock, so that two first records take one.
        if self.hardware.load(Ordering::Relaxed) {
            return true;
        }
        let took = device.take_event(&mut held);
        self.hardware.store(took, Ordering::Relaxed);
        took
    }

    /// Gives the event of the hardware back; a device that was released since has them all back.
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

    /// What a wait for the flag finds.
    pub(crate) fn flag(&self) -> Flag {
        if self.set.load(Ordering::Acquire) {
            return Flag::Set;
        }
        if let Some(record) = self.latest().filter(|record| !record.is_complete()) {
            return Flag::Coming(record.stream, record.number);
        }
        if self.generation.load(Ordering::Acquire).is_multiple_of(2) {
            // Nobody can record it any more. A stream that stands still for ever tells the
            // programmer less than this.
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

    /// A life begins: its handle is the first user.
    pub(crate) fn open(&self) {
        // Added, because somebody with a handle of an earlier life may be about to leave again. Whoever joins
        // sees the generation that the last life ended with.
        self.users.fetch_add(LIVE + USER, Ordering::Release);
    }

    /// A task is to be queued that refers to it as a handle names it; false if that life is over.
    #[inline]
    #[must_use]
    pub(crate) fn refer_as(&self, handle: aclrtEvent) -> bool {
        self.join(USER, handle)
    }

    /// A task is to be queued that waits for it as a handle names it; false if that life is over.
    #[inline]
    #[must_use]
    pub(crate) fn refer_to_wait_as(&self, handle: aclrtEvent) -> bool {
        self.join(WAIT, handle)
    }

    /// One user more, unless another thread has destroyed it meanwhile: then the slot is anybody's.
    #[inline]
    fn join(&self, user: u64, handle: aclrtEvent) -> bool {
        let before = self.users.fetch_add(user, Ordering::Acquire);
        if before & LIVE != 0 && self.handle() == handle {
            return true;
        }
        self.leave(user);
        false
    }

    /// A task is to be queued that refers to it, for somebody who is a user.
    #[inline]
    pub(crate) fn refer(&self) {
        self.users.fetch_add(USER, Ordering::Relaxed);
    }

    /// A task is to be queued that waits for it, for somebody who is a user.
    #[inline]
    pub(crate) fn refer_to_wait(&self) {
        self.users.fetch_add(WAIT, Ordering::Relaxed);
    }

    /// Whether a queued task waits for it.
    pub(crate) fn is_awaited(&self) -> bool {
        self.users.load(Ordering::Acquire) & !LIVE >= WAIT
    }

    /// A wait is over.
    #[inline]
    pub(crate) fn waited(&self) {
        self.leave(WAIT);
    }

    /// One user less.
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

    /// Gives the slot back. Who joined meanwhile with a handle of this life does it instead, when leaving.
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

impl Kind {
    pub(crate) fn bits(self) -> u32 {
        match self {
            Kind::Plain => 0,
            Kind::WithFlag(flags) => 1 << 16 | flags,
            Kind::Ex(flags) => 2 << 16 | flags,
        }
    }

    /// Whether streams can wait for it.
    pub(crate) fn is_awaitable(self) -> bool {
        match self {
            Kind::Plain => true,
            Kind::WithFlag(flags) => flags & (ACL_EVENT_SYNC | ACL_EVENT_EXTERNAL) != 0,
            Kind::Ex(flags) => flags & ACL_EVENT_SYNC != 0,
        }
    }

    /// Whether `aclrtEventElapsedTime` accepts it. Plain SYNC does, by observation.
    pub(crate) fn has_time(self) -> bool {
        match self {
            Kind::Plain => true,
            Kind::WithFlag(flags) => flags == ACL_EVENT_SYNC || flags & ACL_EVENT_TIME_LINE != 0,
            Kind::Ex(flags) => flags & ACL_EVENT_TIME_LINE != 0,
        }
    }

    /// Whether only captured graphs may look at it.
    pub(crate) fn is_external(self) -> bool {
        self == Kind::WithFlag(ACL_EVENT_EXTERNAL)
    }

    /// Whether only the device may use it.
    pub(crate) fn is_device_only(self) -> bool {
        self == Kind::WithFlag(ACL_EVENT_DEVICE_USE_ONLY)
    }
}
