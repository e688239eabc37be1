//! Numbers in device memory that order streams: which write ends which wait.
//!
//! Each write of `aclrtValueWrite` is a point. A wait that a write so far can end comes after all of those that can, so
//! that no order is missed that the program has; another one lasts until the first such write. A number that stood there
//! before all of them is known, too: a wait that it ends comes after nothing.
//!
//! Where something else may have written the number, where one write may have undone another, or where writes were
//! forgotten, nobody can tell what a wait comes after, and its stream is excused.

use std::collections::BTreeMap;

use crate::space::heap::Kind;
use crate::space::number::{Goal, contents};

use super::blocks;
use super::clock::{Clock, StreamId};
use super::model::{Checker, StreamSlot, Work};
use super::shadow::Access;
use super::site::Site;

/// Writes of one number that are remembered.
const REMEMBERED: usize = 64;
/// Bytes of a number.
const SIZE: usize = size_of::<u64>();
/// What names of points begin with: no handle of the program does.
const TAG: usize = 0x57 << 56;

/// What is known about numbers in memory.
#[derive(Debug, Default)]
pub(super) struct Values {
    /// Names of points so far.
    named: usize,
    /// By address.
    cells: BTreeMap<usize, Cell>,
}

/// A number in memory.
#[derive(Debug, Default)]
struct Cell {
    /// What stood there before the writes; `None` where nobody had written.
    first: Option<u64>,
    /// Whether all that may write it is among the writes.
    is_certain: bool,
    /// The last task of each stream that writes it.
    writers: Clock,
    writes: Vec<Write>,
    /// Waits that nothing has ended.
    waits: Vec<Open>,
}

#[derive(Debug, Clone, Copy)]
struct Write {
    number: u64,
    stream: StreamId,
    point: usize,
}

/// A wait that nothing has ended.
#[derive(Debug, Clone, Copy)]
struct Open {
    goal: Goal,
    point: usize,
    /// Whether its own stream has written something else before, which a write that ends it may come before.
    is_after_own: bool,
}

/// What a wait comes after.
enum Ends {
    /// These points; none is nothing.
    After(Vec<usize>),
    /// A write that is still to come.
    Later { is_after_own: bool },
    /// Nobody knows.
    Unknown,
}

impl Values {
    fn name(&mut self) -> usize {
        self.named += 1;
        TAG | self.named
    }
}

impl Cell {
    /// What a wait of a stream comes after.
    fn ends(&self, goal: &Goal, stream: StreamId) -> Ends {
        let meets = |number| goal.is_met_by(goal.address(), number);
        let is_met_first = self.first.is_some_and(meets);
        let last = self.writes.last().map(|write| meets(write.number));
        let mut missing = self.writes.iter().filter(|write| !meets(write.number));
        let ending = self.writes.iter().filter(|write| meets(write.number));
        let points: Vec<_> = ending.map(|write| write.point).collect();
        match last {
            _ if !self.is_certain => Ends::Unknown,
            _ if is_met_first && missing.next().is_none() => Ends::After(Vec::new()),
            Some(true) => Ends::After(points),
            // Undone, before the wait or after it.
            Some(false) if is_met_first || !points.is_empty() => Ends::Unknown,
            _ => Ends::Later {
                is_after_own: missing.any(|write| write.stream == stream),
            },
        }
    }
}

/// Whether a task is a write or a wait of a number.
fn is_value(site: &Site) -> bool {
    site.call().starts_with("aclrtValue")
}

impl Checker {
    /// A write of a number was queued.
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
        let Some(cell) = self.values.cells.get_mut(&address) else {
            return;
        };
        cell.writers.raise(id, task);
        cell.writes.push(Write {
            number,
            stream: id,
            point,
        });
        let met = |wait: &mut Open| wait.goal.is_met_by(address, number);
        let ended: Vec<_> = cell.waits.extract_if(.., met).collect();
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

    /// A stream waits for a number, from its next task on.
    pub(crate) fn value_awaited(&mut self, stream: StreamSlot, goal: Goal) {
        let address = goal.address();
        self.open_value(address);
        let id = self.stream(stream);
        let cell = self.values.cells.get(&address);
        match cell.map_or(Ends::Unknown, |cell| cell.ends(&goal, id)) {
            Ends::After(points) => {
                for point in points {
                    self.waits(stream, point);
                }
            }
            Ends::Later { is_after_own } => {
                let point = self.values.name();
                self.order.create_flag(point);
                if let Some(cell) = self.values.cells.get_mut(&address) {
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

    /// A task or the host uses memory in which numbers may lie.
    pub(super) fn values_touched(&mut self, work: &Work, task: Option<(StreamId, u64)>) {
        let is_value = is_value(&work.site);
        for touch in &work.touches {
            let range = touch.range();
            if is_value {
                self.open_value(range.start);
                continue;
            }
            if !touch.write || range.is_empty() || self.values.cells.is_empty() {
                continue;
            }
            let first = range.start.saturating_sub(SIZE - 1);
            let cells = self.values.cells.range(first..range.end);
            for address in cells.map(|(address, _)| *address).collect::<Vec<_>>() {
                self.value_touched(address, task);
            }
        }
    }

    fn value_touched(&mut self, address: usize, task: Option<(StreamId, u64)>) {
        let Some(cell) = self.values.cells.get_mut(&address) else {
            return;
        };
        if let Some((stream, number)) = task {
            cell.writers.raise(stream, number);
        } else if cell.waits.is_empty() && self.order.host().covers_all(&cell.writers) {
            // A new beginning: nothing of before ends a wait.
            return self.close_value(address);
        }
        self.doubt_value(address);
    }

    /// Memory in which numbers may lie is about to be freed.
    pub(super) fn values_freed(&mut self, address: usize) {
        let size = self.blocks.at(address).map_or(0, |block| block.size);
        let cells = self.values.cells.range(address..address + size);
        for address in cells.map(|(address, _)| *address).collect::<Vec<_>>() {
            self.close_value(address);
        }
    }

    /// Looks what stands at an address, if all that wrote there is over.
    fn open_value(&mut self, address: usize) {
        let known = self.values.cells.get(&address);
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
            cell.is_certain = writer.is_none() && block.kind != Kind::Imported && !self.shared;
            if block.shadow.unwritten(&inside).is_empty() {
                cell.first = contents(address);
            }
        }
        for (stream, work) in self.order.pending() {
            if !is_value(&work.site) && work.writes(&range) {
                // Its number is not known: for ever, that is until the memory is freed.
                cell.writers.raise(stream, u64::MAX);
                cell.is_certain = false;
            }
        }
        self.values.cells.insert(address, cell);
    }

    /// Forgets a number, and excuses who waits for it.
    fn close_value(&mut self, address: usize) {
        let Some(cell) = self.values.cells.remove(&address) else {
            return;
        };
        for write in cell.writes {
            self.forget_event(write.point);
        }
        self.excuse_waits(cell.waits);
    }

    /// From now on, nobody knows what ends a wait for a number.
    fn doubt_value(&mut self, address: usize) {
        if let Some(cell) = self.values.cells.get_mut(&address) {
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
