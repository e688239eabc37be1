//! How often the kinds of steps are tried, and with which parameters.

use crate::program::{
    Collective, Flags, Kernel, Layout, Lengths, Middle, Op, Operator, Passed, Reach, Record, Shape,
    Way, Which, With,
};
use crate::random::Random;

const PLAN: Op = Op::Plan {
    operator: Operator::Add,
    fresh: false,
    layout: Layout::Whole,
};
const AGAIN: Op = Op::RunAgain {
    operator: Operator::Add,
    layout: Layout::Whole,
};
const LAUNCH_AGAIN: Op = Op::LaunchAgain {
    operator: Operator::Add,
    layout: Layout::Whole,
};
const PIPELINE: Op = Op::Pipeline {
    lanes: 2,
    carries: false,
};
const PUSH: Op = Op::Push {
    middle: Middle::Copy,
    number: 3,
};
const RUN_BATCHES: Op = Op::RunBatches {
    middle: Middle::Copy,
    number: 3,
    batches: 4,
    stops: false,
};
const CHANGE: Op = Op::LaunchKernel {
    kernel: Kernel::Change,
    passed: Passed::Declared,
    number: 2,
};
const FIND: Op = Op::FindKernel {
    kernel: Kernel::Change,
};
const CAPTURE: Op = Op::Capture {
    shape: Shape::Tuple,
    with: With::Nothing,
    records: [Record::Nothing; 4],
};
const CAPTURE_FAILS: Op = Op::CaptureFails {
    shape: Shape::Tuple,
    with: With::Nothing,
    panics: false,
    records: [Record::Nothing; 4],
};
const ALSO: Op = Op::Also {
    with: With::Nothing,
    records: [Record::Nothing; 4],
};
const RUN: Op = Op::LaunchGraph { number: 0 };
const UPDATE: Op = Op::UpdateGraph {
    number: 2,
    to: 0,
    from: 1,
};
const ALL_REDUCE: Op = Op::Collective {
    kind: Collective::AllReduce,
};

/// The kinds of steps, with how often they are tried.
const WEIGHTS: &[(usize, Op)] = &[
    (1, Op::Claim),
    (8, Op::SetDevice { slot: 0, id: 0 }),
    (1, Op::StopOnFailure),
    (1, Op::CreateContext { number: 1 }),
    (8, Op::Bind),
    (6, Op::BindContext),
    (1, Op::Reset),
    (1, Op::DestroyContext),
    (1, Op::Finalize),
    (5, Op::SynchronizeDevice),
    (6, Op::CreateStream { name: 0 }),
    (1, Op::DefaultStream),
    (2, Op::DestroyStream),
    (24, Op::Synchronize),
    (2, Op::Drain),
    (1, Op::Query),
    (3, Op::Park),
    (20, Op::Attach),
    (2, Op::CreateNumbered),
    (60, Op::Unbrand),
    (60, Op::Rebrand),
    (8, Op::Malloc),
    (8, Op::MallocHost),
    (2, Op::Vec),
    (14, Op::MallocOn),
    (14, Op::MallocHostOn),
    (8, Op::Memset),
    (60, Op::Memcpy),
    (12, Op::MemsetAsync),
    (160, Op::MemcpyAsync),
    (12, Op::Read),
    (8, Op::Write),
    (6, Op::Free),
    (1, Op::FreeWithDevSync),
    (24, Op::Adopt),
    (120, Op::Take),
    (200, Op::Verify),
    (60, Op::Accept),
    (6, Op::Share),
    (20, Op::CloneShare),
    (60, Op::TryUnwrap),
    (6, Op::Split),
    (6, Op::Slice),
    (10, Op::And),
    (16, Op::CreateEvent(Flags::Order)),
    (1, Op::DestroyEvent),
    (16, Op::Record),
    (80, Op::Wait),
    (30, Op::SynchronizePoint),
    (1, Op::QueryPoint),
    (100, Op::Elapsed),
    (24, Op::Fence),
    (80, Op::WaitFence),
    (50, Op::SynchronizeFence),
    (6, Op::CancelFence),
    (100, Op::WaitShared),
    (100, Op::Handoff),
    (200, Op::Lend { exclusive: true }),
    (10, Op::IntoInner),
    (2, Op::Synchronized),
    (20, Op::PollSynchronized),
    (40, Op::AwaitSynchronized),
    (8, Op::Completed),
    (20, Op::PollCompleted),
    (40, Op::AwaitCompleted),
    (30, Op::TryCompleted),
    (2, PIPELINE),
    (40, PUSH),
    (10, Op::PushPanics),
    (20, Op::Pop),
    (60, Op::Compare),
    (20, RUN_BATCHES),
    (120, PLAN),
    (300, Op::Run),
    (300, Op::Launch),
    (200, Op::Repeatable),
    (300, AGAIN),
    (300, LAUNCH_AGAIN),
    (12, Op::Find),
    (40, Op::Front),
    (2, Op::HostFunc),
    (10, Op::HostFuncOn),
    (3, Op::HostFuncOwns),
    (6, Op::Drop),
    (6, Op::Forget),
    (8, Op::Through(Way::Box)),
    (20, Op::Swap),
    (2, Op::Hole),
    (60, Op::Escape),
    (3, Op::Return),
    (2, Op::Fail),
    (6, Op::EnablePeer),
    (4, Op::DisablePeer),
    (60, Op::MemcpyPeer),
    (2, Op::Closure),
    (2, Op::Catch),
    (3, Op::Repeat),
    (2, Op::Spawn),
    (10, Op::Scope),
    (5, Op::WithStream),
    (30, Op::ParkedWith),
    (3, Op::WithDevice { id: 0 }),
];

