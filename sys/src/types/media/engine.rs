//! The media engine DVPP, second generation: status codes and the options of its engines (`acl/dvpp/hi_dvpp_vpc.h`,
//! `acl/dvpp/hi_dvpp_vdec.h`, `acl/dvpp/hi_dvpp_venc.h`, `acl/dvpp/hi_dvpp_pngd.h`, `acl/dvpp/hi_mpi_sys.h`, CANN 8.1).
//!
//! A status code is `0xA0000000 | module << 16 | 4 << 13 | reason`, where the module is a
//! [`hi_mod_id`](super::mpi::hi_mod_id). Functions return it as `i32`, so compare it with `code as u32`.

/// Status code of the system: a parameter is out of range.
pub const HI_ERR_SYS_ILLEGAL_PARAM: u32 = 0xA002_8003;
/// Status code of the system: the channel exists.
pub const HI_ERR_SYS_EXIST: u32 = 0xA002_8004;
/// Status code of the system: the channel does not exist.
pub const HI_ERR_SYS_UNEXIST: u32 = 0xA002_8005;
/// Status code of the system: a pointer is null.
pub const HI_ERR_SYS_NULL_PTR: u32 = 0xA002_8006;
/// Status code of the system: the operation is not supported.
pub const HI_ERR_SYS_NOT_SUPPORT: u32 = 0xA002_8008;
/// Status code of the system: the operation is not allowed now.
pub const HI_ERR_SYS_NOT_PERM: u32 = 0xA002_8009;
/// Status code of the system: there is no memory.
pub const HI_ERR_SYS_NO_MEM: u32 = 0xA002_800C;
/// Status code of the system: the system was not initialised.
pub const HI_ERR_SYS_NOT_READY: u32 = 0xA002_8010;
/// Status code of the system: the channel is in use.
pub const HI_ERR_SYS_BUSY: u32 = 0xA002_8012;
/// Status code of the system: the system failed.
pub const HI_ERR_SYS_ERR: u32 = 0xA002_8015;
/// Status code of decoding: the number of a channel is out of range.
pub const HI_ERR_VDEC_INVALID_CHN_ID: u32 = 0xA005_8002;
/// Status code of decoding: a parameter is out of range.
pub const HI_ERR_VDEC_ILLEGAL_PARAM: u32 = 0xA005_8003;
/// Status code of decoding: the channel exists.
pub const HI_ERR_VDEC_EXIST: u32 = 0xA005_8004;
/// Status code of decoding: the channel does not exist.
pub const HI_ERR_VDEC_UNEXIST: u32 = 0xA005_8005;
/// Status code of decoding: a pointer is null.
pub const HI_ERR_VDEC_NULL_PTR: u32 = 0xA005_8006;
/// Status code of decoding: something was not configured.
pub const HI_ERR_VDEC_NOT_CFG: u32 = 0xA005_8007;
/// Status code of decoding: the operation is not supported.
pub const HI_ERR_VDEC_NOT_SUPPORT: u32 = 0xA005_8008;
/// Status code of decoding: the operation is not allowed now.
pub const HI_ERR_VDEC_NOT_PERM: u32 = 0xA005_8009;
/// Status code of decoding: there is no memory.
pub const HI_ERR_VDEC_NO_MEM: u32 = 0xA005_800C;
/// Status code of decoding: there is no buffer.
pub const HI_ERR_VDEC_NO_BUF: u32 = 0xA005_800D;
/// Status code of decoding: nothing is there yet.
pub const HI_ERR_VDEC_BUF_EMPTY: u32 = 0xA005_800E;
/// Status code of decoding: the queue is full.
pub const HI_ERR_VDEC_BUF_FULL: u32 = 0xA005_800F;
/// Status code of decoding: the system was not initialised.
pub const HI_ERR_VDEC_SYS_NOT_READY: u32 = 0xA005_8010;
/// Status code of decoding: an address is invalid.
pub const HI_ERR_VDEC_BAD_ADDR: u32 = 0xA005_8011;
/// Status code of decoding: the channel is in use.
pub const HI_ERR_VDEC_BUSY: u32 = 0xA005_8012;
/// Status code of decoding: the system failed.
pub const HI_ERR_VDEC_SYS_ERROR: u32 = 0xA005_8015;
/// Status code of picture processing: the number of a channel is out of range.
pub const HI_ERR_VPC_INVALID_CHN_ID: u32 = 0xA007_8002;
/// Status code of picture processing: a parameter is out of range.
pub const HI_ERR_VPC_ILLEGAL_PARAM: u32 = 0xA007_8003;
/// Status code of picture processing: the channel exists.
pub const HI_ERR_VPC_EXIST: u32 = 0xA007_8004;
/// Status code of picture processing: the channel does not exist.
pub const HI_ERR_VPC_UNEXIST: u32 = 0xA007_8005;
/// Status code of picture processing: a pointer is null.
pub const HI_ERR_VPC_NULL_PTR: u32 = 0xA007_8006;
/// Status code of picture processing: something was not configured.
pub const HI_ERR_VPC_NOT_CFG: u32 = 0xA007_8007;
/// Status code of picture processing: the operation is not supported.
pub const HI_ERR_VPC_NOT_SUPPORT: u32 = 0xA007_8008;
/// Status code of picture processing: the operation is not allowed now.
pub const HI_ERR_VPC_NOT_PERM: u32 = 0xA007_8009;
/// Status code of picture processing: there is no memory.
pub const HI_ERR_VPC_NO_MEM: u32 = 0xA007_800C;
/// Status code of picture processing: there is no buffer.
pub const HI_ERR_VPC_NO_BUF: u32 = 0xA007_800D;
/// Status code of picture processing: nothing is there yet.
pub const HI_ERR_VPC_BUF_EMPTY: u32 = 0xA007_800E;
/// Status code of picture processing: the queue is full.
pub const HI_ERR_VPC_BUF_FULL: u32 = 0xA007_800F;
/// Status code of picture processing: the system was not initialised.
pub const HI_ERR_VPC_SYS_NOT_READY: u32 = 0xA007_8010;
/// Status code of picture processing: an address is invalid.
pub const HI_ERR_VPC_BAD_ADDR: u32 = 0xA007_8011;
/// Status code of picture processing: the channel is in use.
pub const HI_ERR_VPC_BUSY: u32 = 0xA007_8012;
/// Status code of picture processing: the system failed.
pub const HI_ERR_VPC_SYS_ERROR: u32 = 0xA007_8015;
/// Status code of encoding: the number of a channel is out of range.
pub const HI_ERR_VENC_INVALID_CHN_ID: u32 = 0xA008_8002;
/// Status code of encoding: a parameter is out of range.
pub const HI_ERR_VENC_ILLEGAL_PARAM: u32 = 0xA008_8003;
/// Status code of encoding: the channel exists.
pub const HI_ERR_VENC_EXIST: u32 = 0xA008_8004;
/// Status code of encoding: the channel does not exist.
pub const HI_ERR_VENC_UNEXIST: u32 = 0xA008_8005;
/// Status code of encoding: a pointer is null.
pub const HI_ERR_VENC_NULL_PTR: u32 = 0xA008_8006;
/// Status code of encoding: something was not configured.
pub const HI_ERR_VENC_NOT_CFG: u32 = 0xA008_8007;
/// Status code of encoding: the operation is not supported.
pub const HI_ERR_VENC_NOT_SUPPORT: u32 = 0xA008_8008;
/// Status code of encoding: the operation is not allowed now.
pub const HI_ERR_VENC_NOT_PERM: u32 = 0xA008_8009;
/// Status code of encoding: there is no memory.
pub const HI_ERR_VENC_NO_MEM: u32 = 0xA008_800C;
/// Status code of encoding: there is no buffer.
pub const HI_ERR_VENC_NO_BUF: u32 = 0xA008_800D;
/// Status code of encoding: nothing is there yet.
pub const HI_ERR_VENC_BUF_EMPTY: u32 = 0xA008_800E;
/// Status code of encoding: the queue is full.
pub const HI_ERR_VENC_BUF_FULL: u32 = 0xA008_800F;
/// Status code of encoding: the system was not initialised.
pub const HI_ERR_VENC_SYS_NOT_READY: u32 = 0xA008_8010;
/// Status code of encoding: an address is invalid.
pub const HI_ERR_VENC_BAD_ADDR: u32 = 0xA008_8011;
/// Status code of encoding: the channel is in use.
pub const HI_ERR_VENC_BUSY: u32 = 0xA008_8012;
/// Status code of encoding: the system failed.
pub const HI_ERR_VENC_SYS_ERROR: u32 = 0xA008_8015;
/// Status code of PNG decoding: the number of a channel is out of range.
pub const HI_ERR_PNGD_INVALID_CHN_ID: u32 = 0xA040_8002;
/// Status code of PNG decoding: a parameter is out of range.
pub const HI_ERR_PNGD_ILLEGAL_PARAM: u32 = 0xA040_8003;
/// Status code of PNG decoding: the channel exists.
pub const HI_ERR_PNGD_EXIST: u32 = 0xA040_8004;
/// Status code of PNG decoding: the channel does not exist.
pub const HI_ERR_PNGD_UNEXIST: u32 = 0xA040_8005;
/// Status code of PNG decoding: a pointer is null.
pub const HI_ERR_PNGD_NULL_PTR: u32 = 0xA040_8006;
/// Status code of PNG decoding: something was not configured.
pub const HI_ERR_PNGD_NOT_CFG: u32 = 0xA040_8007;
/// Status code of PNG decoding: the operation is not supported.
pub const HI_ERR_PNGD_NOT_SUPPORT: u32 = 0xA040_8008;
/// Status code of PNG decoding: the operation is not allowed now.
pub const HI_ERR_PNGD_NOT_PERM: u32 = 0xA040_8009;
/// Status code of PNG decoding: there is no memory.
pub const HI_ERR_PNGD_NO_MEM: u32 = 0xA040_800C;
/// Status code of PNG decoding: there is no buffer.
pub const HI_ERR_PNGD_NO_BUF: u32 = 0xA040_800D;
/// Status code of PNG decoding: nothing is there yet.
pub const HI_ERR_PNGD_BUF_EMPTY: u32 = 0xA040_800E;
/// Status code of PNG decoding: the queue is full.
pub const HI_ERR_PNGD_BUF_FULL: u32 = 0xA040_800F;
/// Status code of PNG decoding: the system was not initialised.
pub const HI_ERR_PNGD_SYS_NOT_READY: u32 = 0xA040_8010;
/// Status code of PNG decoding: an address is invalid.
pub const HI_ERR_PNGD_BAD_ADDR: u32 = 0xA040_8011;
/// Status code of PNG decoding: the channel is in use.
pub const HI_ERR_PNGD_BUSY: u32 = 0xA040_8012;
/// Status code of PNG decoding: the time is over.
pub const HI_ERR_PNGD_TIMEOUT: u32 = 0xA040_8014;
/// Status code of PNG decoding: the system failed.
pub const HI_ERR_PNGD_SYS_ERROR: u32 = 0xA040_8015;

