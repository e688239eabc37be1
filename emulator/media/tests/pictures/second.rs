//! The second generation: decoding and encoding.

use std::mem::zeroed;

use super::*;

fn malloc(bytes: &[u8]) -> *mut c_void {
    let mut memory = null_mut();
    check!(media.hi_mpi_dvpp_malloc(0, &mut memory, bytes.len() as u64));
    copy_in(memory, bytes);
    memory
}

/// Decodes a JPEG, and returns the frame with the content of its buffer.
fn decode(bytes: &[u8], format: hi_pixel_format) -> (hi_video_frame, Vec<u8>) {
    // SAFETY: plain numbers and pointers, which zeros are.
    let (mut stream, mut info, mut picture): (hi_vdec_stream, hi_img_info, hi_vdec_pic_info) =
        unsafe { zeroed() };
    let mut host = bytes.to_vec();
    (stream.addr, stream.len) = (host.as_mut_ptr(), bytes.len() as u32);
    check!(media.hi_mpi_vdec_get_jpegd_output_info(&stream, format, &mut info));
    let (input, output) = (malloc(bytes), malloc(&vec![0; info.img_buf_size as usize]));
    stream.addr = input.cast();
    stream.end_of_frame = HI_TRUE;
    stream.need_display = HI_TRUE;
    stream.pts = 77;
    picture.vir_addr = output.addr() as u64;
    picture.buffer_size = info.img_buf_size;
    (picture.width, picture.height) = (info.width, info.height);
    (picture.width_stride, picture.height_stride) = (info.width_stride, info.height_stride);
    picture.pixel_format = format;
    check!(media.hi_mpi_vdec_send_stream(0, &stream, &mut picture, -1));
    // SAFETY: plain numbers and pointers, which zeros are.
    let (mut frame, mut back): (hi_video_frame_info, hi_vdec_stream) = unsafe { zeroed() };
    check!(media.hi_mpi_vdec_get_frame(0, &mut frame, null_mut(), &mut back, -1));
    assert_eq!((back.addr, frame.v_frame.pts), (input.cast(), 77));
    assert_eq!(frame.v_frame.virt_addr[0], output);
    let content = copy_out(output, info.img_buf_size as usize);
    check!(media.hi_mpi_vdec_release_frame(0, &frame));
    check!(media.hi_mpi_dvpp_free(input));
    check!(media.hi_mpi_dvpp_free(output));
    (frame.v_frame, content)
}

fn decoder() {
    // SAFETY: plain numbers, which zeros are.
    let mut attr: hi_vdec_chn_attr = unsafe { zeroed() };
    (attr.type_, attr.mode) = (HI_PT_JPEG, HI_VDEC_SEND_MODE_FRAME);
    (attr.pic_width, attr.pic_height) = (8192, 8192);
    check!(media.hi_mpi_vdec_create_chn(0, &attr));
    check!(media.hi_mpi_vdec_start_recv_stream(0));
}

fn end_of_decoder() {
    check!(media.hi_mpi_vdec_stop_recv_stream(0));
    check!(media.hi_mpi_vdec_destroy_chn(0));
}

