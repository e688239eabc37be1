//! The ledger of a device or context: the failures of its work, and whether they were returned.
//!
//! The runtime reports a failed task once, to the first wait. Another wait for the same work would then treat the
//! work as successful. So each failed wait is entered here, and each successful wait checks the ledger before it
//! counts as a proof. `names` has the names of the streams, `failures` what has failed and who knows it, and `lent` the scopes
//! in which memory is lent.
//!
//! Each failure is counted in `reports`, and poisons the streams that it may concern. Then it is in one of these states:
//!
//! | state | where | returned by |
//! |---|---|---|
//! | told | `StreamEntry::told`, the holder has it | the wait that failed (`enter`) |
//! | kept | `StreamEntry::kept` | the next wait for the stream (`tell`) |
//! | kept for any | `Ledger::kept` | the next wait for one of the poisoned streams, or for the device (`tell`) |
//! | with the hook only | `Ledger::hook_only` | the end of a scope, or of `Acl::on` |
//!
//! A scope compares `reports`, which is of this ledger. A blocking call compares the failed waits for whole devices, which are
//! numbered in the process (`failed_waits`), because it reads the number without a look for its ledger.
//!
//! A lock is taken behind those before it in this list: `lent_wait`, `device_wait`, `streams`, `kept`. No other one is taken
//! behind `lent`, `last_report` and `hook_only`.

mod failures;
mod lent;
mod names;

use std::thread::ThreadId;

use crate::error::Error;
use crate::park::StreamKey;
use crate::raw::Handle;
use crate::sync::{AtomicU64, Mutex, lock};

pub(crate) use failures::failed_waits;

/// The names of the streams of a device or context, and the failures of their work.
#[derive(Debug)]
pub(crate) struct Ledger {
    /// One entry for each name. It stays if the release of its stream gave no proof that the work is over.
    streams: Mutex<Vec<StreamEntry>>,
    /// Locked during a wait for the whole device, until the outcome of the wait is entered.
    device_wait: Mutex<()>,
    /// The number of failed waits and of host functions that have panicked.
    reports: AtomicU64,
    /// The text of the last failed wait or panicked host function.
    last_report: Mutex<(String, Option<i32>)>,
    /// The number of the last failed wait for this whole device among the failed waits for all devices, counted from
    /// one. Zero means none.
    last_failure: AtomicU64,
    /// The number of open scopes, in which memory is lent. It changes while `lent` is locked.
    scopes: AtomicU64,
    /// The names of the streams that memory was moved into while it was lent, until no scope is open. Such memory outlives
    /// its stream, and a later stream of the same name may use it.
    lent: Mutex<Vec<StreamKey>>,
    /// Locked while the end of a scope waits for streams of other threads, so that they are not destroyed meanwhile.
    lent_wait: Mutex<()>,
    /// The first failure that a wait for the whole device could not return. It may concern each poisoned stream.
    kept: Mutex<Option<Error>>,
    /// The first failure of work that only the hook for failed releases has received.
    hook_only: Mutex<Option<HookOnly>>,
}

/// A failure of work that only the hook for failed releases has received.
#[derive(Debug)]
struct HookOnly {
    error: Error,
    /// The number of reports when the failure was entered here, itself included.
    reports: u64,
}

/// What the ledger knows of a stream.
#[derive(Debug)]
struct StreamEntry {
    /// The name of the stream on its device, or its number.
    key: StreamKey,
    /// The stream of another library that has this name, also while no handle has it.
    borrowed: Option<Handle>,
    /// Whether a handle has this name. The default stream lives longer than its handles, and so does its name.
    held: bool,
    /// Whether a wait that may concern this stream has failed, or a host function on the stream. No later wait proves
    /// anything about the work that the failed wait covered.
    poisoned: bool,
    /// Whether a failure of the stream was returned to its holder.
    told: bool,
    /// A failure that was not returned yet: a panic of a host function, or an error that a wait could not return.
    kept: Option<Error>,
    /// The number of the stream's subscription to a thread that runs its callbacks, or zero.
    subscription: u64,
    /// Which threads may wait for the stream.
    reach: Reach,
    /// The thread that has the stream in use, as far as it is known.
    holder: Option<ThreadId>,
}

/// Which threads may wait for a stream.
#[derive(Debug, Clone, Copy)]
enum Reach {
    /// Its holder alone: it is not created yet, or another library may destroy it.
    Holder,
    /// Each thread.
    Any(Handle),
    /// None: it was destroyed behind a proof, so there is nothing to wait for.
    Over,
}

impl Ledger {
    pub(crate) fn new() -> Ledger {
        Ledger {
            streams: Mutex::new(Vec::new()),
            device_wait: Mutex::new(()),
            reports: AtomicU64::new(0),
            last_report: Mutex::default(),
            last_failure: AtomicU64::new(0),
            scopes: AtomicU64::new(0),
            lent: Mutex::new(Vec::new()),
            lent_wait: Mutex::new(()),
            kept: Mutex::new(None),
            hook_only: Mutex::new(None),
        }
    }

    /// Changes the entry of a stream, if there is one.
    fn of_stream(&self, key: StreamKey, change: &mut dyn FnMut(&mut StreamEntry)) {
        let mut streams = lock(&self.streams);
        if let Some(entry) = find(&mut streams, key) {
            change(entry);
        }
    }
}

fn find(streams: &mut [StreamEntry], key: StreamKey) -> Option<&mut StreamEntry> {
    streams.iter_mut().find(|entry| entry.key == key)
}
