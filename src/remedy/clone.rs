//! Placeholder methods `clone` of values that have one owner. Shares of memory implement `Clone` and have none.
#![expect(
    clippy::should_implement_trait,
    reason = "an implementation of the trait would appear in the documentation"
)]

use crate::context::{Context, Thread};
#[cfg(feature = "operators")]
use crate::device::Site;
use crate::device::{AnyDevice, Device};
use crate::event::{Capability, Event};
#[cfg(feature = "graphs")]
use crate::graph::{Graph, GraphMemory};
use crate::memory::{Buf, Elements, OnDevice, Place};
#[cfg(feature = "operators")]
use crate::op::{Operator, Plan};
use crate::queue::{Queue, Queued};
use crate::runtime::Acl;
use crate::stream::{ParkedStream, Stream, StreamTag};

#[cfg(feature = "operators")]
use super::missing::RunsAgain;
use super::missing::{Copied, OneOwner};

#[doc(hidden)]
impl Acl {
    pub fn clone(&self) -> Self
    where
        for<'any> Self: OneOwner<'any>,
    {
        <Self as OneOwner<'_>>::never()
    }
}

#[doc(hidden)]
impl Thread {
    pub fn clone(&self) -> Self
    where
        for<'any> Self: OneOwner<'any>,
    {
        <Self as OneOwner<'_>>::never()
    }
}

#[doc(hidden)]
impl<D: AnyDevice> Device<'_, D> {
    pub fn clone(&self) -> Self
    where
        for<'any> Self: OneOwner<'any>,
    {
        <Self as OneOwner<'_>>::never()
    }
}

#[doc(hidden)]
impl<C> Context<'_, C> {
    pub fn clone(&self) -> Self
    where
        for<'any> Self: OneOwner<'any>,
    {
        <Self as OneOwner<'_>>::never()
    }
}

#[doc(hidden)]
impl<D: AnyDevice, S: StreamTag> Stream<'_, '_, D, S> {
    pub fn clone(&self) -> Self
    where
        for<'any> Self: OneOwner<'any>,
    {
        <Self as OneOwner<'_>>::never()
    }
}

#[doc(hidden)]
impl<D: AnyDevice, S: StreamTag> ParkedStream<'_, D, S> {
    pub fn clone(&self) -> Self
    where
        for<'any> Self: OneOwner<'any>,
    {
        <Self as OneOwner<'_>>::never()
    }
}

#[cfg(feature = "graphs")]
#[doc(hidden)]
impl<D: AnyDevice, T: GraphMemory<D>, V> Graph<'_, D, T, V> {
    pub fn clone(&self) -> Self
    where
        for<'any> Self: OneOwner<'any>,
    {
        <Self as OneOwner<'_>>::never()
    }
}

#[cfg(feature = "graphs")]
#[doc(hidden)]
impl<D: AnyDevice, S: StreamTag, T: GraphMemory<D>, V, H>
    Queued<'_, (D, S), Graph<'_, D, T, V>, H>
{
    pub fn clone(&self) -> Self
    where
        for<'any> Self: OneOwner<'any>,
    {
        <Self as OneOwner<'_>>::never()
    }
}

#[doc(hidden)]
impl<D: AnyDevice, C: Capability> Event<'_, D, C> {
    pub fn clone(&self) -> Self
    where
        for<'any> Self: OneOwner<'any>,
    {
        <Self as OneOwner<'_>>::never()
    }
}

#[doc(hidden)]
impl<M: Place, E: Elements + ?Sized, I> Buf<'_, M, E, I> {
    pub fn clone(&self) -> Self
    where
        Self: Copied,
    {
        <Self as Copied>::never()
    }
}

#[doc(hidden)]
impl<Q: Queue, M: Place + OnDevice<Q::Device>, E: Elements + ?Sized, I, H>
    Queued<'_, Q, Buf<'_, M, E, I>, H>
{
    pub fn clone(&self) -> Self
    where
        Self: Copied,
    {
        <Self as Copied>::never()
    }
}

#[cfg(feature = "operators")]
#[doc(hidden)]
impl<X: Site, P: Operator, O> Plan<'_, '_, X, P, O> {
    pub fn clone(&self) -> Self
    where
        Self: RunsAgain,
    {
        <Self as RunsAgain>::never()
    }
}
