//! Messages between two ranks.

use std::marker::PhantomData;

use ascendcl_sys as sys;

use crate::collective::call::{address, count};
use crate::collective::comm::{Comm, Operation};
use crate::collective::element::CommElement;
use crate::collective::name::CommTag;
use crate::collective::operand::CommPlace;
use crate::collective::product::Products;
use crate::collective::rank::{RankOf, Ranks, check_rank};
use crate::device::DeviceTag;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{CollectiveMismatch, Result};
use crate::memory::elements::ElementOf;
use crate::memory::{Destination, Elements, Source};
use crate::queue::operand::Updated;
use crate::queue::{Queued, Session};
use crate::state::Invariant;
use crate::stream::{AnyStream, StreamTag};

/// The function for messages that do not block each other.
const BATCH: &str = "HcclBatchSendRecv";

/// Messages that are queued together by [`batch_send_recv`](Session::batch_send_recv), so that none of them blocks another.
///
/// It borrows the memory of the messages, which is queued on `Q`. [`Queued::batch`] makes an empty one. A program that sends
/// one message and receives one calls [`exchange`](Session::exchange), which needs no list.
///
/// ```
/// use ascendcl::collective::{Comm, World};
/// use ascendcl::stream::Stream;
/// use ascendcl::{DeviceBuf, DeviceTag, Queued, Result, StreamName};
///
/// /// Sends `own` to the next rank of the ring and receives `other` from the previous one.
/// fn turn<'d, D: DeviceTag, S: StreamName>(
///     stream: &mut Stream<'_, 'd, D, S>,
///     comm: &Queued<'_, (D, S), Comm<'_, 'd, D, World>>,
///     own: &Queued<'_, (D, S), DeviceBuf<'d, D, [f32]>>,
///     other: &mut Queued<'_, (D, S), DeviceBuf<'d, D, [f32]>>,
/// ) -> Result<()> {
///     let ranks = comm.ranks();
///     let mut batch = comm.batch();
///     batch.send(ranks.next(), own)?;
///     batch.recv(ranks.previous(), other)?;
///     stream.with(comm).batch_send_recv(batch)
/// }
/// ```
///
/// # Invariants
///
/// - Each item has memory that is queued on `Q` and borrowed for `'b`: with contents and shared if it is sent, exclusively if
///   it is received.
/// - No item is for the own rank, and none is empty.
#[must_use = "pass it to `batch_send_recv`"]
pub struct Batch<'b, Q, N> {
    items: Vec<sys::HcclSendRecvItem>,
    lacking: Products,
    ranks: Ranks<N>,
    _memory: PhantomData<(&'b mut (), Invariant<Q>)>,
}

impl<Q, N> std::fmt::Debug for Batch<'_, Q, N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Batch")
            .field("messages", &self.items.len())
            .finish_non_exhaustive()
    }
}

impl<'b, Q, N> Batch<'b, Q, N> {
    /// Adds a message to the rank `to`. Its memory is borrowed until the batch is queued.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// let own = stream.memset_async(stream.malloc::<u8>(4)?, 1)?;
    /// let mut other = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let ranks = comm.ranks();
    /// let mut batch = comm.batch();
    /// batch.send(ranks.next(), &own)?; // and each rank receives one
    /// batch.recv(ranks.previous(), &mut other)?;
    /// stream.with(&comm).batch_send_recv(batch)?;
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::OwnRank`] for the own rank, and [`CollectiveMismatch::Empty`] for a part without elements.
    pub fn send<A>(&mut self, to: impl RankOf<N>, send: A) -> Result<()>
    where
        A: Source<Q, Place: CommPlace, Elements: Elements<Element: CommElement>> + 'b,
    {
        let memory = send.source();
        let item = sys::HcclSendRecvItem {
            sendRecvType: sys::HCCL_SEND,
            buf: address(memory),
            count: count(A::Elements::count(memory)),
            dataType: ElementOf::<A::Elements>::DATA_TYPE,
            remoteRank: to.into_inner().number(),
        };
        // INVARIANT: the memory is a source on `Q` that is borrowed for `'b`.
        self.add(item, ElementOf::<A::Elements>::LACKING)
    }

    /// Adds a message from the rank `from`, to memory with contents, which it replaces. The memory is borrowed until the batch
    /// is queued.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// let own = stream.memset_async(stream.malloc::<u8>(4)?, 1)?;
    /// let mut other = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let ranks = comm.ranks();
    /// let mut batch = comm.batch();
    /// batch.recv(ranks.previous(), &mut other)?; // and each rank sends one
    /// batch.send(ranks.next(), &own)?;
    /// stream.with(&comm).batch_send_recv(batch)?;
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::OwnRank`] for the own rank, and [`CollectiveMismatch::Empty`] for a part without elements.
    pub fn recv<B>(&mut self, from: impl RankOf<N>, recv: B) -> Result<()>
    where
        B: Updated<Q>
            + Destination<Q, Place: CommPlace, Elements: Elements<Element: CommElement>>
            + 'b,
    {
        let memory = recv.destination();
        let item = sys::HcclSendRecvItem {
            sendRecvType: sys::HCCL_RECV,
            buf: address(memory),
            count: count(B::Elements::count(memory)),
            dataType: ElementOf::<B::Elements>::DATA_TYPE,
            remoteRank: from.into_inner().number(),
        };
        // INVARIANT: the memory is a destination on `Q` that is borrowed for `'b`.
        self.add(item, ElementOf::<B::Elements>::LACKING)
    }

    fn add(&mut self, item: sys::HcclSendRecvItem, lacking: Products) -> Result<()> {
        if item.count == 0 {
            return Err(CollectiveMismatch::Empty { call: BATCH }.into());
        }
        let rank = item.remoteRank;
        if rank == self.ranks.own().number() {
            return Err(CollectiveMismatch::OwnRank { call: BATCH, rank }.into());
        }
        self.lacking = self.lacking.and(lacking);
        self.items.push(item);
        Ok(())
    }
}

