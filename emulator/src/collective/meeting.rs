//! Meetings: the parts of the ranks in one operation, and the tasks that wait for each other.

use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use ascendcl_sys::{ACL_ERROR_RT_FFTS_PLUS_TIMEOUT, aclError};

use super::movement::{Part, perform};
use super::world::{World, patience};
use crate::check::violated;
use crate::engine::engine;
use crate::engine::queue::{Blocked, Stream};
use crate::engine::task::{Fault, Point};
use crate::engine::work::{Others, Work};
use crate::observe::violation::What;
use crate::sync::lock;

/// An operation of some ranks.
#[derive(Debug)]
pub(super) struct Meeting {
    seats: Mutex<Seats>,
    parts: usize,
    taken: AtomicUsize,
}

#[derive(Debug, Default)]
struct Seats {
    seats: Vec<Option<Seat>>,
    /// The result, once the memory was moved or the operation was given up.
    outcome: Option<Result<(), aclError>>,
}

#[derive(Debug)]
struct Seat {
    part: Part,
    /// The task of the part.
    at: Point,
    /// Whether the stream has reached the task.
    arrived: bool,
}

impl Meeting {
    pub(super) fn new(parts: usize) -> Meeting {
        Meeting {
            seats: Mutex::default(),
            parts,
            taken: AtomicUsize::new(0),
        }
    }

    /// Counts a part that takes the meeting, and returns whether it is the last one.
    pub(super) fn is_last(&self) -> bool {
        self.taken.fetch_add(1, Ordering::Relaxed) + 1 >= self.parts
    }

    fn lock(&self) -> MutexGuard<'_, Seats> {
        let mut seats = lock(&self.seats);
        if seats.seats.is_empty() {
            seats.seats.resize_with(self.parts, || None);
        }
        seats
    }

    /// Adds the part of a rank, which is the task of this number.
    fn sit(&self, slot: usize, part: Part, at: Point) {
        if let Some(seat) = self.lock().seats.get_mut(slot) {
            *seat = Some(Seat {
                part,
                at,
                arrived: false,
            });
        }
    }

    /// Notes that the stream has reached the part.
    fn arrive(&self, slot: usize) {
        if let Some(Some(seat)) = self.lock().seats.get_mut(slot) {
            seat.arrived = true;
        }
    }

    /// Returns the task that is missing. The inner `None` stands for one that is not queued.
    fn missing(&self) -> Option<Option<Point>> {
        let seats = self.lock();
        if seats.outcome.is_some() {
            return None;
        }
        let mut missing = seats
            .seats
            .iter()
            .filter(|seat| seat.as_ref().is_none_or(|seat| !seat.arrived));
        let first = missing.next()?.as_ref();
        // A queued part can be helped; one that is not queued cannot.
        let queued = first.or_else(|| missing.find_map(Option::as_ref));
        Some(queued.map(|seat| seat.at))
    }

    /// Moves the memory, unless another part has done so, and returns the result for all.
    fn finish(&self) -> Result<(), aclError> {
        let mut seats = self.lock();
        if let Some(outcome) = seats.outcome {
            return outcome;
        }
        let parts: Vec<&Part> = seats
            .seats
            .iter()
            .flatten()
            .map(|seat| &seat.part)
            .collect();
        let outcome = perform(&parts).map_err(|Fault(code)| code);
        seats.outcome = Some(outcome);
        outcome
    }

    /// Ends the operation without success, unless it is over.
    pub(super) fn give_up(&self) -> bool {
        let mut seats = self.lock();
        let is_first = seats.outcome.is_none();
        if is_first {
            seats.outcome = Some(Err(ACL_ERROR_RT_FFTS_PLUS_TIMEOUT));
        }
        is_first
    }
}

/// A place of a rank in a meeting.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) meeting: Arc<Meeting>,
    pub(super) slot: usize,
    pub(super) part: Part,
}

/// The task of a rank: it is over when the operations are.
pub(super) struct Attend {
    call: &'static str,
    world: Arc<World>,
    places: Vec<(Arc<Meeting>, usize)>,
    since: Option<Instant>,
}

impl Attend {
    /// Makes the task of this number.
    pub(super) fn new(
        call: &'static str,
        world: Arc<World>,
        places: Vec<Place>,
        at: Point,
    ) -> Attend {
        let sit = |place: Place| {
            place.meeting.sit(place.slot, place.part, at);
            (place.meeting, place.slot)
        };
        Attend {
            call,
            world,
            places: places.into_iter().map(sit).collect(),
            since: None,
        }
    }

    fn give_up(&self) -> bool {
        let given_up = self.places.iter().map(|(meeting, _)| meeting.give_up());
        // Each one, not only the first that was open.
        given_up.fold(false, |any, one| any | one)
    }
}

impl Work for Attend {
    fn call(&self) -> &'static str {
        self.call
    }

    fn blocked(&mut self, stream: &'static Stream, _: u64) -> Option<(Blocked, Option<Instant>)> {
        for (meeting, slot) in &self.places {
            meeting.arrive(*slot);
        }
        let missing = self
            .places
            .iter()
            .find_map(|(meeting, _)| meeting.missing());
        let missing = missing?;
        let until = *self.since.get_or_insert_with(Instant::now) + patience();
        if until <= Instant::now() {
            if self.give_up() {
                violated(
                    self.call,
                    What::RankMissing,
                    format_args!(
                        "another rank did not make this operation in time; every rank has to make the same \
                         operations in the same order"
                    ),
                );
                self.world.fail();
            }
            return None;
        }
        let other = missing.filter(|(other, _)| !ptr::eq(*other, stream));
        let blocked = other.map_or(Blocked::Elsewhere, |(other, number)| {
            Blocked::Stream(other, number)
        });
        Some((blocked, Some(until)))
    }

    fn run(&mut self, _: &'static Stream, _: u64) -> Result<(), Fault> {
        let mut result = Ok(());
        for (meeting, _) in &self.places {
            // Each one, because the other ranks wait for it.
            result = result.and(meeting.finish());
        }
        // The other ranks wait for this result.
        engine().progress.announce();
        result.map_err(Fault)
    }

    fn abandon(&mut self) {
        if self.give_up() {
            self.world.fail();
        }
        engine().progress.announce();
    }

    /// No graph has such a task: streams that are captured are refused.
    fn again(&self) -> Box<dyn Work> {
        Box::new(Attend {
            call: self.call,
            world: Arc::clone(&self.world),
            places: Vec::new(),
            since: None,
        })
    }

    fn others(&self) -> Others {
        Others::Streams
    }
}
