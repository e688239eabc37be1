//! The layouts of the structures of the media engine, whose headers no package of the index has.
//!
//! Sizes and offsets are those that a C compiler gives to the structures of CANN 8.1 on a 64-bit system.

use core::mem::offset_of;

use ascendcl_sys as sys;

macro_rules! sizes {
    ($($name:ident = $size:literal,)*) => {
        [$((stringify!($name), size_of::<sys::$name>(), $size)),*]
    };
}

macro_rules! offsets {
    ($($name:ident.$field:ident = $offset:literal,)*) => {
        [$((concat!(stringify!($name), ".", stringify!($field)), offset_of!(sys::$name, $field), $offset)),*]
    };
}

#[test]
fn structures_have_the_sizes_of_c() {
    for (name, size, expected) in sizes! {
        hi_vpc_pic_info = 32,
        hi_pic_info = 32,
        hi_vpc_crop_region = 16,
        hi_vpc_crop_region_info = 48,
        hi_vpc_resize_info = 12,
        hi_vpc_crop_resize_region = 64,
        hi_vpc_crop_resize_paste_region = 72,
        hi_vpc_crop_resize_border_region = 104,
        hi_vpc_crop_resize_resize_paste_region = 88,
        hi_vpc_make_border_info = 56,
        hi_vpc_scalar = 32,
        hi_vpc_chn_attr = 12,
        hi_vpc_histogram_config = 3072,
        hi_vpc_lut_remap = 768,
        hi_csc_conf = 20,
        hi_img_stream = 40,
        hi_img_info = 40,
        hi_vdec_stream = 48,
        hi_vdec_pic_info = 48,
        hi_vdec_chn_attr = 40,
        hi_vdec_chn_param = 40,
        hi_vdec_chn_status = 80,
        hi_video_supplement = 112,
        hi_video_frame = 320,
        hi_video_frame_info = 328,
        hi_pic_buf_attr = 24,
        hi_pngd_chn_attr = 40,
        hi_img_base_info = 32,
        hi_img_align_info = 32,
        hi_csc_coefficient = 192,
        hi_venc_chn_attr = 116,
        hi_venc_jpeg_param = 204,
        hi_venc_stream = 456,
        hi_venc_pack = 144,
        hi_venc_chn_status = 104,
        hi_flip_param = 72,
        hi_rotate_param = 72,
    } {
        assert_eq!(size, expected, "{name}");
    }
}

#[test]
fn fields_have_the_offsets_of_c() {
    for (name, offset, expected) in offsets! {
        hi_vpc_pic_info.picture_buffer_size = 8,
        hi_vpc_pic_info.picture_format = 28,
        hi_vpc_crop_resize_paste_region.dest_top_offset = 60,
        hi_vpc_crop_resize_border_region.border_type = 68,
        hi_vpc_crop_resize_border_region.scalar_value = 72,
        hi_vpc_make_border_info.scalar_value = 24,
        hi_img_stream.addr = 8,
        hi_img_stream.pts = 24,
        hi_img_info.img_buf_size = 16,
        hi_img_info.format = 20,
        hi_vdec_stream.pts = 16,
        hi_vdec_stream.addr = 40,
        hi_vdec_pic_info.vir_addr = 24,
        hi_vdec_pic_info.offset_top = 36,
        hi_vdec_chn_attr.video = 28,
        hi_vdec_chn_param.kind = 8,
        hi_video_frame.header_stride = 32,
        hi_video_frame.phys_addr = 96,
        hi_video_frame.virt_addr = 144,
        hi_video_frame.frame_flag = 200,
        hi_video_frame.supplement = 208,
    } {
        assert_eq!(offset, expected, "{name}");
    }
}

#[test]
fn status_codes_are_made_of_module_and_reason() {
    let code =
        |module: sys::hi_mod_id, reason: u32| 0xa000_0000 | module.0 << 16 | 4 << 13 | reason;
    assert_eq!(sys::HI_ERR_SYS_NOT_READY, code(sys::HI_ID_SYS, 16));
    assert_eq!(sys::HI_ERR_VDEC_BUF_FULL, code(sys::HI_ID_VDEC, 15));
    assert_eq!(sys::HI_ERR_VPC_UNEXIST, code(sys::HI_ID_VPC, 5));
    assert_eq!(sys::HI_ERR_VENC_NULL_PTR, code(sys::HI_ID_VENC, 6));
    assert_eq!(sys::HI_ERR_PNGD_TIMEOUT, code(sys::HI_ID_PNGD, 20));
}
