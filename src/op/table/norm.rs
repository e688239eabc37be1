//! Softmax and normalisations.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::{Floating, Fractional};
use crate::op::shape::{Dims, product};
use crate::op::table::functions;

functions! {
    "A dimension counts from 0, or from the end by -1, -2 and so on. The output has the shape of the operand; figures of a \
     normalisation have one element in the dimensions over which it goes.";
    /// Prepares `e ^ a`, divided by its sum along the dimension `axis` (`aclnnSoftmax`).
    #[doc(alias("aclnnSoftmax", "aclnnSoftmaxGetWorkspaceSize"))]
    Softmax<T: Fractional>, softmax(a: in T, axis: attr i64, out: out T)
        = aclnnSoftmax, aclnnSoftmaxGetWorkspaceSize, |op| out.dims.check_along(op, &a.dims, axis);
    /// Prepares the logarithm of the softmax along the dimension `axis` (`aclnnLogSoftmax`).
    #[doc(alias("aclnnLogSoftmax", "aclnnLogSoftmaxGetWorkspaceSize"))]
    LogSoftmax<T: Fractional>, log_softmax(a: in T, axis: attr i64, out: out T)
        = aclnnLogSoftmax, aclnnLogSoftmaxGetWorkspaceSize, |op| out.dims.check_along(op, &a.dims, axis);
    /// Prepares `a * r * gamma` with `r = 1 / sqrt(mean(a ^ 2) + epsilon)` over the last dimensions, which are those
    /// of `gamma`, and `r` (`aclnnRmsNorm`). The two outputs come back as a pair.
    #[doc(alias("aclnnRmsNorm", "aclnnRmsNormGetWorkspaceSize"))]
    RmsNorm<T: Floating>, rms_norm(a: in T, gamma: in T, epsilon: attr f64, out: out T, r: out f32)
        = aclnnRmsNorm, aclnnRmsNormGetWorkspaceSize, |op| Dims::check_normalised(op, &a.dims, &[&gamma.dims], &[&out.dims], &[&r.dims]);
    /// Prepares `(a - mean) * r * weight + bias` with `r = 1 / sqrt(variance + epsilon)` over the last dimensions, whose
    /// sizes are `shape`, the mean and `r` (`aclnnLayerNorm`). Weight and bias have the shape `shape`; without them they
    /// are 1 and 0. The outputs come back as a tuple; the mean and `r` are `Some(out)`, or `()` to leave them out.
    #[doc(alias("aclnnLayerNorm", "aclnnLayerNormGetWorkspaceSize"))]
    LayerNorm<T: Floating>,
        layer_norm(a: in T, shape: ints, weight: maybe T, bias: maybe T, epsilon: attr f64, out: out T, mean: maybe_out T, r: maybe_out T)
        = aclnnLayerNorm, aclnnLayerNormGetWorkspaceSize, |op| check_layers(op, &a.dims, shape, [weight, bias].into_iter().flatten().map(|one| &one.dims), &out.dims, mean.shapes().chain(r.shapes()));
    /// Prepares `(a - mean) * r * gamma + beta` with `r = 1 / sqrt(variance + epsilon)` over groups of channels, the mean
    /// and `r` (`aclnnGroupNorm`). The dimensions of `a` are batch, channel and further ones; `gamma` and `beta` have a
    /// number for each channel and are 1 and 0 if they are left out. The outputs come back as a tuple; the mean and `r`
    /// have a number for each batch and group.
    #[doc(alias("aclnnGroupNorm", "aclnnGroupNormGetWorkspaceSize"))]
    GroupNorm<T: Floating>,
        group_norm(a: in T, gamma: maybe T, beta: maybe T, batches: (a.dims.size(0)) i64, channels: (a.dims.size(1)) i64, area: (area(&a.dims)) i64, groups: [usize: groups.cast_signed() as i64 => i64], epsilon: attr f64, out: out T, mean: out T, r: out T)
        = aclnnGroupNorm, aclnnGroupNormGetWorkspaceSize, |op| check_groups(op, &a.dims, groups, [gamma, beta].into_iter().flatten().map(|one| &one.dims), &out.dims, [&mean.dims, &r.dims]);
    /// Prepares `(a - mean) / sqrt(variance + epsilon) * weight + bias` over all dimensions but the second one, the
    /// channels, and the mean and the variance of each channel (`aclnnBatchNorm` in training).
    ///
    /// Weight and bias are 1 and 0 if they are left out. The running mean and variance are changed in place, to
    /// `running * (1 - momentum) + new * momentum`: `Some(out)` of `tensor_mut`, or `()`. All outputs come back as a
    /// tuple. The last one is the variance on Atlas A2 and A3, and `1 / sqrt(variance + epsilon)` on Ascend 950.
    #[doc(alias("aclnnBatchNorm", "aclnnBatchNormGetWorkspaceSize"))]
    BatchNorm<T: Floating>,
        batch_norm(a: in T, weight: maybe T, bias: maybe T, running_mean: maybe_inout T, running_variance: maybe_inout T, training: (true) bool, momentum: attr f64, epsilon: attr f64, out: out T, mean: out T, variance: out T)
        = aclnnBatchNorm, aclnnBatchNormGetWorkspaceSize, |op| check_channels(op, &a.dims, [weight, bias].into_iter().flatten().map(|one| &one.dims).chain(running_mean.shapes()).chain(running_variance.shapes()), &out.dims, [&mean.dims, &variance.dims]);
    /// Prepares `(a - mean) / sqrt(variance + epsilon) * weight + bias` over all dimensions but the second one, the
    /// channels, with the mean and the variance of a training (`aclnnBatchNorm` in inference).
    ///
    /// Weight and bias are 1 and 0 if they are left out, and so are the variance and the mean. C has two more outputs,
    /// which it writes in training only: `saved_mean` and `saved_variance` are memory that was written before.
    #[doc(alias("aclnnBatchNorm", "aclnnBatchNormGetWorkspaceSize"))]
    BatchNormInference<T: Floating>,
        batch_norm_inference(a: in T, weight: maybe T, bias: maybe T, mean: maybe T, variance: maybe T, training: (false) bool, momentum: (0.0) f64, epsilon: attr f64, out: out T, saved_mean: inout T, saved_variance: inout T)
        = aclnnBatchNorm, aclnnBatchNormGetWorkspaceSize, |op| check_channels(op, &a.dims, [weight, bias, mean, variance].into_iter().flatten().map(|one| &one.dims), &out.dims, [&saved_mean.dims, &saved_variance.dims]);
    /// Prepares the sum of two tensors and its [`rms_norm`] (`aclnnAddRmsNorm`). The outputs come back as a tuple:
    /// the norm, `r`, the sum.
    #[doc(alias("aclnnAddRmsNorm", "aclnnAddRmsNormGetWorkspaceSize"))]
    AddRmsNorm<T: Floating>,
        add_rms_norm(a: in T, b: in T, gamma: in T, epsilon: attr f64, out: out T, r: out f32, sum: out T)
        = aclnnAddRmsNorm, aclnnAddRmsNormGetWorkspaceSize, |op| b.dims.check_beside(op, &a.dims, a.dims.sizes()).and(Dims::check_normalised(op, &a.dims, &[&gamma.dims], &[&out.dims, &sum.dims], &[&r.dims]));
    /// Prepares the sum of two tensors, normalised over the last dimensions, which are those of `gamma` and `beta`
    /// (`aclnnAddLayerNorm`). The outputs come back as a tuple: the norm, the mean, `1 / sqrt(variance + epsilon)`,
    /// the sum.
    #[doc(alias("aclnnAddLayerNorm", "aclnnAddLayerNormGetWorkspaceSize"))]
    AddLayerNorm<T: Floating>,
        add_layer_norm(a: in T, b: in T, gamma: in T, beta: in T, bias: maybe T, epsilon: attr f64, additional: (true) bool, out: dense_out T, mean: dense_out f32, r: dense_out f32, sum: dense_out T)
        = aclnnAddLayerNorm, aclnnAddLayerNormGetWorkspaceSize, |op| b.dims.check_beside(op, &a.dims, a.dims.sizes()).and(Dims::check_normalised(op, &a.dims, &[&gamma.dims, &beta.dims], &[&out.dims, &sum.dims], &[&mean.dims, &r.dims])).and(check_bias(op, &a.dims, &gamma.dims, bias.map(|bias| &bias.dims)));
}

