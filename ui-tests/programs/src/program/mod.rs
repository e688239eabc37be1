//! Programs: lists of steps with named operands, which the model interprets and the printer prints as Rust.

mod collective;
mod parameter;
mod worlds;

use std::fmt;

pub(crate) use collective::{Collective, Lengths};
pub(crate) use parameter::{Flags, Layout, Operator, Way, Which};
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
            Sort::Thread => "thread",
            Sort::Device => "device",
            Sort::Context => "context",
            Sort::Binding => "current",
            Sort::Stream => "stream",
            Sort::Parked => "parked",
            Sort::Event => "event",
            Sort::Point => "point",
            Sort::Done => "done",
            Sort::Memory => "memory",
            Sort::Fence => "fence",
            Sort::Proof => "proof",
            Sort::Scope => "scope",
            Sort::Plan => "plan",
            Sort::Access => "access",
            Sort::Comm => "comm",
            Sort::Seat => "seat",
            Sort::Rank => "rank",
            Sort::Root => "root",
            Sort::Batch => "batch",
            Sort::Media => "media",
            Sort::Repeat => "repeat",
            Sort::Hole => "hole",
        };
        write!(f, "{word}{}", self.number)
    }
}

/// The values of a program that its steps may use, each with all before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reach {
    /// One device at a time, without communicators.
    Alone,
    /// Pictures and channels of the media engine, and models.
    Media,
    /// Communicators with one rank.
    Comms,
    /// Communicators with several ranks, each a thread with a device.
    Ranks,
}

/// The kinds of steps. The comment gives operands `->` results; `?` marks results that only one of two forms has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
    /// -> thread
    Claim,
    /// acl thread -> device
    SetDevice {
        slot: u8,
        id: u8,
    },
    /// device -> device
    StopOnFailure,
    /// device thread -> context
    CreateContext {
        number: u8,
    },
    /// thread device -> binding
    Bind,
    /// thread context -> binding
    BindContext,
    /// device
    Reset,
    /// context
    DestroyContext,
    /// acl
    Finalize,
    /// binding
    SynchronizeDevice,
    /// binding -> stream
    CreateStream {
        name: u8,
    },
    /// binding -> stream
    DefaultStream,
    /// stream
    DestroyStream,
    /// stream -> proof
    Synchronize,
    /// stream -> proof
    Drain,
    /// stream
    Query,
    /// binding stream -> parked
    Park,
    /// binding parked -> stream
    Attach,
    /// binding -> parked
    CreateNumbered,
    /// memory -> memory
    Unbrand,
    /// stream memory -> memory
    Rebrand,
    /// binding -> memory
    Malloc,
    /// binding -> memory
    MallocHost,
    /// -> memory
    Vec,
    /// stream -> memory
    MallocOn,
    /// stream -> memory
    MallocHostOn,
    /// binding memory -> memory?
    Memset,
    /// binding memory memory -> memory?
    Memcpy,
    /// stream memory -> memory?
    MemsetAsync,
    /// stream memory memory -> memory?
    MemcpyAsync,
    /// memory
    Read,
    /// memory
    Write,
    /// memory
    Free,
    /// binding memory
    FreeWithDevSync,
    /// stream memory -> memory
    Adopt,
    /// proof memory -> memory
    Take,
    /// proof memory -> memory
    Verify,
    /// memory -> memory
    Accept,
    /// memory -> memory
    Share,
    /// memory -> memory
    CloneShare,
    /// memory -> memory
    TryUnwrap,
    /// memory -> memory memory
    Split,
    /// memory -> memory
    Slice,
    /// memory memory -> memory
    And,
    /// binding -> event
    CreateEvent(Flags),
    /// event
    DestroyEvent,
    /// stream event -> point
    Record,
    /// stream point
    Wait,
    /// point -> done
    SynchronizePoint,
    /// point
    QueryPoint,
    /// done done
    Elapsed,
    /// stream event memory -> fence
    Fence,
    /// stream fence -> memory event
    WaitFence,
    /// fence -> memory event
    SynchronizeFence,
    /// fence -> memory event
    CancelFence,
    /// stream fence -> memory
    WaitShared,
    /// stream stream event memory -> memory
    Handoff,
    /// scope memory -> memory
    Lend {
        exclusive: bool,
    },
    /// memory
    IntoInner,
    /// binding memory memory memory -> plan
    Plan {
        operator: Operator,
        fresh: bool,
        layout: Layout,
    },
    /// plan stream -> memory?
    Run,
    /// plan stream -> memory?
    Launch,
    /// binding plan -> repeat
    Repeatable,
    /// repeat stream memory memory memory -> memory?
    RunAgain {
        operator: Operator,
        layout: Layout,
    },
    /// repeat stream memory memory memory -> memory?
    LaunchAgain {
        operator: Operator,
        layout: Layout,
    },
    /// binding memory -> plan
    Find,
    /// binding memory
    Front,
    /// binding -> memory
    Load,
    /// memory stream memory memory -> memory?
    Infer,
    /// acl -> media
    Media,
    /// media binding -> memory
    Channel,
    /// media binding -> memory
    Picture,
    /// binding memory -> memory
    Paint,
    /// memory stream memory memory -> memory?
    Crop,
    /// memory -> memory
    Check,
    /// binding memory
    Pixels,
    /// binding device -> access
    EnablePeer,
    /// access
    DisablePeer,
    /// binding access memory memory
    MemcpyPeer,
    /// binding -> comm
    CommInit {
        name: u8,
    },
    /// binding -> root
    RootInfo {
        ranks: u8,
    },
    /// binding root -> comm
    CommJoin {
        name: u8,
        rank: u8,
    },
    /// binding, a device for each rank -> a seat for each
    CommInitAll {
        name: u8,
        ranks: u8,
    },
    /// binding seat -> comm
    CommAttach,
    /// comm -> comm
    SubComm {
        part: u8,
    },
    /// comm -> rank
    RankOf(Which),
    /// stream comm -> comm
    CommAdopt,
    /// proof comm -> comm
    CommTake,
    /// proof comm -> comm
    CommVerify,
    /// comm -> comm
    CommAccept,
    /// comm stream memory memory -> memory?
    Collective {
        kind: Collective,
    },
    /// comm stream memory
    InPlace,
    /// comm stream rank memory
    Broadcast,
    /// comm stream
    Barrier,
    /// comm stream rank memory
    Send,
    /// comm stream rank memory -> memory?
    Recv,
    /// comm stream rank memory rank memory -> memory?
    Exchange,
    /// comm -> batch
    Batch,
    /// batch rank memory
    BatchSend,
    /// batch rank memory
    BatchRecv,
    /// comm stream batch
    BatchRun,
    /// comm
    CommDestroy,
    /// stream
    HostFunc,
    /// stream memory
    HostFuncOn,
    /// stream memory
    HostFuncOwns,
    /// any
    Drop,
    /// any
    Forget,
    /// any -> any
    Through(Way),
    /// any any
    Swap,
    /// -> hole
    Hole,
    /// hole any
    Escape,
    Return,
    Fail,
    Closure,
    Catch,
    Repeat,
    Spawn,
    /// Threads that run at the same time: a block that has blocks of the kind `Rank` only.
    Ranks,
    /// One of these threads.
    Rank,
    /// binding -> [scope]
    Scope,
    /// binding -> [stream]
    WithStream,
    /// parked binding -> [stream]
    ParkedWith,
    /// acl thread -> [device thread]
    WithDevice {
        id: u8,
    },
}

