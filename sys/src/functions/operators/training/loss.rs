//! Losses and their gradients.

/// Adds operators to those of [`operators!`](crate::operators), and hands them on.
#[doc(hidden)]
#[macro_export]
macro_rules! operators_of_losses {
    ($callback:path [$($context:tt)*] { $($before:tt)* }) => {
        $crate::operators_of_lists! { $callback [$($context)*] {
            $($before)*
            /// The absolute difference: of each element, their mean or their sum.
            operator aclnnL1Loss, aclnnL1LossGetWorkspaceSize(self_: tensor, target: tensor, reduction: i64, out: out_tensor) in "aclnn_l1_loss.h";
            /// The square of the difference: of each element, their mean or their sum.
            operator aclnnMseLossOut, aclnnMseLossOutGetWorkspaceSize(self_: tensor, target: tensor, reduction: i64, out: out_tensor) in "aclnn_mse_loss_out.h";
            /// The absolute difference, and half its square divided by `beta` where it is smaller than that: of each element, their mean or their sum.
            operator aclnnSmoothL1Loss, aclnnSmoothL1LossGetWorkspaceSize(self_: tensor, target: tensor, reduction: i64, beta: f32, result: out_tensor) in "aclnn_smooth_l1_loss.h";
            /// The logarithm of `1 + e ^ (-target * a)`: of each element, their mean or their sum.
            operator aclnnSoftMarginLoss, aclnnSoftMarginLossGetWorkspaceSize(self_: tensor, target: tensor, reduction: i64, out: out_tensor) in "aclnn_soft_margin_loss.h";
            /// The divergence of Kullback and Leibler: of each element, their mean or their sum.
            operator aclnnKlDiv, aclnnKlDivGetWorkspaceSize(self_: tensor, target: tensor, reduction: i64, logTarget: bool, out: out_tensor) in "aclnn_kl_div.h";
            /// The cross entropy of probabilities: of each element, their mean or their sum.
            operator aclnnBinaryCrossEntropy, aclnnBinaryCrossEntropyGetWorkspaceSize(self_: tensor, target: tensor, weight: optional_tensor, reduction: i64, out: out_tensor) in "aclnn_binary_cross_entropy.h";
            /// The cross entropy of the sigmoid: of each element, their mean or their sum.
            operator aclnnBinaryCrossEntropyWithLogits, aclnnBinaryCrossEntropyWithLogitsGetWorkspaceSize(self_: tensor, target: tensor, weightOptional: optional_tensor, posWeightOptional: optional_tensor, reduction: i64, out: out_tensor) in "aclnn_binary_cross_entropy_with_logits.h";
            /// The gradient of the absolute difference.
            operator aclnnL1LossBackward, aclnnL1LossBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, target: tensor, reduction: i64, gradInput: out_tensor) in "aclnn_l1_loss_backward.h";
            /// The gradient of the square of the difference.
            operator aclnnMseLossBackward, aclnnMseLossBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, target: tensor, reduction: i64, out: out_tensor) in "aclnn_mse_loss_backward.h";
            /// The gradient of the smooth absolute difference.
            operator aclnnSmoothL1LossBackward, aclnnSmoothL1LossBackwardGetWorkspaceSize(gradOut: tensor, self_: tensor, target: tensor, reduction: i64, beta: f32, gradInput: out_tensor) in "aclnn_smooth_l1_loss_backward.h";
            /// The gradient of the logarithm of `1 + e ^ (-target * a)`.
            operator aclnnSoftMarginLossBackward, aclnnSoftMarginLossBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, target: tensor, reduction: i64, out: out_tensor) in "aclnn_soft_margin_loss_backward.h";
            /// The gradient of the divergence of Kullback and Leibler.
            operator aclnnKlDivBackward, aclnnKlDivBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, target: tensor, reduction: i64, logTarget: bool, out: out_tensor) in "aclnn_kl_div_backward.h";
            /// The gradient of the divergence of Kullback and Leibler by its target.
            operator aclnnKlDivTargetBackward, aclnnKlDivTargetBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, target: tensor, reduction: i64, logTarget: bool, gradTarget: out_tensor) in "aclnn_kl_div_target_backward.h";
            /// The gradient of the cross entropy of probabilities.
            operator aclnnBinaryCrossEntropyBackward, aclnnBinaryCrossEntropyBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, target: tensor, weightOptional: optional_tensor, reduction: i64, out: out_tensor) in "aclnn_binary_cross_entropy_backward.h";
            /// The gradient of the cross entropy of the sigmoid.
            operator aclnnBinaryCrossEntropyWithLogitsBackward, aclnnBinaryCrossEntropyWithLogitsBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, target: tensor, weightOptional: optional_tensor, posWeightOptional: optional_tensor, reduction: i64, out: out_tensor) in "aclnn_binary_cross_entropy_with_logits_backward.h";
            /// The gradient of the cross entropy of the sigmoid by its target.
            operator aclnnBinaryCrossEntropyWithLogitsTargetBackward, aclnnBinaryCrossEntropyWithLogitsTargetBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, target: tensor, weightOptional: optional_tensor, posWeightOptional: optional_tensor, reduction: i64, gradTarget: out_tensor) in "aclnn_binary_cross_entropy_with_logits_target_backward.h";
            /// The squared differences; `reduction` 1 is their mean, and 2 their sum.
            operator aclnnMseLoss, aclnnMseLossGetWorkspaceSize(self_: tensor, target: tensor, reduction: i64, out: out_tensor) in "aclnn_mse_loss.h";
            /// The cross entropy of `labels` and the softmax of `features`, and its gradient.
            #[newer]
            operator aclnnSoftmaxCrossEntropyWithLogits, aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize(features: tensor, labels: mut_tensor, loss: out_tensor, backprop: out_tensor) in "aclnn_softmax_cross_entropy_with_logits.h";
            /// The negative log likelihood of classes, and the sum of their weights.
            operator aclnnNLLLoss, aclnnNLLLossGetWorkspaceSize(self_: tensor, target: tensor, weight: tensor, reduction: i64, ignoreIndex: i64, out: out_tensor, totalWeightOut: out_tensor) in "aclnn_nll_loss.h";
            /// The gradient of the negative log likelihood of classes.
            operator aclnnNLLLossBackward, aclnnNLLLossBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, target: tensor, weight: tensor, reduction: i64, ignoreIndex: i64, totalWeight: tensor, out: out_tensor) in "aclnn_nll_loss_backward.h";
            /// The negative log likelihood of a class for each place of images, and the sum of their weights.
            operator aclnnNLLLoss2d, aclnnNLLLoss2dGetWorkspaceSize(self_: tensor, target: tensor, weight: tensor, reduction: i64, ignoreIndex: i64, out: out_tensor, totalWeightOut: out_tensor) in "aclnn_nll_loss2d.h";
            /// The gradient of the negative log likelihood of a class for each place of images.
            operator aclnnNLLLoss2dBackward, aclnnNLLLoss2dBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, target: tensor, weight: tensor, reduction: i64, ignoreIndex: i64, totalWeight: mut_tensor, out: out_tensor) in "aclnn_nll_loss2d_backward.h";
            /// How unlikely sequences of classes are, whatever the lengths of their parts.
            operator aclnnCtcLoss, aclnnCtcLossGetWorkspaceSize(logProbs: tensor, targets: tensor, inputLengths: int_array, targetLengths: int_array, blank: i64, zeroInfinity: bool, negLogLikelihoodOut: out_tensor, logAlphaOut: out_tensor) in "aclnn_ctc_loss.h";
            /// The gradient of how unlikely sequences of classes are.
            operator aclnnCtcLossBackward, aclnnCtcLossBackwardGetWorkspaceSize(gradOut: tensor, logProbs: tensor, targets: tensor, inputLengths: int_array, targetLengths: int_array, negLogLikelihood: tensor, logAlpha: tensor, blank: i64, zeroInfinity: bool, out: out_tensor) in "aclnn_ctc_loss_backward.h";
            /// The cross entropy of classes and of the softmax of each row. A card leaves `zlossOut` and `lseForZlossOut` as they are.
            operator aclnnCrossEntropyLoss, aclnnCrossEntropyLossGetWorkspaceSize(input: tensor, target: tensor, weightOptional: optional_tensor, reductionOptional: mut_text, ignoreIndex: i64, labelSmoothing: f64, lseSquareScaleForZloss: f64, returnZloss: bool, lossOut: const_out_tensor, logProbOut: const_out_tensor, zlossOut: optional_const_out_tensor, lseForZlossOut: optional_const_out_tensor) in "aclnn_cross_entropy_loss.h";
            /// The gradient of the cross entropy of classes and of the softmax of each row.
            operator aclnnCrossEntropyLossGrad, aclnnCrossEntropyLossGradGetWorkspaceSize(gradLoss: tensor, logProb: tensor, target: tensor, weightOptional: optional_tensor, gradZlossOptional: optional_tensor, lseForZlossOptional: optional_tensor, reductionOptional: mut_text, ignoreIndex: i64, labelSmoothing: f64, lseSquareScaleForZloss: f64, out: const_out_tensor) in "aclnn_cross_entropy_loss_grad.h";
            /// How far the classes of each row are from being larger than the others by 1, and which classes are among them.
            operator aclnnMultilabelMarginLoss, aclnnMultilabelMarginLossGetWorkspaceSize(self_: tensor, target: tensor, reduction: i64, out: out_tensor, isTarget: out_tensor) in "aclnn_multilabel_margin_loss.h";
            /// Half the square of the difference, or a line where it is above `delta`.
            #[newer]
            operator aclnnHuberLoss, aclnnHuberLossGetWorkspaceSize(input: tensor, target: tensor, reduction: i64, delta: f64, out: const_out_tensor) in "aclnn_huber_loss.h";
            /// The gradient of the loss of Huber.
            #[newer]
            operator aclnnHuberLossGrad, aclnnHuberLossGradGetWorkspaceSize(predictions: tensor, targets: tensor, delta: f64, gradOutput: const_out_tensor) in "aclnn_huber_loss_grad.h";
            /// The gradient of the absolute difference.
            #[newer]
            operator aclnnL1LossGrad, aclnnL1LossGradGetWorkspaceSize(grads: tensor, predict: tensor, label: tensor, reductionOptional: mut_text, y: const_out_tensor) in "aclnn_l1_loss_grad.h";
            /// `max(0, 1 - target * predict)`.
            #[newer]
            operator aclnnHingeLoss, aclnnHingeLossGetWorkspaceSize(predict: tensor, target: tensor, loss: out_tensor) in "aclnn_hinge_loss.h";
            /// The gradient of `max(0, 1 - target * predict)`.
            #[newer]
            operator aclnnHingeLossGrad, aclnnHingeLossGradGetWorkspaceSize(predict: tensor, target: tensor, gradOutput: tensor, gradInput: out_tensor) in "aclnn_hinge_loss_grad.h";
            /// A distance for the target 1, and how much it lacks to a margin for -1.
            #[newer]
            operator aclnnHingeEmbeddingLoss, aclnnHingeEmbeddingLossGetWorkspaceSize(input: tensor, target: tensor, margin: f64, reduction: mut_text, loss: const_out_tensor) in "aclnn_hinge_embedding_loss.h";
            /// The negative log likelihood of normal distributions.
            #[newer]
            operator aclnnGaussianNllLoss, aclnnGaussianNllLossGetWorkspaceSize(input: tensor, target: tensor, var: tensor, full: bool, eps: f64, reductionOptional: mut_text, out: const_out_tensor) in "aclnn_gaussian_nll_loss.h";
            /// The absolute difference.
            #[newer]
            operator aclnnLpLoss, aclnnLpLossGetWorkspaceSize(predict: tensor, label: tensor, p: i64, reduction: text, out: const_out_tensor) in "aclnn_lp_loss.h";
            /// Half the sum of the squares.
            #[newer]
            operator aclnnL2Loss, aclnnL2LossGetWorkspaceSize(x: tensor, out: const_out_tensor) in "aclnn_l2_loss.h";
        } }
    };
}
