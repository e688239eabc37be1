//! The media engine DVPP, first generation: enumerations (`acl/ops/acl_dvpp.h`, ACL 1.15).

pub use engine::*;
pub use mpi::*;

mod engine;
mod mpi;

enumeration! {
    /// The format of a picture of the first generation.
    acldvppPixelFormat: u32 {
        PIXEL_FORMAT_YUV_400 = 0,
        PIXEL_FORMAT_YUV_SEMIPLANAR_420 = 1,
        PIXEL_FORMAT_YVU_SEMIPLANAR_420 = 2,
        PIXEL_FORMAT_YUV_SEMIPLANAR_422 = 3,
        PIXEL_FORMAT_YVU_SEMIPLANAR_422 = 4,
        PIXEL_FORMAT_YUV_SEMIPLANAR_444 = 5,
        PIXEL_FORMAT_YVU_SEMIPLANAR_444 = 6,
        PIXEL_FORMAT_YUYV_PACKED_422 = 7,
        PIXEL_FORMAT_UYVY_PACKED_422 = 8,
        PIXEL_FORMAT_YVYU_PACKED_422 = 9,
        PIXEL_FORMAT_VYUY_PACKED_422 = 10,
        PIXEL_FORMAT_YUV_PACKED_444 = 11,
        PIXEL_FORMAT_RGB_888 = 12,
        PIXEL_FORMAT_BGR_888 = 13,
        PIXEL_FORMAT_ARGB_8888 = 14,
        PIXEL_FORMAT_ABGR_8888 = 15,
        PIXEL_FORMAT_RGBA_8888 = 16,
        PIXEL_FORMAT_BGRA_8888 = 17,
        PIXEL_FORMAT_YUV_SEMI_PLANNER_420_10BIT = 18,
        PIXEL_FORMAT_YVU_SEMI_PLANNER_420_10BIT = 19,
        PIXEL_FORMAT_YVU_PLANAR_420 = 20,
        PIXEL_FORMAT_YVU_PLANAR_422 = 21,
        PIXEL_FORMAT_YVU_PLANAR_444 = 22,
        PIXEL_FORMAT_RGB_444 = 23,
        PIXEL_FORMAT_BGR_444 = 24,
        PIXEL_FORMAT_ARGB_4444 = 25,
        PIXEL_FORMAT_ABGR_4444 = 26,
        PIXEL_FORMAT_RGBA_4444 = 27,
        PIXEL_FORMAT_BGRA_4444 = 28,
        PIXEL_FORMAT_RGB_555 = 29,
        PIXEL_FORMAT_BGR_555 = 30,
        PIXEL_FORMAT_RGB_565 = 31,
        PIXEL_FORMAT_BGR_565 = 32,
        PIXEL_FORMAT_ARGB_1555 = 33,
        PIXEL_FORMAT_ABGR_1555 = 34,
        PIXEL_FORMAT_RGBA_1555 = 35,
        PIXEL_FORMAT_BGRA_1555 = 36,
        PIXEL_FORMAT_ARGB_8565 = 37,
        PIXEL_FORMAT_ABGR_8565 = 38,
        PIXEL_FORMAT_RGBA_8565 = 39,
        PIXEL_FORMAT_BGRA_8565 = 40,
        PIXEL_FORMAT_RGB_BAYER_8BPP = 50,
        PIXEL_FORMAT_RGB_BAYER_10BPP = 51,
        PIXEL_FORMAT_RGB_BAYER_12BPP = 52,
        PIXEL_FORMAT_RGB_BAYER_14BPP = 53,
        PIXEL_FORMAT_RGB_BAYER_16BPP = 54,
        PIXEL_FORMAT_BGR_888_PLANAR = 70,
        PIXEL_FORMAT_HSV_888_PACKAGE = 71,
        PIXEL_FORMAT_HSV_888_PLANAR = 72,
        PIXEL_FORMAT_LAB_888_PACKAGE = 73,
        PIXEL_FORMAT_LAB_888_PLANAR = 74,
        PIXEL_FORMAT_S8C1 = 75,
        PIXEL_FORMAT_S8C2_PACKAGE = 76,
        PIXEL_FORMAT_S8C2_PLANAR = 77,
        PIXEL_FORMAT_S16C1 = 78,
        PIXEL_FORMAT_U8C1 = 79,
        PIXEL_FORMAT_U16C1 = 80,
        PIXEL_FORMAT_S32C1 = 81,
        PIXEL_FORMAT_U32C1 = 82,
        PIXEL_FORMAT_U64C1 = 83,
        PIXEL_FORMAT_S64C1 = 84,
        PIXEL_FORMAT_YUV_SEMIPLANAR_440 = 1000,
        PIXEL_FORMAT_YVU_SEMIPLANAR_440 = 1001,
        PIXEL_FORMAT_FLOAT32 = 1002,
        PIXEL_FORMAT_BUTT = 1003,
        PIXEL_FORMAT_UNKNOWN = 10000,
    }
    /// The coding of a video.
    acldvppStreamFormat: u32 {
        H265_MAIN_LEVEL = 0,
        H264_BASELINE_LEVEL = 1,
        H264_MAIN_LEVEL = 2,
        H264_HIGH_LEVEL = 3,
    }
    /// An engine that a channel may use; the modes of a channel are their sum.
    acldvppChannelMode: u32 {
        DVPP_CHNMODE_VPC = 1,
        DVPP_CHNMODE_JPEGD = 2,
        DVPP_CHNMODE_JPEGE = 4,
        DVPP_CHNMODE_PNGD = 8,
    }
    /// The content of a border.
    acldvppBorderType: u32 {
        BORDER_CONSTANT = 0,
        BORDER_REPLICATE = 1,
        BORDER_REFLECT = 2,
        BORDER_REFLECT_101 = 3,
    }
    /// A parameter of an encoding channel. The end of a name is the type of its value.
    aclvencChannelDescParamType: u32 {
        ACL_VENC_THREAD_ID_UINT64 = 0,
        ACL_VENC_CALLBACK_PTR = 1,
        ACL_VENC_PIXEL_FORMAT_UINT32 = 2,
        ACL_VENC_ENCODE_TYPE_UINT32 = 3,
        ACL_VENC_PIC_WIDTH_UINT32 = 4,
        ACL_VENC_PIC_HEIGHT_UINT32 = 5,
        ACL_VENC_KEY_FRAME_INTERVAL_UINT32 = 6,
        ACL_VENC_BUF_ADDR_PTR = 7,
        ACL_VENC_BUF_SIZE_UINT32 = 8,
        ACL_VENC_RC_MODE_UINT32 = 9,
        ACL_VENC_SRC_RATE_UINT32 = 10,
        ACL_VENC_MAX_BITRATE_UINT32 = 11,
        ACL_VENC_MAX_IP_PROP_UINT32 = 12,
    }
    /// The subsampling of a JPEG.
    acldvppJpegFormat: u32 {
        ACL_JPEG_CSS_444 = 0,
        ACL_JPEG_CSS_422 = 1,
        ACL_JPEG_CSS_420 = 2,
        ACL_JPEG_CSS_GRAY = 3,
        ACL_JPEG_CSS_440 = 4,
        ACL_JPEG_CSS_411 = 5,
        ACL_JPEG_CSS_UNKNOWN = 1000,
    }
    /// A parameter of a channel. The end of a name is the type of its value.
    acldvppChannelDescParamType: u32 {
        ACL_DVPP_CSC_MATRIX_UINT32 = 0,
        ACL_DVPP_MODE_UINT32 = 1,
        ACL_DVPP_CHANNEL_ID_UINT64 = 2,
        ACL_DVPP_CHANNEL_HEIGHT_UINT32 = 3,
        ACL_DVPP_CHANNEL_WIDTH_UINT32 = 4,
        ACL_DVPP_JPEGD_PRECISION_MODE_ENUM = 5,
    }
    /// A parameter of a decoding channel. The end of a name is the type of its value.
    aclvdecChannelDescParamType: u32 {
        ACL_VDEC_CSC_MATRIX_UINT32 = 0,
        ACL_VDEC_OUT_MODE_UINT32 = 1,
        ACL_VDEC_THREAD_ID_UINT64 = 2,
        ACL_VDEC_CALLBACK_PTR = 3,
        ACL_VDEC_CHANNEL_ID_UINT32 = 4,
        ACL_VDEC_ENCODE_TYPE_UINT32 = 5,
        ACL_VDEC_OUT_PIC_FORMAT_UINT32 = 6,
        ACL_VDEC_OUT_PIC_WIDTH_UINT32 = 7,
        ACL_VDEC_OUT_PIC_HEIGHT_UINT32 = 8,
        ACL_VDEC_REF_FRAME_NUM_UINT32 = 9,
        ACL_VDEC_BIT_DEPTH_UINT32 = 10,
    }
    /// A colour matrix.
    acldvppCscMatrix: u32 {
        ACL_DVPP_CSC_MATRIX_BT601_WIDE = 0,
        ACL_DVPP_CSC_MATRIX_BT601_NARROW = 1,
        ACL_DVPP_CSC_MATRIX_BT709_WIDE = 2,
        ACL_DVPP_CSC_MATRIX_BT709_NARROW = 3,
        ACL_DVPP_CSC_MATRIX_BT2020_WIDE = 4,
        ACL_DVPP_CSC_MATRIX_BT2020_NARROW = 5,
    }
    /// The rounding of odd sides of a decoded JPEG.
    acldvppJpegdPrecisionMode: u32 {
        ACL_YUVOUT_ALIGN_DOWN = 0,
        ACL_YUVOUT_ALIGN_UP = 1,
        ACL_YUVOUT_ALIGN_DOWN_COMPAT = 2,
    }
}
