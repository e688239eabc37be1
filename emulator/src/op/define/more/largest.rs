//! The largest elements of windows and where they stand, and elements that go back to these places.

use ascendcl_sys::{ACL_DOUBLE, ACL_FLOAT};

use super::super::convolution::sizes;
use super::super::index::ONE;
use super::super::weighted::fill_singles;
use super::resize::{axes, volumes};
use crate::op::call::{Call, Input, Output};
use crate::op::define::definitions;
use crate::op::dtype::{FLOATING, REAL, SINGLE, types};
use crate::op::moves::{Mover, NOWHERE, Part};
use crate::op::number::{Number, Whole};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, joined, put};
use crate::op::view::Views;

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
    let (outer, own) = input.shape().split_at(input.shape().len() - dims);
    // No places are made for sizes that the output does not have, or for tensors without elements.
    let out = out.shaped(&joined(outer, &wanted))?;
    if out.elements() == 0 || input.elements() == 0 {
        indices.shaped(out.shape())?;
        return Ok(call.nothing());
    }
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
    let axes = axes(call, &input, ["kernelSize", "stride", "padding"], &dilation)?;
    let (outer, _) = input.shape().split_at(input.shape().len() - 3);
    let wanted = Vec::from_iter(axes.iter().map(|axis| axis.out));
    let out = out.shaped(&joined(outer, &wanted))?;
    if out.elements() == 0 {
        indices.shaped(out.shape())?;
        return Ok(call.nothing());
    }
    let mut places = Vec::with_capacity(3);
    for axis in axes {
        let mut along = Vec::with_capacity(axis.out);
        for index in 0..axis.out {
            let under = axis.taps(index).filter_map(|tap| axis.at(index, tap));
            along.push(Vec::from_iter(under));
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
    let found: fn(&Views<'_>, &Input, [&Output; 2], Windows<'_>) = match input.dtype() {
        ACL_DOUBLE => store_largest::<f64>,
        _ => store_largest::<f32>,
    };
    call.plan(move |views| {
        let windows = Windows {
            places: &places,
            own: &own,
            position: 0,
            under: Vec::new(),
            ends: Vec::new(),
        };
        found(views, &input, [&out, &indices], windows);
    })
}

/// The windows of an image, a group at a time. They are the same in each image.
struct Windows<'p> {
    /// The places along each dimension, and the size of an image in it.
    places: &'p [Places],
    own: &'p [usize],
    /// The first window behind the group.
    position: usize,
    /// The places under the windows of the group, one window after the other, and the number of them up to the end of each.
    under: Vec<usize>,
    ends: Vec<usize>,
}

/// From so many places on a group gets no more windows.
const GROUP: usize = 1 << 16;

impl Windows<'_> {
    /// Goes on to the next group, and returns the number of its first window. Behind the last group there is an empty one.
    fn advance(&mut self) -> usize {
        self.under.clear();
        self.ends.clear();
        let (first, count) = (self.position, self.count());
        while self.position < count && self.under.len() < GROUP {
            // One dimension after the other.
            let (mut under, mut left) = (vec![0], self.position);
            let mut behind = count;
            for (along, size) in self.places.iter().zip(self.own) {
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
            self.under.extend_from_slice(&under);
            self.ends.push(self.under.len());
            self.position += 1;
        }
        first
    }

    fn count(&self) -> usize {
        self.places.iter().map(Vec::len).product()
    }
}

fn store_largest<W: Number>(
    views: &Views<'_>,
    input: &Input,
    [out, indices]: [&Output; 2],
    mut windows: Windows<'_>,
) {
    let view = views.input(input);
    // SAFETY: the kernel writes the outputs below, after the last use of these elements.
    let elements = unsafe { view.numbers::<W>() };
    let mut values = vec![W::ZERO; out.elements()];
    let mut found = vec![Whole(0); out.elements()];
    let (whole, count) = (windows.own.iter().product(), windows.count());
    loop {
        let first = windows.advance();
        if windows.ends.is_empty() {
            break;
        }
        for (index, image) in elements.chunks(whole).enumerate() {
            let mut begin = 0;
            for (window, end) in windows.ends.iter().enumerate() {
                let under = windows.under.get(begin..*end).unwrap_or_default();
                begin = *end;
                let (mut best, mut most) = (at(under, 0), at(image, at(under, 0)));
                for place in under {
                    let one = at(image, *place);
                    // A choice without a branch: which element is the largest is hard to foretell.
                    let is_better = (one > most) | (one.is_nan() & !most.is_nan());
                    best = if is_better { *place } else { best };
                    most = if is_better { one } else { most };
                }
                let place = index * count + first + window;
                put(&mut values, place, most);
                // CAST: a place is far below the limit.
                put(&mut found, place, Whole(best as i64));
            }
        }
    }
    views.output(out).put_all(&values);
    views.output(indices).put_all(&found);
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
    if out.dtype() == ACL_FLOAT {
        return call.plan(move |views| {
            let (numbers, places) = (views.input(&input), views.input(&indices));
            // SAFETY: `fill_singles` writes where no operand has memory, or behind the last use of these elements.
            let numbers = unsafe { numbers.numbers::<f32>() };
            // SAFETY: as above.
            let places = unsafe { places.numbers::<Whole>() };
            fill_singles(views, &out, &[input.slot, indices.slot], |results| {
                for (plane, results) in results.chunks_mut(to.max(1)).enumerate() {
                    results.fill(0.0);
                    let own = plane * from..(plane + 1) * from;
                    let numbers = numbers.get(own.clone()).unwrap_or_default();
                    let places = places.get(own).unwrap_or_default();
                    for (number, place) in numbers.iter().zip(places) {
                        let place = views.below(*place, to);
                        if let Some(result) = place.and_then(|place| results.get_mut(place)) {
                            *result = *number;
                        }
                    }
                }
            });
        });
    }
    call.plan(move |views| {
        let indices = views.input(&indices).all::<Whole>();
        Mover::of_bits(views, 0, &out).part(&Part::filled(&out));
        let (image, offsets) = (&out.tensor.shape, &out.tensor.strides);
        let is_plain = out.tensor.is_contiguous();
        let mut places = Vec::with_capacity(indices.len());
        let mut offsets_of_input = input.tensor.shape.offsets(input.tensor.strides);
        for (plane, indices) in indices.chunks(from.max(1)).enumerate() {
            for (one, offset) in indices.iter().zip(&mut offsets_of_input) {
                let Some(place) = views.below(*one, to) else {
                    continue;
                };
                let place = plane * to + place;
                let place = match is_plain {
                    true => Some(place),
                    false => image.offset(offsets, place),
                };
                places.push([offset, place.unwrap_or(NOWHERE)]);
            }
        }
        Mover::new(views, &input, &out).blocks(&[[0; 2]], &places, &ONE);
    })
}

#[cfg(test)]
mod tests {
    use super::{GROUP, Windows};

    #[test]
    fn windows_come_in_groups_of_few_places() {
        // 17 windows beside 17, each with 100 x 100 places.
        let along = vec![Vec::from_iter(0..100); 17];
        let places = [along.clone(), along];
        let mut windows = Windows {
            places: &places,
            own: &[100, 100],
            position: 0,
            under: Vec::new(),
            ends: Vec::new(),
        };
        let mut count = 0;
        loop {
            assert_eq!(windows.advance(), count);
            if windows.ends.is_empty() {
                break;
            }
            assert!(windows.under.len() < GROUP + 10_000);
            count += windows.ends.len();
        }
        assert_eq!(count, 17 * 17);
    }
}
