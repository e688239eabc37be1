//! Collectives whose parts have lengths of their own for each rank.
//!
//! HCCL reads the lists of numbers during the call (published source), so the lists are only borrowed.

use ascendcl_sys as sys;

use crate::collective::call::{address, count};
use crate::collective::comm::{Comm, Operation};
use crate::collective::counts::{CountMatrix, RankCounts};
use crate::collective::element::{CommElement, Reduces};
use crate::collective::name::CommTag;
use crate::collective::operand::CommPlace;
use crate::collective::product::Products;
use crate::device::DeviceTag;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{CollectiveMismatch, Result};
use crate::memory::{Destination, Elements, Source};
use crate::queue::Session;
use crate::stream::AnyStream;

/// Compares the length of a buffer with that of the list.
#[inline]
fn counted(call: &'static str, buffer: &'static str, len: usize, counted: usize) -> Result<()> {
    if len == counted {
        return Ok(());
    }
    #[cold]
    fn wrong(call: &'static str, buffer: &'static str, len: usize, counted: usize) -> Result<()> {
        Err(CollectiveMismatch::Counted {
            call,
            buffer,
            len,
            counted,
        }
        .into())
    }
    wrong(call, buffer, len, counted)
}

impl<D: DeviceTag, S: AnyStream, N: CommTag> Session<'_, '_, D, S, Comm<'_, '_, D, N>> {
    /// Copies the elements of all ranks to every rank, in the order of the ranks; each rank sends as many as `counts` says
    /// (`HcclAllGatherV`).
    ///
    /// All ranks pass the same numbers. A rank with the number 0 passes an empty part of a buffer, and takes part.
    ///
    /// ```
    /// # fn main() -> ascendcl::Result<()> {
    /// # #[cfg(feature = "emulator")] {
    /// # use ascendcl::collective::World;
    /// # use ascendcl::{Acl, Npu};
    /// # let acl = Acl::from_env()?;
    /// # acl.on::<Npu<0>, _>(0, |current| {
    /// # let root = current.root_info(1)?;
    /// # let comm = current.comm_init_root_info::<World>(&root, 0)?;
    /// # let mut stream = current.create_stream::<ascendcl::stream::Main>()?;
    /// let counts = comm.ranks().counts(&[3])?; // a number for each rank; this communicator has one
    /// let comm = stream.adopt(comm);
    /// let own = stream.memset_async(stream.malloc::<f32>(3)?, 0)?;
    /// let all = stream.malloc(counts.total())?;
    /// let all = stream.with(&comm).all_gather_v(&counts, &own, all)?;
    /// let idle = stream.synchronize()?;
    /// idle.take(all).free()?;
    /// idle.take(comm).destroy()
    /// # })?;
    /// # } Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// - [`CollectiveMismatch::Counted`] for a buffer of another length than the list says, [`CollectiveMismatch::OtherSize`]
    ///   for a list of an earlier communicator of this name, [`CollectiveMismatch::Empty`] if all numbers are 0, and
    ///   [`CollectiveMismatch::Product`] on Ascend 910 of the first generation, which lacks this operation.
    /// - [`ErrorKind::Refused`] when HCCL does not queue the operation.
    ///
    /// If the queued operation fails, the next wait for the stream returns the error. On an error of this call a fresh
    /// destination is parked: it is freed after a later successful wait for the stream.
    #[doc(alias = "HcclAllGatherV")]
    #[inline]
    pub fn all_gather_v<T, A, B>(
        self,
        counts: &RankCounts<N>,
        send: A,
        recv: B,
    ) -> Result<B::Written>
    where
        T: CommElement,
        A: Source<(D, S), Place: CommPlace, Elements: Elements<Element = T>>,
        B: Destination<(D, S), Place: CommPlace, Elements: Elements<Element = T>>,
    {
        const CALL: &str = "HcclAllGatherV";
        let (comm, stream) = self.parts();
        let own = counts.of(CALL, comm.ranks())?;
        let (from, to) = (send.source(), recv.destination());
        let (sent, received) = (A::Elements::count(from), B::Elements::count(to));
        counted(CALL, "send", sent, own)?;
        counted(CALL, "recv", received, counts.total())?;
        let operation = Operation {
            call: CALL,
            lacking: T::LACKING.and(Products::P910),
        };
        let raw = comm.begin(stream.key(), operation, received)?;
        // SAFETY: a live communicator and a stream of the device that is current (invariants of `Comm` and `Stream`). The
        // ranges are device memory of this type: the elements of this rank, and those of all ranks. They and the
        // communicator live until the work is over, because they are queued on the stream. The lists have a number for each
        // rank (checked), and are read during the call (published source).
        let code = unsafe {
            sys::HcclAllGatherV(
                address(from),
                count(sent),
                address(to),
                counts.numbers(),
                counts.starts(),
                T::DATA_TYPE,
                raw,
                stream.as_raw(),
            )
        };
        comm.queued(CALL, code)?;
        // SAFETY: an operation that writes every element was queued: the parts of all ranks have no gaps between them
        // (invariant of `RankCounts`), and they are as long as the destination.
        Ok(unsafe { recv.written() })
    }

