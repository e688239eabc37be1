//! Operands that stand for larger ones: weights of channels, and masks.

use crate::op::call::Input;
use crate::op::refusal::Refusal;
use crate::op::rule::at;
use crate::op::shape::{Dims, broadcast};

/// Returns weights, one for all elements or one for each channel, as a tensor that broadcasts to another.
pub(super) fn of_channels(mut weight: Input, input: &Input) -> Result<Input, Refusal> {
    let channels = at(input.shape(), 1);
    if weight.elements() != 1 && (weight.elements() != channels || weight.shape().len() != 1) {
        return Err(Refusal::invalid(format_args!(
            "weight {:?} has neither one element nor one for each of {channels} channels",
            weight.shape()
        )));
    }
    if weight.elements() != 1 {
        let step = at(weight.tensor.strides.as_slice(), 0);
        let behind = input.shape().len().saturating_sub(2);
        let ones = core::iter::repeat_n(1, behind);
        let zeros = core::iter::repeat_n(0, behind);
        weight.tensor.shape = Dims::new([channels].into_iter().chain(ones)).unwrap_or_default();
        weight.tensor.strides = Dims::new([step].into_iter().chain(zeros)).unwrap_or_default();
    }
    Ok(weight)
}

/// Returns a tensor as one of the shape of another, to which it broadcasts.
pub(super) fn broadcast_like(mut small: Input, large: &Input) -> Result<Input, Refusal> {
    let together = broadcast(&small.tensor.shape, &large.tensor.shape);
    if together.is_none_or(|shape| shape.as_slice() != large.shape()) {
        return Err(Refusal::invalid(format_args!(
            "{} {:?} does not broadcast to {} {:?}",
            small.name,
            small.shape(),
            large.name,
            large.shape()
        )));
    }
    small.tensor.strides = small.tensor.strides_in(&large.tensor.shape);
    small.tensor.shape = large.tensor.shape;
    Ok(small)
}
