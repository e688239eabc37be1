//! The product of two matrices in single precision, the inner part of all products and convolutions.

use core::ops::Range;

use super::rule::at;
use super::sums::joined_parts;
use super::view::View;
use crate::sync::cores::divide;
use crate::wide::wide;

/// The number of multiplications for which another thread is worth its start.
const GRAIN: usize = 4 << 20;

/// The rows and columns of a part are multiples of this number, which is a multiple of the blocks of the kernel. So
/// each element is computed in the same way, whatever the number of threads is.
const UNIT: usize = 64;

/// A matrix: its elements, and the distance of two rows and of two columns in elements.
///
/// # Invariants
///
/// - All elements that `rows`, `columns` and the distances reach are readable for the lifetime `'a`. Nothing writes
///   them meanwhile.
#[derive(Debug, Clone, Copy)]
pub(super) struct Matrix<'a> {
    first: *const f32,
    sizes: [usize; 2],
    steps: [usize; 2],
    lives: core::marker::PhantomData<&'a [f32]>,
}

/// A matrix that is written.
///
/// # Invariants
///
/// - All elements that the sizes and distances reach are readable and writable for the lifetime `'a`. Nothing else uses
///   them meanwhile, and no two positions have the same element.
#[derive(Debug)]
pub(super) struct MatrixMut<'a> {
    first: *mut f32,
    sizes: [usize; 2],
    steps: [usize; 2],
    lives: core::marker::PhantomData<&'a mut [f32]>,
}

// SAFETY: nothing writes the elements, so several threads may read them.
unsafe impl Sync for Matrix<'_> {}
// SAFETY: the elements are borrowed exclusively, and they are numbers.
unsafe impl Send for MatrixMut<'_> {}
// SAFETY: a shared reference gives nothing but the address; `multiply` writes apart elements on each thread.
unsafe impl Sync for MatrixMut<'_> {}

impl<'a> Matrix<'a> {
    /// Makes a matrix of a slice that has its elements row by row; `None` if there are not enough.
    pub(super) fn new(elements: &'a [f32], sizes: [usize; 2]) -> Option<Self> {
        has(elements, sizes)?;
        // SAFETY: the slice has all elements.
        Some(unsafe { Self::strided(elements.as_ptr(), sizes, [sizes[1], 1]) })
    }

    /// Makes a matrix of any memory.
    ///
    /// # Safety
    ///
    /// - `first` is aligned, and all elements that `sizes` and `steps` reach are readable for the lifetime `'a`.
    /// - Nothing writes these elements during `'a`.
    /// - No size and no step is larger than `isize::MAX`.
    pub(super) unsafe fn strided(first: *const f32, sizes: [usize; 2], steps: [usize; 2]) -> Self {
        // INVARIANT: the caller's contract.
        Self {
            first,
            sizes,
            steps,
            lives: core::marker::PhantomData,
        }
    }

    fn begin(&self) -> *const f32 {
        self.first
    }

    /// Returns the matrix with rows and columns exchanged.
    pub(super) fn transposed(self) -> Self {
        let ([rows, columns], [row, column]) = (self.sizes, self.steps);
        // INVARIANT: the same elements.
        Self {
            sizes: [columns, rows],
            steps: [column, row],
            ..self
        }
    }

    /// Returns some columns of the matrix; `None` if it has fewer.
    pub(super) fn columns(self, range: Range<usize>) -> Option<Self> {
        let [rows, columns] = self.sizes;
        // INVARIANT: the elements are some of those of the matrix.
        (range.end <= columns).then(|| Self {
            first: self.first.wrapping_add(range.start * self.steps[1]),
            sizes: [rows, range.len()],
            ..self
        })
    }

    /// Returns the rows of a matrix whose rows have their elements next to each other.
    fn lines(self) -> Vec<&'a [f32]> {
        let [rows, columns] = self.sizes;
        let mut lines = Vec::with_capacity(rows);
        for row in 0..rows {
            let first = self.first.wrapping_add(row * self.steps[0]);
            // SAFETY: the invariant of `Matrix`; the elements of a row are next to each other.
            lines.push(unsafe { core::slice::from_raw_parts(first, columns) });
        }
        lines
    }
}

impl<'a> MatrixMut<'a> {
    /// Makes a matrix of a slice that has its elements row by row; `None` if there are not enough.
    pub(super) fn new(elements: &'a mut [f32], sizes: [usize; 2]) -> Option<Self> {
        has(elements, sizes)?;
        // SAFETY: the slice has all elements, and it is borrowed exclusively.
        Some(unsafe { Self::strided(elements.as_mut_ptr(), sizes, [sizes[1], 1]) })
    }

