//! The state of the runtime: what exists, what is queued, what has been waited for.

use std::collections::{BTreeMap, BTreeSet};

use super::counter::Counter;
use super::graph::Graph;
use super::kernel::Binary;
use super::media::{Tasks, What};
use super::pipeline::{Pipeline, Returned};
use super::pool::{Origin, Pool};
use super::ranks::{Action, Message};
use super::reserved::Reserved;
use super::settings::Cores;
use super::share::Shared;
use crate::program::{Flags, Kernel, Layout, Name, Operator};

/// For each stream, the number of its last task that is known to be over.
pub(crate) type Clock = BTreeMap<usize, u64>;

/// The records of a stream have a place of their own in a clock, this far behind that of its tasks.
pub(crate) const RECORDS: usize = 1 << 32;

/// Takes the later of both clocks.
pub(crate) fn join(clock: &mut Clock, other: &Clock) {
    for (stream, task) in other {
        let known = clock.entry(*stream).or_default();
        *known = (*known).max(*task);
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Device {
    pub(crate) slot: Option<u8>,
    pub(crate) id: u8,
    pub(crate) open: bool,
    pub(crate) stops: bool,
    /// The waits of its releases have a limit.
    pub(crate) limited: bool,
    /// It has had queues that no abort reaches.
    pub(crate) other_queues: bool,
    pub(crate) context: usize,
    /// The limit of its cores, as far as it is known.
    pub(crate) cores: Option<u8>,
    /// The number of blocks around the closure that gives the device its brand.
    pub(crate) brand_depth: usize,
    /// The rank that opened it.
    pub(crate) rank: usize,
}

#[derive(Debug, Clone)]
pub(crate) struct Context {
    pub(crate) device: usize,
    pub(crate) alive: bool,
    pub(crate) number: Option<u8>,
    /// The number of aborts of its streams.
    pub(crate) aborts: usize,
}

/// How a stream is named in types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    Name(u8),
    Default,
    Brand,
}

#[derive(Debug, Clone)]
pub(crate) struct Stream {
    pub(crate) context: usize,
    pub(crate) alive: bool,
    pub(crate) naming: Naming,
    /// The number of blocks around the closure that gives the stream its brand.
    pub(crate) brand_depth: usize,
    /// The number of tasks that were queued.
    pub(crate) tasks: u64,
    /// What the next task runs after.
    pub(crate) after: Clock,
    /// The last task whose success a wait has proven.
    pub(crate) proven: u64,
    /// The streams whose records it waits for, as far as no wait of the host has ended behind that, and whether it has taken
    /// memory over from them.
    pub(crate) waits: BTreeMap<usize, bool>,
    /// How often its work was dropped.
    pub(crate) aborts: usize,
    /// It waits for a record that was dropped.
    pub(crate) stuck: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) context: usize,
    pub(crate) alive: bool,
    pub(crate) flags: Flags,
    /// The stream of the last record, and what is over when it completes.
    pub(crate) recorded: Option<(usize, Clock)>,
    /// The record may have been dropped.
    pub(crate) dropped: bool,
}

/// Where memory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Page-locked memory that was allocated in a context.
    Host(usize),
    /// Memory of the device of a context.
    Device(usize),
    /// A `Vec`.
    Rust,
}

/// A use of memory by a task.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Use {
    pub(crate) stream: usize,
    pub(crate) task: u64,
    pub(crate) writes: bool,
    pub(crate) halves: u8,
}

#[derive(Debug, Clone)]
pub(crate) struct Memory {
    pub(crate) place: Place,
    /// The pool that it comes from.
    pub(crate) origin: Option<Origin>,
    pub(crate) alive: bool,
    /// The halves that were written.
    pub(crate) written: u8,
    /// The first number of each half, as far as it is known.
    pub(crate) numbers: [Option<i32>; 2],
    pub(crate) uses: Vec<Use>,
    /// The number of handles that share the memory; 0 for memory with one owner.
    pub(crate) shares: usize,
    /// The open scopes in which it is lent, and whether for writing.
    pub(crate) lent: Vec<(usize, bool)>,
}

/// Who holds memory, as the program has said it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hold {
    /// The host.
    Idle,
    /// A stream.
    Queued(usize),
}

/// What the memory handle is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Whole,
    Share,
    Part,
    ReadonlyPart,
    Lease { scope: usize },
    ReadonlyLease { scope: usize },
}

impl Form {
    pub(crate) fn is_part(self) -> bool {
        matches!(self, Form::Part | Form::ReadonlyPart)
    }

