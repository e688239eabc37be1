//! Losses and their gradients.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::{Floating, IndexElement, Real};
use crate::op::indices::Indices;
use crate::op::shape::Dims;
use crate::op::table::functions;

/// What [`mse_loss`] gives (`reduction` of `aclnn_mse_loss.h`, CANN 8.1).
///
/// ```
/// # ascendcl::example!(|acl, host, current, stream| {
/// use ascendcl::op::{self, LossReduction};
///
/// let a = current.memset(current.malloc::<f32>(4)?, 0)?;
/// let out = current.malloc(1)?.into_tensor(&[])?; // one number
/// let tensor = a.tensor(&[4])?;
/// op::mse_loss(current, &tensor, &tensor, LossReduction::Mean, out)?.run(&mut stream)?;
/// # });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i64)]
pub enum LossReduction {
    /// Each square.
    Each = 0,
    /// Their mean, as one number.
    Mean = 1,
    /// Their sum, as one number.
    Sum = 2,
}

impl LossReduction {
    /// The name that a text gives to it.
    pub(super) const fn text(self) -> &'static std::ffi::CStr {
        match self {
            LossReduction::Each => c"none",
            LossReduction::Mean => c"mean",
            LossReduction::Sum => c"sum",
        }
    }
}

functions! {
    "With [`LossReduction::Each`] the output has the shape to which the operands broadcast, and otherwise one element. A gradient \
     has that shape, and the gradient of a mean or of a sum is one number.";
    /// Prepares the absolute difference (`aclnnL1Loss`).
    #[doc(alias("aclnnL1Loss", "aclnnL1LossGetWorkspaceSize"))]
    L1Loss<T: Floating>, l1_loss(a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnL1Loss, aclnnL1LossGetWorkspaceSize, |op| check_loss(op, &a.dims, &target.dims, reduction, &out.dims);
    /// Prepares the square of the difference (`aclnnMseLossOut`).
    #[doc(alias("aclnnMseLossOut", "aclnnMseLossOutGetWorkspaceSize"))]
    MseLossOut<T: Floating>,
        mse_loss_out(a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnMseLossOut, aclnnMseLossOutGetWorkspaceSize, |op| check_loss(op, &a.dims, &target.dims, reduction, &out.dims);
    /// Prepares the absolute difference, and half its square divided by `beta` where it is smaller than that
    /// (`aclnnSmoothL1Loss`).
    #[doc(alias("aclnnSmoothL1Loss", "aclnnSmoothL1LossGetWorkspaceSize"))]
    SmoothL1Loss<T: Floating>,
        smooth_l1_loss(a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], beta: attr f32, out: out T)
        = aclnnSmoothL1Loss, aclnnSmoothL1LossGetWorkspaceSize, |op| check_loss(op, &a.dims, &target.dims, reduction, &out.dims);
    /// Prepares the logarithm of `1 + e ^ (-target * a)` (`aclnnSoftMarginLoss`).
    #[doc(alias("aclnnSoftMarginLoss", "aclnnSoftMarginLossGetWorkspaceSize"))]
    SoftMarginLoss<T: Floating>,
        soft_margin_loss(a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnSoftMarginLoss, aclnnSoftMarginLossGetWorkspaceSize, |op| check_loss(op, &a.dims, &target.dims, reduction, &out.dims);
    /// Prepares the divergence of Kullback and Leibler (`aclnnKlDiv`).
    #[doc(alias("aclnnKlDiv", "aclnnKlDivGetWorkspaceSize"))]
    KlDiv<T: Floating>,
        kl_div(a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], log_target: attr bool, out: out T)
        = aclnnKlDiv, aclnnKlDivGetWorkspaceSize, |op| check_loss(op, &a.dims, &target.dims, reduction, &out.dims);
    /// Prepares the cross entropy of probabilities (`aclnnBinaryCrossEntropy`).
    #[doc(alias("aclnnBinaryCrossEntropy", "aclnnBinaryCrossEntropyGetWorkspaceSize"))]
    BinaryCrossEntropy<T: Floating>,
        binary_cross_entropy(a: in T, target: in T, weight: maybe T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnBinaryCrossEntropy, aclnnBinaryCrossEntropyGetWorkspaceSize, |op| check_loss(op, &a.dims, &target.dims, reduction, &out.dims);
    /// Prepares the cross entropy of the sigmoid (`aclnnBinaryCrossEntropyWithLogits`).
    #[doc(alias("aclnnBinaryCrossEntropyWithLogits", "aclnnBinaryCrossEntropyWithLogitsGetWorkspaceSize"))]
    BinaryCrossEntropyWithLogits<T: Floating>,
        binary_cross_entropy_with_logits(a: in T, target: in T, weight: maybe T, pos_weight: maybe T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnBinaryCrossEntropyWithLogits, aclnnBinaryCrossEntropyWithLogitsGetWorkspaceSize, |op| check_loss(op, &a.dims, &target.dims, reduction, &out.dims);
    /// Prepares the gradient of the absolute difference (`aclnnL1LossBackward`).
    #[doc(alias("aclnnL1LossBackward", "aclnnL1LossBackwardGetWorkspaceSize"))]
    L1LossBackward<T: Floating>,
        l1_loss_backward(gradient: in T, a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnL1LossBackward, aclnnL1LossBackwardGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&gradient.dims, &a.dims, &target.dims]);
    /// Prepares the gradient of the square of the difference (`aclnnMseLossBackward`).
    #[doc(alias("aclnnMseLossBackward", "aclnnMseLossBackwardGetWorkspaceSize"))]
    MseLossBackward<T: Floating>,
        mse_loss_backward(gradient: in T, a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnMseLossBackward, aclnnMseLossBackwardGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&gradient.dims, &a.dims, &target.dims]);
    /// Prepares the gradient of the smooth absolute difference (`aclnnSmoothL1LossBackward`).
    #[doc(alias("aclnnSmoothL1LossBackward", "aclnnSmoothL1LossBackwardGetWorkspaceSize"))]
    SmoothL1LossBackward<T: Floating>,
        smooth_l1_loss_backward(gradient: in T, a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], beta: attr f32, out: out T)
        = aclnnSmoothL1LossBackward, aclnnSmoothL1LossBackwardGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&gradient.dims, &a.dims, &target.dims]);
    /// Prepares the gradient of the logarithm of `1 + e ^ (-target * a)` (`aclnnSoftMarginLossBackward`).
    #[doc(alias("aclnnSoftMarginLossBackward", "aclnnSoftMarginLossBackwardGetWorkspaceSize"))]
    SoftMarginLossBackward<T: Floating>,
        soft_margin_loss_backward(gradient: in T, a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnSoftMarginLossBackward, aclnnSoftMarginLossBackwardGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&gradient.dims, &a.dims, &target.dims]);
    /// Prepares the gradient of the divergence of Kullback and Leibler (`aclnnKlDivBackward`).
    #[doc(alias("aclnnKlDivBackward", "aclnnKlDivBackwardGetWorkspaceSize"))]
    KlDivBackward<T: Floating>,
        kl_div_backward(gradient: in T, a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], log_target: attr bool, out: out T)
        = aclnnKlDivBackward, aclnnKlDivBackwardGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&gradient.dims, &a.dims, &target.dims]);
    /// Prepares the gradient of the divergence of Kullback and Leibler by its target (`aclnnKlDivTargetBackward`).
    #[doc(alias("aclnnKlDivTargetBackward", "aclnnKlDivTargetBackwardGetWorkspaceSize"))]
    KlDivTargetBackward<T: Floating>,
        kl_div_target_backward(gradient: in T, a: in T, target: in T, reduction: [LossReduction: reduction as i64 => i64], log_target: attr bool, out: out T)
        = aclnnKlDivTargetBackward, aclnnKlDivTargetBackwardGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&gradient.dims, &a.dims, &target.dims]);
    /// Prepares the gradient of the cross entropy of probabilities (`aclnnBinaryCrossEntropyBackward`).
    #[doc(alias("aclnnBinaryCrossEntropyBackward", "aclnnBinaryCrossEntropyBackwardGetWorkspaceSize"))]
    BinaryCrossEntropyBackward<T: Floating>,
        binary_cross_entropy_backward(gradient: in T, a: in T, target: in T, weight: maybe T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnBinaryCrossEntropyBackward, aclnnBinaryCrossEntropyBackwardGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&gradient.dims, &a.dims, &target.dims]);
    /// Prepares the gradient of the cross entropy of the sigmoid (`aclnnBinaryCrossEntropyWithLogitsBackward`).
    #[doc(alias("aclnnBinaryCrossEntropyWithLogitsBackward", "aclnnBinaryCrossEntropyWithLogitsBackwardGetWorkspaceSize"))]
    BinaryCrossEntropyWithLogitsBackward<T: Floating>,
        binary_cross_entropy_with_logits_backward(gradient: in T, a: in T, target: in T, weight: maybe T, pos_weight: maybe T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnBinaryCrossEntropyWithLogitsBackward, aclnnBinaryCrossEntropyWithLogitsBackwardGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&gradient.dims, &a.dims, &target.dims]);
    /// Prepares the gradient of the cross entropy of the sigmoid by its target
    /// (`aclnnBinaryCrossEntropyWithLogitsTargetBackward`).
    #[doc(alias("aclnnBinaryCrossEntropyWithLogitsTargetBackward", "aclnnBinaryCrossEntropyWithLogitsTargetBackwardGetWorkspaceSize"))]
    BinaryCrossEntropyWithLogitsTargetBackward<T: Floating>,
        binary_cross_entropy_with_logits_target_backward(gradient: in T, a: in T, target: in T, weight: maybe T, pos_weight: maybe T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnBinaryCrossEntropyWithLogitsTargetBackward, aclnnBinaryCrossEntropyWithLogitsTargetBackwardGetWorkspaceSize, |op| out.dims.check_broadcast_of(op, &[&gradient.dims, &a.dims, &target.dims]);
    /// Prepares the square of the difference of two tensors, each or as one number (`aclnnMseLoss`).
    #[doc(alias("aclnnMseLoss", "aclnnMseLossGetWorkspaceSize"))]
    MseLoss<T: Floating>, mse_loss(a: in T, b: in T, reduction: [LossReduction: reduction as i64 => i64], out: out T)
        = aclnnMseLoss, aclnnMseLossGetWorkspaceSize, |op| check_loss(op, &a.dims, &b.dims, reduction, &out.dims);
    /// Prepares the cross entropy of each row of `features`, which become probabilities by softmax, to the probabilities
    /// of `labels`, and its gradient, which is those of the features minus the labels
    /// (`aclnnSoftmaxCrossEntropyWithLogits`). Both operands are matrices. The loss has an element for each row, and the
    /// outputs come back as a pair.
    #[doc(alias("aclnnSoftmaxCrossEntropyWithLogits", "aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize"))]
    SoftmaxCrossEntropyWithLogits<T: Floating>,
        softmax_cross_entropy_with_logits(features: dense T, labels: dense T, loss: dense_out T, gradient: dense_out T)
        = aclnnSoftmaxCrossEntropyWithLogits, aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize, |op| check_entropy(op, &features.dims, &labels.dims, &loss.dims, &gradient.dims);
    /// Prepares `-weight[target] * a[target]` of each row of `a`, which has the logarithms of the probabilities of classes, and
    /// the sum of the weights (`aclnnNLLLoss`). A mean is divided by that sum. The outputs come back as a pair.
    ///
    /// The operand is a matrix, and the weight a vector. A target that is `ignored` counts nothing. With
    /// [`LossReduction::Each`] the sum has no meaning.
    #[doc(alias("aclnnNLLLoss", "aclnnNLLLossGetWorkspaceSize"))]
    NLLLoss<T: Floating, I: IndexElement>,
        nll_loss(a: in T, target: index I, weight: in T, reduction: [LossReduction: reduction as i64 => i64], ignored: attr i64, out: out T, total_weight: out T)
        = aclnnNLLLoss, aclnnNLLLossGetWorkspaceSize, |op| check_likelihood(op, &a.dims, target, &weight.dims).and_then(|()| match reduction { LossReduction::Each => out.dims.check_is(op, &a.dims, &[a.dims.size(0)]), _ => out.dims.check_one(op, &a.dims) }).and(total_weight.dims.check_one(op, &a.dims)).and(a.dims.check_filled(op, &total_weight.dims));
    /// Prepares the gradient of [`nll_loss`], with the sum of the weights that it gave (`aclnnNLLLossBackward`).
    #[doc(alias("aclnnNLLLossBackward", "aclnnNLLLossBackwardGetWorkspaceSize"))]
    NLLLossBackward<T: Floating, I: IndexElement>,
        nll_loss_backward(gradient: in T, a: in T, target: index I, weight: in T, reduction: [LossReduction: reduction as i64 => i64], ignored: attr i64, total_weight: in T, out: out T)
        = aclnnNLLLossBackward, aclnnNLLLossBackwardGetWorkspaceSize, |op| check_likelihood(op, &a.dims, target, &weight.dims).and_then(|()| match reduction { LossReduction::Each => gradient.dims.check_beside(op, &a.dims, &[a.dims.size(0)]), _ => gradient.dims.check_one(op, &a.dims) }).and(total_weight.dims.check_beside(op, &a.dims, &[1])).and(out.dims.check_same(op, &a.dims));
    /// Prepares `-weight[target] * a[target]` for each place of images, where `a` has the logarithms of the probabilities of classes
    /// in its second dimension, and the sum of the weights (`aclnnNLLLoss2d`), as [`nll_loss`] does for rows. The outputs come back
    /// as a pair.
    ///
    /// The operand is `[n, classes, rows, columns]`, and the target `[n, rows, columns]`.
    #[doc(alias("aclnnNLLLoss2d", "aclnnNLLLoss2dGetWorkspaceSize"))]
    NLLLoss2d<T: Floating, I: IndexElement>,
        nll_loss2d(a: in T, target: index I, weight: in T, reduction: [LossReduction: reduction as i64 => i64], ignored: attr i64, out: out T, total_weight: out T)
        = aclnnNLLLoss2d, aclnnNLLLoss2dGetWorkspaceSize, |op| check_places(op, &a.dims, target, &weight.dims).and_then(|()| match reduction { LossReduction::Each => out.dims.check_is(op, &a.dims, target.tensor.dims.sizes()), _ => out.dims.check_one(op, &a.dims) }).and(total_weight.dims.check_one(op, &a.dims)).and(a.dims.check_filled(op, &total_weight.dims));
    /// Prepares the gradient of [`nll_loss2d`], with the sum of the weights that it gave (`aclnnNLLLoss2dBackward`).
    #[doc(alias("aclnnNLLLoss2dBackward", "aclnnNLLLoss2dBackwardGetWorkspaceSize"))]
    NLLLoss2dBackward<T: Floating, I: IndexElement>,
        nll_loss2d_backward(gradient: in T, a: in T, target: index I, weight: in T, reduction: [LossReduction: reduction as i64 => i64], ignored: attr i64, total_weight: in T, out: out T)
        = aclnnNLLLoss2dBackward, aclnnNLLLoss2dBackwardGetWorkspaceSize, |op| check_places(op, &a.dims, target, &weight.dims).and_then(|()| match reduction { LossReduction::Each => gradient.dims.check_beside(op, &a.dims, target.tensor.dims.sizes()), _ => gradient.dims.check_one(op, &a.dims) }).and(total_weight.dims.check_beside(op, &a.dims, &[1])).and(out.dims.check_same(op, &a.dims));
    /// Prepares the negative logarithms of the probabilities of sequences of classes, each of which may be repeated and have blanks
    /// around it, and a table of the parts of them (`aclnnCtcLoss`). The outputs come back as a pair.
    ///
    /// `a` has logarithms of probabilities: `[steps, n, classes]`. `targets` is `[n, longest]`, or a vector of all targets behind each
    /// other; `steps` and `lengths` have a number for each sequence. The loss has `n` elements, and the table the shape
    /// `[n, steps, 2 * longest + 1]` with the largest of `lengths`. A card may leave parts of the table as they are: it is memory
    /// that was written before. With `zero_infinity` a target that is too long for its steps gives 0.
    #[doc(alias("aclnnCtcLoss", "aclnnCtcLossGetWorkspaceSize"))]
    CtcLoss<T: Real, I: IndexElement>,
        ctc_loss(a: in T, targets: index I, steps: ints, lengths: ints, blank: attr i64, zero_infinity: attr bool, out: out T, table: inout T)
        = aclnnCtcLoss, aclnnCtcLossGetWorkspaceSize, |op| check_sequences(op, &a.dims, targets, [steps, lengths], blank).and_then(|shape| table.dims.check_is(op, &a.dims, &shape)).and(out.dims.check_is(op, &a.dims, &[a.dims.size(1)])).and(a.dims.check_filled(op, &out.dims));
    /// Prepares the gradient of [`ctc_loss`], with its results (`aclnnCtcLossBackward`).
    #[doc(alias("aclnnCtcLossBackward", "aclnnCtcLossBackwardGetWorkspaceSize"))]
    CtcLossBackward<T: Real, I: IndexElement>,
        ctc_loss_backward(gradient: in T, a: in T, targets: index I, steps: ints, lengths: ints, loss: in T, table: in T, blank: attr i64, zero_infinity: attr bool, out: out T)
        = aclnnCtcLossBackward, aclnnCtcLossBackwardGetWorkspaceSize, |op| check_sequences(op, &a.dims, targets, [steps, lengths], blank).and_then(|shape| table.dims.check_beside(op, &a.dims, &shape)).and_then(|()| [&gradient.dims, &loss.dims].into_iter().try_for_each(|one| one.check_beside(op, &a.dims, &[a.dims.size(1)]))).and(out.dims.check_same(op, &a.dims));
}