    /// Makes a matrix of any memory.
    ///
    /// # Safety
    ///
    /// - `first` is aligned, and all elements that `sizes` and `steps` reach are readable and writable for the
    ///   lifetime `'a`.
    /// - Nothing else uses these elements during `'a`, and no two positions have the same element.
    /// - No size and no step is larger than `isize::MAX`.
    pub(super) unsafe fn strided(first: *mut f32, sizes: [usize; 2], steps: [usize; 2]) -> Self {
        // INVARIANT: the caller's contract.
        Self {
            first,
            sizes,
            steps,
            lives: core::marker::PhantomData,
        }
    }

    fn begin(&self) -> *mut f32 {
        self.first
    }

    /// Returns some columns of the matrix; `None` if it has fewer.
    pub(super) fn columns(self, range: Range<usize>) -> Option<Self> {
        let (_, rest) = self.split(range.start)?;
        let (columns, _) = rest.split(range.len())?;
        Some(columns)
    }

    /// Returns the first columns of the matrix, and the others; `None` if it has fewer.
    pub(super) fn split(self, count: usize) -> Option<(Self, Self)> {
        let ([rows, columns], steps, lives) = (self.sizes, self.steps, self.lives);
        let part = |first: usize, columns: usize| Self {
            first: self.first.wrapping_add(first * steps[1]),
            sizes: [rows, columns],
            steps,
            lives,
        };
        // INVARIANT: both have elements of the matrix, and none together.
        Some((part(0, count), part(count, columns.checked_sub(count)?)))
    }
}

/// Returns `Some` if a slice has as many elements as a matrix.
fn has(elements: &[f32], [rows, columns]: [usize; 2]) -> Option<()> {
    let is_possible = [rows, columns]
        .iter()
        .all(|size| isize::try_from(*size).is_ok());
    (is_possible && rows.checked_mul(columns)? <= elements.len()).then_some(())
}

/// A factor of a product: the elements of a tensor.
pub(super) enum Factor<'a> {
    /// The elements where they lie.
    Direct(Matrix<'a>),
    /// The converted elements, line by line, the number of lines and their length, and whether the lines are columns.
    Copied {
        elements: Vec<f32>,
        sizes: [usize; 2],
        is_by_columns: bool,
    },
}

impl<'a> Factor<'a> {
    /// Makes a factor that begins at an offset, with the distances of its rows and columns. Elements of another type are
    /// copied.
    pub(super) fn new(
        view: &'a View<'_>,
        start: usize,
        sizes: [usize; 2],
        steps: [usize; 2],
    ) -> Self {
        if let Some(matrix) = view.matrix(start, sizes, steps) {
            return Self::Direct(matrix);
        }
        // Elements that are next to each other are read together, and so are those of columns.
        let is_by_columns = steps[0] == 1 && steps[1] != 1;
        let order = |[row, column]: [usize; 2]| {
            if is_by_columns {
                [column, row]
            } else {
                [row, column]
            }
        };
        let ([lines, length], [line, step]) = (order(sizes), order(steps));
        let mut elements = vec![0.0; lines * length];
        for (index, elements) in elements.chunks_mut(length.max(1)).enumerate() {
            view.read(start + index * line, step, elements);
        }
        Self::Copied {
            elements,
            sizes: [lines, length],
            is_by_columns,
        }
    }

    /// Returns the factor as a matrix.
    pub(super) fn matrix(&self) -> Option<Matrix<'_>> {
        match self {
            Self::Direct(matrix) => Some(*matrix),
            Self::Copied {
                elements,
                sizes,
                is_by_columns,
            } => {
                let matrix = Matrix::new(elements, *sizes)?;
                Some(if *is_by_columns {
                    matrix.transposed()
                } else {
                    matrix
                })
            }
        }
    }
}

/// Adds the product of two matrices to `sums`. All matrices are stored row by row: the left one has `rows` times
/// `length` elements, and the right one `length` times `columns`. Does nothing if one of them has fewer elements.
pub(super) fn multiply(
    left: &[f32],
    right: &[f32],
    sums: &mut [f32],
    [rows, length, columns]: [usize; 3],
) {
    let factors = Matrix::new(left, [rows, length]).zip(Matrix::new(right, [length, columns]));
    let sums = MatrixMut::new(sums, [rows, columns]);
    if let (Some((left, right)), Some(mut sums)) = (factors, sums) {
        multiply_matrices(left, right, &mut sums, true);
    }
}

