//! Dropout and optimizers.

/// Adds operators to those of [`operators!`](crate::operators), and hands them on.
#[doc(hidden)]
#[macro_export]
macro_rules! operators_of_steps {
    ($callback:path [$($context:tt)*] { $($before:tt)* }) => {
        $crate::operators_of_layer_gradients! { $callback [$($context)*] {
            $($before)*
            /// Random bits, of which a share of `prob` is 0.
            operator aclnnDropoutGenMask, aclnnDropoutGenMaskGetWorkspaceSize(shape: int_array, prob: f64, seed: i64, offset: i64, out: out_tensor) in "aclnn_dropout_gen_mask.h";
            /// Divides the elements whose bit in `mask` is 1 by `1 - prob`; the others become 0.
            operator aclnnDropoutDoMask, aclnnDropoutDoMaskGetWorkspaceSize(self_: tensor, mask: tensor, prob: f64, out: out_tensor) in "aclnn_dropout_do_mask.h";
            /// A step of the optimizer AdamW.
            operator aclnnApplyAdamWV2, aclnnApplyAdamWV2GetWorkspaceSize(varRef: inout_tensor, mRef: inout_tensor, vRef: inout_tensor, maxGradNormOptionalRef: optional_inout_tensor, grad: tensor, step: tensor, lr: f32, beta1: f32, beta2: f32, weightDecay: f32, eps: f32, amsgrad: bool, maximize: bool) in "aclnn_apply_adam_w_v2.h";
            /// A step of the optimizer Adam, and the moving average of the parameters.
            operator aclnnApplyFusedEmaAdam, aclnnApplyFusedEmaAdamGetWorkspaceSize(grad: tensor, varRef: inout_tensor, mRef: inout_tensor, vRef: inout_tensor, sRef: inout_tensor, step: tensor, lr: f64, emaDecay: f64, beta1: f64, beta2: f64, eps: f64, mode: i64, biasCorrection: bool, weightDecay: f64) in "aclnn_apply_fused_ema_adam.h";
            /// A step of the optimizer AdamW, whose numbers are tensors.
            operator aclnnApplyAdamW, aclnnApplyAdamWGetWorkspaceSize(varRef: inout_tensor, mRef: inout_tensor, vRef: inout_tensor, beta1Power: tensor, beta2Power: tensor, lr: tensor, weightDecay: tensor, beta1: tensor, beta2: tensor, eps: tensor, grad: tensor, maxGradNormOptional: optional_tensor, amsgrad: bool, maximize: bool) in "aclnn_apply_adam_w.h";
            /// Divides elements by `1 - p`, of which a share of `p` becomes 0, and the bits of those that are kept.
            operator aclnnDropout, aclnnDropoutGetWorkspaceSize(input: tensor, p: f64, train: bool, seed: i64, offset: i64, out: out_tensor, maskOut: out_tensor) in "aclnn_dropout.h";
            /// The gradient of elements of which a mask has kept some.
            operator aclnnDropoutBackward, aclnnDropoutBackwardGetWorkspaceSize(gradOutput: tensor, mask: tensor, scale: f64, out: out_tensor) in "aclnn_dropout_backward.h";
            /// A step along the gradient.
            #[newer]
            operator aclnnApplyGradientDescent, aclnnApplyGradientDescentGetWorkspaceSize(var: inout_tensor, alpha: tensor, delta: tensor) in "aclnn_apply_gradient_descent.h";
            /// A step of the optimizer Adagrad.
            #[newer]
            operator aclnnApplyAdagradD, aclnnApplyAdagradDGetWorkspaceSize(var: const_inout_tensor, accum: const_inout_tensor, lr: tensor, grad: tensor, updateSlots: bool, useLocking: bool) in "aclnn_apply_adagrad_d.h";
            /// A step of the optimizer FTRL.
            #[newer]
            operator aclnnApplyFtrl, aclnnApplyFtrlGetWorkspaceSize(varRef: inout_tensor, accumRef: inout_tensor, linearRef: inout_tensor, grad: tensor, lr: tensor, l1: tensor, l2: tensor, lrPower: tensor, useLocking: bool) in "aclnn_apply_ftrl.h";
            /// A step of the optimizer Adagrad with limits of the parameters.
            #[newer]
            operator aclnnApplyProximalAdagrad, aclnnApplyProximalAdagradGetWorkspaceSize(var: tensor, accum: tensor, lr: tensor, l1: tensor, l2: tensor, grad: tensor, varOut: const_out_tensor, accumOut: const_out_tensor) in "aclnn_apply_proximal_adagrad.h";
            /// A step of the optimizer RMSProp.
            #[newer]
            operator aclnnApplyRmsProp, aclnnApplyRmsPropGetWorkspaceSize(var: tensor, ms: tensor, mom: tensor, grad: tensor, lr: f64, rho: f64, momentum: f64, epsilon: f64, varOut: const_out_tensor, msOut: const_out_tensor, momOut: const_out_tensor) in "aclnn_apply_rms_prop.h";
            /// A step of the optimizer RMSProp, with the mean of the gradients.
            #[newer]
            operator aclnnApplyCenteredRMSProp, aclnnApplyCenteredRMSPropGetWorkspaceSize(var: tensor, mg: tensor, ms: tensor, mom: tensor, lr: tensor, rho: tensor, momentum: tensor, epsilon: tensor, grad: tensor, varOut: const_out_tensor, mgOut: const_out_tensor, msOut: const_out_tensor, momOut: const_out_tensor) in "aclnn_apply_centered_rms_prop.h";
            /// A step of the optimizer Adadelta.
            #[newer]
            operator aclnnApplyAdadelta, aclnnApplyAdadeltaGetWorkspaceSize(var: tensor, accum: tensor, accumUpdate: tensor, lr: scalar, rho: scalar, epsilon: scalar, grad: tensor, varOut: out_tensor, accumOut: out_tensor, accumUpdateOut: out_tensor) in "aclnn_apply_adadelta.h";
            /// A step of the optimizer Adamax.
            #[newer]
            operator aclnnApplyAdamax, aclnnApplyAdamaxGetWorkspaceSize(var: tensor, m: tensor, v: tensor, beta1Power: scalar, lr: scalar, beta1: scalar, beta2: scalar, epsilon: scalar, grad: tensor, varOut: out_tensor, mOut: out_tensor, vOut: out_tensor) in "aclnn_apply_adamax.h";
            /// A step of the optimizer Adam, whose numbers are tensors.
            #[newer]
            operator aclnnApplyAdamD, aclnnApplyAdamDGetWorkspaceSize(var: tensor, m: tensor, v: tensor, beta1Power: tensor, beta2Power: tensor, lr: tensor, beta1: tensor, beta2: tensor, epsilon: tensor, grad: tensor, useLocking: bool, useNesterov: bool, varOut: out_tensor, mOut: out_tensor, vOut: out_tensor) in "aclnn_apply_adam_d.h";
        } }
    };
}
