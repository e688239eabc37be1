//! A second stream for a part of a recording.

use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::NonNull;

use ascendcl_sys as sys;

use crate::context::with_bound;
use crate::device::{AnyDevice, DeviceTag};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::Result;
use crate::graph::Recording;
use crate::memory::{Buf, Elements, Init, OnDevice, Place, Slice, SliceMut};
use crate::park::{Parked, StreamKey};
use crate::queue::Queued;
use crate::raw::{Handle, check};
use crate::stream::{GraphBrand, Stream, attached, stream_key};

/// Recorded memory that a recording lends to a second stream: `&mut` of memory that it writes, `&` of memory that it reads,
/// and tuples of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be lent to a second stream of this recording",
    label = "expected `&mut part`, `&part`, or a tuple of them, of memory that the recording has",
    note = "both streams may read what is lent by `&`; what is lent by `&mut` belongs to the second stream until the fork ends"
)]
pub trait ForkMemory<'g>: Lends<'g> {}
#[diagnostic::do_not_recommend]
impl<'g, L: Lends<'g>> ForkMemory<'g> for L {}

pub(crate) mod parts {
    crate::state::sealed! {
        "a wrong implementation would make safe calls unsound";
        /// Seals [`ForkMemory`](super::ForkMemory), and says what the second stream gets.
        pub trait Lends<'g> {
            /// The same memory with the brand of the second stream.
            type Part<'s>;

            /// # Safety
            ///
            /// - The result is not used when the borrow has ended, and only by work of the recording `'s`, which is ordered behind
            ///   earlier work on the memory and in front of later work.
            unsafe fn part<'s>(self) -> Self::Part<'s>;
        }
    }
}
use parts::Lends;

/// Lists what can be lent: the part, and how it comes from the memory.
macro_rules! lends {
    ($($Given:ty => $Part:ident, |$memory:ident| $elements:expr;)*) => { $(
        impl<'g, D: AnyDevice, M, E> Lends<'g> for $Given
        where
            M: Place + OnDevice<D>,
            E: Elements + ?Sized + 'static,
        {
            type Part<'s> = $Part<'s, M, E, (D, GraphBrand<'s>)>;

            unsafe fn part<'s>(self) -> Self::Part<'s> {
                let $memory = self;
                // SAFETY: live and initialised memory of `M`; the rest is the caller's contract.
                unsafe { $Part::new($elements) }
            }
        }
    )* };
}

lends! {
    SliceMut<'_, M, E, (D, GraphBrand<'g>)> => SliceMut, |part| part.raw();
    Slice<'_, M, E, (D, GraphBrand<'g>)> => Slice, |part| part.raw();
    &mut SliceMut<'_, M, E, (D, GraphBrand<'g>)> => SliceMut, |part| part.raw();
    &SliceMut<'_, M, E, (D, GraphBrand<'g>)> => Slice, |part| part.raw();
    &Slice<'_, M, E, (D, GraphBrand<'g>)> => Slice, |part| part.raw();
    &mut Queued<'_, (D, GraphBrand<'g>), Buf<'_, M, E, Init>> => SliceMut, |queued| queued.resource().raw();
    &Queued<'_, (D, GraphBrand<'g>), Buf<'_, M, E, Init>> => Slice, |queued| queued.resource().raw();
}

impl<'g> Lends<'g> for () {
    type Part<'s> = ();

    unsafe fn part<'s>(self) -> Self::Part<'s> {}
}

/// Implements tuples.
macro_rules! tuples {
    ($(($($L:ident $index:tt),*);)*) => { $(
        impl<'g, $($L: Lends<'g>),*> Lends<'g> for ($($L,)*) {
            type Part<'s> = ($($L::Part<'s>,)*);

            unsafe fn part<'s>(self) -> Self::Part<'s> {
                // SAFETY: the caller's contract.
                ($(unsafe { self.$index.part() },)*)
            }
        }
    )* };
}

tuples! {
    (A 0);
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, E 3);
    (A 0, B 1, C 2, E 3, F 4);
}