impl<D: DeviceTag, S: StreamTag, N: CommTag, H> Queued<'_, (D, S), Comm<'_, '_, D, N>, H> {
    /// Returns an empty list of messages for [`batch_send_recv`](Session::batch_send_recv).
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// let mut other = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let own = stream.memset_async(stream.malloc::<u8>(4)?, 1)?;
    /// let ranks = comm.ranks();
    /// let mut batch = comm.batch(); // without messages
    /// batch.recv(ranks.next(), &mut other)?;
    /// batch.send(ranks.next(), &own)?;
    /// stream.with(&comm).batch_send_recv(batch)?;
    /// # stream.synchronize()?;
    /// # });
    /// ```
    pub fn batch<'b>(&self) -> Batch<'b, (D, S), N> {
        // INVARIANT: no items.
        Batch {
            items: Vec::new(),
            lacking: Products::P310,
            ranks: self.ranks(),
            _memory: PhantomData,
        }
    }
}

impl<D: DeviceTag, S: AnyStream, N: CommTag> Session<'_, '_, D, S, Comm<'_, '_, D, N>> {
    /// Sends a message to the rank `to` and receives one from the rank `from`, in one call (`HcclBatchSendRecv` of two items).
    ///
    /// Neither message waits for the other one, so any ring of ranks can exchange messages in this way. With
    /// [`send`](Session::send) and [`recv`](Session::recv) two ranks that both send first would wait for each other.
    ///
    /// ```
    /// # #[cfg(feature = "emulator")]
    /// # mod example {
    /// use ascendcl::collective::Comm;
    /// use ascendcl::stream::Main;
    /// use ascendcl::{DeviceBuf, DeviceTag, Queued, Result, Stream};
    ///
    /// /// Passes numbers on to the next rank of the ring.
    /// fn shift<'d, D: DeviceTag>(
    ///     comm: &Queued<'d, (D, Main), Comm<'_, 'd, D>>,
    ///     stream: &mut Stream<'_, 'd, D, Main>,
    ///     own: &Queued<'d, (D, Main), DeviceBuf<'d, D, [f32]>>,
    /// ) -> Result<Queued<'d, (D, Main), DeviceBuf<'d, D, [f32]>>> {
    ///     let ranks = comm.ranks();
    ///     let fresh = stream.malloc(own.len())?;
    ///     stream.with(comm).exchange((ranks.next(), own), (ranks.previous(), fresh))
    /// }
    /// # }
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    ///
    /// - [`CollectiveMismatch::OwnRank`] for the own rank, [`CollectiveMismatch::Empty`] for a part without elements, and
    ///   [`CollectiveMismatch::Product`] on Ascend 310P, which lacks messages between two ranks.
    /// - [`ErrorKind::Refused`] when HCCL does not queue the messages.
    ///
    /// If a queued message fails, the next wait for the stream returns the error. On an error of this call a fresh
    /// destination is parked: it is freed after a later successful wait for the stream.
    #[doc(alias = "HcclBatchSendRecv")]
    pub fn exchange<A, B>(
        self,
        (to, send): (impl RankOf<N>, A),
        (from, recv): (impl RankOf<N>, B),
    ) -> Result<B::Written>
    where
        A: Source<(D, S), Place: CommPlace, Elements: Elements<Element: CommElement>>,
        B: Destination<(D, S), Place: CommPlace, Elements: Elements<Element: CommElement>>,
    {
        let (sent, received) = (send.source(), recv.destination());
        let (sent_len, received_len) = (A::Elements::count(sent), B::Elements::count(received));
        let (comm, stream) = self.parts();
        let mut items = [
            sys::HcclSendRecvItem {
                sendRecvType: sys::HCCL_SEND,
                buf: address(sent),
                count: count(sent_len),
                dataType: ElementOf::<A::Elements>::DATA_TYPE,
                remoteRank: comm.other(BATCH, to.into_inner())?,
            },
            sys::HcclSendRecvItem {
                sendRecvType: sys::HCCL_RECV,
                buf: address(received),
                count: count(received_len),
                dataType: ElementOf::<B::Elements>::DATA_TYPE,
                remoteRank: comm.other(BATCH, from.into_inner())?,
            },
        ];
        let lacking = ElementOf::<A::Elements>::LACKING.and(ElementOf::<B::Elements>::LACKING);
        let operation = Operation {
            call: BATCH,
            lacking: lacking.and(Products::P310),
        };
        let raw = comm.begin(stream.key(), operation, sent_len.min(received_len))?;
        // SAFETY: a live communicator and a stream of the device that is current (invariants of `Comm` and `Stream`). Two
        // items, whose ranges are device memory of as many elements of their types. They and the communicator live until the
        // work is over, because they are queued on the stream. The items are read during the call (published source).
        let code = unsafe { sys::HcclBatchSendRecv(items.as_mut_ptr(), 2, raw, stream.as_raw()) };
        comm.queued(BATCH, code)?;
        // SAFETY: a message that writes every element was queued.
        Ok(unsafe { recv.written() })
    }