    /// Combines the elements of all ranks by `operation`; each rank gets a part of the result that is as long as `counts`
    /// says, in the order of the ranks (`HcclReduceScatterV`).
    ///
    /// All ranks pass the same numbers. `send` has the elements of all parts. A rank with the number 0 passes an empty part of
    /// a buffer as `recv`, and takes part.
    ///
    /// ```
    /// use ascendcl::collective::{Comm, RankCounts, Sum, World};
    /// use ascendcl::stream::Stream;
    /// use ascendcl::{DeviceBuf, DeviceTag, Queued, Result, StreamName};
    ///
    /// /// Adds the gradients of all ranks; each rank gets its part of the sums.
    /// fn own_sums<'d, D: DeviceTag, S: StreamName>(
    ///     stream: &mut Stream<'_, 'd, D, S>,
    ///     comm: &Queued<'_, (D, S), Comm<'_, 'd, D, World>>,
    ///     counts: &RankCounts<World>,
    ///     gradients: &Queued<'d, (D, S), DeviceBuf<'d, D, [f32]>>,
    /// ) -> Result<Queued<'d, (D, S), DeviceBuf<'d, D, [f32]>>> {
    ///     let own = counts.range(comm.ranks().own())?;
    ///     let fresh = stream.malloc(own.len())?;
    ///     stream.with(comm).reduce_scatter_v(Sum, counts, gradients, fresh)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// - [`CollectiveMismatch::Counted`] for a buffer of another length than the list says, [`CollectiveMismatch::OtherSize`]
    ///   for a list of an earlier communicator of this name, [`CollectiveMismatch::Empty`] if all numbers are 0, and
    ///   [`CollectiveMismatch::Product`] on a product that lacks this reduction. Ascend 910 of the first generation lacks all
    ///   of them.
    /// - [`ErrorKind::Refused`] when HCCL does not queue the operation.
    ///
    /// If the queued operation fails, the next wait for the stream returns the error. On an error of this call a fresh
    /// destination is parked: it is freed after a later successful wait for the stream.
    #[doc(alias = "HcclReduceScatterV")]
    #[inline]
    pub fn reduce_scatter_v<T, O, A, B>(
        self,
        _operation: O,
        counts: &RankCounts<N>,
        send: A,
        recv: B,
    ) -> Result<B::Written>
    where
        T: Reduces<O>,
        A: Source<(D, S), Place: CommPlace, Elements: Elements<Element = T>>,
        B: Destination<(D, S), Place: CommPlace, Elements: Elements<Element = T>>,
    {
        const CALL: &str = "HcclReduceScatterV";
        let (comm, stream) = self.parts();
        let own = counts.of(CALL, comm.ranks())?;
        let (from, to) = (send.source(), recv.destination());
        let (sent, received) = (A::Elements::count(from), B::Elements::count(to));
        counted(CALL, "recv", received, own)?;
        counted(CALL, "send", sent, counts.total())?;
        let operation = Operation {
            call: CALL,
            lacking: T::REFUSED.and(Products::P910),
        };
        let raw = comm.begin(stream.key(), operation, sent)?;
        // SAFETY: a live communicator and a stream of the device that is current (invariants of `Comm` and `Stream`). The
        // ranges are device memory of this type: the elements of all parts, and those of the part of this rank. They and the
        // communicator live until the work is over, because they are queued on the stream. The lists have a number for each
        // rank (checked), and are read during the call (published source).
        let code = unsafe {
            sys::HcclReduceScatterV(
                address(from),
                counts.numbers(),
                counts.starts(),
                address(to),
                count(received),
                T::DATA_TYPE,
                T::OPERATION,
                raw,
                stream.as_raw(),
            )
        };
        comm.queued(CALL, code)?;
        // SAFETY: an operation that writes every element was queued.
        Ok(unsafe { recv.written() })
    }