    pub(crate) fn is_lease(self) -> bool {
        matches!(self, Form::Lease { .. } | Form::ReadonlyLease { .. })
    }
}

/// Enabled access: work of the context uses memory of the peer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Access {
    pub(crate) context: usize,
    /// A device.
    pub(crate) peer: usize,
    /// The program has disabled it.
    pub(crate) disabled: bool,
}

/// The place of a rank in its communicator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seat {
    /// What all of its ranks have in common.
    pub(crate) world: Vec<usize>,
    pub(crate) rank: u8,
    pub(crate) size: u8,
}

impl Seat {
    /// The only rank of a communicator.
    pub(crate) fn alone(root: usize) -> Seat {
        Seat {
            world: vec![root],
            rank: 0,
            size: 1,
        }
    }
}

/// The name of a communicator, and of its part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) name: u8,
    pub(crate) part: Option<u8>,
}

/// The communicator of a rank.
#[derive(Debug, Clone)]
pub(crate) struct Comm {
    pub(crate) context: usize,
    pub(crate) alive: bool,
    /// Its name is taken on its device.
    pub(crate) claimed: bool,
    pub(crate) group: Group,
    /// The communicator of which it is a part.
    pub(crate) whole: Option<usize>,
    /// The thread that has it.
    pub(crate) thread: Option<usize>,
    /// The streams and tasks of its operations.
    pub(crate) uses: Vec<(usize, u64)>,
    pub(crate) place: Seat,
    /// The number of operations of all ranks.
    pub(crate) operations: usize,
    /// The number of messages of each direction, and of parts with each number.
    pub(crate) messages: BTreeMap<Message, usize>,
    pub(crate) parts: BTreeMap<u8, usize>,
}

/// A handle of memory.
#[derive(Debug, Clone)]
pub(crate) struct View {
    pub(crate) memory: usize,
    pub(crate) what: What,
    pub(crate) halves: u8,
    pub(crate) hold: Hold,
    pub(crate) form: Form,
    /// Nothing was written through a handle before.
    pub(crate) fresh: bool,
    /// The streams, with their last tasks, that have not proven the contents; the last one first.
    pub(crate) history: Vec<(usize, u64)>,
    /// It has left its stream, and its history is not verified.
    pub(crate) unverified: bool,
    /// Outside of the closure in which its stream has a brand.
    pub(crate) unbranded: bool,
}

/// The value of a variable.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Acl,
    /// `owned` is false for a token that a closure borrows.
    Thread {
        thread: usize,
        owned: bool,
    },
    Device(usize),
    Context(usize),
    Binding {
        context: usize,
        thread: usize,
        turn: usize,
    },
    /// `attached` is false for a stream that a closure borrows: it is not destroyed with the variable.
    Stream {
        stream: usize,
        thread: usize,
        turn: usize,
        attached: bool,
    },
    Parked {
        stream: usize,
        numbered: bool,
    },
    Event(usize),
    Point {
        event: usize,
    },
    Done {
        event: usize,
        stream: usize,
    },
    Memory(View),
    Fence {
        event: usize,
        record: Clock,
        stream: usize,
        view: View,
    },
    Proof {
        stream: usize,
        tasks: u64,
        drained: bool,
    },
    /// The wait for what a stream had to do, as a future.
    Synchronized {
        stream: usize,
        thread: usize,
        tasks: u64,
        record: Clock,
    },
    /// The end of the work on memory, as a future.
    Completed {
        stream: usize,
        record: Clock,
        view: View,
        /// How often the work of the stream was dropped before.
        aborts: usize,
    },
    Pipeline {
        pipeline: usize,
        thread: usize,
        turn: usize,
    },
    /// What a pipeline has returned, behind so many uses of it.
    Outcome {
        pipeline: usize,
        uses: usize,
        found: Returned,
    },
    Scope {
        scope: usize,
    },
    Plan {
        thread: usize,
        context: usize,
        reads: Vec<View>,
        writes: View,
        owns: bool,
        ran: bool,
        operator: Operator,
        layout: Layout,
    },
    Repeat {
        thread: usize,
        context: usize,
        operator: Operator,
        layout: Layout,
        /// Who holds the operands of its runs.
        hold: Hold,
    },
    Media,
    Pool(usize),
    Counter(usize),
    Shared(usize),
    Binary {
        binary: usize,
        context: usize,
        thread: usize,
        turn: usize,
    },
    Function {
        binary: usize,
        context: usize,
        thread: usize,
        kernel: Kernel,
    },
    Access(usize),
    Comm {
        comm: usize,
        thread: usize,
        hold: Hold,
        /// The stream whose operations are not verified.
        unverified: Option<usize>,
    },
    Seat {
        comm: usize,
    },
    Rank {
        comm: usize,
        number: u8,
    },
    Root {
        root: usize,
        size: u8,
    },
    Batch {
        comm: usize,
        thread: usize,
        hold: Hold,
        /// For each message the other rank, the memory, and whether it is received.
        messages: Vec<(u8, View, bool)>,
    },
    Hole(Option<Box<Variable>>),
}

