//! The media engine DVPP, second generation: types of numbers, limits and formats (`acl/dvpp/hi_media_type.h`,
//! `acl/dvpp/hi_media_common.h`, CANN 8.1).

use core::ffi::{c_char, c_ulonglong, c_void};

/// A number.
pub type hi_u8 = u8;
/// A number.
pub type hi_s8 = i8;
/// A number.
pub type hi_u16 = u16;
/// A number.
pub type hi_s16 = i16;
/// A number.
pub type hi_u32 = u32;
/// A number, or the status code of a call; 0 is success.
pub type hi_s32 = i32;
/// A number.
pub type hi_u64 = c_ulonglong;
/// A number.
pub type hi_double = f64;
/// A number.
pub type hi_float = f32;
/// A character.
pub type hi_char = c_char;
/// What an address leads to.
pub type hi_void = c_void;
/// A channel for picture processing.
pub type hi_vpc_chn = i32;
/// A channel for decoding.
pub type hi_vdec_chn = i32;
/// A channel for PNG decoding.
pub type hi_pngd_chn = i32;
/// A channel for encoding.
pub type hi_venc_chn = i32;

/// Status code of success.
pub const HI_SUCCESS: i32 = 0;
/// Status code of a failure without a code of its own.
pub const HI_FAILURE: i32 = -1;
/// Numbers of channels for picture processing are below this one.
pub const VPC_MAX_CHN_NUM: u32 = 512;
/// Numbers of channels for decoding are below this one.
pub const VDEC_MAX_CHN_NUM: u32 = 256;
/// Numbers of channels for PNG decoding are below this one.
pub const PNGD_MAX_CHN_NUM: u32 = 128;
/// The number of colour components of a frame.
pub const HI_MAX_COLOR_COMPONENT: usize = 3;
/// The number of words of the program in a frame.
pub const HI_MAX_USER_DATA_NUM: usize = 2;
/// The number of coefficients of a quantisation table.
pub const HI_VENC_JPEG_QT_COEF_NUM: usize = 64;
/// The number of packets in the description of a packet.
pub const HI_VENC_MAX_PACK_INFO_NUM: usize = 8;
/// The number of thumbnails of a JPEG.
pub const HI_VENC_MAX_MPF_NUM: usize = 2;
/// The number of quantiser values.
pub const HI_VENC_QP_HIST_NUM: usize = 52;
/// The number of regions whose errors are summed.
pub const HI_VENC_MAX_SSE_NUM: usize = 8;

