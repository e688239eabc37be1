//! Placeholder methods of memory and events that other processes may use.

use super::missing::{GivenBack, OfOneProcess, OfThisProcess, RecordedOnce};
use crate::error::Result;
use crate::event::EventStatus;
use crate::memory::{OnDevice, Plain};
#[cfg(feature = "operators")]
use crate::op::{Tensor, TensorOut};
use crate::queue::{Queue, Queued};
use crate::share::{Domain, EventKey, SharedBuf, SharedEvent};

#[doc(hidden)]
impl<M: Domain, T: Plain> SharedBuf<'_, M, T> {
    pub fn free(self) -> Result<()>
    where
        Self: OfThisProcess,
    {
        <Self as OfThisProcess>::never()
    }
}

#[doc(hidden)]
impl<Q: Queue, M: Domain + OnDevice<Q::Device>, T: Plain, H> Queued<'_, Q, SharedBuf<'_, M, T>, H> {
    pub fn close<C>(self, _: C) -> Result<()>
    where
        Self: GivenBack,
    {
        <Self as GivenBack>::never()
    }
}

#[doc(hidden)]
impl<M: Domain> SharedEvent<'_, M> {
    pub fn query(&self) -> Result<EventStatus>
    where
        Self: OfOneProcess,
    {
        <Self as OfOneProcess>::never()
    }
    pub fn id(&self) -> Result<u32>
    where
        Self: OfOneProcess,
    {
        <Self as OfOneProcess>::never()
    }
    pub fn key(&self) -> EventKey
    where
        Self: RecordedOnce,
    {
        <Self as RecordedOnce>::never()
    }
}

#[cfg(feature = "operators")]
#[doc(hidden)]
impl<'q, Q: Queue, M: Domain + OnDevice<Q::Device>, T: Plain, H>
    Queued<'q, Q, SharedBuf<'_, M, T>, H>
{
    pub fn tensor(&self, _: &[usize]) -> Result<Tensor<'_, Q, T>>
    where
        Self: OfThisProcess,
    {
        <Self as OfThisProcess>::never()
    }
    pub fn tensor_mut(&mut self, _: &[usize]) -> Result<TensorOut<&mut Self>>
    where
        Self: OfThisProcess,
    {
        <Self as OfThisProcess>::never()
    }
}
