//! Diagonals, distances and norms of rows, and rows of experts that come back to their tokens.

use ascendcl_sys::{ACL_BF16, ACL_FLOAT};

use super::super::along::in_numbers;
use super::super::computed::{Computed, Numbers};
use crate::op::call::{Call, Input};
use crate::op::define::definitions;
use crate::op::dtype::{Kind, SINGLE, Types, kind, types};
use crate::op::lines::CHUNK;
use crate::op::number::{Number, Whole};
use crate::op::plan::Plan;
use crate::op::real::Real;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, Split, at, dimension, joined, put};
use crate::op::shape::broadcast;
use crate::op::sums::squares;
use crate::wide::wide;

definitions! {
    aclnnTrace = |call: &Call| trace(call, ["self", "out"]);
    aclnnLinalgCross = cross;
    aclnnCdist = distances;
    aclnnRenorm = |call: &Call| limited(call, ["self", "out"]);
    aclnnInplaceRenorm = |call: &Call| limited(call, ["selfRef", "selfRef"]);
    aclnnMoeFinalizeRoutingV3, aclnnMoeFinalizeRoutingV2, aclnnMoeFinalizeRouting = finalize;
}

/// `aclnnTrace(self, out)`, with these names.
pub(super) fn trace(call: &Call, [input, out]: [&str; 2]) -> Result<Plan, Refusal> {
    let input = call
        .input(input)
        .of(types!(f32 f16 bf16 f64))
        .ranked(2..=2)?;
    let out = call.output(out).like(&input)?.shaped(&[])?;
    let mut computed = Computed::new(
        &[Some(input)],
        &[Some(out)],
        |computed: &Computed, numbers| {
            let [rows, columns, ..] = computed.sizes;
            let [elements, ..] = numbers.inputs;
            let on_diagonal =
                (0..rows.min(columns)).map(|index| at(elements, index * (columns + 1)));
            let sum = on_diagonal.sum();
            let [result, ..] = numbers.outs;
            put(result, 0, sum);
        },
    );
    computed.sizes = [at(input.shape(), 0), at(input.shape(), 1), 0, 0, 0, 0];
    computed.plan(call)
}

/// `aclnnLinalgCross(self, other, dim, out)`: vectors of three numbers along a dimension of `self`, after both have been broadcast.
fn cross(call: &Call) -> Result<Plan, Refusal> {
    const TYPES: Types = types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8);
    let input = call.input("self").of(TYPES).ranked(1..=8)?;
    let other = call.input("other").like(&input)?;
    let Some(shape) = broadcast(&input.tensor.shape, &other.tensor.shape) else {
        return Err(Refusal::invalid(format_args!(
            "self {:?} and other {:?} cannot be broadcast",
            input.shape(),
            other.shape()
        )));
    };
    let out = call.output("out").like(&input)?.shaped(shape.as_slice())?;
    let rank = input.shape().len();
    let dim = dimension("dim", call.whole("dim")?, rank)? + shape.rank() - rank;
    let split = Split::new(shape.as_slice(), dim);
    if split.size != 3 {
        return Err(Refusal::invalid(format_args!(
            "{:?} has {} elements in dimension {dim}, and not 3",
            shape.as_slice(),
            split.size
        )));
    }
    let inputs = [input, other].map(|mut one| {
        one.tensor.strides = one.tensor.strides_in(&shape);
        one.tensor.shape = shape;
        Some(one)
    });
    let is_spread = input.tensor.shape != other.tensor.shape;
    let sizes = [split.inner, 0, 0, 0, 0, 0];
    match input.dtype() {
        ACL_FLOAT => {
            // A difference of products keeps its digits in double precision.
            let mut computed = Computed::new(&inputs, &[Some(out)], |computed, numbers| {
                crossed(computed, numbers, |a: f32, b, c, d| {
                    f32::real(a.double() * b.double() - c.double() * d.double())
                });
            });
            (computed.sizes, computed.is_spread) = (sizes, is_spread);
            computed.plan(call)
        }
        dtype => in_numbers!(dtype, W => {
            let mut computed = Computed::<W>::new(&inputs, &[Some(out)], |computed, numbers| {
                crossed(computed, numbers, |a, b, c, d| a * b - c * d);
            });
            (computed.sizes, computed.is_spread) = (sizes, is_spread);
            computed.plan(call)
        }),
    }
}

