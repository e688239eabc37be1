//! The second generation of the media engine without an engine for pictures: codes, channels, queues, picture processing,
//! and what the checker finds. `emulator/media/tests` has the rest.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use ascendcl_emulator::{Mistake, take_findings};
use ascendcl_sys::*;
use common::*;

/// Asserts that a call returns a status of the media engine.
macro_rules! refuse {
    ($code:ident, $name:ident($($arg:expr),* $(,)?)) => {
        assert_eq!(call!(media.$name($($arg),*)) as u32, $code, "{}: {}", stringify!($name), text())
    };
}

/// Sets device 0 and initialises the second generation.
fn start() -> Serial {
    let serial = start_checked();
    check!(media.hi_mpi_sys_init());
    serial
}

fn finish(serial: Serial) {
    check!(media.hi_mpi_sys_exit());
    drop(serial);
}

const ATTR: hi_vpc_chn_attr = hi_vpc_chn_attr {
    attr: 0,
    pic_width: 0,
    pic_height: 0,
};

fn dvpp(content: &[u8]) -> *mut c_void {
    let mut memory = null_mut();
    check!(media.hi_mpi_dvpp_malloc(0, &mut memory, content.len() as u64));
    let (size, kind) = (content.len(), ACL_MEMCPY_HOST_TO_DEVICE);
    check!(memory.aclrtMemcpy(memory, size, content.as_ptr().cast(), size, kind));
    memory
}

fn gray(width: u32, height: u32, content: &[u8]) -> hi_vpc_pic_info {
    hi_vpc_pic_info {
        picture_address: dvpp(content),
        picture_buffer_size: content.len() as u32,
        picture_width: width,
        picture_height: height,
        picture_width_stride: width,
        picture_height_stride: height,
        picture_format: HI_PIXEL_FORMAT_YUV_400,
    }
}

fn bytes(picture: &hi_vpc_pic_info) -> Vec<u8> {
    let size = picture.picture_buffer_size as usize;
    let mut bytes = vec![0; size];
    let (from, kind) = (picture.picture_address, ACL_MEMCPY_DEVICE_TO_HOST);
    check!(memory.aclrtMemcpy(bytes.as_mut_ptr().cast(), size, from, size, kind));
    bytes
}

fn free(picture: &hi_vpc_pic_info) {
    check!(media.hi_mpi_dvpp_free(picture.picture_address));
}

fn region(left: u32, top: u32, width: u32, height: u32) -> hi_vpc_crop_region {
    hi_vpc_crop_region {
        top_offset: top,
        left_offset: left,
        crop_width: width,
        crop_height: height,
    }
}

#[test]
fn nothing_works_before_the_system_is_ready() {
    let serial = start();
    check!(media.hi_mpi_sys_exit());
    refuse!(HI_ERR_VPC_SYS_NOT_READY, hi_mpi_vpc_create_chn(0, &ATTR));
    refuse!(HI_ERR_VDEC_SYS_NOT_READY, hi_mpi_vdec_start_recv_stream(0));
    refuse!(HI_ERR_VENC_SYS_NOT_READY, hi_mpi_venc_stop_chn(0));
    refuse!(HI_ERR_PNGD_SYS_NOT_READY, hi_mpi_pngd_destroy_chn(0));
    check!(media.hi_mpi_sys_init());
    check!(media.hi_mpi_vpc_create_chn(0, &ATTR));
    refuse!(HI_ERR_SYS_BUSY, hi_mpi_sys_exit());
    check!(media.hi_mpi_vpc_destroy_chn(0));
    finish(serial);
}

