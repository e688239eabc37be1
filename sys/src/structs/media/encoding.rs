//! The media engine DVPP, second generation: the channels that encode pictures (`acl/dvpp/hi_dvpp_venc.h`, CANN 8.1).
//!
//! A union with the name of its structure has no name in C, and its fields belong to the structure there. Of a union
//! for video only the largest field is declared.

use crate::types::*;

/// A size.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_video_size {
    /// The width in pixels.
    pub width: u32,
    /// The height in rows.
    pub height: u32,
}

/// The thumbnails of a JPEG.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_venc_mpf_cfg {
    /// The number of thumbnails.
    pub large_thumbnail_num: u8,
    /// Their sizes.
    pub large_thumbnail_size: [hi_video_size; HI_VENC_MAX_MPF_NUM],
}

/// The attributes of a JPEG.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_venc_jpeg_attr {
    /// Whether there are thumbnails.
    pub dcf_en: hi_bool,
    /// The thumbnails.
    pub mpf_cfg: hi_venc_mpf_cfg,
    /// The number of pictures.
    pub recv_mode: hi_venc_pic_recv_mode,
}

union! {
    /// Attributes by coding. The union has no name in C.
    hi_venc_attr_kind {
        /// The attributes of a JPEG.
        jpeg_attr: hi_venc_jpeg_attr,
    }
}

/// The attributes of an encoding.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_venc_attr {
    /// The coding.
    pub type_: hi_payload_type,
    /// The greatest width in pixels.
    pub max_pic_width: u32,
    /// The greatest height in rows.
    pub max_pic_height: u32,
    /// The bytes for output.
    pub buf_size: u32,
    /// The profile of the coding; 0 for JPEG.
    pub profile: u32,
    /// Whether the output comes in whole frames.
    pub is_by_frame: hi_bool,
    /// The width in pixels.
    pub pic_width: u32,
    /// The height in rows.
    pub pic_height: u32,
    /// The attributes of the coding.
    pub kind: hi_venc_attr_kind,
}

/// Rate control with a fixed quality.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_venc_mjpeg_fixqp {
    /// The frame rate of the input.
    pub src_frame_rate: u32,
    /// The frame rate of the output.
    pub dst_frame_rate: u32,
    /// The quality, 1 to 99.
    pub qfactor: u32,
}

/// Rate control with limits for long times.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_venc_h264_cvbr {
    /// The distance of key frames.
    pub gop: u32,
    /// The time of statistics in seconds.
    pub stats_time: u32,
    /// The frame rate of the input.
    pub src_frame_rate: u32,
    /// The frame rate of the output.
    pub dst_frame_rate: u32,
    /// The greatest bit rate.
    pub max_bit_rate: u32,
    /// The short time of statistics in seconds.
    pub short_term_stats_time: u32,
    /// The long time of statistics, in its unit.
    pub long_term_stats_time: u32,
    /// The greatest bit rate of the long time.
    pub long_term_max_bit_rate: u32,
    /// The smallest bit rate of the long time.
    pub long_term_min_bit_rate: u32,
}

union! {
    /// Rate control by mode. The union has no name in C.
    hi_venc_rc_attr_kind {
        /// A fixed quality.
        mjpeg_fixqp: hi_venc_mjpeg_fixqp,
        /// Limits for long times.
        h264_cvbr: hi_venc_h264_cvbr,
    }
}

/// The rate control of an encoding.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_venc_rc_attr {
    /// The mode.
    pub rc_mode: hi_venc_rc_mode,
    /// The attributes of the mode.
    pub kind: hi_venc_rc_attr_kind,
}

/// The order of frames without exceptions.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_venc_gop_normal_p {
    /// The difference of the quality of frames.
    pub ip_qp_delta: i32,
}

/// The order of frames with two kinds of references.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_venc_gop_dual_p {
    /// The distance of special frames.
    pub sp_interval: u32,
    /// The difference of their quality.
    pub sp_qp_delta: i32,
    /// The difference of the quality of frames.
    pub ip_qp_delta: i32,
}

