//! The product of pixels and filters, the inner part of convolutions and dense layers.
//!
//! The left matrix has a row for each pixel. Some columns of it are gathered at a time for the pixels of a block, so that they
//! stay in the caches. The right matrix is packed when the model is loaded. Each result is computed in the same order, whatever
//! the blocks and the number of threads are.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::ops::Range;

use rayon::prelude::*;
use rten_simd::ops::NumOps;
use rten_simd::{Isa, SimdOp};

use super::act::Act;

/// The most columns of the left matrix that are gathered at a time.
pub(super) const CHUNK: usize = 256;

/// A row of the left matrix, as far as it is gathered. Its length is no power of two: the same columns of many rows would be
/// in few sets of the cache.
pub(super) type Row = [f32; CHUNK + LANES];

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
            rows: if lanes == 8 { 6 } else { 14 },
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

/// A product.
pub(super) struct Product<'a> {
    pub(super) packed: &'a Packed,
    pub(super) pixels: usize,
    /// The columns of the left matrix, in parts of at most [`CHUNK`].
    pub(super) chunks: &'a [Range<usize>],
    /// Writes the columns of a chunk to rows, of which the first is that of a pixel.
    pub(super) gather: &'a (dyn Fn(usize, &Range<usize>, &mut [Row]) + Sync),
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
        ROWS.with_borrow_mut(|rows| {
            rows.resize(pixels.len().max(rows.len()), [0.0; CHUNK + LANES]);
            let rows = &mut rows[..pixels.len()];
            for chunk in self.chunks {
                (self.gather)(pixels.start, chunk, rows);
                let is_last = chunk.end == self.packed.length;
                for panel in panels.clone() {
                    let (right, bias) = self.packed.panel(panel, chunk);
                    for number in 0..parts {
                        let rows = &rows[part(number)..part(number + 1)];
                        let first = pixels.start + part(number);
                        let beside = self.beside.filter(|_| is_last);
                        let end = End {
                            beside: beside.map(|one| Beside {
                                data: &one.data[first * one.step + panel * width..],
                                ..one
                            }),
                            bounds: bounds.filter(|_| is_last),
                        };
                        let tile = Any {
                            rows,
                            right,
                            bias: (chunk.start == 0).then_some(bias),
                            end,
                            to: place.first.wrapping_add(first * place.step + panel * width),
                            step: place.step,
                        };
                        // SAFETY: these results are within the place, and the caller's contract.
                        unsafe { tile.run(bias.len() == width) };
                    }
                }
            }
        });
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

/// What happens to the sums behind the last column.
#[derive(Clone, Copy)]
struct End<'a> {
    beside: Option<Beside<'a>>,
    bounds: Option<(f32, f32)>,
}

/// A tile: the sums of some rows and of one panel.
struct Any<'a> {
    rows: &'a [Row],
    right: &'a [f32],
    /// What the sums begin with, or those that are there.
    bias: Option<&'a [f32]>,
    end: End<'a>,
    to: *mut f32,
    step: usize,
}

/// A tile with a number of rows, and with a number of vectors in a row of its panel.
struct Tile<'a, const ROWS: usize, const WIDE: usize>(&'a [Row; ROWS], Any<'a>);

impl Any<'_> {
    /// Computes the tile.
    ///
    /// # Safety
    ///
    /// The sums of all rows are writable, and nothing else uses them.
    unsafe fn run(self, is_wide: bool) {
        macro_rules! by_rows {
            ($($rows:literal)*) => {
                match self.rows.len() {
                    $($rows => {
                        if let Ok(rows) = self.rows.try_into() {
                            if is_wide {
                                Tile::<$rows, 2>(rows, self).dispatch();
                            } else {
                                Tile::<$rows, 1>(rows, self).dispatch();
                            }
                        }
                    })*
                    _ => {}
                }
            };
        }
        by_rows!(1 2 3 4 5 6 7 8 9 10 11 12 13 14);
    }
}

impl<const ROWS: usize, const WIDE: usize> SimdOp for Tile<'_, ROWS, WIDE> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let lanes = ops.len();
        let Tile(rows, tile) = self;
        let to = |row: usize, at: usize| tile.to.wrapping_add(row * tile.step + at * lanes);
        // The sums stay in registers only if all loops over them are unrolled, so these have few instructions.
        let mut sums = [[ops.zero(); WIDE]; ROWS];
        if let Some(bias) = tile.bias {
            sums = [ops.load_many(bias); ROWS];
        } else {
            for (row, sums) in sums.iter_mut().enumerate() {
                for (at, sum) in sums.iter_mut().enumerate() {
                    // SAFETY: the contract of `Any::run`.
                    *sum = unsafe { ops.load_ptr(to(row, at)) };
                }
            }
        }
        for (at, right) in (0..CHUNK).zip(tile.right.chunks_exact(WIDE * lanes)) {
            let right: [_; WIDE] = ops.load_many(right);
            for (row, sums) in rows.iter().zip(&mut sums) {
                let one = ops.splat(row[at]);
                for (sum, right) in sums.iter_mut().zip(right) {
                    *sum = ops.mul_add(one, right, *sum);
                }
            }
        }
        for (row, sums) in sums.iter().enumerate() {
            for (at, sum) in sums.iter().enumerate() {
                // SAFETY: the contract of `Any::run`.
                unsafe { ops.store_ptr(*sum, to(row, at)) };
            }
        }
        let Some((low, high)) = tile.end.bounds else {
            return;
        };
        let (low, high) = (ops.splat(low), ops.splat(high));
        for row in 0..ROWS {
            for at in 0..WIDE {
                // SAFETY: as above.
                let mut sum = unsafe { ops.load_ptr(to(row, at)) };
                if let Some(beside) = tile.end.beside {
                    let other = ops.load(&beside.data[row * beside.step + at * lanes..]);
                    sum = ops.add(sum, other);
                }
                // In this order what is no number stays so.
                sum = ops.min(high, ops.max(low, sum));
                // SAFETY: as above.
                unsafe { ops.store_ptr(sum, to(row, at)) };
            }
        }
    }
}
