//! The media engine DVPP: callbacks of the first generation (`acl/ops/acl_dvpp.h`), and pictures of the second one
//! (`acl/dvpp/hi_dvpp_vpc.h`, `acl/dvpp/hi_mpi_sys.h`, CANN 8.1).

pub use coding::*;
pub use encoding::*;

mod coding;
mod encoding;

use core::ffi::c_void;

use super::{acldvppPicDesc, acldvppStreamDesc};
use crate::types::*;

/// A function that receives a decoded frame.
pub type aclvdecCallback = Option<
    unsafe extern "C" fn(
        input: *mut acldvppStreamDesc,
        output: *mut acldvppPicDesc,
        userData: *mut c_void,
    ),
>;
/// A function that receives an encoded frame.
pub type aclvencCallback = Option<
    unsafe extern "C" fn(
        input: *mut acldvppPicDesc,
        output: *mut acldvppStreamDesc,
        userdata: *mut c_void,
    ),
>;

/// The colour of a border, a number for each component.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vpc_scalar {
    /// The components in the order of the channels.
    pub val: [f64; 4],
}

/// A border around a picture.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vpc_make_border_info {
    /// The rows above.
    pub top: u32,
    /// The rows below.
    pub bottom: u32,
    /// The columns on the left.
    pub left: u32,
    /// The columns on the right.
    pub right: u32,
    /// The content of the border.
    pub border_type: hi_vpc_bord_type,
    /// The colour of a constant border.
    pub scalar_value: hi_vpc_scalar,
}

/// A picture for picture processing.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vpc_pic_info {
    /// The device address.
    pub picture_address: *mut c_void,
    /// The bytes of the buffer.
    pub picture_buffer_size: u32,
    /// The width in pixels.
    pub picture_width: u32,
    /// The height in rows.
    pub picture_height: u32,
    /// The bytes of a row.
    pub picture_width_stride: u32,
    /// The rows of the buffer.
    pub picture_height_stride: u32,
    /// The format.
    pub picture_format: hi_pixel_format,
}

/// A picture for PNG decoding.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_pic_info {
    /// The device address.
    pub picture_address: *mut c_void,
    /// The bytes of the buffer.
    pub picture_buffer_size: u32,
    /// The width in pixels.
    pub picture_width: u32,
    /// The height in rows.
    pub picture_height: u32,
    /// The bytes of a row.
    pub picture_width_stride: u32,
    /// The rows of the buffer.
    pub picture_height_stride: u32,
    /// The format.
    pub picture_format: hi_pixel_format,
}

/// A rectangle of a picture.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vpc_crop_region {
    /// The first row.
    pub top_offset: u32,
    /// The leftmost column.
    pub left_offset: u32,
    /// The width in pixels.
    pub crop_width: u32,
    /// The height in rows.
    pub crop_height: u32,
}

/// A copy of a rectangle.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vpc_crop_region_info {
    /// The output.
    pub dest_pic_info: hi_vpc_pic_info,
    /// The rectangle of the input.
    pub crop_region: hi_vpc_crop_region,
}

/// The size after scaling.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vpc_resize_info {
    /// The width in pixels.
    pub resize_width: u32,
    /// The height in rows.
    pub resize_height: u32,
    /// The interpolation: 0 is bilinear, 1 is the nearest pixel.
    pub interpolation: u32,
}

/// A scaled copy of a rectangle.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vpc_crop_resize_region {
    /// The output.
    pub dest_pic_info: hi_vpc_pic_info,
    /// The rectangle of the input.
    pub crop_region: hi_vpc_crop_region,
    /// The size after scaling.
    pub resize_info: hi_vpc_resize_info,
}

/// A scaled copy of a rectangle to a place in the output.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vpc_crop_resize_paste_region {
    /// The output.
    pub dest_pic_info: hi_vpc_pic_info,
    /// The rectangle of the input.
    pub crop_region: hi_vpc_crop_region,
    /// The size after scaling.
    pub resize_info: hi_vpc_resize_info,
    /// The first row in the output.
    pub dest_top_offset: u32,
    /// The leftmost column in the output.
    pub dest_left_offset: u32,
}

