//! The window of a layer that slides over images, and the layers that treat each channel by itself.

use rten_simd::ops::NumOps;
use rten_simd::{Isa, SimdOp};

use super::act::Act;
use super::map::{Map, Room, lines};
use super::product::LANES;
use crate::graph::Node;
use crate::own::call::Call;
use crate::own::control::{Scope, Values};
use crate::own::window;

/// A window along the rows or the columns of images.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    size: usize,
    pub(super) out: usize,
    pub(super) taps: usize,
    pub(super) stride: usize,
    pub(super) gap: usize,
    before: i64,
}

impl Axis {
    /// A dimension that the images lack.
    pub(super) const ONE: Axis = Axis {
        size: 1,
        out: 1,
        taps: 1,
        stride: 1,
        gap: 1,
        before: 0,
    };

    /// Returns the place of the first tap in the image, which can lie in front of it.
    pub(super) fn first(self, out: usize) -> i64 {
        (out * self.stride) as i64 - self.before
    }

    /// Returns the place of a tap, if it is in the image.
    pub(super) fn place(self, out: usize, tap: usize) -> Option<usize> {
        let at = usize::try_from(self.first(out) + (tap * self.gap) as i64);
        at.ok().filter(|at| *at < self.size)
    }

    /// Returns the pixels in front of the image that windows reach, and the size of the image with all that they reach.
    pub(super) fn frame(self) -> Option<(usize, usize)> {
        let before = usize::try_from(self.before).ok()?;
        let reached = self.out.checked_sub(1)? * self.stride + (self.taps - 1) * self.gap + 1;
        Some((before, reached.max(before + self.size)))
    }

    /// Returns whether each position of the window is one pixel, in order.
    pub(super) fn is_plain(self) -> bool {
        self.taps == 1 && self.stride == 1 && self.before == 0 && self.out == self.size
    }
}

/// Returns the windows of a node along the rows and columns of images. `kernel` has as many sizes as the value has dimensions
/// with a window.
pub(super) fn axes(
    node: &Node,
    version: i64,
    image: &Map,
    kernel: &[usize],
) -> Result<[Axis; 2], String> {
    if kernel.len() + 2 != image.rank {
        return Err(format!("its window has {} dimensions", kernel.len()));
    }
    let values = Values::default();
    let scope = Scope {
        values: &values,
        outer: None,
        plans: None,
    };
    let call = Call {
        node,
        version,
        inputs: Vec::new(),
        scope: &scope,
    };
    let [_, h, w, _] = image.shape;
    let sizes = &[h, w][2 - kernel.len()..];
    let window = window(&call, sizes, kernel)?;
    let mut axes = [Axis::ONE; 2];
    for (at, axis) in axes.iter_mut().skip(2 - kernel.len()).enumerate() {
        *axis = Axis {
            size: sizes[at],
            out: window.output[at],
            taps: kernel[at],
            stride: window.steps[at],
            gap: window.gaps[at],
            before: window.before[at],
        };
    }
    Ok(axes)
}

/// What is computed of the numbers under a window, for each channel.
#[derive(Debug, Clone)]
pub(super) enum Each {
    /// The sum of the numbers times the weights of their taps, and a bias. Both have lanes of channels.
    Weighted {
        weights: Vec<f32>,
        bias: Vec<f32>,
        channels: usize,
    },
    Most,
    /// The mean of the numbers, those outside of the image as 0 or passed over.
    Mean {
        counts_outside: bool,
    },
}

/// The numbers under the window of a pixel.
struct Taps<'a> {
    /// The place of each pixel that is in the image, and the number of the tap.
    taps: &'a [(usize, usize)],
    image: &'a [f32],
    each: &'a Each,
    by: f32,
    to: &'a mut [f32],
}

/// The vectors of channels that are computed at the same time.
const BLOCK: usize = 4;

impl SimdOp for Taps<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(mut self, isa: I) {
        let ops = isa.f32();
        let lanes = ops.len();
        let step = self.to.len();
        let mut first = 0;
        while first + BLOCK * lanes <= step {
            self.channels::<I, BLOCK>(isa, first, step);
            first += BLOCK * lanes;
        }
        while first + lanes <= step {
            self.channels::<I, 1>(isa, first, step);
            first += lanes;
        }
    }
}