impl Op {
    /// Whether the step has steps of its own, in a block of Rust.
    pub(crate) fn is_block(self) -> bool {
        matches!(
            self,
            Op::Closure
                | Op::Catch
                | Op::Repeat
                | Op::Spawn
                | Op::Ranks
                | Op::Rank
                | Op::Scope
                | Op::WithStream
                | Op::ParkedWith
                | Op::WithDevice { .. }
        )
    }

    /// Whether the step only shares this operand, which may be of use to several threads at once.
    fn shares(self, operand: usize) -> bool {
        match self {
            Op::SetDevice { .. } | Op::WithDevice { .. } | Op::CreateContext { .. } => operand == 0,
            Op::Bind | Op::CommJoin { .. } | Op::EnablePeer => operand == 1,
            Op::CommInitAll { .. } => operand > 0,
            Op::Media | Op::Channel | Op::Picture => operand == 0,
            _ => false,
        }
    }

    /// The name of the kind, for statistics.
    pub(crate) fn kind(self) -> String {
        let text = match self {
            Op::Collective { kind } => format!("{kind:?}"),
            other => format!("{other:?}"),
        };
        let end = text.find([' ', '(']).unwrap_or(text.len());
        text.get(..end).unwrap_or_default().to_owned()
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

    /// Whether a step makes a communicator.
    pub(crate) fn has_comms(&self) -> bool {
        fn has(steps: &[Step]) -> bool {
            let makes = |op| {
                matches!(
                    op,
                    Op::CommInit { .. } | Op::CommJoin { .. } | Op::CommInitAll { .. }
                )
            };
            steps.iter().any(|step| makes(step.op) || has(&step.body))
        }
        has(&self.steps)
    }

    /// Whether a step is of a kind with this name.
    pub(crate) fn has_kind(&self, kind: &str) -> bool {
        fn has(steps: &[Step], kind: &str) -> bool {
            let mut steps = steps.iter();
            steps.any(|step| step.op.kind() == kind || has(&step.body, kind))
        }
        has(&self.steps, kind)
    }

    /// Whether it has ranks that run at the same time.
    pub(crate) fn has_ranks(&self) -> bool {
        fn has(steps: &[Step]) -> bool {
            let mut steps = steps.iter();
            steps.any(|step| step.op == Op::Ranks || has(&step.body))
        }
        has(&self.steps)
    }

    /// Whether its ranks may be processes: they need nothing of each other but one root information.
    pub(crate) fn ranks_are_processes(&self) -> bool {
        fn count(steps: &[Step], kind: fn(Op) -> bool) -> usize {
            let own = steps.iter().filter(|step| kind(step.op)).count();
            own + steps
                .iter()
                .map(|step| count(&step.body, kind))
                .sum::<usize>()
        }
        let roots = count(&self.steps, |op| matches!(op, Op::RootInfo { .. }));
        let worlds = count(&self.steps, |op| op == Op::Ranks);
        let seats = count(&self.steps, |op| matches!(op, Op::CommInitAll { .. }));
        (roots, worlds, seats) == (1, 1, 0)
    }

    /// What its steps may use.
    pub(crate) fn reach(&self) -> Reach {
        match (self.has_ranks(), self.has_comms()) {
            (true, _) => Reach::Ranks,
            (false, true) => Reach::Comms,
            _ if self.has_kind("Media") || self.has_kind("Load") => Reach::Media,
            _ => Reach::Alone,
        }
    }

    /// The number of a name that no step gives.
    pub(crate) fn free_number(&self) -> u16 {
        fn largest(steps: &[Step]) -> u16 {
            let own = steps.iter().flat_map(|step| &step.to);
            let own = own.map(|name| name.number).max().unwrap_or(0);
            let inner = steps.iter().map(|step| largest(&step.body));
            inner.max().unwrap_or(0).max(own)
        }
        largest(&self.steps) + 1
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
    steps.iter().map(|step| 1 + count(&step.body)).sum()
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