/// A scaled copy of a rectangle with a border.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vpc_crop_resize_border_region {
    /// The output.
    pub dest_pic_info: hi_vpc_pic_info,
    /// The rectangle of the input.
    pub crop_region: hi_vpc_crop_region,
    /// The size after scaling.
    pub resize_info: hi_vpc_resize_info,
    /// The first row in the output.
    pub dest_top_offset: u32,
    /// The leftmost column in the output.
    pub dest_left_offset: u32,
    /// The content of the border.
    pub border_type: hi_vpc_bord_type,
    /// The colour of a constant border.
    pub scalar_value: hi_vpc_scalar,
}

/// A copy of a rectangle that is scaled twice.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vpc_crop_resize_resize_paste_region {
    /// The output.
    pub dest_pic_info: hi_vpc_pic_info,
    /// The rectangle of the input.
    pub crop_region: hi_vpc_crop_region,
    /// The size after the first scaling.
    pub resize_info1: hi_vpc_resize_info,
    /// The size after the second scaling.
    pub resize_info2: hi_vpc_resize_info,
    /// The first row in the output.
    pub dest_top_offset: u32,
    /// The leftmost column in the output.
    pub dest_left_offset: u32,
    /// Reserved, 0.
    pub reserved: [u32; 2],
}

/// The attributes of a channel for picture processing.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vpc_chn_attr {
    /// The length of the queue: 0 is the default, otherwise 10 to 350.
    pub attr: i32,
    /// The greatest width in pixels.
    pub pic_width: u32,
    /// The greatest height in rows.
    pub pic_height: u32,
}

/// A histogram.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vpc_histogram_config {
    /// The counters of the first component.
    pub histogram_y_or_r: [u32; 256],
    /// The counters of the second component.
    pub histogram_u_or_g: [u32; 256],
    /// The counters of the third component.
    pub histogram_v_or_b: [u32; 256],
}

/// A map of pixel values.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vpc_lut_remap {
    /// The values of the first component.
    pub map_value_y_or_r: [u8; 256],
    /// The values of the second component.
    pub map_value_u_or_g: [u8; 256],
    /// The values of the third component.
    pub map_value_v_or_b: [u8; 256],
}

/// Options of a conversion.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_csc_conf {
    /// The value of the alpha channel.
    pub alpha: u32,
    /// Reserved.
    pub attr: [u32; 4],
}

/// A rotation.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_rotate_param {
    /// The input.
    pub src: hi_vpc_pic_info,
    /// The output.
    pub dst: hi_vpc_pic_info,
    /// The angle.
    pub angle: hi_rotation,
}

/// A mirroring.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_flip_param {
    /// The input.
    pub src: hi_vpc_pic_info,
    /// The output.
    pub dst: hi_vpc_pic_info,
    /// The direction.
    pub flip_mode: hi_flip_mode,
}

/// A picture without its layout.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_img_base_info {
    /// The width in pixels.
    pub width: u32,
    /// The height in rows.
    pub height: u32,
    /// The format.
    pub pixel_format: hi_pixel_format,
    /// Reserved.
    pub reserved: [hi_u64; 2],
}

/// The layout of a picture.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_img_align_info {
    /// The bytes of a row.
    pub width_stride: u32,
    /// The rows of the buffer.
    pub height_stride: u32,
    /// The bytes of the buffer.
    pub img_buf_size: hi_u64,
    /// Reserved.
    pub reserved: [hi_u64; 2],
}

/// A colour matrix of the program.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_coefficient {
    /// Row 0, column 0.
    pub csc_matrix_r0_c0: f64,
    /// Row 0, column 1.
    pub csc_matrix_r0_c1: f64,
    /// Row 0, column 2.
    pub csc_matrix_r0_c2: f64,
    /// Row 1, column 0.
    pub csc_matrix_r1_c0: f64,
    /// Row 1, column 1.
    pub csc_matrix_r1_c1: f64,
    /// Row 1, column 2.
    pub csc_matrix_r1_c2: f64,
    /// Row 2, column 0.
    pub csc_matrix_r2_c0: f64,
    /// Row 2, column 1.
    pub csc_matrix_r2_c1: f64,
    /// Row 2, column 2.
    pub csc_matrix_r2_c2: f64,
    /// The constant of row 0.
    pub csc_bias_r0: f64,
    /// The constant of row 1.
    pub csc_bias_r1: f64,
    /// The constant of row 2.
    pub csc_bias_r2: f64,
}

/// The colour matrices of the program.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_csc_coefficient {
    /// From YUV to RGB.
    pub yuv_to_rgb_coefficient: hi_coefficient,
    /// From RGB to YUV.
    pub rgb_to_yuv_coefficient: hi_coefficient,
}
