//! Shared memory as operands: its domains, and the copies that exist for it.

use std::ffi::c_void;
use std::fmt;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::Arc;

use ascendcl_sys as sys;

use super::{Exported, Imported, Importers, SharedBuf};
use crate::context::Current;
use crate::device::AnyDevice;
use crate::error::Result;
#[cfg(doc)]
use crate::error::Usage;
use crate::memory::operand::Allocated;
use crate::memory::place::{Allocator, Dev, Pooled};
use crate::memory::slice::within;
use crate::memory::{
    CopyTo, Destination, FillPlace, Host, OnDevice, Place, Plain, Reserved, Slice, SliceMut, Source,
};
use crate::park::{Parking, StreamKey, User};
use crate::queue::owned::Owned;
use crate::queue::{Queue, Queued, Shared};
use crate::state::Sealed;

/// The side of what is shared: [`Exported`] or [`Imported`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no side of what processes share",
    label = "expected `Exported<D>` in the process that owns it, `Imported<D>` in another one"
)]
pub trait Domain: Place {
    /// The device of this process that uses it.
    type Device: AnyDevice;
    /// Whether this process owns what is shared.
    #[doc(hidden)]
    const OWNS: bool;
}

/// Memory that other processes can import: written memory of the device `D` that no stream uses.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be exported",
    label = "expected a `DeviceBuf` or a `ReservedBuf` of this device, which is written and idle, with a length that is known at run time",
    note = "take queued memory back before another process reads it: `stream.synchronize()?.take(buffer)`",
    note = "write fresh memory (`Uninit`) first, with `memset` or a copy; copy memory of a pool to a buffer of `current.malloc`; a buffer `[T; N]` becomes a `[T]`: `buffer.forget_length()`",
    note = "memory of another process has its key already, which every process can pass on: `shared.key()`"
)]
pub trait Exportable<'dev, D: AnyDevice>: Sealed {
    /// The side of the exported memory.
    type Side: Domain;
    /// Its elements.
    type Element;

    /// Exports the memory to at least one process.
    #[doc(hidden)]
    fn export(
        self,
        current: Current<'_, 'dev, D>,
        importers: Importers<'_>,
    ) -> Result<SharedBuf<'dev, Self::Side, Self::Element>>;
}

/// Notifies that this process has created.
#[diagnostic::on_unimplemented(
    message = "only the process that has created a notify waits for it",
    label = "another process has created this notify, and here it can be recorded",
    note = "create a notify here, `current.create_shared_notify(..)?`, and send its key to the process that is to record it"
)]
pub trait CreatedHere: Domain {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> CreatedHere for Exported<D> {}

/// Notifies that another process has created.
#[diagnostic::on_unimplemented(
    message = "a shared notify is recorded by the processes that have imported it",
    label = "this process has created the notify, and here it can be waited for",
    note = "to order streams of one process, record an event: `stream.record(&mut event)?`"
)]
pub trait CreatedElsewhere: Domain {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> CreatedElsewhere for Imported<D> {}

/// Shared events that this process has created.
#[diagnostic::on_unimplemented(
    message = "only the process that has created a shared event records it",
    label = "another process has created this event, and here it can be waited for",
    note = "create an event here, `current.create_shared_event()?`, and send the key that its record returns to the process that is to wait"
)]
pub trait RecordsEvents: Domain {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> RecordsEvents for Exported<D> {}

/// Shared events that another process has created.
#[diagnostic::on_unimplemented(
    message = "a shared event is waited for by the processes that have imported it",
    label = "this process has created the event, and here it can be recorded",
    note = "to order streams of one process, record an event of this process: `let recorded = stream.record(&mut event)?;`, then `other.wait(recorded)?`"
)]
pub trait AwaitsEvents: Domain {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> AwaitsEvents for Imported<D> {}

/// Implements a side as a domain of memory.
macro_rules! domain {
    ($name:ident, $side:ty, $owns:literal) => {
        impl<D: AnyDevice> Place for $side {}
        impl<D: AnyDevice> Allocator for $side {
            const NAME: &'static str = stringify!($name);
            const FREE: &'static str = "nothing";
            const TOUCHED: bool = false;
            const OWNED: bool = false;
            const POOLED: bool = false;

            /// Does nothing: the [`SharedBuf`] has the memory, and its parts free nothing.
            #[inline(always)]
            unsafe fn free(_: NonNull<c_void>) -> sys::aclError {
                sys::ACL_SUCCESS
            }
        }
        impl<D: AnyDevice> Domain for $side {
            type Device = D;
            const OWNS: bool = $owns;
        }
        #[diagnostic::do_not_recommend]
        impl<D> OnDevice<D> for $side {}
        copies!($side: Dev Reserved Pooled);
    };
}

/// Lists the memory of this device from which and to which there are copies.
macro_rules! copies {
    ($side:ty: $($own:ident)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<D: AnyDevice> CopyTo<$side, D> for $own<D> {
            const KIND: sys::aclrtMemcpyKind = sys::ACL_MEMCPY_DEVICE_TO_DEVICE;
        }
        #[diagnostic::do_not_recommend]
        impl<D: AnyDevice> CopyTo<$own<D>, D> for $side {
            const KIND: sys::aclrtMemcpyKind = sys::ACL_MEMCPY_DEVICE_TO_DEVICE;
        }
    )* };
}

