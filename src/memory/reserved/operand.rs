//! Memory at reserved addresses as an operand: the elements that were written are read, and the next ones are written.

use std::fmt;
use std::ptr::NonNull;

use crate::device::AnyDevice;
use crate::memory::operand::Allocated;
use crate::memory::place::Reserved;
use crate::memory::reserved::{ReservedBuf, Tail};
use crate::memory::{Destination, OnDevice, Plain, SliceMut, Source};
use crate::queue::{Queue, Queued, Shared};
use crate::state::Sealed;
use crate::stream::AnyStream;

impl<D, T, Q> Tail<'_, D, T, Q> {
    #[cfg(feature = "operators")]
    pub(crate) fn raw(&self) -> NonNull<[T]> {
        self.part.raw()
    }
}

/// Lists what is written by work of a site.
macro_rules! destinations {
    ($([$($generics:tt)*] $site:ty, $queue:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<'b, D, T, $($generics)*> Destination<$site> for Tail<'b, D, T, $queue> {
            type Place = Reserved<D>;
            type Elements = [T];
            type Origin = Allocated;
            type Written = SliceMut<'b, Reserved<D>, [T], $queue>;
            const WAITS: bool = false;

            #[inline(always)]
            fn destination(&self) -> NonNull<[T]> {
                self.part.raw()
            }

            #[inline(always)]
            unsafe fn written(self) -> Self::Written {
                // INVARIANT: the work writes all of the part (the caller's contract), which begins at `len`.
                *self.len += self.part.len();
                self.part
            }
        }
    )* };
}

impl<D, T, Q> Sealed for Tail<'_, D, T, Q> {}
destinations! {
    [C: AnyDevice] C, ();
    [C: AnyDevice, S: AnyStream] (C, S), (C, S);
}

impl<D, T> Sealed for ReservedBuf<'_, D, T> {}
impl<D, T> Sealed for &ReservedBuf<'_, D, T> {}
#[diagnostic::do_not_recommend]
impl<C: AnyDevice, D, T: Plain> Source<C> for &ReservedBuf<'_, D, T> {
    type Place = Reserved<D>;
    type Elements = [T];
    const WAITS: bool = false;

    #[inline(always)]
    fn source(&self) -> NonNull<[T]> {
        self.written()
    }
}

impl<Q: Queue, D, T, H> Sealed for &Queued<'_, Q, ReservedBuf<'_, D, T>, H> where
    Reserved<D>: OnDevice<Q::Device>
{
}
#[diagnostic::do_not_recommend]
impl<Q: Queue, D, T: Plain, H> Source<Q> for &Queued<'_, Q, ReservedBuf<'_, D, T>, H>
where
    Reserved<D>: OnDevice<Q::Device>,
{
    type Place = Reserved<D>;
    type Elements = [T];
    const WAITS: bool = false;
    const WHOLE: bool = true;

    #[inline(always)]
    fn source(&self) -> NonNull<[T]> {
        self.resource().written()
    }
}

impl<Q: Queue, D, T, H> Sealed for &Queued<'_, Q, Shared<Q::Device, ReservedBuf<'_, D, T>>, H> where
    Reserved<D>: OnDevice<Q::Device>
{
}
#[diagnostic::do_not_recommend]
impl<Q: Queue, D, T: Plain, H> Source<Q>
    for &Queued<'_, Q, Shared<Q::Device, ReservedBuf<'_, D, T>>, H>
where
    Reserved<D>: OnDevice<Q::Device>,
{
    type Place = Reserved<D>;
    type Elements = [T];
    const WAITS: bool = false;
    const WHOLE: bool = true;

    #[inline(always)]
    fn source(&self) -> NonNull<[T]> {
        self.resource().written()
    }
}

impl<D, T, Q> fmt::Debug for Tail<'_, D, T, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tail({:?})", self.part)
    }
}