#[test]
fn a_channel_has_a_number_of_its_own() {
    let serial = start();
    refuse!(HI_ERR_VPC_INVALID_CHN_ID, hi_mpi_vpc_create_chn(-1, &ATTR));
    refuse!(HI_ERR_VPC_INVALID_CHN_ID, hi_mpi_vpc_create_chn(256, &ATTR));
    refuse!(HI_ERR_VPC_NULL_PTR, hi_mpi_vpc_create_chn(3, null()));
    let short = hi_vpc_chn_attr { attr: 9, ..ATTR };
    refuse!(HI_ERR_VPC_ILLEGAL_PARAM, hi_mpi_vpc_create_chn(3, &short));
    check!(media.hi_mpi_vpc_create_chn(0, &ATTR));
    refuse!(HI_ERR_VPC_EXIST, hi_mpi_vpc_create_chn(0, &ATTR));
    let mut found = -1;
    check!(media.hi_mpi_vpc_sys_create_chn(&mut found, &ATTR));
    assert_eq!(found, 1);
    refuse!(HI_ERR_VPC_UNEXIST, hi_mpi_vpc_destroy_chn(2));
    refuse!(HI_ERR_VPC_UNEXIST, hi_mpi_vpc_get_process_result(2, 1, 0));
    check!(media.hi_mpi_vpc_destroy_chn(1));
    check!(media.hi_mpi_vpc_destroy_chn(0));
    let mut attr = hi_pngd_chn_attr {
        stream_que_cnt: 0,
        reserved: [0; 4],
    };
    refuse!(
        HI_ERR_PNGD_INVALID_CHN_ID,
        hi_mpi_pngd_create_chn(128, &attr)
    );
    check!(media.hi_mpi_pngd_create_chn(127, &raw mut attr));
    refuse!(HI_ERR_PNGD_EXIST, hi_mpi_pngd_create_chn(127, &attr));
    check!(media.hi_mpi_pngd_destroy_chn(127));
    finish(serial);
}

#[test]
fn rectangles_are_cropped_when_the_result_is_fetched() {
    let serial = start();
    check!(media.hi_mpi_vpc_create_chn(0, &ATTR));
    let content: Vec<u8> = (0..512).map(|at| at as u8).collect();
    let (source, dest) = (gray(32, 16, &content), gray(10, 6, &[0; 60]));
    let mut info = hi_vpc_crop_region_info {
        dest_pic_info: dest,
        crop_region: region(4, 2, 10, 6),
    };
    let mut task = 0;
    refuse!(
        HI_ERR_VPC_NULL_PTR,
        hi_mpi_vpc_crop(0, null(), &mut info, 1, &mut task, 0)
    );
    refuse!(
        HI_ERR_VPC_NULL_PTR,
        hi_mpi_vpc_crop(0, &source, null_mut(), 1, &mut task, 0)
    );
    refuse!(
        HI_ERR_VPC_NULL_PTR,
        hi_mpi_vpc_crop(0, &source, &mut info, 1, null_mut(), 0)
    );
    refuse!(
        HI_ERR_VPC_ILLEGAL_PARAM,
        hi_mpi_vpc_crop(0, &source, &mut info, 0, &mut task, 0)
    );
    refuse!(
        HI_ERR_VPC_ILLEGAL_PARAM,
        hi_mpi_vpc_crop(0, &source, &mut info, 257, &mut task, 0)
    );
    info.crop_region.crop_width = 12;
    refuse!(
        HI_ERR_VPC_ILLEGAL_PARAM,
        hi_mpi_vpc_crop(0, &source, &mut info, 1, &mut task, 0)
    );
    info.crop_region = region(28, 2, 10, 6);
    refuse!(
        HI_ERR_VPC_ILLEGAL_PARAM,
        hi_mpi_vpc_crop(0, &source, &mut info, 1, &mut task, 0)
    );
    info.crop_region = region(4, 2, 10, 6);
    check!(media.hi_mpi_vpc_crop(0, &source, &mut info, 1, &mut task, 0));
    refuse!(
        HI_ERR_VPC_ILLEGAL_PARAM,
        hi_mpi_vpc_get_process_result(0, task + 1, 0)
    );
    check!(media.hi_mpi_vpc_get_process_result(0, task, -1));
    refuse!(
        HI_ERR_VPC_ILLEGAL_PARAM,
        hi_mpi_vpc_get_process_result(0, task, 0)
    );
    let expected: Vec<u8> = (0..60)
        .map(|at| ((at / 10 + 2) * 32 + at % 10 + 4) as u8)
        .collect();
    assert_eq!(bytes(&dest), expected);
    free(&dest);
    free(&source);
    check!(media.hi_mpi_vpc_destroy_chn(0));
    assert_eq!(take_findings(), []);
    finish(serial);
}

