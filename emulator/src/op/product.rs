//! The product of two matrices in single precision, the inner part of all products and convolutions.

/// Adds the product of two matrices to `sums`. All matrices are stored row by row: the left one has `rows` times
/// `length` elements, and the right one `length` times `columns`. Does nothing if one of them has fewer elements.
pub(super) fn multiply(
    left: &[f32],
    right: &[f32],
    sums: &mut [f32],
    [rows, length, columns]: [usize; 3],
) {
    let has = |given: usize, one: usize, other: usize| one.checked_mul(other) <= Some(given);
    let is_whole = has(left.len(), rows, length)
        && has(right.len(), length, columns)
        && has(sums.len(), rows, columns)
        && [rows, length, columns]
            .iter()
            .all(|size| isize::try_from(*size).is_ok());
    if !is_whole {
        return;
    }
    // CAST: a slice has at most `isize::MAX` elements, and each size was compared with it.
    let (width, depth) = (columns as isize, length as isize);
    // SAFETY: the slices have all elements that these sizes and strides reach, as was checked above. `sums` is borrowed
    // exclusively, so the matrices do not overlap.
    unsafe {
        matrixmultiply::sgemm(
            rows,
            length,
            columns,
            1.0,
            left.as_ptr(),
            depth,
            1,
            right.as_ptr(),
            width,
            1,
            1.0,
            sums.as_mut_ptr(),
            width,
            1,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::multiply;

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
}
