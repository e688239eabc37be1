//! The product of two matrices in single precision, the inner part of all products and convolutions.

use crate::sync::cores::divide;

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
}

/// Returns `Some` if a slice has as many elements as a matrix.
fn has(elements: &[f32], [rows, columns]: [usize; 2]) -> Option<()> {
    let is_possible = [rows, columns]
        .iter()
        .all(|size| isize::try_from(*size).is_ok());
    (is_possible && rows.checked_mul(columns)? <= elements.len()).then_some(())
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
    let (width, out) = (rows.max(columns), &*out);
    let each = (rows.min(columns)).saturating_mul(length).max(1);
    divide(width, GRAIN.div_ceil(each), UNIT, &|range| {
        let (mut from_left, mut from_right, mut to) = (left.begin(), right.begin(), out.begin());
        let size = if rows >= columns {
            from_left = from_left.wrapping_add(range.start * left.steps[0]);
            to = to.wrapping_add(range.start * out.steps[0]);
            [range.len(), columns]
        } else {
            from_right = from_right.wrapping_add(range.start * right.steps[1]);
            to = to.wrapping_add(range.start * out.steps[1]);
            [rows, range.len()]
        };
        // CAST: the invariants of the matrices.
        let step = |step: usize| step as isize;
        // SAFETY: the invariants of the matrices: these are parts of them. The ranges of the threads are apart, so no
        // other thread uses this part of `out`, which is borrowed exclusively.
        unsafe {
            matrixmultiply::sgemm(
                size[0],
                length,
                size[1],
                1.0,
                from_left,
                step(left.steps[0]),
                step(left.steps[1]),
                from_right,
                step(right.steps[0]),
                step(right.steps[1]),
                f32::from(u8::from(adds)),
                to,
                step(out.steps[0]),
                step(out.steps[1]),
            );
        }
    });
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
