//! Placeholder methods of views of tensors.

use crate::error::Result;
use crate::op::{Layout, Strided, Tensor, TensorOut};

use super::missing::{Distinct, Gapless};

#[doc(hidden)]
impl<O, L: Layout> TensorOut<O, L> {
    pub fn expand(self, _: &[usize]) -> Result<TensorOut<O, Strided>>
    where
        Self: Distinct,
    {
        <Self as Distinct>::never()
    }
}

#[doc(hidden)]
impl<'b, X, T> Tensor<'b, X, T, Strided> {
    pub fn reshape(&self, _: &[usize]) -> Result<Tensor<'b, X, T>>
    where
        Self: Gapless,
    {
        <Self as Gapless>::never()
    }
}

#[doc(hidden)]
impl<O> TensorOut<O, Strided> {
    pub fn reshape(self, _: &[usize]) -> Result<TensorOut<O>>
    where
        Self: Gapless,
    {
        <Self as Gapless>::never()
    }
}
