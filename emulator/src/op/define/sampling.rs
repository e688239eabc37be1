//! Places between the elements of images and volumes, which grids and boxes name: what is there is a sum of the elements
//! around it, with weights.

#[cfg(feature = "training")]
use super::convolution::sizes;
use crate::op::call::{Call, Input};
use crate::op::dtype::Types;
use crate::op::real::Real;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count, joined, put};

/// The elements around a place: their offsets in the image, their weights, and the slopes of these along each coordinate. Where
/// there are fewer than `N`, the others are outside of any image: a loop over so many needs no branch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<W, const N: usize> {
    pub(super) offsets: [usize; N],
    pub(super) weights: [W; N],
    pub(super) slopes: [[W; N]; 3],
}

/// The elements around a place along one dimension, their weights, and the slopes of the weights. A dimension has at most four.
type Taps = ([(f64, f64, f64); 4], usize);

/// What is behind the ends of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ends {
    Zeros,
    Border,
    Reflection,
}

/// How a place gets its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Linear,
    Nearest,
    Cubic,
}

/// A grid of places in the images of a batch: `(input, grid, interpolationMode, paddingMode, alignCorners, ..)`.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    pub(super) input: Input,
    pub(super) places: Input,
    /// The sizes of an image, outermost first.
    sizes: Vec<usize>,
    /// The sizes of the result of an image.
    extent: Vec<usize>,
    way: Way,
    ends: Ends,
    is_aligned: bool,
}

impl Grid {
    /// Checks a grid in images of `dims` dimensions; `ways` is the number of modes that the operator has.
    pub(super) fn new(call: &Call, dims: usize, types: Types, ways: i64) -> Result<Self, Refusal> {
        let rank = dims + 2;
        let input = call.input("input").of(types).ranked(rank..=rank)?;
        let places = call.input("grid").like(&input).ranked(rank..=rank)?;
        let (mode, padding) = (call.whole("interpolationMode")?, call.whole("paddingMode")?);
        let way = match mode {
            0 => Way::Linear,
            1 => Way::Nearest,
            2 if ways > 2 => Way::Cubic,
            _ => {
                return Err(Refusal::invalid(format_args!(
                    "interpolationMode is {mode}; it is below {ways}"
                )));
            }
        };
        let ends = match padding {
            0 => Ends::Zeros,
            1 => Ends::Border,
            2 => Ends::Reflection,
            _ => {
                return Err(Refusal::invalid(format_args!(
                    "paddingMode is {padding}; it is 0, 1 or 2"
                )));
            }
        };
        let sizes = input.shape().get(2..).unwrap_or_default().to_vec();
        let extent = places.shape().get(1..=dims).unwrap_or_default().to_vec();
        let is_whole =
            at(input.shape(), 0) == at(places.shape(), 0) && sizes.iter().all(|size| *size > 0);
        if !is_whole || at(places.shape(), dims + 1) != dims {
            return Err(Refusal::invalid(format_args!(
                "grid {:?} does not fit input {:?}: it has the batch of the input, and {dims} numbers for each place",
                places.shape(),
                input.shape()
            )));
        }
        let is_aligned = call.flag("alignCorners")?;
        Ok(Self {
            input,
            places,
            sizes,
            extent,
            way,
            ends,
            is_aligned,
        })
    }

    /// Returns the shape of the result.
    pub(super) fn shape(&self) -> Vec<usize> {
        let front = self.input.shape().get(..2).unwrap_or_default();
        joined(front, &self.extent)
    }

    /// Returns the largest number of elements around a place.
    pub(super) fn most_near(&self) -> usize {
        let along: usize = match self.way {
            Way::Linear => 2,
            Way::Nearest => 1,
            Way::Cubic => 4,
        };
        along.pow(if self.sizes.len() > 2 { 3 } else { 2 })
    }

    /// Returns whether places get numbers by cubic curves.
    #[cfg(feature = "more-operators")]
    pub(super) fn is_cubic(&self) -> bool {
        self.way == Way::Cubic
    }

    /// Calls a function for each block of places, with the number of its batch, the number of its first place in the result of an
    /// image, and the at most `N` elements around each place. A kernel goes through a block for each channel.
    pub(super) fn each<W: Real, const N: usize>(
        &self,
        places: &[W],
        visit: &mut dyn FnMut(usize, usize, &[Place<W, N>]),
    ) {
        /// The number of places whose elements stay in the first-level cache.
        const BLOCK: usize = 64;
        let dims = self.sizes.len().max(1);
        let count = self.extent.iter().product::<usize>().max(1);
        let mut around = Vec::with_capacity(BLOCK);
        for (batch, places) in places.chunks(dims * count).enumerate() {
            for (block, places) in places.chunks(dims * BLOCK).enumerate() {
                around.clear();
                for place in places.chunks(dims) {
                    around.push(self.around(place));
                }
                visit(batch, block * BLOCK, &around);
            }
        }
    }

