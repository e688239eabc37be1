//! The sizes of pictures that the picture processor reads and writes.

use ascendcl_sys as sys;

use crate::error::{MediaMismatch, Result};
use crate::media::chip::Chip;
use crate::media::format::{PixelFormat, VpcInput, VpcOutput};
use crate::media::layout::{LEAST, Layout, MOST, in_range};

/// The sides of a picture that the JPEG encoder reads.
pub(super) const ENCODED: (u32, u32) = (32, 8192);
/// The most regions and pictures of a batch.
const BATCH: usize = 256;

/// Checks the size of a picture that the picture processor reads.
pub(super) fn check_input<F: VpcInput>(layout: &Layout<F>, chip: Chip) -> Result<()> {
    // Formats with sides above 4096 (manual, `aclcppdevg_03_0337`).
    let most = match chip {
        Chip::Ascend310 | Chip::Ascend910
            if F::RAW != sys::PIXEL_FORMAT_YUV_SEMIPLANAR_420
                && F::RAW != sys::PIXEL_FORMAT_YVU_SEMIPLANAR_420 =>
        {
            4096
        }
        Chip::Ascend310P if F::RAW > sys::PIXEL_FORMAT_VYUY_PACKED_422 => 4096,
        _ => MOST,
    };
    let size = (layout.width(), layout.height());
    in_range("the input", size, LEAST, (most, most))
}

/// Checks the size of a picture that the picture processor writes.
pub(super) fn check_output<F: VpcOutput>(layout: &Layout<F>, chip: Chip) -> Result<()> {
    let rows = if chip.aligns_rows() { 4096 } else { MOST };
    let size = (layout.width(), layout.height());
    in_range("the output", size, LEAST, (4096, rows))
}

/// Checks that a task keeps the size of its picture.
pub(super) fn check_same<F: PixelFormat, G: PixelFormat>(
    call: &'static str,
    input: &Layout<F>,
    output: &Layout<G>,
) -> Result<()> {
    let (width, height) = (input.width(), input.height());
    let (to_width, to_height) = (output.width(), output.height());
    if (width, height) == (to_width, to_height) {
        return Ok(());
    }
    Err(MediaMismatch::Sizes {
        call,
        width,
        height,
        to_width,
        to_height,
    }
    .into())
}

/// Checks that a task keeps the strides of its picture: the host library compares them (sources of 2021).
pub(super) fn check_strides<F: PixelFormat, G: PixelFormat>(
    call: &'static str,
    input: &Layout<F>,
    output: &Layout<G>,
) -> Result<()> {
    let (stride, rows) = (input.width_stride(), input.height_stride());
    let (to_stride, to_rows) = (output.width_stride(), output.height_stride());
    if (stride, rows) == (to_stride, to_rows) {
        return Ok(());
    }
    Err(MediaMismatch::Strides {
        call,
        stride,
        rows,
        to_stride,
        to_rows,
    }
    .into())
}

/// Checks the picture and the quality of a task of the JPEG encoder.
pub(super) fn check_encoder<F: PixelFormat>(layout: &Layout<F>, quality: u32) -> Result<()> {
    if quality > 100 {
        return Err(MediaMismatch::Quality { level: quality }.into());
    }
    let (least, most) = ENCODED;
    let size = (layout.width(), layout.height());
    in_range("the input", size, (least, least), (most, most))?;
    let stride = layout.width_stride();
    if !stride.is_multiple_of(16) {
        return Err(MediaMismatch::EncoderStride { stride }.into());
    }
    Ok(())
}

/// Checks that a batch has one output for each region, and a region of each input.
pub(super) fn check_batch(
    mut regions: impl Iterator<Item = usize> + Clone,
    outputs: usize,
) -> Result<()> {
    let all: usize = regions.clone().sum();
    if all == outputs && (1..=BATCH).contains(&all) && regions.all(|count| count > 0) {
        return Ok(());
    }
    let regions = all;
    Err(MediaMismatch::Batch { regions, outputs }.into())
}
