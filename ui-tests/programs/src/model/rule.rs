//! The rules of AscendCL that a program can break, and the strictness of the API beyond them.

/// Writes a type of these variants, each with a text.
macro_rules! texts {
    ($(#[$doc:meta])* $name:ident { $($variant:ident: $text:literal)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum $name {
            $($variant),*
        }

        impl $name {
            /// All of them.
            #[cfg(test)]
            pub(crate) const ALL: &[$name] = &[$($name::$variant),*];

            pub(crate) fn text(self) -> &'static str {
                match self {
                    $($name::$variant => $text),*
                }
            }
        }
    };
}

texts! {
    /// A rule of AscendCL. The text names the rule in the words of its manual, and what happens otherwise.
    Rule {
        AfterFinalize: "nothing is called after aclFinalize"
        NoContext: "a thread without a context calls no function of the runtime (107002)"
        OtherContext: "a call works on the context that is current: a handle of another one is refused (107003) or misused"
        DeviceGone: "a device is not used after its reset, and not reset twice (507007)"
        ContextGone: "a context is not used after its destruction or the reset of its device"
        StreamGone: "a stream is not used after its destruction or the reset of its device (107017, reads freed memory)"
        EventGone: "an event is not used after its destruction or the reset of its device (SIGSEGV)"
        MemoryGone: "memory is not used or freed after it was freed (107000, or memory of another owner)"
        FreedInUse: "memory is not freed while queued work uses it: aclrtFree does not wait"
        TouchedInUse: "the host and blocking calls do not touch memory that queued work uses"
        Race: "two streams do not use memory without an event or a wait between them"
        Unwritten: "memory is written before it is read"
        Unverified: "a result is used only after a successful wait for the stream that made it: events complete though tasks have failed"
        HostToHost: "there is no copy from host to host (207000 if queued)"
        OtherDevice: "work uses memory of its own device, unless access to the peer is enabled"
        HostTouchesDevice: "the host does not access device memory (SIGSEGV)"
        DeviceOfStream: "memory of a device is queued on streams of that device"
        EventOfOther: "streams and events of different contexts do not wait for each other"
        NoOrder: "a stream waits only for events with ACL_EVENT_SYNC (207000)"
        NoTime: "only events with ACL_EVENT_TIME_LINE have times (107006)"
        OtherTimes: "two times are of one stream"
        OneShot: "an executor runs once"
        CallInCallback: "a callback calls no function of the runtime"
        LeaseEscapes: "lent memory is given back at the end of its scope"
        NotAllocated: "only memory of an allocator of AscendCL is freed or filled by it (107000)"
        DefaultContext: "the default stream is not destroyed (100000)"
        DefaultAborted: "the default stream is not aborted: it is no stream of the program"
        CommGone: "a communicator is not used after its destruction"
        CommBusy: "a communicator is not destroyed while its operations run (20, or undefined)"
        CommHost: "operations of communicators use device memory"
        NullStream: "operations of communicators run on streams with a handle (2)"
        StatusUnread: "a picture is used by the host after the status of its task was read: a failure of the device arrives there too"
        HostOfModel: "a model on a device reads and writes memory of the device"
        BinaryGone: "a kernel is looked up and launched while its binary is loaded, and a binary is unloaded once (107000, or freed code)"
        KernelArguments: "a kernel gets the arguments that it declares, and no length beyond its memory (507015, or memory of others)"
        KernelHost: "a kernel uses memory of the device"
        KernelAlias: "what a kernel writes is none of its inputs"
        PoolGone: "a stream allocates from a pool that lives, and a pool is destroyed once"
        PoolInUse: "a pool is destroyed when its memory was freed"
        DefaultAllocates: "the default stream allocates from no pool (100000)"
        CounterGone: "a counter is not used after its destruction or the reset of its device"
        CounterOfOther: "a counter is changed and awaited by streams of its device"
        SharedGone: "a shared event is not used after its destruction or the reset of its device"
        HostShared: "only memory of a device is shared with other processes"
        ExportOpen: "shared memory is freed behind the end of its export: another process may have it"
        SetTooLate: "a device that is set keeps its sizes: they are set before"
        Records: "a stream that records does not wait and runs no graph (107025, 107027)"
        RecordedEscapes: "recorded memory is used by the work of its graph"
        DefaultRecords: "the default stream does not record"
        // The rules from here on are found when the program runs.
        NameTaken: "a stream and a communicator have names of their own"
        SlotTaken: "a device is opened once"
        ThreadClaimed: "a thread has one token"
        AccessTaken: "access from one device to another has one owner"
        SamePeer: "a device is no peer of its own (100000)"
        PoolForgotten: "a pool is destroyed when its memory was freed, also that which the program has forgotten"
        NotGrown: "a part of memory that grows has elements that were written"
        ShareInUse: "shared memory comes back when its last reader is done"
        OtherStream: "memory goes back to the stream with its number"
        Length: "both sides of a copy have one length"
        CommThread: "the communicators of a device are on one thread"
        SeatOfOther: "a communicator is taken by the thread of its device"
        OwnRank: "a message goes to another rank (1)"
        RankRange: "a rank has a number below the number of ranks (1)"
        RankTwice: "a rank joins once, and has a device of its own (4)"
        EmptyBatch: "a batch has a message"
        MediaTaken: "the media engine has one owner"
        Unproven: "the status of a task says something only if a wait has proven that the task has run: it begins with 0"
        Decided: "an operator whose data decide the shape of its result, or whose result is copied into a view, runs once (561000)"
        NotAborted: "a stream is aborted if its device has a limit and no other queues, and if it waits for no other stream"
        Poisoned: "work that an abort has dropped was not done: no wait proves anything of its stream"
        NeverCompleted: "the end of work that an abort has dropped does not come: a future of it returns an error"
        Dropped: "what waits for an event whose record an abort has dropped may never end (hangs)"
        CountMissed: "what waits for a number that its counter never reaches does not end (hangs)"
        RanksDiffer: "all ranks make the same operations with the same counts and roots in the same order (hangs)"
        RankMissing: "each rank makes the operations that another one waits for (hangs)"
        DeviceRecords: "the host does not wait for a device while one of its streams records (107027)"
        NoRecording: "a run is one of a recording that the graph has"
        OtherGraph: "an operator is changed in the graph that has it"
        Stopped: "work of a stream without its name is handed over by number"
    }
}