enumeration! {
    /// The bits of a sample.
    hi_data_bit_width: u32 {
        HI_DATA_BIT_WIDTH_8 = 0,
        HI_DATA_BIT_WIDTH_10 = 1,
        HI_DATA_BIT_WIDTH_12 = 2,
        HI_DATA_BIT_WIDTH_14 = 3,
        HI_DATA_BIT_WIDTH_16 = 4,
        HI_DATA_BIT_WIDTH_BUTT = 5,
    }
    /// The layout of a frame.
    hi_video_format: u32 {
        HI_VIDEO_FORMAT_LINEAR = 0,
        HI_VIDEO_FORMAT_TILE_64x16 = 1,
        HI_VIDEO_FORMAT_BUTT = 2,
    }
    /// The compression of a frame.
    hi_compress_mode: u32 {
        HI_COMPRESS_MODE_NONE = 0,
        HI_COMPRESS_MODE_SEG = 1,
        HI_COMPRESS_MODE_TILE = 2,
        HI_COMPRESS_MODE_HFBC = 3,
        HI_COMPRESS_MODE_LINE = 4,
        HI_COMPRESS_MODE_FRAME = 5,
        HI_COMPRESS_MODE_BUTT = 6,
    }
    /// The colour space of a frame.
    hi_color_gamut: u32 {
        HI_COLOR_GAMUT_BT601 = 0,
        HI_COLOR_GAMUT_BT709 = 1,
        HI_COLOR_GAMUT_BT2020 = 2,
        HI_COLOR_GAMUT_USER = 3,
        HI_COLOR_GAMUT_BUTT = 4,
    }
    /// The range of values of a frame.
    hi_dynamic_range: u32 {
        HI_DYNAMIC_RANGE_SDR8 = 0,
        HI_DYNAMIC_RANGE_SDR10 = 1,
        HI_DYNAMIC_RANGE_HDR10 = 2,
        HI_DYNAMIC_RANGE_HLG = 3,
        HI_DYNAMIC_RANGE_SLF = 4,
        HI_DYNAMIC_RANGE_XDR = 5,
        HI_DYNAMIC_RANGE_BUTT = 6,
    }
    /// The lines of a frame.
    hi_video_field: u32 {
        HI_VIDEO_FIELD_TOP = 1,
        HI_VIDEO_FIELD_BOTTOM = 2,
        HI_VIDEO_FIELD_INTERLACED = 3,
        HI_VIDEO_FIELD_FRAME = 4,
        HI_VIDEO_FIELD_BUTT = 5,
    }
    /// The order of decoded frames.
    hi_video_out_order: u32 {
        HI_VIDEO_OUT_ORDER_DISPLAY = 0,
        HI_VIDEO_OUT_ORDER_DEC = 1,
        HI_VIDEO_OUT_ORDER_BUTT = 2,
    }
    /// The subsampling of a JPEG of the second generation. The numbers differ from those of `acldvppJpegFormat`.
    hi_jpeg_raw_format: u32 {
        HI_JPEG_RAW_FORMAT_YUV444 = 0,
        HI_JPEG_RAW_FORMAT_YUV422 = 1,
        HI_JPEG_RAW_FORMAT_YUV420 = 2,
        HI_JPEG_RAW_FORMAT_YUV440 = 3,
        HI_JPEG_RAW_FORMAT_YUV400 = 4,
        HI_JPEG_RAW_FORMAT_YUV411 = 5,
        HI_JPEG_RAW_FORMAT_MAX = 100,
    }
    /// The colour type of a PNG.
    hi_png_color_format: u32 {
        HI_PNG_COLOR_FORMAT_GRAY = 0,
        HI_PNG_COLOR_FORMAT_RGB = 2,
        HI_PNG_COLOR_FORMAT_CLUT = 3,
        HI_PNG_COLOR_FORMAT_AGRAY = 4,
        HI_PNG_COLOR_FORMAT_ARGB = 6,
        HI_PNG_COLOR_FORMAT_BUTT = 256,
    }
    /// A colour matrix of the second generation.
    hi_csc_matrix: u32 {
        HI_CSC_MATRIX_BT601_WIDE = 0,
        HI_CSC_MATRIX_BT601_NARROW = 1,
        HI_CSC_MATRIX_BT709_WIDE = 2,
        HI_CSC_MATRIX_BT709_NARROW = 3,
        HI_CSC_MATRIX_BT2020_WIDE = 4,
        HI_CSC_MATRIX_BT2020_NARROW = 5,
        HI_CSC_MATRIX_USER = 100,
        HI_CSC_MATRIX_BUTT = 101,
    }
    /// The content of a border of the second generation.
    hi_vpc_bord_type: u32 {
        HI_BORDER_CONSTANT = 0,
        HI_BORDER_REPLICATE = 1,
        HI_BORDER_REFLECT = 2,
        HI_BORDER_REFLECT_101 = 3,
        HI_BORDER_WRAP = 4,
    }
    /// A rotation.
    hi_rotation: u32 {
        HI_ROTATION_90 = 0,
        HI_ROTATION_180 = 1,
        HI_ROTATION_270 = 2,
    }
    /// A direction of mirroring.
    hi_flip_mode: u32 {
        HI_FLIP_HOR = 0,
        HI_FLIP_VER = 1,
        HI_FLIP_BOTH = 2,
    }
    /// The units in which a program sends a stream.
    hi_vdec_send_mode: u32 {
        HI_VDEC_SEND_MODE_STREAM = 0,
        HI_VDEC_SEND_MODE_FRAME = 1,
        HI_VDEC_SEND_MODE_COMPAT = 2,
        HI_VDEC_SEND_MODE_BUTT = 3,
    }
    /// The frames that are decoded.
    hi_video_dec_mode: u32 {
        HI_VIDEO_DEC_MODE_IPB = 0,
        HI_VIDEO_DEC_MODE_IP = 1,
        HI_VIDEO_DEC_MODE_I = 2,
        HI_VIDEO_DEC_MODE_BUTT = 3,
    }
    /// The kind of a decoded frame.
    hi_vdec_frame_type: u32 {
        HI_VDEC_FRAME_TYPE_I = 0,
        HI_VDEC_FRAME_TYPE_P = 1,
        HI_VDEC_FRAME_TYPE_B = 2,
        HI_VDEC_FRAME_TYPE_BUTT = 3,
    }
    /// The marking of reference frames.
    hi_quick_mark_mode: u32 {
        HI_QUICK_MARK_ADAPT = 0,
        HI_QUICK_MARK_FORCE = 1,
        HI_QUICK_MARK_NONE = 2,
        HI_QUICK_MARK_BUTT = 3,
    }
    /// The rounding of odd sides of a decoded JPEG of the second generation.
    hi_jpegd_precision_mode: u32 {
        YUVOUT_ALIGN_DOWN = 0,
        YUVOUT_ALIGN_UP = 1,
        YUVOUT_ALIGN_DOWN_COMPAT = 2,
    }
    /// The number of pictures of a JPEG channel.
    hi_venc_pic_recv_mode: u32 {
        HI_VENC_PIC_RECV_SINGLE = 0,
        HI_VENC_PIC_RECV_MULTI = 1,
        HI_VENC_PIC_RECV_BUTT = 2,
    }
    /// The kind of a packet of a JPEG.
    hi_venc_jpege_pack_type: u32 {
        HI_VENC_JPEG_PACK_ECS = 5,
        HI_VENC_JPEG_PACK_APP = 6,
        HI_VENC_JPEG_PACK_VDO = 7,
        HI_VENC_JPEG_PACK_PIC = 8,
        HI_VENC_JPEG_PACK_DCF = 9,
        HI_VENC_JPEG_PACK_DCF_PIC = 10,
        HI_VENC_JPEG_PACK_BUTT = 11,
    }
    /// The kind of reference of an encoded frame.
    hi_venc_ref_type: u32 {
        HI_VENC_BASE_IDR_SLICE = 0,
        HI_VENC_BASE_P_SLICE_REF_TO_IDR = 1,
        HI_VENC_BASE_P_SLICE_REF_BY_BASE = 2,
        HI_VENC_BASE_P_SLICE_REF_BY_ENHANCE = 3,
        HI_VENC_ENHANCE_P_SLICE_REF_BY_ENHANCE = 4,
        HI_VENC_ENHANCE_P_SLICE_NOT_FOR_REF = 5,
        HI_VENC_P_SLICE_BUTT = 6,
    }
    /// The rate control of an encoding channel.
    hi_venc_rc_mode: u32 {
        HI_VENC_RC_MODE_H264_CBR = 1,
        HI_VENC_RC_MODE_H264_VBR = 2,
        HI_VENC_RC_MODE_H264_AVBR = 3,
        HI_VENC_RC_MODE_H264_QVBR = 4,
        HI_VENC_RC_MODE_H264_CVBR = 5,
        HI_VENC_RC_MODE_H264_FIXQP = 6,
        HI_VENC_RC_MODE_H264_QPMAP = 7,
        HI_VENC_RC_MODE_MJPEG_CBR = 8,
        HI_VENC_RC_MODE_MJPEG_VBR = 9,
        HI_VENC_RC_MODE_MJPEG_FIXQP = 10,
        HI_VENC_RC_MODE_H265_CBR = 11,
        HI_VENC_RC_MODE_H265_VBR = 12,
        HI_VENC_RC_MODE_H265_AVBR = 13,
        HI_VENC_RC_MODE_H265_QVBR = 14,
        HI_VENC_RC_MODE_H265_CVBR = 15,
        HI_VENC_RC_MODE_H265_FIXQP = 16,
        HI_VENC_RC_MODE_H265_QPMAP = 17,
        HI_VENC_RC_MODE_BUTT = 18,
    }
    /// The order of frames of an encoding channel.
    hi_venc_gop_mode: u32 {
        HI_VENC_GOP_MODE_NORMAL_P = 0,
        HI_VENC_GOP_MODE_DUAL_P = 1,
        HI_VENC_GOP_MODE_SMART_P = 2,
        HI_VENC_GOP_MODE_ADV_SMART_P = 3,
        HI_VENC_GOP_MODE_BIPRED_B = 4,
        HI_VENC_GOP_MODE_LOW_DELAY_B = 5,
        HI_VENC_GOP_MODE_BUTT = 6,
    }
}
