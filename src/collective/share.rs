//! Collectives that copy elements between the ranks, and the barrier.

use ascendcl_sys as sys;

use crate::collective::call::{address, count, lacking, times};
use crate::collective::comm::{Comm, Operation};
use crate::collective::element::CommElement;
use crate::collective::name::CommTag;
use crate::collective::operand::CommPlace;
use crate::collective::product::Products;
use crate::collective::rank::RankOf;
use crate::device::DeviceTag;
use crate::error::Result;
#[cfg(doc)]
use crate::error::{CollectiveMismatch, ErrorKind};
use crate::memory::elements::ElementOf;
use crate::memory::{Destination, Elements, Source};
use crate::queue::Session;
use crate::queue::operand::Updated;
use crate::stream::AnyStream;

impl<D: DeviceTag, S: AnyStream, N: CommTag> Session<'_, '_, D, S, Comm<'_, '_, D, N>> {
    /// Copies the elements of the rank `root` to every rank (`HcclBroadcast`).
    ///
    /// The root reads `buf` and the others write it. So every rank passes memory with contents. A rank that only receives
    /// can pass fresh memory to [`broadcast_into`](Session::broadcast_into).
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// let root = comm.rank(0)?;
    /// let own = if comm.ranks().own() == root { 5 } else { 0 };
    /// let mut numbers = stream.memset_async(stream.malloc::<u8>(4)?, own)?;
    /// stream.with(&comm).broadcast(root, &mut numbers)?;
    /// let back = stream.memcpy_async(stream.malloc_host(host, 4)?, &numbers)?;
    /// assert_eq!(stream.synchronize()?.take(back)[..], [5; 4]); // on every rank
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// - [`CollectiveMismatch::Empty`] for a part without elements, and [`CollectiveMismatch::Product`] on Ascend 310P, which
    ///   lacks this operation.
    /// - [`ErrorKind::Refused`] when HCCL does not queue the operation.
    ///
    /// If the queued operation fails, the next wait for the stream returns the error.
    #[doc(alias = "HcclBroadcast")]
    #[inline]
    pub fn broadcast<B>(self, root: impl RankOf<N>, buf: B) -> Result<()>
    where
        B: Updated<(D, S)>
            + Destination<(D, S), Place: CommPlace, Elements: Elements<Element: CommElement>>,
    {
        let root = self.parts().0.known(root.into_inner())?;
        // SAFETY: `buf` has contents, which the root sends.
        unsafe { self.broadcast_memory(root, &buf) }
    }

