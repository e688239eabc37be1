//! Headers of JPEG in host memory, and the bytes that a decoding needs, second generation.

use ascendcl_sys::{
    HI_PT_H264, HI_PT_H265, HI_PT_JPEG, hi_img_info, hi_img_info_format, hi_jpeg_raw_format,
    hi_payload_type, hi_pic_buf_attr, hi_pixel_format, hi_vdec_stream,
};

use super::system::NOT_SUPPORT;
use super::vdec::{VDEC, illegal};
use crate::media::decode::{JPEG_SIDES, decoded_format, decoded_size};
use crate::media::format::{Layout, UNKNOWN, is_decoded};
use crate::media::jpeg::{self, Jpeg, Sampling};
use crate::media::product::product;
use crate::media::query::content;
use crate::object_calls::status;

fn raw_format(sampling: Sampling) -> hi_jpeg_raw_format {
    hi_jpeg_raw_format(match sampling {
        Sampling::S444 => 0,
        Sampling::S422 => 1,
        Sampling::S420 => 2,
        Sampling::S440 => 3,
        Sampling::Gray => 4,
        Sampling::Other => 100,
    })
}

/// Reads the header of a JPEG in host memory.
///
/// # Safety
///
/// - `stream` is null or valid for a read, and its address for reads of its length.
unsafe fn header(
    call: &str,
    stream: *const hi_vdec_stream,
    info: *const hi_img_info,
) -> Result<Jpeg, i32> {
    VDEC.not_null(call, "stream", stream)?;
    VDEC.not_null(call, "img_info", info)?;
    // SAFETY: not null; the caller's contract.
    let stream = unsafe { stream.read() };
    VDEC.not_null(call, "stream->addr", stream.addr)?;
    // SAFETY: the caller's contract.
    let file = unsafe { content(stream.addr.cast(), stream.len) };
    let header = jpeg::read(file).map_err(|why| illegal(call, format_args!("{why}")))?;
    if !JPEG_SIDES.contains(&header.width) || !JPEG_SIDES.contains(&header.height) {
        return Err(VDEC.refuse(
            call,
            NOT_SUPPORT,
            format_args!("a side of the picture is not between 32 and 8192"),
        ));
    }
    Ok(header)
}

/// The layout of the decoded picture.
fn laid_out(
    call: &str,
    header: &Jpeg,
    requested: u32,
    is_source: bool,
) -> Result<hi_img_info, i32> {
    let unsupported = |why: std::fmt::Arguments<'_>| VDEC.refuse(call, NOT_SUPPORT, why);
    if let Some(why) = header.unsupported() {
        return Err(unsupported(format_args!("{why}")));
    }
    let product = product();
    let format = decoded_format(header.reported(), requested, product);
    let layout = format.and_then(|format| Some((format, Layout::of(format)?)));
    let (format, layout) =
        layout.ok_or_else(|| unsupported(format_args!("it is not decoded to this format")))?;
    let (width, height) = decoded_size(header, format, false);
    let columns = width.next_multiple_of(product.decoded_unit());
    let rows = height.next_multiple_of(16);
    Ok(hi_img_info {
        width,
        height,
        width_stride: columns,
        height_stride: rows,
        img_buf_size: layout.bytes(columns as usize, rows as usize) as u32,
        format: if is_source {
            hi_img_info_format {
                pixel_format: raw_format(header.reported()),
            }
        } else {
            hi_img_info_format {
                img_pixel_format: hi_pixel_format(format),
            }
        },
        reserved: [0; 4],
    })
}

pub(crate) unsafe extern "C" fn hi_mpi_dvpp_get_image_info(
    img_type: hi_payload_type,
    stream: *const hi_vdec_stream,
    img_info: *mut hi_img_info,
) -> i32 {
    let call = "hi_mpi_dvpp_get_image_info";
    status((|| {
        // SAFETY: the same contract.
        let header = unsafe { header(call, stream, img_info) }?;
        if img_type != HI_PT_JPEG {
            return Err(VDEC.refuse(
                call,
                NOT_SUPPORT,
                format_args!("{img_type:?} is not read; HI_PT_JPEG is"),
            ));
        }
        let info = laid_out(call, &header, UNKNOWN, true)?;
        // SAFETY: `header` has refused null; the caller's contract: valid for a write.
        unsafe { img_info.write(info) };
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn hi_mpi_vdec_get_jpegd_output_info(
    stream: *const hi_vdec_stream,
    output_format: hi_pixel_format,
    img_info: *mut hi_img_info,
) -> i32 {
    let call = "hi_mpi_vdec_get_jpegd_output_info";
    status((|| {
        // SAFETY: the same contract.
        let header = unsafe { header(call, stream, img_info) }?;
        let info = laid_out(call, &header, output_format.0, false)?;
        // SAFETY: `header` has refused null; the caller's contract: valid for a write.
        unsafe { img_info.write(info) };
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn hi_vdec_get_pic_buf_size(
    type_: hi_payload_type,
    buf_attr: *mut hi_pic_buf_attr,
) -> u32 {
    if buf_attr.is_null() || type_ != HI_PT_JPEG {
        return 0;
    }
    // SAFETY: not null; the caller's contract: valid for a read.
    let attr = unsafe { buf_attr.read() };
    let format = attr.pixel_format.0;
    let layout = Layout::of(format).filter(|_| is_decoded(format, product()));
    let is_possible = JPEG_SIDES.contains(&attr.width) && JPEG_SIDES.contains(&attr.height);
    layout.filter(|_| is_possible).map_or(0, |layout| {
        let columns = attr.width.next_multiple_of(product().decoded_unit());
        let rows = attr.height.next_multiple_of(16);
        layout.bytes(columns as usize, rows as usize) as u32
    })
}

/// The size is a matter of the picture alone, so a program that asks for it is answered, although no video is decoded here.
pub(crate) unsafe extern "C" fn hi_vdec_get_tmv_buf_size(
    type_: hi_payload_type,
    width: u32,
    height: u32,
) -> u32 {
    // The bytes of a block of 16 x 16 pixels, and the unit of the sides.
    let (bytes, unit) = match type_ {
        HI_PT_H264 => (64, 16),
        HI_PT_H265 => (16, 64),
        _ => return 0,
    };
    let blocks = |side: u32| u64::from(side).next_multiple_of(unit) / 16;
    let whole = (bytes * blocks(width) * blocks(height)).next_multiple_of(128);
    u32::try_from(whole).unwrap_or(0)
}
