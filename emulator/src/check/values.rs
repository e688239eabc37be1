//! Numbers in device memory that order streams: the matching of writes to the waits that they end.
//!
//! Each write of `aclrtValueWrite` is a point in the order. If earlier writes can end a wait, the wait comes after
//! all of them, so the checker misses no order that the program has. Otherwise the wait lasts until the first such
//! write. The checker also knows the number that was in memory before all writes: a wait that this number ends comes
//! after nothing.
//!
//! The order after a wait is unknown in three cases: another task may have written the number, one write may have
//! replaced the number of another, or writes were forgotten. Then the stream is excused (`order`).

use crate::ordered::Ordered;
use crate::space::heap::Maker;
use crate::space::number::{Goal, contents};

use super::blocks;
use super::clock::{Clock, StreamId};
use super::shadow::Access;
use super::site::Site;
use super::state::{Checker, StreamSlot};
use super::usage::Usage;
use crate::results::list_of;

/// Maximum number of stored writes of one number.
const REMEMBERED: usize = 64;
/// Size of a number in bytes.
const SIZE: usize = size_of::<u64>();
/// The top byte of the names of points. No handle of the program has it.
const TAG: usize = 0x57 << 56;

/// The numbers in memory that the checker tracks.
#[derive(Debug, Default)]
pub(super) struct Values {
    /// The number of names of points so far.
    named: usize,
    /// The numbers, by address.
    cells: Ordered<Cell>,
}

/// A number in memory.
#[derive(Debug, Default)]
struct Cell {
    /// The number before the writes; `None` if the memory was never written.
    first: Option<u64>,
    /// Whether every task that may write the number is in `writes`.
    is_certain: bool,
    /// The last task of each stream that writes the number.
    writers: Clock,
    writes: Vec<Write>,
    /// Waits that no write has ended.
    waits: Vec<Open>,
}

#[derive(Debug, Clone, Copy)]
struct Write {
    number: u64,
    stream: StreamId,
    point: usize,
}

/// A wait that no write has ended.
#[derive(Debug, Clone, Copy)]
struct Open {
    goal: Goal,
    point: usize,
    /// Whether the stream of the wait has written another number before. That write may come after the one that ends
    /// the wait.
    is_after_own: bool,
}

/// The end of a wait: the points that it comes after.
enum Ends {
    /// The wait comes after these points; an empty list means after nothing.
    After(Vec<usize>),
    /// The wait lasts until a later write.
    Later { is_after_own: bool },
    /// The points are unknown.
    Unknown,
}

impl Values {
    fn name(&mut self) -> usize {
        self.named += 1;
        TAG | self.named
    }
}

impl Cell {
    /// Returns the end of a wait of a stream.
    fn ends(&self, goal: &Goal, stream: StreamId) -> Ends {
        let meets = |number| goal.is_met_by(goal.address(), number);
        let is_met_first = self.first.is_some_and(meets);
        let last = self.writes.last().map(|write| meets(write.number));
        let mut missing = self.writes.iter().filter(|write| !meets(write.number));
        let ending = self.writes.iter().filter(|write| meets(write.number));
        let points = list_of(ending.map(|write| write.point));
        match last {
            _ if !self.is_certain => Ends::Unknown,
            _ if is_met_first && missing.next().is_none() => Ends::After(Vec::new()),
            Some(true) => Ends::After(points),
            // Another write has replaced the number, before the wait or after it.
            Some(false) if is_met_first || !points.is_empty() => Ends::Unknown,
            _ => Ends::Later {
                is_after_own: missing.any(|write| write.stream == stream),
            },
        }
    }
}

/// Returns whether a task is a write of a number or a wait for one.
fn is_value(site: &Site) -> bool {
    site.call().starts_with("aclrtValue")
}

impl Checker {
    /// Called when the write of a number is queued.
    pub(crate) fn value_written(
        &mut self,
        stream: StreamSlot,
        task: u64,
        address: usize,
        number: u64,
    ) {
        self.open_value(address);
        let id = self.stream(stream);
        let point = self.values.name();
        let Some(cell) = self.values.cells.get_mut(address) else {
            return;
        };
        cell.writers.raise(id, task);
        cell.writes.push(Write {
            number,
            stream: id,
            point,
        });
        let met = |wait: &mut Open| wait.goal.is_met_by(address, number);
        let ended = list_of(cell.waits.extract_if(.., met));
        let forgotten = (cell.writes.len() > REMEMBERED).then(|| cell.writes.remove(0).point);
        self.recorded(stream, task, point);
        for wait in ended {
            if wait.is_after_own {
                self.excuse_waits(vec![wait]);
            } else {
                self.recorded(stream, task, wait.point);
            }
        }
        if let Some(point) = forgotten {
            self.forget_event(point);
            self.doubt_value(address);
        }
    }