    /// Queues messages to and from several ranks in one call (`HcclBatchSendRecv`). They do not wait for each other. The other
    /// ranks pass the other sides of the messages to the same call.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// let own = stream.memset_async(stream.malloc::<u8>(4)?, 7)?;
    /// let mut other = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    /// let ranks = comm.ranks();
    /// let mut batch = comm.batch();
    /// batch.send(ranks.next(), &own)?;
    /// batch.recv(ranks.previous(), &mut other)?;
    /// stream.with(&comm).batch_send_recv(batch)?; // neither message blocks the other one
    /// let back = stream.memcpy_async(stream.malloc_host(host, 4)?, &other)?;
    /// assert_eq!(stream.synchronize()?.take(back)[..], [7; 4]);
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// - [`CollectiveMismatch::Empty`] for a batch without messages, [`CollectiveMismatch::Rank`] and
    ///   [`CollectiveMismatch::OwnRank`] for a batch of another communicator that had this name before, and [`CollectiveMismatch::Product`] on Ascend 310P, which lacks messages
    ///   between two ranks.
    /// - [`ErrorKind::Refused`] when HCCL does not queue the messages.
    ///
    /// If a queued message fails, the next wait for the stream returns the error.
    #[doc(alias = "HcclBatchSendRecv")]
    pub fn batch_send_recv(self, batch: Batch<'_, (D, S), N>) -> Result<()> {
        let Batch {
            mut items, lacking, ..
        } = batch;
        let (comm, stream) = self.parts();
        for item in &items {
            let rank = item.remoteRank;
            check_rank(rank, comm.ranks().size())?;
            if rank == comm.ranks().own().number() {
                return Err(CollectiveMismatch::OwnRank { call: BATCH, rank }.into());
            }
        }
        let operation = Operation {
            call: BATCH,
            lacking,
        };
        let raw = comm.begin(stream.key(), operation, items.len())?;
        // No overflow in practice; a longer list is cut, and HCCL refuses a message without its other side.
        let len = u32::try_from(items.len()).unwrap_or(u32::MAX);
        // SAFETY: a live communicator and a stream of the device that is current (invariants of `Comm` and `Stream`). `len`
        // items with device memory that is queued on the stream (invariant of `Batch`), as the communicator is, so all live
        // until the work is over. The items are read during the call (published source).
        let code = unsafe { sys::HcclBatchSendRecv(items.as_mut_ptr(), len, raw, stream.as_raw()) };
        comm.queued(BATCH, code)
    }