#[test]
fn a_queue_is_full_until_results_are_fetched() {
    let serial = start();
    check!(media.hi_mpi_vpc_create_chn(0, &hi_vpc_chn_attr { attr: 10, ..ATTR }));
    let (source, mut dest) = (gray(32, 16, &[1; 512]), gray(16, 8, &[0; 128]));
    let mut tasks = [0; 11];
    let mut resize = |task: &mut u32| {
        call!(media.hi_mpi_vpc_resize(0, &source, &mut dest, 0.0, 0.0, 1, task, 0))
    };
    for task in &mut tasks[..10] {
        assert_eq!(resize(task), 0, "{}", text());
    }
    assert_eq!(resize(&mut tasks[10]) as u32, HI_ERR_VPC_BUF_FULL);
    // In any order.
    check!(media.hi_mpi_vpc_get_process_result(0, tasks[4], 0));
    assert_eq!(resize(&mut tasks[10]), 0);
    for task in [0, 1, 2, 3, 10, 9, 8, 7, 6, 5] {
        check!(media.hi_mpi_vpc_get_process_result(0, tasks[task], 1000));
    }
    assert_eq!(bytes(&dest), [1; 128]);
    free(&dest);
    free(&source);
    check!(media.hi_mpi_vpc_destroy_chn(0));
    let _ = take_findings();
    finish(serial);
}

#[test]
fn factors_decide_the_size_of_the_output() {
    let serial = start();
    check!(media.hi_mpi_vpc_create_chn(0, &ATTR));
    let (source, mut dest) = (gray(32, 16, &[6; 512]), gray(16, 8, &[0; 128]));
    (dest.picture_width, dest.picture_height) = (0, 0);
    let mut task = 0;
    refuse!(
        HI_ERR_VPC_NOT_SUPPORT,
        hi_mpi_vpc_resize(0, &source, &mut dest, 0.5, 0.5, 0, &mut task, 0)
    );
    refuse!(
        HI_ERR_VPC_ILLEGAL_PARAM,
        hi_mpi_vpc_resize(0, &source, &mut dest, 0.5, 0.5, 2, &mut task, 0)
    );
    refuse!(
        HI_ERR_VPC_ILLEGAL_PARAM,
        hi_mpi_vpc_resize(0, &source, &mut dest, 0.5, 0.0, 1, &mut task, 0)
    );
    check!(media.hi_mpi_vpc_resize(0, &source, &mut dest, 0.5, 0.5, 1, &mut task, 0));
    assert_eq!((dest.picture_width, dest.picture_height), (16, 8));
    check!(media.hi_mpi_vpc_get_process_result(0, task, -1));
    assert_eq!(bytes(&dest), [6; 128]);
    free(&dest);
    free(&source);
    check!(media.hi_mpi_vpc_destroy_chn(0));
    finish(serial);
}

