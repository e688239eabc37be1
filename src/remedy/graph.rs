//! Placeholder methods of graphs.

use crate::device::AnyDevice;
use crate::error::Result;
use crate::graph::{Graph, GraphMemory};
use crate::queue::Queued;
use crate::stream::{AnyStream, Stream, StreamTag};

use super::missing::{NotLaunched, OnItsStream, Records};

#[doc(hidden)]
impl<D: AnyDevice, S: StreamTag, T: GraphMemory<D>, V, H>
    Queued<'_, (D, S), Graph<'_, D, T, V>, H>
{
    pub fn destroy(self) -> Result<T>
    where
        Self: NotLaunched,
    {
        <Self as NotLaunched>::never()
    }
}

#[doc(hidden)]
impl<D: AnyDevice, T: GraphMemory<D>, V> Graph<'_, D, T, V> {
    pub fn launch<S: AnyStream>(&mut self, _: &mut Stream<'_, '_, D, S>) -> Result<()>
    where
        Self: OnItsStream,
    {
        <Self as OnItsStream>::never()
    }
    pub fn launch_nth<S: AnyStream>(&mut self, _: usize, _: &mut Stream<'_, '_, D, S>) -> Result<()>
    where
        Self: OnItsStream,
    {
        <Self as OnItsStream>::never()
    }
    pub fn update<S: AnyStream, G, F>(
        &mut self,
        _: &mut Stream<'_, '_, D, S>,
        _: G,
        _: F,
    ) -> Result<()>
    where
        Self: OnItsStream,
    {
        <Self as OnItsStream>::never()
    }
}

#[doc(hidden)]
impl<D: AnyDevice, S: StreamTag> Stream<'_, '_, D, S> {
    pub fn fork<A, B>(&self, _: A, _: B) -> Result<()>
    where
        Self: Records,
    {
        <Self as Records>::never()
    }
}