/// The kinds of steps with limits, with how often they are tried in programs that have them.
const LIMIT_WEIGHTS: &[(usize, Op)] = &[
    (1, Op::Limit),
    (24, Op::SynchronizeWithin),
    (4, Op::TryWithin),
    (10, Op::Abort),
    (50, Op::SynchronizeFenceWithin),
];

/// The kinds of steps with pools, with how often they are tried in programs that have them.
const POOL_WEIGHTS: &[(usize, Op)] = &[
    (2, Op::CreatePool),
    (60, Op::MallocFrom),
    (16, Op::DestroyPool),
    (20, Op::Drop),
];

/// The kinds of steps with kernels, with how often they are tried in programs that have them.
const KERNEL_WEIGHTS: &[(usize, Op)] = &[
    (6, Op::LoadBinary),
    (40, FIND),
    (400, CHANGE),
    (10, Op::Unload),
];

/// The kinds of steps with graphs, with how often they are tried in programs that have them.
const GRAPH_WEIGHTS: &[(usize, Op)] = &[
    (60, CAPTURE),
    (10, CAPTURE_FAILS),
    (60, ALSO),
    (300, RUN),
    (80, UPDATE),
    (60, Op::FillPart(0)),
    (80, Op::ReadPart(0)),
    (60, Op::WritePart(0)),
    (80, Op::SeePart(0)),
    (40, Op::SetPart(0)),
    (30, Op::DestroyGraph),
];

/// The kinds of steps with pictures and models, with how often they are tried in programs that have them.
const MEDIA_WEIGHTS: &[(usize, Op)] = &[
    (1, Op::Media),
    (4, Op::Channel),
    (20, Op::Picture),
    (30, Op::Paint),
    (300, Op::Crop),
    (200, Op::Check),
    (60, Op::Pixels),
    (4, Op::Load),
    (200, Op::Infer),
];

/// The kinds of steps with communicators, with how often they are tried in programs that have communicators.
const COMM_WEIGHTS: &[(usize, Op)] = &[
    (4, Op::CommInit { name: 0 }),
    (3, Op::CommInitAll { name: 0, ranks: 1 }),
    (40, Op::CommAttach),
    (10, Op::SubComm { part: 0 }),
    (6, Op::RankOf(Which::Own)),
    (40, Op::CommAdopt),
    (80, Op::CommTake),
    (80, Op::CommVerify),
    (40, Op::CommAccept),
    (300, ALL_REDUCE),
    (80, Op::InPlace),
    (80, Op::Broadcast),
    (20, Op::Barrier),
    (6, Op::CommDestroy),
];

/// The kinds of steps between ranks, with how often they are tried in programs that have several.
const RANK_WEIGHTS: &[(usize, Op)] = &[
    (300, Op::Exchange),
    (60, Op::Batch),
    (60, Op::BatchSend),
    (60, Op::BatchRecv),
    (60, Op::BatchRun),
];

