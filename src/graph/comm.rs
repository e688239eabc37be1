//! Communicators in graphs.

use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::Arc;

use crate::collective::name::CommTag;
use crate::collective::operand::CommStream;
use crate::collective::{Comm, Rank, Ranks};
use crate::device::DeviceTag;
use crate::error::Result;
use crate::graph::memory::kept::Kept;
use crate::graph::memory::owned;
use crate::park::{Parking, StreamKey, User};
use crate::queue::SessionOn;
use crate::queue::owned::Owned;
use crate::queue::session::seal::Sealed;
use crate::state::Invariant;

/// A communicator that a graph has: `recording.with(&comm)` records its operations.
///
/// All ranks of the communicator record the same operations and run their graphs in the same order.
///
/// ```
/// use ascendcl::collective::{Comm, Sum};
/// use ascendcl::{Current, DeviceTag, Result, Stream};
///
/// /// Adds the numbers of all ranks, ten times, each time by one call.
/// fn sums<'t, 'd, D: DeviceTag>(
///     current: Current<'t, 'd, D>,
///     stream: &mut Stream<'t, 'd, D>,
///     comm: Comm<'t, 'd, D>,
/// ) -> Result<()> {
///     let numbers = current.memset_d32(current.malloc::<i32>(4)?, 3)?;
///     let sums = current.memset(current.malloc::<i32>(4)?, 0)?;
///     let mut graph = stream.capture((comm, numbers, sums), |recording, (comm, numbers, mut sums)| {
///         recording.with(&comm).all_reduce(Sum, &numbers, &mut sums)
///     })?;
///     for _ in 0..10 {
///         graph.launch(stream)?;
///     }
///     let (comm, ..) = stream.synchronize()?.take(graph).destroy()?;
///     comm.destroy()
/// }
/// ```
///
/// # Invariants
///
/// - The communicator lives during `'a`. With `Q` = `()` it is idle, otherwise only work of `Q` uses it.
pub struct GraphComm<'a, Q, C> {
    comm: NonNull<C>,
    _queue: PhantomData<(&'a (), Invariant<(Q, C)>)>,
}

impl<Q, C> GraphComm<'_, Q, C> {
    fn comm(&self) -> &C {
        // SAFETY: it lives (invariant).
        unsafe { self.comm.as_ref() }
    }
}

impl<'t, 'dev, D: DeviceTag, N: CommTag, Q> GraphComm<'_, Q, Comm<'t, 'dev, D, N>> {
    /// Returns the ranks: their number, and the own one.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// # let comm = stream.synchronize()?.take(comm);
    /// let mut graph = stream.capture(comm, |recording, comm| {
    ///     let own = comm.ranks().own().number();
    ///     recording.each_run(move || println!("rank {own}"))
    /// })?;
    /// graph.launch(&mut stream)?;
    /// # stream.synchronize()?;
    /// # });
    /// ```
    #[must_use]
    pub fn ranks(&self) -> Ranks<N> {
        self.comm().ranks()
    }

    /// Returns the rank with this number.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// # let comm = stream.synchronize()?.take(comm);
    /// let mut graph = stream.capture(comm, |recording, comm| {
    ///     let mut numbers = recording.memset_async(recording.malloc::<i32>(4)?, 1)?;
    ///     let root = comm.rank(0)?;
    ///     recording.with(&comm).broadcast(root, &mut numbers)
    /// })?;
    /// graph.launch(&mut stream)?;
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Comm::rank`].
    pub fn rank(&self, number: u32) -> Result<Rank<N>> {
        self.comm().rank(number)
    }
}

impl<Q, C> Sealed for GraphComm<'_, Q, C> {}
#[diagnostic::do_not_recommend]
impl<'t, 'dev, D: DeviceTag, S: CommStream, N: CommTag> SessionOn<(D, S)>
    for GraphComm<'_, (D, S), Comm<'t, 'dev, D, N>>
{
    type Resource = Comm<'t, 'dev, D, N>;

    #[inline(always)]
    fn resource(&self) -> &Comm<'t, 'dev, D, N> {
        self.comm()
    }
}

impl<'t, 'dev, D: DeviceTag, N: CommTag> Kept<D> for Comm<'t, 'dev, D, N> {
    type At<'a, Q> = GraphComm<'a, Q, Comm<'t, 'dev, D, N>>;

    unsafe fn at<'a, Q>(this: *mut Self) -> Self::At<'a, Q> {
        // SAFETY: a live communicator, so the address is not null.
        let comm = unsafe { NonNull::new_unchecked(this) };
        // INVARIANT: the caller's contract.
        GraphComm {
            comm,
            _queue: PhantomData,
        }
    }

    owned!(D);
}

impl<Q, C: fmt::Debug> fmt::Debug for GraphComm<'_, Q, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.comm().fmt(f)
    }
}
