//! Dropout and optimizers.

use super::definitions;
use super::random::{fill, fraction, once};
use crate::op::call::{Call, Input};
use crate::op::dtype::{SINGLE, Types, types};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count};
use crate::op::view::Views;
use crate::results::every;
use crate::wide::wide;

definitions! {
    aclnnDropoutGenMask = mask;
    aclnnDropoutDoMask = drop_out;
    aclnnDropout = drop_some;
    aclnnDropoutBackward = dropped_gradient;
    aclnnApplyAdamW = adam;
    aclnnApplyAdamWV2 = adam;
    aclnnApplyFusedEmaAdam = averaged_adam;
}

/// Checks a probability.
fn probability(call: &Call, name: &str) -> Result<f64, Refusal> {
    let value = call.floating(name)?;
    if (0.0..=1.0).contains(&value) {
        return Ok(value);
    }
    Err(Refusal::invalid(format_args!(
        "{name} is {value}; it is 0 to 1"
    )))
}

/// Returns the bytes of a mask with a bit for each element. Masks are made in blocks of 128 bits.
fn mask_bytes(elements: usize) -> usize {
    elements.div_ceil(128) * 16
}

/// `aclnnDropoutGenMask(shape, prob, seed, offset, out)`: a bit is 1 with the probability `1 - prob`.
fn mask(call: &Call) -> Result<Plan, Refusal> {
    let out = call.output("out").of(types!(u8))?;
    let sizes = call.ints("shape")?.iter().map(|size| count("shape", *size));
    let elements = sizes.product::<Result<usize, _>>()?;
    let dropped = probability(call, "prob")?;
    let out = out.shaped(&[mask_bytes(elements)])?;
    let (seed, offset) = (call.whole("seed")?, call.whole("offset")?);
    fill(call, out, move |index| {
        let kept =
            (0..8u8).filter(|bit| fraction(seed, offset, 8 * index + usize::from(*bit)) >= dropped);
        f64::from(kept.fold(0u8, |byte, bit| byte | 1 << bit))
    })
}

/// `aclnnDropoutDoMask(self, mask, prob, out)`
fn drop_out(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(SINGLE)?;
    let mask = call.input("mask").of(types!(u8))?;
    let out = call.output("out").like(&input)?;
    let dropped = probability(call, "prob")?;
    if mask.elements() < mask_bytes(input.elements()) {
        return Err(Refusal::invalid(format_args!(
            "mask {:?} has fewer bytes than {}",
            mask.shape(),
            mask_bytes(input.elements())
        )));
    }
    let out = out.shaped(input.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut elements = views.input(&input).all::<f64>();
        let mask = views.input(&mask).all_bits();
        for (index, one) in elements.iter_mut().enumerate() {
            let is_kept = at(&mask, index / 8) >> (index % 8) & 1 == 1;
            // With nothing to drop the mask has no meaning.
            *one = if dropped == 0.0 {
                *one
            } else if is_kept && dropped < 1.0 {
                *one / (1.0 - dropped)
            } else {
                0.0
            };
        }
        views.output(&out).put_all(&elements);
    })
}

/// `aclnnDropout(input, p, train, seed, offset, out, maskOut)`: without `train` all elements are kept.
fn drop_some(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("input").of(SINGLE)?;
    let out = call.output("out").like(&input)?.shaped(input.shape())?;
    let bytes = mask_bytes(input.elements());
    let mask = call.output("maskOut").of(types!(u8)).shaped(&[bytes])?;
    let dropped = match (probability(call, "p")?, call.flag("train")?) {
        (dropped, true) => dropped,
        (_, false) => 0.0,
    };
    let (seed, offset) = (call.whole("seed")?, call.whole("offset")?);
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut elements = views.input(&input).all::<f64>();
        let mut kept = vec![0.0; bytes];
        for index in 0..8 * bytes {
            let is_kept = fraction(seed, offset, index) >= dropped;
            if is_kept && let Some(byte) = kept.get_mut(index / 8) {
                *byte += f64::from(1u8 << (index % 8));
            }
            if let Some(one) = elements.get_mut(index) {
                *one = if is_kept { *one / (1.0 - dropped) } else { 0.0 };
            }
        }
        views.output(&out).put_all(&elements);
        views.output(&mask).put_all(&kept);
    })
    .map(once)
}

/// `aclnnDropoutBackward(gradOutput, mask, scale, out)`
fn dropped_gradient(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("gradOutput").of(SINGLE)?;
    let mask = call.input("mask").of(types!(u8)).ranked(1..=1)?;
    let out = call.output("out").like(&input)?.shaped(input.shape())?;
    let scale = call.floating("scale")?;
    if mask.elements() < mask_bytes(input.elements()) {
        return Err(Refusal::invalid(format_args!(
            "mask {:?} has fewer bytes than {}",
            mask.shape(),
            mask_bytes(input.elements())
        )));
    }
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut elements = views.input(&input).all::<f64>();
        let mask = views.input(&mask).all_bits();
        for (index, one) in elements.iter_mut().enumerate() {
            let is_kept = at(&mask, index / 8) >> (index % 8) & 1 == 1;
            *one = if is_kept { *one * scale } else { 0.0 };
        }
        views.output(&out).put_all(&elements);
    })
}