/// Checks that a bias has the shape of the operand, or that of the weights.
fn check_bias(
    operator: &'static str,
    operand: &Dims,
    weight: &Dims,
    bias: Option<&Dims>,
) -> Result<()> {
    match bias {
        Some(bias) if bias.sizes() != weight.sizes() => {
            bias.check_beside(operator, operand, operand.sizes())
        }
        _ => Ok(()),
    }
}

/// Checks the shapes of a normalisation over the last dimensions, whose sizes are `shape`.
pub(super) fn check_layers<'a>(
    operator: &'static str,
    operand: &Dims,
    shape: &[i64],
    mut weights: impl Iterator<Item = &'a Dims>,
    output: &Dims,
    figures: impl Iterator<Item = &'a Dims>,
) -> Result<()> {
    let sizes = operand.sizes();
    if shape.is_empty() || !sizes.ends_with(shape) {
        return Err(operand.numbers(
            operator,
            shape,
            "the sizes of the last dimensions, at least one",
        ));
    }
    weights.try_for_each(|weight| weight.check_beside(operator, operand, shape))?;
    output.check_same(operator, operand)?;
    let mut expected = sizes.to_vec();
    let outer = sizes.len() - shape.len();
    for size in expected.iter_mut().skip(outer) {
        *size = 1;
    }
    check_figures(operator, operand, figures, &expected)
}