/// Checks that a loss has one element, or as many as the operands broadcast to.
pub(super) fn check_loss(
    operator: &'static str,
    a: &Dims,
    b: &Dims,
    reduction: LossReduction,
    out: &Dims,
) -> Result<()> {
    match reduction {
        LossReduction::Each => out.check_broadcast(operator, a, b),
        LossReduction::Mean | LossReduction::Sum => {
            let mut sizes = a.sizes().iter().rev().zip(b.sizes().iter().rev());
            if !sizes.all(|(a, b)| a == b || *a == 1 || *b == 1) {
                b.check_beside(operator, a, a.sizes())?;
            }
            out.check_one(operator, a)?;
            b.check_filled(operator, out)
        }
    }
}

/// Checks that features, labels and gradient are matrices of one shape, and that there is a loss for each row.
fn check_entropy(
    operator: &'static str,
    features: &Dims,
    labels: &Dims,
    loss: &Dims,
    gradient: &Dims,
) -> Result<()> {
    features.check_rank(operator, 2)?;
    labels.check_beside(operator, features, features.sizes())?;
    loss.check_is(operator, features, &[features.size(0)])?;
    features.check_filled(operator, loss)?;
    gradient.check_same(operator, features)
}

/// Checks that there is a target for each row of a matrix, and a weight for each column, in which the targets lie.
fn check_likelihood<X, I: IndexElement, L>(
    operator: &'static str,
    operand: &Dims,
    target: &Indices<'_, X, I, L>,
    weight: &Dims,
) -> Result<()> {
    operand.check_rank(operator, 2)?;
    let [rows, classes] = [0, 1].map(|dim| operand.size(dim));
    target
        .tensor
        .dims
        .check_beside(operator, operand, &[rows])?;
    weight.check_beside(operator, operand, &[classes])?;
    target.check_within(operator, classes)
}

