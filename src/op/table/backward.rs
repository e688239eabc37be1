//! Gradients along a dimension, over the last dimensions, and of a table of rows.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::In;
use crate::op::element::{Floating, Fractional, IndexElement};
use crate::op::indices::Indices;
use crate::op::parameter::{Bools, Ints};
use crate::op::shape::Dims;
use crate::op::table::activation::Gelus;
use crate::op::table::convolution::ConvolutionOptions;
use crate::op::table::functions;
use crate::op::table::norm::{area, check_channels, check_groups, check_layers};

functions! {
    "A dimension counts from 0, or from the end by -1, -2 and so on. The output has the shape that the operand had.";
    /// Prepares the gradient of [`softmax`](crate::op::softmax), from its result (`aclnnSoftmaxBackward`).
    #[doc(alias("aclnnSoftmaxBackward", "aclnnSoftmaxBackwardGetWorkspaceSize"))]
    SoftmaxBackward<T: Floating>, softmax_backward(gradient: in T, result: in T, axis: attr i64, out: out T)
        = aclnnSoftmaxBackward, aclnnSoftmaxBackwardGetWorkspaceSize, |op| result.dims.check_beside(op, &gradient.dims, gradient.dims.sizes()).and(out.dims.check_along(op, &gradient.dims, axis));
    /// Prepares the gradient of [`log_softmax`](crate::op::log_softmax), from its result (`aclnnLogSoftmaxBackward`).
    #[doc(alias("aclnnLogSoftmaxBackward", "aclnnLogSoftmaxBackwardGetWorkspaceSize"))]
    LogSoftmaxBackward<T: Floating>, log_softmax_backward(gradient: in T, result: in T, axis: attr i64, out: out T)
        = aclnnLogSoftmaxBackward, aclnnLogSoftmaxBackwardGetWorkspaceSize, |op| result.dims.check_beside(op, &gradient.dims, gradient.dims.sizes()).and(out.dims.check_along(op, &gradient.dims, axis));
    /// Prepares the gradient of `l * sigmoid(r)` of the halves `l` and `r` of the dimension `axis` (`aclnnGluBackward`).
    #[doc(alias("aclnnGluBackward", "aclnnGluBackwardGetWorkspaceSize"))]
    GluBackward<T: Fractional>, glu_backward(gradient: in T, a: in T, axis: attr i64, out: out T)
        = aclnnGluBackward, aclnnGluBackwardGetWorkspaceSize, |op| check_halves(op, &gradient.dims, &a.dims, axis, &out.dims);
    /// Prepares the gradient of [`swi_glu`](crate::op::swi_glu) (`aclnnSwiGluGrad`).
    #[doc(alias("aclnnSwiGluGrad", "aclnnSwiGluGradGetWorkspaceSize"))]
    SwiGluGrad<T: Floating>, swi_glu_grad(gradient: dense T, a: dense T, axis: attr i64, out: dense_out T)
        = aclnnSwiGluGrad, aclnnSwiGluGradGetWorkspaceSize, |op| check_halves(op, &gradient.dims, &a.dims, axis, &out.dims);
    /// Prepares the gradients of [`rms_norm`](crate::op::rms_norm), by its operand and by `gamma` (`aclnnRmsNormGrad`). `r` is
    /// the second result of the norm. The outputs come back as a pair.
    #[doc(alias("aclnnRmsNormGrad", "aclnnRmsNormGradGetWorkspaceSize"))]
    RmsNormGrad<T: Floating>,
        rms_norm_grad(gradient: in T, a: in T, r: in f32, gamma: in T, out: out T, of_gamma: out f32)
        = aclnnRmsNormGrad, aclnnRmsNormGradGetWorkspaceSize, |op| Dims::check_normalised(op, &a.dims, &[&gamma.dims], &[&out.dims], &[]).and_then(|()| check_rows(op, &gradient.dims, &a.dims, gamma.dims.rank, [&r.dims])).and(of_gamma.dims.check_same(op, &gamma.dims)).and(a.dims.check_filled(op, &of_gamma.dims));
    /// Prepares the gradients of [`layer_norm`](crate::op::layer_norm), by its operand, the weight and the bias
    /// (`aclnnLayerNormBackward`). The mean and `r` are results of the norm. The outputs come back as a tuple; the last two have
    /// the shape `shape`.
    #[doc(alias("aclnnLayerNormBackward", "aclnnLayerNormBackwardGetWorkspaceSize"))]
    LayerNormBackward<T: Floating>,
        layer_norm_backward(
            gradient: in T, a: in T, shape: ints, mean: in T, r: in T, weight: maybe T, bias: maybe T,
            mask: (&[true, true, true]) Bools, out: out T, of_weight: out T, of_bias: out T
        )
        = aclnnLayerNormBackward, aclnnLayerNormBackwardGetWorkspaceSize, |op| check_layers(op, &a.dims, shape, [weight, bias].into_iter().flatten().map(|one| &one.dims), &out.dims, core::iter::empty()).and_then(|()| check_rows(op, &gradient.dims, &a.dims, shape.len(), [&mean.dims, &r.dims])).and(of_weight.dims.check_is(op, &a.dims, shape)).and(of_bias.dims.check_is(op, &a.dims, shape)).and(a.dims.check_filled(op, &of_weight.dims));
    /// Prepares the gradients of [`group_norm`](crate::op::group_norm), by its operand, `gamma` and `beta`
    /// (`aclnnGroupNormBackward`). The mean and `r` are results of the norm. The outputs come back as a tuple.
    #[doc(alias("aclnnGroupNormBackward", "aclnnGroupNormBackwardGetWorkspaceSize"))]
    GroupNormBackward<T: Floating>,
        group_norm_backward(
            gradient: in T, a: in T, mean: in T, r: in T, gamma: maybe T, batches: (a.dims.size(0)) i64,
            channels: (a.dims.size(1)) i64, area: (area(&a.dims)) i64, groups: [usize: groups.cast_signed() as i64 => i64],
            mask: (&[true, true, true]) Bools, out: out T, of_gamma: out T, of_beta: out T
        )
        = aclnnGroupNormBackward, aclnnGroupNormBackwardGetWorkspaceSize, |op| gradient.dims.check_beside(op, &a.dims, a.dims.sizes()).and(check_groups(op, &a.dims, groups, gamma.into_iter().map(|one| &one.dims), &out.dims, [&mean.dims, &r.dims])).and(check_by_channels(op, &a.dims, [&of_gamma.dims, &of_beta.dims]));
    /// Prepares the gradients of [`batch_norm`](crate::op::batch_norm), by its operand, the weight and the bias
    /// (`aclnnBatchNormBackward` in training). The mean and the variance are results of the norm, the latter as Atlas A2 and A3
    /// write it; C takes 0 and 1 for those that are left out. The outputs come back as a tuple.
    #[doc(alias("aclnnBatchNormBackward", "aclnnBatchNormBackwardGetWorkspaceSize"))]
    BatchNormBackward<T: Floating>,
        batch_norm_backward(
            gradient: in T, a: in T, weight: maybe T, running_mean: (None) Option<In<T>>, running_variance: (None) Option<In<T>>,
            mean: maybe T, variance: maybe T, training: (true) bool, epsilon: attr f64, mask: (&[true, true, true]) Bools,
            out: out T, of_weight: out T, of_bias: out T
        )
        = aclnnBatchNormBackward, aclnnBatchNormBackwardGetWorkspaceSize, |op| gradient.dims.check_beside(op, &a.dims, a.dims.sizes()).and(check_channels(op, &a.dims, [weight, mean, variance].into_iter().flatten().map(|one| &one.dims), &out.dims, [&of_weight.dims, &of_bias.dims])).and(a.dims.check_filled(op, &of_weight.dims));
    /// Prepares the gradients of [`convolution`](crate::op::convolution), by its operand, the weights and the bias
    /// (`aclnnConvolutionBackward`). The gradient has the shape of the result, and the options are those of the convolution;
    /// padding of one dimension has one number here. The outputs come back as a tuple.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::op::{self, ConvolutionOptions};
    ///
    /// let image = current.memcpy(current.malloc(4)?, &current.malloc_host_from(host, &[1.0_f32, 2.0, 3.0, 4.0])?)?;
    /// let image = image.tensor(&[1, 1, 2, 2])?;
    /// let ones = current.memcpy(current.malloc(1)?, &current.malloc_host_from(host, &[1.0_f32])?)?;
    /// let (gradient, filter) = (ones.tensor(&[1, 1, 1, 1])?, current.memset(current.malloc::<f32>(4)?, 0)?);
    /// let filter = filter.tensor(&[1, 1, 2, 2])?;
    /// let out = || current.malloc::<f32>(4)?.into_tensor(&[1, 1, 2, 2]);
    /// let of_bias = current.malloc::<f32>(1)?.into_tensor(&[1])?;
    /// let options = ConvolutionOptions::default();
    /// let plan = op::convolution_backward(current, &gradient, &image, &filter, &options, out()?, out()?, of_bias)?;
    /// let (_by_image, by_filter, _by_bias) = plan.run(&mut stream)?;
    /// let mut host_side = current.malloc_host::<f32>(host, 4)?;
    /// current.memcpy(&mut host_side, &by_filter)?;
    /// assert_eq!(host_side[..], [1.0, 2.0, 3.0, 4.0]);
    /// # });
    /// ```
    #[doc(alias("aclnnConvolutionBackward", "aclnnConvolutionBackwardGetWorkspaceSize"))]
    ConvolutionBackward<T: Floating>,
        convolution_backward(
            gradient: image T, input: image T, weight: image T, bias_sizes: (Some(gradient.dims.sizes().get(1..2).unwrap_or_default())) Option<Ints>,
            options: [&ConvolutionOptions<'_>: ConvolutionOptions::list(options.stride, input.dims.rank, &[1; 3]) => Ints],
            padding: (ConvolutionOptions::list(options.padding, input.dims.rank, &[0; 3])) Ints,
            dilation: (ConvolutionOptions::list(options.dilation, input.dims.rank, &[1; 3])) Ints,
            transposed: (options.transposed) bool,
            output_padding: (ConvolutionOptions::list(options.output_padding, input.dims.rank, &[0; 3])) Ints,
            groups: (i32::try_from(options.groups).unwrap_or_default()) i32, mask: (&[true, true, true]) Bools,
            math: (options.cube_math as i8) i8, out: image_out T, of_weight: image_out T, of_bias: out T
        )
        = aclnnConvolutionBackward, aclnnConvolutionBackwardGetWorkspaceSize, |op| options.check_result(op, &input.dims, &weight.dims, &gradient.dims).and(out.dims.check_same(op, &input.dims)).and(of_weight.dims.check_is(op, &weight.dims, weight.dims.sizes())).and(of_bias.dims.check_is(op, &gradient.dims, &[gradient.dims.size(1)])).and(check_all_filled(op, [&gradient.dims, &input.dims, &weight.dims], [&out.dims, &of_weight.dims, &of_bias.dims]));
    /// Prepares the gradient of the table of [`embedding`](crate::op::embedding) (`aclnnEmbeddingDenseBackward`): the rows of
    /// the gradient are added at their indices. The output has the shape of the table.
    ///
    /// The row at `padding` becomes 0. With `scale_by_count` each row is divided by how often its index stands among the
    /// indices.
    #[doc(alias("aclnnEmbeddingDenseBackward", "aclnnEmbeddingDenseBackwardGetWorkspaceSize"))]
    EmbeddingDenseBackward<T: Floating, I: IndexElement>,
        embedding_dense_backward(
            gradient: in T, index: index I, rows: (out.dims.size(0).cast_unsigned()) u64,
            padding: [Option<u64>: padding.unwrap_or(u64::MAX) => u64], scale_by_count: attr bool, out: dense_out T
        )
        = aclnnEmbeddingDenseBackward, aclnnEmbeddingDenseBackwardGetWorkspaceSize, |op| check_table(op, &gradient.dims, index, &out.dims);
    /// Prepares the gradient of `l * gelu(r)` of the halves `l` and `r` of the dimension `axis`, with `gelu(r)`
    /// (`aclnnGeGluBackward`).
    #[doc(alias("aclnnGeGluBackward", "aclnnGeGluBackwardGetWorkspaceSize"))]
    GeGluBackward<T: Floating>,
        ge_glu_backward(gradient: in T, a: in T, gelu: in T, axis: attr i64, approximation: [Gelus: approximation as i64 => i64], out: out T)
        = aclnnGeGluBackward, aclnnGeGluBackwardGetWorkspaceSize, |op| check_halves(op, &gradient.dims, &a.dims, axis, &out.dims).and(gelu.dims.check_beside(op, &gradient.dims, gradient.dims.sizes()));
    /// Prepares the gradient of [`ge_glu_v3`](crate::op::ge_glu_v3), with its second result (`aclnnGeGluV3Backward`): of
    /// `gelu(l) * r` if `left`, and of `l * gelu(r)` otherwise.
    #[doc(alias("aclnnGeGluV3Backward", "aclnnGeGluV3BackwardGetWorkspaceSize"))]
    GeGluV3Backward<T: Floating>,
        ge_glu_v3_backward(
            gradient: in T, a: in T, gelu: in T, axis: attr i64, approximation: [Gelus: approximation as i64 => i64],
            left: attr bool, out: out T
        )
        = aclnnGeGluV3Backward, aclnnGeGluV3BackwardGetWorkspaceSize, |op| check_halves(op, &gradient.dims, &a.dims, axis, &out.dims).and(gelu.dims.check_beside(op, &gradient.dims, gradient.dims.sizes()));
    /// Prepares the gradients of the norm of `alpha * a + b` over the last dimensions, which are those of `gamma`, by `a`, `b`,
    /// `beta` and `gamma` (`aclnnDeepNormGrad`). The mean and `r` are results of the norm. The outputs come back as a tuple.
    #[doc(alias("aclnnDeepNormGrad", "aclnnDeepNormGradGetWorkspaceSize"))]
    DeepNormGrad<T: Floating>,
        deep_norm_grad(
            gradient: dense T, a: dense T, b: dense T, gamma: dense T, mean: dense f32, r: dense f32, alpha: attr f64,
            of_a: dense_out T, of_b: dense_out T, of_beta: dense_out f32, of_gamma: dense_out f32
        )
        = aclnnDeepNormGrad, aclnnDeepNormGradGetWorkspaceSize, |op| Dims::check_normalised(op, &a.dims, &[&gamma.dims], &[&of_a.dims, &of_b.dims], &[]).and_then(|()| check_rows(op, &gradient.dims, &a.dims, gamma.dims.rank, [&mean.dims, &r.dims])).and(b.dims.check_beside(op, &a.dims, a.dims.sizes())).and(of_beta.dims.check_same(op, &gamma.dims)).and(of_gamma.dims.check_same(op, &gamma.dims)).and(a.dims.check_filled(op, &of_gamma.dims));
    /// Prepares the gradients of the norm of `a + b` over the last dimensions, which are those of `gamma`, by the sum, `gamma` and `beta`
    /// (`aclnnAddLayerNormGrad`). `r` and the mean are results of [`add_layer_norm`](crate::op::add_layer_norm), and `of_sum` is the
    /// gradient of the sum that it gave. The outputs come back as a tuple.
    #[doc(alias("aclnnAddLayerNormGrad", "aclnnAddLayerNormGradGetWorkspaceSize"))]
    AddLayerNormGrad<T: Floating>,
        add_layer_norm_grad(
            gradient: dense T, a: dense T, b: dense T, r: dense f32, mean: dense f32, gamma: dense T, of_sum: maybe T, out: dense_out T,
            of_gamma: dense_out f32, of_beta: dense_out f32
        )
        = aclnnAddLayerNormGrad, aclnnAddLayerNormGradGetWorkspaceSize, |op| Dims::check_normalised(op, &a.dims, &[&gamma.dims], &[&out.dims], &[]).and_then(|()| check_rows(op, &gradient.dims, &a.dims, gamma.dims.rank, [&mean.dims, &r.dims])).and_then(|()| [Some(&b.dims), of_sum.map(|one| &one.dims)].into_iter().flatten().try_for_each(|one| one.check_beside(op, &a.dims, a.dims.sizes()))).and(of_beta.dims.check_same(op, &gamma.dims)).and(of_gamma.dims.check_same(op, &gamma.dims)).and(a.dims.check_filled(op, &of_gamma.dims));
}

/// Checks the gradient of an operand of which a dimension was halved.
fn check_halves(
    operator: &'static str,
    gradient: &Dims,
    operand: &Dims,
    axis: i64,
    out: &Dims,
) -> Result<()> {
    let axis = operand.axis(operator, axis)?;
    let size = operand.size(axis);
    if size % 2 != 0 {
        let rule = "the elements of that dimension are halved";
        return Err(operand.numbers(operator, &[size], rule));
    }
    let mut shape = operand.sizes().to_vec();
    if let Some(size) = shape.get_mut(axis) {
        *size /= 2;
    }
    gradient.check_beside(operator, operand, &shape)?;
    out.check_same(operator, operand)
}

/// Checks the gradient and the figures of a normalisation over the last `count` dimensions, in which figures have one element.
fn check_rows<const N: usize>(
    operator: &'static str,
    gradient: &Dims,
    operand: &Dims,
    count: usize,
    figures: [&Dims; N],
) -> Result<()> {
    gradient.check_beside(operator, operand, operand.sizes())?;
    let shape = operand.with_last(&vec![1; count.min(operand.rank)]);
    figures
        .into_iter()
        .try_for_each(|figure| figure.check_beside(operator, operand, &shape))
}

/// Checks that no operand is empty if an output has elements.
fn check_all_filled(operator: &'static str, operands: [&Dims; 3], outs: [&Dims; 3]) -> Result<()> {
    operands.into_iter().try_for_each(|operand| {
        outs.into_iter()
            .try_for_each(|out| operand.check_filled(operator, out))
    })
}

/// Checks that gradients by weights have a number for each channel.
pub(super) fn check_by_channels(
    operator: &'static str,
    operand: &Dims,
    outs: [&Dims; 2],
) -> Result<()> {
    let channels = operand.size(1);
    outs.into_iter()
        .try_for_each(|out| out.check_is(operator, operand, &[channels]))?;
    outs.into_iter()
        .try_for_each(|out| operand.check_filled(operator, out))
}

/// Checks that there is a row of the gradient for each index, which lies in the table.
fn check_table<X, I: IndexElement, L>(
    operator: &'static str,
    gradient: &Dims,
    index: &Indices<'_, X, I, L>,
    out: &Dims,
) -> Result<()> {
    let places = &index.tensor.dims;
    let mut shape = places.sizes().to_vec();
    shape.push(gradient.size(gradient.rank.saturating_sub(1)));
    gradient.check_beside(operator, places, &shape)?;
    let width = shape.last().copied().unwrap_or_default();
    out.check_is(operator, gradient, &[out.size(0), width])?;
    index.check_within(operator, out.size(0))?;
    gradient.check_filled(operator, out)
}
