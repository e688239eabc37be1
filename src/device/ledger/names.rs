//! The names of the streams of a device: who has them, and which stream is behind each.

use std::thread;

use super::{Ledger, Reach, StreamEntry, find};
use crate::error::{Result, Usage};
use crate::park::StreamKey;
use crate::raw::Handle;
use crate::sync::{AtomicU64, Ordering, lock, shared};

shared! {
    /// The number of subscriptions in this process until now.
    static SUBSCRIPTIONS: AtomicU64 = AtomicU64::new(0);
}

impl StreamEntry {
    /// Makes an entry for a name that is claimed for a stream without work.
    fn held(key: StreamKey, borrowed: Option<Handle>) -> StreamEntry {
        StreamEntry {
            key,
            borrowed,
            held: true,
            poisoned: false,
            told: false,
            kept: None,
            subscription: 0,
            reach: Reach::Holder,
            holder: None,
        }
    }
}

impl Ledger {
    /// Claims a stream name on this device.
    pub(crate) fn claim_stream(&self, key: StreamKey) -> Result<()> {
        let mut streams = lock(&self.streams);
        match find(&mut streams, key) {
            Some(taken) if taken.held || taken.poisoned => {
                let name = key.label();
                return Err(Usage::StreamNameTaken { name }.into());
            }
            Some(known) => known.held = true,
            None => streams.push(StreamEntry::held(key, None)),
        }
        Ok(())
    }

    /// Claims a name for a stream of another library. If the name belonged to another stream before, returns that
    /// stream: there is no proof that its work under the name is over.
    pub(crate) fn claim_borrowed(&self, key: StreamKey, raw: Handle) -> Result<Option<Handle>> {
        let mut streams = lock(&self.streams);
        let has_other_name = |known: &&StreamEntry| {
            known.key != key && known.borrowed == Some(raw) && (known.held || !known.poisoned)
        };
        if let Some(other) = streams.iter().find(has_other_name) {
            let name = other.key.label();
            return Err(Usage::StreamBorrowed { name }.into());
        }
        match find(&mut streams, key) {
            Some(taken) if taken.held || taken.poisoned => {
                let name = key.label();
                Err(Usage::StreamNameTaken { name }.into())
            }
            Some(known) => {
                known.held = true;
                let before = known.borrowed.replace(raw);
                Ok(before.filter(|before| *before != raw))
            }
            None => {
                streams.push(StreamEntry::held(key, Some(raw)));
                Ok(None)
            }
        }
    }

    /// Gives a name back that still belongs to the stream `before`, because there is no proof that the work of that
    /// stream is over.
    pub(crate) fn unclaim_borrowed(&self, key: StreamKey, before: Handle) {
        self.of_stream(key, &mut |entry| {
            entry.held = false;
            entry.borrowed = Some(before);
        });
    }

    /// Gives a name back, unless it is poisoned.
    pub(crate) fn unclaim_stream(&self, key: StreamKey) {
        let mut streams = lock(&self.streams);
        streams.retain(|entry| entry.key != key || entry.poisoned);
        if let (Some(entry), StreamKey::Number(_)) = (find(&mut streams, key), key) {
            entry.held = false;
        }
    }

    /// Gives the name of a stream back that continues to exist. A later failure still belongs to the name.
    pub(crate) fn release_stream(&self, key: StreamKey) {
        self.of_stream(key, &mut |entry| entry.held = false);
    }

    /// Removes the number of a stream that is gone. No later stream gets this number, so its poison flag is not
    /// needed any more. A failure that was not returned yet stays.
    #[cold]
    pub(crate) fn forget_number(&self, key: StreamKey) {
        if let StreamKey::Number(_) = key {
            lock(&self.streams)
                .retain(|entry| entry.key != key || entry.held || entry.kept.is_some());
        }
    }

    /// Whether the device may have a stream with work. A stream that was destroyed after a proof has given its name
    /// back, and has no work.
    pub(crate) fn has_streams(&self) -> bool {
        !lock(&self.streams).is_empty()
    }

    /// Enters the stream of a name that was claimed, so that any thread may wait for it until [`Ledger::stream_goes`].
    pub(crate) fn set_stream(&self, key: StreamKey, stream: Handle) {
        self.of_stream(key, &mut |entry| {
            entry.reach = Reach::Any(stream);
            entry.holder = Some(thread::current().id());
        });
    }

    /// Enters that the calling thread takes the stream into use, or that it parks the stream.
    #[cold]
    pub(crate) fn set_holder(&self, key: StreamKey, is_in_use: bool) {
        let holder = is_in_use.then(|| thread::current().id());
        self.of_stream(key, &mut |entry| entry.holder = holder);
    }

    /// Returns the streams that exist and that this crate has created.
    pub(crate) fn open_streams(&self) -> Vec<(StreamKey, Handle)> {
        let streams = lock(&self.streams);
        let handles = streams.iter().filter_map(|entry| match entry.reach {
            Reach::Any(stream) if stream != Handle::NULL_STREAM => Some((entry.key, stream)),
            _ => None,
        });
        handles.collect()
    }

    /// Enters a new subscription of the stream, and returns its number.
    pub(crate) fn subscribe(&self, key: StreamKey) -> u64 {
        let number = SUBSCRIPTIONS.fetch_add(1, Ordering::Relaxed) + 1;
        self.of_stream(key, &mut |entry| entry.subscription = number);
        number
    }

    /// Enters that the subscription of the stream has ended.
    pub(crate) fn unsubscribe(&self, key: StreamKey) {
        self.of_stream(key, &mut |entry| entry.subscription = 0);
    }

    /// Whether the subscription of the stream has this number.
    pub(crate) fn has_subscription(&self, key: StreamKey, number: u64) -> bool {
        let of_stream = |entry: &StreamEntry| entry.key == key && entry.subscription == number;
        lock(&self.streams).iter().any(of_stream)
    }
}
