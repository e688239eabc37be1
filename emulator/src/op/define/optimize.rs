//! Steps of optimizers that change each parameter by itself: a step is its tensors, its numbers, and the arithmetic of one place.

use super::definitions;
use super::train::One;
use crate::op::call::Call;
use crate::op::dtype::{SINGLE, Types, types};
use crate::op::plan::{Definition, Plan};
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, put};
use crate::results::every;

/// The largest number of tensors that a step reads, of those that it writes, and of its numbers.
const MOST: usize = 5;
const RESULTS: usize = 4;
const NUMBERS: usize = 6;

/// A step. The results are those of the first tensors, whose memory a program may give to the outputs too.
struct Step {
    types: Types,
    read: &'static [&'static str],
    numbers: &'static [&'static str],
    written: &'static [&'static str],
    compute: fn([f64; MOST], [f64; NUMBERS]) -> [f64; RESULTS],
}

impl Definition for Step {
    fn plan(&self, call: &Call) -> Result<Plan, Refusal> {
        let Some((name, rest)) = self.read.split_first() else {
            return Ok(call.nothing());
        };
        let first = call.input(name).of(self.types)?;
        let mut inputs = vec![first];
        for name in rest {
            let input = call.input(name).like(&first)?;
            inputs.push(input.shaped(first.shape())?);
        }
        let mut outs = Vec::with_capacity(RESULTS);
        for name in self.written {
            let out = call.output(name).like(&first)?;
            outs.push(out.shaped(first.shape())?);
        }
        let numbers = every(self.numbers.iter().map(|name| One::new(call, name)))?;
        if first.elements() == 0 {
            return Ok(call.nothing());
        }
        let (compute, count) = (self.compute, first.elements());
        call.plan(move |views| {
            let mut given = [0.0; NUMBERS];
            for (to, one) in given.iter_mut().zip(&numbers) {
                *to = one.read(views);
            }
            let mut tensors = Vec::with_capacity(MOST);
            for input in &inputs {
                tensors.push(views.input(input).all::<f64>());
            }
            for index in 0..count {
                let mut one = [0.0; MOST];
                for (to, tensor) in one.iter_mut().zip(&tensors) {
                    *to = at(tensor, index);
                }
                let results = compute(one, given);
                for (tensor, result) in tensors.iter_mut().zip(results).take(outs.len()) {
                    put(tensor, index, result);
                }
            }
            for (out, tensor) in outs.iter().zip(&tensors) {
                views.output(out).put_all(tensor);
            }
        })
    }
}

