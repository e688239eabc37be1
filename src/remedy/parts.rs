//! Placeholder methods of parts of memory that a stream or a recording may use.

use std::slice::{Iter, IterMut};

use crate::device::AnyDevice;
use crate::memory::{Elements, Place, Slice, SliceMut};
use crate::stream::AnyStream;

use super::missing::GivenBack;

#[doc(hidden)]
impl<M: Place, E: Elements + ?Sized, D: AnyDevice, S: AnyStream> Slice<'_, M, E, (D, S)> {
    pub fn iter(&self) -> Iter<'_, E::Element>
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
}

#[doc(hidden)]
impl<M: Place, E: Elements + ?Sized, D: AnyDevice, S: AnyStream> SliceMut<'_, M, E, (D, S)> {
    pub fn iter(&self) -> Iter<'_, E::Element>
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
    pub fn iter_mut(&mut self) -> IterMut<'_, E::Element>
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
