//! The rules of AscendCL that a program can break, and the strictness of the API beyond them.

/// A rule of AscendCL. The text names the rule in the words of its manual, and what happens otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rule {
    AfterFinalize,
    NoContext,
    OtherContext,
    DeviceGone,
    ContextGone,
    StreamGone,
    EventGone,
    MemoryGone,
    FreedInUse,
    TouchedInUse,
    Race,
    Unwritten,
    Unverified,
    HostToHost,
    OtherDevice,
    HostTouchesDevice,
    DeviceOfStream,
    EventOfOther,
    NoOrder,
    NoTime,
    OtherTimes,
    OneShot,
    CallInCallback,
    LeaseEscapes,
    NotAllocated,
    DefaultContext,
    CommGone,
    CommBusy,
    CommHost,
    NullStream,
    StatusUnread,
    HostOfModel,
    /// The rules from here on are found when the program runs.
    NameTaken,
    SlotTaken,
    ThreadClaimed,
    AccessTaken,
    SamePeer,
    ShareInUse,
    OtherStream,
    Length,
    CommThread,
    SeatOfOther,
    OwnRank,
    RankRange,
    RankTwice,
    EmptyBatch,
    MediaTaken,
    Unproven,
    Decided,
    RanksDiffer,
    RankMissing,
    Stopped,
}

impl Rule {
    /// Whether types cannot know it: the program compiles, and the call returns an error.
    pub(crate) fn is_found_at_run_time(self) -> bool {
        self >= Rule::NameTaken
    }

    /// Whether a run has to show it: a call returns an error, or the checker has a finding. Without either, work would leave
    /// its buffer, and other ranks would wait or compute something else.
    pub(crate) fn has_to_show(self) -> bool {
        matches!(
            self,
            Rule::Length | Rule::Unproven | Rule::RanksDiffer | Rule::RankMissing
        )
    }

    /// How seldom a random edit breaks the rule.
    pub(crate) fn rarity(self) -> u8 {
        match self {
            Rule::CommBusy => 7,
            Rule::RanksDiffer => 6,
            Rule::RankMissing | Rule::Unproven => 4,
            rule if rule.is_found_at_run_time() => 1,
            Rule::AfterFinalize | Rule::NoContext | Rule::NotAllocated => 2,
            Rule::StreamGone | Rule::HostTouchesDevice | Rule::DeviceGone => 3,
            Rule::FreedInUse | Rule::MemoryGone | Rule::NoOrder => 4,
            Rule::Unwritten
            | Rule::Race
            | Rule::TouchedInUse
            | Rule::Unverified
            | Rule::OneShot
            | Rule::LeaseEscapes
            | Rule::HostToHost
            | Rule::NoTime
            | Rule::OtherTimes
            | Rule::CommGone
            | Rule::CommHost
            | Rule::StatusUnread
            | Rule::NullStream => 6,
            _ => 5,
        }
    }

