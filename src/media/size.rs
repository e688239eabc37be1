//! The sizes of pictures that the picture processor reads and writes.

use ascendcl_sys as sys;

use crate::error::{MediaMismatch, Result};
use crate::media::chip::Chip;
use crate::media::format::{PixelFormat, VpcInput, VpcOutput};
use crate::media::layout::{LEAST, Layout, MOST, in_range};

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
