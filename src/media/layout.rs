//! Widths, heights, strides and sizes of pictures, by format and chip.
//!
//! The formulas are those of the manual (VPC: `aclcppdevg_03_0337` and `_0637`; JPEG decoder: `aclpythondevg_01_0321` and
//! `aclcppdevg_03_0354`). Neither the runtime nor the host library compares them: a wrong stride fails on the device.

use std::fmt;
use std::marker::PhantomData;

use crate::error::{MediaMismatch, Result};
use crate::media::chip::Chip;
use crate::media::format::{PixelFormat, Planes, Step};

/// The smallest picture of the picture processor.
pub(super) const LEAST: (u32, u32) = (10, 6);
/// The largest side of a picture that the picture processor reads.
pub(super) const MOST: u32 = 8192;
/// The sides of a picture that the JPEG decoder writes or the encoder reads.
const JPEG: (u32, u32) = (32, 8192);
/// The sides of a picture that the PNG decoder writes.
const PNG: (u32, u32) = (32, 4096);

/// The place of a picture of the format `F` in memory: its size in pixels, the distances of its rows, and its size in
/// bytes. The interfaces of the media engine compute it for the chip of the process.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// # let media = acl.media()?.v1()?;
/// use ascendcl::media::{Layout, Nv12};
///
/// let layout: Layout<Nv12> = media.layout(100, 50)?;
/// assert_eq!((layout.width(), layout.height()), (100, 50));
/// assert!(layout.width_stride() >= 100); // rows begin at aligned addresses
/// # });
/// ```
pub struct Layout<F> {
    width: u32,
    height: u32,
    width_stride: u32,
    height_stride: u32,
    bytes: u32,
    _format: PhantomData<fn() -> F>,
}

impl<F> Clone for Layout<F> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<F> Copy for Layout<F> {}

impl<F> fmt::Debug for Layout<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} x {} pixels in {} bytes x {} rows",
            self.width, self.height, self.width_stride, self.height_stride
        )
    }
}

/// One plane of a picture: where its rows are and how long they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Plane {
    pub(super) offset: usize,
    pub(super) rows: usize,
    pub(super) row: usize,
    pub(super) stride: usize,
}

/// Returns the multiple of `step` at or above `value`. No overflow: sides are at most [`MOST`].
const fn up(value: u32, step: u32) -> u32 {
    value.div_ceil(step) * step
}

const fn max(a: u32, b: u32) -> u32 {
    if a > b { a } else { b }
}

impl<F: PixelFormat> Layout<F> {
    /// Returns the layout of a picture for the picture processor, with the least strides that `chip`
    /// allows.
    ///
    /// # Errors
    ///
    /// [`MediaMismatch::Range`] for less than 10 x 6 or more than 8192 x 8192 pixels, and more than 4096 columns of the
    /// 4:4:0 formats. [`MediaMismatch::Odd`] for a side that must be even in the format.
    pub(super) fn for_vpc(chip: Chip, width: u32, height: u32) -> Result<Self> {
        let widest = match F::PLANES {
            Planes::Semi440 => 4096,
            _ => MOST,
        };
        in_range("the picture", (width, height), LEAST, (widest, MOST))?;
        even::<F>(width, height)?;
        let columns = match chip.aligns_rows() {
            true => max(up(width, 16), 32),
            false => width,
        };
        let rows = match (chip.is_first(), F::PLANES) {
            (true, _) => up(height, 2),
            (false, Planes::Semi420 | Planes::Semi440) if chip.aligns_rows() => up(height, 2),
            (false, _) => height,
        };
        Ok(Layout::of(chip, (width, height), columns, rows))
    }

    /// Returns the layout of a picture that every unit of the media engine takes: the decoders, the encoder and the
    /// picture processor. Its strides are multiples of 128 bytes and 16 rows.
    ///
    /// # Errors
    ///
    /// As for [`Layout::for_vpc`].
    pub(super) fn for_all(chip: Chip, width: u32, height: u32) -> Result<Self> {
        Self::for_vpc(chip, width, height)?;
        Ok(Layout::of(
            chip,
            (width, height),
            up(width, 128),
            up(height, 16),
        ))
    }

    /// Returns the layout of a picture that the JPEG decoder writes. Sides that the format halves are rounded down to even
    /// numbers.
    pub(super) fn for_jpeg(chip: Chip, width: u32, height: u32) -> Result<Self> {
        let (least, most) = JPEG;
        in_range("the JPEG", (width, height), (least, least), (most, most))?;
        let width = width - width % F::Width::PIXELS;
        let height = height - height % F::Height::PIXELS;
        let step = if chip.is_first() { 128 } else { 64 };
        let size = (width, height);
        Ok(Layout::of(chip, size, up(width, step), up(height, 16)))
    }

