//! The media engine DVPP, second generation: coded pictures and the channels that decode and encode them
//! (`acl/dvpp/hi_media_common.h`, `acl/dvpp/hi_dvpp_vdec.h`, `acl/dvpp/hi_dvpp_venc.h`, `acl/dvpp/hi_dvpp_pngd.h`,
//! CANN 8.1).
//!
//! A union with the name of its structure has no name in C, and its fields belong to the structure there. Of a union
//! for video only the largest field is declared.

use core::ffi::c_void;

use crate::types::*;

/// A coded picture.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_img_stream {
    /// The coding.
    pub type_: hi_payload_type,
    /// The device address, or a host address for functions that read the header.
    pub addr: *mut u8,
    /// The bytes.
    pub len: u32,
    /// A time stamp.
    pub pts: hi_u64,
    /// Reserved.
    pub reserved: [i32; 2],
}

union! {
    /// The format of a coded picture. The union has no name in C.
    hi_img_info_format {
        /// The subsampling of a JPEG.
        pixel_format: hi_jpeg_raw_format,
        /// The colour type of a PNG.
        png_pixel_format: hi_png_color_format,
        /// The format of the decoded picture.
        img_pixel_format: hi_pixel_format,
    }
}

/// The header of a coded picture, and the layout of the decoded one.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_img_info {
    /// The width in pixels.
    pub width: u32,
    /// The height in rows.
    pub height: u32,
    /// The bytes of a row.
    pub width_stride: u32,
    /// The rows of the buffer.
    pub height_stride: u32,
    /// The bytes of the buffer.
    pub img_buf_size: u32,
    /// The format.
    pub format: hi_img_info_format,
    /// Reserved.
    pub reserved: [u32; 4],
}

/// The attributes of an output buffer.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_pic_buf_attr {
    /// The width in pixels.
    pub width: u32,
    /// The height in rows.
    pub height: u32,
    /// The alignment of a row.
    pub align: u32,
    /// The bits of a sample.
    pub bit_width: hi_data_bit_width,
    /// The format.
    pub pixel_format: hi_pixel_format,
    /// The compression.
    pub compress_mode: hi_compress_mode,
}

/// The attributes of a channel for PNG decoding.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_pngd_chn_attr {
    /// Reserved.
    pub stream_que_cnt: u32,
    /// Reserved.
    pub reserved: [hi_u64; 4],
}

union! {
    /// A further address. The union has no name in C.
    hi_video_supplement_dng {
        /// The address of the negative.
        frame_dng_phys_addr: hi_u64,
        /// An offset.
        offset: hi_u64,
    }
}

/// Addresses beside a frame. JPEG does not use them.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_video_supplement {
    /// A physical address of the device.
    pub misc_info_phys_addr: hi_u64,
    /// A physical address of the device.
    pub jpeg_dcf_phys_addr: hi_u64,
    /// A physical address of the device.
    pub isp_info_phys_addr: hi_u64,
    /// A physical address of the device.
    pub low_delay_phys_addr: hi_u64,
    /// A physical address of the device.
    pub bnr_rnt_phys_addr: hi_u64,
    /// A physical address of the device.
    pub motion_data_phys_addr: hi_u64,
    /// A further address.
    pub frame_dng: hi_video_supplement_dng,
    /// An address.
    pub misc_info_virt_addr: *mut c_void,
    /// An address.
    pub jpeg_dcf_virt_addr: *mut c_void,
    /// An address.
    pub isp_info_virt_addr: *mut c_void,
    /// An address.
    pub low_delay_virt_addr: *mut c_void,
    /// An address.
    pub bnr_mot_virt_addr: *mut c_void,
    /// An address.
    pub motion_data_virt_addr: *mut c_void,
    /// An address.
    pub frame_dng_virt_addr: *mut c_void,
}

