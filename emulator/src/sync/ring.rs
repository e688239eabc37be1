//! The queue of a stream: any thread appends tasks, and one thread at a time runs the next task.
//!
//! Tasks are numbered from 1, and a number is never used again. They are stored in segments. A segment is allocated
//! when its first task is appended and freed when its last one is complete. One free segment is reused, so a stream
//! that is emptied again and again uses the same few kilobytes, and an idle stream uses almost no memory.

use std::array;
use std::fmt;
use std::mem::MaybeUninit;
use std::ops::ControlFlow;
use std::ptr;

use super::primitive::{AtomicBool, AtomicPtr, AtomicU64, Ordering, UnsafeCell, yield_now};

/// Maximum number of queued tasks; further submissions wait.
pub(crate) const DEPTH: u64 = if cfg!(all(test, loom)) { 2 } else { 2048 };
/// Number of tasks of a segment.
const SEGMENT: u64 = if cfg!(all(test, loom)) { 2 } else { 64 };
/// Number of places for segments: twice the number that the depth needs, so that a place is empty long before it is
/// used again.
const PLACES: usize = (2 * DEPTH / SEGMENT) as usize;
/// The bit of `tail` that closes the ring for further tasks.
const CLOSED: u64 = 1;

/// A queue of tasks.
///
/// # Invariants
///
/// - A number belongs to the thread that raised `tail` to it, until the slot carries the number. From then on it
///   belongs to the holder of `taken`, who clears the slot when the task is over. So only one thread accesses a task.
/// - A place holds the segment of a number at the latest when the slot carries the number, and until all numbers of
///   the segment are complete. Numbers in the same place are `2 * DEPTH` apart, and a number is given out only when
///   the one `DEPTH` before it is complete. So two segments never need the same place.
/// - Only the holder of `taken` changes `completed`.
pub(crate) struct Ring<T> {
    /// Twice the last number, plus one while the ring is closed.
    tail: AtomicU64,
    completed: AtomicU64,
    /// Whether a thread has the [`Runner`].
    taken: AtomicBool,
    places: [AtomicPtr<Segment<T>>; PLACES],
    /// A segment for the next place that needs one.
    spare: AtomicPtr<Segment<T>>,
}

struct Segment<T> {
    slots: [Slot<T>; SEGMENT as usize],
}

struct Slot<T> {
    /// The number of the task in this slot.
    number: AtomicU64,
    task: UnsafeCell<MaybeUninit<T>>,
}

// SAFETY: by the invariants one thread at a time accesses a task, and the task goes from one thread to the other
// through the release and acquire of the number of its slot. So threads only send tasks.
unsafe impl<T: Send> Sync for Ring<T> {}
// SAFETY: the ring owns tasks, in boxes.
unsafe impl<T: Send> Send for Ring<T> {}

impl<T> Ring<T> {
    /// Returns the last number.
    #[inline]
    pub(crate) fn submitted(&self) -> u64 {
        self.tail.load(Ordering::SeqCst) / 2
    }

    /// Returns the number of complete tasks. The effects of these tasks are visible.
    #[inline]
    pub(crate) fn completed(&self) -> u64 {
        self.completed.load(Ordering::Acquire)
    }

    /// Takes the next number for a task. Returns `None` if the ring is closed or `alive` returns false. No task after
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
            // Checked after `tail` was read. A new stream has another `tail` (`open`), so a thread that checked for
            // the old stream gets no number of the new one.
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
        // SAFETY: the segment exists until the number is complete (the second invariant).
        let segment = unsafe { &*segment };
        // INVARIANT: this thread has just raised `tail` to the number.
        Some(Claim {
            slot: segment.slot(number),
            number,
        })
    }

    /// Opens the ring for a new stream. The ring is empty.
    pub(crate) fn open(&self) {
        let mut runner = loop {
            match self.take() {
                Some(runner) => break runner,
                // Another thread is finding out that there is no task.
                None => yield_now(),
            }
        };
        // A new stream begins with a number that no task gets: see `claim`.
        let tail = (self.tail.load(Ordering::Acquire) | CLOSED) + 1;
        runner.advance();
        self.tail.store(tail, Ordering::SeqCst);
    }

    /// Closes the ring for further tasks.
    pub(crate) fn close(&self) {
        self.tail.fetch_or(CLOSED, Ordering::SeqCst);
    }

    /// Takes the right to run tasks. Returns `None` if another thread has it.
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

    /// Stores an unused segment of this ring as the spare one.
    fn keep(&self, segment: *mut Segment<T>) {
        let other = self.spare.swap(segment, Ordering::AcqRel);
        if !other.is_null() {
            // SAFETY: `install` made it from a box, and since the swap only this thread has it.
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
                // SAFETY: `install` made it from a box; no other thread has the ring any more.
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

/// A number of a ring that has no task yet.
///
/// # Invariants
///
/// The thread that has the claim raised `tail` to `number`, and `slot` is the slot of that number.
#[must_use = "the ring stands still in front of a claim"]
pub(crate) struct Claim<'a, T> {
    slot: &'a Slot<T>,
    number: u64,
}

impl<T> Claim<'_, T> {
    /// Stores the task and returns the number. `make` gets the number before any thread can take the task, and must
    /// not panic.
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

/// The state of a task that has run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spent {
    /// The task may own something and is dropped.
    Owner,
    /// The task owns nothing, so it is not dropped, which saves time.
    Plain,
}

/// The right to run the tasks of a ring.
pub(crate) struct Runner<'a, T> {
    ring: &'a Ring<T>,
    /// The value of `completed` of the ring.
    completed: u64,
}

impl<T> Runner<'_, T> {
    /// Returns the number of complete tasks.
    #[inline]
    pub(crate) fn completed(&self) -> u64 {
        self.completed
    }

    /// Returns the slot of the next task, if the task has arrived.
    #[inline]
    fn next(&self) -> Option<&Slot<T>> {
        let number = self.completed + 1;
        let segment = self.ring.place(number).load(Ordering::Acquire);
        if segment.is_null() {
            return None;
        }
        // SAFETY: the segment exists until `number` is complete, and only this runner completes it.
        let segment = unsafe { &*segment };
        let slot = segment.slot(number);
        (slot.number.load(Ordering::Acquire) == number).then_some(slot)
    }

    /// Calls `run` with the next task. `run` runs the task or returns the reason why it cannot run. After it has run,
    /// the task is complete, and it is dropped if `run` returns [`Spent::Owner`]. Returns `None` if there is no next
    /// task, or if it has not arrived yet.
    #[inline]
    pub(crate) fn step<B>(
        &mut self,
        run: impl FnOnce(&mut T) -> ControlFlow<B, Spent>,
    ) -> Option<ControlFlow<B, Spent>> {
        let slot = self.next()?;
        let ran = slot.task.with_mut(|task| {
            // SAFETY: the slot carries the number, so the task is initialised and belongs to this runner (the first
            // invariant); `&mut self` allows one access at a time.
            let task = unsafe { &mut *task };
            // SAFETY: the slot carries the number, so the task is initialised.
            let ran = run(unsafe { task.assume_init_mut() });
            if let ControlFlow::Continue(Spent::Owner) = ran {
                // SAFETY: the task is initialised, and the slot is cleared below, so it is dropped once.
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

    /// Removes the segment of the last task; all its tasks are complete.
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