    /// Sends elements to the rank `to`, which receives them by [`recv`](Session::recv) (`HcclSend`).
    ///
    /// A message is over when both sides are. The later work of the stream waits for it. So two ranks that both send first
    /// wait for each other for ever: [`exchange`](Session::exchange) sends and receives in one step.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// let (zero, one) = (comm.rank(0)?, comm.rank(1)?);
    /// if comm.ranks().own() == zero {
    ///     let numbers = stream.memset_async(stream.malloc::<f32>(4)?, 0)?;
    ///     stream.with(&comm).send(one, &numbers)?;
    /// } else {
    ///     let numbers = stream.with(&comm).recv(zero, stream.malloc::<f32>(4)?)?;
    /// }
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// - [`CollectiveMismatch::OwnRank`] for the own rank, [`CollectiveMismatch::Empty`] for a part without elements, and
    ///   [`CollectiveMismatch::Product`] on Ascend 310P, which lacks messages between two ranks.
    /// - [`ErrorKind::Refused`] when HCCL does not queue the message.
    ///
    /// If the queued message fails, the next wait for the stream returns the error.
    #[doc(alias = "HcclSend")]
    pub fn send<A>(self, to: impl RankOf<N>, send: A) -> Result<()>
    where
        A: Source<(D, S), Place: CommPlace, Elements: Elements<Element: CommElement>>,
    {
        const CALL: &str = "HcclSend";
        let from = send.source();
        let len = A::Elements::count(from);
        let (comm, stream) = self.parts();
        let to = comm.other(CALL, to.into_inner())?;
        let operation = Operation {
            call: CALL,
            lacking: ElementOf::<A::Elements>::LACKING.and(Products::P310),
        };
        let raw = comm.begin(stream.key(), operation, len)?;
        // SAFETY: a live communicator and a stream of the device that is current (invariants of `Comm` and `Stream`). The
        // range is device memory of `len` elements of this type. It and the communicator live until the work is over, because
        // they are queued on the stream.
        let code = unsafe {
            sys::HcclSend(
                address(from),
                count(len),
                ElementOf::<A::Elements>::DATA_TYPE,
                to,
                raw,
                stream.as_raw(),
            )
        };
        comm.queued(CALL, code)
    }

    /// Receives elements from the rank `from`, which sends them by [`send`](Session::send) (`HcclRecv`).
    ///
    /// Both sides have one length and one type of elements. The later work of the stream waits for the message.
    ///
    /// ```
    /// # ascendcl::example!(ranks |comm, host, stream| {
    /// let (zero, one) = (comm.rank(0)?, comm.rank(1)?);
    /// if comm.ranks().own() == one {
    ///     let numbers = stream.with(&comm).recv(zero, stream.malloc::<u8>(4)?)?;
    ///     let back = stream.memcpy_async(stream.malloc_host(host, 4)?, &numbers)?;
    ///     assert_eq!(stream.synchronize()?.take(back)[..], [3; 4]);
    /// } else {
    ///     let numbers = stream.memset_async(stream.malloc::<u8>(4)?, 3)?;
    ///     stream.with(&comm).send(one, &numbers)?;
    /// }
    /// # stream.synchronize()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`send`](Session::send): [`CollectiveMismatch::OwnRank`], [`CollectiveMismatch::Empty`],
    /// [`CollectiveMismatch::Product`] and [`ErrorKind::Refused`]. On an error a fresh destination is parked: it is freed after
    /// a later successful wait for the stream.
    #[doc(alias = "HcclRecv")]
    pub fn recv<B>(self, from: impl RankOf<N>, recv: B) -> Result<B::Written>
    where
        B: Destination<(D, S), Place: CommPlace, Elements: Elements<Element: CommElement>>,
    {
        const CALL: &str = "HcclRecv";
        let to = recv.destination();
        let len = B::Elements::count(to);
        let (comm, stream) = self.parts();
        let from = comm.other(CALL, from.into_inner())?;
        let operation = Operation {
            call: CALL,
            lacking: ElementOf::<B::Elements>::LACKING.and(Products::P310),
        };
        let raw = comm.begin(stream.key(), operation, len)?;
        // SAFETY: a live communicator and a stream of the device that is current (invariants of `Comm` and `Stream`). The
        // range is device memory of `len` elements of this type. It and the communicator live until the work is over, because
        // they are queued on the stream.
        let code = unsafe {
            sys::HcclRecv(
                address(to),
                count(len),
                ElementOf::<B::Elements>::DATA_TYPE,
                from,
                raw,
                stream.as_raw(),
            )
        };
        comm.queued(CALL, code)?;
        // SAFETY: a message that writes every element was queued.
        Ok(unsafe { recv.written() })
    }
}