/// What usually follows a step: some chains of kinds.
pub(crate) fn followers(op: Op) -> &'static [&'static [Op]] {
    match op {
        Op::Handoff | Op::WaitFence => &[
            &[
                Op::Synchronize,
                Op::Take,
                Op::Synchronize,
                Op::Verify,
                Op::Read,
                Op::Memcpy,
            ],
            &[Op::Synchronize, Op::Take, Op::Accept, Op::Read],
            &[Op::MemcpyAsync, Op::Synchronize, Op::Take],
            &[Op::Synchronize, Op::Take],
        ],
        Op::Fence => &[
            &[Op::SynchronizeFence, Op::Synchronize, Op::Verify, Op::Read],
            &[Op::WaitFence],
            &[Op::WaitShared, Op::CancelFence, Op::MemcpyAsync],
        ],
        Op::Abort => &[
            &[Op::Drain, Op::Take, Op::Accept, Op::Read],
            &[Op::MemsetAsync, Op::Drain, Op::Take, Op::Accept, Op::Free],
        ],
        Op::MemcpyAsync | Op::MemsetAsync | Op::HostFuncOn => &[
            &[Op::Synchronize, Op::Take, Op::Read],
            &[Op::Drain, Op::Take, Op::Synchronize, Op::Verify, Op::Free],
            &[Op::Handoff],
            &[Op::Fence],
            &[Op::Completed],
            &[Op::Synchronized],
        ],
        Op::Synchronized => &[
            &[Op::AwaitSynchronized, Op::Take, Op::Read],
            &[Op::PollSynchronized, Op::AwaitSynchronized, Op::Take],
        ],
        Op::Completed => &[
            &[Op::AwaitCompleted, Op::Synchronize, Op::Verify, Op::Read],
            &[Op::PollCompleted, Op::MemsetAsync, Op::AwaitCompleted],
            &[Op::AwaitCompleted, Op::Accept, Op::Free],
        ],
        Op::Pipeline { .. } => &[
            &[PUSH, Op::Compare, PUSH, Op::Compare, Op::Pop, Op::Compare],
            &[RUN_BATCHES, PUSH, RUN_BATCHES],
            &[PUSH, Op::PushPanics, Op::Pop, Op::Compare],
        ],
        Op::Push { .. } | Op::Pop => &[&[Op::Compare]],
        Op::Malloc | Op::MallocOn => &[
            &[Op::Memset, Op::Memcpy],
            &[Op::MemcpyAsync],
            &[Op::MemsetAsync],
        ],
        Op::Plan { .. } => &[
            &[Op::Launch, Op::Run],
            &[Op::Repeatable, AGAIN, LAUNCH_AGAIN, AGAIN, LAUNCH_AGAIN],
        ],
        Op::Find => &[&[Op::Launch, Op::Run]],
        Op::Run | Op::Launch => &[
            &[Op::Front],
            &[Op::Synchronize, Op::Take, Op::Front],
            &[Op::Share, Op::Drain, Op::Take, Op::Synchronize, Op::Verify],
        ],
        Op::Repeatable | Op::RunAgain { .. } | Op::LaunchAgain { .. } => {
            &[&[AGAIN, LAUNCH_AGAIN], &[Op::Synchronize, Op::Take]]
        }
        Op::CreatePool => &[&[Op::MallocFrom], &[Op::MallocFrom, Op::DestroyPool]],
        Op::MallocFrom => &[
            &[Op::MemcpyAsync, Op::Handoff, Op::MemsetAsync, Op::Drop],
            &[Op::MemsetAsync, Op::MemcpyAsync, Op::Drop],
            &[Op::MemsetAsync],
        ],
        Op::LoadBinary => &[&[FIND, CHANGE], &[FIND, FIND, CHANGE, CHANGE]],
        Op::FindKernel { .. } => &[&[CHANGE], &[CHANGE, CHANGE]],
        Op::LaunchKernel { .. } => &[
            &[CHANGE, Op::MemcpyAsync, Op::Synchronize, Op::Take, Op::Read],
            &[Op::MemcpyAsync, Op::Synchronize, Op::Take, Op::Read],
            &[Op::Handoff, CHANGE],
            &[Op::Unload],
        ],
        Op::Capture { .. } | Op::Also { .. } => &[
            &[RUN, RUN, Op::Synchronize, Op::Take, Op::SeePart(0)],
            &[RUN, Op::Handoff, RUN, Op::Synchronize, Op::Take],
            &[ALSO, RUN, RUN],
            &[UPDATE, RUN],
        ],
        Op::LaunchGraph { .. } => &[
            &[Op::Synchronize, Op::Take, Op::SeePart(0), Op::DestroyGraph],
            &[Op::ReadPart(0), Op::Synchronize, Op::Take, Op::Read],
            &[Op::FillPart(0), RUN, UPDATE, RUN],
            &[Op::Handoff, RUN],
            &[Op::Synchronize, Op::Take, Op::SetPart(0), Op::Adopt, RUN],
            &[
                Op::Drain,
                Op::Take,
                Op::Synchronize,
                Op::Verify,
                Op::SeePart(0),
            ],
            &[Op::Fence, Op::WaitFence, RUN],
            &[Op::Drop],
        ],
        Op::DestroyGraph => &[&[Op::Read], &[CAPTURE]],
        Op::Channel | Op::Load => &[&[Op::Adopt]],
        Op::Infer => &[
            &[Op::Infer, Op::Synchronize, Op::Take],
            &[Op::Handoff, Op::Infer],
            &[Op::Drain, Op::Take, Op::Synchronize, Op::Verify],
        ],
        Op::Picture => &[&[Op::Paint, Op::Adopt], &[Op::Adopt]],
        Op::Crop => &[
            &[Op::Synchronize, Op::Take, Op::Check, Op::Pixels],
            &[Op::Drain, Op::Take, Op::Synchronize, Op::Verify, Op::Check],
            &[Op::Fence, Op::SynchronizeFence, Op::Synchronize, Op::Verify],
            &[
                Op::Share,
                Op::Synchronize,
                Op::Take,
                Op::TryUnwrap,
                Op::Check,
            ],
            &[Op::Handoff, Op::Crop],
            &[Op::Crop],
        ],
        Op::EnablePeer => &[&[Op::Malloc, Op::Memset, Op::MemcpyPeer]],
        Op::MemcpyPeer => &[&[Op::DisablePeer], &[Op::Free]],
        Op::CommInit { .. } | Op::CommAttach => {
            &[&[Op::CommAdopt, Op::Barrier], &[Op::RankOf(Which::Own)]]
        }
        Op::Batch => &[&[Op::BatchSend, Op::BatchRecv, Op::BatchRun]],
        Op::BatchRun | Op::Exchange => &[&[Op::Batch], &[Op::Synchronize, Op::Take]],
        Op::CommInitAll { .. } => &[&[Op::CommAttach]],
        Op::CommAdopt | Op::SubComm { .. } => &[&[ALL_REDUCE, Op::InPlace]],
        Op::Collective { .. } | Op::InPlace | Op::Broadcast | Op::Barrier => &[
            &[Op::Synchronize, Op::CommTake, Op::CommDestroy],
            &[
                Op::Synchronize,
                Op::Take,
                Op::CommTake,
                Op::SubComm { part: 0 },
            ],
            &[Op::Drain, Op::CommTake, Op::Synchronize, Op::CommVerify],
            &[Op::Drain, Op::CommTake, Op::CommAccept],
        ],
        Op::Record => &[
            &[Op::Wait],
            &[
                Op::SynchronizePoint,
                Op::CreateEvent(Flags::Timing),
                Op::Record,
                Op::SynchronizePoint,
                Op::Elapsed,
            ],
        ],
        Op::Share => &[
            &[Op::CloneShare, Op::Fence, Op::WaitShared],
            &[Op::Synchronize, Op::Take, Op::TryUnwrap],
        ],
        Op::Lend { .. } => &[&[Op::Adopt, Op::MallocOn, Op::MemcpyAsync]],
        Op::Scope => &[&[Op::Lend { exclusive: true }]],
        Op::Park => &[&[Op::Attach], &[Op::ParkedWith]],
        Op::CreateNumbered => &[&[Op::ParkedWith]],
        Op::ParkedWith | Op::WithStream => {
            &[&[Op::MallocOn, Op::MemsetAsync, Op::Unbrand, Op::Rebrand]]
        }
        Op::Memset | Op::Memcpy => &[
            &[PLAN, Op::Run],
            &[Op::Adopt, Op::MemcpyAsync],
            &[Op::Split, Op::Memcpy],
        ],
        _ => &[],
    }
}

