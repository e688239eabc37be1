//! Communicators: the values that the program has, idle or queued on a stream.

use std::ffi::c_void;
use std::fmt;
use std::ptr::NonNull;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::collective::name::{CommTag, World};
use crate::collective::operand::CommStream;
use crate::collective::product::{Products, lacking};
use crate::collective::rank::{Rank, Ranks};
use crate::collective::raw_comm::{Hold, RawComm};
use crate::context::Current;
use crate::device::DeviceTag;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{CollectiveMismatch, Error, Result};
use crate::park::{Parked, Parking, StreamKey, User};
use crate::queue::owned::Owned;
use crate::queue::{Queued, SessionOn};
use crate::raw::Handle;
use crate::state::DropUses;
use crate::stream::StreamTag;

/// A communicator with the name `N`, as one of its ranks: the rank of device `D`.
///
/// `stream.adopt(comm)` queues it on a stream, and `stream.with(&comm)` has the collectives. So it is used on one stream only,
/// by the thread of that stream, and its memory and the communicator itself live until the work is over.
/// [`Idle::take`](crate::stream::Idle::take) returns it, for another stream or for [`Comm::destroy`]. Dropping it destroys
/// it.
///
/// It stays on the thread whose binding it borrows, and all communicators of a device are on one thread. So a device runs
/// one collective call at a time, as HCCL requires.
///
/// ```
/// use ascendcl::collective::{Comm, Sum, World};
/// use ascendcl::stream::Stream;
/// use ascendcl::{Current, DeviceTag, Result, StreamName};
///
/// fn sum<'t, 'd, D: DeviceTag, S: StreamName>(
///     stream: &mut Stream<'_, 'd, D, S>,
///     comm: Comm<'t, 'd, D, World>,
/// ) -> Result<Comm<'t, 'd, D, World>> {
///     let comm = stream.adopt(comm);
///     let ones = stream.memset_async(stream.malloc::<i32>(4)?, 1)?;
///     let sums = stream.with(&comm).all_reduce(Sum, &ones, stream.malloc(4)?)?;
///     let idle = stream.synchronize()?; // proves that the operation has succeeded
///     idle.take(sums).free()?;
///     Ok(idle.take(comm))
/// }
/// ```
///
/// # Invariants
///
/// - No work of the communicator is unfinished while this value is not [`Queued`](crate::Queued).
/// - It is used on the thread that has claimed the communicators of its device.
/// - `handle` and `ranks` are those of `raw`.
/// - While it is `Queued` on a stream, each wait for the stream asks it for its error (`Owned::enters`).
///   [`Idle::get_mut`](crate::stream::Idle::get_mut) gives no way to put another communicator into its place: the device has no
///   second one of this type, because the name is claimed.
#[must_use = "a communicator that is dropped is destroyed"]
pub struct Comm<'t, 'dev, D: DeviceTag, N = World> {
    raw: Hold,
    handle: Handle,
    ranks: Ranks<N>,
    current: Current<'t, 'dev, D>,
    /// Dropping the value destroys the communicator, on its device.
    _device: DropUses<'dev>,
}

impl<'t, 'dev, D: DeviceTag, N: CommTag> Comm<'t, 'dev, D, N> {
    /// Makes a communicator of one that was made on the device of `current`, and was claimed by this thread.
    pub(super) fn new(raw: Arc<RawComm>, current: Current<'t, 'dev, D>) -> Self {
        let (handle, ranks) = (raw.handle, Ranks::new(raw.rank, raw.size));
        // INVARIANT: no operation was queued, the communicator is not `Queued`, and the caller has claimed the device.
        Comm {
            raw: Hold::new(raw),
            handle,
            ranks,
            current,
            _device: DropUses::new(),
        }
    }

    pub(super) fn raw_comm(&self) -> &Arc<RawComm> {
        &self.raw
    }

    pub(super) fn current(&self) -> Current<'t, 'dev, D> {
        self.current
    }

    /// Returns the ranks: their number, and the own one.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm| {
    /// let ranks = comm.ranks();
    /// println!("rank {} of {}", ranks.own().number(), ranks.size());
    /// assert_eq!(ranks.size(), 2);
    /// # });
    /// ```
    #[inline]
    #[must_use]
    pub fn ranks(&self) -> Ranks<N> {
        self.ranks
    }