/// Stores the product of two matrices in `out`, or adds it to `out` if `adds`. Does nothing if the sizes do not fit.
/// Large products are on several threads.
pub(super) fn multiply_matrices(
    left: Matrix<'_>,
    right: Matrix<'_>,
    out: &mut MatrixMut<'_>,
    adds: bool,
) {
    let ([rows, length], [depth, columns]) = (left.sizes, right.sizes);
    if length != depth || out.sizes != [rows, columns] || rows == 0 || columns == 0 {
        return;
    }
    let way = Way::of(&left, &right, out);
    let (width, out) = (rows.max(columns), &*out);
    let each = (rows.min(columns)).saturating_mul(length).max(1);
    divide(width, GRAIN.div_ceil(each), UNIT, &|range| {
        let (mut left, mut right) = (left, right);
        let mut to = out.begin();
        if rows >= columns {
            left.first = left.first.wrapping_add(range.start * left.steps[0]);
            left.sizes[0] = range.len();
            to = to.wrapping_add(range.start * out.steps[0]);
        } else {
            right.first = right.first.wrapping_add(range.start * right.steps[1]);
            right.sizes[1] = range.len();
            to = to.wrapping_add(range.start * out.steps[1]);
        }
        // SAFETY: the ranges of the threads are apart, so no other thread uses this part of `out`, which is borrowed
        // exclusively.
        unsafe { part(way, left, right, (to, out.steps), adds) };
    });
}

/// Does what [`multiply_matrices`] does, on this thread: for kernels that give products to several threads.
pub(super) fn multiply_alone(
    left: Matrix<'_>,
    right: Matrix<'_>,
    out: &mut MatrixMut<'_>,
    adds: bool,
) {
    if left.sizes[1] == right.sizes[0] && out.sizes == [left.sizes[0], right.sizes[1]] {
        let way = Way::of(&left, &right, out);
        // SAFETY: `out` is borrowed exclusively.
        unsafe { part(way, left, right, (out.begin(), out.steps), adds) };
    }
}

/// The way to compute a product. It depends on the whole matrices, so that the parts of all threads have the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Blocks,
    /// The left matrix is a row.
    Row,
    /// The right matrix is a column.
    Column,
}

impl Way {
    /// The number of results and of their terms from which on the product with a vector is not one of matrices.
    const LEAST: usize = 16;

    fn of(left: &Matrix<'_>, right: &Matrix<'_>, out: &MatrixMut<'_>) -> Self {
        let [rows, columns] = out.sizes;
        let is_long = left.sizes[1] >= Self::LEAST && rows.max(columns) >= Self::LEAST;
        let takes = |steps: [usize; 2], to: usize| steps[0] == 1 || (steps[1] == 1 && to == 1);
        let [row, column] = left.steps;
        if rows == 1 && is_long && takes(right.steps, out.steps[1]) {
            Self::Row
        } else if columns == 1 && is_long && takes([column, row], out.steps[0]) {
            Self::Column
        } else {
            Self::Blocks
        }
    }
}

/// Computes a product, or a part of it, on this thread.
///
/// # Safety
///
/// - The elements at the address, with these steps and as many as the product has, are writable, and nothing else uses them.
/// - The sizes and steps of the matrices are those that `way` was made for, but for parts of the larger size.
unsafe fn part(
    way: Way,
    left: Matrix<'_>,
    right: Matrix<'_>,
    (to, steps): (*mut f32, [usize; 2]),
    adds: bool,
) {
    match way {
        // SAFETY: the caller's contract.
        Way::Row => return unsafe { by_vector(left.transposed(), right, (to, steps[1]), adds) },
        Way::Column => {
            // SAFETY: the caller's contract.
            return unsafe { by_vector(right, left.transposed(), (to, steps[0]), adds) };
        }
        Way::Blocks => {}
    }
    // CAST: the invariants of the matrices.
    let step = |step: usize| step as isize;
    // SAFETY: the invariants of the matrices, and the caller's contract.
    unsafe {
        matrixmultiply::sgemm(
            left.sizes[0],
            left.sizes[1],
            right.sizes[1],
            1.0,
            left.begin(),
            step(left.steps[0]),
            step(left.steps[1]),
            right.begin(),
            step(right.steps[0]),
            step(right.steps[1]),
            f32::from(u8::from(adds)),
            to,
            step(steps[0]),
            step(steps[1]),
        );
    }
}

