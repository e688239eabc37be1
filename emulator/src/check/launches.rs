//! Launches of kernels of the program, which tell what memory they have used when they have run.
//!
//! The call that queues a launch shows pointers and no lengths. So the uses of a launch are uncertain at first
//! ([`Touch::maybe`]): they keep the memory in use, and nothing more. A use of another stream or of the host that the launch
//! is not ordered with is remembered with the launch. When the launch has run, its accesses are known to the byte, and the
//! mistake is reported if both have used the same byte.

use std::ops::Range;
use std::sync::Arc;

use super::blocks::{self, Block};
use super::clock::{Clock, StreamId};
use super::finding::Mistake;
use super::order::Placed;
use super::shadow::Access;
use super::site::Site;
use super::state::{Checker, StreamSlot, Touch, User};
use super::usage::Usage;
use crate::results::list_of;

/// Maximum number of launches that are remembered.
const REMEMBERED: usize = 1024;
/// Maximum number of uses that are remembered with a launch.
const MET: usize = 256;

/// A queued launch, or one that the host has not waited for.
#[derive(Debug)]
struct Launch {
    stream: StreamId,
    number: u64,
    /// The tasks that come before it.
    clock: Clock,
    site: Arc<Site>,
    /// The memory that it may use.
    ranges: Vec<Range<usize>>,
    /// The parts of it that nothing had written before.
    holes: Vec<Range<usize>>,
    /// The bytes that it has used, each with whether it has written them; `None` before it has run.
    exact: Option<Vec<(Range<usize>, bool)>>,
    /// The uses that it is not ordered with.
    met: Vec<Met>,
}

/// A use that a launch is not ordered with.
#[derive(Debug, Clone)]
struct Met {
    range: Range<usize>,
    write: bool,
    /// The stream; `None` for the host.
    stream: Option<StreamId>,
    site: Arc<Site>,
    /// Whether the use came after the launch.
    is_later: bool,
}

/// All launches, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Launches(Vec<Launch>);

impl Launches {
    fn find(&mut self, stream: StreamId, number: u64) -> Option<&mut Launch> {
        let mut all = self.0.iter_mut();
        all.find(|one| one.stream == stream && one.number == number)
    }
}

/// Returns the first byte that two lists of ranges share.
fn shared(one: &Range<usize>, other: &Range<usize>) -> Option<Range<usize>> {
    let both = one.start.max(other.start)..one.end.min(other.end);
    (!both.is_empty()).then_some(both)
}

impl Launch {
    /// Returns the bytes of a use that the launch has used too, with whether the launch has written them.
    fn conflict(&self, range: &Range<usize>, write: bool) -> Option<(Range<usize>, bool)> {
        let exact = self.exact.iter().flatten();
        let mut conflicts = exact.filter(|(_, own)| *own || write);
        conflicts.find_map(|(own, writes)| Some((shared(own, range)?, *writes)))
    }

    fn meet(&mut self, met: Met) {
        if self.met.len() < MET
            && self
                .ranges
                .iter()
                .any(|own| shared(own, &met.range).is_some())
        {
            self.met.push(met);
        }
    }
}

impl Checker {
    /// Called when the place of a task in the order is known. Remembers a launch.
    pub(super) fn launch_placed(&mut self, task: &Placed<()>, work: &Usage) {
        let maybe = list_of(work.touches.iter().filter(|touch| touch.maybe));
        if maybe.is_empty() || task.clock.is_excused() {
            return;
        }
        let host = self.order.host();
        let all = &mut self.launches.0;
        all.retain(|one| one.exact.is_none() || !host.covers(one.stream, one.number));
        if all.len() >= REMEMBERED {
            all.remove(0);
        }
        let mut launch = Launch {
            stream: task.stream,
            number: task.number,
            clock: task.clock.clone(),
            site: Arc::clone(&work.site),
            ranges: list_of(maybe.iter().map(|touch| touch.range())),
            holes: Vec::new(),
            exact: None,
            met: Vec::new(),
        };
        let met = |access: &Access, range: Range<usize>| Met {
            range,
            write: access.write,
            stream: Some(access.stream),
            site: Arc::clone(&access.site),
            is_later: false,
        };
        for range in launch.ranges.clone() {
            let blocks::Found::Inside(offset, block) = self.blocks.find(&range) else {
                continue;
            };
            let start = range.start - offset;
            let inside = offset..offset + range.len();
            let moved = |part: Range<usize>| start + part.start..start + part.end;
            launch
                .holes
                .extend(block.shadow.unwritten(&inside).into_iter().map(moved));
            let ordered = |other: &Access| {
                !other.dense
                    || other.stream == task.stream
                    || task.clock.covers(other.stream, other.number)
            };
            for (part, access) in block.shadow.conflicts(&inside, &ordered) {
                launch.meet(met(&access, moved(part)));
            }
        }
        self.launches.0.push(launch);
    }

