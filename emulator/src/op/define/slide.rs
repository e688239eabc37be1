//! The window of a convolution that slides over images: its results, and their gradient by the filters.

use core::ops::Range;

use super::convolution::Axis;
use super::shape::Positions;
use crate::op::product::{Matrix, MatrixMut, add_row, multiply_alone, multiply_matrices};
use crate::op::rule::{at, put};
use crate::sync::cores::fill;
use crate::wide::wide;

/// A window that slides over images with three dimensions; missing ones have size 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slide {
    pub(super) axes: [Axis; 3],
    /// The channels of the input and of the output in a group.
    pub(super) channels: [usize; 2],
    /// Whether the window slides along the output.
    pub(super) is_transposed: bool,
}

/// Elements next to each other along the last dimension: the number of their row in the matrix of columns, their first
/// position of the window, their first place in the image, and how many they are.
struct Run {
    row: usize,
    place: usize,
    image: usize,
    len: usize,
}

/// The number of elements of the matrix of columns that are made at a time: they stay in the caches.
const COLUMNS: usize = 1 << 17;

/// The number of filters for a channel up to which no matrix is worth its copy.
const FEW: usize = 4;

/// The number of multiplications for which another thread is worth its start.
const GRAIN: usize = 4 << 20;

/// Some positions of the window in an image, and the place of their results.
struct Strip<'a> {
    image: &'a [f32],
    filters: &'a [f32],
    places: Range<usize>,
    sums: MatrixMut<'a>,
}

/// The number of results that are made at the same time.
const CHUNK: usize = 8;

wide! {
    /// Adds to each result the elements of some lines under the window, each times its tap. The window begins `before` elements
    /// in front of a line.
    fn add_lines(sums: &mut [f32], lines: &[(&[f32], [f32; 3])], before: usize) {
        let size = lines.first().map_or(0, |(line, _)| line.len());
        let end = (size + before).saturating_sub(2).min(sums.len());
        let (first, mut done) = (before.min(end), 0);
        while done < sums.len() {
            // Between the ends of the lines all taps have elements.
            let chunk = sums.get_mut(done..done + CHUNK);
            if let Some(chunk) = chunk.and_then(|chunk| chunk.first_chunk_mut::<CHUNK>())
                && done >= first
                && done + CHUNK <= end
            {
                let mut results = *chunk;
                for (line, taps) in lines {
                    for (tap, from) in taps.iter().zip(done - before..) {
                        let from = line.get(from..).and_then(<[f32]>::first_chunk::<CHUNK>);
                        let Some(from) = from else { continue };
                        for (result, one) in results.iter_mut().zip(from) {
                            *result = one.mul_add(*tap, *result);
                        }
                    }
                }
                *chunk = results;
                done += CHUNK;
                continue;
            }
            let mut result = sums.get(done).copied().unwrap_or(0.0);
            for (line, taps) in lines {
                for (tap, place) in taps.iter().zip(done..) {
                    let one = place.checked_sub(before).and_then(|place| line.get(place));
                    if let Some(one) = one {
                        result = one.mul_add(*tap, result);
                    }
                }
            }
            put(sums, done, result);
            done += 1;
        }
    }
}

impl Slide {
    /// The elements of an image, the positions of the window, and the elements of a filter, of one channel.
    fn extents(&self) -> [usize; 3] {
        let product = |of: fn(&Axis) -> usize| self.axes.iter().map(of).product::<usize>();
        [
            product(|axis| axis.size),
            product(|axis| axis.out),
            product(|axis| axis.kernel),
        ]
    }

