//! Collectives that combine the elements of all ranks.

use ascendcl_sys as sys;

use crate::collective::call::{address, count, operation_of, refused, same, times};
use crate::collective::comm::{Comm, Operation};
use crate::collective::element::{CommElement, Reduces};
use crate::collective::name::CommTag;
use crate::collective::operand::CommPlace;
use crate::collective::product::Products;
use crate::collective::rank::RankOf;
use crate::device::DeviceTag;
use crate::error::Result;
#[cfg(doc)]
use crate::error::{CollectiveMismatch, ErrorKind, Usage};
use crate::memory::elements::ElementOf;
use crate::memory::{Destination, Elements, SameElements, Source};
use crate::queue::Session;
use crate::queue::operand::Updated;
use crate::stream::AnyStream;

impl<D: DeviceTag, S: AnyStream, N: CommTag> Session<'_, '_, D, S, Comm<'_, '_, D, N>> {
    /// Combines the elements of all ranks by `operation`; every rank gets the result (`HcclAllReduce`).
    ///
    /// `send` and `recv` have one length, which is the same on all ranks. The first operation of a kind connects the ranks,
    /// so the call returns when all ranks have made it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// # use ascendcl::collective::{Sum, World};
    /// # let root = current.root_info(1)?;
    /// # let comm = current.comm_init_root_info::<World>(&root, 0)?;
    /// let comm = stream.adopt(comm);
    /// let numbers = stream.malloc_host_from(host, &[1.0_f32, 2.0])?;
    /// let numbers = stream.memcpy_async(stream.malloc(2)?, &numbers)?;
    /// let sums = stream.with(&comm).all_reduce(Sum, &numbers, stream.malloc(2)?)?;
    /// let back = stream.memcpy_async(stream.malloc_host(host, 2)?, &sums)?;
    /// let idle = stream.synchronize()?; // also asks the communicator for its error
    /// assert_eq!(idle.take(back)[..], [1.0, 2.0]); // this communicator has one rank
    /// idle.take(comm).destroy()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// - [`Usage::Length`] for two lengths, [`CollectiveMismatch::Empty`] for parts without elements, and
    ///   [`CollectiveMismatch::Product`] on a product that does not combine these elements in this way.
    /// - [`ErrorKind::Refused`] when HCCL does not queue the operation, for instance with 9 when a rank does not come in time.
    ///
    /// If the queued operation fails, the next wait for the stream returns the error. On an error of this call a fresh
    /// destination is parked: it is freed after a later successful wait for the stream.
    #[doc(alias = "HcclAllReduce")]
    #[inline]
    pub fn all_reduce<O, A, B>(self, _operation: O, send: A, recv: B) -> Result<B::Written>
    where
        A: Source<(D, S), Place: CommPlace, Elements: SameElements<B::Elements> + Elements>,
        B: Destination<(D, S), Place: CommPlace, Elements: Elements<Element: Reduces<O>>>,
    {
        const CALL: &str = "HcclAllReduce";
        let (from, to) = (send.source(), recv.destination());
        let (sent, received) = (A::Elements::count(from), B::Elements::count(to));
        same::<A::Elements, B::Elements>(sent, received)?;
        let (comm, stream) = self.parts();
        let operation = Operation {
            call: CALL,
            lacking: refused::<B::Elements, O>(),
        };
        let raw = comm.begin(stream.key(), operation, received)?;
        // SAFETY: a live communicator and a stream of the device that is current (invariants of `Comm` and `Stream`). Both
        // ranges are device memory of `received` elements of this type. They and the communicator live until the work is
        // over, because they are queued on the stream.
        let code = unsafe {
            sys::HcclAllReduce(
                address(from),
                address(to),
                count(received),
                ElementOf::<B::Elements>::DATA_TYPE,
                operation_of::<B::Elements, O>(),
                raw,
                stream.as_raw(),
            )
        };
        comm.queued(CALL, code)?;
        // SAFETY: an operation that writes every element was queued.
        Ok(unsafe { recv.written() })
    }

