//! The product of two matrices in single precision, the inner part of all products and convolutions.

/// Adds the product of two matrices to `sums`. All matrices are stored row by row: the left one has `rows` times
/// `length` elements, and the right one `length` times `columns`.
pub(super) fn multiply(
    left: &[f32],
    right: &[f32],
    sums: &mut [f32],
    [_, length, columns]: [usize; 3],
) {
    let (length, columns) = (length.max(1), columns.max(1));
    for (sums, factors) in sums.chunks_mut(columns).zip(left.chunks(length)) {
        // The loop goes over the rows of the right factor, so each sum adds its elements in order.
        for (factor, right) in factors.iter().zip(right.chunks(columns)) {
            for (sum, element) in sums.iter_mut().zip(right) {
                *sum += factor * element;
            }
        }
    }
}
