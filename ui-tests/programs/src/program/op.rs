//! The kinds of steps, with the sorts of their operands and results.

use super::{
    Collective, Flags, Kernel, Layout, Middle, Operator, Part, Passed, Records, Shape, Sort, Way,
    Which, With,
};

/// Writes the kinds by families. Behind a kind stand its operands, and behind `=>` its results. One in brackets is a result
/// that only one of two forms of the step has. Steps with values of any sort have no lists.
macro_rules! kinds {
    ($(
        $family:ident {
            $(
                $(#[$doc:meta])*
                $name:ident $(($of:ty))? $({ $($field:ident: $ty:ty),* })?
                $(: $($operand:ident)+)? $(=> $($result:ident)* $(($sometimes:ident))?)?;
            )*
        }
    )*) => {
        /// The kinds of steps.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Op {
            $($( $(#[$doc])* $name $(($of))? $({ $($field: $ty),* })?, )*)*
        }

        /// What kinds of steps are about.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Family {
            $($family),*
        }

        impl Op {
            pub(crate) fn family(self) -> Family {
                match self {
                    $($( Op::$name { .. } => Family::$family, )*)*
                }
            }

            /// The operands and the results.
            fn listed(self) -> [&'static [Sort]; 2] {
                match self {
                    $($(
                        Op::$name { .. } => [&[$($(Sort::$operand),*)?], &[$($(Sort::$result),*)?]],
                    )*)*
                }
            }
        }
    };
}

kinds! {
    Device {
        Claim => Thread;
        SetDevice { slot: u8, id: u8 }: Acl Thread => Device;
        StopOnFailure: Device => Device;
        /// Each wait of a release has a limit from here on.
        Limit: Device => Device;
        CreateContext { number: u8 }: Device Thread => Context;
        Bind: Thread Device => Binding;
        BindContext: Thread Context => Binding;
        Reset: Device;
        DestroyContext: Context;
        Finalize: Acl;
        SynchronizeDevice: Binding;
    }
    Stream {
        CreateStream { name: u8 }: Binding => Stream;
        DefaultStream: Binding => Stream;
        DestroyStream: Stream;
        Synchronize: Stream => Proof;
        Drain: Stream => Proof;
        SynchronizeWithin: Stream => Proof;
        /// A wait within a limit, whose result the program ignores.
        TryWithin: Stream;
        Abort: Stream => Stream;
        Query: Stream;
        Park: Binding Stream => Parked;
        Attach: Binding Parked => Stream;
        CreateNumbered: Binding => Parked;
        HostFunc: Stream;
        HostFuncOn: Stream Memory;
        HostFuncOwns: Stream Memory;
    }
    Memory {
        Malloc: Binding => Memory;
        MallocHost: Binding => Memory;
        Vec => Memory;
        MallocOn: Stream => Memory;
        MallocHostOn: Stream => Memory;
        Memset: Binding Memory => (Memory);
        Memcpy: Binding Memory Memory => (Memory);
        MemsetAsync: Stream Memory => (Memory);
        MemcpyAsync: Stream Memory Memory => (Memory);
        Read: Memory;
        Write: Memory;
        Free: Memory;
        FreeWithDevSync: Binding Memory;
    }
    Pool {
        CreatePool: Binding => Pool;
        MallocFrom: Stream Pool => Memory;
        /// It waits for the device first.
        DestroyPool: Binding Pool;
    }
    Reserved {
        ReserveMem: Binding => Memory;
        MapMem: Binding Memory;
        GrowFilled: Binding Memory;
        GrowCopied: Binding Memory Memory;
        GrowFilledOn: Stream Binding Memory;
        GrowCopiedOn: Stream Binding Memory Memory;
        /// It reads the next elements, which nothing has written.
        ReadTail: Stream Binding Memory Memory;
        ReadGrown { piece: u8 }: Binding Memory Memory => (Memory);
        ReadGrownOn { piece: u8 }: Stream Memory Memory => (Memory);
        WriteGrownOn { piece: u8 }: Stream Memory;
        Truncate { to: u8 }: Memory;
        UnmapMem: Memory;
    }
    Hold {
        Unbrand: Memory => Memory;
        Rebrand: Stream Memory => Memory;
        Adopt: Stream Memory => Memory;
        Take: Proof Memory => Memory;
        Verify: Proof Memory => Memory;
        Accept: Memory => Memory;
        Share: Memory => Memory;
        CloneShare: Memory => Memory;
        TryUnwrap: Memory => Memory;
        Split: Memory => Memory Memory;
        Slice: Memory => Memory;
        And: Memory Memory => Memory Memory;
        Lend { exclusive: bool }: Scope Memory => Memory;
        IntoInner: Memory;
    }
    Event {
        CreateEvent(Flags): Binding => Event;
        DestroyEvent: Event;
        Record: Stream Event => Point;
        Wait: Stream Point;
        SynchronizePoint: Point => Done;
        QueryPoint: Point;
        Elapsed: Done Done;
        Fence: Stream Event Memory => Fence;
        WaitFence: Stream Fence => Memory Event;
        SynchronizeFence: Fence => Memory Event;
        SynchronizeFenceWithin: Fence => Memory Event;
        CancelFence: Fence => Memory Event;
        WaitShared: Stream Fence => Memory;
        Handoff: Stream Stream Event Memory => Memory;
    }
    Future {
        Synchronized: Stream => Synchronized;
        PollSynchronized: Synchronized;
        AwaitSynchronized: Synchronized => Proof;
        Completed: Stream Memory => Completed;
        PollCompleted: Completed;
        AwaitCompleted: Completed => Memory;
        /// Its result is dropped, memory or an error.
        TryCompleted: Completed;
    }
    Pipeline {
        Pipeline { lanes: u8, carries: bool }: Binding => Pipeline;
        Push { middle: Middle, number: u8 }: Pipeline Binding => Outcome;
        /// A step that panics, and the program catches it.
        PushPanics: Pipeline;
        Pop: Pipeline => Outcome;
        Compare: Outcome;
        /// The batches from this number on. Perhaps the program takes no more results behind the first one.
        RunBatches { middle: Middle, number: u8, batches: u8, stops: bool }: Pipeline Binding;
    }
    Operator {
        Plan { operator: Operator, fresh: bool, layout: Layout }: Binding Memory Memory Memory => Plan;
        Run: Plan Stream => (Memory);
        Launch: Plan Stream => (Memory);
        Repeatable: Binding Plan => Repeat;
        RunAgain { operator: Operator, layout: Layout }: Repeat Stream Memory Memory Memory => (Memory);
        LaunchAgain { operator: Operator, layout: Layout }: Repeat Stream Memory Memory Memory => (Memory);
        Find: Binding Memory => Plan;
    }
    Kernel {
        LoadBinary: Binding => Binary;
        FindKernel { kernel: Kernel }: Binary => Function;
        /// The kernel reads the first memory, and writes the second.
        LaunchKernel { kernel: Kernel, passed: Passed, number: u8 }: Function Stream Memory Memory => (Memory);
        /// It waits for the device first.
        Unload: Binary;
    }
    Graph {
        /// binding, stream, three buffers, and what the recording needs besides
        Capture { shape: Shape, with: With, records: Records }: Binding Stream Memory Memory Memory => Memory;
        /// The closure returns an error and the memory comes back, or it panics and the memory is freed.
        CaptureFails { shape: Shape, with: With, panics: bool, records: Records }:
            Binding Stream Memory Memory Memory;
        Also { with: With, records: Records }: Binding Stream Memory => Memory;
        LaunchGraph { number: u8 }: Memory Stream;
        /// The graph, and the one whose place of the operator is used.
        UpdateGraph { number: u8, to: Part, from: Part }: Binding Memory Memory Stream;
        /// Work between two runs.
        FillPart(Part): Memory Stream;
        ReadPart(Part): Memory Stream Memory;
        WritePart(Part): Memory Stream Memory;
        /// The host, while nothing runs.
        SeePart(Part): Memory;
        SetPart(Part): Memory;
        DestroyGraph: Memory => Memory Memory Memory;
    }
    Counter {
        CreateCounter: Binding => Counter;
        /// One more, behind the work of the stream.
        Count: Stream Counter;
        ResetCounter: Stream Counter;
        /// Later work of the stream waits until the counter has this number or a larger one.
        AwaitCount { number: u8 }: Stream Counter;
    }
    Share {
        Export: Binding Memory => Memory;
        CloseExport: Binding Memory => Memory;
        /// Memory, or a part of it, as a tensor of DLPack.
        ToDlpack: Binding Memory => Memory;
        CreateShared: Binding => Shared;
        RecordShared: Stream Shared;
        SynchronizeShared: Shared;
    }
    Setting {
        /// A size that devices take when they are set.
        SetSize: Acl;
        LimitCores { cores: u8 }: Device;
        /// The number of cores that work of the thread may use.
        SeeCores: Binding;
    }
    Media {
        Front: Binding Memory;
        Load: Binding => Memory;
        Infer: Memory Stream Memory Memory => (Memory);
        Media: Acl => Media;
        Channel: Media Binding => Memory;
        Picture: Media Binding => Memory;
        Paint: Binding Memory => Memory;
        Crop: Memory Stream Memory Memory => (Memory);
        Check: Memory => Memory;
        Pixels: Binding Memory;
    }
    Peer {
        EnablePeer: Binding Device => Access;
        DisablePeer: Access;
        MemcpyPeer: Binding Access Memory Memory;
    }
    Comm {
        CommInit { name: u8 }: Binding => Comm;
        RootInfo { ranks: u8 }: Binding => Root;
        CommJoin { name: u8, rank: u8 }: Binding Root => Comm;
        /// binding, a device for each rank -> a seat for each
        CommInitAll { name: u8, ranks: u8 }: Binding Device => Seat;
        CommAttach: Binding Seat => Comm;
        SubComm { part: u8 }: Comm => Comm;
        RankOf(Which): Comm => Rank;
        CommAdopt: Stream Comm => Comm;
        CommTake: Proof Comm => Comm;
        CommVerify: Proof Comm => Comm;
        CommAccept: Comm => Comm;
        Collective { kind: Collective }: Comm Stream Memory Memory => (Memory);
        InPlace: Comm Stream Memory;
        Broadcast: Comm Stream Rank Memory;
        Barrier: Comm Stream;
        Send: Comm Stream Rank Memory;
        Recv: Comm Stream Rank Memory => (Memory);
        Exchange: Comm Stream Rank Memory Rank Memory => (Memory);
        Batch: Comm => Batch;
        BatchSend: Batch Rank Memory;
        BatchRecv: Batch Rank Memory;
        BatchRun: Comm Stream Batch;
        CommDestroy: Comm;
    }
    Value {
        /// any
        Drop;
        /// any
        Forget;
        /// any -> any
        Through(Way);
        /// any any
        Swap;
        Hole => Hole;
        /// hole any
        Escape;
    }
    Leave {
        Return;
        Fail;
    }
    Block {
        Closure;
        Catch;
        Repeat;
        Spawn;
        /// Threads that run at the same time: a block that has blocks of the kind `Rank` only.
        Ranks;
        /// One of these threads.
        Rank;
        Scope: Binding => Scope;
        WithStream: Binding => Stream;
        ParkedWith: Parked Binding => Stream;
        /// The work that the thread prepares in the block uses so many cores.
        WithCores { cores: u8 }: Stream => Stream;
        WithDevice { id: u8 }: Acl Thread => Device Thread;
    }
}

impl Op {
    /// The sorts of the operands.
    pub(crate) fn operands(self) -> &'static [Sort] {
        use Sort::{Binding, Device, Memory, Stream};
        match self {
            Op::CommInitAll { ranks: 3, .. } => &[Binding, Device, Device, Device],
            Op::CommInitAll { ranks: 2, .. } => &[Binding, Device, Device],
            Op::Capture { with, .. } | Op::CaptureFails { with, .. } => match with {
                With::Nothing => self.listed()[0],
                With::Side => &[Binding, Stream, Memory, Memory, Memory, Stream],
                With::Other => &[Binding, Stream, Memory, Memory, Memory, Memory],
            },
            Op::Also { with, .. } => match with {
                With::Nothing => self.listed()[0],
                With::Side => &[Binding, Stream, Memory, Stream],
                With::Other => &[Binding, Stream, Memory, Memory],
            },
            _ => self.listed()[0],
        }
    }

    /// The sorts of the results that each form of the step has.
    pub(crate) fn results(self) -> &'static [Sort] {
        match self {
            Op::CommInitAll { ranks: 3, .. } => &[Sort::Seat; 3],
            Op::CommInitAll { ranks: 2, .. } => &[Sort::Seat; 2],
            Op::CaptureFails { panics: false, .. } => &[Sort::Memory; 3],
            _ => self.listed()[1],
        }
    }

    /// What the step records.
    pub(crate) fn records(mut self) -> Option<Records> {
        self.records_mut().copied()
    }

    /// What the step records.
    pub(crate) fn records_mut(&mut self) -> Option<&mut Records> {
        match self {
            Op::Capture { records, .. }
            | Op::CaptureFails { records, .. }
            | Op::Also { records, .. } => Some(records),
            _ => None,
        }
    }

    /// Whether the step has steps of its own, in a block of Rust.
    pub(crate) fn is_block(self) -> bool {
        self.family() == Family::Block
    }

    /// Whether the step only shares this operand, which may be of use to several threads at once.
    pub(super) fn shares(self, operand: usize) -> bool {
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