/// Multiplies the columns of a matrix, or of what is left of it, by a vector, which is a column itself.
///
/// # Safety
///
/// - As many elements as the matrix has columns are writable at the address, with this step, and nothing else uses them.
/// - The columns or the rows of the matrix have their elements next to each other, the rows only if the step is 1.
unsafe fn by_vector(
    vector: Matrix<'_>,
    matrix: Matrix<'_>,
    (to, step): (*mut f32, usize),
    adds: bool,
) {
    let [length, columns] = matrix.sizes;
    let mut numbers = Vec::with_capacity(length);
    for index in 0..length {
        let place = vector.begin().wrapping_add(index * vector.steps[0]);
        // SAFETY: the invariant of `Matrix`: the vector has as many elements.
        numbers.push(unsafe { place.read() });
    }
    if matrix.steps[0] == 1 {
        let lines = matrix.transposed().lines();
        let mut results = Vec::with_capacity(columns);
        let (groups, rest) = lines.as_chunks::<STREAMS>();
        for lines in groups {
            results.extend_from_slice(&dots(lines, &numbers));
        }
        for line in rest {
            results.push(dot(line, &numbers));
        }
        for (index, result) in results.into_iter().enumerate() {
            let place = to.wrapping_add(index * step);
            let before = match adds {
                // SAFETY: the caller's contract.
                true => unsafe { place.read() },
                false => 0.0,
            };
            // SAFETY: the caller's contract.
            unsafe { place.write(before + result) };
        }
        return;
    }
    // SAFETY: the caller's contract. Memory of elements has no bits that are no number.
    let sums = unsafe { core::slice::from_raw_parts_mut(to, columns) };
    if !adds {
        sums.fill(0.0);
    }
    let rows = matrix.lines();
    let (chunks, rest) = rows.as_chunks::<ROWS>();
    let (factors, last) = numbers.as_chunks::<ROWS>();
    for (index, rows) in chunks.iter().enumerate() {
        if let Some(factors) = factors.get(index) {
            add_rows(sums, rows, factors);
        }
    }
    for (index, row) in rest.iter().enumerate() {
        add_row(sums, row, at(last, index));
    }
}

/// The number of rows that are added together: each sum is read and written once for all of them.
const ROWS: usize = 8;

/// The number of sums of products that are made at the same time: the processor reads several lines of memory faster than one.
pub(super) const STREAMS: usize = 4;

/// The number of parts of a sum of products that are made at the same time.
const LANES: usize = 16;

wide! {
    /// Adds rows, each times its factor, to sums.
    fn add_rows(sums: &mut [f32], rows: &[&[f32]; ROWS], factors: &[f32; ROWS]) {
        let len = sums.len();
        let [a, b, c, d, e, f, g, h] = *rows;
        let [one, two, three, four, five, six, seven, eight] = *factors;
        let lines = (a.get(..len), b.get(..len), c.get(..len), d.get(..len));
        let others = (e.get(..len), f.get(..len), g.get(..len), h.get(..len));
        let (Some(a), Some(b), Some(c), Some(d)) = lines else {
            return;
        };
        let (Some(e), Some(f), Some(g), Some(h)) = others else {
            return;
        };
        for (index, sum) in sums.iter_mut().enumerate() {
            #[expect(clippy::indexing_slicing, reason = "all lines have as many numbers as there are sums")]
            let terms = [a[index], b[index], c[index], d[index], e[index], f[index], g[index], h[index]];
            let [a, b, c, d, e, f, g, h] = terms;
            let first = b.mul_add(two, a.mul_add(one, *sum));
            let second = d.mul_add(four, c * three);
            let third = f.mul_add(six, e * five);
            let fourth = h.mul_add(eight, g * seven);
            *sum = (first + second) + (third + fourth);
        }
    }

    /// Adds a row times a factor to sums.
    pub(super) fn add_row(sums: &mut [f32], row: &[f32], factor: f32) {
        for (sum, one) in sums.iter_mut().zip(row) {
            *sum = one.mul_add(factor, *sum);
        }
    }

    /// Returns the sum of the products of the numbers at the same positions.
    fn dot(line: &[f32], vector: &[f32]) -> f32 {
        let [sum, ..] = sums_of(&[line; STREAMS], vector);
        sum
    }

    /// Returns the sums of the products of the numbers of several lines and of a vector.
    pub(super) fn dots(lines: &[&[f32]; STREAMS], vector: &[f32]) -> [f32; STREAMS] {
        sums_of(lines, vector)
    }
}