    /// Returns the rank with this number.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm| {
    /// let root = comm.rank(0)?;
    /// assert_eq!(root.number(), 0);
    /// assert!(comm.rank(2).is_err()); // there are two ranks
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::Rank`] for a number that is not less than the number of ranks.
    pub fn rank(&self, number: u32) -> Result<Rank<N>> {
        self.ranks().rank(number)
    }

    /// Returns the name of the communicator in HCCL (`HcclGetCommName`). All of its ranks have the same one.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm| {
    /// println!("joined {}", comm.name());
    /// assert!(!comm.name().is_empty());
    /// # });
    /// ```
    #[doc(alias = "HcclGetCommName")]
    #[must_use]
    pub fn name(&self) -> &str {
        &self.raw.name
    }

    /// Returns the handle, for C functions that this crate does not have. Do not destroy it.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm| {
    /// let raw: ascendcl::sys::HcclComm = comm.as_raw();
    /// assert!(!raw.is_null());
    /// # });
    /// ```
    #[must_use]
    pub fn as_raw(&self) -> sys::HcclComm {
        self.raw.raw()
    }

    /// Destroys the communicator (`HcclCommDestroy`).
    ///
    /// A communicator with [parts](Comm::create_sub_comm) is destroyed together with its last part.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// stream.with(&comm).barrier()?;
    /// let comm = stream.synchronize()?.take(comm); // the operations are over
    /// comm.destroy()?;
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]. The communicator is gone all the same, and its name stays taken on the device.
    #[doc(alias = "HcclCommDestroy")]
    pub fn destroy(self) -> Result<()> {
        self.raw.end()
    }
}

impl<D: DeviceTag, N: CommTag> fmt::Debug for Comm<'_, '_, D, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Comm({})", self.raw.about())
    }
}

/// Destroys a parked communicator.
///
/// # Safety
///
/// - `raw` comes from [`Arc::into_raw`] of a communicator whose work is over, and nothing else frees it.
unsafe fn destroy_parked(raw: NonNull<c_void>) -> sys::aclError {
    // SAFETY: the caller's contract.
    let raw = unsafe { Arc::from_raw(raw.as_ptr().cast::<RawComm>()) };
    // A part of the communicator that lives has it, and destroys it.
    let destroyed = Arc::into_inner(raw).map_or(Ok(()), RawComm::destroy);
    destroyed.map_or_else(
        |error| error.code().unwrap_or(sys::ACL_ERROR_INTERNAL_ERROR),
        |()| sys::ACL_SUCCESS,
    )
}

// A stream takes a communicator as it takes memory: an operation must not outlive the communicator.
impl<D: DeviceTag, N: CommTag> Owned<D> for Comm<'_, '_, D, N> {
    const SWAPS: bool = true;

    /// From now on the waits for the stream ask the communicator. So no operation has to look whether they do.
    fn enters(&self, stream: StreamKey) {
        let raw = &self.raw;
        let watches = self.current.core().watches();
        watches.begin(stream, raw.watched(), || raw.about());
    }

    unsafe fn park(self, parking: &Arc<Parking>, users: &[User]) {
        let raw = self.raw.into_inner();
        // Any thread may destroy it behind the work.
        raw.leave();
        let raw = Arc::into_raw(raw).cast_mut().cast::<c_void>();
        let Some(pointer) = NonNull::new(raw) else {
            return;
        };
        let parked = Parked {
            pointer,
            bytes: 0,
            free: destroy_parked,
            call: "HcclCommDestroy",
        };
        parking.park(users, parked);
    }

    /// A communicator keeps its errors itself.
    fn accepted(&self) {}
}

impl<'t, 'dev, D: DeviceTag, S: CommStream, N: CommTag, H> SessionOn<(D, S)>
    for Queued<'_, (D, S), Comm<'t, 'dev, D, N>, H>
{
    type Resource = Comm<'t, 'dev, D, N>;
    #[inline(always)]
    fn resource(&self) -> &Comm<'t, 'dev, D, N> {
        self.resource()
    }
}

