//! Ranks, counts and places in sorted tensors.

use super::super::along::in_numbers;
use super::super::computed::{Computed, Numbers};
use super::super::select::compare;
use crate::op::call::{Call, Input, Output};
use crate::op::define::definitions;
use crate::op::dtype::{Kind, NUMBERS, Types, kind, types};
use crate::op::number::{Number, Whole};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, Split, at, count, dimension, put};
use crate::op::view::Views;

definitions! {
    aclnnKthvalue = ranked;
    aclnnMedian = ranked;
    aclnnMedianDim = ranked;
    aclnnNanMedian = ranked;
    aclnnNanMedianDim = ranked;
    aclnnBincount = counts;
    aclnnHistc = histogram;
    aclnnSearchSorted = |call: &Call| places(call, "sortedSequence");
    aclnnSearchSorteds = |call: &Call| places(call, "sortedSequence");
    aclnnBucketize = |call: &Call| places(call, "boundaries");
}

/// The element of a row that is chosen.
#[derive(Debug, Clone, Copy)]
enum Choice {
    /// That of this rank, which counts from 0.
    Rank(usize),
    /// The lower one of both in the middle, or NaN if there is one.
    Middle,
    /// The lower one of both in the middle of the numbers.
    MiddleOfNumbers,
}

/// A checked operator.
#[derive(Debug, Clone, Copy)]
struct Row {
    input: Input,
    values: Output,
    places: Option<Output>,
    split: Split,
    choice: Choice,
}

/// `aclnnKthvalue(self, k, dim, keepdim, valuesOut, indicesOut)`, `aclnnMedianDim(self, dim, keepDim, valuesOut, indicesOut)`,
/// `aclnnMedian(self, valuesOut)`, and the medians of numbers alone. NaN is the largest number.
fn ranked(call: &Call) -> Result<Plan, Refusal> {
    let input = call
        .input("self")
        .of(types!(f32 f16 bf16 f64 s8 s16 s32 s64 u8))?;
    let name = if call.has("valuesOut") {
        "valuesOut"
    } else {
        "out"
    };
    let values = call.output(name).like(&input)?;
    let mut shape = Vec::new();
    let split = if call.has("dim") {
        let dim = dimension("dim", call.whole("dim")?, input.shape().len())?;
        let keeps = call.flag(if call.has("keepdim") {
            "keepdim"
        } else {
            "keepDim"
        })?;
        for (index, size) in input.shape().iter().enumerate() {
            if index != dim {
                shape.push(*size);
            } else if keeps {
                shape.push(1);
            }
        }
        Split::new(input.shape(), dim)
    } else {
        Split::new(&[input.elements()], 0)
    };
    let values = values.shaped_or_one(&shape)?;
    let places = match call.has("indicesOut") {
        true => Some(call.output("indicesOut").of(types!(s64)).shaped(&shape)?),
        false => None,
    };
    let choice = if call.has("k") {
        let k = call.whole("k")?;
        let rank = usize::try_from(k).ok().and_then(|k| k.checked_sub(1));
        let rank = rank
            .filter(|rank| *rank < split.size)
            .ok_or_else(|| Refusal::invalid(format_args!("k is {k}; it is 1 to {}", split.size)))?;
        Choice::Rank(rank)
    } else if call.operator().starts_with("aclnnNan") {
        Choice::MiddleOfNumbers
    } else {
        Choice::Middle
    };
    if values.elements() == 0 || split.size == 0 {
        return Ok(call.nothing());
    }
    let row = Row {
        input,
        values,
        places,
        split,
        choice,
    };
    call.plan_boxed(in_numbers!(input.dtype(), W => Box::new(move |views| row.run::<W>(views))))
}

impl Row {
    fn run<W: Number>(&self, views: &Views<'_>) {
        let elements = views.input(&self.input).all::<W>();
        let (mut values, mut places) = (Vec::new(), Vec::new());
        let mut sorted = Vec::with_capacity(self.split.size);
        for row in self.split.rows() {
            sorted.clear();
            let mut numbers = 0;
            for index in 0..self.split.size {
                let one = at(&elements, row + index * self.split.inner);
                numbers += usize::from(!one.is_nan());
                sorted.push((one, index));
            }
            let rank = match self.choice {
                Choice::Rank(rank) => rank,
                Choice::Middle if numbers < self.split.size => numbers,
                Choice::Middle | Choice::MiddleOfNumbers => numbers.saturating_sub(1) / 2,
            };
            // Of equal elements the first one comes first.
            let (_, found, _) = sorted.select_nth_unstable_by(rank, |one, other| {
                compare(one.0, other.0).then(one.1.cmp(&other.1))
            });
            let (value, index) = *found;
            values.push(value);
            // CAST: an index is far below the limit.
            places.push(Whole(index as i64));
        }
        views.output(&self.values).put_all(&values);
        if let Some(out) = &self.places {
            views.output(out).put_all(&places);
        }
    }
}