/// Returns the sums of the products of the numbers of each line and of a vector. Each line has a variable of its own: sums in
/// an array that a loop goes through would be in memory and not in registers.
#[inline(always)]
fn sums_of(lines: &[&[f32]; STREAMS], vector: &[f32]) -> [f32; STREAMS] {
    let (chunks, last) = vector.as_chunks::<LANES>();
    let zero = [0.0; LANES];
    let (mut one, mut two, mut three, mut four) = (zero, zero, zero, zero);
    let whole = <[f32]>::as_chunks::<LANES>;
    let [a, b, c, d] = *lines;
    let pairs = (whole(a).0.iter().zip(whole(b).0)).zip(whole(c).0.iter().zip(whole(d).0));
    for (chunk, ((a, b), (c, d))) in chunks.iter().zip(pairs) {
        add_products(&mut one, a, chunk);
        add_products(&mut two, b, chunk);
        add_products(&mut three, c, chunk);
        add_products(&mut four, d, chunk);
    }
    let mut results = [0.0; STREAMS];
    for ((result, mut sums), line) in results.iter_mut().zip([one, two, three, four]).zip(lines) {
        let end = line.as_chunks::<LANES>().1;
        add_products(&mut sums, end, last);
        // CAST: rounded.
        *result = joined_parts(&sums) as f32;
    }
    results
}

/// Adds the products of numbers at the same positions to sums.
#[inline(always)]
fn add_products(sums: &mut [f32; LANES], line: &[f32], vector: &[f32]) {
    for (sum, (one, other)) in sums.iter_mut().zip(line.iter().zip(vector)) {
        *sum = one.mul_add(*other, *sum);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
    use super::*;
    use crate::sync::cores::tests::on;

    fn product(
        left: &[f32],
        right: &[f32],
        [rows, length, columns]: [usize; 3],
        cores: usize,
    ) -> Vec<f32> {
        let mut out = vec![-1.0; rows * columns];
        let (left, right) = (
            Matrix::new(left, [rows, length]),
            Matrix::new(right, [length, columns]),
        );
        let (left, right) = (left.unwrap(), right.unwrap());
        let mut result = MatrixMut::new(&mut out, [rows, columns]).unwrap();
        on(cores, || multiply_matrices(left, right, &mut result, false));
        out
    }

    #[test]
    fn products_are_added_to_the_sums() {
        let (left, right) = (
            [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
            [1.0, 0.0, 0.0, 1.0, 2.0, 2.0],
        );
        let mut sums = [100.0; 4];
        multiply(&left, &right, &mut sums, [2, 3, 2]);
        assert_eq!(sums, [107.0, 108.0, 116.0, 117.0]);
        // A matrix without elements adds nothing.
        multiply(&[], &[], &mut sums, [2, 0, 2]);
        assert_eq!(sums, [107.0, 108.0, 116.0, 117.0]);
        // A product that is not added overwrites.
        assert_eq!(product(&left, &right, [2, 3, 2], 1), [7.0, 8.0, 16.0, 17.0]);
        assert_eq!(product(&[], &[], [2, 0, 2], 1), [0.0; 4]);
    }

    #[test]
    fn too_few_elements_are_not_read() {
        let mut sums = [1.0; 4];
        multiply(&[1.0; 5], &[1.0; 6], &mut sums, [2, 3, 2]);
        multiply(&[1.0; 6], &[1.0; 5], &mut sums, [2, 3, 2]);
        multiply(&[1.0; 6], &[1.0; 6], &mut sums, [2, 3, 4]);
        multiply(&[], &[], &mut sums, [usize::MAX, 0, usize::MAX]);
        assert_eq!(sums, [1.0; 4]);
    }

    #[test]
    fn the_number_of_threads_changes_no_bit() {
        for sizes in [
            [301, 333, 257],
            [130, 700, 411],
            [1, 3000, 9001],
            [1, 700, 20_001],
            [20_001, 700, 1],
            [65, 40_000, 1],
            [9001, 513, 3],
        ] {
            let [rows, length, columns] = sizes;
            let number = |index: usize| ((index * 2_654_435_761) % 1009) as f32 / 1009.0 - 0.4;
            let left: Vec<_> = (0..rows * length).map(number).collect();
            let right: Vec<_> = (0..length * columns).map(number).collect();
            let alone = product(&left, &right, sizes, 1);
            for cores in [2, 3, 5] {
                let together = product(&left, &right, sizes, cores);
                let same = alone
                    .iter()
                    .zip(&together)
                    .all(|(one, other)| one.to_bits() == other.to_bits());
                assert!(same, "{sizes:?} on {cores}");
            }
        }
    }
}