impl<D: DeviceTag, S: StreamTag, N: CommTag, H> Queued<'_, (D, S), Comm<'_, '_, D, N>, H> {
    /// Returns the ranks: their number, and the own one.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// let ranks = comm.ranks();
    /// assert_eq!(ranks.next(), ranks.previous()); // of two ranks
    /// # stream.synchronize()?;
    /// # });
    /// ```
    #[inline]
    #[must_use]
    pub fn ranks(&self) -> Ranks<N> {
        self.resource().ranks()
    }

    /// Returns the rank with this number.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// let mut numbers = stream.memset_async(stream.malloc::<i32>(4)?, 1)?;
    /// let root = comm.rank(1)?;
    /// stream.with(&comm).broadcast(root, &mut numbers)?;
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::Rank`] for a number that is not less than the number of ranks.
    pub fn rank(&self, number: u32) -> Result<Rank<N>> {
        self.resource().rank(number)
    }
}

/// Whether the work of the stream is recorded. The stream that has the graph runs it, and waits for it.
fn is_recording(stream: StreamKey) -> bool {
    #[cfg(feature = "graphs")]
    if let StreamKey::Graph(_) = stream {
        return true;
    }
    let _ = stream;
    false
}

/// An operation before its call: the function, and the products that lack it for these elements.
#[derive(Clone, Copy)]
pub(super) struct Operation {
    pub(super) call: &'static str,
    pub(super) lacking: Products,
}

impl<D: DeviceTag, N: CommTag> Comm<'_, '_, D, N> {
    /// Checks an operation of `count` elements for each rank on `stream`. Returns the handle.
    #[inline]
    pub(super) fn begin(
        &self,
        stream: StreamKey,
        operation: Operation,
        count: usize,
    ) -> Result<sys::HcclComm> {
        if count == 0 {
            return Err(empty(operation.call));
        }
        self.begin_with(stream, operation)
    }

    /// Checks an operation on `stream`. Returns the handle.
    #[inline]
    pub(super) fn begin_with(
        &self,
        stream: StreamKey,
        operation: Operation,
    ) -> Result<sys::HcclComm> {
        // The compiler removes the comparison for elements that each product has.
        if operation.lacking.has(self.raw.product) {
            lacking(operation.call, self.raw.product)?;
        }
        debug_assert!(
            is_recording(stream) || self.current.core().watches().has(stream, self.handle),
            "the waits for the stream ask the communicator (invariant)"
        );
        Ok(self.handle.as_ptr())
    }

    /// Returns the outcome of the call of an operation.
    #[inline]
    pub(super) fn queued(&self, call: &'static str, code: sys::HcclResult) -> Result<()> {
        if code == sys::HCCL_SUCCESS {
            return Ok(());
        }
        Err(self.refused(call, code))
    }

    #[cold]
    fn refused(&self, call: &'static str, code: sys::HcclResult) -> Error {
        Error::refused(call, code.0).about(&self.raw.about())
    }

    #[inline]
    pub(super) fn size(&self) -> usize {
        self.ranks.size() as usize
    }

    /// Refuses the own rank as the other side of a message.
    pub(super) fn other(&self, call: &'static str, rank: Rank<N>) -> Result<u32> {
        let number = self.known(rank)?;
        if number == self.raw.rank {
            return Err(CollectiveMismatch::OwnRank { call, rank: number }.into());
        }
        Ok(number)
    }

    /// Returns the number of a rank. Another communicator that had the same name before may have been larger.
    pub(super) fn known(&self, rank: Rank<N>) -> Result<u32> {
        let number = rank.number();
        crate::collective::rank::check_rank(number, self.raw.size)?;
        Ok(number)
    }

    /// Refuses the own rank as the root in a call for the others.
    pub(super) fn other_root(&self, call: &'static str, root: Rank<N>) -> Result<u32> {
        let rank = self.known(root)?;
        if rank == self.raw.rank {
            return Err(CollectiveMismatch::Role { call, rank }.into());
        }
        Ok(rank)
    }
}

#[cold]
fn empty(call: &'static str) -> Error {
    CollectiveMismatch::Empty { call }.into()
}