#[test]
fn pictures_are_pasted_framed_turned_and_counted() {
    let serial = start();
    check!(media.hi_mpi_vpc_create_chn(0, &ATTR));
    let content: Vec<u8> = (0..512).map(|at| (at % 32) as u8).collect();
    let source = gray(32, 16, &content);
    let mut task = 0;
    let fetch = |task| check!(media.hi_mpi_vpc_get_process_result(0, task, -1));

    let dest = gray(32, 16, &[99; 512]);
    let mut paste = hi_vpc_crop_resize_paste_region {
        dest_pic_info: dest,
        crop_region: region(0, 0, 20, 12),
        resize_info: hi_vpc_resize_info {
            resize_width: 10,
            resize_height: 6,
            interpolation: 1,
        },
        dest_top_offset: 4,
        dest_left_offset: 8,
    };
    let pictures = [&raw const source];
    let mut counts = [1];
    check!(media.hi_mpi_vpc_batch_crop_resize_paste(
        0,
        pictures.as_ptr().cast_mut(),
        1,
        &mut paste,
        counts.as_mut_ptr(),
        &mut task,
        0
    ));
    fetch(task);
    let after = bytes(&dest);
    for y in 0..16_usize {
        for x in 0..32_usize {
            let inside = (8..18).contains(&x) && (4..10).contains(&y);
            let expected = if inside { (x - 8) * 2 } else { 99 };
            assert_eq!(usize::from(after[y * 32 + x]), expected, "{x}, {y}");
        }
    }

    let framed = gray(36, 18, &[0; 36 * 18]);
    let border = hi_vpc_make_border_info {
        top: 1,
        bottom: 1,
        left: 2,
        right: 2,
        border_type: HI_BORDER_WRAP,
        scalar_value: hi_vpc_scalar { val: [0.0; 4] },
    };
    let mut out = framed;
    check!(media.hi_mpi_vpc_copy_make_border(0, &source, &mut out, border, &mut task, 0));
    fetch(task);
    assert_eq!(bytes(&framed)[..4], [30, 31, 0, 1]);

    let turned = gray(16, 32, &[0; 512]);
    let rotation = hi_rotate_param {
        src: source,
        dst: turned,
        angle: HI_ROTATION_90,
    };
    check!(media.hi_mpi_vpc_rotate(0, &rotation, &mut task, 0));
    fetch(task);
    assert_eq!(
        bytes(&turned)[..33],
        [[0; 16], [1; 16]]
            .concat()
            .into_iter()
            .chain([2])
            .collect::<Vec<u8>>()
    );

    let mut flip = hi_flip_param {
        src: source,
        dst: dest,
        flip_mode: HI_FLIP_HOR,
    };
    check!(media.hi_mpi_vpc_flip(0, &mut flip, &mut task, 0));
    fetch(task);
    assert_eq!(bytes(&dest)[..3], [31, 30, 29]);

    let mut histogram = hi_vpc_histogram_config {
        histogram_y_or_r: [9; 256],
        histogram_u_or_g: [9; 256],
        histogram_v_or_b: [9; 256],
    };
    check!(media.hi_mpi_vpc_calc_hist(0, &source, &mut histogram, &mut task, 0));
    fetch(task);
    assert_eq!(
        histogram.histogram_y_or_r[..33],
        [[16; 32].as_slice(), &[0]].concat()
    );

    let map = hi_vpc_lut_remap {
        map_value_y_or_r: [55; 256],
        map_value_u_or_g: [0; 256],
        map_value_v_or_b: [0; 256],
    };
    let mut out = dest;
    check!(media.hi_mpi_vpc_equalize_hist(0, &source, &mut out, &map, &mut task, 0));
    fetch(task);
    assert_eq!(bytes(&dest), [55; 512]);

    let (half, quarter) = (gray(16, 8, &[0; 128]), gray(10, 6, &[0; 60]));
    let mut levels = [half, quarter];
    let mut filter = [
        [0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0],
        [0, 0, 1, 0, 0],
        [0; 5],
        [0; 5],
    ];
    let rows = filter.as_mut_ptr();
    let pyramid = |levels: &mut [hi_vpc_pic_info], count, task: &mut u32| {
        let dests = levels.as_mut_ptr();
        call!(media.hi_mpi_vpc_pyrdown(0, &source, dests, count, rows, 1, border, task, 0))
    };
    assert_eq!(
        pyramid(&mut levels, 2, &mut task) as u32,
        HI_ERR_VPC_ILLEGAL_PARAM,
        "8x4 is expected"
    );
    assert_eq!(
        pyramid(&mut levels, 5, &mut task) as u32,
        HI_ERR_VPC_ILLEGAL_PARAM
    );
    assert_eq!(pyramid(&mut levels, 1, &mut task), 0);
    fetch(task);
    assert_eq!(bytes(&half)[..4], [0, 2, 4, 6]);
    for picture in [&quarter, &half, &turned, &framed, &dest, &source] {
        free(picture);
    }
    check!(media.hi_mpi_vpc_destroy_chn(0));
    let _ = take_findings();
    finish(serial);
}

