//! Placeholder methods of memory that other processes may use.

use super::missing::OfThisProcess;
use crate::error::Result;
use crate::memory::{OnDevice, Plain};
#[cfg(feature = "operators")]
use crate::op::{Tensor, TensorOut};
use crate::queue::{Queue, Queued};
use crate::share::{Domain, SharedBuf};

#[doc(hidden)]
impl<M: Domain, T: Plain> SharedBuf<'_, M, T> {
    pub fn free(self) -> Result<()>
    where
        Self: OfThisProcess,
    {
        <Self as OfThisProcess>::never()
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