/// Checks that there is a target for each place of images, and a weight for each class, in which the targets lie.
fn check_places<X, I: IndexElement, L>(
    operator: &'static str,
    operand: &Dims,
    target: &Indices<'_, X, I, L>,
    weight: &Dims,
) -> Result<()> {
    operand.check_rank(operator, 4)?;
    let [batch, classes, rows, columns] = [0, 1, 2, 3].map(|dim| operand.size(dim));
    let places = &target.tensor.dims;
    places.check_beside(operator, operand, &[batch, rows, columns])?;
    weight.check_beside(operator, operand, &[classes])?;
    target.check_within(operator, classes)
}

/// Checks sequences of classes: their logarithms, their targets, and for each the number of its steps and of its targets. Returns
/// the shape of the table.
fn check_sequences<X, I: IndexElement, L>(
    operator: &'static str,
    operand: &Dims,
    targets: &Indices<'_, X, I, L>,
    [steps, lengths]: [&[i64]; 2],
    blank: i64,
) -> Result<[i64; 3]> {
    operand.check_rank(operator, 3)?;
    let [most, batch, classes] = [0, 1, 2].map(|dim| operand.size(dim));
    let rule = "the blank is one of the classes, which are the third dimension";
    operand.check_numbers(
        operator,
        &[blank],
        |blank| (0..classes).contains(&blank),
        rule,
    )?;
    let places = &targets.tensor.dims;
    let total = lengths.iter().copied().fold(0, i64::saturating_add);
    let longest = match places.rank {
        2 => {
            places.check_beside(operator, operand, &[batch, places.size(1)])?;
            places.size(1)
        }
        _ => {
            places.check_beside(operator, operand, &[total])?;
            total
        }
    };
    for (list, limit, rule) in [
        (
            steps,
            most,
            "a number of steps for each sequence, at most those of the operand",
        ),
        (
            lengths,
            longest,
            "a number of targets for each sequence, at most as many as there are",
        ),
    ] {
        operand.check_numbers(operator, list, |number| (0..=limit).contains(&number), rule)?;
        // CAST: a number of sequences.
        if list.len().cast_signed() as i64 != batch {
            return Err(operand.numbers(operator, list, rule));
        }
    }
    targets.check_within(operator, classes)?;
    let longest = lengths.iter().copied().max().unwrap_or(0);
    Ok([batch, most, 2 * longest + 1])
}
