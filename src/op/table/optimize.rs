//! Optimizers.

use ascendcl_sys as sys;

use crate::error::Result;
use crate::op::element::Floating;
use crate::op::parameter::In;
use crate::op::shape::Dims;
use crate::op::table::functions;

/// The attributes of [`apply_adam_w_v2`], as C names them. The defaults are those of PyTorch.
///
/// ```
/// use ascendcl::op::AdamWOptions;
///
/// let options = AdamWOptions { lr: 3e-4, weight_decay: 0.1, ..AdamWOptions::default() };
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdamWOptions {
    /// The learning rate.
    pub lr: f32,
    /// How much of the mean of the gradients each step keeps.
    pub beta1: f32,
    /// How much of the mean of their squares each step keeps.
    pub beta2: f32,
    /// The part of the parameters that a step takes away, times the learning rate.
    pub weight_decay: f32,
    /// What is added to divisors.
    pub eps: f32,
    /// Whether a step goes along the gradient, and not against it.
    pub maximize: bool,
}

impl Default for AdamWOptions {
    fn default() -> Self {
        AdamWOptions {
            lr: 1e-3,
            beta1: 0.9,
            beta2: 0.999,
            weight_decay: 1e-2,
            eps: 1e-8,
            maximize: false,
        }
    }
}

functions! {
    "`tensor_mut` lends what is changed.";
    /// Prepares a step of AdamW that changes parameters, the mean of their gradients and the mean of the squares
    /// (`aclnnApplyAdamWV2`), without the largest mean (`amsgrad`).
    ///
    /// All tensors have the shape of the parameters, but `step`, which has one element: the number of this step, from 1 on.
    #[doc(alias("aclnnApplyAdamWV2", "aclnnApplyAdamWV2GetWorkspaceSize"))]
    ApplyAdamWV2<T: Floating>,
        apply_adam_w_v2(
            parameters: inout T, mean: inout T, square: inout T, max_grad_norm: (None) Option<In<T>>, gradient: in T,
            step: dense i64, options: [&AdamWOptions: options.lr => f32], beta1: (options.beta1) f32, beta2: (options.beta2) f32,
            weight_decay: (options.weight_decay) f32, eps: (options.eps) f32, amsgrad: (false) bool,
            maximize: (options.maximize) bool
        )
        = aclnnApplyAdamWV2, aclnnApplyAdamWV2GetWorkspaceSize, |op| check_step(op, &parameters.dims, [&mean.dims, &square.dims, &gradient.dims], &step.dims);
    /// Prepares a step of Adam or of AdamW that changes parameters, the mean of their gradients, the mean of the squares, and a
    /// moving average of the parameters, which becomes `average * average_decay + parameters * (1 - average_decay)`
    /// (`aclnnApplyFusedEmaAdam`).
    ///
    /// All tensors have the shape of the parameters, but `step`, which has one element: the number of this step, from 1 on. The
    /// decay of the weights is added to the gradient, or to the update if `is_decoupled`, as AdamW does. `maximize` has no
    /// meaning here.
    #[doc(alias("aclnnApplyFusedEmaAdam", "aclnnApplyFusedEmaAdamGetWorkspaceSize"))]
    ApplyFusedEmaAdam<T: Floating>,
        apply_fused_ema_adam(
            gradient: dense T, parameters: dense_inout T, mean: dense_inout T, square: dense_inout T, average: dense_inout T,
            step: dense i64, options: [&AdamWOptions: f64::from(options.lr) => f64], average_decay: attr f64,
            beta1: (f64::from(options.beta1)) f64, beta2: (f64::from(options.beta2)) f64, eps: (f64::from(options.eps)) f64,
            is_decoupled: [bool: i64::from(is_decoupled) => i64], bias_correction: (true) bool,
            weight_decay: (f64::from(options.weight_decay)) f64
        )
        = aclnnApplyFusedEmaAdam, aclnnApplyFusedEmaAdamGetWorkspaceSize, |op| check_step(op, &parameters.dims, [&mean.dims, &square.dims, &gradient.dims], &step.dims).and(average.dims.check_like(op, &parameters.dims));
    /// Prepares a step of AdamW as [`apply_adam_w_v2`] does, without the largest mean, whose numbers are tensors of one element
    /// (`aclnnApplyAdamW`).
    ///
    /// `beta1_power` and `beta2_power` are the powers of the step before: 1 for the first step.
    #[doc(alias("aclnnApplyAdamW", "aclnnApplyAdamWGetWorkspaceSize"))]
    ApplyAdamW<T: Floating>,
        apply_adam_w(
            parameters: inout T, mean: inout T, square: inout T, beta1_power: dense T, beta2_power: dense T, lr: dense T,
            weight_decay: dense T, beta1: dense T, beta2: dense T, eps: dense T, gradient: in T,
            max_grad_norm: (None) Option<In<T>>, amsgrad: (false) bool, maximize: attr bool
        )
        = aclnnApplyAdamW, aclnnApplyAdamWGetWorkspaceSize, |op| check_step(op, &parameters.dims, [&mean.dims, &square.dims, &gradient.dims], &lr.dims).and_then(|()| [beta1_power, beta2_power, weight_decay, beta1, beta2, eps].into_iter().try_for_each(|one| one.dims.check_number(op, &parameters.dims)));
}

/// Checks that all tensors of a step have the shape of the parameters.
#[inline(always)]
fn check_step(
    operator: &'static str,
    parameters: &Dims,
    [mean, square, gradient]: [&Dims; 3],
    step: &Dims,
) -> Result<()> {
    mean.check_like(operator, parameters)?;
    square.check_like(operator, parameters)?;
    gradient.check_like(operator, parameters)?;
    step.check_number(operator, parameters)
}