/// Computes the vectors. `difference` gives one product without another.
fn crossed<W: Number>(
    computed: &Computed<W>,
    numbers: Numbers<'_, W>,
    difference: fn(W, W, W, W) -> W,
) {
    let [inner, ..] = computed.sizes;
    let [left, right, ..] = numbers.inputs;
    let [results, ..] = numbers.outs;
    if inner == 1 {
        let (left, right) = (left.as_chunks::<3>().0, right.as_chunks::<3>().0);
        let results = results.as_chunks_mut::<3>().0;
        for (result, ([a, b, c], [d, e, f])) in results.iter_mut().zip(left.iter().zip(right)) {
            let (x, y) = (difference(*b, *f, *c, *e), difference(*c, *d, *a, *f));
            *result = [x, y, difference(*a, *e, *b, *d)];
        }
        return;
    }
    let blocks = left.chunks(3 * inner).zip(right.chunks(3 * inner));
    for ((left, right), results) in blocks.zip(results.chunks_mut(3 * inner)) {
        for (turn, results) in results.chunks_mut(inner).enumerate() {
            let [one, other] = [1, 2].map(|step| (turn + step) % 3 * inner);
            let [a, b] = [one, other].map(|from| left.get(from..).unwrap_or_default());
            let [c, d] = [one, other].map(|from| right.get(from..).unwrap_or_default());
            let pairs = a.iter().zip(b).zip(c.iter().zip(d));
            for (result, ((a, b), (c, d))) in results.iter_mut().zip(pairs) {
                *result = difference(*a, *d, *b, *c);
            }
        }
    }
}

/// Returns the norm of numbers: 0 counts those that are not 0, and infinity is the largest magnitude.
pub(super) fn norm(numbers: impl Iterator<Item = f64>, p: f64) -> f64 {
    let numbers = numbers.map(f64::abs);
    if p == 0.0 {
        return numbers.map(|one| if one == 0.0 { 0.0 } else { 1.0 }).sum();
    }
    if p.is_infinite() {
        return numbers.fold(
            0.0,
            |most, one| if one.is_nan() { one } else { most.max(one) },
        );
    }
    let power = |one: f64| if p == 2.0 { one * one } else { one.powf(p) };
    let sum = numbers.map(power).sum::<f64>();
    if p == 2.0 {
        sum.sqrt()
    } else {
        sum.powf(p.recip())
    }
}

/// Returns a row of numbers.
pub(super) fn line<W>(numbers: &[W], row: usize, width: usize) -> &[W] {
    numbers
        .get(row * width..(row + 1) * width)
        .unwrap_or_default()
}

/// Checks the exponent of a norm.
pub(super) fn check_exponent(p: f64) -> Result<f64, Refusal> {
    if p >= 0.0 {
        return Ok(p);
    }
    Err(Refusal::invalid(format_args!("p is {p}; it is at least 0")))
}

/// `aclnnCdist(x1, x2, p, compute_mode, out)`: the distances of each pair of rows.
fn distances(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x1").of(types!(f32 f16)).ranked(2..=8)?;
    let other = call.input("x2").like(&input)?.ranked(2..=8)?;
    let p = check_exponent(call.floating("p")?)?;
    let mode = call.whole("compute_mode")?;
    let (outer, last) = input.shape().split_at(input.shape().len() - 2);
    let (others, ends) = other.shape().split_at(other.shape().len() - 2);
    if outer != others || at(last, 1) != at(ends, 1) || !(0..=2).contains(&mode) {
        return Err(Refusal::invalid(format_args!(
            "x1 {:?} and x2 {:?} do not go together, or compute_mode is {mode}, and not 0 to 2",
            input.shape(),
            other.shape()
        )));
    }
    let shape = joined(outer, &[at(last, 0), at(ends, 0)]);
    let out = call.output("out").like(&input)?.shaped(&shape)?;
    let inputs = [Some(input), Some(other)];
    let mut computed = Computed::new(
        &inputs,
        &[Some(out)],
        |computed: &Computed<f32>, numbers| {
            let [rows, columns, width, ..] = computed.sizes;
            let [left, right, ..] = numbers.inputs;
            let [results, ..] = numbers.outs;
            for (place, result) in results.iter_mut().enumerate() {
                let (row, column) = (place / columns, place % columns);
                let column = row / rows * columns + column;
                let pairs = line(left, row, width)
                    .iter()
                    .zip(line(right, column, width));
                let differences = pairs.map(|(one, other)| f64::from(*one) - f64::from(*other));
                // CAST: rounded once.
                *result = norm(differences, computed.numbers[0]) as f32;
            }
        },
    );
    computed.sizes = [at(last, 0), at(ends, 0), at(last, 1), 0, 0, 0];
    computed.numbers = [p, 0.0, 0.0];
    computed.plan(call)
}