    /// Called for a use of memory that is certain: a later use that a launch is not ordered with is remembered, or judged.
    pub(super) fn meet_launches(&mut self, user: User<'_>, touch: &Touch, site: &Arc<Site>) {
        if self.launches.0.is_empty() || !touch.dense {
            return;
        }
        let host = self.order.host();
        let met = Met {
            range: touch.range(),
            write: touch.write,
            stream: match user {
                User::Task(task) => Some(task.stream),
                User::Host | User::Function(_) => None,
            },
            site: Arc::clone(site),
            is_later: true,
        };
        let mut found = Vec::new();
        for launch in &mut self.launches.0 {
            let (stream, number) = (launch.stream, launch.number);
            let is_ordered = match user {
                User::Host => host.covers(stream, number),
                User::Function(within) => {
                    within.precedes(stream, number) || host.covers(stream, number)
                }
                User::Task(task) => {
                    task.stream == stream
                        || task.clock.is_excused()
                        || task.clock.covers(stream, number)
                }
            };
            if is_ordered {
                continue;
            }
            match launch.conflict(&met.range, met.write) {
                Some(conflict) => found.push((stream, Arc::clone(&launch.site), conflict)),
                None if launch.exact.is_none() => launch.meet(met.clone()),
                None => {}
            }
        }
        for (stream, launch, conflict) in found {
            self.accuse_launch(stream, &launch, &conflict, &met);
        }
    }

    /// Called when a launch begins. Returns the bytes of its memory that nothing had written before.
    pub(super) fn launch_begins(&mut self, slot: StreamSlot, number: u64) -> Vec<Range<usize>> {
        let stream = self.stream(slot);
        let launch = self.launches.find(stream, number);
        launch.map_or_else(Vec::new, |launch| launch.holes.clone())
    }

    /// Called when a launch has run, with the bytes that it has used, each with whether it has written them.
    pub(super) fn launch_ran(
        &mut self,
        slot: StreamSlot,
        number: u64,
        exact: &[(Range<usize>, bool)],
    ) {
        let stream = self.stream(slot);
        let Some(launch) = self.launches.find(stream, number) else {
            return;
        };
        launch.exact = Some(exact.to_vec());
        let (site, clock) = (Arc::clone(&launch.site), launch.clock.clone());
        let mut found = Vec::new();
        for met in std::mem::take(&mut launch.met) {
            if let Some(conflict) = launch.conflict(&met.range, met.write) {
                found.push((conflict, met));
            }
        }
        // Two launches: the one that has run last finds the other.
        for other in &self.launches.0 {
            let is_ordered = other.stream == stream
                || clock.covers(other.stream, other.number)
                || other.clock.covers(stream, number);
            if is_ordered {
                continue;
            }
            for (range, write) in exact {
                if let Some((both, writes)) = other.conflict(range, *write) {
                    let met = Met {
                        range: both.clone(),
                        write: writes,
                        stream: Some(other.stream),
                        site: Arc::clone(&other.site),
                        is_later: false,
                    };
                    found.push(((both, *write), met));
                    break;
                }
            }
        }
        // One is enough: the next ones are mostly the same mistake.
        if let Some((conflict, met)) = found.into_iter().next() {
            self.accuse_launch(stream, &site, &conflict, &met);
        }
    }

