//! What follows which kinds of steps, and with which parameters. How often they are tried is in `weights`.

mod weights;

use crate::program::{
    Collective, Flags, Kernel, Layout, Lengths, Middle, Op, Operator, Passed, Record, Shape, Way,
    Which, With,
};
use crate::random::Random;
pub(crate) use weights::random_kind;

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
const READ_GROWN: Op = Op::ReadGrownOn { piece: 0 };
const AWAIT_COUNT: Op = Op::AwaitCount { number: 1 };
const LIMIT_CORES: Op = Op::LimitCores { cores: 4 };
const WITH_CORES: Op = Op::WithCores { cores: 2 };
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
        Op::ReserveMem => &[&[Op::Adopt, Op::GrowFilledOn, READ_GROWN]],
        Op::GrowFilledOn | Op::GrowCopiedOn => &[
            &[READ_GROWN, Op::GrowCopiedOn, READ_GROWN],
            &[READ_GROWN, Op::Synchronize, Op::Take, Op::Read],
            &[Op::Handoff, Op::GrowFilledOn, READ_GROWN],
            &[Op::Synchronize, Op::Take, Op::UnmapMem, Op::GrowFilled],
            &[Op::Drop],
        ],
        Op::GrowFilled | Op::GrowCopied => &[&[Op::ReadGrown { piece: 0 }, Op::Read]],
        Op::CreateCounter => &[
            &[Op::Count, AWAIT_COUNT],
            &[Op::Count, Op::Count, AWAIT_COUNT],
        ],
        Op::Count => &[
            &[AWAIT_COUNT, Op::MemcpyAsync],
            &[Op::Synchronize, AWAIT_COUNT],
            &[Op::Synchronize, Op::ResetCounter, Op::Count],
        ],
        Op::AwaitCount { .. } => &[
            &[Op::MemsetAsync, Op::Synchronize],
            &[Op::Drop],
            &[Op::Synchronize, Op::Synchronize, Op::ResetCounter],
        ],
        Op::Export => &[
            &[
                Op::Adopt,
                Op::MemcpyAsync,
                Op::Synchronize,
                Op::Take,
                Op::CloseExport,
            ],
            &[Op::Adopt, Op::MemsetAsync, Op::Handoff, Op::MemcpyAsync],
            &[Op::Memcpy, Op::CloseExport, Op::Free],
            &[Op::Adopt, Op::MemsetAsync, Op::Drop],
        ],
        Op::ToDlpack => &[&[Op::Drop], &[Op::Forget], &[Op::Memset]],
        Op::CloseExport => &[&[Op::Export], &[Op::Free], &[Op::Memcpy]],
        Op::CreateShared => &[&[Op::RecordShared]],
        Op::RecordShared => &[&[Op::SynchronizeShared], &[Op::Drop], &[Op::RecordShared]],
        Op::LimitCores { .. } => &[&[Op::Bind, Op::SeeCores]],
        Op::WithCores { .. } => &[&[Op::SeeCores], &[Op::SeeCores, WITH_CORES]],
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
        Op::LimitCores { .. } => Op::LimitCores {
            cores: 1 + number(8),
        },
        Op::WithCores { .. } => Op::WithCores {
            cores: 1 + number(8),
        },
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
