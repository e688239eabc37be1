//! Headers of coded pictures in host memory, and the bytes that a decoding or encoding needs (`acldvppJpeg*`,
//! `acldvppPng*`). The formulas and the order of the checks are those of the sources of CANN (2021-09).

use std::ffi::c_void;
use std::slice;

use ascendcl_sys::{
    ACL_ERROR_FAILURE, ACL_ERROR_FORMAT_NOT_MATCH, ACL_JPEG_CSS_420, ACL_JPEG_CSS_422,
    ACL_JPEG_CSS_440, ACL_JPEG_CSS_444, ACL_JPEG_CSS_GRAY, ACL_JPEG_CSS_UNKNOWN, aclError,
    acldvppJpegFormat, acldvppJpegeConfig, acldvppPicDesc, acldvppPixelFormat,
};

use super::config;
use super::decode::{JPEG_SIDES, PNG_SIDES};
use super::description;
use super::format::{Layout, UNKNOWN, is_decoded, is_encoded};
use super::jpeg::{self, Jpeg, Sampling};
use super::object::ready;
use super::picture::Picture;
use super::png::{self, Png};
use super::product::product;
use super::vpc::has_format;
use crate::object_calls::{invalid, not_null, refused, status};

/// The most bytes of a decoded PNG.
const LARGEST_PNG: u64 = 134_217_728;

/// The unit of the room for an encoded picture.
const ROOM: u64 = 2 << 20;

/// The content of a coded picture in host memory.
///
/// # Safety
///
/// - `data` is valid for reads of `size` bytes for as long as the result is used.
pub(super) unsafe fn content<'a>(data: *const c_void, size: u32) -> &'a [u8] {
    if size == 0 || data.is_null() {
        return &[];
    }
    // SAFETY: not null; the caller's contract.
    unsafe { slice::from_raw_parts(data.cast(), size as usize) }
}

/// Writes a result if the program wants it.
///
/// # Safety
///
/// - `place` is null or valid for a write.
unsafe fn answer<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: not null; the caller's contract.
        unsafe { place.write(value) };
    }
}

fn header(call: &str, file: &[u8]) -> Result<Jpeg, aclError> {
    jpeg::read(file).map_err(|why| {
        refused(
            call,
            ACL_ERROR_FAILURE,
            format_args!("data is no JPEG that can be read: {why}"),
        )
    })
}

fn reported(sampling: Sampling) -> acldvppJpegFormat {
    match sampling {
        Sampling::Gray => ACL_JPEG_CSS_GRAY,
        Sampling::S444 => ACL_JPEG_CSS_444,
        Sampling::S422 => ACL_JPEG_CSS_422,
        Sampling::S420 => ACL_JPEG_CSS_420,
        Sampling::S440 => ACL_JPEG_CSS_440,
        Sampling::Other => ACL_JPEG_CSS_UNKNOWN,
    }
}

pub(crate) unsafe extern "C" fn acldvppJpegGetImageInfo(
    data: *const c_void,
    size: u32,
    width: *mut u32,
    height: *mut u32,
    components: *mut i32,
) -> aclError {
    let call = "acldvppJpegGetImageInfo";
    let format = std::ptr::null_mut();
    // SAFETY: the same contract.
    unsafe { image_info(call, data, size, width, height, components, format) }
}

pub(crate) unsafe extern "C" fn acldvppJpegGetImageInfoV2(
    data: *const c_void,
    size: u32,
    width: *mut u32,
    height: *mut u32,
    components: *mut i32,
    format: *mut acldvppJpegFormat,
) -> aclError {
    let call = "acldvppJpegGetImageInfoV2";
    // SAFETY: the same contract.
    unsafe { image_info(call, data, size, width, height, components, format) }
}