    /// Receives the elements of the rank `root` in fresh memory, on a rank that is not the root (`HcclBroadcast`). The root
    /// calls [`broadcast`](Session::broadcast).
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// let root = comm.rank(0)?;
    /// if comm.ranks().own() == root {
    ///     let mut numbers = stream.memset_async(stream.malloc::<u8>(4)?, 5)?;
    ///     stream.with(&comm).broadcast(root, &mut numbers)?;
    /// } else {
    ///     let numbers = stream.with(&comm).broadcast_into(root, stream.malloc::<u8>(4)?)?;
    ///     let back = stream.memcpy_async(stream.malloc_host(host, 4)?, &numbers)?;
    ///     assert_eq!(stream.synchronize()?.take(back)[..], [5; 4]);
    /// }
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::Role`] on the root, and the errors of a broadcast: [`CollectiveMismatch::Empty`],
    /// [`CollectiveMismatch::Product`] and [`ErrorKind::Refused`].
    #[doc(alias = "HcclBroadcast")]
    #[inline]
    pub fn broadcast_into<B>(self, root: impl RankOf<N>, buf: B) -> Result<B::Written>
    where
        B: Destination<(D, S), Place: CommPlace, Elements: Elements<Element: CommElement>>,
    {
        let root = self
            .parts()
            .0
            .other_root("HcclBroadcast", root.into_inner())?;
        // SAFETY: this rank is not the root, so nothing reads `buf`.
        unsafe { self.broadcast_memory(root, &buf) }?;
        // SAFETY: an operation that writes every element was queued.
        Ok(unsafe { buf.written() })
    }

    /// # Safety
    ///
    /// - On the rank `root`, `buf` has contents.
    #[inline]
    unsafe fn broadcast_memory<B>(self, root: u32, buf: &B) -> Result<()>
    where
        B: Destination<(D, S), Place: CommPlace, Elements: Elements<Element: CommElement>>,
    {
        const CALL: &str = "HcclBroadcast";
        let memory = buf.destination();
        let len = B::Elements::count(memory);
        let (comm, stream) = self.parts();
        let operation = Operation {
            call: CALL,
            lacking: lacking::<B::Elements>().and(Products::P310),
        };
        let raw = comm.begin(stream.key(), operation, len)?;
        // SAFETY: a live communicator and a stream of the device that is current (invariants of `Comm` and `Stream`). The
        // range is device memory of `len` elements of this type, borrowed exclusively, with contents where they are read
        // (caller's contract). It and the communicator live until the work is over, because they are queued on the stream.
        let code = unsafe {
            sys::HcclBroadcast(
                address(memory),
                count(len),
                ElementOf::<B::Elements>::DATA_TYPE,
                root,
                raw,
                stream.as_raw(),
            )
        };
        comm.queued(CALL, code)
    }

    /// Copies the elements of all ranks to every rank, in the order of the ranks (`HcclAllGather`).
    ///
    /// `recv` has room for the elements of all ranks: as many times the length of `send` as there are ranks.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// let own = i32::try_from(comm.ranks().own().number()).unwrap_or(0);
    /// let own = stream.malloc_host_from(host, &[own, 7])?;
    /// let own = stream.memcpy_async(stream.malloc(2)?, &own)?;
    /// let all = stream.with(&comm).all_gather(&own, stream.malloc(4)?)?;
    /// let back = stream.memcpy_async(stream.malloc_host(host, 4)?, &all)?;
    /// assert_eq!(stream.synchronize()?.take(back)[..], [0, 7, 1, 7]);
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// - [`CollectiveMismatch::Length`] for other lengths, [`CollectiveMismatch::Empty`] for parts without elements, and
    ///   [`CollectiveMismatch::Product`] on a product that does not exchange these elements.
    /// - [`ErrorKind::Refused`] when HCCL does not queue the operation.
    ///
    /// If the queued operation fails, the next wait for the stream returns the error. On an error of this call a fresh
    /// destination is parked: it is freed after a later successful wait for the stream.
    #[doc(alias = "HcclAllGather")]
    #[inline]
    pub fn all_gather<T, A, B>(self, send: A, recv: B) -> Result<B::Written>
    where
        T: CommElement,
        A: Source<(D, S), Place: CommPlace, Elements: Elements<Element = T>>,
        B: Destination<(D, S), Place: CommPlace, Elements: Elements<Element = T>>,
    {
        const CALL: &str = "HcclAllGather";
        let (from, to) = (send.source(), recv.destination());
        let (sent, received) = (A::Elements::count(from), B::Elements::count(to));
        let (comm, stream) = self.parts();
        times(CALL, sent, received, comm.size())?;
        let operation = Operation {
            call: CALL,
            lacking: T::LACKING,
        };
        let raw = comm.begin(stream.key(), operation, sent)?;
        // SAFETY: a live communicator and a stream of the device that is current (invariants of `Comm` and `Stream`). The
        // ranges are device memory of this type: `sent` elements, and as many for each rank. They and the communicator live
        // until the work is over, because they are queued on the stream.
        let code = unsafe {
            sys::HcclAllGather(
                address(from),
                address(to),
                count(sent),
                T::DATA_TYPE,
                raw,
                stream.as_raw(),
            )
        };
        comm.queued(CALL, code)?;
        // SAFETY: an operation that writes every element was queued.
        Ok(unsafe { recv.written() })
    }

    /// Copies to each rank its part of the elements of this rank, the root, in the order of the ranks (`HcclScatter`). The
    /// other ranks call [`scatter_from`](Session::scatter_from).
    ///
    /// `send` has the elements for all ranks: as many times the length of `recv` as there are ranks.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// let root = comm.rank(0)?;
    /// let part = stream.malloc::<u8>(2)?;
    /// if comm.ranks().own() == root {
    ///     let numbers = stream.memset_async(stream.malloc::<u8>(4)?, 1)?; // two for each rank
    ///     let part = stream.with(&comm).scatter(&numbers, part)?;
    /// } else {
    ///     let part = stream.with(&comm).scatter_from(root, part)?;
    /// }
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// - [`CollectiveMismatch::Length`] for other lengths, [`CollectiveMismatch::Empty`] for parts without elements, and
    ///   [`CollectiveMismatch::Product`] on Ascend 310P, which lacks this operation.
    /// - [`ErrorKind::Refused`] when HCCL does not queue the operation.
    ///
    /// If the queued operation fails, the next wait for the stream returns the error. On an error of this call a fresh
    /// destination is parked: it is freed after a later successful wait for the stream.
    #[doc(alias = "HcclScatter")]
    #[inline]
    pub fn scatter<T, A, B>(self, send: A, recv: B) -> Result<B::Written>
    where
        T: CommElement,
        A: Source<(D, S), Place: CommPlace, Elements: Elements<Element = T>>,
        B: Destination<(D, S), Place: CommPlace, Elements: Elements<Element = T>>,
    {
        let (from, to) = (send.source(), recv.destination());
        let (sent, received) = (A::Elements::count(from), B::Elements::count(to));
        let (comm, _) = self.parts();
        times("HcclScatter", received, sent, comm.size())?;
        let root = comm.ranks().own().number();
        // SAFETY: `send` has `received` elements for each rank, and is queued on the stream.
        unsafe { self.scatter_memory::<T, B>(root, address(from), &recv) }?;
        // SAFETY: an operation that writes every element was queued.
        Ok(unsafe { recv.written() })
    }

    /// Receives the own part of the elements of the rank `root`, on a rank that is not the root (`HcclScatter`). The root
    /// calls [`scatter`](Session::scatter).
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// let root = comm.rank(0)?;
    /// let part = stream.malloc::<u8>(2)?;
    /// if comm.ranks().own() == root {
    ///     let numbers = stream.memset_async(stream.malloc::<u8>(4)?, 1)?;
    ///     let part = stream.with(&comm).scatter(&numbers, part)?;
    /// } else {
    ///     let part = stream.with(&comm).scatter_from(root, part)?;
    ///     let back = stream.memcpy_async(stream.malloc_host(host, 2)?, &part)?;
    ///     assert_eq!(stream.synchronize()?.take(back)[..], [1, 1]);
    /// }
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::Role`] on the root, and the errors of a scatter: [`CollectiveMismatch::Empty`],
    /// [`CollectiveMismatch::Product`] and [`ErrorKind::Refused`].
    #[doc(alias = "HcclScatter")]
    #[inline]
    pub fn scatter_from<T, B>(self, root: impl RankOf<N>, recv: B) -> Result<B::Written>
    where
        T: CommElement,
        B: Destination<(D, S), Place: CommPlace, Elements: Elements<Element = T>>,
    {
        let root = self
            .parts()
            .0
            .other_root("HcclScatter", root.into_inner())?;
        // SAFETY: this rank is not the root, which alone sends.
        unsafe { self.scatter_memory::<T, B>(root, core::ptr::null_mut(), &recv) }?;
        // SAFETY: an operation that writes every element was queued.
        Ok(unsafe { recv.written() })
    }

    /// # Safety
    ///
    /// - On the rank `root`, `from` is device memory that is queued on the stream, with as many elements for each rank as
    ///   `recv` has.
    #[inline]
    unsafe fn scatter_memory<T, B>(
        self,
        root: u32,
        from: *mut core::ffi::c_void,
        recv: &B,
    ) -> Result<()>
    where
        T: CommElement,
        B: Destination<(D, S), Place: CommPlace, Elements: Elements<Element = T>>,
    {
        const CALL: &str = "HcclScatter";
        let to = recv.destination();
        let received = B::Elements::count(to);
        let (comm, stream) = self.parts();
        let operation = Operation {
            call: CALL,
            lacking: T::LACKING.and(Products::P310),
        };
        let raw = comm.begin(stream.key(), operation, received)?;
        // SAFETY: a live communicator and a stream of the device that is current (invariants of `Comm` and `Stream`). The
        // ranges are device memory of this type: `received` elements, and on the root as many for each rank (caller's
        // contract). They and the communicator live until the work is over, because they are queued on the stream.
        let code = unsafe {
            sys::HcclScatter(
                from,
                address(to),
                count(received),
                T::DATA_TYPE,
                root,
                raw,
                stream.as_raw(),
            )
        };
        comm.queued(CALL, code)
    }

    /// Copies a part of the elements of each rank to each other rank (`HcclAlltoAll`): the part at place `j` of `send` goes to
    /// rank `j`, which gets it at the place of this rank.
    ///
    /// `send` and `recv` have one length, which the number of ranks divides.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// let own = i32::try_from(comm.ranks().own().number()).unwrap_or(0);
    /// let parts = stream.malloc_host_from(host, &[own, own])?; // one for each rank
    /// let parts = stream.memcpy_async(stream.malloc(2)?, &parts)?;
    /// let received = stream.with(&comm).all_to_all(&parts, stream.malloc(2)?)?;
    /// let back = stream.memcpy_async(stream.malloc_host(host, 2)?, &received)?;
    /// assert_eq!(stream.synchronize()?.take(back)[..], [0, 1]); // from rank 0 and from rank 1
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// - [`CollectiveMismatch::Length`] for other lengths, [`CollectiveMismatch::Empty`] for parts without elements, and
    ///   [`CollectiveMismatch::Product`] on a product that does not exchange these elements.
    /// - [`ErrorKind::Refused`] when HCCL does not queue the operation.
    ///
    /// If the queued operation fails, the next wait for the stream returns the error. On an error of this call a fresh
    /// destination is parked: it is freed after a later successful wait for the stream.
    #[doc(alias = "HcclAlltoAll")]
    #[inline]
    pub fn all_to_all<T, A, B>(self, send: A, recv: B) -> Result<B::Written>
    where
        T: CommElement,
        A: Source<(D, S), Place: CommPlace, Elements: Elements<Element = T>>,
        B: Destination<(D, S), Place: CommPlace, Elements: Elements<Element = T>>,
    {
        const CALL: &str = "HcclAlltoAll";
        let (from, to) = (send.source(), recv.destination());
        let (sent, received) = (A::Elements::count(from), B::Elements::count(to));
        let (comm, stream) = self.parts();
        // The communicator has at least one rank.
        let each = sent / comm.size().max(1);
        times(CALL, each, sent, comm.size())?;
        times(CALL, each, received, comm.size())?;
        let operation = Operation {
            call: CALL,
            lacking: T::LACKING,
        };
        let raw = comm.begin(stream.key(), operation, each)?;
        // SAFETY: a live communicator and a stream of the device that is current (invariants of `Comm` and `Stream`). Both
        // ranges are device memory of `each` elements of this type for each rank, and they do not overlap. They and the
        // communicator live until the work is over, because they are queued on the stream.
        let code = unsafe {
            sys::HcclAlltoAll(
                address(from),
                count(each),
                T::DATA_TYPE,
                address(to),
                count(each),
                T::DATA_TYPE,
                raw,
                stream.as_raw(),
            )
        };
        comm.queued(CALL, code)?;
        // SAFETY: an operation that writes every element was queued.
        Ok(unsafe { recv.written() })
    }

    /// Queues a meeting of all ranks (`HcclBarrier`): the later work of the stream begins when the streams of all ranks have
    /// reached it. The call does not block the host; `stream.synchronize()` does.
    ///
    /// HCCL sets no time limit for a barrier (published source), so a rank that never comes stops the others for ever.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// stream.with(&comm).barrier()?; // queued
    /// stream.synchronize()?; // the streams of all ranks have reached it
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] when HCCL does not queue the operation.
    #[doc(alias = "HcclBarrier")]
    pub fn barrier(self) -> Result<()> {
        const CALL: &str = "HcclBarrier";
        let (comm, stream) = self.parts();
        let operation = Operation {
            call: CALL,
            lacking: Products::NONE,
        };
        let raw = comm.begin_with(stream.key(), operation)?;
        // SAFETY: a live communicator and a stream of the device that is current (invariants of `Comm` and `Stream`). The
        // communicator lives until the work is over, because it is queued on the stream.
        let code = unsafe { sys::HcclBarrier(raw, stream.as_raw()) };
        comm.queued(CALL, code)
    }
}
