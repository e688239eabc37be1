//! The product of pixels and filters, the inner part of convolutions and dense layers.
//!
//! The left matrix has a row for each pixel. Some columns of it are gathered at a time for the pixels of a block, so that they
//! stay in the caches, or all are read where they lie, which pays if each is needed for few results. The right matrix is packed
//! when the model is loaded. Each result is computed in the same order, whatever the blocks and the number of threads are.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::ops::Range;

use rayon::prelude::*;
use rten_simd::ops::NumOps;
use rten_simd::{Isa, SimdOp};

use super::act::Act;
use super::tile::{End, Left, Tile};

/// The most columns of the left matrix that are gathered at a time.
pub(super) const CHUNK: usize = 256;

/// A row of the left matrix, as far as it is gathered. Its length is no power of two: the same columns of many rows would be
/// in few sets of the cache.
pub(super) type Row = [f32; CHUNK + LANES];

/// The most rows of a tile.
const MOST: usize = 14;

/// The number of pixels of a block: seven times the rows of a tile. More would not stay in the second-level cache.
const PIXELS: usize = 98;

/// The channels of an image in memory are a multiple of this number, which is one of the lanes of all processors.
pub(super) const LANES: usize = 16;

/// The number of multiplications for which another thread is worth its start.
pub(super) const GRAIN: usize = 1 << 19;

/// Returns the number of threads that share the work of this one: all of the engine's, if this is one of them.
pub(super) fn threads() -> usize {
    rayon::current_thread_index().map_or(1, |_| rayon::current_num_threads())
}

/// The right matrix: panels of as many columns as a tile has, each row by row, and a last one of half as many.
pub(super) struct Packed {
    panels: Vec<f32>,
    /// A number for each column, with which its sums begin.
    bias: Vec<f32>,
    length: usize,
    /// The number of columns of the matrix.
    used: usize,
    /// The number of columns, those that fill up the lanes included.
    pub(super) columns: usize,
    /// The number of columns of a panel.
    width: usize,
    /// The most rows of a tile.
    rows: usize,
}

impl Packed {
    /// Packs a matrix, whose elements `element` returns.
    pub(super) fn new(
        length: usize,
        bias: &[f32],
        element: impl Fn(usize, usize) -> f32,
    ) -> Packed {
        let lanes = Lanes.dispatch();
        let columns = bias.len().next_multiple_of(LANES);
        let width = 2 * lanes;
        let mut panels = Vec::with_capacity(length * columns);
        for first in (0..columns).step_by(width) {
            for row in 0..length {
                let columns = first..(first + width).min(columns);
                panels.extend(columns.map(|at| match at < bias.len() {
                    true => element(row, at),
                    false => 0.0,
                }));
            }
        }
        let used = bias.len();
        let mut bias = bias.to_vec();
        bias.resize(columns, 0.0);
        Packed {
            panels,
            bias,
            used,
            length,
            columns,
            width,
            // As many sums as the processor has registers for: AVX2 has 16, those with other vectors have 32.
            rows: if lanes == 8 { 6 } else { MOST },
        }
    }

    /// Multiplies each column, and the number with which it begins, by a number, and adds another one.
    pub(super) fn scale(&mut self, of: &dyn Fn(usize) -> (f32, f32)) {
        for at in 0..self.used {
            let (by, plus) = of(at);
            self.bias[at] = self.bias[at] * by + plus;
            let first = at / self.width * self.width;
            let width = self.width.min(self.columns - first);
            let panel = &mut self.panels[first * self.length..][..width * self.length];
            let column = panel.iter_mut().skip(at - first).step_by(width);
            column.for_each(|one| *one *= by);
        }
    }

    fn panel(&self, number: usize, chunk: &Range<usize>) -> (&[f32], &[f32]) {
        let first = number * self.width;
        let width = self.width.min(self.columns - first);
        let panel = &self.panels[first * self.length..];
        (
            &panel[chunk.start * width..chunk.end * width],
            &self.bias[first..first + width],
        )
    }
}

struct Lanes;

impl SimdOp for Lanes {
    type Output = usize;

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) -> usize {
        isa.f32().len()
    }
}

/// Numbers that are added to the results: the first one for the first pixel, and the distance of two pixels.
#[derive(Clone, Copy)]
pub(super) struct Beside<'a> {
    pub(super) data: &'a [f32],
    pub(super) step: usize,
}

/// Where the left matrix comes from.
pub(super) enum Source<'a> {
    Gathered {
        /// The columns, in parts of at most [`CHUNK`].
        chunks: &'a [Range<usize>],
        /// Writes the columns of a chunk to rows, of which the first is that of a pixel.
        gather: &'a (dyn Fn(usize, &Range<usize>, &mut [Row]) + Sync),
    },
    InPlace {
        numbers: &'a [f32],
        /// Writes the places of the first columns of pixels, of which the first is given.
        places: &'a (dyn Fn(usize, &mut [usize]) + Sync),
        /// The places of the runs of columns, behind the first one.
        runs: &'a [usize],
        /// The number of columns of a run.
        run: usize,
    },
}

/// A product.
pub(super) struct Product<'a> {
    pub(super) packed: &'a Packed,
    pub(super) pixels: usize,
    pub(super) source: Source<'a>,
    pub(super) beside: Option<Beside<'a>>,
    pub(super) act: Act,
}

