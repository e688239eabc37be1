//! The largest elements of windows and where they stand, and elements that go back to these places.

use super::super::convolution::sizes;
use super::resize::{axes, volumes};
use crate::op::call::{Call, Input, Output};
use crate::op::define::definitions;
use crate::op::dtype::{FLOATING, REAL, SINGLE, types};
use crate::op::number::Whole;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, joined, put};

definitions! {
    aclnnAdaptiveMaxPool2d = |call: &Call| blocks(call, 2);
    aclnnAdaptiveMaxPool3d = |call: &Call| blocks(call, 3);
    aclnnMaxPool3dWithArgmax = windows;
    aclnnMaxUnpool2d = back;
    aclnnMaxUnpool3d = back;
}

/// The places of the input under each place of a window, along one dimension.
type Places = Vec<Vec<usize>>;

/// `aclnnAdaptiveMaxPool2d(self, outputSize, outputOut, indicesOut)` and `aclnnAdaptiveMaxPool3d`
fn blocks(call: &Call, dims: usize) -> Result<Plan, Refusal> {
    let input = call.input("self").of(FLOATING)?;
    let out = call.output("outputOut").like(&input)?;
    let indices = call.output("indicesOut").of(types!(s32 s64))?;
    let input = input.ranked(dims + 1..=dims + 2)?;
    let wanted = sizes(call, "outputSize", &[dims], dims)?;
    let (_, own) = input.shape().split_at(input.shape().len() - dims);
    let mut places = Vec::with_capacity(dims);
    for (size, parts) in own.iter().zip(&wanted) {
        let mut along = Vec::with_capacity(*parts);
        for index in 0..*parts {
            along.push(Vec::from_iter(
                index * size / parts..((index + 1) * size).div_ceil(*parts),
            ));
        }
        places.push(along);
    }
    planned(call, input, [out, indices], places)
}

/// `aclnnMaxPool3dWithArgmax(self, kernelSize, stride, padding, dilation, ceilMode, out, indices)`
fn windows(call: &Call) -> Result<Plan, Refusal> {
    let (input, out) = volumes(call, SINGLE)?;
    let indices = call.output("indices").of(types!(s32))?;
    let dilation = sizes(call, "dilation", &[1, 3], 3)?;
    let mut places = Vec::with_capacity(3);
    for axis in axes(call, &input, ["kernelSize", "stride", "padding"], &dilation)? {
        let mut along = Vec::with_capacity(axis.out);
        for index in 0..axis.out {
            let mut under = Vec::with_capacity(axis.kernel);
            for tap in 0..axis.kernel {
                under.extend(axis.at(index, tap));
            }
            along.push(under);
        }
        places.push(along);
    }
    planned(call, input, [out, indices], places)
}

/// Plans to find the largest element under each place of a window, and its index in the last dimensions.
fn planned(
    call: &Call,
    input: Input,
    [out, indices]: [Output; 2],
    places: Vec<Places>,
) -> Result<Plan, Refusal> {
    let (outer, own) = input.shape().split_at(input.shape().len() - places.len());
    let mut shape = outer.to_vec();
    for along in &places {
        shape.push(along.len());
    }
    let (out, indices) = (out.shaped(&shape)?, indices.shaped(&shape)?);
    let whole = own.iter().product::<usize>();
    if out.elements() == 0 || whole == 0 {
        return Ok(call.nothing());
    }
    let own = own.to_vec();
    call.plan(move |views| {
        let (mut values, mut found) = (Vec::new(), Vec::new());
        for image in views.input(&input).all::<f64>().chunks(whole) {
            let count: usize = places.iter().map(Vec::len).product();
            for position in 0..count {
                // The places under the window, one dimension after the other.
                let (mut under, mut left) = (vec![0], position);
                let mut behind = count;
                for (along, size) in places.iter().zip(&own) {
                    behind /= along.len();
                    let mut next = Vec::with_capacity(under.len());
                    for place in under {
                        for one in along.get(left / behind).into_iter().flatten() {
                            next.push(place * size + one);
                        }
                    }
                    under = next;
                    left %= behind;
                }
                let mut best = at(&under, 0);
                for place in under {
                    let (one, most) = (at(image, place), at(image, best));
                    if one > most || (one.is_nan() && !most.is_nan()) {
                        best = place;
                    }
                }
                values.push(at(image, best));
                // CAST: a place is far below the limit.
                found.push(Whole(best as i64));
            }
        }
        views.output(&out).put_all(&values);
        views.output(&indices).put_all(&found);
    })
}

/// `aclnnMaxUnpool2d(self, indices, outputSize, out)` and `aclnnMaxUnpool3d(self, indices, outputSize, stride, padding, outRef)`:
/// zeros, and the elements at the places that the indices name.
fn back(call: &Call) -> Result<Plan, Refusal> {
    let (dims, name) = match call.has("outRef") {
        true => (3, "outRef"),
        false => (2, "out"),
    };
    let input = call.input("self").of(REAL)?;
    let indices = call.input("indices").of(types!(s32 s64))?;
    let out = call.output(name).like(&input)?;
    let input = input.ranked(dims + 1..=dims + 2)?;
    let indices = indices.shaped(input.shape())?;
    let wanted = sizes(call, "outputSize", &[dims], dims)?;
    let (outer, own) = input.shape().split_at(input.shape().len() - dims);
    let out = out.shaped(&joined(outer, &wanted))?;
    let (from, to) = (
        own.iter().product::<usize>(),
        wanted.iter().product::<usize>(),
    );
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let places = views.input(&indices).all::<Whole>();
        let mut results = vec![0; out.elements()];
        for (index, bits) in views.input(&input).all_bits().into_iter().enumerate() {
            if let Some(place) = views.below(at(&places, index), to) {
                put(&mut results, index / from.max(1) * to + place, bits);
            }
        }
        views.output(&out).put_all_bits(&results);
    })
}