union! {
    /// The order of frames by mode. The union has no name in C.
    hi_venc_gop_attr_kind {
        /// Without exceptions.
        normal_p: hi_venc_gop_normal_p,
        /// With two kinds of references.
        dual_p: hi_venc_gop_dual_p,
    }
}

/// The order of frames of an encoding.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_venc_gop_attr {
    /// The mode.
    pub gop_mode: hi_venc_gop_mode,
    /// The attributes of the mode.
    pub kind: hi_venc_gop_attr_kind,
}

/// The attributes of a channel for encoding.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_venc_chn_attr {
    /// The encoding.
    pub venc_attr: hi_venc_attr,
    /// The rate control. JPEG does not use it.
    pub rc_attr: hi_venc_rc_attr,
    /// The order of frames. JPEG does not use it.
    pub gop_attr: hi_venc_gop_attr,
}

/// The input of a channel for encoding.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_venc_start_param {
    /// The number of pictures; -1 is no limit.
    pub recv_pic_num: i32,
}

/// The parameters of JPEG encoding.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_venc_jpeg_param {
    /// The quality, 1 to 100, or 0xFFFFFFFF.
    pub qfactor: u32,
    /// Reserved.
    pub y_qt: [u8; HI_VENC_JPEG_QT_COEF_NUM],
    /// Reserved.
    pub cb_qt: [u8; HI_VENC_JPEG_QT_COEF_NUM],
    /// Reserved.
    pub cr_qt: [u8; HI_VENC_JPEG_QT_COEF_NUM],
    /// Reserved.
    pub mcu_per_ecs: u32,
    /// Whether the output comes in parts.
    pub ecs_output_en: hi_bool,
}

union! {
    /// The kind of a packet.
    hi_venc_data_type {
        /// The kind of a packet of a JPEG.
        jpeg_type: hi_venc_jpege_pack_type,
    }
}

/// A part of a packet.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_venc_pack_info {
    /// The kind.
    pub pack_type: hi_venc_data_type,
    /// The offset.
    pub pack_offset: u32,
    /// The bytes.
    pub pack_len: u32,
}

union! {
    /// An address of a packet. The union has no name in C.
    hi_venc_pack_address {
        /// The physical address of the output.
        phys_addr: hi_u64,
        /// The address of the input.
        input_addr: hi_u64,
    }
}

/// A packet of output.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_venc_pack {
    /// The address of the output or of the input.
    pub address: hi_venc_pack_address,
    /// The device address of the output.
    pub addr: *mut u8,
    /// The bytes.
    pub len: u32,
    /// A time stamp.
    pub pts: hi_u64,
    /// Whether a frame ends here.
    pub is_frame_end: hi_bool,
    /// The kind.
    pub data_type: hi_venc_data_type,
    /// The offset of the data.
    pub offset: u32,
    /// The number of parts.
    pub data_num: u32,
    /// The parts.
    pub pack_info: [hi_venc_pack_info; HI_VENC_MAX_PACK_INFO_NUM],
}

/// A report of a JPEG.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_venc_jpeg_stream_info {
    /// The bytes.
    pub pic_bytes: u32,
    /// The number of changes of the attributes.
    pub update_attr_cnt: u32,
    /// The quality.
    pub qfactor: u32,
}

/// A report of a frame of a video.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_venc_h265_stream_info {
    /// The bytes.
    pub pic_bytes: u32,
    /// A count of units.
    pub inter64x64_cu_num: u32,
    /// A count of units.
    pub inter32x32_cu_num: u32,
    /// A count of units.
    pub inter16x16_cu_num: u32,
    /// A count of units.
    pub inter8x8_cu_num: u32,
    /// A count of units.
    pub intra32x32_cu_num: u32,
    /// A count of units.
    pub intra16x16_cu_num: u32,
    /// A count of units.
    pub intra8x8_cu_num: u32,
    /// A count of units.
    pub intra4x4_cu_num: u32,
    /// The kind of reference.
    pub ref_type: hi_venc_ref_type,
    /// The number of changes of the attributes.
    pub update_attr_cnt: u32,
    /// The first quantiser.
    pub start_qp: u32,
    /// The mean quantiser.
    pub mean_qp: u32,
    /// Whether the frame was skipped.
    pub is_p_skip: hi_bool,
}

