//! A tile of a product: the sums of some rows of the left matrix and of a panel of the right one, which stay in registers.

use rten_simd::ops::NumOps;
use rten_simd::{Isa, SimdOp};

use super::product::{Beside, CHUNK, Row};

/// What happens to the sums behind the last column.
#[derive(Clone, Copy)]
pub(super) struct End<'a> {
    pub(super) beside: Option<Beside<'a>>,
    pub(super) bounds: Option<(f32, f32)>,
}

/// The rows of the left matrix.
#[derive(Clone, Copy)]
pub(super) enum Left<'a> {
    Gathered(&'a [Row]),
    /// The columns where they lie: runs of `run` numbers, which begin at `runs` in each row.
    InPlace {
        rows: &'a [&'a [f32]],
        runs: &'a [usize],
        run: usize,
    },
}

/// A tile: the sums of some rows and of one panel.
pub(super) struct Tile<'a> {
    pub(super) left: Left<'a>,
    pub(super) right: &'a [f32],
    /// What the sums begin with, or those that are there.
    pub(super) bias: Option<&'a [f32]>,
    pub(super) end: End<'a>,
    pub(super) to: *mut f32,
    pub(super) step: usize,
}

/// A tile of gathered rows, and of as many vectors in a row of its panel.
struct Gathered<'a, const ROWS: usize, const WIDE: usize>(&'a [Row; ROWS], Tile<'a>);

/// A tile of rows that are read where they lie.
struct InPlace<'a, const ROWS: usize, const WIDE: usize> {
    rows: &'a [&'a [f32]; ROWS],
    runs: &'a [usize],
    run: usize,
    tile: Tile<'a>,
}

impl Tile<'_> {
    /// Computes the tile.
    ///
    /// # Safety
    ///
    /// The sums of all rows are writable, and nothing else uses them.
    pub(super) unsafe fn run(self, is_wide: bool) {
        macro_rules! by_rows {
            ($rows:ident, |$some:ident| $gathered:ident $fields:tt: $($number:literal)*) => {
                match $rows.len() {
                    $($number => {
                        if let Ok($some) = $rows.try_into() {
                            if is_wide {
                                $gathered::<$number, 2> $fields.dispatch();
                            } else {
                                $gathered::<$number, 1> $fields.dispatch();
                            }
                        }
                    })*
                    _ => {}
                }
            };
        }
        match self.left {
            Left::Gathered(rows) => {
                by_rows!(rows, |rows| Gathered(rows, self): 1 2 3 4 5 6 7 8 9 10 11 12 13 14);
            }
            Left::InPlace { rows, runs, run } => {
                by_rows!(rows, |rows| InPlace { rows, runs, run, tile: self }: 1 2 3 4 5 6 7 8 9 10 11 12 13 14);
            }
        }
    }

    fn to(&self, row: usize, at: usize) -> *mut f32 {
        self.to.wrapping_add(row * self.step + at)
    }

    /// Returns what the sums begin with. They stay in registers only if all loops over them are unrolled, so these have few
    /// instructions.
    #[inline(always)]
    fn begin<I: Isa, const ROWS: usize, const WIDE: usize>(
        &self,
        isa: I,
    ) -> [[I::F32; WIDE]; ROWS] {
        let ops = isa.f32();
        if let Some(bias) = self.bias {
            return [ops.load_many(bias); ROWS];
        }
        let mut sums = [[ops.zero(); WIDE]; ROWS];
        for (row, sums) in sums.iter_mut().enumerate() {
            for (at, sum) in sums.iter_mut().enumerate() {
                // SAFETY: the contract of `Tile::run`.
                *sum = unsafe { ops.load_ptr(self.to(row, at * ops.len())) };
            }
        }
        sums
    }

    /// Writes the sums, and what comes behind the last column.
    #[inline(always)]
    fn end<I: Isa, const ROWS: usize, const WIDE: usize>(
        &self,
        isa: I,
        sums: &[[I::F32; WIDE]; ROWS],
    ) {
        let ops = isa.f32();
        let lanes = ops.len();
        for (row, sums) in sums.iter().enumerate() {
            for (at, sum) in sums.iter().enumerate() {
                // SAFETY: the contract of `Tile::run`.
                unsafe { ops.store_ptr(*sum, self.to(row, at * lanes)) };
            }
        }
        let Some((low, high)) = self.end.bounds else {
            return;
        };
        let (low, high) = (ops.splat(low), ops.splat(high));
        for row in 0..ROWS {
            for at in 0..WIDE {
                // SAFETY: as above.
                let mut sum = unsafe { ops.load_ptr(self.to(row, at * lanes)) };
                if let Some(beside) = self.end.beside {
                    let other = ops.load(&beside.data[row * beside.step + at * lanes..]);
                    sum = ops.add(sum, other);
                }
                // In this order what is no number stays so.
                sum = ops.min(high, ops.max(low, sum));
                // SAFETY: as above.
                unsafe { ops.store_ptr(sum, self.to(row, at * lanes)) };
            }
        }
    }
}

impl<const ROWS: usize, const WIDE: usize> SimdOp for Gathered<'_, ROWS, WIDE> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let Gathered(rows, tile) = self;
        let mut sums: [[I::F32; WIDE]; ROWS] = tile.begin(isa);
        for (at, right) in (0..CHUNK).zip(tile.right.chunks_exact(WIDE * ops.len())) {
            let right: [_; WIDE] = ops.load_many(right);
            for (row, sums) in rows.iter().zip(&mut sums) {
                let one = ops.splat(row[at]);
                for (sum, right) in sums.iter_mut().zip(right) {
                    *sum = ops.mul_add(one, right, *sum);
                }
            }
        }
        tile.end(isa, &sums);
    }
}

impl<const ROWS: usize, const WIDE: usize> SimdOp for InPlace<'_, ROWS, WIDE> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let wide = WIDE * ops.len();
        let mut sums: [[I::F32; WIDE]; ROWS] = self.tile.begin(isa);
        let fits = |first: &usize| self.rows.iter().all(|row| row.len() >= first + self.run);
        assert!(self.runs.iter().all(fits));
        for (first, right) in self
            .runs
            .iter()
            .zip(self.tile.right.chunks_exact(self.run * wide))
        {
            for (at, right) in (*first..).zip(right.chunks_exact(wide)) {
                let right: [_; WIDE] = ops.load_many(right);
                for (row, sums) in self.rows.iter().zip(&mut sums) {
                    // SAFETY: `at` is within a run, and each row has all runs, as was checked above.
                    let one = ops.splat(*unsafe { row.get_unchecked(at) });
                    for (sum, right) in sums.iter_mut().zip(right) {
                        *sum = ops.mul_add(one, right, *sum);
                    }
                }
            }
        }
        self.tile.end(isa, &sums);
    }
}