    /// Returns the layout of a picture that the PNG decoder writes.
    pub(super) fn for_png(chip: Chip, width: u32, height: u32) -> Result<Self> {
        let (least, most) = PNG;
        in_range("the PNG", (width, height), (least, least), (most, most))?;
        let size = (width, height);
        Ok(Layout::of(chip, size, up(width, 128), up(height, 16)))
    }

    /// Computes bytes from a stride of columns and rows. No overflow: 8192 x 8192 pixels have at most 2^28 bytes.
    fn of(chip: Chip, size: (u32, u32), columns: u32, rows: u32) -> Self {
        let area = columns * rows;
        let (width_stride, bytes) = match F::PLANES {
            // The first generation reads the colours of a gray picture, and ignores them.
            Planes::Gray if chip.is_first() => (columns, area * 3 / 2),
            Planes::Gray => (columns, area),
            Planes::Semi420 => (columns, area * 3 / 2),
            Planes::Semi422 | Planes::Semi440 => (columns, area * 2),
            Planes::Semi444 => (columns, area * 3),
            Planes::Packed(pixel) => (columns * pixel, area * pixel),
        };
        Layout {
            width: size.0,
            height: size.1,
            width_stride,
            height_stride: rows,
            bytes,
            _format: PhantomData,
        }
    }

    /// Returns the number of pixels in a row.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// use ascendcl::media::Nv12;
    ///
    /// let layout = media.layout::<Nv12>(100, 50)?;
    /// assert_eq!(layout.width(), 100);
    /// # });
    /// ```
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Returns the number of rows.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// use ascendcl::media::Nv12;
    ///
    /// let layout = media.layout::<Nv12>(100, 50)?;
    /// assert_eq!(layout.height(), 50);
    /// # });
    /// ```
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Returns the distance of two rows in bytes.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// use ascendcl::media::Nv12;
    ///
    /// let layout = media.layout::<Nv12>(100, 50)?;
    /// assert!(layout.width_stride() >= layout.width()); // a multiple of 16
    /// # });
    /// ```
    #[must_use]
    pub const fn width_stride(&self) -> u32 {
        self.width_stride
    }

    /// Returns the number of rows that the brightness, or the only plane, takes in memory.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// use ascendcl::media::Nv12;
    ///
    /// let layout = media.layout::<Nv12>(100, 50)?;
    /// assert!(layout.height_stride() >= layout.height()); // a multiple of 2
    /// # });
    /// ```
    #[must_use]
    pub const fn height_stride(&self) -> u32 {
        self.height_stride
    }

    /// Returns the size in bytes.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # let media = acl.media()?.v1()?;
    /// use ascendcl::media::Nv12;
    ///
    /// let layout = media.layout::<Nv12>(100, 50)?;
    /// assert_eq!(layout.bytes(), layout.width_stride() * layout.height_stride() * 3 / 2);
    /// # });
    /// ```
    #[must_use]
    pub const fn bytes(&self) -> u32 {
        self.bytes
    }

    /// Returns the planes. The second one is absent in packed formats and in gray.
    pub(super) fn planes(&self) -> [Option<Plane>; 2] {
        let [width, height, stride, rows] = [
            self.width,
            self.height,
            self.width_stride,
            self.height_stride,
        ]
        .map(|number| number as usize);
        let first = |row| Plane {
            offset: 0,
            rows: height,
            row,
            stride,
        };
        let second = |rows_there, row, stride_there| Plane {
            offset: stride * rows,
            rows: rows_there,
            row,
            stride: stride_there,
        };
        match F::PLANES {
            Planes::Gray => [Some(first(width)), None],
            Planes::Packed(pixel) => [Some(first(width * pixel as usize)), None],
            Planes::Semi420 => [Some(first(width)), Some(second(height / 2, width, stride))],
            Planes::Semi422 => [Some(first(width)), Some(second(height, width, stride))],
            Planes::Semi440 => [
                Some(first(width)),
                Some(second(height / 2, 2 * width, 2 * stride)),
            ],
            Planes::Semi444 => [
                Some(first(width)),
                Some(second(height, 2 * width, 2 * stride)),
            ],
        }
    }

    /// Returns the number of bytes of the pixels alone.
    pub(super) fn pixel_bytes(&self) -> usize {
        let planes = self.planes();
        planes
            .iter()
            .flatten()
            .map(|plane| plane.rows * plane.row)
            .sum()
    }
}