    /// Copies a part of the elements of each rank to each other rank, with a length of its own for each pair
    /// (`HcclAlltoAllV`).
    ///
    /// The list of `send` says how many elements go to each rank, and the list of `recv` how many come from each. What one
    /// rank sends to another has to be what the other receives from it. A rank that sends and receives nothing takes part:
    /// it passes empty parts of two buffers.
    ///
    /// ```
    /// use ascendcl::collective::{Comm, RankCounts, World};
    /// use ascendcl::memory::Uninit;
    /// use ascendcl::stream::Stream;
    /// use ascendcl::{DeviceBuf, DeviceTag, Queued, Result, StreamName};
    ///
    /// /// Sends the tokens to the ranks of their experts.
    /// fn dispatch<'d, D: DeviceTag, S: StreamName>(
    ///     stream: &mut Stream<'_, 'd, D, S>,
    ///     comm: &Queued<'_, (D, S), Comm<'_, 'd, D, World>>,
    ///     (to, tokens): (&RankCounts<World>, &Queued<'d, (D, S), DeviceBuf<'d, D, [f32]>>),
    ///     (from, here): (&RankCounts<World>, Queued<'d, (D, S), DeviceBuf<'d, D, [f32], Uninit>>),
    /// ) -> Result<Queued<'d, (D, S), DeviceBuf<'d, D, [f32]>>> {
    ///     stream.with(comm).all_to_all_v((to, tokens), (from, here))
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// - [`CollectiveMismatch::Counted`] for a buffer of another length than its list says,
    ///   [`CollectiveMismatch::OtherSize`] for a list of an earlier communicator of this name,
    ///   [`CollectiveMismatch::OwnPart`] if this rank sends itself another number than it receives from itself, and
    ///   [`CollectiveMismatch::Product`] on a product that does not exchange these elements.
    /// - [`ErrorKind::Refused`] when HCCL does not queue the operation.
    ///
    /// If the queued operation fails, the next wait for the stream returns the error. On an error of this call a fresh
    /// destination is parked: it is freed after a later successful wait for the stream.
    #[doc(alias = "HcclAlltoAllV")]
    #[inline]
    pub fn all_to_all_v<T, A, B>(
        self,
        send: (&RankCounts<N>, A),
        recv: (&RankCounts<N>, B),
    ) -> Result<B::Written>
    where
        T: CommElement,
        A: Source<(D, S), Place: CommPlace, Elements: Elements<Element = T>>,
        B: Destination<(D, S), Place: CommPlace, Elements: Elements<Element = T>>,
    {
        const CALL: &str = "HcclAlltoAllV";
        let ((to_each, send), (from_each, recv)) = (send, recv);
        let (from, to) = (send.source(), recv.destination());
        let (comm, stream) = self.parts();
        let ranks = comm.ranks();
        let sent = to_each.of(CALL, ranks)?;
        let received = from_each.of(CALL, ranks)?;
        counted(CALL, "send", A::Elements::count(from), to_each.total())?;
        counted(CALL, "recv", B::Elements::count(to), from_each.total())?;
        if sent != received {
            return Err(CollectiveMismatch::OwnPart {
                call: CALL,
                rank: ranks.own().number(),
                sent,
                received,
            }
            .into());
        }
        let operation = Operation {
            call: CALL,
            lacking: T::LACKING,
        };
        let raw = comm.begin_with(stream.key(), operation)?;
        // SAFETY: a live communicator and a stream of the device that is current (invariants of `Comm` and `Stream`). The
        // ranges are device memory of this type, as long as their lists say (checked), and they do not overlap. They and the
        // communicator live until the work is over, because they are queued on the stream. The lists have a number for each
        // rank (checked), and are read during the call (published source).
        let code = unsafe {
            sys::HcclAlltoAllV(
                address_unless(to_each.total() == 0, address(from)),
                to_each.numbers(),
                to_each.starts(),
                T::DATA_TYPE,
                address_unless(from_each.total() == 0, address(to)),
                from_each.numbers(),
                from_each.starts(),
                T::DATA_TYPE,
                raw,
                stream.as_raw(),
            )
        };
        comm.queued(CALL, code)?;
        // SAFETY: an operation that writes every element was queued: the parts from all ranks have no gaps between them
        // (invariant of `RankCounts`), and they are as long as the destination.
        Ok(unsafe { recv.written() })
    }

