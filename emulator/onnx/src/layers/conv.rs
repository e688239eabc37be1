//! Convolutions over all channels, and dense layers, which are convolutions of one pixel.

use std::ops::Range;

use rten_simd::ops::NumOps;
use rten_simd::{Isa, SimdOp};

use super::act::Act;
use super::map::{Map, Room};
use super::product::{Beside, CHUNK, LANES, Packed, Product, Row, Source};
use super::window::Axis;

/// The filters of a convolution.
pub(super) struct Filters {
    /// Those of each group. A group here is several ones of the node, with zeros in between, if theirs do not fill lanes.
    groups: Vec<Packed>,
    /// The channels of images in a group.
    given: usize,
    /// The channels of all groups.
    pub(super) channels: [usize; 2],
    taps: [usize; 2],
    /// Whether there are zeros between groups, which make no number of what is not finite in another group.
    pub(super) has_zeros: bool,
}

impl Filters {
    /// Packs filters as ONNX has them.
    pub(super) fn new(
        shape: &[usize],
        groups: usize,
        weights: &[f32],
        bias: &[f32],
    ) -> Option<Filters> {
        let (results, given) = (*shape.first()?, *shape.get(1)?);
        let taps = match shape[2..] {
            [] => [1, 1],
            [w] => [1, w],
            [h, w] => [h, w],
            _ => return None,
        };
        let area = taps[0] * taps[1];
        if groups == 0
            || results % groups != 0
            || results * given * area == 0
            || weights.len() != results * given * area
            || bias.len() != results
        {
            return None;
        }
        let each = results / groups;
        let joined = (1..=groups)
            .find(|some| groups.is_multiple_of(*some) && (each * some).is_multiple_of(LANES));
        let joined = joined.unwrap_or(groups);
        let pack = |group: usize| {
            let first = group * joined * each;
            let bias = &bias[first..first + joined * each];
            let length = area * joined * given;
            Packed::new(length, bias, |row, column| {
                let (tap, channel) = (row / (joined * given), row % (joined * given));
                if channel / given != column / each {
                    return 0.0;
                }
                let filter = (first + column) * given + channel % given;
                weights[filter * area + tap]
            })
        };
        Some(Filters {
            groups: (0..groups / joined).map(pack).collect(),
            given: joined * given,
            channels: [groups * given, results],
            taps,
            has_zeros: joined > 1,
        })
    }

    /// Convolves images. `beside` is added to the result before the function `act`; it has the same shape and distances.
    pub(super) fn run(
        &self,
        room: &mut Room,
        image: &Map,
        axes: [Axis; 2],
        (beside, act): (Option<&Map>, Act),
    ) -> Map {
        let [rows, columns] = axes;
        let shape = [image.shape[0], rows.out, columns.out, self.channels[1]];
        let mut result = Map::new(room, shape, image.rank);
        let (pixels, step) = (result.pixels(), result.step);
        // Pixels next to each other are one run of numbers if nothing is between them.
        let is_joined = image.step == self.given
            && columns.gap == 1
            && self.taps[1] * self.given <= CHUNK
            && self.taps[1] > 1;
        let (run, taps) = match is_joined {
            true => (self.taps[1] * self.given, self.taps[0]),
            false => (self.given, self.taps[0] * self.taps[1]),
        };
        let chunks = chunks(run, taps);
        let is_plain = rows.is_plain() && columns.is_plain();
        // A number under a window that is needed for one panel only would be copied as often as it is used.
        let is_narrow = self.groups.iter().all(|one| one.columns <= 2 * LANES);
        // A frame can be much larger than the image and the result, where padding and strides or gaps are large.
        let [_, h, w, _] = image.shape;
        let is_near = |rows: usize, columns: usize| {
            rows.checked_mul(columns)
                .is_some_and(|all| all <= 4 * h * w)
        };
        let framed = match (rows.frame(), columns.frame()) {
            (Some(rows), Some(columns)) if is_narrow && !is_plain && is_near(rows.1, columns.1) => {
                Some(image.framed(room, [rows, columns]))
            }
            _ => None,
        };
        for (number, packed) in self.groups.iter().enumerate() {
            let under = Under {
                image: framed.as_ref().unwrap_or(image),
                axes,
                run,
                is_joined,
                is_plain,
                first: number * self.given,
            };
            let runs = under.runs();
            let source = match framed.is_some() {
                true => Source::InPlace {
                    numbers: under.image.all(),
                    places: &|pixel, to| under.places(pixel, to),
                    runs: &runs,
                    run,
                },
                false => Source::Gathered {
                    chunks: &chunks,
                    gather: &|pixel, chunk, to| under.gather(pixel, chunk, to),
                },
            };
            let first = number * packed.columns;
            let product = Product {
                packed,
                pixels,
                source,
                beside: beside.map(|one| Beside {
                    data: &one.all()[first..],
                    step: one.step,
                }),
                act,
            };
            if pixels > 0 {
                product.run(&mut result.all_mut()[first..], step);
            }
        }
        if let Some(framed) = framed {
            room.put(framed.data);
        }
        result
    }