    /// Returns `len` results without a bias.
    pub(super) fn run(&self, input: &[f32], weight: &[f32], len: usize) -> Vec<f32> {
        let [given, results] = self.channels;
        let [size, places, taps] = self.extents();
        // The window slides along the larger of the two images: along the output if the convolution is transposed.
        let (from, to) = if self.is_transposed {
            (places, size)
        } else {
            (size, places)
        };
        let mut all = vec![0.0; len];
        let images = input.chunks((given * from).max(1));
        let mut parts = Vec::new();
        for (index, (image, sums)) in images
            .zip(all.chunks_mut((results * to).max(1)))
            .enumerate()
        {
            let len = given * results * taps;
            let first = index * len % weight.len().max(1);
            let filters = weight.get(first..first + len).unwrap_or_default();
            parts.push((image, filters, sums));
        }
        let each = given * results * taps;
        if self.is_transposed {
            for (image, filters, sums) in parts {
                self.spread(image, filters, sums);
            }
        } else if given == 1 && results <= FEW {
            fill(&mut parts, GRAIN / (each * places).max(1), &|_, parts| {
                for (image, filters, sums) in parts {
                    self.slide(image, filters, sums);
                }
            });
        } else {
            let most = (COLUMNS / (given * taps).max(1)).max(64);
            let mut strips = Vec::new();
            for (image, filters, sums) in parts {
                let mut rest = MatrixMut::new(sums, [results, places]);
                for first in (0..places).step_by(most) {
                    let places = first..places.min(first + most);
                    let Some((sums, others)) = rest.and_then(|rest| rest.split(places.len()))
                    else {
                        break;
                    };
                    rest = Some(others);
                    strips.push(Strip {
                        image,
                        filters,
                        places,
                        sums,
                    });
                }
            }
            fill(
                &mut strips,
                GRAIN / (each * most.min(places)).max(1),
                &|_, strips| {
                    let mut room = Vec::new();
                    for strip in strips {
                        self.strip(strip, taps, &mut room);
                    }
                },
            );
        }
        all
    }

    /// Computes some results as the product of the filters and a matrix of columns: one for each position of the window.
    fn strip(&self, strip: &mut Strip<'_>, taps: usize, room: &mut Vec<f32>) {
        let [given, results] = self.channels;
        let filters = Matrix::new(strip.filters, [results, given * taps]);
        let columns = self.columns(strip.image, given, strip.places.clone(), room);
        if let Some((filters, columns)) = filters.zip(columns) {
            multiply_alone(filters, columns, &mut strip.sums, false);
        }
    }