    /// Called when a stream waits for a number before its next task.
    pub(crate) fn value_awaited(&mut self, stream: StreamSlot, goal: Goal) {
        let address = goal.address();
        self.open_value(address);
        let id = self.stream(stream);
        let cell = self.values.cells.get(address);
        match cell.map_or(Ends::Unknown, |cell| cell.ends(&goal, id)) {
            Ends::After(points) => {
                for point in points {
                    self.waits(stream, point);
                }
            }
            Ends::Later { is_after_own } => {
                let point = self.values.name();
                self.order.create_flag(point);
                if let Some(cell) = self.values.cells.get_mut(address) {
                    cell.waits.push(Open {
                        goal,
                        point,
                        is_after_own,
                    });
                }
                self.waits(stream, point);
            }
            Ends::Unknown => {
                let placed = self.order.excuse(id);
                self.place(placed);
            }
        }
    }

    /// Called when a stream waits for a counter before its next task. What has changed the counter is not known.
    pub(crate) fn counter_awaited(&mut self, stream: StreamSlot) {
        let id = self.stream(stream);
        let placed = self.order.excuse(id);
        self.place(placed);
    }

    /// Called when a task or the host uses memory that can contain numbers.
    pub(super) fn values_touched(&mut self, work: &Usage, task: Option<(StreamId, u64)>) {
        let is_value = is_value(&work.site);
        for touch in &work.touches {
            let range = touch.range();
            if is_value {
                self.open_value(range.start);
                continue;
            }
            if !touch.write || range.is_empty() || self.values.cells.len() == 0 {
                continue;
            }
            let first = range.start.saturating_sub(SIZE - 1);
            let cells = self.values.cells.inside(&(first..range.end));
            for address in list_of(cells.map(|(address, _)| address)) {
                self.value_touched(address, task);
            }
        }
    }

    fn value_touched(&mut self, address: usize, task: Option<(StreamId, u64)>) {
        let Some(cell) = self.values.cells.get_mut(address) else {
            return;
        };
        if let Some((stream, number)) = task {
            cell.writers.raise(stream, number);
        } else if cell.waits.is_empty() && self.order.host().covers_all(&cell.writers) {
            // Earlier writes of the number end no wait any more.
            return self.close_value(address);
        }
        self.doubt_value(address);
    }

    /// Called before memory that can contain numbers is freed.
    pub(super) fn values_freed(&mut self, address: usize) {
        let size = self.blocks.at(address).map_or(0, |block| block.size);
        let cells = self.values.cells.inside(&(address..address + size));
        for address in list_of(cells.map(|(address, _)| address)) {
            self.close_value(address);
        }
    }

    /// Reads the number at an address, if all writes to it are over.
    fn open_value(&mut self, address: usize) {
        let known = self.values.cells.get(address);
        if known.is_some_and(|cell| {
            !cell.waits.is_empty() || !self.order.host().covers_all(&cell.writers)
        }) {
            return;
        }
        self.close_value(address);
        let range = address..address.saturating_add(SIZE);
        let host = self.order.host();
        let mut cell = Cell::default();
        if let blocks::Found::Inside(offset, block) = self.blocks.find(&range) {
            let inside = offset..offset + SIZE;
            let is_over = |access: &Access| {
                host.covers(access.stream, access.number) || is_value(&access.site)
            };
            let writer = block.shadow.conflict(&inside, false, &is_over);
            if let Some(writer) = writer {
                cell.writers.raise(writer.stream, writer.number);
            }
            cell.is_certain = writer.is_none() && block.kind != Maker::Imported && !self.shared;
            if block.shadow.unwritten(&inside).is_empty() {
                cell.first = contents(address);
            }
        }
        for (stream, work) in self.order.pending() {
            if !is_value(&work.site) && work.writes(&range) {
                // The number of the write is not known. The writer stays until the memory is freed.
                cell.writers.raise(stream, u64::MAX);
                cell.is_certain = false;
            }
        }
        self.values.cells.insert(address, cell);
    }

    /// Removes a number and excuses the streams that wait for it.
    fn close_value(&mut self, address: usize) {
        let Some(cell) = self.values.cells.remove(address) else {
            return;
        };
        for write in cell.writes {
            self.forget_event(write.point);
        }
        self.excuse_waits(cell.waits);
    }

    /// Marks that the write that ends a wait for a number is unknown.
    fn doubt_value(&mut self, address: usize) {
        if let Some(cell) = self.values.cells.get_mut(address) {
            cell.is_certain = false;
            let waits = std::mem::take(&mut cell.waits);
            self.excuse_waits(waits);
        }
    }

    fn excuse_waits(&mut self, waits: Vec<Open>) {
        for wait in waits {
            let placed = self.order.excuse_flag(wait.point);
            self.place(placed);
        }
    }
}