/// The kind with random parameters.
pub(crate) fn vary(op: Op, random: &mut Random) -> Op {
    if let Op::Collective { .. } = op {
        let kind = collective(random);
        return Op::Collective { kind };
    }
    let mut number = |end: usize| u8::try_from(random.below(end)).unwrap_or(0);
    match op {
        Op::SetDevice { .. } => Op::SetDevice {
            slot: number(3),
            id: number(2),
        },
        Op::WithDevice { .. } => Op::WithDevice { id: number(2) },
        Op::CreateContext { .. } => Op::CreateContext { number: number(3) },
        Op::CreateStream { .. } => Op::CreateStream { name: number(6) },
        Op::CommInit { .. } => Op::CommInit { name: number(2) },
        Op::CommInitAll { ranks, .. } => Op::CommInitAll {
            name: number(2),
            ranks,
        },
        Op::RootInfo { .. } => Op::RootInfo {
            ranks: 1 + number(3),
        },
        Op::CommJoin { .. } => Op::CommJoin {
            name: number(2),
            rank: number(3),
        },
        Op::RankOf(_) => Op::RankOf(match number(6) {
            0 | 1 => Which::Own,
            2 => Which::Next,
            3 => Which::Previous,
            4 => Which::At(0),
            _ => Which::At(1),
        }),
        Op::SubComm { .. } => Op::SubComm { part: number(2) },
        Op::CreateEvent(_) => Op::CreateEvent(match number(8) {
            0..4 => Flags::Order,
            4..6 => Flags::OrderTiming,
            6 => Flags::Timing,
            _ => Flags::Progress,
        }),
        Op::Lend { .. } => Op::Lend {
            exclusive: number(2) == 0,
        },
        Op::Plan { fresh, .. } => {
            let operator = match number(4) {
                0 => Operator::Add,
                1 => Operator::Mul,
                2 => Operator::Relu,
                _ => Operator::InplaceAdd,
            };
            let layout = match number(8) {
                0 | 1 => Layout::Turned,
                2 => Layout::Part,
                _ => Layout::Whole,
            };
            Op::Plan {
                operator,
                fresh,
                layout,
            }
        }
        Op::Through(_) => Op::Through(match number(6) {
            0 => Way::Box,
            1 => Way::Option,
            2 => Way::Vec,
            3 => Way::Function,
            4 => Way::Closure,
            _ => Way::Replace,
        }),
        Op::FindKernel { .. } => Op::FindKernel {
            kernel: match number(2) {
                0 => Kernel::Change,
                _ => Kernel::Make,
            },
        },
        Op::LaunchKernel { kernel, .. } => Op::LaunchKernel {
            kernel,
            passed: Passed::Declared,
            number: number(100),
        },
        Op::Pipeline { .. } => Op::Pipeline {
            lanes: number(4),
            carries: number(2) == 0,
        },
        Op::Push { .. } => Op::Push {
            number: number(100),
            middle: middle(random),
        },
        Op::RunBatches { .. } => Op::RunBatches {
            number: number(100),
            batches: number(7),
            stops: number(4) == 0,
            middle: middle(random),
        },
        other => other,
    }
}