    /// Reports a launch and a use that nothing orders.
    fn accuse_launch(
        &mut self,
        stream: StreamId,
        site: &Arc<Site>,
        (both, writes): &(Range<usize>, bool),
        met: &Met,
    ) {
        let does = |write: bool| if write { "writes" } else { "reads" };
        let verb = |write: bool| if write { "write" } else { "read" };
        let (memory, allocated) = match self.blocks.find(both) {
            blocks::Found::Inside(_, block) => {
                (format!(" ({block})"), Some(Arc::clone(&block.allocated)))
            }
            _ => (String::new(), None),
        };
        let of = |stream: StreamId| format!(" on {}", self.name_of(stream));
        let bytes = format!("{} bytes at {:#x}{memory}", both.len(), both.start);
        let (mistake, text, mut sites) = match met.stream {
            None => (
                Mistake::NotSynchronised,
                format!(
                    "{} {} {bytes}, which a kernel of {} may still {}",
                    met.site.call(),
                    does(met.write),
                    self.name_of(stream),
                    verb(*writes)
                ),
                vec![
                    (verb(met.write), Arc::clone(&met.site)),
                    ("queued", Arc::clone(site)),
                ],
            ),
            Some(other) if met.is_later => (
                Mistake::Unordered,
                format!(
                    "{}{} {} {bytes}, which a kernel of {} may still {}",
                    met.site.call(),
                    of(other),
                    does(met.write),
                    self.name_of(stream),
                    verb(*writes)
                ),
                vec![
                    (verb(met.write), Arc::clone(&met.site)),
                    ("other", Arc::clone(site)),
                ],
            ),
            Some(other) => (
                Mistake::Unordered,
                format!(
                    "{}{} {} {bytes}, which a task of {} may still {}",
                    site.call(),
                    of(stream),
                    does(*writes),
                    self.name_of(other),
                    verb(met.write)
                ),
                vec![
                    (verb(*writes), Arc::clone(site)),
                    ("other", Arc::clone(&met.site)),
                ],
            ),
        };
        sites.extend(allocated.map(|allocated| ("allocated", allocated)));
        self.find(mistake, text, sites);
    }

    /// Returns the bytes from an address to the end that the program has asked for.
    pub(crate) fn room(&mut self, address: usize) -> Option<usize> {
        match self.blocks.find(&(address..address)) {
            blocks::Found::Inside(offset, block) => Some(block.size - offset),
            _ => None,
        }
    }
}

/// Enters an uncertain use into the shadow of its memory: the memory is in use, and may be written.
pub(super) fn may_touch(
    user: User<'_>,
    touch: &Touch,
    site: &Arc<Site>,
    block: &mut Block,
    inside: &Range<usize>,
) {
    if let User::Task(task) = user {
        let access = Access {
            stream: task.stream,
            number: task.number,
            write: touch.write,
            dense: false,
            scratch: false,
            after_function: false,
            site: Arc::clone(site),
        };
        block.shadow.may_use(inside, &access);
    }
}

/// Reports a mistake of a kernel, which the call `site` has launched.
pub(crate) fn kernel_found(mistake: Mistake, text: String, site: &Arc<Site>) {
    super::note(&|checker| {
        checker.find(mistake, text.clone(), vec![("launched", Arc::clone(site))]);
    });
}

/// Called when a launch begins. Returns the bytes of its memory that nothing had written before.
pub(crate) fn launch_begins(slot: StreamSlot, number: u64) -> Vec<Range<usize>> {
    let holes = std::cell::Cell::new(Vec::new());
    super::note(&|checker| holes.set(checker.launch_begins(slot, number)));
    holes.into_inner()
}

/// Called when a launch has run, with the bytes that it has used.
pub(crate) fn launch_ran(slot: StreamSlot, number: u64, exact: &[(Range<usize>, bool)]) {
    super::note(&|checker| checker.launch_ran(slot, number, exact));
}
