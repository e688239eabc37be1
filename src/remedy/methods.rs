//! Placeholder methods for values that are in the wrong state, with the arguments and results of the real methods.
//!
//! The methods are written without a macro, because the compiler would show the macro in its messages.

use std::ops::Range;
use std::slice::{Iter, IterMut};
use std::time::Duration;

#[cfg(feature = "collectives")]
use crate::collective::Comm;
#[cfg(feature = "collectives")]
use crate::collective::name::CommTag;
use crate::device::{AnyDevice, Device, DeviceTag};
use crate::error::Result;
use crate::event::{Capability, Event, EventStatus, Fence};
use crate::memory::elements::ElementOf;
use crate::memory::{
    Buf, Cached, Destination, Dev, DeviceBuf, Elements, Host, HostBuf, MemAttr, MemInfo, OnBoard,
    OnDevice, Place, Plain, Reserved, ReservedBuf, Slice, SliceMut, Uninit,
};
#[cfg(feature = "models")]
use crate::model::{Model, Queueing, Sizing};
#[cfg(feature = "operators")]
use crate::op::{Counted, Tensor, TensorOut};
use crate::outcome::Unverified;
use crate::queue::{Queue, Queued, Resource, Shared};
use crate::runtime::{DeviceSide, HostSide};
use crate::scope::{Lease, Lend};
use crate::stream::{Drained, Idle, ParkedStream, Stream, StreamStatus, StreamTag};

use super::missing::{
    Attached, Fresh, GivenBack, IsCurrent, NotExchanging, NotRunning, Touched, Uncached, Verified,
    Waited, WasRecorded, Written,
};

#[doc(hidden)]
impl<'dev, Q: Queue, R: Resource<Q::Device>, H> Queued<'dev, Q, R, H> {
    pub fn free(self) -> Result<()>
    where
        Self: GivenBack,
    {
        <Self as GivenBack>::never()
    }
}

#[doc(hidden)]
impl<Q: Queue, D, T, H> Queued<'_, Q, ReservedBuf<'_, D, T>, H>
where
    Reserved<D>: OnDevice<Q::Device>,
{
    pub fn unmap_mem(&mut self) -> Result<()>
    where
        Self: GivenBack,
    {
        <Self as GivenBack>::never()
    }
}

#[cfg(feature = "operators")]
#[doc(hidden)]
impl<'dev, Q: Queue, M: Place + OnDevice<Q::Device>, E: Elements + ?Sized, H>
    Queued<'_, Q, Counted<'dev, M, E>, H>
{
    pub fn shape(&self) -> Result<Vec<usize>>
    where
        Self: GivenBack,
    {
        <Self as GivenBack>::never()
    }
    pub fn front(&self) -> Result<Slice<'_, M, [E::Element]>>
    where
        Self: GivenBack,
    {
        <Self as GivenBack>::never()
    }
    pub fn into_fresh(self) -> Buf<'dev, M, E, Uninit>
    where
        Self: GivenBack,
    {
        <Self as GivenBack>::never()
    }
}

#[cfg(feature = "models")]
#[doc(hidden)]
impl<'dev, Q: Queue, G: Sizing, H> Queued<'dev, Q, Model<'_, 'dev, Q::Device, Queueing, G>, H> {
    pub fn unload(self) -> Result<()>
    where
        Self: NotRunning,
    {
        <Self as NotRunning>::never()
    }
}

#[cfg(feature = "collectives")]
#[doc(hidden)]
impl<'dev, Q: Queue<Device: DeviceTag>, N: CommTag, H>
    Queued<'dev, Q, Comm<'_, 'dev, Q::Device, N>, H>
{
    pub fn destroy(self) -> Result<()>
    where
        Self: NotExchanging,
    {
        <Self as NotExchanging>::never()
    }
}

#[doc(hidden)]
impl<'dev, Q: Queue, M: Place + OnDevice<Q::Device>, E: Elements + ?Sized, I, H>
    Queued<'_, Q, Buf<'dev, M, E, I>, H>
{
    pub fn iter(&self) -> Iter<'_, E::Element>
    where
        Self: GivenBack,
    {
        <Self as GivenBack>::never()
    }
    pub fn iter_mut(&mut self) -> IterMut<'_, E::Element>
    where
        Self: GivenBack,
    {
        <Self as GivenBack>::never()
    }
    pub fn to_vec(&self) -> Vec<E::Element>
    where
        Self: GivenBack,
    {
        <Self as GivenBack>::never()
    }
    pub fn as_slice(&self) -> &[E::Element]
    where
        Self: GivenBack,
    {
        <Self as GivenBack>::never()
    }
    pub fn first(&self) -> Option<&E::Element>
    where
        Self: GivenBack,
    {
        <Self as GivenBack>::never()
    }
    pub fn get(&self, _: usize) -> Option<&E::Element>
    where
        Self: GivenBack,
    {
        <Self as GivenBack>::never()
    }
    pub fn fill(&mut self, _: E::Element)
    where
        Self: GivenBack,
    {
        <Self as GivenBack>::never()
    }
    pub fn copy_from_slice(&mut self, _: &[E::Element])
    where
        Self: GivenBack,
    {
        <Self as GivenBack>::never()
    }
}