fn middle(random: &mut Random) -> Middle {
    match random.below(9) {
        0 | 1 => Middle::Copy,
        2 => Middle::Fill,
        3 | 4 => Middle::Add,
        5 | 6 => Middle::Carry,
        7 => Middle::Error,
        _ => Middle::Short,
    }
}

fn collective(random: &mut Random) -> Collective {
    match random.below(12) {
        0 | 1 => Collective::AllReduce,
        2 => Collective::AllGather,
        3 => Collective::ReduceScatter,
        4 => Collective::AllToAll,
        5 => Collective::AllMax,
        6 => Collective::Reduce,
        7 | 8 => Collective::AllGatherV(lengths(random)),
        9 => Collective::ReduceScatterV(lengths(random)),
        10 => Collective::AllToAllV(lengths(random)),
        _ => Collective::AllToAllVC(lengths(random)),
    }
}

/// How a list of a legal program divides elements.
pub(crate) fn lengths(random: &mut Random) -> Lengths {
    match random.below(3) {
        0 => Lengths::Equal,
        1 => Lengths::More,
        _ => Lengths::Gap,
    }
}

/// A random kind, with random parameters.
pub(crate) fn random_kind(random: &mut Random, reach: Reach) -> Op {
    let of = |least, weights| if reach >= least { weights } else { &[][..] };
    let comms = of(Reach::Comms, COMM_WEIGHTS);
    let ranks = of(Reach::Ranks, RANK_WEIGHTS);
    let own = match reach {
        Reach::Media => MEDIA_WEIGHTS,
        Reach::Within => LIMIT_WEIGHTS,
        Reach::Pools => POOL_WEIGHTS,
        Reach::Kernels => KERNEL_WEIGHTS,
        Reach::Graphs => GRAPH_WEIGHTS,
        _ => &[],
    };
    let kinds = || WEIGHTS.iter().chain(comms).chain(ranks).chain(own);
    let all: usize = kinds().map(|(weight, _)| weight).sum();
    let mut at = random.below(all);
    let mut found = Op::Read;
    for (weight, op) in kinds() {
        if at < *weight {
            found = *op;
            break;
        }
        at -= weight;
    }
    vary(found, random)
}