/// Reads the header of a JPEG.
///
/// # Safety
///
/// - `data` is null or valid for reads of `size` bytes.
/// - The other pointers are null or valid for a write.
unsafe fn image_info(
    call: &str,
    data: *const c_void,
    size: u32,
    width: *mut u32,
    height: *mut u32,
    components: *mut i32,
    format: *mut acldvppJpegFormat,
) -> aclError {
    status((|| {
        ready(call)?;
        not_null(call, "data", data)?;
        if width.is_null() && height.is_null() && components.is_null() && format.is_null() {
            return Ok(());
        }
        // SAFETY: the caller's contract.
        let jpeg = header(call, unsafe { content(data, size) })?;
        let (columns, rows) = jpeg.turned();
        // SAFETY: the caller's contract.
        unsafe { answer(width, columns) };
        // SAFETY: the caller's contract.
        unsafe { answer(height, rows) };
        // SAFETY: the caller's contract.
        unsafe { answer(components, jpeg.sampling.len() as i32) };
        // SAFETY: the caller's contract.
        unsafe { answer(format, reported(jpeg.reported())) };
        Ok(())
    })())
}

#[cold]
fn wrong_size(call: &str, side: &str, number: u32) -> aclError {
    invalid(
        call,
        format_args!("the picture has a {side} of {number} pixels, which the device does not have"),
    )
}

pub(crate) unsafe extern "C" fn acldvppJpegPredictDecSize(
    data: *const c_void,
    dataSize: u32,
    outputPixelFormat: acldvppPixelFormat,
    decSize: *mut u32,
) -> aclError {
    let call = "acldvppJpegPredictDecSize";
    status((|| {
        ready(call)?;
        not_null(call, "data", data)?;
        not_null(call, "decSize", decSize)?;
        let format = outputPixelFormat.0;
        has_format(call, "the output", format, is_decoded(format, product()))?;
        // SAFETY: the caller's contract: valid for reads of `dataSize` bytes.
        let jpeg = header(call, unsafe { content(data, dataSize) })?;
        let (width, height) = jpeg.turned();
        if !JPEG_SIDES.contains(&width) {
            return Err(wrong_size(call, "width", width));
        }
        if !JPEG_SIDES.contains(&height) {
            return Err(wrong_size(call, "height", height));
        }
        let area = width.next_multiple_of(128) * height.next_multiple_of(16);
        let bytes = match (format, jpeg.reported()) {
            (1 | 2, _) => area / 2 * 3,
            _ if jpeg.is_gray() => area / 2 * 3,
            (UNKNOWN, Sampling::S420) if jpeg.has_eight_bits() => area / 2 * 3,
            (3 | 4 | UNKNOWN, Sampling::S422) => area * 2,
            (5 | 6 | UNKNOWN, Sampling::S444) => area * 3,
            (1000 | 1001 | UNKNOWN, Sampling::S440) => area * 2,
            (_, sampling) => {
                return Err(refused(
                    call,
                    ACL_ERROR_FORMAT_NOT_MATCH,
                    format_args!(
                        "a JPEG of the subsampling {sampling:?} cannot be decoded to the format {format}"
                    ),
                ));
            }
        };
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { decSize.write(bytes) };
        Ok(())
    })())
}

/// Checks the strides of the input of the encoder. The error says what is wrong.
pub(super) fn encoder_strides(source: &Picture) -> Result<(), String> {
    let (columns, rows) = (source.width_stride, source.height_stride);
    let is_packed = matches!(source.format, 7..=10);
    let packed = (source.width * 2).next_multiple_of(16);
    if is_packed && columns != packed {
        return Err(format!(
            "the input has rows of {columns} bytes; they have to have {packed}"
        ));
    }
    if !is_packed && (columns < source.width || columns % 16 != 0) {
        return Err(format!(
            "the input has rows of {columns} bytes; they need {} and a multiple of 16",
            source.width
        ));
    }
    if rows != source.height && (rows < source.height || rows % 16 != 0) {
        return Err(format!(
            "the input has {rows} rows in its buffer; they are {} or a greater multiple of 16",
            source.height
        ));
    }
    Ok(())
}

