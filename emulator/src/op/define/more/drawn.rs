//! More random numbers.

use super::super::random::{fraction, normal_of, once};
use crate::op::call::{Call, Input, Output};
use crate::op::define::definitions;
use crate::op::dtype::{FLOATING, NUMBERS, REAL, SINGLE, types};
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count};
use crate::op::view::Views;
use crate::sorted::ordered;

definitions! {
    aclnnInplaceRandom = whole;
    aclnnInplaceRandomTensor = whole;
    aclnnInplaceUniformTensor = uniform;
    aclnnInplaceNormalTensor = normal;
    aclnnNormalFloatFloat = normal;
    aclnnNormalFloatTensor = normal;
    aclnnNormalTensorFloat = normal;
    aclnnNormalTensorTensor = normal;
    aclnnBernoulli, aclnnInplaceBernoulli = chosen;
    aclnnBernoulliTensor, aclnnInplaceBernoulliTensor = chosen;
    aclnnRandperm = permutation;
    aclnnRReluWithNoise, aclnnInplaceRReluWithNoise = leaky;
}

/// The seed and the offset: numbers of the host, or tensors, and an offset of the host that is added.
#[derive(Clone, Copy)]
struct Seed {
    tensors: Option<[Input; 2]>,
    host: [i64; 2],
}

impl Seed {
    fn new(call: &Call) -> Result<Self, Refusal> {
        let offset = call.whole("offset")?;
        if !call.has("seedTensor") {
            let host = [call.whole("seed")?, offset];
            return Ok(Self {
                tensors: None,
                host,
            });
        }
        let one = |name| call.input(name).of(types!(s64)).ranked(0..=1);
        let tensors = [one("seedTensor")?, one("offsetTensor")?];
        for tensor in &tensors {
            if tensor.elements() != 1 {
                return Err(Refusal::invalid(format_args!(
                    "{} {:?} has not one number",
                    tensor.name,
                    tensor.shape()
                )));
            }
        }
        Ok(Self {
            tensors: Some(tensors),
            host: [0, offset],
        })
    }

    fn read(&self, views: &Views<'_>) -> [i64; 2] {
        let Some(tensors) = &self.tensors else {
            return self.host;
        };
        let number = |input| at(&views.input(input).all::<Whole>(), 0).0;
        let [seed, offset] = tensors.each_ref().map(number);
        [seed, offset.wrapping_add(self.host[1])]
    }
}

/// A parameter of a distribution: a number of the host, or one for each element.
#[derive(Clone, Copy)]
enum Of {
    Host(f64),
    Device(Input),
}

impl Of {
    fn new(call: &Call, name: &str, out: &Output) -> Result<Self, Refusal> {
        if let Ok(number) = call.floating(name) {
            return Ok(Self::Host(number));
        }
        let input = call.input(name).of(FLOATING)?;
        if input.elements() != 1 {
            input.shaped(out.shape())?;
        }
        Ok(Self::Device(input))
    }

    fn read(&self, views: &Views<'_>) -> Vec<f64> {
        match self {
            Self::Host(number) => vec![*number],
            Self::Device(input) => views.input(input).all(),
        }
    }
}

/// Plans to draw each element: `draw` has the parameters of the distribution there, and two random numbers from 0 up to 1.
fn draw(
    call: &Call,
    out: Output,
    of: [Of; 2],
    draw: fn([f64; 2], [f64; 2]) -> f64,
) -> Result<Plan, Refusal> {
    let seed = Seed::new(call)?;
    let out = out.shaped(out.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let [seed, offset] = seed.read(views);
        let given = of.each_ref().map(|of| of.read(views));
        let mut numbers = Vec::with_capacity(out.elements());
        for index in 0..out.elements() {
            let of = given.each_ref().map(|given| match given.as_slice() {
                [one] => *one,
                given => at(given, index),
            });
            let fractions = [2 * index, 2 * index + 1].map(|index| fraction(seed, offset, index));
            numbers.push(draw(of, fractions));
        }
        views.output(&out).put_all(&numbers);
    })
    .map(once)
}