/// How many elements a channel of a batch has.
pub(super) fn area(operand: &Dims) -> i64 {
    product(operand.sizes().get(2..).unwrap_or_default())
}

/// Checks the shapes of a normalisation over groups of channels.
pub(super) fn check_groups<'a>(
    operator: &'static str,
    operand: &Dims,
    groups: usize,
    weights: impl Iterator<Item = &'a Dims>,
    output: &Dims,
    figures: [&Dims; 2],
) -> Result<()> {
    let channels = check_weights(operator, operand, weights)?;
    output.check_same(operator, operand)?;
    let groups = groups.cast_signed() as i64;
    if groups <= 0 || channels % groups != 0 {
        let rule =
            "a number of groups into which the second dimension, the channels, can be divided";
        return Err(operand.numbers(operator, &[groups], rule));
    }
    let expected = [operand.size(0), groups];
    check_figures(operator, operand, figures.into_iter(), &expected)
}

/// Checks the shapes of a normalisation of channels.
pub(super) fn check_channels<'a>(
    operator: &'static str,
    operand: &Dims,
    weights: impl Iterator<Item = &'a Dims>,
    output: &Dims,
    figures: [&Dims; 2],
) -> Result<()> {
    let channels = check_weights(operator, operand, weights)?;
    output.check_same(operator, operand)?;
    check_figures(operator, operand, figures.into_iter(), &[channels])
}

/// Checks that weights have a number for each channel, the second dimension, and returns how many there are.
fn check_weights<'a>(
    operator: &'static str,
    operand: &Dims,
    mut weights: impl Iterator<Item = &'a Dims>,
) -> Result<i64> {
    if operand.rank < 2 {
        operand.check_rank(operator, 2)?;
    }
    let channels = operand.size(1);
    weights.try_for_each(|weight| weight.check_beside(operator, operand, &[channels]))?;
    Ok(channels)
}

/// Checks that figures have the shape `expected`, and that the operand has elements if they have some.
fn check_figures<'a>(
    operator: &'static str,
    operand: &Dims,
    mut figures: impl Iterator<Item = &'a Dims>,
    expected: &[i64],
) -> Result<()> {
    figures.try_for_each(|figure| {
        figure.check_is(operator, operand, expected)?;
        operand.check_filled(operator, figure)
    })
}