definitions! {
    aclnnApplyGradientDescent = Step {
        types: SINGLE,
        read: &["var", "delta"],
        numbers: &["alpha"],
        written: &["var"],
        compute: |[var, delta, ..], [alpha, ..]| [var - alpha * delta, 0.0, 0.0, 0.0],
    };
    aclnnApplyAdagradD = Step {
        types: SINGLE,
        read: &["var", "accum", "grad"],
        numbers: &["lr", "updateSlots"],
        written: &["var", "accum"],
        compute: |[var, accum, grad, ..], [lr, is_updated, ..]| {
            let accum = accum + is_updated * grad * grad;
            [var - lr * grad / accum.sqrt(), accum, 0.0, 0.0]
        },
    };
    aclnnApplyProximalAdagrad = Step {
        types: types!(f32),
        read: &["var", "accum", "grad"],
        numbers: &["lr", "l1", "l2"],
        written: &["varOut", "accumOut"],
        compute: |[var, accum, grad, ..], [lr, l1, l2, ..]| {
            let accum = accum + grad * grad;
            let rate = lr / accum.sqrt();
            let moved = var - rate * grad;
            let shrunk = (moved.abs() - rate * l1).max(0.0);
            let sign = if moved == 0.0 { 0.0 } else { moved.signum() };
            [sign / (1.0 + rate * l2) * shrunk, accum, 0.0, 0.0]
        },
    };
    // The power of the accumulated squares is minus `lrPower`, and what is nearer to 0 than `l1` becomes 0.
    aclnnApplyFtrl = Step {
        types: SINGLE,
        read: &["varRef", "accumRef", "linearRef", "grad"],
        numbers: &["lr", "l1", "l2", "lrPower"],
        written: &["varRef", "accumRef", "linearRef"],
        compute: |[var, accum, linear, grad, ..], [lr, l1, l2, power, ..]| {
            let next = accum + grad * grad;
            let (before, behind) = (accum.powf(-power), next.powf(-power));
            let linear = linear + grad - (behind - before) / lr * var;
            let var = if linear.abs() > l1 {
                (linear.signum() * l1 - linear) / (behind / lr + 2.0 * l2)
            } else {
                0.0
            };
            [var, next, linear, 0.0]
        },
    };
    aclnnApplyRmsProp = Step {
        types: SINGLE,
        read: &["var", "ms", "mom", "grad"],
        numbers: &["lr", "rho", "momentum", "epsilon"],
        written: &["varOut", "msOut", "momOut"],
        compute: |[var, square, moment, grad, ..], [lr, rho, momentum, epsilon, ..]| {
            let square = square + (1.0 - rho) * (grad * grad - square);
            let moment = momentum * moment + lr * grad / (epsilon + square).sqrt();
            [var - moment, square, moment, 0.0]
        },
    };
    aclnnApplyCenteredRMSProp = Step {
        types: types!(f32 f16),
        read: &["var", "mg", "ms", "mom", "grad"],
        numbers: &["lr", "rho", "momentum", "epsilon"],
        written: &["varOut", "mgOut", "msOut", "momOut"],
        compute: |[var, mean, square, moment, grad], [lr, rho, momentum, epsilon, ..]| {
            let mean = rho * mean + (1.0 - rho) * grad;
            let square = rho * square + (1.0 - rho) * grad * grad;
            let spread = square - mean * mean + epsilon;
            let moment = momentum * moment + lr * grad / spread.sqrt();
            [var - moment, mean, square, moment]
        },
    };
    aclnnApplyAdadelta = Step {
        types: types!(f32 f16),
        read: &["var", "accum", "accumUpdate", "grad"],
        numbers: &["lr", "rho", "epsilon"],
        written: &["varOut", "accumOut", "accumUpdateOut"],
        compute: |[var, accum, updates, grad, ..], [lr, rho, epsilon, ..]| {
            let accum = rho * accum + (1.0 - rho) * grad * grad;
            let update = ((updates + epsilon) / (accum + epsilon)).sqrt() * grad;
            let updates = rho * updates + (1.0 - rho) * update * update;
            [var - lr * update, accum, updates, 0.0]
        },
    };
    aclnnApplyAdamax = Step {
        types: types!(f32 f16),
        read: &["var", "m", "v", "grad"],
        numbers: &["beta1Power", "lr", "beta1", "beta2", "epsilon"],
        written: &["varOut", "mOut", "vOut"],
        compute: |[var, mean, most, grad, ..], [power, lr, first, second, epsilon, _]| {
            let mean = first * mean + (1.0 - first) * grad;
            let most = (second * most).max(grad.abs());
            [var - lr / (1.0 - power) * mean / (most + epsilon), mean, most, 0.0]
        },
    };
    aclnnApplyAdamD = adam;
}

/// `aclnnApplyAdamD(var, m, v, beta1Power, beta2Power, lr, beta1, beta2, epsilon, grad, useLocking, useNesterov, varOut, mOut,
/// vOut)`
fn adam(call: &Call) -> Result<Plan, Refusal> {
    type Numbers = [f64; NUMBERS];
    fn step(
        [var, mean, square, grad, _]: [f64; MOST],
        [one, other, lr, first, second, epsilon]: Numbers,
        is_ahead: bool,
    ) -> [f64; RESULTS] {
        let mean = first * mean + (1.0 - first) * grad;
        let square = second * square + (1.0 - second) * grad * grad;
        let rate = lr * (1.0 - other).sqrt() / (1.0 - one);
        let way = if is_ahead {
            first * mean + (1.0 - first) * grad
        } else {
            mean
        };
        [
            var - rate * way / (square.sqrt() + epsilon),
            mean,
            square,
            0.0,
        ]
    }
    let is_ahead = call.flag("useNesterov")?;
    let step = Step {
        types: SINGLE,
        read: &["var", "m", "v", "grad"],
        numbers: &[
            "beta1Power",
            "beta2Power",
            "lr",
            "beta1",
            "beta2",
            "epsilon",
        ],
        written: &["varOut", "mOut", "vOut"],
        compute: if is_ahead {
            |one, numbers| step(one, numbers, true)
        } else {
            |one, numbers| step(one, numbers, false)
        },
    };
    step.plan(call)
}
