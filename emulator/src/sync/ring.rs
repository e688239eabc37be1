//! The queue of a stream: any thread appends, and one thread at a time runs the next task.
//!
//! Tasks are numbered from 1, for good. They lie in segments that come when the first task of a
//! segment is appended and go when its last one is complete; one is kept, so that a stream which is
//! emptied again and again stays in the same few kilobytes, and a stream at rest has next to none.

use std::array;
use std::fmt;
use std::mem::MaybeUninit;
use std::ops::ControlFlow;
use std::ptr;

use super::primitive::{AtomicBool, AtomicPtr, AtomicU64, Ordering, UnsafeCell, yield_now};

/// Tasks that are queued at most; more wait outside.
pub(crate) const DEPTH: u64 = if cfg!(loom) { 2 } else { 2048 };
/// Tasks of a segment.
const SEGMENT: u64 = if cfg!(loom) { 2 } else { 64 };
/// Places for segments: twice what the depth needs, so that a place is empty long before its turn
/// comes again.
const PLACES: usize = (2 * DEPTH / SEGMENT) as usize;
/// The bit of `tail` that says that nothing can be appended.
const CLOSED: u64 = 1;

/// A queue of tasks.
///
/// # Invariants
///
/// - A number belongs to whoever raised `tail` to it, until its slot carries it; from then on to the
///   holder of `taken`, who clears the slot when the task is over. So nobody else is at the task.
/// - A place holds the segment of a number at the latest when the slot carries it, and until all
///   numbers of the segment are complete. Numbers in the same place are `2 * DEPTH` apart and a number
///   is given out only when the one `DEPTH` before it is complete, so places never meet.
/// - Only the holder of `taken` changes `completed`.
pub(crate) struct Ring<T> {
    /// Twice the last number, and one more while closed.
    tail: AtomicU64,
    completed: AtomicU64,
    /// Somebody has the [`Runner`].
    taken: AtomicBool,
    places: [AtomicPtr<Segment<T>>; PLACES],
    /// A segment for the next place that needs one.
    spare: AtomicPtr<Segment<T>>,
}

struct Segment<T> {
    slots: [Slot<T>; SEGMENT as usize],
}

struct Slot<T> {
    /// The number of the task that is here.
    number: AtomicU64,
    task: UnsafeCell<MaybeUninit<T>>,
}

// SAFETY: the invariants: a task is touched by one thread at a time, and goes from the one to the
// other through the release and acquire of its slot's number. So threads only send tasks.
unsafe impl<T: Send> Sync for Ring<T> {}
// SAFETY: what it owns are tasks, in boxes.
unsafe impl<T: Send> Send for Ring<T> {}

impl<T> Ring<T> {
    /// The last number.
    #[inline]
    pub(crate) fn submitted(&self) -> u64 {
        self.tail.load(Ordering::SeqCst) / 2
    }

    /// Tasks that are complete. What they did is visible.
    #[inline]
    pub(crate) fn completed(&self) -> u64 {
        self.completed.load(Ordering::Acquire)
    }