/// Returns the room that the encoding of a picture needs at most.
pub(super) fn encoded_room(source: &Picture) -> u32 {
    let layout = Layout::of(source.format);
    let bytes = layout.map_or(0, |layout| {
        layout.bytes(source.width_stride as usize, source.height_stride as usize)
    });
    let room = (bytes as u64 + 640 + 128).next_multiple_of(ROOM);
    u32::try_from(room).unwrap_or(u32::MAX)
}

pub(crate) unsafe extern "C" fn acldvppJpegPredictEncSize(
    inputDesc: *const acldvppPicDesc,
    config: *const acldvppJpegeConfig,
    size: *mut u32,
) -> aclError {
    let call = "acldvppJpegPredictEncSize";
    status((|| {
        ready(call)?;
        let source = description::picture(call, "inputDesc", inputDesc)?;
        config::quality(call, config)?;
        not_null(call, "size", size)?;
        if !JPEG_SIDES.contains(&source.width) {
            return Err(wrong_size(call, "width", source.width));
        }
        if !JPEG_SIDES.contains(&source.height) {
            return Err(wrong_size(call, "height", source.height));
        }
        has_format(call, "the input", source.format, is_encoded(source.format))?;
        encoder_strides(&source).map_err(|why| invalid(call, format_args!("{why}")))?;
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { size.write(encoded_room(&source)) };
        Ok(())
    })())
}

fn png_header(call: &str, file: &[u8]) -> Result<Png, aclError> {
    png::read(file).map_err(|why| invalid(call, format_args!("data is no PNG: {why}")))
}

pub(crate) unsafe extern "C" fn acldvppPngGetImageInfo(
    data: *const c_void,
    dataSize: u32,
    width: *mut u32,
    height: *mut u32,
    components: *mut i32,
) -> aclError {
    let call = "acldvppPngGetImageInfo";
    status((|| {
        ready(call)?;
        not_null(call, "data", data)?;
        // SAFETY: the caller's contract: valid for reads of `dataSize` bytes.
        let png = png_header(call, unsafe { content(data, dataSize) })?;
        if !components.is_null() {
            let count = png.components().ok_or_else(|| {
                refused(
                    call,
                    ACL_ERROR_FORMAT_NOT_MATCH,
                    format_args!(
                        "the PNG has the colour type {}, which the device does not have",
                        png.colour
                    ),
                )
            })?;
            // SAFETY: not null; the caller's contract: valid for a write.
            unsafe { components.write(count) };
        }
        // SAFETY: the caller's contract.
        unsafe { answer(width, png.width) };
        // SAFETY: the caller's contract.
        unsafe { answer(height, png.height) };
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn acldvppPngPredictDecSize(
    data: *const c_void,
    dataSize: u32,
    outputPixelFormat: acldvppPixelFormat,
    decSize: *mut u32,
) -> aclError {
    let call = "acldvppPngPredictDecSize";
    status((|| {
        ready(call)?;
        not_null(call, "data", data)?;
        not_null(call, "decSize", decSize)?;
        let format = outputPixelFormat.0;
        has_format(
            call,
            "the output",
            format,
            matches!(format, 12 | 16 | UNKNOWN),
        )?;
        // SAFETY: the caller's contract: valid for reads of `dataSize` bytes.
        let png = png_header(call, unsafe { content(data, dataSize) })?;
        if !PNG_SIDES.contains(&png.width) {
            return Err(wrong_size(call, "width", png.width));
        }
        if !PNG_SIDES.contains(&png.height) {
            return Err(wrong_size(call, "height", png.height));
        }
        let components = if format == 12 { 3 } else { 4 };
        let row = (u64::from(png.width.next_multiple_of(128)) * u64::from(png.bits) * components
            + 7)
            >> 3;
        let bytes = row * u64::from(png.height.next_multiple_of(16));
        if bytes == 0 || bytes > LARGEST_PNG {
            return Err(invalid(
                call,
                format_args!("the picture has {bytes} bytes; {LARGEST_PNG} are the most"),
            ));
        }
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { decSize.write(bytes as u32) };
        Ok(())
    })())
}