#[doc(hidden)]
impl<Q: Queue, R: Lend<Place: OnDevice<Q::Device>>, H> Queued<'_, Q, Lease<'_, Q::Device, R>, H> {
    pub fn into_inner(self) -> R::Returned
    where
        Self: GivenBack,
    {
        <Self as GivenBack>::never()
    }
    pub fn as_slice(&self) -> &[ElementOf<R::Elements>]
    where
        Self: GivenBack,
    {
        <Self as GivenBack>::never()
    }
    pub fn as_mut_slice(&mut self) -> &mut [ElementOf<R::Elements>]
    where
        Self: GivenBack,
    {
        <Self as GivenBack>::never()
    }
}

#[doc(hidden)]
impl<Q: Queue, R: Resource<Q::Device>, H> Queued<'_, Q, Shared<Q::Device, R>, H> {
    pub fn try_unwrap(self) -> Result<R, Self>
    where
        Self: GivenBack,
    {
        <Self as GivenBack>::never()
    }
}

#[doc(hidden)]
impl<Q: Queue, R: Resource<Q::Device>, E, H> Fence<'_, Q, R, E, H> {
    pub fn free(self) -> Result<()>
    where
        Self: Waited,
    {
        <Self as Waited>::never()
    }
}

#[doc(hidden)]
impl<Q, R, H> Unverified<'_, Q, R, H> {
    pub fn free(self) -> Result<()>
    where
        Self: Verified,
    {
        <Self as Verified>::never()
    }
}

#[doc(hidden)]
impl<Q, M: Place, E: Elements + ?Sized, H> Unverified<'_, Q, Buf<'_, M, E>, H> {
    pub fn iter(&self) -> Iter<'_, E::Element>
    where
        Self: Verified,
    {
        <Self as Verified>::never()
    }
    pub fn to_vec(&self) -> Vec<E::Element>
    where
        Self: Verified,
    {
        <Self as Verified>::never()
    }
}

#[doc(hidden)]
impl<D, E: Elements + ?Sized> Buf<'_, Cached<D>, E> {
    pub fn as_slice(&self, _: DeviceSide<'_>) -> Result<&[E::Element]>
    where
        Self: Uncached,
    {
        <Self as Uncached>::never()
    }
    pub fn as_mut_slice(&mut self, _: DeviceSide<'_>) -> Result<&mut [E::Element]>
    where
        Self: Uncached,
    {
        <Self as Uncached>::never()
    }
}

#[doc(hidden)]
impl<D, E: Elements + ?Sized> Buf<'_, Dev<D>, E, Uninit> {
    pub fn as_slice(&self, _: DeviceSide<'_>) -> Result<&[E::Element]>
    where
        Self: Written,
    {
        <Self as Written>::never()
    }
    pub fn as_mut_slice(&mut self, _: DeviceSide<'_>) -> Result<&mut [E::Element]>
    where
        Self: Written,
    {
        <Self as Written>::never()
    }
}

#[doc(hidden)]
impl<M: OnBoard, E: Elements + ?Sized> Buf<'_, M, E, Uninit> {
    pub fn slice(&self, _: Range<usize>) -> Result<Slice<'_, M, [E::Element]>>
    where
        Self: Written,
    {
        <Self as Written>::never()
    }
    pub fn slice_mut(&mut self, _: Range<usize>) -> Result<SliceMut<'_, M, [E::Element]>>
    where
        Self: Written,
    {
        <Self as Written>::never()
    }
    #[cfg(feature = "operators")]
    pub fn tensor(&self, _: &[usize]) -> Result<Tensor<'_, M::Device, E::Element>>
    where
        Self: Written,
    {
        <Self as Written>::never()
    }
    #[cfg(feature = "operators")]
    pub fn tensor_mut(&mut self, _: &[usize]) -> Result<TensorOut<&mut Buf<'_, M, E>>>
    where
        Self: Written,
    {
        <Self as Written>::never()
    }
}

#[doc(hidden)]
impl<E: Elements + ?Sized> Buf<'_, Host, E, Uninit> {
    pub fn slice(&self, _: Range<usize>) -> Result<Slice<'_, Host, [E::Element]>>
    where
        Self: Written,
    {
        <Self as Written>::never()
    }
    pub fn slice_mut(&mut self, _: Range<usize>) -> Result<SliceMut<'_, Host, [E::Element]>>
    where
        Self: Written,
    {
        <Self as Written>::never()
    }
}