    /// Returns the elements around a place.
    fn around<W: Real, const N: usize>(&self, place: &[W]) -> Place<W, N> {
        let dims = self.sizes.len();
        let none = Place {
            offsets: [usize::MAX; N],
            weights: [W::ZERO; N],
            slopes: [[W::ZERO; N]; 3],
        };
        let (mut near, mut count) = (none, 1);
        put(&mut near.offsets, 0, 0);
        put(&mut near.weights, 0, W::real(1.0));
        // The last coordinate of a place is that of the first dimension.
        for (dim, (size, coordinate)) in self.sizes.iter().zip(place.iter().rev()).enumerate() {
            let (taps, taken) = self.taps(*size, coordinate.double());
            let (before, known) = (near, count);
            (near, count) = (none, 0);
            for index in 0..known {
                let weight = at(&before.weights, index);
                for (position, own, slope) in taps.iter().take(taken) {
                    // CAST: sizes of images, which are exact.
                    if !(0.0..*size as f64).contains(position) {
                        continue;
                    }
                    // CAST: a position in an image.
                    let offset = at(&before.offsets, index) * size + *position as usize;
                    put(&mut near.offsets, count, offset);
                    put(&mut near.weights, count, weight * W::real(*own));
                    let slopes = near.slopes.iter_mut().zip(&before.slopes).enumerate();
                    for (along, (to, from)) in slopes.take(dims) {
                        let one = match along + dim + 1 == dims {
                            true => weight * W::real(*slope),
                            false => at(from, index) * W::real(*own),
                        };
                        put(to, count, one);
                    }
                    count += 1;
                }
            }
        }
        near
    }

    /// Returns the elements along a dimension that a coordinate from -1 to 1 is between.
    fn taps(&self, size: usize, coordinate: f64) -> Taps {
        // CAST: sizes of images, which are exact.
        let size = size as f64;
        let (place, step) = if self.is_aligned {
            ((coordinate + 1.0) / 2.0 * (size - 1.0), (size - 1.0) / 2.0)
        } else {
            (((coordinate + 1.0) * size - 1.0) / 2.0, size / 2.0)
        };
        let none = (0.0, 0.0, 0.0);
        if self.way == Way::Cubic {
            let first = place.floor();
            let weights = curve(place - first);
            let mut index = -1.0;
            let taps = weights.map(|weight| {
                let (position, _) = self.ended(first + index, size);
                index += 1.0;
                (position, weight, 0.0)
            });
            return (taps, 4);
        }
        let (place, slope) = self.ended(place, size);
        if self.way == Way::Nearest {
            return ([(place.round_ties_even(), 1.0, 0.0), none, none, none], 1);
        }
        let first = place.floor();
        let (part, step) = (place - first, slope * step);
        let taps = [
            (first, 1.0 - part, -step),
            (first + 1.0, part, step),
            none,
            none,
        ];
        (taps, 2)
    }

    /// Returns the place in the image that stands for one behind its ends, and the slope of this place.
    fn ended(&self, place: f64, size: f64) -> (f64, f64) {
        let (place, slope) = match self.ends {
            Ends::Zeros => return (place, 1.0),
            Ends::Border => (place, 1.0),
            Ends::Reflection if self.is_aligned => reflected(place, 0.0, size - 1.0),
            Ends::Reflection => reflected(place, -0.5, size),
        };
        if place <= 0.0 {
            (0.0, 0.0)
        } else if place >= size - 1.0 {
            (size - 1.0, 0.0)
        } else {
            (place, slope)
        }
    }
}

/// Reflects a place at both ends of a span, as often as it takes.
fn reflected(place: f64, first: f64, span: f64) -> (f64, f64) {
    if span == 0.0 {
        return (0.0, 0.0);
    }
    let distance = (place - first).abs();
    let sign = if place < first { -1.0 } else { 1.0 };
    let (rest, times) = (distance % span, (distance / span).floor());
    if times % 2.0 == 0.0 {
        (rest + first, sign)
    } else {
        (span - rest + first, -sign)
    }
}

/// Returns the weights of the four elements around a place, by the curve of PyTorch and of CANN.
fn curve(part: f64) -> [f64; 4] {
    const A: f64 = -0.75;
    let near = |x: f64| ((A + 2.0) * x - (A + 3.0)) * x * x + 1.0;
    let far = |x: f64| ((A * x - 5.0 * A) * x + 8.0 * A) * x - 4.0 * A;
    [
        far(part + 1.0),
        near(part),
        near(1.0 - part),
        far(2.0 - part),
    ]
}