    /// Takes the next number for a task; `None` when the ring is closed or its user not `alive`. Nothing behind
    /// the number runs before the claim is filled.
    ///
    /// `make_room` is called while the ring is full, with the number that has to be complete first.
    #[inline(always)]
    pub(crate) fn claim(
        &self,
        alive: impl Fn() -> bool,
        mut make_room: impl FnMut(u64),
    ) -> Option<Claim<'_, T>> {
        let mut tail = self.tail.load(Ordering::Acquire);
        let number = loop {
            // Asked after `tail` was read: a new life has another `tail` (`open`), so whoever asked
            // in the old one does not get a number of the new one.
            if tail & CLOSED != 0 || !alive() {
                return None;
            }
            let number = tail / 2 + 1;
            if number.saturating_sub(self.completed()) > DEPTH {
                make_room(number - DEPTH);
                tail = self.tail.load(Ordering::Acquire);
                continue;
            }
            // Sequentially consistent for `Post`.
            let raised = self.tail.compare_exchange_weak(
                tail,
                tail + 2,
                Ordering::SeqCst,
                Ordering::Acquire,
            );
            match raised {
                Ok(_) => break number,
                Err(now) => tail = now,
            }
        };
        let place = self.place(number);
        let segment = match place.load(Ordering::Acquire) {
            missing if missing.is_null() => self.install(place),
            segment => segment,
        };
        // SAFETY: it stays until the number is complete (the second invariant).
        let segment = unsafe { &*segment };
        // INVARIANT: this thread has just raised `tail` to the number.
        Some(Claim {
            slot: segment.slot(number),
            number,
        })
    }

    /// Opens it for a new life. Nothing is queued.
    pub(crate) fn open(&self) {
        let mut runner = loop {
            match self.take() {
                Some(runner) => break runner,
                // Somebody finds out that there is nothing to do.
                None => yield_now(),
            }
        };
        // A life begins with a number that nobody gets: see `claim`.
        let tail = (self.tail.load(Ordering::Acquire) | CLOSED) + 1;
        runner.advance();
        self.tail.store(tail, Ordering::SeqCst);
    }

    /// Lets nobody append any more.
    pub(crate) fn close(&self) {
        self.tail.fetch_or(CLOSED, Ordering::SeqCst);
    }

    /// The right to run tasks; `None` when another thread has it.
    #[inline]
    pub(crate) fn take(&self) -> Option<Runner<'_, T>> {
        if self.taken.swap(true, Ordering::Acquire) {
            return None;
        }
        let completed = self.completed.load(Ordering::Relaxed);
        Some(Runner {
            ring: self,
            completed,
        })
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "the index is below the length")]
    fn place(&self, number: u64) -> &AtomicPtr<Segment<T>> {
        &self.places[(number / SEGMENT) as usize % PLACES]
    }

    /// Puts a segment into an empty place.
    #[cold]
    fn install(&self, place: &AtomicPtr<Segment<T>>) -> *mut Segment<T> {
        let mut fresh = self.spare.swap(ptr::null_mut(), Ordering::AcqRel);
        if fresh.is_null() {
            fresh = Box::into_raw(Box::new(Segment::new()));
        }
        let empty = ptr::null_mut();
        match place.compare_exchange(empty, fresh, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => fresh,
            Err(segment) => {
                self.keep(fresh);
                segment
            }
        }
    }

    /// Keeps a segment of this ring that nobody uses.
    fn keep(&self, segment: *mut Segment<T>) {
        let other = self.spare.swap(segment, Ordering::AcqRel);
        if !other.is_null() {
            // SAFETY: it was made by `install` of a box, and the swap made it this thread's alone.
            drop(unsafe { Box::from_raw(other) });
        }
    }
}

impl<T> Default for Ring<T> {
    fn default() -> Ring<T> {
        Ring {
            tail: AtomicU64::new(0),
            completed: AtomicU64::new(0),
            taken: AtomicBool::new(false),
            places: array::from_fn(|_| AtomicPtr::default()),
            spare: AtomicPtr::default(),
        }
    }
}

impl<T> fmt::Debug for Ring<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ring({} of {})", self.completed(), self.submitted())
    }
}

impl<T> Drop for Ring<T> {
    fn drop(&mut self) {
        if let Some(mut runner) = self.take() {
            while runner
                .step(|_| ControlFlow::<(), _>::Continue(Spent::Owner))
                .is_some()
            {}
        }
        for place in self.places.iter().chain([&self.spare]) {
            let segment = place.swap(ptr::null_mut(), Ordering::AcqRel);
            if !segment.is_null() {
                // SAFETY: made by `install` of a box; nobody else has the ring any more.
                drop(unsafe { Box::from_raw(segment) });
            }
        }
    }
}

impl<T> Segment<T> {
    fn new() -> Segment<T> {
        Segment {
            slots: array::from_fn(|_| Slot {
                number: AtomicU64::new(0),
                task: UnsafeCell::new(MaybeUninit::uninit()),
            }),
        }
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "the index is below the length")]
    fn slot(&self, number: u64) -> &Slot<T> {
        &self.slots[(number % SEGMENT) as usize]
    }
}

/// A number of a ring whose task is not there yet.
///
/// # Invariants
///
/// `tail` was raised to `number` by the thread that has this, and `slot` is the number's.
#[must_use = "the ring stands still in front of a claim"]
pub(crate) struct Claim<'a, T> {
    slot: &'a Slot<T>,
    number: u64,
}

impl<T> Claim<'_, T> {
    /// Puts the task there and gives its number. `make` learns the number before anybody can take the task, and
    /// must not panic.
    #[inline(always)]
    pub(crate) fn fill(self, make: impl FnOnce(u64) -> T) -> u64 {
        self.slot.task.with_mut(|task| {
            // SAFETY: the number is this thread's (the first invariant of the ring).
            let task = unsafe { &mut *task };
            task.write(make(self.number));
        });
        self.slot.number.store(self.number, Ordering::Release);
        self.number
    }
}

/// What a task that was run leaves behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spent {
    /// It may own something and is dropped.
    Owner,
    /// It owns nothing, so that dropping it would only cost time.
    Plain,
}

/// The right to run the tasks of a ring.
pub(crate) struct Runner<'a, T> {
    ring: &'a Ring<T>,
    /// What `completed` of the ring is.
    completed: u64,
}