#[cfg(feature = "operators")]
#[doc(hidden)]
impl<'dev, M: OnBoard, E: Elements + ?Sized> Buf<'dev, M, E> {
    pub fn into_tensor(self, _: &[usize]) -> Result<TensorOut<Buf<'dev, M, E, Uninit>>>
    where
        Self: Fresh,
    {
        <Self as Fresh>::never()
    }
}

#[doc(hidden)]
impl<'q, 'dev, Q: Queue, M: OnBoard + OnDevice<Q::Device>, E: Elements + ?Sized, H>
    Queued<'q, Q, Buf<'dev, M, E, Uninit>, H>
{
    pub fn slice(&self, _: Range<usize>) -> Result<Slice<'_, M, [E::Element], Q>>
    where
        Self: Written,
    {
        <Self as Written>::never()
    }
    pub fn slice_mut(&mut self, _: Range<usize>) -> Result<SliceMut<'_, M, [E::Element], Q>>
    where
        Self: Written,
    {
        <Self as Written>::never()
    }
    #[cfg(feature = "operators")]
    pub fn tensor(&self, _: &[usize]) -> Result<Tensor<'_, Q, E::Element>>
    where
        Self: Written,
    {
        <Self as Written>::never()
    }
    #[cfg(feature = "operators")]
    pub fn tensor_mut(
        &mut self,
        _: &[usize],
    ) -> Result<TensorOut<&mut Queued<'q, Q, Buf<'dev, M, E>>>>
    where
        Self: Written,
    {
        <Self as Written>::never()
    }
}

#[cfg(feature = "operators")]
#[doc(hidden)]
impl<'q, 'dev, Q: Queue, M: OnBoard + OnDevice<Q::Device>, E: Elements + ?Sized, H>
    Queued<'q, Q, Buf<'dev, M, E>, H>
{
    pub fn into_tensor(
        self,
        _: &[usize],
    ) -> Result<TensorOut<Queued<'q, Q, Buf<'dev, M, E, Uninit>>>>
    where
        Self: Fresh,
    {
        <Self as Fresh>::never()
    }
}

#[doc(hidden)]
impl<D: AnyDevice, C: Capability> Event<'_, D, C> {
    pub fn query(&self) -> Result<EventStatus>
    where
        Self: WasRecorded,
    {
        <Self as WasRecorded>::never()
    }
    pub fn synchronize(&self) -> Result<()>
    where
        Self: WasRecorded,
    {
        <Self as WasRecorded>::never()
    }
    pub fn millis_since<X>(&self, _: X) -> Result<f32>
    where
        Self: WasRecorded,
    {
        <Self as WasRecorded>::never()
    }
    pub fn timestamp(&self) -> Result<Duration>
    where
        Self: WasRecorded,
    {
        <Self as WasRecorded>::never()
    }
    pub fn id(&self) -> Result<u32>
    where
        Self: WasRecorded,
    {
        <Self as WasRecorded>::never()
    }
}