impl Rule {
    /// Whether types cannot know it: the program compiles, and the call returns an error.
    pub(crate) fn is_found_at_run_time(self) -> bool {
        self >= Rule::NameTaken
    }

    /// Whether a program that breaks it may hang in each run.
    pub(crate) fn hangs(self) -> bool {
        matches!(self, Rule::Dropped | Rule::CountMissed)
    }

    /// Whether a run has to show it: a call returns an error, or the checker has a finding. Without either, work would leave
    /// its buffer, and other ranks would wait or compute something else.
    pub(crate) fn has_to_show(self) -> bool {
        matches!(
            self,
            Rule::Length
                | Rule::NotGrown
                | Rule::Unproven
                | Rule::NotAborted
                | Rule::Poisoned
                | Rule::RanksDiffer
                | Rule::RankMissing
                | Rule::DeviceRecords
                | Rule::NoRecording
                | Rule::OtherGraph
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
            | Rule::PoolInUse
            | Rule::StatusUnread
            | Rule::NullStream => 6,
            _ => 5,
        }
    }
}

texts! {
    /// A way in which the API is stricter than AscendCL. A legal program that breaks one of these is expected to be
    /// refused: a loss that has an explanation. The text says why such programs are refused although AscendCL allows them.
    Strictness {
        Moved: "A value is used after it was given away: forgotten, moved into another value, or moved in an earlier turn of a loop. The C handle is still valid. Rust has one owner for each value."
        Borrowed: "A value is used while a borrow of it is used later: a proof after later work of its stream, a point after its event was recorded again, memory beside its parts, a plan or a lease. Nothing has happened between the two uses in this order, but the compiler does not see the order of queued work."
        Thread: "A binding, a stream, a plan, a binary of kernels or memory whose length the data decide is used on another thread, where its context happens to be current. `park` and `attach` move a stream."
        OldBinding: "A binding or a stream is used after the thread was bound again, and its context is current again or the call needs none. The borrow of the token ends with the second binding."
        NotAdopted: "Queued work uses memory that was not given to its stream, and a later wait happens to come in time. A borrow cannot express that wait, because `mem::forget` ends a borrow early."
        NotTaken: "The host, a blocking call or another stream uses queued memory after a wait, but without the step that takes it back from its stream."
        OtherProof: "Memory is taken back with the proof of another stream, which has waited for the first one. The names of the two streams differ."
        NotVerified: "A result is used without the step that verifies it, after a wait that has verified it."
        Form: "Fresh memory is passed by reference, or written memory by value. Fresh memory goes in by value, because its type changes."
        Shared: "Shared memory is written by the one stream that reads it. A share is for reading until it is the last one."
        Readonly: "A part or a lease for reading is written, while nothing else uses the memory."
        Brand: "A stream with a brand or a number is attached, stored or used outside of the closure that gives it its brand."
        Types: "Two values of different types are exchanged, or a step is spelled for another kind of value. Devices, streams and states are parts of types."
        Contexts: "Memory of one context is used in another context of the same device. Each explicit context is a device of its own in types, because a wait for a device covers one context only."
        Stopping: "A device that stops on failure is lent memory, runs an operator to its end or a host function, or its stream is aborted. After a failure no wait of such a device succeeds, so nothing would give the memory back, and a fence behind dropped work would vouch for it."
        Returned: "A lease is taken back or queued again inside its scope, or lent memory is used there, after the work on it is over."
        Captured: "A closure borrows memory outside of it, and stores the borrow outside of it too, or a function of a stream owns memory that is lent. The closure is called once, but the compiler takes it for one that may run again, where the two borrows would meet, and a function of a stream for one that may run when the loan is over."
        Accepted: "A picture is checked whose task was accepted without a proof, or that was made from an unchecked picture of another stream, and a later wait has proven all of them. The check returns an error when the program runs: a status does not tell whether its task has run."
    }
}

impl Strictness {
    /// Whether the program compiles, and the call returns an error.
    pub(crate) fn is_found_at_run_time(self) -> bool {
        self == Strictness::Accepted
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Rule, Strictness};

    #[test]
    fn each_rule_has_words_of_its_own() {
        let rules = Rule::ALL.iter().map(|rule| rule.text());
        let texts: BTreeSet<_> = rules
            .chain(Strictness::ALL.iter().map(|one| one.text()))
            .collect();
        assert_eq!(texts.len(), Rule::ALL.len() + Strictness::ALL.len());
    }
}