/// The place of the results: the first one, and the distance of two pixels.
///
/// # Invariants
///
/// The results of all pixels are writable for the lifetime `'a`, each with as many columns as the right matrix.
#[derive(Clone, Copy)]
struct Place<'a> {
    first: *mut f32,
    step: usize,
    lives: PhantomData<&'a mut [f32]>,
}

// SAFETY: the address of numbers, which the threads write at apart places.
unsafe impl Sync for Place<'_> {}

thread_local! {
    /// The gathered part of the left matrix.
    static ROWS: RefCell<Vec<Row>> = const { RefCell::new(Vec::new()) };
}

impl Product<'_> {
    /// Writes the results to `out`, whose pixels are `step` apart.
    pub(super) fn run(&self, out: &mut [f32], step: usize) {
        if self.pixels == 0 || self.packed.columns == 0 {
            return;
        }
        let needed = |step: usize| (self.pixels - 1) * step + self.packed.columns;
        assert!(step >= self.packed.columns && out.len() >= needed(step));
        if let Some(beside) = self.beside {
            assert!(beside.data.len() >= needed(beside.step));
        }
        // INVARIANT: there are enough, and they are borrowed exclusively.
        let place = Place {
            first: out.as_mut_ptr(),
            step,
            lives: PhantomData,
        };
        let panels = self.packed.columns.div_ceil(self.packed.width);
        let blocks = self.pixels.div_ceil(PIXELS);
        let each = self.pixels.div_ceil(blocks);
        let threads = threads();
        let work = self.pixels * self.packed.length * self.packed.columns;
        if threads == 1 || work < GRAIN {
            for block in 0..blocks {
                let pixels = block * each..self.pixels.min((block + 1) * each);
                // SAFETY: no other thread has the results.
                unsafe { self.block(pixels, 0..panels, place) };
            }
            return;
        }
        // Enough tasks that a thread which is held up leaves its own to others.
        let splits = (4 * threads).div_ceil(blocks).min(panels);
        let some = panels.div_ceil(splits);
        (0..blocks * splits).into_par_iter().for_each(|task| {
            let (block, split) = (task / splits, task % splits);
            let pixels = block * each..self.pixels.min((block + 1) * each);
            let panels = split * some..panels.min((split + 1) * some);
            // SAFETY: each task has other pixels or other panels.
            unsafe { self.block(pixels, panels, place) };
        });
    }

    /// Computes some columns of some pixels.
    ///
    /// # Safety
    ///
    /// Nothing else uses these results meanwhile, and they are within the place.
    unsafe fn block(&self, pixels: Range<usize>, panels: Range<usize>, place: Place<'_>) {
        if pixels.is_empty() || panels.is_empty() {
            return;
        }
        let width = self.packed.width;
        let parts = pixels.len().div_ceil(self.packed.rows);
        let part = |number: usize| number * pixels.len() / parts;
        // Another function comes behind the sums.
        let bounds = self.act.bounds().or(Act::NONE.bounds());
        let ends = self.beside.is_some() || bounds != Act::NONE.bounds();
        let bounds = bounds.filter(|_| ends);
        let tile = |number: usize, panel: usize, left: Left<'_>, chunk: &Range<usize>| {
            let (right, bias) = self.packed.panel(panel, chunk);
            let is_last = chunk.end == self.packed.length;
            let first = pixels.start + part(number);
            let beside = self.beside.filter(|_| is_last);
            let tile = Tile {
                left,
                right,
                bias: (chunk.start == 0).then_some(bias),
                end: End {
                    beside: beside.map(|one| Beside {
                        data: &one.data[first * one.step + panel * width..],
                        ..one
                    }),
                    bounds: bounds.filter(|_| is_last),
                },
                to: place.first.wrapping_add(first * place.step + panel * width),
                step: place.step,
            };
            // SAFETY: these results are within the place, and the caller's contract.
            unsafe { tile.run(bias.len() == width) };
        };
        match self.source {
            Source::Gathered { chunks, gather } => ROWS.with_borrow_mut(|rows| {
                rows.resize(pixels.len().max(rows.len()), [0.0; CHUNK + LANES]);
                let rows = &mut rows[..pixels.len()];
                for chunk in chunks {
                    gather(pixels.start, chunk, rows);
                    for panel in panels.clone() {
                        for number in 0..parts {
                            let rows = &rows[part(number)..part(number + 1)];
                            tile(number, panel, Left::Gathered(rows), chunk);
                        }
                    }
                }
            }),
            Source::InPlace {
                numbers,
                places,
                runs,
                run,
            } => {
                let span = runs.last().map_or(0, |last| last + run);
                for number in 0..parts {
                    let (mut firsts, mut rows) = ([0; MOST], [&[][..]; MOST]);
                    let count = part(number + 1) - part(number);
                    places(pixels.start + part(number), &mut firsts[..count]);
                    for (row, first) in rows.iter_mut().zip(&firsts[..count]) {
                        *row = &numbers[*first..][..span];
                    }
                    let rows = &rows[..count];
                    for panel in panels.clone() {
                        let left = Left::InPlace { rows, runs, run };
                        tile(number, panel, left, &(0..self.packed.length));
                    }
                }
            }
        }
        if self.act.bounds().is_none() {
            let columns = panels.start * width..self.packed.columns.min(panels.end * width);
            for pixel in pixels {
                let first = place.first.wrapping_add(pixel * place.step + columns.start);
                // SAFETY: the results are within the place, and nothing else uses them.
                let results = unsafe { std::slice::from_raw_parts_mut(first, columns.len()) };
                self.act.apply(results);
            }
        }
    }
}