domain!(Exported, Exported<D>, true);
domain!(Exported, Exported<Reserved<D>>, true);
domain!(Imported, Imported<D>, false);

/// What a side is besides, whatever it has.
macro_rules! sides {
    ($($name:ident),*) => { $(
        impl<P> fmt::Debug for $name<P> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(
                    f,
                    concat!(stringify!($name), "<{}>"),
                    std::any::type_name::<P>()
                )
            }
        }
        impl<P> Sealed for $name<P> {}
    )* };
}

sides!(Exported, Imported);

/// Lists what a process does with memory that it owns. Between two devices there are only queued copies within a device (manual,
/// chapter 11-07).
macro_rules! owned {
    ($($side:ty),*) => { $(
        #[diagnostic::do_not_recommend]
        impl<D: AnyDevice> CopyTo<Host, D> for $side {
            const KIND: sys::aclrtMemcpyKind = sys::ACL_MEMCPY_DEVICE_TO_HOST;
        }
        #[diagnostic::do_not_recommend]
        impl<D: AnyDevice> CopyTo<$side, D> for Host {
            const KIND: sys::aclrtMemcpyKind = sys::ACL_MEMCPY_HOST_TO_DEVICE;
        }
        #[diagnostic::do_not_recommend]
        impl<D: AnyDevice> FillPlace for $side {}
    )* };
}

owned!(Exported<D>, Exported<Reserved<D>>);

impl<D, M: Domain + OnDevice<D>, T: Plain> Owned<D> for SharedBuf<'_, M, T> {
    const SWAPS: bool = true;

    unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
        parking.park(users, self.into_parked());
    }

    fn enters(&self, _: StreamKey) {}

    /// Memory claims nothing of its contents.
    fn accepted(&self) {}
}

impl<M: Domain, T: Plain> Sealed for &SharedBuf<'_, M, T> {}
impl<M: Domain, T: Plain> Sealed for &mut SharedBuf<'_, M, T> {}
impl<Q: Queue, M: Domain + OnDevice<Q::Device>, T: Plain, H> Sealed
    for &Queued<'_, Q, SharedBuf<'_, M, T>, H>
{
}
impl<Q: Queue, M: Domain + OnDevice<Q::Device>, T: Plain, H> Sealed
    for &mut Queued<'_, Q, SharedBuf<'_, M, T>, H>
{
}

impl<Q: Queue, M: Domain + OnDevice<Q::Device>, T: Plain, H> Sealed
    for &Queued<'_, Q, Shared<Q::Device, SharedBuf<'_, M, T>>, H>
{
}
/// Several streams read it, as they read a share of a buffer.
#[diagnostic::do_not_recommend]
impl<Q: Queue, M: Domain + OnDevice<Q::Device>, T: Plain, H> Source<Q>
    for &Queued<'_, Q, Shared<Q::Device, SharedBuf<'_, M, T>>, H>
{
    type Place = M;
    type Elements = [T];
    const WAITS: bool = false;
    const WHOLE: bool = true;

    #[inline(always)]
    fn source(&self) -> NonNull<[T]> {
        self.resource().elements()
    }
}