/// A number of the host, or a tensor that has it.
#[derive(Clone, Copy)]
pub(super) enum One {
    Host(f64),
    Device(Input),
}

impl One {
    /// Returns the number of a parameter of this name: a truth value is 0 or 1.
    pub(super) fn new(call: &Call, name: &str) -> Result<Self, Refusal> {
        let scalar = |_| call.scalar(name).map(|scalar| scalar.to_f64());
        let flag = |_| call.flag(name).map(|flag| f64::from(u8::from(flag)));
        match call.floating(name).or_else(scalar).or_else(flag) {
            Ok(number) => Ok(Self::Host(number)),
            Err(_) => Self::of_device(call, name, SINGLE),
        }
    }

    fn of_device(call: &Call, name: &str, types: Types) -> Result<Self, Refusal> {
        let one = call.input(name).of(types)?;
        if one.elements() == 1 {
            return Ok(Self::Device(one));
        }
        Err(Refusal::invalid(format_args!(
            "{name} has the shape {:?}; it has one element",
            one.shape()
        )))
    }

    pub(super) fn read(self, views: &Views<'_>) -> f64 {
        match self {
            Self::Host(number) => number,
            Self::Device(input) => views.input(&input).get(0),
        }
    }
}

/// `aclnnApplyAdamWV2(varRef, mRef, vRef, maxGradNormOptionalRef, grad, step, lr, beta1, beta2, weightDecay, eps, amsgrad,
/// maximize)`, and `aclnnApplyAdamW(varRef, mRef, vRef, beta1Power, beta2Power, lr, weightDecay, beta1, beta2, eps, grad,
/// maxGradNormOptional, amsgrad, maximize)`, which has powers of one step less in place of the step, and does not change the
/// largest squares: a step of AdamW, as PyTorch computes it.
fn adam(call: &Call) -> Result<Plan, Refusal> {
    let value = call.input("varRef").of(SINGLE)?;
    let state = |name| call.input(name).of(SINGLE).shaped(value.shape());
    let (mean, square) = (state("mRef")?, state("vRef")?);
    let gradient = call.input("grad").of(SINGLE).shaped(value.shape())?;
    let counts = call.has("step");
    let powers = if counts {
        let step = One::of_device(call, "step", types!(f32 s64))?;
        [step; 2]
    } else {
        [One::new(call, "beta1Power")?, One::new(call, "beta2Power")?]
    };
    let name = if counts {
        "maxGradNormOptionalRef"
    } else {
        "maxGradNormOptional"
    };
    let is_ams = call.flag("amsgrad")?;
    let largest = match (is_ams, call.optional_input(name)?) {
        (true, None) => return Err(Refusal::null(name)),
        (true, Some(one)) => Some((
            one.of(SINGLE).shaped(value.shape())?,
            call.optional_output(name)?,
        )),
        (false, _) => None,
    };
    let outs = [
        call.output("varRef")?,
        call.output("mRef")?,
        call.output("vRef")?,
    ];
    let names = ["lr", "weightDecay", "beta1", "beta2", "eps"];
    let numbers = every(names.into_iter().map(|name| One::new(call, name)))?;
    let sign = if call.flag("maximize")? { -1.0 } else { 1.0 };
    if value.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut given = numbers.iter().map(|one| one.read(views));
        let [rate, decay, first, second, epsilon] =
            core::array::from_fn(|_| given.next().unwrap_or_default());
        let [one, other] = powers.map(|power| power.read(views));
        let corrections = if counts {
            [1.0 - first.powf(one), 1.0 - second.powf(other)]
        } else {
            [1.0 - one * first, 1.0 - other * second]
        };
        let step = AdamStep {
            first,
            second,
            kept: 1.0 - rate * decay,
            rate: rate / corrections[0],
            shrink: 1.0 / corrections[1].sqrt(),
            epsilon,
            sign,
            keeps_most: largest.is_some(),
        };
        let inputs = [
            Some(value),
            Some(mean),
            Some(square),
            Some(gradient),
            largest.map(|one| one.0),
        ];
        let targets = [
            Some(outs[0]),
            Some(outs[1]),
            Some(outs[2]),
            None,
            largest.and_then(|one| one.1),
        ];
        // A part of all tensors stays in the first-level cache.
        let mut parts = [[0.0; PART]; 5];
        for start in (0..value.elements()).step_by(PART) {
            let len = PART.min(value.elements() - start);
            for (part, input) in parts.iter_mut().zip(&inputs) {
                if let (Some(input), Some(part)) = (input, part.get_mut(..len)) {
                    let view = views.input(input);
                    if input.tensor.is_contiguous() {
                        view.read(start, 1, part);
                        continue;
                    }
                    for (index, one) in (start..).zip(part) {
                        *one = view.get(index);
                    }
                }
            }
            adam_step(&step, &mut parts);
            for (part, out) in parts.iter().zip(&targets) {
                if let (Some(out), Some(part)) = (out, part.get(..len)) {
                    let mut view = views.output(out);
                    if out.tensor.is_contiguous() {
                        view.write(start, 1, part);
                        continue;
                    }
                    for (index, one) in (start..).zip(part) {
                        view.set(index, *one);
                    }
                }
            }
        }
    })
}

