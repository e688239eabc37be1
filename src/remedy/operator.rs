//! Placeholder methods of operands and outputs of operators.

use crate::context::Current;
use crate::device::{AnyDevice, Npu};
use crate::error::Result;
use crate::memory::{Buf, Elements, Host, OnBoard, OnDevice, Place};
use crate::op::array::{Array, ArrayOut, Shape};
use crate::op::{Bool, Indices, Launched, Mask, Positions, Tensor, TensorOut};
use crate::outcome::Unverified;
use crate::queue::{Queue, Queued};
use crate::runtime::HostSide;
use crate::stream::StreamTag;

use super::missing::{KnownLength, OnTheDevice, Seen, TakenApart, Verified};

// The results have parameters that the use of them determines, so that it is no second error.
#[doc(hidden)]
impl<O, D: AnyDevice, S: StreamTag> Launched<'_, O, D, S> {
    pub fn tensor<T>(&self, _: &[usize]) -> Result<Tensor<'_, (D, S), T>>
    where
        Self: TakenApart,
    {
        <Self as TakenApart>::never()
    }
    pub fn tensor_mut(&mut self, _: &[usize]) -> Result<TensorOut<&mut O>>
    where
        Self: TakenApart,
    {
        <Self as TakenApart>::never()
    }
    pub fn free(self) -> Result<()>
    where
        Self: TakenApart,
    {
        <Self as TakenApart>::never()
    }
}

#[doc(hidden)]
impl<Q: Queue, M: Place, E: Elements + ?Sized, H> Unverified<'_, Q, Buf<'_, M, E>, H> {
    pub fn tensor(&self, _: &[usize]) -> Result<Tensor<'_, Q::Device, E::Element>>
    where
        Self: Verified,
    {
        <Self as Verified>::never()
    }
    pub fn tensor_mut(&mut self, _: &[usize]) -> Result<TensorOut<&mut Self>>
    where
        Self: Verified,
    {
        <Self as Verified>::never()
    }
}

#[doc(hidden)]
impl<'b, D: AnyDevice, S: StreamTag, I> Tensor<'b, (D, S), I> {
    pub fn indices(
        self,
        _: Current<'_, '_, D>,
        _: HostSide<'_>,
        _: usize,
    ) -> Result<Indices<'b, (D, S), I>>
    where
        Self: Seen,
    {
        <Self as Seen>::never()
    }
    pub fn positions(
        self,
        _: Current<'_, '_, D>,
        _: HostSide<'_>,
        _: &[usize],
    ) -> Result<Positions<'b, (D, S), I>>
    where
        Self: Seen,
    {
        <Self as Seen>::never()
    }
}

#[doc(hidden)]
impl<'b, D: AnyDevice, S: StreamTag> Tensor<'b, (D, S), Bool> {
    pub fn mask(self, _: Current<'_, '_, D>, _: HostSide<'_>) -> Result<Mask<'b, (D, S)>>
    where
        Self: Seen,
    {
        <Self as Seen>::never()
    }
}

// Host memory has no device in its type. The result names slot 0, because a type parameter would change the form of a call.
#[doc(hidden)]
impl<E: Elements + ?Sized, I> Buf<'_, Host, E, I> {
    pub fn tensor(&self, _: &[usize]) -> Result<Tensor<'_, Npu<0>, E::Element>>
    where
        Self: OnTheDevice,
    {
        <Self as OnTheDevice>::never()
    }
}

#[doc(hidden)]
impl<M: OnBoard, T, I> Buf<'_, M, [T], I>
where
    [T]: Elements,
{
    pub fn array<E: Shape>(&self) -> Result<Array<'_, M::Device, E>>
    where
        Self: KnownLength,
    {
        <Self as KnownLength>::never()
    }
    pub fn array_mut<O>(&mut self) -> Result<ArrayOut<O>>
    where
        Self: KnownLength,
    {
        <Self as KnownLength>::never()
    }
    pub fn into_array<O>(self) -> Result<ArrayOut<O>>
    where
        Self: KnownLength,
    {
        <Self as KnownLength>::never()
    }
}

#[doc(hidden)]
impl<Q: Queue, M: OnBoard + OnDevice<Q::Device>, T, I, H> Queued<'_, Q, Buf<'_, M, [T], I>, H>
where
    [T]: Elements,
{
    pub fn array<E: Shape>(&self) -> Result<Array<'_, Q, E>>
    where
        Self: KnownLength,
    {
        <Self as KnownLength>::never()
    }
    pub fn array_mut<O>(&mut self) -> Result<ArrayOut<O>>
    where
        Self: KnownLength,
    {
        <Self as KnownLength>::never()
    }
    pub fn into_array<O>(self) -> Result<ArrayOut<O>>
    where
        Self: KnownLength,
    {
        <Self as KnownLength>::never()
    }
}