/// The variables that a value borrows, and whether exclusively.
pub(crate) type Borrows = Vec<(Name, bool)>;

/// A variable.
#[derive(Debug, Clone)]
pub(crate) struct Variable {
    pub(crate) value: Value,
    pub(crate) borrows: Borrows,
    /// A borrow of it has ended.
    pub(crate) stale: bool,
    /// Its value was given away.
    pub(crate) gone: bool,
    /// The number of open closures in which it was declared, for brands.
    pub(crate) depth: usize,
}

#[derive(Debug, Clone)]
pub(crate) struct Thread {
    pub(crate) current: Option<usize>,
    pub(crate) turn: usize,
    pub(crate) claimed: bool,
    /// The limit that a stream gives its work.
    pub(crate) cores: Option<Cores>,
}

/// A block that was entered.
#[derive(Debug, Clone)]
pub(crate) struct Entered {
    /// The thread outside.
    pub(crate) thread: usize,
    /// The scope of the block, and its context.
    pub(crate) scope: Option<(usize, usize)>,
    /// The number of aborts in that context before the block.
    pub(crate) aborts: usize,
    /// The limit of the thread outside.
    pub(crate) cores: Option<Cores>,
    /// A `return` in the block ends the block alone.
    pub(crate) is_closure: bool,
    /// An error in the block ends the block alone.
    pub(crate) catches: bool,
    /// The rank outside.
    pub(crate) rank: usize,
    /// The number of ranks before the block.
    pub(crate) ranks: usize,
    /// The variables outside that the block borrows exclusively, and those that it lends to a scope outside.
    pub(crate) exclusive: BTreeSet<Name>,
    pub(crate) lent: BTreeSet<Name>,
}

/// Everything.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    pub(crate) finalized: bool,
    pub(crate) devices: Vec<Device>,
    pub(crate) contexts: Vec<Context>,
    pub(crate) streams: Vec<Stream>,
    pub(crate) events: Vec<Event>,
    pub(crate) memory: Vec<Memory>,
    pub(crate) threads: Vec<Thread>,
    pub(crate) accesses: Vec<Access>,
    pub(crate) comms: Vec<Comm>,
    pub(crate) pipelines: Vec<Pipeline>,
    pub(crate) binaries: Vec<Binary>,
    pub(crate) pools: Vec<Pool>,
    pub(crate) reserved: Vec<Reserved>,
    pub(crate) counters: Vec<Counter>,
    pub(crate) shared: Vec<Shared>,
    pub(crate) graphs: Vec<Graph>,
    /// The number of root informations, and the ranks and devices that have joined with each.
    pub(crate) roots: usize,
    pub(crate) joined: BTreeSet<(usize, u8)>,
    pub(crate) members: BTreeSet<(usize, usize)>,
    /// What each rank does that others may wait for. The first one is the program outside of ranks.
    pub(crate) actions: Vec<Vec<Action>>,
    /// The rank that runs the step.
    pub(crate) rank: usize,
    /// The devices to which ranks are bound.
    pub(crate) bound: BTreeMap<usize, usize>,
    /// The thread that runs the step.
    pub(crate) thread: usize,
    /// The tasks that the host knows to be over.
    pub(crate) over: Clock,
    /// Those of them for which a wait has succeeded, or has returned an error.
    pub(crate) awaited: Clock,
    pub(crate) variables: BTreeMap<Name, Variable>,
    /// The variables of each open block, in the order of their declaration.
    pub(crate) blocks: Vec<Vec<Name>>,
    /// For each open block but the first, what its end restores.
    pub(crate) entered: Vec<Entered>,
    /// The tasks behind the contents of pictures.
    pub(crate) pictures: BTreeMap<usize, Tasks>,
    /// The tasks of results that the program has taken without a proof, and those whose status it has read.
    pub(crate) accepted: BTreeSet<(usize, u64)>,
    pub(crate) checked: BTreeSet<(usize, u64)>,
    /// The media engine has an owner.
    pub(crate) media: bool,
    /// The number of scopes that were opened, and those that are open.
    pub(crate) scopes: usize,
    pub(crate) open_scopes: Vec<usize>,
}