    /// Combines the elements of all ranks by `operation`, in place: the result replaces the elements (`HcclAllReduce` with
    /// one buffer).
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// use ascendcl::collective::Sum;
    ///
    /// let mut numbers = stream.memset_async(stream.malloc::<i8>(4)?, 3)?;
    /// stream.with(&comm).all_reduce_in_place(Sum, &mut numbers)?;
    /// let back = stream.memcpy_async(stream.malloc_host(host, 4)?, &numbers)?;
    /// assert_eq!(stream.synchronize()?.take(back)[..], [6; 4]); // of two ranks
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`all_reduce`](Session::all_reduce): [`CollectiveMismatch::Empty`], [`CollectiveMismatch::Product`] and
    /// [`ErrorKind::Refused`].
    #[doc(alias = "HcclAllReduce")]
    #[inline]
    pub fn all_reduce_in_place<O, B>(self, _operation: O, buf: B) -> Result<()>
    where
        B: Updated<(D, S)>
            + Destination<(D, S), Place: CommPlace, Elements: Elements<Element: Reduces<O>>>,
    {
        const CALL: &str = "HcclAllReduce";
        let memory = buf.destination();
        let len = B::Elements::count(memory);
        let (comm, stream) = self.parts();
        let operation = Operation {
            call: CALL,
            lacking: refused::<B::Elements, O>(),
        };
        let raw = comm.begin(stream.key(), operation, len)?;
        // SAFETY: a live communicator and a stream of the device that is current (invariants of `Comm` and `Stream`). The
        // range is device memory of `len` initialised elements of this type, borrowed exclusively. It and the communicator
        // live until the work is over, because they are queued on the stream. HCCL allows one buffer for both directions.
        let code = unsafe {
            sys::HcclAllReduce(
                address(memory),
                address(memory),
                count(len),
                ElementOf::<B::Elements>::DATA_TYPE,
                operation_of::<B::Elements, O>(),
                raw,
                stream.as_raw(),
            )
        };
        comm.queued(CALL, code)
    }

    /// Combines the elements of all ranks by `operation`; each rank gets its part of the result, in the order of the ranks
    /// (`HcclReduceScatter`).
    ///
    /// `send` has the elements for all ranks: as many times the length of `recv` as there are ranks.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// use ascendcl::collective::Sum;
    ///
    /// let numbers = stream.memset_async(stream.malloc::<i8>(4)?, 3)?; // two for each rank
    /// let part = stream.with(&comm).reduce_scatter(Sum, &numbers, stream.malloc(2)?)?;
    /// let back = stream.memcpy_async(stream.malloc_host(host, 2)?, &part)?;
    /// assert_eq!(stream.synchronize()?.take(back)[..], [6; 2]);
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::Length`] for other lengths, [`CollectiveMismatch::Empty`], [`CollectiveMismatch::Product`] and
    /// [`ErrorKind::Refused`], as for [`all_reduce`](Session::all_reduce).
    #[doc(alias = "HcclReduceScatter")]
    #[inline]
    pub fn reduce_scatter<T, O, A, B>(self, _operation: O, send: A, recv: B) -> Result<B::Written>
    where
        T: Reduces<O>,
        A: Source<(D, S), Place: CommPlace, Elements: Elements<Element = T>>,
        B: Destination<(D, S), Place: CommPlace, Elements: Elements<Element = T>>,
    {
        const CALL: &str = "HcclReduceScatter";
        let (from, to) = (send.source(), recv.destination());
        let (sent, received) = (A::Elements::count(from), B::Elements::count(to));
        let (comm, stream) = self.parts();
        times(CALL, received, sent, comm.size())?;
        let operation = Operation {
            call: CALL,
            lacking: T::REFUSED,
        };
        let raw = comm.begin(stream.key(), operation, received)?;
        // SAFETY: a live communicator and a stream of the device that is current (invariants of `Comm` and `Stream`). The
        // ranges are device memory of this type: `received` elements, and as many for each rank. They and the communicator
        // live until the work is over, because they are queued on the stream.
        let code = unsafe {
            sys::HcclReduceScatter(
                address(from),
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

    /// Combines the elements of all ranks by `operation`; the rank `root` gets the result (`HcclReduce`).
    ///
    /// Each rank passes `recv`, because HCCL may use it. On the other ranks its contents are arbitrary afterwards.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// use ascendcl::collective::Max;
    ///
    /// let numbers = stream.memset_async(stream.malloc::<i32>(4)?, 1)?;
    /// let mut result = stream.memset_async(stream.malloc::<i32>(4)?, 0)?;
    /// let root = comm.rank(0)?;
    /// stream.with(&comm).reduce(Max, root, &numbers, &mut result)?;
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Length`], [`CollectiveMismatch::Empty`], [`CollectiveMismatch::Product`] (Ascend 310P lacks this operation)
    /// and [`ErrorKind::Refused`], as for [`all_reduce`](Session::all_reduce).
    #[doc(alias = "HcclReduce")]
    #[inline]
    pub fn reduce<O, A, B>(
        self,
        _operation: O,
        root: impl RankOf<N>,
        send: A,
        recv: B,
    ) -> Result<()>
    where
        A: Source<(D, S), Place: CommPlace, Elements: SameElements<B::Elements> + Elements>,
        B: Updated<(D, S)>
            + Destination<(D, S), Place: CommPlace, Elements: Elements<Element: Reduces<O>>>,
    {
        const CALL: &str = "HcclReduce";
        let (from, to) = (send.source(), recv.destination());
        let (sent, received) = (A::Elements::count(from), B::Elements::count(to));
        same::<A::Elements, B::Elements>(sent, received)?;
        let (comm, stream) = self.parts();
        let root = comm.known(root.into_inner())?;
        let operation = Operation {
            call: CALL,
            lacking: refused::<B::Elements, O>().and(Products::P310),
        };
        let raw = comm.begin(stream.key(), operation, received)?;
        // SAFETY: a live communicator and a stream of the device that is current (invariants of `Comm` and `Stream`). Both
        // ranges are device memory of `received` initialised elements of this type, and the second one is borrowed
        // exclusively. They and the communicator live until the work is over, because they are queued on the stream.
        let code = unsafe {
            sys::HcclReduce(
                address(from),
                address(to),
                count(received),
                ElementOf::<B::Elements>::DATA_TYPE,
                operation_of::<B::Elements, O>(),
                root,
                raw,
                stream.as_raw(),
            )
        };
        comm.queued(CALL, code)
    }
}