/// `aclnnRenorm(self, p, dim, maxNorm, out)`: parts along a dimension whose norm is larger get this one.
fn limited(call: &Call, [from, to]: [&str; 2]) -> Result<Plan, Refusal> {
    let input = call.input(from).of(SINGLE).ranked(2..=8)?;
    let p = check_exponent(call.scalar("p")?.to_f64())?;
    let most = call.scalar("maxNorm")?.to_f64();
    let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
    if p == 0.0 || most < 0.0 || most.is_nan() {
        return Err(Refusal::invalid(format_args!(
            "p is {p} and maxNorm is {most}; p is above 0, and maxNorm is at least 0"
        )));
    }
    let out = call.output(to).like(&input)?.shaped(input.shape())?;
    let split = Split::new(input.shape(), dim);
    let mut computed = Computed::new(&[Some(input)], &[Some(out)], limit);
    computed.sizes = [split.size, split.inner, 0, 0, 0, 0];
    computed.numbers = [p, most, 0.0];
    computed.plan(call)
}

wide! {
    fn limit(computed: &Computed<f32>, numbers: Numbers<'_, f32>) {
        let [size, inner, ..] = computed.sizes;
        let [p, most, _] = computed.numbers;
        let [elements, ..] = numbers.inputs;
        let [results, ..] = numbers.outs;
        for part in 0..size {
            let lines = || elements.chunks(inner).skip(part).step_by(size);
            let length = if p == 2.0 && inner >= CHUNK {
                lines().map(|line| squares(line, 0.0)).sum::<f64>().sqrt()
            } else {
                norm(lines().flatten().copied().map(f64::from), p)
            };
            let factor = if length > most {
                most / (length + 1e-7)
            } else {
                1.0
            };
            let results = results.chunks_mut(inner).skip(part).step_by(size);
            for (results, line) in results.zip(lines()) {
                for (result, one) in results.iter_mut().zip(line) {
                    // CAST: rounded once.
                    *result = (f64::from(*one) * factor) as f32;
                }
            }
        }
    }
}

/// `aclnnMoeFinalizeRoutingV2(expandedX, expandedRowIdx, x1Optional, x2Optional, biasOptional, scalesOptional,
/// expertIdxOptional, dropPadMode, out)`, and `aclnnMoeFinalizeRouting`, which has no `dropPadMode` and where only `x2` is optional:
/// `x1 + x2` and the rows of each token, each with the bias of its expert and times its scale. The rows of a token are behind each
/// other in modes 2 and 3. In modes 1 and 3 the rows are those of experts, as many for each one, and -1 stands for none.
/// `aclnnMoeFinalizeRoutingV3` has ranges of experts that are no rows: they give nothing, the token, or a constant beside it.
fn finalize(call: &Call) -> Result<Plan, Refusal> {
    let is_first = call.has("expandedExpertIdx");
    let mode = if is_first {
        0
    } else {
        call.whole("dropPadMode")?
    };
    if !(0..=3).contains(&mode) {
        return Err(Refusal::invalid(format_args!(
            "dropPadMode is {mode}; it is 0 to 3"
        )));
    }
    let (is_padded, is_by_token) = (mode % 2 == 1, mode >= 2);
    let rank = if is_padded { 3 } else { 2 };
    let input = call.input("expandedX").of(SINGLE).ranked(rank..=rank)?;
    let places = call.input("expandedRowIdx").of(types!(s32)).ranked(1..=1)?;
    let width = at(input.shape(), rank - 1);
    let given = |name| -> Result<Option<Input>, Refusal> {
        match call.optional_input(name)? {
            Some(one) => Ok(Some(one.like(&input)?.ranked(2..=2)?)),
            None => Ok(None),
        }
    };
    let [first, scale, bias, experts] = match is_first {
        true => ["x1", "scales", "bias", "expandedExpertIdx"],
        false => [
            "x1Optional",
            "scalesOptional",
            "biasOptional",
            "expertIdxOptional",
        ],
    };
    let scales = match call.optional_input(scale)? {
        Some(one) if input.dtype() == ACL_BF16 => Some(one.of(types!(bf16 f32))?.ranked(2..=2)?),
        _ => given(scale)?,
    };
    let choices = scales.map_or(1, |scales| at(scales.shape(), 1));
    let rows = places.elements() / choices.max(1);
    let out = call.output("out").like(&input)?.shaped(&[rows, width])?;
    let added = [given(first)?, given("x2Optional")?];
    for one in added.into_iter().flatten() {
        let _ = one.shaped(&[rows, width])?;
    }
    if let Some(scales) = scales {
        let _ = scales.shaped(&[rows, choices])?;
    }
    let experts = match call.optional_input(experts)? {
        Some(experts) => Some(experts.of(types!(s32)).shaped(&[rows, choices])?),
        None => None,
    };
    let bias = match given(bias)? {
        Some(bias) if experts.is_some() => Some(bias.shaped(&[at(bias.shape(), 0), width])?),
        Some(_) => return Err(Refusal::null("expertIdxOptional")),
        None => None,
    };
    let special = match call.has("zeroExpertRange") {
        true => Special::new(call, &input, experts.is_some(), [rows, width])?,
        false => Special::default(),
    };
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let read = |input: &Input| views.input(input).all::<f64>();
        let elements = read(&input);
        let order = views.input(&places).all::<Whole>();
        let factors = scales.as_ref().map(read);
        let chosen = experts
            .as_ref()
            .map(|experts| views.input(experts).all::<Whole>());
        let biases = bias.as_ref().map(read);
        let [tokens, shares, others, constants] = special
            .tensors
            .map(|one| one.as_ref().map_or(Vec::new(), read));
        let mut results = vec![0.0; rows * width];
        for one in added.iter().flatten() {
            for (result, one) in results.iter_mut().zip(read(one)) {
                *result += one;
            }
        }
        for (token, sums) in results.chunks_mut(width).enumerate() {
            for choice in 0..choices {
                let index = token * choices + choice;
                let place = at(
                    &order,
                    if is_by_token {
                        index
                    } else {
                        choice * rows + token
                    },
                );
                if is_padded && place == Whole(-1) {
                    continue;
                }
                let factor = factors.as_ref().map_or(1.0, |factors| at(factors, index));
                let expert = chosen
                    .as_ref()
                    .map_or(Whole(-1), |chosen| at(chosen, index));
                let part = |numbers: &[f64], row: usize, column| at(numbers, row * width + column);
                match special.kind(expert) {
                    Some((0, _)) => continue,
                    Some((1, _)) => {
                        for (column, sum) in sums.iter_mut().enumerate() {
                            *sum += factor * part(&tokens, token, column);
                        }
                    }
                    Some((_, own)) => {
                        for (column, sum) in sums.iter_mut().enumerate() {
                            let constant =
                                part(&others, own, column) * part(&constants, own, column);
                            let one = part(&shares, own, column) * part(&tokens, token, column);
                            *sum += factor * (one + constant);
                        }
                    }
                    None => {
                        let row = views.below_in(&places, place, input.elements() / width);
                        let row = row.and_then(|row| elements.get(row * width..(row + 1) * width));
                        for (sum, one) in sums.iter_mut().zip(row.unwrap_or_default()) {
                            *sum += factor * one;
                        }
                    }
                }
                let (Some(bias), Some(biases), Some(experts)) = (&bias, &biases, &experts) else {
                    continue;
                };
                let expert = views.below_in(experts, expert, at(bias.shape(), 0));
                let row = expert.and_then(|row| biases.get(row * width..(row + 1) * width));
                for (sum, one) in sums.iter_mut().zip(row.unwrap_or_default()) {
                    *sum += factor * one;
                }
            }
        }
        views.output(&out).put_all(&results);
    })
}