/// A frame.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_video_frame {
    /// The width in pixels.
    pub width: u32,
    /// The height in rows.
    pub height: u32,
    /// The lines.
    pub field: hi_video_field,
    /// The format.
    pub pixel_format: hi_pixel_format,
    /// The layout.
    pub video_format: hi_video_format,
    /// The compression.
    pub compress_mode: hi_compress_mode,
    /// The range of values.
    pub dynamic_range: hi_dynamic_range,
    /// The colour space.
    pub color_gamut: hi_color_gamut,
    /// The bytes of a row of the headers of each plane.
    pub header_stride: [u32; HI_MAX_COLOR_COMPONENT],
    /// The bytes of a row of each plane.
    pub width_stride: [u32; HI_MAX_COLOR_COMPONENT],
    /// The rows of each plane.
    pub height_stride: [u32; HI_MAX_COLOR_COMPONENT],
    /// The physical addresses of the headers.
    pub header_phys_addr: [hi_u64; HI_MAX_COLOR_COMPONENT],
    /// The physical addresses of the planes.
    pub phys_addr: [hi_u64; HI_MAX_COLOR_COMPONENT],
    /// The addresses of the headers.
    pub header_virt_addr: [*mut c_void; HI_MAX_COLOR_COMPONENT],
    /// The addresses of the planes.
    pub virt_addr: [*mut c_void; HI_MAX_COLOR_COMPONENT],
    /// A number of the frame.
    pub time_ref: u32,
    /// A time stamp.
    pub pts: hi_u64,
    /// Words of the program.
    pub user_data: [hi_u64; HI_MAX_USER_DATA_NUM],
    /// The state of the frame; 0 is a good one.
    pub frame_flag: u32,
    /// Further addresses.
    pub supplement: hi_video_supplement,
}

/// A frame with its origin.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_video_frame_info {
    /// The frame.
    pub v_frame: hi_video_frame,
    /// The pool of its memory.
    pub pool_id: u32,
    /// The module that made it.
    pub mod_id: hi_mod_id,
}

/// Counters of failures.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vdec_dec_err {
    /// The picture is larger than the channel.
    pub set_pic_size_err: i32,
    /// There are too many parameter sets.
    pub set_protocol_num_err: i32,
    /// There are too many reference frames.
    pub set_ref_num_err: i32,
    /// The buffer is too small.
    pub set_pic_buf_size_err: i32,
    /// The format is not supported.
    pub format_err: i32,
    /// The stream is not supported.
    pub stream_unsupport: i32,
    /// The stream is damaged.
    pub pack_err: i32,
    /// The stream is too long.
    pub stream_size_over: i32,
    /// The stream was not released in time.
    pub stream_not_release: i32,
}

/// The state of a channel for decoding.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vdec_chn_status {
    /// The coding.
    pub type_: hi_payload_type,
    /// The bytes that wait for decoding.
    pub left_stream_bytes: u32,
    /// The frames that wait for decoding.
    pub left_stream_frames: u32,
    /// The decoded frames that were not fetched.
    pub left_decoded_frames: u32,
    /// Whether the channel accepts input.
    pub is_started: hi_bool,
    /// The frames that the channel has accepted.
    pub recv_stream_frames: u32,
    /// The frames that were decoded.
    pub dec_stream_frames: u32,
    /// Counters of failures.
    pub dec_err: hi_vdec_dec_err,
    /// The width of the last frame.
    pub width: u32,
    /// The height of the last frame.
    pub height: u32,
    /// The time stamp of the last frame.
    pub latest_frame_pts: hi_u64,
}

/// Attributes of a channel for video.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vdec_video_attr {
    /// The number of reference frames.
    pub ref_frame_num: u32,
    /// Whether motion vectors of other frames are used.
    pub temporal_mvp_en: hi_bool,
    /// The bytes for motion vectors.
    pub tmv_buf_size: u32,
}

union! {
    /// Attributes of video. The union has no name in C.
    hi_vdec_chn_attr_video {
        /// Attributes of video.
        video_attr: hi_vdec_video_attr,
    }
}