/// Compares a size with the least and the largest one.
pub(super) fn in_range(
    what: &'static str,
    (width, height): (u32, u32),
    least: (u32, u32),
    most: (u32, u32),
) -> Result<()> {
    if (least.0..=most.0).contains(&width) && (least.1..=most.1).contains(&height) {
        return Ok(());
    }
    Err(MediaMismatch::Range {
        what,
        width,
        height,
        least_width: least.0,
        least_height: least.1,
        most_width: most.0,
        most_height: most.1,
    }
    .into())
}

/// Checks that the sides are even that the format halves.
fn even<F: PixelFormat>(width: u32, height: u32) -> Result<()> {
    let side = if !width.is_multiple_of(F::Width::PIXELS) {
        "width"
    } else if !height.is_multiple_of(F::Height::PIXELS) {
        "height"
    } else {
        return Ok(());
    };
    Err(MediaMismatch::Odd {
        format: F::NAME,
        width,
        height,
        side,
    }
    .into())
}

#[cfg(all(test, not(loom)))]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::Layout;
    use crate::media::chip::Chip::{A2, Ascend310, Ascend310P};
    use crate::media::format::{Gray, Nv12, Nv24, PixelFormat, Rgb888, Rgba8888, Yuv440, Yuyv};

    fn numbers<F>(layout: Layout<F>) -> [u32; 3] {
        [layout.width_stride, layout.height_stride, layout.bytes]
    }

    fn vpc<F: PixelFormat>(chip: super::Chip, width: u32, height: u32) -> [u32; 3] {
        numbers(Layout::<F>::for_vpc(chip, width, height).unwrap())
    }

    #[test]
    fn strides_are_those_of_the_manual() {
        assert_eq!(vpc::<Nv12>(Ascend310, 98, 50), [112, 50, 8400]);
        assert_eq!(vpc::<Nv12>(A2, 98, 50), [98, 50, 7350]);
        assert_eq!(vpc::<Nv12>(Ascend310, 18, 6), [32, 6, 288]);
        assert_eq!(vpc::<Gray>(Ascend310, 33, 7), [48, 8, 576]);
        assert_eq!(vpc::<Gray>(Ascend310P, 33, 7), [48, 7, 336]);
        assert_eq!(vpc::<Gray>(A2, 33, 7), [33, 7, 231]);
        assert_eq!(vpc::<Yuyv>(Ascend310P, 18, 7), [64, 7, 448]);
        assert_eq!(vpc::<Rgb888>(Ascend310P, 33, 7), [144, 7, 1008]);
        assert_eq!(vpc::<Rgba8888>(A2, 33, 7), [132, 7, 924]);
        assert_eq!(vpc::<Nv24>(A2, 33, 7), [33, 7, 693]);
        assert_eq!(vpc::<Yuv440>(A2, 33, 8), [33, 8, 528]);
    }

    #[test]
    fn the_decoder_has_strides_of_its_own() {
        let of = |chip| numbers(Layout::<Nv12>::for_jpeg(chip, 33, 47).unwrap());
        assert_eq!(of(Ascend310), [128, 48, 9216]);
        assert_eq!(of(Ascend310P), [64, 48, 4608]);
        let layout = Layout::<Nv12>::for_jpeg(A2, 33, 47).unwrap();
        assert_eq!((layout.width(), layout.height()), (32, 46));
        assert_eq!(
            numbers(Layout::<Rgb888>::for_png(A2, 33, 47).unwrap()),
            [384, 48, 18432]
        );
    }

    #[test]
    fn errors_name_the_size_and_the_remedy() {
        fn says<F: PixelFormat>(layout: crate::error::Result<Layout<F>>, text: &str) {
            assert_eq!(layout.unwrap_err().to_string(), text);
        }
        says(
            Layout::<Nv12>::for_vpc(A2, 225, 224),
            "a picture of the format NV12 (YUV420SP) cannot have 225 x 224 pixels: its width must be even, because two \
             neighbours share their colour",
        );
        says(
            Layout::<Yuv440>::for_vpc(A2, 32, 33),
            "a picture of the format YUV440SP cannot have 32 x 33 pixels: its height must be even, because two neighbours \
             share their colour",
        );
        says(
            Layout::<Nv12>::for_vpc(A2, 8, 6),
            "the picture has 8 x 6 pixels, and its sides must be from 10 x 6 to 8192 x 8192",
        );
        says(
            Layout::<Yuv440>::for_vpc(A2, 4098, 6),
            "the picture has 4098 x 6 pixels, and its sides must be from 10 x 6 to 4096 x 8192",
        );
        says(
            Layout::<Nv12>::for_jpeg(A2, 31, 32),
            "the JPEG has 31 x 32 pixels, and its sides must be from 32 x 32 to 8192 x 8192",
        );
    }
}
