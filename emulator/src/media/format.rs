//! The formats of pictures: the bytes of a pixel, the planes, the alignment that a product asks for, and the functions
//! that accept a format.

use super::product::Product;

/// The layout of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// One plane of brightness.
    Gray,
    /// A plane of brightness, and one of pairs of colours.
    SemiPlanar {
        /// The number of pixels that share a pair of colours, along a row and down a column.
        shared: (usize, usize),
        /// Whether V stands before U.
        swapped: bool,
    },
    /// Two pixels in four bytes: the offsets of the first brightness, of U and of V.
    Packed422 { y: usize, u: usize, v: usize },
    /// One pixel after the other: the offset of each component.
    Packed {
        channels: usize,
        order: [usize; 4],
        is_rgb: bool,
    },
}

/// The number that asks for the format of the source.
pub(super) const UNKNOWN: u32 = 10_000;

impl Layout {
    /// Returns the layout of a format, `None` for formats that are not modelled.
    pub(super) fn of(format: u32) -> Option<Layout> {
        let semi = |shared, swapped| Some(Layout::SemiPlanar { shared, swapped });
        let packed = |channels, order, is_rgb| {
            Some(Layout::Packed {
                channels,
                order,
                is_rgb,
            })
        };
        match format {
            0 => Some(Layout::Gray),
            1 => semi((2, 2), false),
            2 => semi((2, 2), true),
            3 => semi((2, 1), false),
            4 => semi((2, 1), true),
            5 => semi((1, 1), false),
            6 => semi((1, 1), true),
            7 => Some(Layout::Packed422 { y: 0, u: 1, v: 3 }),
            8 => Some(Layout::Packed422 { y: 1, u: 0, v: 2 }),
            9 => Some(Layout::Packed422 { y: 0, u: 3, v: 1 }),
            10 => Some(Layout::Packed422 { y: 1, u: 2, v: 0 }),
            11 => packed(3, [0, 1, 2, 0], false),
            12 => packed(3, [0, 1, 2, 0], true),
            13 => packed(3, [2, 1, 0, 0], true),
            14 => packed(4, [1, 2, 3, 0], true),
            15 => packed(4, [3, 2, 1, 0], true),
            16 => packed(4, [0, 1, 2, 3], true),
            17 => packed(4, [2, 1, 0, 3], true),
            1000 => semi((1, 2), false),
            1001 => semi((1, 2), true),
            _ => None,
        }
    }

    /// The bytes of a pixel in the first plane.
    pub(super) fn unit(self) -> usize {
        match self {
            Layout::Gray | Layout::SemiPlanar { .. } => 1,
            Layout::Packed422 { .. } => 2,
            Layout::Packed { channels, .. } => channels,
        }
    }

    /// The number of pixels that share a colour, along a row and down a column.
    pub(super) fn shared(self) -> (usize, usize) {
        match self {
            Layout::SemiPlanar { shared, .. } => shared,
            Layout::Packed422 { .. } => (2, 1),
            Layout::Gray | Layout::Packed { .. } => (1, 1),
        }
    }

    /// The bytes of a buffer with these strides.
    pub(super) fn bytes(self, width_stride: usize, height_stride: usize) -> usize {
        let plane = width_stride.saturating_mul(height_stride);
        match self {
            Layout::SemiPlanar { shared, .. } => {
                plane.saturating_add(plane.saturating_mul(2) / (shared.0 * shared.1))
            }
            _ => plane,
        }
    }

    /// The bytes of a row and the rows of the second plane.
    pub(super) fn colours(self, width_stride: usize, height_stride: usize) -> (usize, usize) {
        let (across, down) = self.shared();
        (width_stride * 2 / across, height_stride / down)
    }

    /// The smallest strides for a picture.
    pub(super) fn strides(self, width: u32, height: u32, product: Product) -> (u32, u32) {
        let unit = self.unit() as u32;
        let width_stride = if product.is_aligned() {
            (width.next_multiple_of(16) * unit).max(product.least_stride())
        } else {
            (width * unit).max(product.least_stride())
        };
        let is_even = product.is_oldest()
            || product == Product::A310P
                && matches!(self, Layout::SemiPlanar { shared: (_, 2), .. });
        let height_stride = if is_even {
            height.next_multiple_of(2)
        } else {
            height
        };
        (width_stride, height_stride)
    }
}

/// The formats that picture processing reads.
pub(super) fn is_input(format: u32, product: Product) -> bool {
    if product.is_oldest() {
        format <= 19
    } else {
        format <= 17 || matches!(format, 1000 | 1001)
    }
}

/// The formats that picture processing writes.
pub(super) fn is_output(format: u32, product: Product) -> bool {
    if product.is_oldest() {
        matches!(format, 1 | 2)
    } else {
        matches!(format, 0..=4 | 11..=17)
    }
}

/// The formats into which a JPEG is decoded.
pub(super) fn is_decoded(format: u32, product: Product) -> bool {
    matches!(format, 1..=6 | 1000 | 1001 | UNKNOWN) || format == 0 && !product.is_oldest()
}

/// The formats that are encoded as JPEG.
pub(super) fn is_encoded(format: u32) -> bool {
    matches!(format, 1 | 2 | 7..=10)
}

/// The formats whose pixel values a map changes.
pub(super) fn is_mapped(format: u32) -> bool {
    matches!(format, 0..=4 | 11..=13)
}

#[cfg(test)]
mod tests {
    use super::Layout;
    use crate::media::product::Product;

    #[test]
    fn buffers_have_the_bytes_of_the_manual() {
        for (format, bytes) in [
            (0, 64 * 48),
            (1, 64 * 48 * 3 / 2),
            (3, 64 * 48 * 2),
            (5, 64 * 48 * 3),
            (1000, 64 * 48 * 2),
            (7, 64 * 48),
            (12, 64 * 48),
            (16, 64 * 48),
        ] {
            let layout = Layout::of(format);
            assert_eq!(
                layout.map(|layout| layout.bytes(64, 48)),
                Some(bytes),
                "{format}"
            );
        }
        assert_eq!(Layout::of(18), None);
    }

    #[test]
    fn strides_depend_on_the_product() {
        let strides = |format, product| {
            Layout::of(format).map(|layout: Layout| layout.strides(50, 31, product))
        };
        assert_eq!(strides(1, Product::A310), Some((64, 32)));
        assert_eq!(strides(12, Product::A310P), Some((192, 31)));
        assert_eq!(strides(1, Product::A310P), Some((64, 32)));
        assert_eq!(strides(12, Product::A910B), Some((150, 31)));
    }
}