/// The attributes of a channel for decoding.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vdec_chn_attr {
    /// The coding.
    pub type_: hi_payload_type,
    /// The units of the input.
    pub mode: hi_vdec_send_mode,
    /// The greatest width in pixels.
    pub pic_width: u32,
    /// The greatest height in rows.
    pub pic_height: u32,
    /// The bytes for input.
    pub stream_buf_size: u32,
    /// The bytes for output.
    pub frame_buf_size: u32,
    /// The number of output buffers.
    pub frame_buf_cnt: u32,
    /// Attributes of video.
    pub video: hi_vdec_chn_attr_video,
}

/// A frame to decode.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vdec_stream {
    /// Whether a frame ends here.
    pub end_of_frame: hi_bool,
    /// Whether the stream ends here.
    pub end_of_stream: hi_bool,
    /// Whether the output is wanted.
    pub need_display: hi_bool,
    /// A time stamp.
    pub pts: hi_u64,
    /// A word of the program.
    pub private_data: hi_u64,
    /// The bytes.
    pub len: u32,
    /// The device address, or a host address for functions that read the header.
    pub addr: *mut u8,
}

/// Parameters of video.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vdec_video_param {
    /// Whether the enhanced layer is decoded.
    pub composite_dec_en: hi_bool,
    /// Whether slices are accepted.
    pub slice_input_en: hi_bool,
    /// The part of a frame that may be damaged, in percent.
    pub err_threshold: i32,
    /// The frames that are decoded.
    pub dec_mode: hi_video_dec_mode,
    /// The order of the output.
    pub out_order: hi_video_out_order,
    /// The compression of the output.
    pub compress_mode: hi_compress_mode,
    /// The layout of the output.
    pub video_format: hi_video_format,
    /// The marking of reference frames.
    pub quick_mark_mode: hi_quick_mark_mode,
}

/// Parameters of pictures.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vdec_pic_param {
    /// The format of the output.
    pub pixel_format: hi_pixel_format,
    /// The value of the alpha channel.
    pub alpha: u32,
}

union! {
    /// Parameters by coding. The union has no name in C.
    hi_vdec_chn_param_kind {
        /// Parameters of video.
        video_param: hi_vdec_video_param,
        /// Parameters of pictures.
        pic_param: hi_vdec_pic_param,
    }
}

/// The parameters of a channel for decoding.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vdec_chn_param {
    /// The coding.
    pub type_: hi_payload_type,
    /// The number of frames that are kept for display.
    pub display_frame_num: u32,
    /// The parameters of the coding.
    pub kind: hi_vdec_chn_param_kind,
}

/// The output of a decoding.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vdec_pic_info {
    /// The width in pixels.
    pub width: u32,
    /// The height in rows.
    pub height: u32,
    /// The bytes of a row.
    pub width_stride: u32,
    /// The rows of the buffer.
    pub height_stride: u32,
    /// The format.
    pub pixel_format: hi_pixel_format,
    /// The device address.
    pub vir_addr: hi_u64,
    /// The bytes of the buffer.
    pub buffer_size: u32,
    /// The rows above the decoded region.
    pub offset_top: i16,
    /// The rows below the decoded region.
    pub offset_bottom: i16,
    /// The columns on the left of the decoded region.
    pub offset_left: i16,
    /// The columns on the right of the decoded region.
    pub offset_right: i16,
}

/// The decoding of a frame of a video.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vdec_video_supplement_info {
    /// The kind of the frame.
    pub frame_type: hi_vdec_frame_type,
    /// The damaged part.
    pub err_rate: u32,
    /// The place in the order of display.
    pub poc: u32,
}

union! {
    /// A report by coding. The union has no name in C.
    hi_vdec_supplement_info_kind {
        /// A report of video.
        video_supplement_info: hi_vdec_video_supplement_info,
    }
}

/// A report of a decoding.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_vdec_supplement_info {
    /// The coding.
    pub type_: hi_payload_type,
    /// The report of the coding.
    pub kind: hi_vdec_supplement_info_kind,
}