#[test]
fn both_generations_decode_alike() {
    let _guard = start();
    check!(media.hi_mpi_sys_init());
    decoder();
    let (frame, content) = decode(&file("s420.jpg"), HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420);
    assert_eq!((frame.width, frame.height, frame.frame_flag), (48, 32, 0));
    assert_eq!((frame.width_stride[0], frame.height_stride[0]), (64, 32));
    let yuv = file("s420.yuv");
    for y in 0..32 {
        for x in 0..48 {
            assert!(
                content[y * 64 + x].abs_diff(yuv[(y * 48 + x) * 3]) <= 2,
                "{x}, {y}"
            );
        }
    }
    // What the hardware refuses is a frame with a flag.
    let mut damaged = file("s420.jpg");
    damaged.truncate(damaged.len() * 3 / 4);
    let (frame, _) = decode(&damaged, HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420);
    assert_eq!(frame.frame_flag, 1);
    // SAFETY: plain numbers and pointers, which zeros are.
    let (mut stream, mut info): (hi_vdec_stream, hi_img_info) = unsafe { zeroed() };
    let mut progressive = file("progressive.jpg");
    (stream.addr, stream.len) = (progressive.as_mut_ptr(), progressive.len() as u32);
    let format = HI_PIXEL_FORMAT_UNKNOWN;
    check!(
        HI_ERR_VDEC_NOT_SUPPORT,
        media.hi_mpi_vdec_get_jpegd_output_info(&stream, format, &mut info)
    );
    check!(
        HI_ERR_VDEC_NOT_SUPPORT,
        media.hi_mpi_dvpp_get_image_info(HI_PT_JPEG, &stream, &mut info)
    );
    // SAFETY: plain numbers and pointers, which zeros are.
    let (mut frame, mut back): (hi_video_frame_info, hi_vdec_stream) = unsafe { zeroed() };
    check!(
        HI_ERR_VDEC_BUF_EMPTY,
        media.hi_mpi_vdec_get_frame(0, &mut frame, null_mut(), &mut back, 0)
    );
    check!(
        HI_ERR_VDEC_ILLEGAL_PARAM,
        media.hi_mpi_vdec_release_frame(0, &frame)
    );
    end_of_decoder();
    check!(media.hi_mpi_sys_exit());
    let _ = ascendcl_emulator::take_violations();
}

#[test]
fn a_png_is_decoded() {
    let _guard = start();
    check!(media.hi_mpi_sys_init());
    // SAFETY: plain numbers, which zeros are.
    let attr: hi_pngd_chn_attr = unsafe { zeroed() };
    check!(media.hi_mpi_pngd_create_chn(0, &attr));
    let mut bytes = file("rgba.png");
    // SAFETY: plain numbers and pointers, which zeros are.
    let (mut stream, mut info, mut picture): (hi_img_stream, hi_img_info, hi_pic_info) =
        unsafe { zeroed() };
    (stream.type_, stream.addr, stream.len) = (HI_PT_PNG, bytes.as_mut_ptr(), bytes.len() as u32);
    check!(media.hi_mpi_png_get_image_info(&stream, &mut info));
    assert_eq!((info.width, info.height, info.width_stride), (48, 32, 512));
    let (input, output) = (malloc(&bytes), malloc(&vec![0; info.img_buf_size as usize]));
    stream.addr = input.cast();
    picture.picture_address = output;
    picture.picture_buffer_size = info.img_buf_size;
    (picture.picture_width_stride, picture.picture_height_stride) =
        (info.width_stride, info.height_stride);
    picture.picture_format = HI_PIXEL_FORMAT_UNKNOWN;
    check!(media.hi_mpi_pngd_send_stream(0, &stream, &mut picture, 0));
    check!(HI_ERR_PNGD_BUSY, media.hi_mpi_pngd_destroy_chn(0));
    // SAFETY: plain numbers and pointers, which zeros are.
    let (mut decoded, mut back): (hi_pic_info, hi_img_stream) = unsafe { zeroed() };
    check!(media.hi_mpi_pngd_get_image_data(0, &mut decoded, &mut back, 0));
    assert_eq!(
        (decoded.picture_format, back.addr),
        (HI_PIXEL_FORMAT_RGBA_8888, input.cast())
    );
    let content = copy_out(output, 512 * 32);
    let raw = file("rgba.raw");
    for y in 0..32 {
        assert_eq!(
            content[y * 512..y * 512 + 192],
            raw[y * 192..y * 192 + 192],
            "{y}"
        );
    }
    let mut palette = file("palette.png");
    (stream.addr, stream.len) = (palette.as_mut_ptr(), palette.len() as u32);
    check!(
        HI_ERR_PNGD_NOT_SUPPORT,
        media.hi_mpi_png_get_image_info(&stream, &mut info)
    );
    check!(media.hi_mpi_dvpp_free(input));
    check!(media.hi_mpi_dvpp_free(output));
    check!(media.hi_mpi_pngd_destroy_chn(0));
    check!(media.hi_mpi_sys_exit());
}

