//! Streams on their way from one thread to another.

use std::any::{TypeId, type_name};
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::sync::Arc;

use crate::context::Current;
use crate::device::{AnyDevice, Core};
use crate::raw::Handle;
use crate::release;
use crate::state::Invariant;
use crate::stream::end::{Ended, end, settle_in_scope};
use crate::stream::{Stream, StreamTag, tag};

/// A stream between two threads: it can be sent, and nothing else can be done with it.
///
/// Dropping it synchronises and destroys the stream.
///
/// # Invariants
///
/// As for [`Stream`]; `core` is that of the stream's device.
pub struct ParkedStream<'dev, D: AnyDevice, S: StreamTag> {
    raw: Handle,
    core: &'dev Arc<Core>,
    _queue: PhantomData<Invariant<(D, S)>>,
}

impl<'t, 'dev, D: AnyDevice> Current<'t, 'dev, D> {
    /// Takes a stream off its thread, so that it can be sent to another.
    ///
    /// While memory is lent to the device in a [scope](Current::scope), it waits for the stream first: the scope has to
    /// know whether work on that memory has failed.
    #[must_use]
    pub fn park<S: StreamTag>(self, stream: Stream<'_, 'dev, D, S>) -> ParkedStream<'dev, D, S> {
        let mut stream = ManuallyDrop::new(stream);
        if self.core().ledger().has_scopes() {
            settle_in_scope(TypeId::of::<S>(), self.core(), || stream.wait_for_all());
        }
        ParkedStream {
            raw: stream.raw,
            core: self.core(),
            _queue: PhantomData,
        }
    }

    /// Takes a parked stream into use on this thread.
    #[must_use]
    pub fn attach<S: StreamTag>(self, parked: ParkedStream<'dev, D, S>) -> Stream<'t, 'dev, D, S> {
        let parked = ManuallyDrop::new(parked);
        // INVARIANT: the stream of the parked one, whose device is current here.
        Stream {
            raw: parked.raw,
            _binding: PhantomData,
            _device: PhantomData,
        }
    }
}

impl<D: AnyDevice, S: StreamTag> Drop for ParkedStream<'_, D, S> {
    fn drop(&mut self) {
        let raw = <S as tag::Tag>::CREATED.then_some(self.raw);
        let core = self.core;
        // The destruction needs the stream's context (107003).
        let ended = core.elsewhere(|| Ok(end(raw, TypeId::of::<S>(), core)));
        release::in_drop(ended.and_then(Ended::report));
    }
}

impl<D: AnyDevice, S: StreamTag> fmt::Debug for ParkedStream<'_, D, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "ParkedStream<{}, {}>",
            type_name::<D>(),
            type_name::<S>()
        )
    }
}
