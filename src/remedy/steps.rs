//! Placeholder methods of values that lack a step which another value has.

use std::time::Duration;

use crate::context::Thread;
use crate::device::{AnyDevice, Device, DeviceTag, Npu};
use crate::error::Result;
use crate::event::{Capability, Event, OwnCapability, Recorded};
use crate::memory::{Buf, Dev, DeviceBuf, Elements, HostBuf, Plain, Uninit};
use crate::outcome::Unverified;
use crate::peer::PeerRoute;
use crate::queue::{History, Queue};
use crate::runtime::HostSide;
use crate::scope::{Lease, Lend, Scope};
use crate::stream::{DefaultStream, Drained, ParkedStream, Stream, StreamName, StreamTag};

use super::missing::{
    Awaited, Enabled, HasDevice, IsCurrent, Lent, Parks, RecordedElsewhere, Succeeded, Verified,
};

// A thread has no device in its type. The results name slot 0, because a type parameter would change the form of a call.
#[doc(hidden)]
impl Thread {
    pub fn malloc<T: Plain>(&self, _: usize) -> Result<DeviceBuf<'_, Npu<0>, [T], Uninit>>
    where
        for<'any> Self: HasDevice<'any>,
    {
        <Self as HasDevice<'_>>::never()
    }
    pub fn malloc_host<T: Plain>(&self, _: HostSide<'_>, _: usize) -> Result<HostBuf<'_, [T]>>
    where
        for<'any> Self: HasDevice<'any>,
    {
        <Self as HasDevice<'_>>::never()
    }
    pub fn memset<B>(&self, _: B, _: u8) -> Result<B>
    where
        for<'any> Self: HasDevice<'any>,
    {
        <Self as HasDevice<'_>>::never()
    }
    pub fn memcpy<A, B>(&self, _: A, _: B) -> Result<()>
    where
        for<'any> Self: HasDevice<'any>,
    {
        <Self as HasDevice<'_>>::never()
    }
    pub fn create_stream<S: StreamTag>(&self) -> Result<Stream<'_, '_, Npu<0>, S>>
    where
        for<'any> Self: HasDevice<'any>,
    {
        <Self as HasDevice<'_>>::never()
    }
    pub fn create_event<C: Capability>(&self) -> Result<Event<'_, Npu<0>, C>>
    where
        for<'any> Self: HasDevice<'any>,
    {
        <Self as HasDevice<'_>>::never()
    }
    pub fn synchronize_device(&self) -> Result<()>
    where
        for<'any> Self: HasDevice<'any>,
    {
        <Self as HasDevice<'_>>::never()
    }
}

#[doc(hidden)]
impl<'dev, D: DeviceTag> Device<'dev, D> {
    pub fn scope<'env, T>(
        &self,
        _: impl for<'scope> FnOnce(&'scope Scope<'scope, 'env, D>) -> T,
    ) -> Result<T>
    where
        D: 'env,
        Self: IsCurrent,
    {
        <Self as IsCurrent>::never()
    }
    pub fn default_stream(&self) -> Result<DefaultStream<'_, '_, D>>
    where
        Self: IsCurrent,
    {
        <Self as IsCurrent>::never()
    }
}

#[doc(hidden)]
impl<Q, C> Recorded<'_, Q, C> {
    pub fn millis_since<X>(&self, _: X) -> Result<f32>
    where
        Self: Awaited,
    {
        <Self as Awaited>::never()
    }
    pub fn timestamp(&self) -> Result<Duration>
    where
        Self: Awaited,
    {
        <Self as Awaited>::never()
    }
}

#[doc(hidden)]
impl<Q: Queue> Drained<'_, Q> {
    pub fn verify<'dev, R, H: History>(
        &self,
        _: Unverified<'dev, Q, R, H>,
    ) -> H::Verified<'dev, Q::Device, R>
    where
        Self: Succeeded,
    {
        <Self as Succeeded>::never()
    }
}

#[doc(hidden)]
impl<Q, D, R: Lend, H> Unverified<'_, Q, Lease<'_, D, R>, H> {
    pub fn into_inner(self) -> R::Returned
    where
        Self: Verified,
    {
        <Self as Verified>::never()
    }
}

#[doc(hidden)]
impl<D: AnyDevice, P> PeerRoute<'_, '_, D, P> {
    pub fn p2p_map<E: Elements + ?Sized, I>(&self, _: &Buf<'_, Dev<P>, E, I>) -> Result<()>
    where
        Self: Enabled,
    {
        <Self as Enabled>::never()
    }
}

#[doc(hidden)]
impl<D: AnyDevice, C: OwnCapability> Event<'_, D, C> {
    /// # Safety
    ///
    /// No program can call it.
    pub unsafe fn assume_recorded<S: StreamTag>(&mut self) -> Recorded<'_, (D, S), C>
    where
        Self: RecordedElsewhere,
    {
        <Self as RecordedElsewhere>::never()
    }
}

#[doc(hidden)]
impl<D: AnyDevice, S: StreamName> Stream<'_, '_, D, S> {
    pub fn give_back(self) -> Result<()>
    where
        Self: Lent,
    {
        <Self as Lent>::never()
    }
}

#[doc(hidden)]
impl<'dev, D: AnyDevice, S: StreamTag> Stream<'_, 'dev, D, S> {
    pub fn park(self) -> ParkedStream<'dev, D, S>
    where
        Self: Parks,
    {
        <Self as Parks>::never()
    }
}