    /// Multiplies each result by a number and adds another one.
    pub(super) fn scale(&mut self, of: &dyn Fn(usize) -> (f32, f32)) {
        let mut first = 0;
        for packed in &mut self.groups {
            packed.scale(&|at| of(first + at));
            first += packed.columns;
        }
    }

    /// Returns the number of multiplications for a pixel of the result.
    pub(super) fn work(&self) -> usize {
        self.taps[0] * self.taps[1] * self.given * self.channels[1]
    }
}

/// Returns the parts of the numbers under a window: several runs, or a part of one.
fn chunks(run: usize, taps: usize) -> Vec<Range<usize>> {
    let all = run * taps;
    let each = match run <= CHUNK {
        true => CHUNK / run * run,
        false => run.div_ceil(run.div_ceil(CHUNK)),
    };
    let ends = |first: usize| {
        let end = if run <= CHUNK {
            all
        } else {
            (first / run + 1) * run
        };
        (first + each).min(end)
    };
    let mut chunks = Vec::new();
    let mut first = 0;
    while first < all {
        chunks.push(first..ends(first));
        first = ends(first);
    }
    chunks
}

/// The numbers under a window, in the order of the filters.
struct Under<'a> {
    image: &'a Map,
    axes: [Axis; 2],
    /// The numbers that are next to each other, if their pixels are in the image.
    run: usize,
    /// Whether a run is a row of the window, and not one of its taps.
    is_joined: bool,
    is_plain: bool,
    /// The first channel.
    first: usize,
}

impl Under<'_> {
    /// Returns the places of the runs under a window, behind its first number.
    fn runs(&self) -> Vec<usize> {
        let [rows, columns] = self.axes;
        let wide = if self.is_joined { 1 } else { columns.taps };
        let place = |ky: usize, kx: usize| ky * rows.gap * self.image.shape[2] + kx * columns.gap;
        let all = (0..rows.taps).flat_map(|ky| (0..wide).map(move |kx| (ky, kx)));
        all.map(|(ky, kx)| place(ky, kx) * self.image.step)
            .collect()
    }

    /// Writes the places of the first numbers under the windows of pixels of the result, in an image with its frame.
    fn places(&self, pixel: usize, to: &mut [usize]) {
        let [rows, columns] = self.axes;
        let [_, h, w, _] = self.image.shape;
        let (mut line, mut x) = (pixel / columns.out, pixel % columns.out);
        let of_line = |line: usize| line / rows.out * h + line % rows.out * rows.stride;
        let mut first = of_line(line) * w;
        for to in to {
            *to = (first + x * columns.stride) * self.image.step + self.first;
            x += 1;
            if x == columns.out {
                (line, x) = (line + 1, 0);
                first = of_line(line) * w;
            }
        }
    }

    /// Writes a part of what is under the window of pixels of the result.
    fn gather(&self, pixel: usize, chunk: &Range<usize>, to: &mut [Row]) {
        let step = self.image.step;
        if self.is_plain {
            let pixels = self.image.all()[pixel * step..].chunks(step);
            for (to, pixel) in to.iter_mut().zip(pixels) {
                let from = &pixel[self.first + chunk.start..self.first + chunk.end];
                to[..chunk.len()].copy_from_slice(from);
            }
            return;
        }
        let wide = if self.is_joined { 1 } else { self.axes[1].taps };
        let (mut tap, mut inner) = (chunk.start / self.run, chunk.start % self.run);
        let mut at = 0;
        while at < chunk.len() {
            let len = (self.run - inner).min(chunk.len() - at);
            let tap_of = Tap {
                under: self,
                pixel,
                tap: [tap / wide, tap % wide],
                inner,
                place: at..at + len,
                to: &mut *to,
            };
            tap_of.dispatch();
            at += len;
            (tap, inner) = (tap + 1, 0);
        }
    }
}

