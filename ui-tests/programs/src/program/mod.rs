//! Programs: lists of steps with named operands, which the model interprets and the printer prints as Rust.

mod collective;
mod graph;
mod op;
mod parameter;
mod worlds;

use std::fmt;
use std::str::FromStr;

pub(crate) use collective::{Collective, Lengths};
pub(crate) use graph::{Beside, Halt, Part, Record, Records, Shape, With, third};
pub(crate) use op::{Family, Op};
pub(crate) use parameter::{Flags, Kernel, Layout, Middle, Operator, Passed, Way, Which};
use worlds::has_worlds;

/// What a name stands for. A step takes operands of certain sorts, and a mutation replaces an operand by one of the
/// same sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Sort {
    Acl,
    Thread,
    Device,
    Context,
    Binding,
    Stream,
    Parked,
    Event,
    /// A recorded point in the work of a stream.
    Point,
    /// A point that the host has waited for.
    Done,
    /// Memory in any state: idle, queued, shared, lent, a part, a result that nothing has verified.
    Memory,
    Fence,
    /// The result of a wait for a stream.
    Proof,
    /// The wait for a stream, as a future.
    Synchronized,
    /// The end of the work on memory, as a future.
    Completed,
    Pipeline,
    /// A result of a pipeline, if it has returned one.
    Outcome,
    Scope,
    Plan,
    /// Enabled access from one device to another.
    Access,
    /// A communicator, idle or queued.
    Comm,
    /// A communicator that no thread has yet.
    Seat,
    /// A rank of a communicator.
    Rank,
    /// The information by which ranks find each other.
    Root,
    /// Messages that are queued together.
    Batch,
    /// The first interface of the media engine.
    Media,
    /// A plan that runs several times.
    Repeat,
    /// A loaded binary of kernels.
    Binary,
    /// Memory that streams allocate from.
    Pool,
    /// A number that streams change and wait for.
    Counter,
    /// An event for other processes.
    Shared,
    /// A kernel of a binary.
    Function,
    /// A variable outside of a block for a value inside.
    Hole,
}

/// The name of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Name {
    pub(crate) sort: Sort,
    pub(crate) number: u16,
}

/// The parameter of each program.
pub(crate) const ACL: Name = Name {
    sort: Sort::Acl,
    number: 0,
};

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.sort {
            Sort::Acl => return f.write_str("acl"),
            Sort::Binding => "current".to_owned(),
            sort => format!("{sort:?}").to_lowercase(),
        };
        write!(f, "{word}{}", self.number)
    }
}

/// The values of a program that its steps may use, each with all before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reach {
    /// One device at a time, without communicators.
    Alone,
    /// One device with a limit for each wait.
    Within,
    /// Pools. About half of the programs have a limit for each wait.
    Pools,
    /// Memory that grows. About a third of the programs have a limit for each wait.
    Reserved,
    /// Counters. About a third of the programs have a limit for each wait.
    Counters,
    /// Memory and events for other processes. About a third of the programs have a limit for each wait.
    Shares,
    /// Limits of cores, and sizes of devices.
    Settings,
    /// Kernels of a binary. About half of the programs have a limit for each wait.
    Kernels,
    /// Graphs.
    Graphs,
    /// Pictures and channels of the media engine, and models.
    Media,
    /// Communicators with one rank.
    Comms,
    /// Communicators with several ranks, each a thread with a device.
    Ranks,
}

impl Reach {
    /// All of them by their names.
    const NAMES: [(&str, Reach); 12] = [
        ("alone", Reach::Alone),
        ("limits", Reach::Within),
        ("pools", Reach::Pools),
        ("reserved", Reach::Reserved),
        ("counters", Reach::Counters),
        ("shares", Reach::Shares),
        ("settings", Reach::Settings),
        ("kernels", Reach::Kernels),
        ("graphs", Reach::Graphs),
        ("media", Reach::Media),
        ("comms", Reach::Comms),
        ("ranks", Reach::Ranks),
    ];
}

impl FromStr for Reach {
    type Err = String;

    fn from_str(name: &str) -> Result<Reach, String> {
        let known = Reach::NAMES.iter().find(|(known, _)| *known == name);
        let names = || Reach::NAMES.map(|(known, _)| known).join(", ");
        let unknown = || format!("the kinds of programs are {}", names());
        known.map(|(_, reach)| *reach).ok_or_else(unknown)
    }
}

/// A step of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) op: Op,
    /// The operands.
    pub(crate) of: Vec<Name>,
    /// The results. Those of a block are visible in the block only.
    pub(crate) to: Vec<Name>,
    /// The steps in the block.
    pub(crate) body: Vec<Step>,
}

impl Step {
    /// A step without a block.
    pub(crate) fn new(op: Op, of: &[Name], to: &[Name]) -> Step {
        Step {
            op,
            of: of.to_vec(),
            to: to.to_vec(),
            body: Vec::new(),
        }
    }

    /// A step whose results have the numbers from this one on.
    pub(crate) fn giving(op: Op, of: &[Name], free: u16) -> Step {
        let named = |(number, sort): (u16, &Sort)| Name {
            sort: *sort,
            number,
        };
        let to: Vec<Name> = (free..).zip(op.results()).map(named).collect();
        Step::new(op, of, &to)
    }
}

/// A program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Program {
    pub(crate) steps: Vec<Step>,
}

impl Program {
    /// Whether each operand is visible where it is used, and no name is given twice. Other programs are no Rust.
    pub(crate) fn is_resolved(&self) -> bool {
        let mut given = vec![ACL];
        resolved(&self.steps, &mut vec![ACL], &mut given) && has_worlds(&self.steps, false)
    }

