//! Placeholder methods of communicators, and of devices that cannot have one.

use crate::collective::name::CommTag;
use crate::collective::{Comm, CommName, CommOptions, Rank, RootInfo, Sub};
use crate::context::Current;
use crate::device::{DeviceTag, Stopping, WholeDevice};
use crate::error::Result;
use crate::memory::Destination;
use crate::outcome::ContinueOnFailure;
use crate::queue::Queued;
use crate::stream::StreamTag;

use super::missing::{CommOffStream, CommWithStream, ContinuesOnFailure, Whole};

#[doc(hidden)]
impl<'t, 'dev, D: DeviceTag, S: StreamTag, N: CommTag, H>
    Queued<'_, (D, S), Comm<'t, 'dev, D, N>, H>
{
    pub fn create_sub_comm<P: CommName>(
        &mut self,
        _: &[Rank<N>],
        _: u64,
    ) -> Result<Comm<'t, 'dev, D, Sub<N, P>>>
    where
        Self: CommOffStream,
    {
        <Self as CommOffStream>::never()
    }
    pub fn create_sub_comm_config<P: CommName>(
        &mut self,
        _: &[Rank<N>],
        _: u64,
        _: &CommOptions,
    ) -> Result<Comm<'t, 'dev, D, Sub<N, P>>>
    where
        Self: CommOffStream,
    {
        <Self as CommOffStream>::never()
    }
    pub fn all_reduce<O, A, X, B: Destination<X>>(&self, _: O, _: A, _: B) -> Result<B::Written>
    where
        Self: CommWithStream,
    {
        <Self as CommWithStream>::never()
    }
}

#[doc(hidden)]
impl<'t, 'dev, D: DeviceTag, N: CommTag> Comm<'t, 'dev, D, N> {
    pub fn all_reduce<O, A, X, B: Destination<X>>(&self, _: O, _: A, _: B) -> Result<B::Written>
    where
        Self: CommWithStream,
    {
        <Self as CommWithStream>::never()
    }
}

#[doc(hidden)]
impl<'t, 'dev, D: DeviceTag, P, N> Comm<'t, 'dev, D, Sub<P, N>> {
    pub fn create_sub_comm<T: CommName>(
        &mut self,
        _: &[Rank<Sub<P, N>>],
        _: u64,
    ) -> Result<Comm<'t, 'dev, D, Sub<P, N>>>
    where
        Self: Whole,
    {
        <Self as Whole>::never()
    }
}

#[doc(hidden)]
impl<'t, 'dev, D: WholeDevice<Mode = ContinueOnFailure>> Current<'t, 'dev, Stopping<D>> {
    pub fn root_info(self, _: u32) -> Result<RootInfo>
    where
        Self: ContinuesOnFailure,
    {
        <Self as ContinuesOnFailure>::never()
    }
    pub fn comm_init_root_info<N: CommName>(
        self,
        _: &RootInfo,
        _: u32,
    ) -> Result<Comm<'t, 'dev, D, N>>
    where
        Self: ContinuesOnFailure,
    {
        <Self as ContinuesOnFailure>::never()
    }
}