impl<T> Runner<'_, T> {
    /// Tasks that are complete.
    #[inline]
    pub(crate) fn completed(&self) -> u64 {
        self.completed
    }

    /// The slot of the next task, once it is there.
    #[inline]
    fn next(&self) -> Option<&Slot<T>> {
        let number = self.completed + 1;
        let segment = self.ring.place(number).load(Ordering::Acquire);
        if segment.is_null() {
            return None;
        }
        // SAFETY: it stays until `number` is complete, which is up to this runner.
        let segment = unsafe { &*segment };
        let slot = segment.slot(number);
        (slot.number.load(Ordering::Acquire) == number).then_some(slot)
    }

    /// Shows the next task to `run`, which runs it or says why it cannot; one that was run is complete, and
    /// dropped if `run` says so. `None` when there is no next task, or it is still on its way into the
    /// ring.
    #[inline]
    pub(crate) fn step<B>(
        &mut self,
        run: impl FnOnce(&mut T) -> ControlFlow<B, Spent>,
    ) -> Option<ControlFlow<B, Spent>> {
        let slot = self.next()?;
        let ran = slot.task.with_mut(|task| {
            // SAFETY: the slot carries the number, so the task is there and this runner's (the first
            // invariant); `&mut self` allows one look at a time.
            let task = unsafe { &mut *task };
            // SAFETY: as above.
            let ran = run(unsafe { task.assume_init_mut() });
            if let ControlFlow::Continue(Spent::Owner) = ran {
                // SAFETY: it is there, and the slot is cleared below, so it is dropped once.
                unsafe { task.assume_init_drop() };
            }
            ran
        });
        if ran.is_continue() {
            slot.number.store(0, Ordering::Relaxed);
            self.advance();
        }
        Some(ran)
    }

    /// Completes the next number.
    #[inline]
    fn advance(&mut self) {
        self.completed += 1;
        if self.completed % SEGMENT == SEGMENT - 1 {
            self.retire();
        }
        self.ring.completed.store(self.completed, Ordering::Release);
    }

    /// Takes the segment of the last task away, all of whose numbers are over.
    #[cold]
    fn retire(&mut self) {
        let place = self.ring.place(self.completed);
        let segment = place.swap(ptr::null_mut(), Ordering::AcqRel);
        if !segment.is_null() {
            self.ring.keep(segment);
        }
    }
}

impl<T> Drop for Runner<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.ring.taken.store(false, Ordering::Release);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_closed_ring_takes_nothing_until_it_is_opened() {
        let ring = Ring::default();
        let push = || Some(ring.claim(|| true, |_| ())?.fill(|number| number));
        assert_eq!(push(), Some(1));
        ring.close();
        assert_eq!(push(), None);
        let run = |task: &mut u64| {
            assert_eq!(*task, 1);
            ControlFlow::<(), _>::Continue(Spent::Owner)
        };
        assert!(
            ring.take()
                .and_then(|mut runner| runner.step(run))
                .is_some()
        );
        ring.open();
        assert_eq!((ring.submitted(), ring.completed()), (2, 2));
        assert_eq!(push(), Some(3));
    }

    #[test]
    fn a_full_ring_asks_for_room_and_goes_on() {
        let ring = Ring::default();
        let mut asked = Vec::new();
        for _ in 0..3 * DEPTH {
            let make_room = |number| {
                asked.push(number);
                while ring.completed() < number {
                    let task = ring.take().and_then(|mut runner| {
                        runner.step(|task: &mut u64| {
                            assert_eq!(*task, number);
                            ControlFlow::<(), _>::Continue(Spent::Owner)
                        })
                    });
                    assert!(task.is_some());
                }
            };
            let claim = ring.claim(|| true, make_room);
            assert!(claim.map(|claim| claim.fill(|number| number)).is_some());
        }
        assert_eq!(asked, (1..=2 * DEPTH).collect::<Vec<_>>());
    }

    #[test]
    fn a_task_stays_in_front_until_it_was_run() {
        let ring = Ring::default();
        let claim = ring.claim(|| true, |_| ());
        let number = claim.map(|claim| claim.fill(|number| number));
        let mut runner = ring.take();
        assert!(ring.take().is_none(), "one at a time");
        let blocked = runner.as_mut().and_then(|runner| {
            runner.step(|task| {
                *task += 1;
                ControlFlow::Break(*task)
            })
        });
        assert_eq!((number, blocked), (Some(1), Some(ControlFlow::Break(2))));
        drop(runner);
        assert_eq!(ring.completed(), 0);
        let again = ring
            .take()
            .and_then(|mut runner| runner.step(|task| ControlFlow::Break(*task)));
        assert_eq!(again, Some(ControlFlow::Break(2)));
    }
}