/// `aclnnInplaceRandom(selfRef, from, to, seed, offset)`, and `aclnnInplaceRandomTensor` with tensors
fn whole(call: &Call) -> Result<Plan, Refusal> {
    let out = call.output("selfRef").of(REAL)?;
    let (from, to) = (call.whole("from")?, call.whole("to")?);
    if from >= to {
        return Err(Refusal::invalid(format_args!(
            "from is {from}, and to is {to}; it has to be larger"
        )));
    }
    // CAST: whole numbers of up to 53 bits are exact.
    let of = [from as f64, to as f64].map(Of::Host);
    draw(call, out, of, |[from, to], [one, _]| {
        (from + (to - from) * one).floor()
    })
}

/// `aclnnInplaceUniformTensor(selfRef, from, to, seedTensor, offsetTensor, offset)`
fn uniform(call: &Call) -> Result<Plan, Refusal> {
    let out = call.output("selfRef").of(NUMBERS)?;
    let (from, to) = (call.floating("from")?, call.floating("to")?);
    if from > to {
        return Err(Refusal::invalid(format_args!(
            "from is {from}, and to is {to}"
        )));
    }
    let of = [from, to].map(Of::Host);
    draw(call, out, of, |[from, to], [one, _]| {
        from + (to - from) * one
    })
}

/// `aclnnNormalTensorTensor(mean, std, seed, offset, out)` and its like
fn normal(call: &Call) -> Result<Plan, Refusal> {
    let out = call.output("out").of(FLOATING)?;
    let of = [Of::new(call, "mean", &out)?, Of::new(call, "std", &out)?];
    draw(call, out, of, |[mean, deviation], fractions| {
        mean + deviation * normal_of(fractions)
    })
}

/// `aclnnBernoulli(self, prob, seed, offset, out)`, and `aclnnBernoulliTensor` with a probability for each element
fn chosen(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(REAL)?;
    let out = call.output("out").of(REAL).shaped(input.shape())?;
    let probability = match call.scalar("prob") {
        Ok(number) if !(0.0..=1.0).contains(&number.to_f64()) => {
            return Err(Refusal::invalid(format_args!(
                "prob is {}; it is 0 to 1",
                number.to_f64()
            )));
        }
        Ok(number) => Of::Host(number.to_f64()),
        Err(_) => Of::new(call, "prob", &out)?,
    };
    draw(call, out, [probability; 2], |[probability, _], [one, _]| {
        f64::from(u8::from(one < probability))
    })
}

/// `aclnnRandperm(n, seed, offset, out)`
fn permutation(call: &Call) -> Result<Plan, Refusal> {
    let out = call.output("out").of(NUMBERS)?;
    let length = count("n", call.whole("n")?)?;
    let out = out.shaped(&[length])?;
    let (seed, offset) = (call.whole("seed")?, call.whole("offset")?);
    if length == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let key = |index| fraction(seed, offset, index);
        let order = ordered(length, &|one, other| key(one).total_cmp(&key(other)));
        let mut numbers = Vec::with_capacity(length);
        for index in order {
            // CAST: an index is far below the limit.
            numbers.push(Whole(index as i64));
        }
        views.output(&out).put_all(&numbers);
    })
    .map(once)
}

/// `aclnnRReluWithNoise(self, noise, lower, upper, training, seed, offset, out)`: in training `noise` gets the random factors, and 1
/// where a number is above 0. Otherwise the factor is the mean of both limits.
fn leaky(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(SINGLE)?;
    let name = if call.has("out") { "out" } else { "self" };
    let out = call.output(name).like(&input)?.shaped(input.shape())?;
    let noise = call.output("noise").like(&input)?.shaped(input.shape())?;
    let [lower, upper] = [
        call.scalar("lower")?.to_f64(),
        call.scalar("upper")?.to_f64(),
    ];
    let is_training = call.flag("training")?;
    let (seed, offset) = (call.whole("seed")?, call.whole("offset")?);
    if lower > upper {
        return Err(Refusal::invalid(format_args!(
            "lower is {lower}, and upper is {upper}"
        )));
    }
    if input.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let mut elements = views.input(&input).all::<f64>();
        let mut factors = Vec::with_capacity(elements.len());
        for (index, one) in elements.iter_mut().enumerate() {
            let factor = match is_training {
                _ if *one > 0.0 => 1.0,
                true => lower + (upper - lower) * fraction(seed, offset, index),
                false => (lower + upper) / 2.0,
            };
            *one *= factor;
            factors.push(factor);
        }
        views.output(&out).put_all(&elements);
        if is_training {
            views.output(&noise).put_all(&factors);
        }
    })
    .map(|plan| match is_training {
        true => plan.once("its random numbers come from a unit of the card"),
        false => plan,
    })
}