impl Taps<'_> {
    #[inline(always)]
    fn channels<I: Isa, const WIDE: usize>(&mut self, isa: I, first: usize, step: usize) {
        let ops = isa.f32();
        let lanes = ops.len();
        let mut all = match self.each {
            Each::Weighted { bias, .. } => ops.load_many::<WIDE>(&bias[first..]),
            Each::Most => [ops.splat(f32::NEG_INFINITY); WIDE],
            Each::Mean { .. } => [ops.zero(); WIDE],
        };
        for (place, tap) in self.taps {
            let from = ops.load_many::<WIDE>(&self.image[place + first..]);
            match self.each {
                Each::Weighted { weights, .. } => {
                    let by = ops.load_many::<WIDE>(&weights[tap * step + first..]);
                    for ((to, from), by) in all.iter_mut().zip(from).zip(by) {
                        *to = ops.mul_add(from, by, *to);
                    }
                }
                Each::Most => {
                    for (to, from) in all.iter_mut().zip(from) {
                        *to = ops.max(*to, from);
                    }
                }
                Each::Mean { .. } => {
                    for (to, from) in all.iter_mut().zip(from) {
                        *to = ops.add(*to, from);
                    }
                }
            }
        }
        let by = ops.splat(self.by);
        for (at, one) in all.into_iter().enumerate() {
            let one = match self.each {
                Each::Mean { .. } => ops.mul(one, by),
                _ => one,
            };
            ops.store(one, &mut self.to[first + at * lanes..][..lanes]);
        }
    }
}

/// Slides a window over each channel of images.
pub(super) fn slide(room: &mut Room, image: &Map, axes: [Axis; 2], each: &Each, act: Act) -> Map {
    let [n, h, w, c] = image.shape;
    let [rows, columns] = axes;
    let mut result = Map::new(room, [n, rows.out, columns.out, c], image.rank);
    let step = result.step;
    let widened;
    let image = match image.step == step {
        true => image.all(),
        false => {
            let mut wide = vec![0.0; n * h * w * step];
            let pixels = wide.chunks_exact_mut(step);
            for (to, from) in pixels.zip(image.all().chunks_exact(image.step)) {
                to[..c].copy_from_slice(&from[..c]);
            }
            widened = wide;
            &widened
        }
    };
    let whole = rows.taps * columns.taps;
    let line = columns.out * step;
    lines(result.all_mut(), line, whole, &|number, line| {
        let (picture, y) = (number / rows.out, number % rows.out);
        let mut taps = Vec::with_capacity(whole);
        for (x, to) in line.chunks_exact_mut(step).enumerate() {
            taps.clear();
            for ky in 0..rows.taps {
                let Some(iy) = rows.place(y, ky) else {
                    continue;
                };
                for kx in 0..columns.taps {
                    if let Some(ix) = columns.place(x, kx) {
                        let place = ((picture * h + iy) * w + ix) * step;
                        taps.push((place, ky * columns.taps + kx));
                    }
                }
            }
            let count = match each {
                Each::Mean {
                    counts_outside: true,
                } => whole,
                _ => taps.len(),
            };
            Taps {
                taps: &taps,
                image,
                each,
                by: 1.0 / count as f32,
                to,
            }
            .dispatch();
        }
        act.apply(line);
    });
    result
}

/// Returns the mean or the most of each channel of each image.
pub(super) fn global(room: &mut Room, image: &Map, is_mean: bool, rank: usize) -> Map {
    let [n, h, w, c] = image.shape;
    let mut result = Map::new(room, [n, 1, 1, c], rank);
    let (step, area) = (image.step, h * w);
    let start = if is_mean { 0.0 } else { f32::NEG_INFINITY };
    let line = result.step;
    lines(result.all_mut(), line, area, &|number, line| {
        line.fill(start);
        let pixels = image.all()[number * area * step..][..area * step].chunks_exact(step);
        for pixel in pixels {
            for (to, one) in line[..c].iter_mut().zip(pixel) {
                *to = if is_mean { *to + one } else { to.max(*one) };
            }
        }
        if is_mean {
            line.iter_mut().for_each(|one| *one /= area as f32);
        }
    });
    result
}

/// Makes numbers for taps of lanes of channels from those of the taps of each channel.
pub(super) fn by_taps(channels: usize, taps: usize, numbers: &[f32]) -> Vec<f32> {
    let step = channels.next_multiple_of(LANES);
    let mut all = vec![0.0; taps * step];
    for channel in 0..channels {
        for tap in 0..taps {
            all[tap * step + channel] = numbers[channel * taps + tap];
        }
    }
    all
}
