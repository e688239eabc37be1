//! Numbers in device memory that order streams: which write ends which wait.
//!
//! Each write is a point. A wait that a write so far can end comes after all of those that can, so that no order is
//! missed that the program has; another one lasts until the first such write.

use crate::queue::Stream;
use crate::value::Goal;

use super::model::Checker;

/// Writes that are remembered.
const REMEMBERED: usize = 64;
/// What names of points begin with: no handle of the program does.
const TAG: usize = 0x57 << 56;

/// What is known about numbers in memory.
#[derive(Debug, Default)]
pub(super) struct Values {
    /// Names of points so far.
    named: usize,
    writes: Vec<Write>,
    /// Waits that nothing has ended, each with its point.
    waits: Vec<(Goal, usize)>,
}

#[derive(Debug, Clone, Copy)]
struct Write {
    address: usize,
    number: u64,
    point: usize,
}

impl Values {
    fn name(&mut self) -> usize {
        self.named += 1;
        TAG | self.named
    }
}

impl Checker {
    /// A write of a number was queued.
    pub(crate) fn value_written(
        &mut self,
        stream: &'static Stream,
        task: u64,
        address: usize,
        number: u64,
    ) {
        if self.values.writes.len() >= REMEMBERED {
            let oldest = self.values.writes.remove(0);
            self.forget_event(oldest.point);
        }
        let point = self.values.name();
        self.values.writes.push(Write {
            address,
            number,
            point,
        });
        self.recorded(stream, task, point);
        let ends = |(goal, _): &mut (Goal, usize)| goal.is_met_by(address, number);
        let ended: Vec<_> = self.values.waits.extract_if(.., ends).collect();
        for (_, point) in ended {
            self.recorded(stream, task, point);
        }
    }

    /// A stream waits for a number, from its next task on.
    pub(crate) fn value_awaited(&mut self, stream: &'static Stream, goal: Goal) {
        let ends = |write: &&Write| goal.is_met_by(write.address, write.number);
        let points: Vec<_> = self.values.writes.iter().filter(ends).collect();
        let mut points: Vec<_> = points.iter().map(|write| write.point).collect();
        if points.is_empty() {
            let point = self.values.name();
            self.order.create_flag(point);
            self.values.waits.push((goal, point));
            points.push(point);
        }
        for point in points {
            self.waits(stream, point);
        }
    }
}