    /// The number of steps, with those in blocks.
    pub(crate) fn len(&self) -> usize {
        count(&self.steps)
    }

    /// The number of steps, and of what they record.
    pub(crate) fn size(&self) -> usize {
        let recorded = |step: &&Step| {
            let records = step.op.records().into_iter().flatten();
            records.filter(|record| *record != Record::Nothing).count()
        };
        let all = with_inner(&self.steps);
        all.len() + all.iter().map(recorded).sum::<usize>()
    }

    /// The number of steps that are like this, with those in blocks.
    fn count_of(&self, is_like: impl Fn(Op) -> bool) -> usize {
        let all = with_inner(&self.steps).into_iter();
        all.filter(|step| is_like(step.op)).count()
    }

    /// Whether a step makes a communicator.
    pub(crate) fn has_comms(&self) -> bool {
        let makes = |op| {
            matches!(
                op,
                Op::CommInit { .. } | Op::CommJoin { .. } | Op::CommInitAll { .. }
            )
        };
        self.count_of(makes) > 0
    }

    /// Whether a step is of a kind with this name.
    pub(crate) fn has_kind(&self, kind: &str) -> bool {
        self.count_of(|op| op.kind() == kind) > 0
    }

    /// Whether a step records a graph.
    pub(crate) fn has_graphs(&self) -> bool {
        self.has_kind("Capture") || self.has_kind("CaptureFails")
    }

    /// Whether a step sets or reads a number of cores, or sets a size of devices.
    pub(crate) fn has_settings(&self) -> bool {
        let mut kinds = ["SetSize", "LimitCores", "SeeCores", "WithCores"].iter();
        kinds.any(|kind| self.has_kind(kind))
    }

    /// Whether it has ranks that run at the same time.
    pub(crate) fn has_ranks(&self) -> bool {
        self.count_of(|op| op == Op::Ranks) > 0
    }

    /// Whether its ranks may be processes: they need nothing of each other but one root information.
    pub(crate) fn ranks_are_processes(&self) -> bool {
        let roots = self.count_of(|op| matches!(op, Op::RootInfo { .. }));
        let worlds = self.count_of(|op| op == Op::Ranks);
        let seats = self.count_of(|op| matches!(op, Op::CommInitAll { .. }));
        (roots, worlds, seats) == (1, 1, 0)
    }

    /// What its steps may use.
    pub(crate) fn reach(&self) -> Reach {
        match (self.has_ranks(), self.has_comms()) {
            (true, _) => Reach::Ranks,
            (false, true) => Reach::Comms,
            _ if self.has_kind("Media") || self.has_kind("Load") => Reach::Media,
            _ if self.has_graphs() => Reach::Graphs,
            _ if self.has_kind("LoadBinary") => Reach::Kernels,
            _ if self.has_kind("CreatePool") => Reach::Pools,
            _ if self.has_kind("ReserveMem") => Reach::Reserved,
            _ if self.has_kind("CreateCounter") => Reach::Counters,
            _ if self.has_kind("Export") || self.has_kind("CreateShared") => Reach::Shares,
            _ if self.has_kind("ToDlpack") => Reach::Shares,
            _ if self.has_settings() => Reach::Settings,
            _ if self.has_kind("Limit") => Reach::Within,
            _ => Reach::Alone,
        }
    }

    /// The number of a name that no step gives.
    pub(crate) fn free_number(&self) -> u16 {
        let all = with_inner(&self.steps).into_iter();
        let names = all.flat_map(|step| &step.to);
        names.map(|name| name.number).max().unwrap_or(0) + 1
    }

    /// Calls `f` for each list of steps, with the position of its block.
    pub(crate) fn blocks(&self) -> Vec<Vec<usize>> {
        fn walk(steps: &[Step], at: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
            found.push(at.clone());
            for (index, step) in steps.iter().enumerate() {
                if step.op.is_block() {
                    at.push(index);
                    walk(&step.body, at, found);
                    at.pop();
                }
            }
        }
        let mut found = Vec::new();
        walk(&self.steps, &mut Vec::new(), &mut found);
        found
    }

    /// The steps of a block.
    pub(crate) fn block(&mut self, at: &[usize]) -> Option<&mut Vec<Step>> {
        let mut steps = &mut self.steps;
        for index in at {
            steps = &mut steps.get_mut(*index)?.body;
        }
        Some(steps)
    }
}

/// The number of steps, with those in blocks.
pub(crate) fn count(steps: &[Step]) -> usize {
    with_inner(steps).len()
}

/// The steps, with those in blocks.
pub(crate) fn with_inner(steps: &[Step]) -> Vec<&Step> {
    let mut all = Vec::new();
    for step in steps {
        all.push(step);
        all.extend(with_inner(&step.body));
    }
    all
}

fn resolved(steps: &[Step], visible: &mut Vec<Name>, given: &mut Vec<Name>) -> bool {
    let outside = visible.len();
    for step in steps {
        if !step.of.iter().all(|name| visible.contains(name)) {
            return false;
        }
        if step.to.iter().any(|name| given.contains(name)) {
            return false;
        }
        given.extend(&step.to);
        let before = visible.len();
        visible.extend(&step.to);
        if step.op.is_block() {
            if !resolved(&step.body, visible, given) {
                return false;
            }
            visible.truncate(before);
        }
    }
    visible.truncate(outside);
    true
}