/// The number of elements of each tensor that are computed at a time.
const PART: usize = 256;

/// The numbers of a step of Adam.
struct AdamStep {
    first: f64,
    second: f64,
    /// The part of a value that is left by the decay.
    kept: f64,
    rate: f64,
    /// The factor of the roots of squares.
    shrink: f64,
    epsilon: f64,
    sign: f64,
    /// Whether the largest squares up to now are in place of the squares.
    keeps_most: bool,
}

wide! {
    /// Changes values, means, squares and the largest squares by gradients.
    fn adam_step(step: &AdamStep, parts: &mut [[f64; PART]; 5]) {
        let AdamStep { first, second, kept, rate, shrink, epsilon, sign, keeps_most } = *step;
        let [values, means, squares, gradients, most] = parts;
        let states = values.iter_mut().zip(means).zip(squares.iter_mut().zip(most)).zip(&*gradients);
        for (((value, mean), (square, most)), gradient) in states {
            let gradient = sign * gradient;
            *mean = *mean * first + gradient * (1.0 - first);
            *square = *square * second + gradient * gradient * (1.0 - second);
            *most = if keeps_most & (*most > *square) { *most } else { *square };
            *value = *value * kept - rate * *mean / (most.sqrt() * shrink + epsilon);
        }
    }
}

/// `aclnnApplyFusedEmaAdam(grad, varRef, mRef, vRef, sRef, step, lr, emaDecay, beta1, beta2, eps, mode, biasCorrection,
/// weightDecay)`: a step of Adam, and the moving average of the parameters. The decay is part of the gradient for the `mode` 0,
/// and of the update for 1.
fn averaged_adam(call: &Call) -> Result<Plan, Refusal> {
    let gradient = call.input("grad").of(SINGLE)?;
    let names = ["varRef", "mRef", "vRef", "sRef"];
    let mut states = Vec::with_capacity(names.len());
    for name in names {
        let state = call.input(name).like(&gradient);
        states.push((state.shaped(gradient.shape())?, call.output(name)?));
    }
    let step = call.input("step").of(types!(s64))?;
    let mode = call.whole("mode")?;
    if !(0..=1).contains(&mode) {
        return Err(Refusal::invalid(format_args!(
            "mode is {mode}; it is 0 or 1"
        )));
    }
    let (rate, average) = (call.floating("lr")?, call.floating("emaDecay")?);
    let (first, second) = (call.floating("beta1")?, call.floating("beta2")?);
    let (epsilon, decay) = (call.floating("eps")?, call.floating("weightDecay")?);
    let is_corrected = call.flag("biasCorrection")?;
    if gradient.elements() == 0 || step.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let step = views.input(&step).get(0);
        let correction = |beta: f64| {
            if is_corrected {
                1.0 - beta.powf(step)
            } else {
                1.0
            }
        };
        let [first_correction, second_correction] = [first, second].map(correction);
        let mut numbers = states
            .iter()
            .map(|(state, _)| views.input(state).all::<f64>());
        let mut next = || numbers.next().unwrap_or_default();
        let (mut values, mut means, mut squares, mut averages) = (next(), next(), next(), next());
        let gradients = views.input(&gradient).all::<f64>();
        let all = values.iter_mut().zip(means.iter_mut().zip(&mut squares));
        for (((value, (mean, square)), averaged), gradient) in all.zip(&mut averages).zip(gradients)
        {
            let gradient = if mode == 0 {
                gradient + decay * *value
            } else {
                gradient
            };
            *mean = first * *mean + (1.0 - first) * gradient;
            *square = second * *square + (1.0 - second) * gradient * gradient;
            let divisor = (*square / second_correction).sqrt() + epsilon;
            let update = *mean / first_correction / divisor;
            let update = if mode == 1 {
                update + decay * *value
            } else {
                update
            };
            *value -= rate * update;
            *averaged = average * *averaged + (1.0 - average) * *value;
        }
        for ((_, out), numbers) in states.iter().zip([&values, &means, &squares, &averages]) {
            views.output(out).put_all(numbers);
        }
    })
}
