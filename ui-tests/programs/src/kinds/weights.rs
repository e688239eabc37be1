//! How often the kinds of steps are tried.

use super::{
    AGAIN, ALL_REDUCE, ALSO, AWAIT_COUNT, CAPTURE, CAPTURE_FAILS, CHANGE, FIND, LAUNCH_AGAIN,
    LIMIT_CORES, PIPELINE, PLAN, PUSH, READ_GROWN, RUN, RUN_BATCHES, UPDATE, WITH_CORES, vary,
};
use crate::program::{Flags, Op, Reach, Way, Which};
use crate::random::Random;

/// A random kind, with random parameters.
pub(crate) fn random_kind(random: &mut Random, reach: Reach) -> Op {
    let of = |least, weights| if reach >= least { weights } else { &[][..] };
    let comms = of(Reach::Comms, COMM_WEIGHTS);
    let ranks = of(Reach::Ranks, RANK_WEIGHTS);
    let own = match reach {
        Reach::Media => MEDIA_WEIGHTS,
        Reach::Within => LIMIT_WEIGHTS,
        Reach::Pools => POOL_WEIGHTS,
        Reach::Reserved => RESERVED_WEIGHTS,
        Reach::Counters => COUNTER_WEIGHTS,
        Reach::Shares => SHARE_WEIGHTS,
        Reach::Settings => SETTING_WEIGHTS,
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

/// The kinds of steps with memory that grows, with how often they are tried in programs that have it.
const RESERVED_WEIGHTS: &[(usize, Op)] = &[
    (2, Op::ReserveMem),
    (6, Op::MapMem),
    (20, Op::GrowFilled),
    (40, Op::GrowCopied),
    (40, Op::GrowFilledOn),
    (80, Op::GrowCopiedOn),
    (1, Op::ReadTail),
    (80, Op::ReadGrown { piece: 0 }),
    (160, READ_GROWN),
    (30, Op::WriteGrownOn { piece: 0 }),
    (10, Op::Truncate { to: 0 }),
    (20, Op::UnmapMem),
];

/// The kinds of steps with counters, with how often they are tried in programs that have them.
const COUNTER_WEIGHTS: &[(usize, Op)] = &[
    (4, Op::CreateCounter),
    (60, Op::Count),
    (80, AWAIT_COUNT),
    (60, Op::ResetCounter),
    (20, Op::Drop),
    (10, Op::Spawn),
];

/// The kinds of steps with what processes share, with how often they are tried in programs that have it.
const SHARE_WEIGHTS: &[(usize, Op)] = &[
    (60, Op::Export),
    (60, Op::CloseExport),
    (40, Op::ToDlpack),
    (3, Op::CreateShared),
    (30, Op::RecordShared),
    (30, Op::SynchronizeShared),
    (16, Op::Drop),
];

/// The kinds of steps with settings, with how often they are tried in programs that have them.
const SETTING_WEIGHTS: &[(usize, Op)] = &[
    (6, Op::SetSize),
    (10, LIMIT_CORES),
    (60, Op::SeeCores),
    (40, WITH_CORES),
    (20, Op::SetDevice { slot: 0, id: 0 }),
    (10, Op::Drop),
    (2, Op::Reset),
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