/// How the numbers of a box come from an image: the sizes of both, the scale of coordinates, the number of places along a bin,
/// and whether the centers of elements are at halves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Boxes {
    pub(super) image: [usize; 2],
    pub(super) bins: [usize; 2],
    scale: f64,
    ratio: usize,
    is_aligned: bool,
    /// Whether a bin gets its largest number, and not the mean.
    pub(super) is_largest: bool,
}

/// The largest number of places along a bin: more would be in an image of more elements than there are.
const MOST: f64 = 1024.0;

impl Boxes {
    /// Checks the attributes, whose names are those of the height, of the width, and of the number of places.
    pub(super) fn new(call: &Call, names: [&str; 2], image: [usize; 2]) -> Result<Self, Refusal> {
        let [height, width] = names.map(|name| call.whole(name).and_then(|size| count(name, size)));
        let (scale, ratio) = (call.floating("spatialScale")?, call.whole("samplingRatio")?);
        let boxes = Self {
            image,
            bins: [height?, width?],
            scale,
            ratio: count("samplingRatio", ratio)?,
            is_aligned: call.has("aligned") && call.flag("aligned")?,
            is_largest: false,
        };
        // CAST: the largest number of places is exact.
        if boxes.ratio > MOST as usize {
            return Err(Refusal::invalid(format_args!(
                "samplingRatio is {ratio}; it is 0 to {MOST}"
            )));
        }
        if boxes.scale > 0.0 && boxes.bins.iter().all(|size| *size > 0) {
            return Ok(boxes);
        }
        Err(Refusal::invalid(format_args!(
            "spatialScale is {scale}, and a box gets {:?} numbers; all are above 0",
            boxes.bins
        )))
    }

    /// Calls a function for each number of a box, with its index, the elements around its places, and their number up to the end of
    /// each place. A box is its left, upper, right and lower end.
    pub(super) fn each(
        &self,
        ends: &[f64],
        visit: &mut dyn FnMut(usize, &[(usize, f64)], &[usize]),
    ) {
        let offset = if self.is_aligned { 0.5 } else { 0.0 };
        let edge = |index: usize| at(ends, index) * self.scale - offset;
        let start = [edge(1), edge(0)];
        let least = if self.is_aligned { f64::MIN } else { 1.0 };
        let extent = [
            (edge(3) - edge(1)).max(least),
            (edge(2) - edge(0)).max(least),
        ];
        let mut steps = [0.0; 2];
        let mut places = [self.ratio; 2];
        for (dim, place) in places.iter_mut().enumerate() {
            // CAST: numbers of bins, which are exact.
            let step = at(&extent, dim) / at(&self.bins, dim) as f64;
            if let Some(one) = steps.get_mut(dim) {
                *one = step;
            }
            if *place == 0 {
                // CAST: a number of places, which is below the limit.
                *place = step.ceil().clamp(0.0, MOST) as usize;
            }
        }
        let [rows, columns] = places;
        let share = match self.is_largest {
            true => 1.0,
            // CAST: a number of places, which is exact.
            false => 1.0 / (rows * columns).max(1) as f64,
        };
        let [height, width] = self.image;
        let (mut near, mut behind) = (Vec::new(), Vec::new());
        for bin in 0..self.bins.iter().product() {
            let [row, column] = [
                bin / at(&self.bins, 1).max(1),
                bin % at(&self.bins, 1).max(1),
            ];
            near.clear();
            behind.clear();
            for index in 0..rows * columns {
                let along = |dim: usize, bin: usize, index: usize, count: usize| {
                    // CAST: numbers of bins and of places, which are exact.
                    let part = bin as f64 + (index as f64 + 0.5) / count as f64;
                    at(&start, dim) + part * at(&steps, dim)
                };
                let down = along(0, row, index / columns, rows);
                let across = along(1, column, index % columns, columns);
                for (line, weight) in between(down, height).into_iter().flatten() {
                    for (place, other) in between(across, width).into_iter().flatten() {
                        near.push((line * width + place, weight * other * share));
                    }
                }
                behind.push(near.len());
            }
            visit(bin, &near, &behind);
        }
    }
}

/// Returns the two elements around a place along a dimension, with their weights. One that is more than an element outside of
/// the image has none.
fn between(place: f64, size: usize) -> [Option<(usize, f64)>; 2] {
    // CAST: sizes of images, which are exact.
    if !(-1.0..=size as f64).contains(&place) || size == 0 {
        return [None; 2];
    }
    let place = place.max(0.0);
    // CAST: a position in an image.
    let first = place as usize;
    if first >= size - 1 {
        return [Some((size - 1, 1.0)), None];
    }
    let part = place.fract();
    [Some((first, 1.0 - part)), Some((first + 1, part))]
}

/// Reads the shape of images among the parameters.
#[cfg(feature = "training")]
pub(super) fn images(call: &Call, name: &str) -> Result<Vec<usize>, Refusal> {
    sizes(call, name, &[4], 4)
}