/// Ranges of experts that have no rows: those that give nothing, the token, and a constant beside it. The tensors are the tokens, and
/// the share of the token, the share of the constant, and the constant of each expert of the last range.
#[derive(Default, Clone, Copy)]
struct Special {
    ranges: [[i64; 2]; 3],
    tensors: [Option<Input>; 4],
}

impl Special {
    fn new(
        call: &Call,
        input: &Input,
        has_experts: bool,
        [rows, width]: [usize; 2],
    ) -> Result<Self, Refusal> {
        let mut special = Self::default();
        let names = ["zeroExpertRange", "copyExpertRange", "constantExpertRange"];
        for (range, name) in special.ranges.iter_mut().zip(names) {
            *range = match *call.ints(name)? {
                [] => continue,
                [first, end] if (0..end).contains(&first) => [first, end],
                _ => return Err(Refusal::invalid(format_args!("{name} is no range"))),
            };
        }
        let [_, copies, constants] = special.ranges;
        let names = ["xOptional", "alpha1Optional", "alpha2Optional", "vOptional"];
        let count = usize::try_from(constants[1] - constants[0]).unwrap_or(0);
        for (index, (tensor, name)) in special.tensors.iter_mut().zip(names).enumerate() {
            let shape = [if index == 0 { rows } else { count }, width];
            *tensor = match call.optional_input(name)? {
                Some(one) => Some(one.like(input)?.shaped(&shape)?),
                None => None,
            };
            // Tokens are needed for two ranges, and the other tensors for the last one.
            let is_used = count > 0 || (index == 0 && copies[1] > 0);
            if tensor.is_none() && is_used {
                return Err(Refusal::null(name));
            }
        }
        if special.tensors[0].is_some() && !has_experts {
            return Err(Refusal::null("expertIdxOptional"));
        }
        Ok(special)
    }

    /// Returns the range of an expert, and its place there.
    fn kind(&self, expert: Whole) -> Option<(usize, usize)> {
        let Whole(expert) = expert;
        let has = |range: &[i64; 2]| (range[0]..range[1]).contains(&expert);
        let kind = self.ranges.iter().position(has)?;
        let first = self.ranges.get(kind)?[0];
        Some((kind, usize::try_from(expert - first).ok()?))
    }
}