#[doc(hidden)]
impl<'dev, D: DeviceTag> Device<'dev, D> {
    pub fn malloc<T: Plain>(&self, _: usize) -> Result<DeviceBuf<'_, D, [T], Uninit>>
    where
        Self: IsCurrent,
    {
        <Self as IsCurrent>::never()
    }
    pub fn malloc_host<T: Plain>(&self, _: HostSide<'_>, _: usize) -> Result<HostBuf<'_, [T]>>
    where
        Self: IsCurrent,
    {
        <Self as IsCurrent>::never()
    }
    pub fn memset<B>(&self, _: B, _: u8) -> Result<B>
    where
        Self: IsCurrent,
    {
        <Self as IsCurrent>::never()
    }
    pub fn memcpy<A, B>(&self, _: A, _: B) -> Result<()>
    where
        Self: IsCurrent,
    {
        <Self as IsCurrent>::never()
    }
    pub fn create_stream<S: StreamTag>(&self) -> Result<Stream<'_, '_, D, S>>
    where
        Self: IsCurrent,
    {
        <Self as IsCurrent>::never()
    }
    pub fn create_event<C: Capability>(&self) -> Result<Event<'_, D, C>>
    where
        Self: IsCurrent,
    {
        <Self as IsCurrent>::never()
    }
    pub fn synchronize_device(&self) -> Result<()>
    where
        Self: IsCurrent,
    {
        <Self as IsCurrent>::never()
    }
    pub fn mem_info(&self, _: MemAttr) -> Result<MemInfo>
    where
        Self: IsCurrent,
    {
        <Self as IsCurrent>::never()
    }
}

#[doc(hidden)]
impl<E: Elements + ?Sized> Buf<'_, Host, E, Uninit> {
    pub fn iter(&self) -> Iter<'_, E::Element>
    where
        Self: Written,
    {
        <Self as Written>::never()
    }
    pub fn to_vec(&self) -> Vec<E::Element>
    where
        Self: Written,
    {
        <Self as Written>::never()
    }
    pub fn fill(&mut self, _: E::Element)
    where
        Self: Written,
    {
        <Self as Written>::never()
    }
    pub fn copy_from_slice(&mut self, _: &[E::Element])
    where
        Self: Written,
    {
        <Self as Written>::never()
    }
}

#[doc(hidden)]
impl<M: OnBoard, E: Elements + ?Sized, I> Buf<'_, M, E, I> {
    pub fn iter(&self) -> Iter<'_, E::Element>
    where
        Self: Touched,
    {
        <Self as Touched>::never()
    }
    pub fn iter_mut(&mut self) -> IterMut<'_, E::Element>
    where
        Self: Touched,
    {
        <Self as Touched>::never()
    }
    pub fn to_vec(&self) -> Vec<E::Element>
    where
        Self: Touched,
    {
        <Self as Touched>::never()
    }
    pub fn fill(&mut self, _: E::Element)
    where
        Self: Touched,
    {
        <Self as Touched>::never()
    }
    pub fn copy_from_slice(&mut self, _: &[E::Element])
    where
        Self: Touched,
    {
        <Self as Touched>::never()
    }
}

#[doc(hidden)]
impl<'dev, D: AnyDevice, S: StreamTag> ParkedStream<'dev, D, S> {
    pub fn synchronize(&mut self) -> Result<Idle<'_, (D, S)>>
    where
        Self: Attached,
    {
        <Self as Attached>::never()
    }
    pub fn synchronize_within(&mut self, _: Duration) -> Result<Idle<'_, (D, S)>>
    where
        Self: Attached,
    {
        <Self as Attached>::never()
    }
    pub fn drain(&mut self) -> Result<Drained<'_, (D, S)>>
    where
        Self: Attached,
    {
        <Self as Attached>::never()
    }
    pub fn query(&self) -> Result<StreamStatus>
    where
        Self: Attached,
    {
        <Self as Attached>::never()
    }
    pub fn adopt<R: Resource<D>>(&self, _: R) -> Queued<'dev, (D, S), R>
    where
        Self: Attached,
    {
        <Self as Attached>::never()
    }
    pub fn malloc<T: Plain>(
        &self,
        _: usize,
    ) -> Result<Queued<'dev, (D, S), DeviceBuf<'dev, D, [T], Uninit>>>
    where
        Self: Attached,
        D: DeviceTag,
    {
        <Self as Attached>::never()
    }
    pub fn malloc_host<T: Plain>(
        &self,
        _: HostSide<'_>,
        _: usize,
    ) -> Result<Queued<'dev, (D, S), Buf<'dev, Host, [T], Uninit>>>
    where
        Self: Attached,
    {
        <Self as Attached>::never()
    }
    pub fn malloc_host_from<T: Plain>(
        &self,
        _: HostSide<'_>,
        _: &[T],
    ) -> Result<Queued<'dev, (D, S), HostBuf<'dev, [T]>>>
    where
        Self: Attached,
    {
        <Self as Attached>::never()
    }
    pub fn memset_async<T: Destination<(D, S)>>(&mut self, _: T, _: u8) -> Result<T::Written>
    where
        Self: Attached,
    {
        <Self as Attached>::never()
    }
    pub fn memcpy_async<T: Destination<(D, S)>, A>(&mut self, _: T, _: A) -> Result<T::Written>
    where
        Self: Attached,
    {
        <Self as Attached>::never()
    }
}