union! {
    /// A report by coding. The union has no name in C.
    hi_venc_stream_report {
        /// A report of a JPEG.
        jpeg_info: hi_venc_jpeg_stream_info,
        /// A report of a frame of a video.
        h265_info: hi_venc_h265_stream_info,
    }
}

/// The errors of a region.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_venc_sse_info {
    /// Whether they are summed.
    pub enable: hi_bool,
    /// The sum.
    pub sse_val: hi_u64,
}

/// A long report of a frame of a video.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_venc_h264_adv_stream_info {
    /// The bits of residuals.
    pub residual_bits: u32,
    /// The bits of headers.
    pub head_bits: u32,
    /// A mean difference.
    pub madi_val: u32,
    /// A mean difference.
    pub madp_val: u32,
    /// The ratio of signal to noise.
    pub psnr_val: f64,
    /// The number of units.
    pub sse_lcu_cnt: u32,
    /// The sum of errors.
    pub sse_sum: hi_u64,
    /// The errors of regions.
    pub sse_info: [hi_venc_sse_info; HI_VENC_MAX_SSE_NUM],
    /// The histogram of quantisers.
    pub qp_hist: [u32; HI_VENC_QP_HIST_NUM],
    /// The units in motion.
    pub move_scene16x16_num: u32,
    /// The bits of motion.
    pub move_scene_bits: u32,
}

union! {
    /// A long report by coding. The union has no name in C.
    hi_venc_stream_advanced {
        /// A long report of a frame of a video.
        h264_adv_info: hi_venc_h264_adv_stream_info,
    }
}

/// An encoded picture.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_venc_stream {
    /// The packets, with room from the program.
    pub pack: *mut hi_venc_pack,
    /// The number of packets.
    pub pack_cnt: u32,
    /// The number of the picture.
    pub seq: u32,
    /// A report of the encoding.
    pub report: hi_venc_stream_report,
    /// A long report of the encoding.
    pub advanced: hi_venc_stream_advanced,
}

/// The last encoding of a channel.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_venc_stream_info {
    /// The kind of reference.
    pub ref_type: hi_venc_ref_type,
    /// The bytes.
    pub pic_bytes: u32,
    /// The number of frames or packets.
    pub pic_cnt: u32,
    /// The first quantiser.
    pub start_qp: u32,
    /// The mean quantiser.
    pub mean_qp: u32,
    /// Whether the frame was skipped.
    pub is_p_skip: hi_bool,
    /// The bits of residuals.
    pub residual_bits: u32,
    /// The bits of headers.
    pub head_bits: u32,
    /// A mean difference.
    pub madi_val: u32,
    /// A mean difference.
    pub madp_val: u32,
    /// The sum of errors.
    pub sse_sum: hi_u64,
    /// The number of units.
    pub sse_lcu_cnt: u32,
    /// The ratio of signal to noise.
    pub psnr_val: f64,
}

/// The state of a channel for encoding.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct hi_venc_chn_status {
    /// The pictures that wait for encoding.
    pub left_pics: u32,
    /// The bytes of output that were not fetched.
    pub left_stream_bytes: u32,
    /// The encoded pictures that were not fetched.
    pub left_stream_frames: u32,
    /// The packets of the next output.
    pub cur_packs: u32,
    /// The number of pictures that the channel still accepts.
    pub left_recv_pics: u32,
    /// The number of pictures that the channel still encodes.
    pub left_enc_pics: u32,
    /// Whether a single picture is done.
    pub is_jpeg_snap_end: hi_bool,
    /// The time stamp of the last released picture.
    pub release_pic_pts: hi_u64,
    /// The last encoding.
    pub stream_info: hi_venc_stream_info,
}
