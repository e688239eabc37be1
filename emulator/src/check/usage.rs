//! The memory of tasks that run with their graph and not now.

use std::cell::RefCell;
use std::sync::Arc;

use super::blocks::Found;
use super::model::{Checker, StreamSlot, Touch, Work};
use super::site::Site;

/// What a task does with memory, and who submitted it.
#[derive(Debug, Clone)]
pub(crate) struct Usage {
    pub(super) touches: Vec<Touch>,
    pub(super) copies: bool,
    pub(super) site: Arc<Site>,
    /// Which operator of a task group does it, which an update exchanges; 0 for all others.
    pub(super) operator: u64,
}

thread_local! {
    /// While the thread submits a task that is kept: what it says of it.
    static KEEPING: RefCell<Option<Vec<Usage>>> = const { RefCell::new(None) };
}

/// Lets `make` submit a task that is kept, and gives what it tells the checker of it.
pub(crate) fn keep<T>(make: impl FnOnce() -> T) -> (T, Option<Usage>) {
    KEEPING.set(Some(Vec::new()));
    let made = make();
    (made, KEEPING.take().and_then(|mut told| told.pop()))
}

impl Usage {
    /// Says which operator of a task group does it.
    pub(crate) fn mark(&mut self, operator: u64) {
        self.operator = operator;
    }

    /// Takes what is told of a kept task; gives back what is told of others.
    pub(super) fn or_kept(self) -> Option<Usage> {
        KEEPING.with_borrow_mut(|keeping| match keeping {
            Some(told) => {
                told.push(self);
                None
            }
            None => Some(self),
        })
    }
}

/// Runs of graphs.
impl Checker {
    /// A kept task was queued.
    pub(crate) fn repeated(&mut self, stream: StreamSlot, number: u64, usage: &Usage) {
        let usage = self.at_present(usage);
        self.uses(stream, number, usage);
    }

    /// An update of a task group was queued. From its turn on the operator does this.
    pub(crate) fn exchanges(&mut self, stream: StreamSlot, number: u64, usage: &Usage) {
        let mut new = self.work(usage.clone());
        new.is_update = true;
        let stream = self.stream(stream);
        let exchange = |old: &mut Work, new: &Work| {
            if old.operator == new.operator {
                *old = Work {
                    is_update: false,
                    ..new.clone()
                };
            }
        };
        let placed = self.order.change(stream, number, new, exchange);
        self.place(placed);
    }

    /// The turn of an update has come.
    pub(super) fn exchanged(&mut self, work: Work) {
        let usage = Usage {
            touches: work.touches,
            copies: work.copies,
            site: work.site,
            operator: work.operator,
        };
        self.operators.insert(work.operator, usage);
    }

    /// Nobody runs an operator of a task group any more.
    pub(crate) fn operator_ended(&mut self, operator: u64) {
        self.operators.remove(&operator);
    }

    /// What a kept task does at present.
    fn at_present(&self, usage: &Usage) -> Usage {
        let exchanged = self.operators.get(&usage.operator);
        exchanged.unwrap_or(usage).clone()
    }

    /// A task was queued that may do the same as a kept one, or nothing. Only what is in any case true is said
    /// of that: the memory is in use until the task is over. Nobody learns from it what is in the memory.
    pub(crate) fn may_repeat(&mut self, stream: StreamSlot, number: u64, usage: &Usage) {
        let mut usage = self.at_present(usage);
        // Where it was freed before, the task does not come to it, or fails.
        usage
            .touches
            .retain(|touch| matches!(self.blocks.find(&touch.range()), Found::Inside(..)));
        for touch in &mut usage.touches {
            touch.write = true;
            touch.dense = false;
        }
        self.queued(stream, number, usage.touches, false, usage.site);
    }

    /// Streams wait for what another one has done up to this task.
    pub(crate) fn joins(
        &mut self,
        (of, number): (StreamSlot, u64),
        streams: impl IntoIterator<Item = StreamSlot>,
    ) {
        // No event has this handle.
        const MARK: usize = usize::MAX;
        self.recorded(of, number, MARK);
        for stream in streams {
            self.waits(stream, MARK);
        }
        self.forget_event(MARK);
    }
}