#[test]
fn colours_are_converted_with_the_matrix_of_the_channel() {
    let serial = start();
    check!(media.hi_mpi_vpc_create_chn(0, &ATTR));
    let mut source = gray(32, 16, &[255; 32 * 16 * 3]);
    (source.picture_format, source.picture_width_stride) = (HI_PIXEL_FORMAT_RGB_888, 96);
    let mut dest = gray(32, 16, &[0; 32 * 16 * 3 / 2]);
    dest.picture_format = HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420;
    let mut task = 0;
    let narrow = HI_CSC_MATRIX_BT601_NARROW;
    refuse!(
        HI_ERR_SYS_UNEXIST,
        hi_mpi_sys_set_chn_csc_matrix(HI_ID_VPC, 1, narrow, null_mut())
    );
    refuse!(
        HI_ERR_SYS_ILLEGAL_PARAM,
        hi_mpi_sys_set_chn_csc_matrix(HI_ID_VPC, 0, hi_csc_matrix(6), null_mut())
    );
    refuse!(
        HI_ERR_SYS_NULL_PTR,
        hi_mpi_sys_set_chn_csc_matrix(HI_ID_VPC, 0, HI_CSC_MATRIX_USER, null_mut())
    );
    for (matrix, white) in [(HI_CSC_MATRIX_BT601_WIDE, 255), (narrow, 235)] {
        check!(media.hi_mpi_sys_set_chn_csc_matrix(HI_ID_VPC, 0, matrix, null_mut()));
        let mut now = hi_csc_matrix(77);
        check!(media.hi_mpi_sys_get_chn_csc_matrix(HI_ID_VPC, 0, &mut now, null_mut()));
        assert_eq!(now, matrix);
        check!(media.hi_mpi_vpc_convert_color_to_yuv420(0, &source, &mut dest, &mut task, 0));
        check!(media.hi_mpi_vpc_get_process_result(0, task, -1));
        let after = bytes(&dest);
        assert_eq!(
            (after[0], after[511], after[512], after[767]),
            (white, white, 128, 128)
        );
    }
    dest.picture_height = 14;
    refuse!(
        HI_ERR_VPC_ILLEGAL_PARAM,
        hi_mpi_vpc_convert_color(0, &source, &mut dest, &mut task, 0)
    );
    dest.picture_format = HI_PIXEL_FORMAT_RGB_888;
    refuse!(
        HI_ERR_VPC_ILLEGAL_PARAM,
        hi_mpi_vpc_convert_color_to_yuv420(0, &source, &mut dest, &mut task, 0)
    );
    free(&dest);
    free(&source);
    check!(media.hi_mpi_vpc_destroy_chn(0));
    let _ = take_findings();
    finish(serial);
}

#[test]
fn a_layout_serves_several_engines() {
    let serial = start();
    let base = hi_img_base_info {
        width: 100,
        height: 50,
        pixel_format: HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420,
        reserved: [0; 2],
    };
    let mut aligned = hi_img_align_info {
        width_stride: 0,
        height_stride: 0,
        img_buf_size: 0,
        reserved: [0; 2],
    };
    for (modules, columns, rows) in [
        (&[HI_MOD_VPC][..], 100, 50),
        (&[HI_MOD_VPC, HI_MOD_JPEGE], 112, 50),
        (&[HI_MOD_VPC, HI_MOD_JPEGD], 128, 64),
    ] {
        let count = modules.len() as u32;
        check!(media.hi_mpi_sys_get_image_align_info(modules.as_ptr(), count, &base, &mut aligned));
        assert_eq!(
            (aligned.width_stride, aligned.height_stride),
            (columns, rows),
            "{modules:?}"
        );
        assert_eq!(aligned.img_buf_size, u64::from(columns * rows * 3 / 2));
    }
    refuse!(
        HI_ERR_SYS_NULL_PTR,
        hi_mpi_sys_get_image_align_info(null(), 1, &base, &mut aligned)
    );
    finish(serial);
}

#[test]
fn memory_and_channels_live_until_the_result_is_fetched() {
    let serial = start();
    check!(media.hi_mpi_vpc_create_chn(0, &ATTR));
    let (source, mut dest) = (gray(32, 16, &[1; 512]), gray(16, 8, &[0; 128]));
    let mut task = 0;
    check!(media.hi_mpi_vpc_resize(0, &source, &mut dest, 0.0, 0.0, 1, &mut task, 0));
    assert_eq!(take_findings(), []);
    let _ = bytes(&dest);
    let found: Vec<_> = take_findings().into_iter().map(|one| one.mistake).collect();
    assert_eq!(found, [Mistake::NotSynchronised]);
    check!(media.hi_mpi_vpc_get_process_result(0, task, -1));
    let _ = bytes(&dest);
    assert_eq!(take_findings(), []);
    check!(media.hi_mpi_vpc_resize(0, &source, &mut dest, 0.0, 0.0, 1, &mut task, 0));
    check!(media.hi_mpi_vpc_destroy_chn(0));
    let found: Vec<_> = take_findings().into_iter().map(|one| one.mistake).collect();
    assert_eq!(found, [Mistake::FreedInUse]);
    free(&dest);
    free(&source);
    let _ = take_findings();
    finish(serial);
}