/// `aclnnBincount(self, weights, minlength, out)`: how often each number comes, or the sum of its weights.
fn counts(call: &Call) -> Result<Plan, Refusal> {
    let input = call
        .input("self")
        .of(types!(s8 s16 s32 s64 u8))
        .ranked(1..=1)?;
    let weights = call.optional_input("weights")?;
    let out = call
        .output("out")
        .of(types!(s32 s64 f32 f64))
        .ranked(1..=1)?;
    let least = count("minlength", call.whole("minlength")?)?;
    if let Some(weights) = weights {
        let _ = weights.shaped(input.shape())?;
    }
    if out.elements() < least {
        return Err(Refusal::invalid(format_args!(
            "out {:?} has less than minlength {least} elements",
            out.shape()
        )));
    }
    if weights.is_none() && out.elements() > 0 {
        return call.plan(move |views| {
            let view = views.input(&input);
            // SAFETY: the kernel writes the output below, after the last use of these elements.
            let elements = unsafe { view.numbers::<Whole>() };
            let mut results = vec![Whole(0); out.elements()];
            for one in &*elements {
                let place = one.below(results.len());
                if let Some(result) = place.and_then(|place| results.get_mut(place)) {
                    result.0 += 1;
                }
            }
            views.output(&out).put_all(&results);
        });
    }
    Computed::new(&[Some(input), weights], &[Some(out)], |_, numbers| {
        let [elements, weights, ..] = numbers.inputs;
        let [results, ..] = numbers.outs;
        for (one, weight) in elements.iter().zip(weights) {
            add(results, *one, *weight);
        }
    })
    .plan(call)
}

/// Adds to the element at an index, if there is one.
fn add(results: &mut [f64], index: f64, weight: f64) {
    if index >= 0.0 {
        // CAST: an index; one that is too large has no element.
        let index = index as usize;
        let before = at(results, index);
        put(results, index, before + weight);
    }
}

/// `aclnnHistc(self, bins, min, max, out)`: equal limits stand for the smallest and the largest element.
fn histogram(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("self").of(NUMBERS)?;
    let bins = count("bins", call.whole("bins")?)?;
    let out = call.output("out").of(NUMBERS).shaped(&[bins])?;
    let limits = [call.scalar("min")?.to_f64(), call.scalar("max")?.to_f64()];
    if bins == 0 || limits[0] > limits[1] {
        return Err(Refusal::invalid(format_args!(
            "bins is {bins}, min is {}, and max is {}",
            limits[0], limits[1]
        )));
    }
    let mut computed = Computed::new(&[Some(input)], &[Some(out)], |computed, numbers| {
        let [elements, ..] = numbers.inputs;
        let [results, ..] = numbers.outs;
        let [mut least, mut most, _] = computed.numbers;
        if least == most {
            least = elements.iter().copied().fold(f64::INFINITY, f64::min);
            most = elements.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        }
        if least == most {
            (least, most) = (least - 1.0, most + 1.0);
        }
        // CAST: a number of bins, which is exact.
        let bins = results.len() as f64;
        for one in elements {
            if *one >= least && *one <= most {
                let bin = ((one - least) / (most - least) * bins).floor();
                add(results, bin.min(bins - 1.0), 1.0);
            }
        }
    });
    computed.numbers = [limits[0], limits[1], 0.0];
    computed.plan(call)
}

/// The types that are compared with sorted ones.
const SORTED: Types = types!(f32 f16 bf16 s8 s16 s32 s64 u8);

/// `aclnnSearchSorted(sortedSequence, self, outInt32, right, sorter, out)`, `aclnnSearchSorteds` with a number of the host, and
/// `aclnnBucketize(self, boundaries, outInt32, right, out)`: where each element would stand.
fn places(call: &Call, name: &str) -> Result<Plan, Refusal> {
    let sorted = call.input(name).of(SORTED)?;
    let out = call.output("out");
    let is_short = call.flag("outInt32")?;
    let out = out.of(if is_short { types!(s32) } else { types!(s64) })?;
    let number = call.scalar("self").ok();
    let input = match number {
        Some(_) => None,
        None => Some(call.input("self").of(SORTED)?),
    };
    let sorter = match call.has("sorter") {
        true => call.optional_input("sorter")?,
        false => None,
    };
    if let Some(sorter) = sorter {
        let _ = sorter.of(types!(s64)).shaped(sorted.shape())?;
    }
    let shape = input.as_ref().map_or(&[][..], Input::shape);
    let (length, outer) = sorted.shape().split_last().unwrap_or((&1, &[]));
    let rows = shape.split_last().map_or(&[][..], |(_, rows)| rows);
    if !outer.is_empty() && outer != rows {
        return Err(Refusal::invalid(format_args!(
            "self {shape:?} and {name} {:?} differ in front of the last dimension",
            sorted.shape()
        )));
    }
    let out = out.shaped(shape)?;
    let width = match outer.is_empty() {
        true => out.elements(),
        false => shape.last().copied().unwrap_or(1),
    };
    let inputs = [Some(sorted), input, sorter];
    let mut computed = Computed::new(&inputs, &[Some(out)], find);
    computed.sizes = [
        *length,
        width.max(1),
        usize::from(call.flag("right")?),
        0,
        0,
        0,
    ];
    computed.numbers = [number.map_or(0.0, |one| one.to_f64()), 0.0, 0.0];
    computed.plan(call)
}

fn find(computed: &Computed, numbers: Numbers<'_>) {
    let [length, width, is_right, ..] = computed.sizes;
    let [sorted, elements, sorter, ..] = numbers.inputs;
    let [results, ..] = numbers.outs;
    for (index, result) in results.iter_mut().enumerate() {
        let one = elements.get(index).copied().unwrap_or(computed.numbers[0]);
        let first = index / width * length;
        let of = |place: usize| {
            // CAST: an index of the sorted elements.
            let place = sorter
                .get(first + place)
                .map_or(place, |place| *place as usize);
            at(sorted, first + place)
        };
        let (mut low, mut high) = (0, length);
        while low < high {
            let middle = low.midpoint(high);
            let other = of(middle);
            if other < one || (is_right > 0 && other == one) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        // CAST: an index, which is exact.
        *result = low as f64;
    }
}