    /// The rule in words.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Rule::AfterFinalize => "nothing is called after aclFinalize",
            Rule::NoContext => {
                "a thread without a context calls no function of the runtime (107002)"
            }
            Rule::OtherContext => {
                "a call works on the context that is current: a handle of another one is refused (107003) or misused"
            }
            Rule::DeviceGone => {
                "a device is not used after its reset, and not reset twice (507007)"
            }
            Rule::ContextGone => {
                "a context is not used after its destruction or the reset of its device"
            }
            Rule::StreamGone => {
                "a stream is not used after its destruction or the reset of its device (107017, reads freed memory)"
            }
            Rule::EventGone => {
                "an event is not used after its destruction or the reset of its device (SIGSEGV)"
            }
            Rule::MemoryGone => {
                "memory is not used or freed after it was freed (107000, or memory of another owner)"
            }
            Rule::FreedInUse => {
                "memory is not freed while queued work uses it: aclrtFree does not wait"
            }
            Rule::TouchedInUse => {
                "the host and blocking calls do not touch memory that queued work uses"
            }
            Rule::Race => "two streams do not use memory without an event or a wait between them",
            Rule::Unwritten => "memory is written before it is read",
            Rule::Unverified => {
                "a result is used only after a successful wait for the stream that made it: events complete though tasks have failed"
            }
            Rule::HostToHost => "there is no copy from host to host (207000 if queued)",
            Rule::OtherDevice => {
                "work uses memory of its own device, unless access to the peer is enabled"
            }
            Rule::HostTouchesDevice => "the host does not access device memory (SIGSEGV)",
            Rule::DeviceOfStream => "memory of a device is queued on streams of that device",
            Rule::EventOfOther => {
                "streams and events of different contexts do not wait for each other"
            }
            Rule::NoOrder => "a stream waits only for events with ACL_EVENT_SYNC (207000)",
            Rule::NoTime => "only events with ACL_EVENT_TIME_LINE have times (107006)",
            Rule::OtherTimes => "two times are of one stream",
            Rule::OneShot => "an executor runs once",
            Rule::CallInCallback => "a callback calls no function of the runtime",
            Rule::LeaseEscapes => "lent memory is given back at the end of its scope",
            Rule::NotAllocated => {
                "only memory of an allocator of AscendCL is freed or filled by it (107000)"
            }
            Rule::DefaultContext => "the default stream is not destroyed (100000)",
            Rule::CommGone => "a communicator is not used after its destruction",
            Rule::CommBusy => {
                "a communicator is not destroyed while its operations run (20, or undefined)"
            }
            Rule::CommHost => "operations of communicators use device memory",
            Rule::NullStream => "operations of communicators run on streams with a handle (2)",
            Rule::NameTaken => "a stream and a communicator have names of their own",
            Rule::SlotTaken => "a device is opened once",
            Rule::ThreadClaimed => "a thread has one token",
            Rule::AccessTaken => "access from one device to another has one owner",
            Rule::SamePeer => "a device is no peer of its own (100000)",
            Rule::ShareInUse => "shared memory comes back when its last reader is done",
            Rule::OtherStream => "memory goes back to the stream with its number",
            Rule::Length => "both sides of a copy have one length",
            Rule::CommThread => "the communicators of a device are on one thread",
            Rule::SeatOfOther => "a communicator is taken by the thread of its device",
            Rule::OwnRank => "a message goes to another rank (1)",
            Rule::RankRange => "a rank has a number below the number of ranks (1)",
            Rule::RankTwice => "a rank joins once, and has a device of its own (4)",
            Rule::EmptyBatch => "a batch has a message",
            Rule::StatusUnread => {
                "a picture is used by the host after the status of its task was read: a failure of the device arrives there too"
            }
            Rule::HostOfModel => "a model on a device reads and writes memory of the device",
            Rule::MediaTaken => "the media engine has one owner",
            Rule::Unproven => {
                "the status of a task says something only if a wait has proven that the task has run: it begins with 0"
            }
            Rule::Decided => {
                "an operator whose data decide the shape of its result, or whose result is copied into a view, runs once (561000)"
            }
            Rule::RanksDiffer => {
                "all ranks make the same operations with the same counts and roots in the same order (hangs)"
            }
            Rule::RankMissing => {
                "each rank makes the operations that another one waits for (hangs)"
            }
            Rule::Stopped => "work of a stream without its name is handed over by number",
        }
    }
}

/// A way in which the API is stricter than AscendCL. A legal program that breaks one of these is expected to be
/// refused: a loss that has an explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strictness {
    Moved,
    Borrowed,
    Thread,
    OldBinding,
    NotAdopted,
    NotTaken,
    OtherProof,
    NotVerified,
    Form,
    Shared,
    Readonly,
    Brand,
    Types,
    Contexts,
    Stopping,
    Returned,
    Captured,
    Accepted,
}

