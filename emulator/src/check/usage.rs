//! The memory accesses of a task, and those of the tasks of a graph, which run with the graph and not when they are
//! submitted.

use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::ops::Range;
use std::sync::Arc;

use super::access::missed;
use super::blocks::Found;
use super::handles::GRAPH;
use super::site::Site;
use super::state::{Checker, StreamSlot, Touch};
use crate::ordered::Ordered;
use crate::space::heap::Maker;

/// The memory accesses of a task or a call, and the call that makes them.
#[derive(Debug, Clone)]
pub(crate) struct Usage {
    pub(super) touches: Vec<Touch>,
    /// Whether each write copies the bytes of the read before it. Then unwritten bytes are copied as unwritten.
    pub(super) copies: bool,
    pub(super) site: Arc<Site>,
    /// The operator of a task group that makes the accesses; an update can exchange it. 0 for all other tasks.
    pub(super) operator: u64,
    /// Whether the task is an update, which gives that operator these accesses and makes none itself.
    pub(super) is_update: bool,
}

thread_local! {
    /// The accesses that the thread reports while it submits a task of a graph. Without a destructor it is also there for the calls of
    /// a thread that is ending.
    static KEEPING: ManuallyDrop<RefCell<Option<Vec<Usage>>>> = const { ManuallyDrop::new(RefCell::new(None)) };
}

/// Calls `make`, which submits a task of a graph, and returns the accesses that it reports to the checker.
pub(crate) fn keep<T>(make: impl FnOnce() -> T) -> (T, Option<Usage>) {
    KEEPING.with(|keeping| keeping.replace(Some(Vec::new())));
    let made = make();
    let told = KEEPING.with(|keeping| keeping.take());
    (made, told.and_then(|mut told| told.pop()))
}

impl Usage {
    pub(super) fn new(touches: Vec<Touch>, copies: bool, site: Arc<Site>) -> Usage {
        Usage {
            touches,
            copies,
            site,
            operator: 0,
            is_update: false,
        }
    }

    /// Returns an access that overlaps a range, preferably a write.
    pub(super) fn meets(&self, range: &Range<usize>) -> Option<&Touch> {
        let inside = |touch: &&Touch| {
            let own = touch.range();
            own.start < range.end && range.start < own.end
        };
        let touches = || self.touches.iter().filter(inside);
        touches().find(|touch| touch.write).or(touches().next())
    }

    /// Returns whether a write overlaps a range.
    pub(super) fn writes(&self, range: &Range<usize>) -> bool {
        self.meets(range).is_some_and(|touch| touch.write)
    }

    /// Sets the operator of a task group that makes the accesses.
    pub(crate) fn mark(&mut self, operator: u64) {
        self.operator = operator;
    }

    /// Stores the accesses of a task of a graph and returns `None`. Returns the accesses of other tasks.
    pub(super) fn or_kept(self) -> Option<Usage> {
        KEEPING.with(|keeping| match &mut *keeping.borrow_mut() {
            Some(told) => {
                told.push(self);
                None
            }
            None => Some(self),
        })
    }
}

/// Returns the present accesses of a task of a graph: an update may have exchanged them.
fn present<'a>(operators: &'a Ordered<Usage>, usage: &'a Usage) -> &'a Usage {
    operators.get(usage.operator as usize).unwrap_or(usage)
}

/// Hooks for graphs and their runs.
impl Checker {
    /// Called when a graph is created. For the order of its runs it is an object that each run changes.
    pub(crate) fn graph_created(&mut self, graph: usize, site: Arc<Site>) {
        self.allocate(graph, 1, Maker::Object, Arc::clone(&site));
        self.created(graph, GRAPH, site);
    }

    /// Called when a run of a graph is queued.
    pub(crate) fn runs(&mut self, graph: usize, stream: StreamSlot, number: u64, site: Arc<Site>) {
        self.uses_object(graph, stream, number, Arc::clone(&site));
        self.queued(stream, number, vec![Touch::write(graph, 1)], false, site);
    }

    /// Called when a run of a graph queues a task.
    pub(crate) fn repeated(&mut self, stream: StreamSlot, number: u64, usage: &Usage) {
        let usage = present(&self.operators, usage).clone();
        self.uses(stream, number, usage);
    }

    /// Called when a graph is complete, or has lost tasks. From now on the memory of its tasks has to live as long as the
    /// graph. Reports memory that was freed since it was recorded.
    pub(crate) fn completed(&mut self, graph: usize, tasks: Vec<Usage>) {
        self.forget_graph(graph);
        for task in tasks {
            self.alive(&task);
            self.graph_tasks.push((graph, task));
        }
    }

    /// Returns the accesses of a task of a graph to memory that the checker tracks, and reports memory that does not exist.
    fn alive(&mut self, task: &Usage) -> Usage {
        let work = self.tracked(task.clone());
        for touch in work.touches.iter().filter(|touch| touch.len > 0) {
            match self.blocks.find(&touch.range()) {
                Found::Inside(..) => {}
                miss => self.found.push(missed(miss, touch, &work)),
            }
        }
        work
    }

    /// Forgets the tasks of a graph that has ended.
    pub(super) fn forget_graph(&mut self, graph: usize) {
        self.graph_tasks.retain(|(of, _)| *of != graph);
    }

    /// Returns the call that has recorded a task of a graph which uses a range, and whether the task writes there.
    pub(super) fn graph_user(&self, range: &Range<usize>) -> Option<(Arc<Site>, bool)> {
        self.graph_tasks.iter().find_map(|(_, task)| {
            let task = present(&self.operators, task);
            let touch = task.meets(range)?;
            Some((Arc::clone(&task.site), touch.write))
        })
    }

    /// Called when an update of a task group is queued. When the update runs, the operator gets these accesses.
    pub(crate) fn exchanges(&mut self, stream: StreamSlot, number: u64, usage: &Usage) {
        let mut new = self.alive(usage);
        new.is_update = true;
        let stream = self.stream(stream);
        let exchange = |old: &mut Usage, new: &Usage| {
            if old.operator == new.operator {
                *old = Usage {
                    is_update: false,
                    ..new.clone()
                };
            }
        };
        let placed = self.order.change(stream, number, new, exchange);
        self.place(placed);
    }

    /// Applies an update of a task group whose turn has come.
    pub(super) fn exchanged(&mut self, mut usage: Usage) {
        usage.is_update = false;
        self.operators.insert(usage.operator as usize, usage);
    }

    /// Called when an operator of a task group cannot run any more.
    pub(crate) fn operator_ended(&mut self, operator: u64) {
        self.operators.remove(operator as usize);
    }

    /// Called when a task is queued that may run a task of a graph or not. The checker records only what is true in
    /// both cases: the memory is in use until the task is over. It does not count the memory as written.
    pub(crate) fn may_repeat(&mut self, stream: StreamSlot, number: u64, usage: &Usage) {
        let mut usage = present(&self.operators, usage).clone();
        // If memory was freed before, the task does not reach this use, or it fails.
        usage
            .touches
            .retain(|touch| matches!(self.blocks.find(&touch.range()), Found::Inside(..)));
        for touch in &mut usage.touches {
            touch.write = true;
            touch.dense = false;
            touch.scratch = false;
            touch.maybe = false;
        }
        self.queued(stream, number, usage.touches, false, usage.site);
    }

    /// Called when streams wait for another stream to complete the tasks up to `number`.
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