impl<'t, 'dev, 'g, D: DeviceTag> Stream<'t, 'dev, D, GraphBrand<'g>> {
    /// Records work of a second stream beside work of this one. Before, the second stream waits for the work that is recorded
    /// until now, and afterwards this one waits for it: an event for each, which the graph keeps.
    ///
    /// The second stream is made here (`aclrtCreateStream`), because the runtime records all work of a stream that was part of a
    /// recording, until the recording ends. It uses what is lent to it ([`ForkMemory`]), and what it allocates itself. Later forks
    /// of the recording use it again, and it is destroyed when the recording ends.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// let ones = current.memset_d32(current.malloc::<i32>(4)?, 1)?;
    /// let zeros = || current.memset(current.malloc::<i32>(4)?, 0);
    /// let mut graph = stream.capture((ones, zeros()?, zeros()?), |recording, (ones, mut a, mut b)| {
    ///     recording.fork((&ones, &mut b), |recording, side, (ones_there, b)| {
    ///         side.memcpy_async(b, &ones_there)?; // beside the next line
    ///         recording.memcpy_async(&mut a, &ones)
    ///     })?;
    ///     recording.memcpy_async(&mut a, &b) // behind both
    /// })?;
    /// graph.launch(&mut stream)?;
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// The error of the closure, or [`ErrorKind::Refused`]: 207008 where the product has no stream left.
    #[doc(alias("aclrtRecordEvent", "aclrtStreamWaitEvent"))]
    pub fn fork<L: ForkMemory<'g>, V>(
        &mut self,
        lent: L,
        record: impl for<'s> FnOnce(
            &mut Self,
            &mut Recording<'t, 'dev, 's, D>,
            L::Part<'s>,
        ) -> Result<V>,
    ) -> Result<V> {
        let second = Second::of(self)?;
        let (here, there) = (self.as_raw(), second.raw.as_ptr());
        let (begins, ends) = (self.event()?, self.event()?);
        order(begins, here, there)?;
        // INVARIANT: the stream `second`, which nothing else uses, under a tag that no other stream has. It is never dropped.
        let mut side = ManuallyDrop::new(attached(second.raw, self.ident()));
        // SAFETY: `lent` is borrowed until this call ends, the closure cannot keep its parts, and the events order the streams.
        let parts = unsafe { lent.part() };
        let recorded = catch_unwind(AssertUnwindSafe(|| record(self, &mut side, parts)));
        // On every path: a stream that does not come back would spoil the end of the capture (107025).
        let joined = order(ends, there, here);
        let value = recorded.unwrap_or_else(|panic| resume_unwind(panic))?;
        joined.map(|()| value)
    }

    /// Makes an event for the order of streams of this recording. The graph keeps it.
    fn event(&self) -> Result<sys::aclrtEvent> {
        let call = "aclrtCreateEventExWithFlag";
        let mut raw = core::ptr::null_mut();
        // SAFETY: `raw` is valid for a write.
        check(call, unsafe {
            sys::aclrtCreateEventExWithFlag(&raw mut raw, sys::ACL_EVENT_SYNC)
        })?;
        let event = Handle::new(call, raw)?;
        let Some(pointer) = NonNull::new(event.as_ptr().cast::<c_void>()) else {
            return Ok(raw);
        };
        let parked = Parked {
            pointer,
            bytes: 0,
            free: destroy_event,
            call: "aclrtDestroyEvent",
        };
        let graph = stream_key::<GraphBrand<'_>>(self.ident());
        // SAFETY: this value borrows the binding that made it.
        unsafe { with_bound(|core| core.parking().park(&[Some(graph)], parked)) };
        Ok(raw)
    }
}

/// The second stream of a fork. Later forks of its recording use it again.
struct Second {
    raw: Handle,
    /// The number of the graph. While it records, nothing else has this key.
    graph: u64,
}

impl Second {
    /// Takes a stream that an earlier fork of the recording has left, or creates one.
    fn of<D: DeviceTag>(recording: &Recording<'_, '_, '_, D>) -> Result<Second> {
        let (graph, _) = recording.ident();
        // SAFETY: a recording borrows the binding of its thread.
        let left = unsafe { with_bound(|core| core.parking().take_second(graph)) };
        let call = "aclrtCreateStream";
        let raw = match left {
            Some(left) => left.pointer.as_ptr(),
            None => {
                let mut raw = core::ptr::null_mut();
                // SAFETY: `raw` is valid for a write.
                check(call, unsafe { sys::aclrtCreateStream(&raw mut raw) })?;
                raw
            }
        };
        let raw = Handle::new(call, raw)?;
        Ok(Second { raw, graph })
    }
}

impl Drop for Second {
    /// Leaves the stream to later forks, and to the end of the recording.
    fn drop(&mut self) {
        let Some(pointer) = NonNull::new(self.raw.as_ptr().cast::<c_void>()) else {
            return;
        };
        let parked = Parked {
            pointer,
            bytes: 0,
            free: destroy_stream,
            call: "aclrtDestroyStream",
        };
        let key = StreamKey::Graph(self.graph);
        // SAFETY: the fork that has this value borrows the binding of its thread.
        unsafe { with_bound(|core| core.parking().park(&[Some(key)], parked)) };
    }
}

/// Destroys the second stream of a recording that has ended.
///
/// # Safety
///
/// - The stream is live, no capture has it, and it is destroyed once. Its context is current.
unsafe fn destroy_stream(stream: NonNull<c_void>) -> sys::aclError {
    // The documentation requires this wait before the destruction (manual chapter 06). Nothing says that no part of an
    // invalidated capture has run.
    // SAFETY: the caller's contract.
    let waited = unsafe { sys::aclrtSynchronizeStream(stream.as_ptr()) };
    // SAFETY: as above.
    let destroyed = unsafe { sys::aclrtDestroyStream(stream.as_ptr()) };
    if waited == sys::ACL_SUCCESS {
        destroyed
    } else {
        waited
    }
}

/// Orders later work of the stream `behind` behind the work of the stream `front`.
fn order(event: sys::aclrtEvent, front: sys::aclrtStream, behind: sys::aclrtStream) -> Result<()> {
    // SAFETY: a live event and a live stream of the current context.
    check("aclrtRecordEvent", unsafe {
        sys::aclrtRecordEvent(event, front)
    })?;
    // SAFETY: as above.
    check("aclrtStreamWaitEvent", unsafe {
        sys::aclrtStreamWaitEvent(behind, event)
    })
}

/// Destroys an event of a graph whose instances are destroyed.
///
/// # Safety
///
/// - The event is live, and destroyed once.
unsafe fn destroy_event(event: NonNull<c_void>) -> sys::aclError {
    // SAFETY: the caller's contract.
    unsafe { sys::aclrtDestroyEvent(event.as_ptr()) }
}