#[test]
fn an_encoded_picture_is_released() {
    let _guard = start();
    check!(media.hi_mpi_sys_init());
    decoder();
    // SAFETY: plain numbers, which zeros are.
    let mut attr: hi_venc_chn_attr = unsafe { zeroed() };
    attr.venc_attr.type_ = HI_PT_JPEG;
    (attr.venc_attr.max_pic_width, attr.venc_attr.max_pic_height) = (64, 64);
    (attr.venc_attr.pic_width, attr.venc_attr.pic_height) = (48, 32);
    check!(media.hi_mpi_venc_create_chn(0, &attr));
    let (_, content) = decode(&file("s420.jpg"), HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420);
    let memory = malloc(&content);
    // SAFETY: plain numbers and pointers, which zeros are.
    let mut frame: hi_video_frame_info = unsafe { zeroed() };
    let v_frame = &mut frame.v_frame;
    (v_frame.width, v_frame.height) = (48, 32);
    (v_frame.width_stride[0], v_frame.height_stride[0]) = (64, 32);
    (v_frame.virt_addr[0], v_frame.pixel_format) = (memory, HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420);
    check!(
        HI_ERR_VENC_NOT_PERM,
        media.hi_mpi_venc_send_frame(0, &frame, 0)
    );
    check!(media.hi_mpi_venc_start_chn(0, &hi_venc_start_param { recv_pic_num: -1 }));
    // SAFETY: plain numbers, which zeros are.
    let mut quality: hi_venc_jpeg_param = unsafe { zeroed() };
    check!(
        HI_ERR_VENC_ILLEGAL_PARAM,
        media.hi_mpi_venc_set_jpeg_param(0, &quality)
    );
    quality.qfactor = 100;
    check!(media.hi_mpi_venc_set_jpeg_param(0, &quality));
    let mut size = 0;
    check!(media.hi_mpi_venc_get_jpege_predicted_size(&frame, &quality, &mut size));
    assert_eq!(size, 2 << 20);
    // Once into memory of the channel, and once into that of the program.
    let output = malloc(&[0; 8192]);
    // SAFETY: plain numbers and pointers, which zeros are.
    let mut room: hi_img_stream = unsafe { zeroed() };
    (room.addr, room.len) = (output.cast(), 8192);
    check!(media.hi_mpi_venc_send_frame(0, &frame, 0));
    check!(media.hi_mpi_venc_send_jpege_frame(0, &frame, &room, 0));
    // SAFETY: plain numbers, which zeros are.
    let mut state: hi_venc_chn_status = unsafe { zeroed() };
    check!(media.hi_mpi_venc_query_status(0, &mut state));
    assert_eq!(state.cur_packs, 1);
    for own in [true, false] {
        // SAFETY: plain numbers and pointers, which zeros are.
        let (mut pack, mut stream): (hi_venc_pack, hi_venc_stream) = unsafe { zeroed() };
        (stream.pack, stream.pack_cnt) = (&raw mut pack, 1);
        check!(media.hi_mpi_venc_get_stream(0, &mut stream, 0));
        assert_eq!(pack.addr == output.cast(), !own);
        let encoded = copy_out(pack.addr.cast(), pack.len as usize);
        let (_, again) = decode(&encoded, HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420);
        let (most, mean) = difference(&again, &content);
        assert!(most <= 6 && mean < 0.8, "{most} {mean}");
        check!(media.hi_mpi_venc_stop_chn(0));
        check!(HI_ERR_VENC_BUSY, media.hi_mpi_venc_destroy_chn(0));
        check!(media.hi_mpi_venc_release_stream(0, &mut stream));
        check!(
            HI_ERR_VENC_ILLEGAL_PARAM,
            media.hi_mpi_venc_release_stream(0, &mut stream)
        );
    }
    check!(media.hi_mpi_venc_destroy_chn(0));
    end_of_decoder();
    check!(media.hi_mpi_dvpp_free(output));
    check!(media.hi_mpi_dvpp_free(memory));
    check!(media.hi_mpi_sys_exit());
}