enumeration! {
    /// A truth value of four bytes.
    hi_bool: u32 {
        HI_FALSE = 0,
        HI_TRUE = 1,
    }
    /// A module of the media engine. The error codes contain its number.
    hi_mod_id: u32 {
        HI_ID_CMPI = 0,
        HI_ID_VB = 1,
        HI_ID_SYS = 2,
        HI_ID_RGN = 3,
        HI_ID_CHNL = 4,
        HI_ID_VDEC = 5,
        HI_ID_AVS = 6,
        HI_ID_VPC = 7,
        HI_ID_VENC = 8,
        HI_ID_SVP = 9,
        HI_ID_H264E = 10,
        HI_ID_JPEGE = 11,
        HI_ID_MPEG4E = 12,
        HI_ID_H265E = 13,
        HI_ID_JPEGD = 14,
        HI_ID_VO = 15,
        HI_ID_VI = 16,
        HI_ID_DIS = 17,
        HI_ID_VALG = 18,
        HI_ID_RC = 19,
        HI_ID_AIO = 20,
        HI_ID_AI = 21,
        HI_ID_AO = 22,
        HI_ID_AENC = 23,
        HI_ID_ADEC = 24,
        HI_ID_VPU = 25,
        HI_ID_PCIV = 26,
        HI_ID_PCIVFMW = 27,
        HI_ID_ISP = 28,
        HI_ID_IVE = 29,
        HI_ID_USER = 30,
        HI_ID_DCCM = 31,
        HI_ID_DCCS = 32,
        HI_ID_PROC = 33,
        HI_ID_LOG = 34,
        HI_ID_VFMW = 35,
        HI_ID_H264D = 36,
        HI_ID_GDC = 37,
        HI_ID_PHOTO = 38,
        HI_ID_FB = 39,
        HI_ID_HDMI = 40,
        HI_ID_VOIE = 41,
        HI_ID_TDE = 42,
        HI_ID_HDR = 43,
        HI_ID_PRORES = 44,
        HI_ID_VGS = 45,
        HI_ID_FD = 47,
        HI_ID_ODT = 48,
        HI_ID_VQA = 49,
        HI_ID_LPR = 50,
        HI_ID_SVP_NNIE = 51,
        HI_ID_SVP_DSP = 52,
        HI_ID_DPU_RECT = 53,
        HI_ID_DPU_MATCH = 54,
        HI_ID_MOTIONSENSOR = 55,
        HI_ID_MOTIONFUSION = 56,
        HI_ID_GYRODIS = 57,
        HI_ID_PM = 58,
        HI_ID_SVP_ALG = 59,
        HI_ID_IVP = 60,
        HI_ID_MCF = 61,
        HI_ID_VPSS = 62,
        HI_ID_DRV_VPC = 63,
        HI_ID_PNGD = 64,
        HI_ID_VDEC_ADAPT = 65,
        HI_ID_DCC = 66,
        HI_ID_VDEC_SERVER = 67,
        HI_ID_BUTT = 256,
    }
    /// An engine whose requirements the strides of a picture meet.
    hi_module_type: u32 {
        HI_MOD_VPC = 0,
        HI_MOD_VENC = 1,
        HI_MOD_VDEC = 2,
        HI_MOD_JPEGE = 3,
        HI_MOD_JPEGD = 4,
        HI_MOD_PNGD = 5,
        HI_MOD_ALL = 100,
        HI_MOD_BUTT = 255,
    }
    /// The coding of a stream.
    hi_payload_type: u32 {
        HI_PT_PCMU = 0,
        HI_PT_1016 = 1,
        HI_PT_G721 = 2,
        HI_PT_GSM = 3,
        HI_PT_G723 = 4,
        HI_PT_DVI4_8K = 5,
        HI_PT_DVI4_16K = 6,
        HI_PT_LPC = 7,
        HI_PT_PCMA = 8,
        HI_PT_G722 = 9,
        HI_PT_S16BE_STEREO = 10,
        HI_PT_S16BE_MONO = 11,
        HI_PT_QCELP = 12,
        HI_PT_CN = 13,
        HI_PT_MPEGAUDIO = 14,
        HI_PT_G728 = 15,
        HI_PT_DVI4_3 = 16,
        HI_PT_DVI4_4 = 17,
        HI_PT_G729 = 18,
        HI_PT_G711A = 19,
        HI_PT_G711U = 20,
        HI_PT_G726 = 21,
        HI_PT_G729A = 22,
        HI_PT_LPCM = 23,
        HI_PT_CelB = 25,
        HI_PT_JPEG = 26,
        HI_PT_CUSM = 27,
        HI_PT_NV = 28,
        HI_PT_PICW = 29,
        HI_PT_CPV = 30,
        HI_PT_H261 = 31,
        HI_PT_MPEGVIDEO = 32,
        HI_PT_MPEG2TS = 33,
        HI_PT_H263 = 34,
        HI_PT_SPEG = 35,
        HI_PT_MPEG2VIDEO = 36,
        HI_PT_AAC = 37,
        HI_PT_WMA9STD = 38,
        HI_PT_HEAAC = 39,
        HI_PT_PCM_VOICE = 40,
        HI_PT_PCM_AUDIO = 41,
        HI_PT_MP3 = 43,
        HI_PT_ADPCMA = 49,
        HI_PT_AEC = 50,
        HI_PT_X_LD = 95,
        HI_PT_H264 = 96,
        HI_PT_D_GSM_HR = 200,
        HI_PT_D_GSM_EFR = 201,
        HI_PT_D_L8 = 202,
        HI_PT_D_RED = 203,
        HI_PT_D_VDVI = 204,
        HI_PT_D_BT656 = 220,
        HI_PT_D_H263_1998 = 221,
        HI_PT_D_MP1S = 222,
        HI_PT_D_MP2P = 223,
        HI_PT_D_BMPEG = 224,
        HI_PT_MP4VIDEO = 230,
        HI_PT_MP4AUDIO = 237,
        HI_PT_VC1 = 238,
        HI_PT_JVC_ASF = 255,
        HI_PT_D_AVI = 256,
        HI_PT_DIVX3 = 257,
        HI_PT_AVS = 258,
        HI_PT_REAL8 = 259,
        HI_PT_REAL9 = 260,
        HI_PT_VP6 = 261,
        HI_PT_VP6F = 262,
        HI_PT_VP6A = 263,
        HI_PT_SORENSON = 264,
        HI_PT_H265 = 265,
        HI_PT_VP8 = 266,
        HI_PT_MVC = 267,
        HI_PT_PNG = 268,
        HI_PT_AMR = 1001,
        HI_PT_MJPEG = 1002,
        HI_PT_AMRWB = 1003,
        HI_PT_PRORES = 1006,
        HI_PT_OPUS = 1007,
        HI_PT_VPC = 2000,
        HI_PT_BUTT = 2001,
    }
    /// The format of a picture of the second generation.
    hi_pixel_format: u32 {
        HI_PIXEL_FORMAT_YUV_400 = 0,
        HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420 = 1,
        HI_PIXEL_FORMAT_YVU_SEMIPLANAR_420 = 2,
        HI_PIXEL_FORMAT_YUV_SEMIPLANAR_422 = 3,
        HI_PIXEL_FORMAT_YVU_SEMIPLANAR_422 = 4,
        HI_PIXEL_FORMAT_YUV_SEMIPLANAR_444 = 5,
        HI_PIXEL_FORMAT_YVU_SEMIPLANAR_444 = 6,
        HI_PIXEL_FORMAT_YUYV_PACKED_422 = 7,
        HI_PIXEL_FORMAT_UYVY_PACKED_422 = 8,
        HI_PIXEL_FORMAT_YVYU_PACKED_422 = 9,
        HI_PIXEL_FORMAT_VYUY_PACKED_422 = 10,
        HI_PIXEL_FORMAT_YUV_PACKED_444 = 11,
        HI_PIXEL_FORMAT_RGB_888 = 12,
        HI_PIXEL_FORMAT_BGR_888 = 13,
        HI_PIXEL_FORMAT_ARGB_8888 = 14,
        HI_PIXEL_FORMAT_ABGR_8888 = 15,
        HI_PIXEL_FORMAT_RGBA_8888 = 16,
        HI_PIXEL_FORMAT_BGRA_8888 = 17,
        HI_PIXEL_FORMAT_YUV_SEMI_PLANNER_420_10BIT = 18,
        HI_PIXEL_FORMAT_YVU_SEMI_PLANNER_420_10BIT = 19,
        HI_PIXEL_FORMAT_YVU_PLANAR_420 = 20,
        HI_PIXEL_FORMAT_YVU_PLANAR_422 = 21,
        HI_PIXEL_FORMAT_YVU_PLANAR_444 = 22,
        HI_PIXEL_FORMAT_RGB_444 = 23,
        HI_PIXEL_FORMAT_BGR_444 = 24,
        HI_PIXEL_FORMAT_ARGB_4444 = 25,
        HI_PIXEL_FORMAT_ABGR_4444 = 26,
        HI_PIXEL_FORMAT_RGBA_4444 = 27,
        HI_PIXEL_FORMAT_BGRA_4444 = 28,
        HI_PIXEL_FORMAT_RGB_555 = 29,
        HI_PIXEL_FORMAT_BGR_555 = 30,
        HI_PIXEL_FORMAT_RGB_565 = 31,
        HI_PIXEL_FORMAT_BGR_565 = 32,
        HI_PIXEL_FORMAT_ARGB_1555 = 33,
        HI_PIXEL_FORMAT_ABGR_1555 = 34,
        HI_PIXEL_FORMAT_RGBA_1555 = 35,
        HI_PIXEL_FORMAT_BGRA_1555 = 36,
        HI_PIXEL_FORMAT_ARGB_8565 = 37,
        HI_PIXEL_FORMAT_ABGR_8565 = 38,
        HI_PIXEL_FORMAT_RGBA_8565 = 39,
        HI_PIXEL_FORMAT_BGRA_8565 = 40,
        HI_PIXEL_FORMAT_ARGB_CLUT2 = 41,
        HI_PIXEL_FORMAT_ARGB_CLUT4 = 42,
        HI_PIXEL_FORMAT_RGB_BAYER_8BPP = 50,
        HI_PIXEL_FORMAT_RGB_BAYER_10BPP = 51,
        HI_PIXEL_FORMAT_RGB_BAYER_12BPP = 52,
        HI_PIXEL_FORMAT_RGB_BAYER_14BPP = 53,
        HI_PIXEL_FORMAT_RGB_BAYER_16BPP = 54,
        HI_PIXEL_FORMAT_YUV_PLANAR_420 = 55,
        HI_PIXEL_FORMAT_YUV_PLANAR_422 = 56,
        HI_PIXEL_FORMAT_YUV_PLANAR_444 = 57,
        HI_PIXEL_FORMAT_YVU_PACKED_444 = 58,
        HI_PIXEL_FORMAT_XYUV_PACKED_444 = 59,
        HI_PIXEL_FORMAT_XYVU_PACKED_444 = 60,
        HI_PIXEL_FORMAT_YUV_SEMIPLANAR_411 = 61,
        HI_PIXEL_FORMAT_YVU_SEMIPLANAR_411 = 62,
        HI_PIXEL_FORMAT_YUV_PLANAR_411 = 63,
        HI_PIXEL_FORMAT_YVU_PLANAR_411 = 64,
        HI_PIXEL_FORMAT_YUV_PLANAR_440 = 65,
        HI_PIXEL_FORMAT_YVU_PLANAR_440 = 66,
        HI_PIXEL_FORMAT_RGB_888_PLANAR = 69,
        HI_PIXEL_FORMAT_BGR_888_PLANAR = 70,
        HI_PIXEL_FORMAT_HSV_888_PACKAGE = 71,
        HI_PIXEL_FORMAT_HSV_888_PLANAR = 72,
        HI_PIXEL_FORMAT_LAB_888_PACKAGE = 73,
        HI_PIXEL_FORMAT_LAB_888_PLANAR = 74,
        HI_PIXEL_FORMAT_S8C1 = 75,
        HI_PIXEL_FORMAT_S8C2_PACKAGE = 76,
        HI_PIXEL_FORMAT_S8C2_PLANAR = 77,
        HI_PIXEL_FORMAT_S16C1 = 78,
        HI_PIXEL_FORMAT_U8C1 = 79,
        HI_PIXEL_FORMAT_U16C1 = 80,
        HI_PIXEL_FORMAT_S32C1 = 81,
        HI_PIXEL_FORMAT_U32C1 = 82,
        HI_PIXEL_FORMAT_U64C1 = 83,
        HI_PIXEL_FORMAT_S64C1 = 84,
        HI_PIXEL_FORMAT_RGB_888_INT8 = 110,
        HI_PIXEL_FORMAT_BGR_888_INT8 = 111,
        HI_PIXEL_FORMAT_RGB_888_INT16 = 112,
        HI_PIXEL_FORMAT_BGR_888_INT16 = 113,
        HI_PIXEL_FORMAT_RGB_888_INT32 = 114,
        HI_PIXEL_FORMAT_BGR_888_INT32 = 115,
        HI_PIXEL_FORMAT_RGB_888_UINT16 = 116,
        HI_PIXEL_FORMAT_BGR_888_UINT16 = 117,
        HI_PIXEL_FORMAT_RGB_888_UINT32 = 118,
        HI_PIXEL_FORMAT_BGR_888_UINT32 = 119,
        HI_PIXEL_FORMAT_RGB_888_PLANAR_INT8 = 120,
        HI_PIXEL_FORMAT_BGR_888_PLANAR_INT8 = 121,
        HI_PIXEL_FORMAT_RGB_888_PLANAR_INT16 = 122,
        HI_PIXEL_FORMAT_BGR_888_PLANAR_INT16 = 123,
        HI_PIXEL_FORMAT_RGB_888_PLANAR_INT32 = 124,
        HI_PIXEL_FORMAT_BGR_888_PLANAR_INT32 = 125,
        HI_PIXEL_FORMAT_RGB_888_PLANAR_UINT16 = 126,
        HI_PIXEL_FORMAT_BGR_888_PLANAR_UINT16 = 127,
        HI_PIXEL_FORMAT_RGB_888_PLANAR_UINT32 = 128,
        HI_PIXEL_FORMAT_BGR_888_PLANAR_UINT32 = 129,
        HI_PIXEL_FORMAT_YUV400_UINT16 = 130,
        HI_PIXEL_FORMAT_YUV400_UINT32 = 131,
        HI_PIXEL_FORMAT_YUV400_UINT64 = 132,
        HI_PIXEL_FORMAT_YUV400_INT8 = 133,
        HI_PIXEL_FORMAT_YUV400_INT16 = 134,
        HI_PIXEL_FORMAT_YUV400_INT32 = 135,
        HI_PIXEL_FORMAT_YUV400_INT64 = 136,
        HI_PIXEL_FORMAT_YUV400_FP16 = 137,
        HI_PIXEL_FORMAT_YUV400_FP32 = 138,
        HI_PIXEL_FORMAT_YUV400_FP64 = 139,
        HI_PIXEL_FORMAT_YUV400_BF16 = 140,
        HI_PIXEL_FORMAT_YUV_SEMIPLANAR_440 = 1000,
        HI_PIXEL_FORMAT_YVU_SEMIPLANAR_440 = 1001,
        HI_PIXEL_FORMAT_FLOAT32 = 1002,
        HI_PIXEL_FORMAT_BUTT = 1003,
        HI_PIXEL_FORMAT_RGB_888_PLANAR_FP16 = 1004,
        HI_PIXEL_FORMAT_BGR_888_PLANAR_FP16 = 1005,
        HI_PIXEL_FORMAT_RGB_888_PLANAR_FP32 = 1006,
        HI_PIXEL_FORMAT_BGR_888_PLANAR_FP32 = 1007,
        HI_PIXEL_FORMAT_RGB_888_PLANAR_BF16 = 1008,
        HI_PIXEL_FORMAT_BGR_888_PLANAR_BF16 = 1009,
        HI_PIXEL_FORMAT_RGB_888_FP16 = 1010,
        HI_PIXEL_FORMAT_BGR_888_FP16 = 1011,
        HI_PIXEL_FORMAT_RGB_888_FP32 = 1012,
        HI_PIXEL_FORMAT_BGR_888_FP32 = 1013,
        HI_PIXEL_FORMAT_RGB_888_BF16 = 1014,
        HI_PIXEL_FORMAT_BGR_888_BF16 = 1015,
        HI_PIXEL_FORMAT_UNKNOWN = 10000,
    }
}