impl Strictness {
    /// All of them.
    #[cfg(test)]
    pub(crate) const ALL: [Strictness; 18] = [
        Strictness::Moved,
        Strictness::Borrowed,
        Strictness::Thread,
        Strictness::OldBinding,
        Strictness::NotAdopted,
        Strictness::NotTaken,
        Strictness::OtherProof,
        Strictness::NotVerified,
        Strictness::Form,
        Strictness::Shared,
        Strictness::Readonly,
        Strictness::Brand,
        Strictness::Types,
        Strictness::Contexts,
        Strictness::Stopping,
        Strictness::Returned,
        Strictness::Captured,
        Strictness::Accepted,
    ];

    /// Whether the program compiles, and the call returns an error.
    pub(crate) fn is_found_at_run_time(self) -> bool {
        self == Strictness::Accepted
    }

    /// Why such programs are refused although AscendCL allows them.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Strictness::Moved => {
                "A value is used after it was given away: forgotten, moved into another value, or moved in an earlier turn of a loop. The C handle is still valid. Rust has one owner for each value."
            }
            Strictness::Borrowed => {
                "A value is used while a borrow of it is used later: a proof after later work of its stream, a point after its event was recorded again, memory beside its parts, a plan or a lease. Nothing has happened between the two uses in this order, but the compiler does not see the order of queued work."
            }
            Strictness::Thread => {
                "A binding, a stream, a plan or memory whose length the data decide is used on another thread, where its context happens to be current. `park` and `attach` move a stream."
            }
            Strictness::OldBinding => {
                "A binding or a stream is used after the thread was bound again, and its context is current again or the call needs none. The borrow of the token ends with the second binding."
            }
            Strictness::NotAdopted => {
                "Queued work uses memory that was not given to its stream, and a later wait happens to come in time. A borrow cannot express that wait, because `mem::forget` ends a borrow early."
            }
            Strictness::NotTaken => {
                "The host, a blocking call or another stream uses queued memory after a wait, but without the step that takes it back from its stream."
            }
            Strictness::OtherProof => {
                "Memory is taken back with the proof of another stream, which has waited for the first one. The names of the two streams differ."
            }
            Strictness::NotVerified => {
                "A result is used without the step that verifies it, after a wait that has verified it."
            }
            Strictness::Form => {
                "Fresh memory is passed by reference, or written memory by value. Fresh memory goes in by value, because its type changes."
            }
            Strictness::Shared => {
                "Shared memory is written by the one stream that reads it. A share is for reading until it is the last one."
            }
            Strictness::Readonly => {
                "A part or a lease for reading is written, while nothing else uses the memory."
            }
            Strictness::Brand => {
                "A stream with a brand or a number is attached, stored or used outside of the closure that gives it its brand."
            }
            Strictness::Types => {
                "Two values of different types are exchanged, or a step is spelled for another kind of value. Devices, streams and states are parts of types."
            }
            Strictness::Contexts => {
                "Memory of one context is used in another context of the same device. Each explicit context is a device of its own in types, because a wait for a device covers one context only."
            }
            Strictness::Stopping => {
                "A device that stops on failure is lent memory, runs an operator to its end or a host function. After a failure no wait of such a device succeeds, so nothing would give the memory back."
            }
            Strictness::Returned => {
                "A lease is taken back or queued again inside its scope, or lent memory is used there, after the work on it is over."
            }
            Strictness::Captured => {
                "A closure borrows memory outside of it, and stores the borrow outside of it too, or a function of a stream owns memory that is lent. The closure is called once, but the compiler takes it for one that may run again, where the two borrows would meet, and a function of a stream for one that may run when the loan is over."
            }
            Strictness::Accepted => {
                "A picture is checked whose task was accepted without a proof, or that was made from an unchecked picture of another stream, and a later wait has proven all of them. The check returns an error when the program runs: a status does not tell whether its task has run."
            }
        }
    }
}