    /// Copies a part of the elements of each rank to each other rank, with the lengths of a matrix that all ranks have
    /// (`HcclAlltoAllVC`).
    ///
    /// The parts lie in both buffers in the order of the ranks, without gaps. The function is newer than CANN 8.1.
    ///
    /// ```
    /// use ascendcl::collective::{Comm, CountMatrix, World};
    /// use ascendcl::stream::Stream;
    /// use ascendcl::{DeviceBuf, DeviceTag, Queued, Result, StreamName};
    ///
    /// fn exchange<'d, D: DeviceTag, S: StreamName>(
    ///     stream: &mut Stream<'_, 'd, D, S>,
    ///     comm: &Queued<'_, (D, S), Comm<'_, 'd, D, World>>,
    ///     matrix: &CountMatrix<World>,
    ///     own: &Queued<'d, (D, S), DeviceBuf<'d, D, [f32]>>,
    /// ) -> Result<Queued<'d, (D, S), DeviceBuf<'d, D, [f32]>>> {
    ///     let room = matrix.received(comm.ranks().own())?;
    ///     let fresh = stream.malloc(room)?;
    ///     stream.with(comm).all_to_all_vc(matrix, own, fresh)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// - [`CollectiveMismatch::Counted`] for a buffer of another length than the matrix says,
    ///   [`CollectiveMismatch::OtherSize`] for a matrix of an earlier communicator of this name, and
    ///   [`CollectiveMismatch::Product`] on Ascend 310P and on Ascend 910 of the first generation, which lack this operation.
    /// - [`ErrorKind::Refused`] when HCCL does not queue the operation.
    ///
    /// If the queued operation fails, the next wait for the stream returns the error. On an error of this call a fresh
    /// destination is parked: it is freed after a later successful wait for the stream.
    #[doc(alias = "HcclAlltoAllVC")]
    #[inline]
    pub fn all_to_all_vc<T, A, B>(
        self,
        matrix: &CountMatrix<N>,
        send: A,
        recv: B,
    ) -> Result<B::Written>
    where
        T: CommElement,
        A: Source<(D, S), Place: CommPlace, Elements: Elements<Element = T>>,
        B: Destination<(D, S), Place: CommPlace, Elements: Elements<Element = T>>,
    {
        const CALL: &str = "HcclAlltoAllVC";
        let (comm, stream) = self.parts();
        let (from, to) = (send.source(), recv.destination());
        let (sent, received) = matrix.of(CALL, comm.ranks())?;
        counted(CALL, "send", A::Elements::count(from), sent)?;
        counted(CALL, "recv", B::Elements::count(to), received)?;
        let operation = Operation {
            call: CALL,
            lacking: T::LACKING.and(Products::P310).and(Products::P910),
        };
        let raw = comm.begin_with(stream.key(), operation)?;
        // SAFETY: a live communicator and a stream of the device that is current (invariants of `Comm` and `Stream`). The
        // ranges are device memory of this type, as long as the row and the column of this rank say (checked), and they do
        // not overlap. They and the communicator live until the work is over, because they are queued on the stream. The
        // matrix has a number for each pair of ranks (checked), and is read during the call (published source).
        let code = unsafe {
            sys::HcclAlltoAllVC(
                address_unless(sent == 0, address(from)),
                matrix.numbers(),
                T::DATA_TYPE,
                address_unless(received == 0, address(to)),
                T::DATA_TYPE,
                raw,
                stream.as_raw(),
            )
        };
        comm.queued(CALL, code)?;
        // SAFETY: an operation that writes every element was queued: HCCL puts the parts from all ranks one behind the other,
        // and they are as long as the destination.
        Ok(unsafe { recv.written() })
    }
}

/// Returns no address for memory without elements. The address of an empty part can be that of the other buffer, and HCCL
/// refuses one address for both directions.
fn address_unless(is_empty: bool, address: *mut core::ffi::c_void) -> *mut core::ffi::c_void {
    if is_empty {
        core::ptr::null_mut()
    } else {
        address
    }
}