/// What is under a tap of the window of pixels of the result.
struct Tap<'a> {
    under: &'a Under<'a>,
    /// The first pixel.
    pixel: usize,
    /// The row and the column of the tap.
    tap: [usize; 2],
    /// The first channel in the group.
    inner: usize,
    /// The columns of the rows that are written.
    place: Range<usize>,
    to: &'a mut [Row],
}

impl SimdOp for Tap<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let Under { image, axes, .. } = self.under;
        let ([rows, columns], [ky, kx]) = (*axes, self.tap);
        let [_, h, w, _] = image.shape;
        let (all, step) = (image.all(), image.step);
        let line = |picture: usize, y: usize| {
            let line = rows.place(y, ky).map(|iy| (picture * h + iy) * w * step);
            line.and_then(|first| all.get(first..first + w * step))
        };
        let (number, mut x) = (self.pixel / columns.out, self.pixel % columns.out);
        let (mut picture, mut y) = (number / rows.out, number % rows.out);
        let len = self.place.len();
        let (is_joined, channel) = (self.under.is_joined, self.under.first + self.inner);
        // Where the numbers of a pixel of the result begin in the line, and how many pixels or numbers there have to be.
        let first = |x: usize| columns.first(x) + (kx * columns.gap) as i64;
        let is_inside = |x: usize| {
            let end = first(x) * step as i64 + if is_joined { len } else { step } as i64;
            first(x) >= 0 && end <= (w * step) as i64
        };
        let whole = len.next_multiple_of(ops.len());
        let mut rest = self.to;
        while !rest.is_empty() {
            let end = columns.out.min(x + rest.len());
            let (some, others) = rest.split_at_mut(end - x);
            rest = others;
            let start = (x..end).find(|x| is_inside(*x)).unwrap_or(end);
            let stop = (start..end)
                .rfind(|x| is_inside(*x))
                .map_or(start, |x| x + 1);
            let line = line(picture, y);
            for (to, x) in some.iter_mut().zip(x..) {
                if line.is_none() || x < start || x >= stop {
                    let to = &mut to[self.place.clone()];
                    match line.filter(|_| is_joined) {
                        Some(line) => cut(to, line, first(x) * step as i64),
                        None => to.fill(0.0),
                    }
                }
            }
            if let Some(line) = line {
                let mut from = usize::try_from(first(start)).unwrap_or(0) * step + channel;
                for to in &mut some[start - x..stop - x] {
                    // Columns behind the place are written later, or not read.
                    let to = &mut to[self.place.start..self.place.start + whole];
                    match line.get(from..from + whole) {
                        Some(from) => {
                            let lanes = from.chunks_exact(ops.len());
                            for (to, from) in to.chunks_exact_mut(ops.len()).zip(lanes) {
                                ops.store(ops.load(from), to);
                            }
                        }
                        None => to[..len].copy_from_slice(&line[from..from + len]),
                    }
                    from += columns.stride * step;
                }
            }
            (x, y) = (0, y + 1);
            if y == rows.out {
                (y, picture) = (0, picture + 1);
            }
        }
    }
}

/// Copies a part of a line that begins at `first`; outside of the line it is 0.
fn cut(to: &mut [f32], line: &[f32], first: i64) {
    for (at, to) in to.iter_mut().enumerate() {
        let from = usize::try_from(first + at as i64).ok();
        *to = from.and_then(|from| line.get(from)).copied().unwrap_or(0.0);
    }
}