/// Lists how shared memory is given: idle to a blocking call, or queued to a stream.
macro_rules! operands {
    ($([$($generics:tt)*] $Site:ty, $Place:ty, $Given:ty, $memory:ident;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: Plain, $($generics)*> Source<$Site> for &$Given {
            type Place = $Place;
            type Elements = [T];
            const WAITS: bool = false;
            const WHOLE: bool = true;

            #[inline(always)]
            fn source(&self) -> NonNull<[T]> {
                self.$memory().elements()
            }
        }
        #[diagnostic::do_not_recommend]
        impl<T: Plain, $($generics)*> Destination<$Site> for &mut $Given {
            type Place = $Place;
            type Elements = [T];
            type Origin = Allocated;
            type Written = ();
            const WAITS: bool = false;
            const WHOLE: bool = true;

            #[inline(always)]
            fn destination(&self) -> NonNull<[T]> {
                self.$memory().elements()
            }

            #[inline(always)]
            unsafe fn written(self) {}
        }
    )* };
}

operands! {
    // Imported memory has no blocking copies.
    [D: AnyDevice, X: AnyDevice] X, Exported<D>, SharedBuf<'_, Exported<D>, T>, idle;
    [D: AnyDevice, X: AnyDevice] X, Exported<Reserved<D>>, SharedBuf<'_, Exported<Reserved<D>>, T>, idle;
    [Q: Queue, M: Domain + OnDevice<Q::Device>, H] Q, M, Queued<'_, Q, SharedBuf<'_, M, T>, H>, resource;
}

impl<M: Domain, T> SharedBuf<'_, M, T> {
    #[inline(always)]
    fn idle(&self) -> &Self {
        self
    }
}

impl<Q: Queue, M: Domain + OnDevice<Q::Device>, T: Plain, H> Queued<'_, Q, SharedBuf<'_, M, T>, H> {
    /// Returns the number of elements.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # use ascendcl::share::Importers;
    /// let frames = current.memset(current.malloc::<u8>(4096)?, 0)?;
    /// let frames = stream.adopt(current.export_memory(frames, Importers::Any)?);
    /// assert_eq!(frames.len(), 4096);
    /// # });
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.resource().len()
    }

    /// Returns whether there are no elements. This is always `false`, because empty memory is not shared.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # use ascendcl::share::Importers;
    /// let frames = current.memset(current.malloc::<u8>(4096)?, 0)?;
    /// assert!(!stream.adopt(current.export_memory(frames, Importers::Any)?).is_empty());
    /// # });
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns a part, as the source of a copy of its stream.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # use ascendcl::share::Importers;
    /// let frames = current.memset(current.malloc::<u8>(4096)?, 7)?;
    /// let frames = stream.adopt(current.export_memory(frames, Importers::Any)?);
    /// let last = stream.memcpy_async(stream.malloc_host(host, 1024)?, frames.slice(3072..4096)?)?;
    /// assert_eq!(stream.synchronize()?.take(last)[..], [7; 1024]);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Range`] when the range is not within the memory.
    pub fn slice(&self, range: Range<usize>) -> Result<Slice<'_, M, [T], Q>> {
        let part = within(self.resource().elements(), range)?;
        // SAFETY: a range within the memory, which is queued on `Q` and borrowed.
        Ok(unsafe { Slice::new(part) })
    }

    /// Returns a part, as the destination of a copy of its stream.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # use ascendcl::share::Importers;
    /// let frames = current.memset(current.malloc::<u8>(4096)?, 7)?;
    /// let mut frames = stream.adopt(current.export_memory(frames, Importers::Any)?);
    /// let first = stream.malloc_host_from(host, &[1_u8; 1024])?;
    /// stream.memcpy_async(frames.slice_mut(0..1024)?, &first)?;
    /// stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Range`] when the range is not within the memory.
    pub fn slice_mut(&mut self, range: Range<usize>) -> Result<SliceMut<'_, M, [T], Q>> {
        let part = within(self.resource().elements(), range)?;
        // SAFETY: a range within the memory, which is queued on `Q` and borrowed exclusively.
        Ok(unsafe { SliceMut::new(part) })
    }
}