#[test]
fn a_process_uses_one_generation() {
    let serial = start();
    let _ = take_findings();
    let desc = call!(media.acldvppCreateChannelDesc());
    check!(media.acldvppCreateChannel(desc));
    let found: Vec<_> = take_findings().into_iter().map(|one| one.mistake).collect();
    assert_eq!(found, [Mistake::MediaMixed]);
    check!(media.acldvppDestroyChannel(desc));
    check!(media.acldvppDestroyChannelDesc(desc));
    finish(serial);
}

#[test]
fn the_memory_for_motion_depends_on_the_format_and_the_size() {
    let serial = start();
    for (format, width, height, bytes) in [
        (HI_PT_H264, 1920, 1080, 64 * 120 * 68),
        (HI_PT_H264, 17, 16, 128),
        (HI_PT_H265, 1920, 1080, 16 * 120 * 68),
        (HI_PT_H265, 65, 1, 16 * 8 * 4),
        (HI_PT_JPEG, 64, 64, 0),
        (HI_PT_H264, u32::MAX, u32::MAX, 0),
    ] {
        let size = call!(media.hi_vdec_get_tmv_buf_size(format, width, height));
        assert_eq!(size, bytes, "{format:?}, {width} x {height}");
    }
    finish(serial);
}

#[test]
fn coding_needs_an_engine_and_video_is_not_modelled() {
    let serial = start();
    // SAFETY: plain numbers, which zeros are.
    let mut attr: hi_vdec_chn_attr = unsafe { std::mem::zeroed() };
    attr.type_ = HI_PT_H264;
    attr.mode = HI_VDEC_SEND_MODE_FRAME;
    (attr.pic_width, attr.pic_height) = (64, 64);
    refuse!(HI_ERR_VDEC_NOT_SUPPORT, hi_mpi_vdec_create_chn(0, &attr));
    attr.type_ = HI_PT_JPEG;
    attr.mode = HI_VDEC_SEND_MODE_STREAM;
    refuse!(HI_ERR_VDEC_ILLEGAL_PARAM, hi_mpi_vdec_create_chn(0, &attr));
    attr.mode = HI_VDEC_SEND_MODE_FRAME;
    check!(media.hi_mpi_vdec_create_chn(0, &attr));
    refuse!(HI_ERR_VDEC_EXIST, hi_mpi_vdec_create_chn(0, &attr));
    // SAFETY: plain numbers and pointers, which zeros are.
    let mut stream: hi_vdec_stream = unsafe { std::mem::zeroed() };
    // SAFETY: plain numbers, which zeros are.
    let mut info: hi_vdec_pic_info = unsafe { std::mem::zeroed() };
    refuse!(
        HI_ERR_VDEC_NOT_PERM,
        hi_mpi_vdec_send_stream(0, &stream, &mut info, 0)
    );
    check!(media.hi_mpi_vdec_start_recv_stream(0));
    refuse!(
        HI_ERR_VDEC_NULL_PTR,
        hi_mpi_vdec_send_stream(0, &stream, &mut info, 0)
    );
    let memory = dvpp(&[0; 512]);
    stream.addr = memory.cast();
    refuse!(
        HI_ERR_VDEC_ILLEGAL_PARAM,
        hi_mpi_vdec_send_stream(0, &stream, &mut info, 0)
    );
    (stream.len, info.vir_addr, info.buffer_size) = (512, memory.addr() as u64, 512);
    info.pixel_format = HI_PIXEL_FORMAT_UNKNOWN;
    refuse!(
        HI_ERR_VDEC_NOT_SUPPORT,
        hi_mpi_vdec_send_stream(0, &stream, &mut info, 0)
    );
    stream.len = 0;
    stream.end_of_stream = HI_TRUE;
    check!(media.hi_mpi_vdec_send_stream(0, &stream, &mut info, 0));
    refuse!(HI_ERR_VDEC_NOT_PERM, hi_mpi_vdec_destroy_chn(0));
    check!(media.hi_mpi_vdec_stop_recv_stream(0));
    check!(media.hi_mpi_vdec_destroy_chn(0));
    check!(media.hi_mpi_dvpp_free(memory));
    let _ = take_findings();
    finish(serial);
}