    /// Returns the matrix with a column for each of these positions of the window: the elements under it.
    fn columns<'a>(
        &self,
        image: &'a [f32],
        channels: usize,
        places: Range<usize>,
        room: &'a mut Vec<f32>,
    ) -> Option<Matrix<'a>> {
        let [size, _, taps] = self.extents();
        if self.axes.iter().all(|axis| axis.is_plain()) {
            return Matrix::new(image, [channels, size])?.columns(places);
        }
        let len = places.len();
        room.clear();
        room.resize(channels * taps * len, 0.0);
        let stride = self.axes[2].stride;
        self.runs(channels, places.clone(), &mut |run| {
            let to = run.row * len + run.place - places.start;
            let to = room.get_mut(to..to + run.len).unwrap_or_default();
            let from = image.get(run.image..).unwrap_or_default();
            if stride == 1 {
                for (to, one) in to.iter_mut().zip(from) {
                    *to = *one;
                }
            } else {
                for (to, one) in to.iter_mut().zip(from.iter().step_by(stride)) {
                    *to = *one;
                }
            }
        });
        Matrix::new(room, [channels * taps, len])
    }

    /// Returns the gradient by the `len` filters, which lie as those of [`run`](Self::run): for each position of the window the
    /// products of the elements under it and of the other image.
    #[cfg(feature = "training")]
    pub(super) fn by_filters(&self, input: &[f32], gradient: &[f32], len: usize) -> Vec<f32> {
        let [given, results] = self.channels;
        let [size, places, taps] = self.extents();
        let (small, large, channels) = match self.is_transposed {
            true => (input, gradient, [given, results]),
            false => (gradient, input, [results, given]),
        };
        let mut all = vec![0.0; len];
        let (each, mut room) = (given * results * taps, Vec::new());
        let most = (COLUMNS / (channels[1] * taps).max(1)).max(64);
        let images = small.chunks((channels[0] * places).max(1));
        let images = images.zip(large.chunks((channels[1] * size).max(1)));
        for (index, (small, large)) in images.enumerate() {
            let first = index * each % len.max(1);
            let sums = all.get_mut(first..first + each).unwrap_or_default();
            let sums = MatrixMut::new(sums, [channels[0], channels[1] * taps]);
            let small = Matrix::new(small, [channels[0], places]);
            let Some((mut sums, small)) = sums.zip(small) else {
                continue;
            };
            for first in (0..places).step_by(most) {
                let places = first..places.min(first + most);
                let small = small.columns(places.clone());
                let columns = self.columns(large, channels[1], places, &mut room);
                if let Some((small, columns)) = small.zip(columns) {
                    multiply_matrices(small, columns.transposed(), &mut sums, true);
                }
            }
        }
        all
    }

    /// Computes the results of one channel: each element of a filter is a factor for a row of it.
    fn slide(&self, image: &[f32], filters: &[f32], sums: &mut [f32]) {
        let places = sums.len() / self.channels[1].max(1);
        let taps = filters.len() / self.channels[1].max(1);
        let Axis {
            kernel,
            stride,
            dilation,
            ..
        } = self.axes[2];
        for (filter, sums) in filters
            .chunks(taps.max(1))
            .zip(sums.chunks_mut(places.max(1)))
        {
            if (kernel, stride, dilation) == (3, 1, 1) {
                self.slide_lines(image, filter.as_chunks().0, sums);
                continue;
            }
            self.runs(1, 0..places, &mut |run| {
                let factor = at(filter, run.row);
                let sums = sums
                    .get_mut(run.place..run.place + run.len)
                    .unwrap_or_default();
                let from = image.get(run.image..).unwrap_or_default();
                if stride == 1 {
                    add_row(sums, from, factor);
                } else {
                    for (sum, one) in sums.iter_mut().zip(from.iter().step_by(stride)) {
                        *sum += one * factor;
                    }
                }
            });
        }
    }

    /// Computes the results of one channel line by line, for a filter whose lines have three elements.
    fn slide_lines(&self, image: &[f32], filter: &[[f32; 3]], sums: &mut [f32]) {
        let [depth, height, width] = self.axes;
        let mut lines = Vec::with_capacity(filter.len());
        for (line, sums) in sums.chunks_mut(width.out.max(1)).enumerate() {
            lines.clear();
            for (row, taps) in filter.iter().enumerate() {
                let (d, h) = (row / height.kernel, row % height.kernel);
                let z = depth.at(line / height.out, d);
                let Some((z, y)) = z.zip(height.at(line % height.out, h)) else {
                    continue;
                };
                let first = (z * height.size + y) * width.size;
                lines.push((
                    image.get(first..first + width.size).unwrap_or_default(),
                    *taps,
                ));
            }
            add_lines(sums, &lines, width.before);
        }
    }

    /// Computes the results of a transposed convolution: the columns are a product, and each is added to the elements under
    /// the window.
    fn spread(&self, image: &[f32], filters: &[f32], sums: &mut [f32]) {
        let [given, results] = self.channels;
        let places = image.len() / given.max(1);
        let rows = filters.len() / given.max(1);
        let mut columns = vec![0.0; rows * places];
        let out = MatrixMut::new(&mut columns, [rows, places]);
        let factors = Matrix::new(filters, [given, rows]).zip(Matrix::new(image, [given, places]));
        if let (Some((filters, image)), Some(mut out)) = (factors, out) {
            multiply_matrices(filters.transposed(), image, &mut out, false);
        }
        let stride = self.axes[2].stride;
        self.runs(results, 0..places, &mut |run| {
            let from = run.row * places + run.place;
            let from = columns.get(from..from + run.len).unwrap_or_default();
            let sums = sums.get_mut(run.image..).unwrap_or_default();
            if stride == 1 {
                add_row(sums.get_mut(..run.len).unwrap_or_default(), from, 1.0);
            } else {
                for (sum, one) in sums.iter_mut().step_by(stride).zip(from) {
                    *sum += one;
                }
            }
        });
    }

    /// Calls a function for the elements under the window at these positions.
    fn runs(&self, channels: usize, places: Range<usize>, visit: &mut dyn FnMut(Run)) {
        let [depth, height, width] = self.axes;
        let mut row = 0;
        let shape = [channels, depth.kernel, height.kernel, width.kernel];
        let mut positions = Positions::new(&shape);
        while let Some(position) = positions.next() {
            let [channel, d, h, w] = *position else {
                continue;
            };
            let reached = width.reached(w);
            let mut place = places.start;
            while place < places.end {
                let (line, x) = (place / width.out, place % width.out);
                let len = (width.out - x).min(places.end - place);
                let (from, to) = (reached.start.max(x), reached.end.min(x + len));
                let (z, y) = (line / height.out, line % height.out);
                let lines = depth.at(z, d).zip(height.at(y, h));
                if let (Some((z, y)), true) = (lines, from < to) {
                    let first = from * width.stride + w * width.dilation - width.before;
                    visit(Run {
                        row,
                        place: place - x + from,
                        image: ((channel * depth.size + z) * height.size + y) * width.size + first,
                        len: to - from,
                    });
                }
                place += len;
            }
            row += 1;
        }
    }
}
