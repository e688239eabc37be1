//! The second generation: decoding and encoding.

use std::mem::{MaybeUninit, zeroed};

use super::*;

fn malloc(bytes: &[u8]) -> *mut c_void {
    let mut memory = null_mut();
    check!(media.hi_mpi_dvpp_malloc(0, &mut memory, bytes.len() as u64));
    copy_in(memory, bytes);
    memory
}

/// A structure of C whose bytes have no meaning, as on the stack of a program.
fn poisoned<T: Copy>() -> T {
    let mut value = MaybeUninit::<T>::uninit();
    // SAFETY: the place has room for one value.
    unsafe { value.as_mut_ptr().write_bytes(0xaa, 1) };
    // SAFETY: the structures of C are plain numbers and pointers, for which any bytes are values.
    unsafe { value.assume_init() }
}

/// Asserts that each field of a decoded frame has its value.
#[track_caller]
fn is_filled(frame: &hi_video_frame_info, output: *mut c_void, format: hi_pixel_format) {
    let v_frame = &frame.v_frame;
    assert_eq!((frame.mod_id, frame.pool_id), (HI_ID_VDEC, 0));
    assert_eq!((v_frame.pts, v_frame.time_ref), (77, 0));
    assert_eq!(v_frame.virt_addr[0], output);
    assert!(
        v_frame.virt_addr[2].is_null() && v_frame.header_virt_addr.iter().all(|one| one.is_null())
    );
    assert_eq!(
        (
            v_frame.header_stride,
            v_frame.header_phys_addr,
            v_frame.phys_addr
        ),
        ([0; 3], [0; 3], [0; 3])
    );
    assert_eq!(v_frame.user_data, [0; HI_MAX_USER_DATA_NUM]);
    assert_eq!(
        (v_frame.video_format, v_frame.compress_mode),
        (HI_VIDEO_FORMAT_LINEAR, HI_COMPRESS_MODE_NONE)
    );
    assert_eq!(v_frame.dynamic_range, HI_DYNAMIC_RANGE_SDR8);
    assert!(v_frame.frame_flag <= 1);
    if v_frame.frame_flag == 1 {
        return;
    }
    assert_eq!(
        (v_frame.pixel_format, v_frame.field),
        (format, HI_VIDEO_FIELD_FRAME)
    );
    let ([columns, rows], [wide, high]) = (
        [v_frame.width_stride[0], v_frame.height_stride[0]],
        [v_frame.width_stride[1], v_frame.height_stride[1]],
    );
    assert!(columns >= v_frame.width && rows >= v_frame.height && v_frame.width > 0);
    let expected = match format {
        HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420 | HI_PIXEL_FORMAT_YVU_SEMIPLANAR_420 => {
            [columns, rows / 2]
        }
        HI_PIXEL_FORMAT_YUV_SEMIPLANAR_422 => [columns, rows],
        HI_PIXEL_FORMAT_YUV_SEMIPLANAR_444 => [columns * 2, rows],
        _ => [0, 0],
    };
    assert_eq!([wide, high], expected);
    let colours = v_frame.virt_addr[1].addr();
    let behind = output.addr() + (columns * rows) as usize;
    assert_eq!(colours, if expected == [0, 0] { 0 } else { behind });
    assert_eq!((v_frame.width_stride[2], v_frame.height_stride[2]), (0, 0));
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
    (stream.pts, stream.private_data) = (77, 5);
    picture.vir_addr = output.addr() as u64;
    picture.buffer_size = info.img_buf_size;
    (picture.width, picture.height) = (info.width, info.height);
    (picture.width_stride, picture.height_stride) = (info.width_stride, info.height_stride);
    picture.pixel_format = format;
    check!(media.hi_mpi_vdec_send_stream(0, &stream, &mut picture, -1));
    let (mut frame, mut back, mut told) = (
        poisoned::<hi_video_frame_info>(),
        poisoned::<hi_vdec_stream>(),
        poisoned::<hi_vdec_supplement_info>(),
    );
    check!(media.hi_mpi_vdec_get_frame(0, &mut frame, &mut told, &mut back, -1));
    is_filled(&frame, output, format);
    assert_eq!(told.type_, HI_PT_JPEG);
    assert_eq!(
        (back.addr, back.len, back.pts, back.private_data),
        (input.cast(), bytes.len() as u32, 77, 5)
    );
    let flags = (back.end_of_frame, back.end_of_stream, back.need_display);
    assert_eq!(flags, (HI_TRUE, hi_bool(0), HI_TRUE));
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
    for (name, format) in [
        ("s422.jpg", HI_PIXEL_FORMAT_YUV_SEMIPLANAR_422),
        ("s444.jpg", HI_PIXEL_FORMAT_YUV_SEMIPLANAR_444),
        ("s420.jpg", HI_PIXEL_FORMAT_YVU_SEMIPLANAR_420),
    ] {
        let (frame, _) = decode(&file(name), format);
        assert_eq!(frame.frame_flag, 0, "{name}");
    }
    // What the hardware refuses is a frame with a flag.
    let mut damaged = file("s420.jpg");
    damaged.truncate(damaged.len() * 3 / 4);
    let (frame, _) = decode(&damaged, HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420);
    assert_eq!(frame.frame_flag, 1);
    let mut state = poisoned::<hi_vdec_chn_status>();
    check!(media.hi_mpi_vdec_query_status(0, &mut state));
    assert_eq!((state.type_, state.is_started), (HI_PT_JPEG, HI_TRUE));
    assert_eq!((state.recv_stream_frames, state.dec_stream_frames), (5, 5));
    let left = (
        state.left_stream_bytes,
        state.left_stream_frames,
        state.left_decoded_frames,
    );
    assert_eq!(left, (0, 0, 0));
    assert_eq!((state.dec_err.pack_err, state.dec_err.format_err), (1, 0));
    assert_eq!(
        (state.width, state.height, state.latest_frame_pts),
        (0, 0, 77)
    );
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
    let (mut stream, mut picture): (hi_img_stream, hi_pic_info) = unsafe { zeroed() };
    let mut info = poisoned::<hi_img_info>();
    (stream.type_, stream.addr, stream.len) = (HI_PT_PNG, bytes.as_mut_ptr(), bytes.len() as u32);
    check!(media.hi_mpi_png_get_image_info(&stream, &mut info));
    assert_eq!((info.width, info.height), (48, 32));
    assert_eq!((info.width_stride, info.height_stride), (512, 32));
    assert_eq!((info.img_buf_size, info.reserved), (512 * 32, [0; 4]));
    let (input, output) = (malloc(&bytes), malloc(&vec![0; info.img_buf_size as usize]));
    stream.addr = input.cast();
    picture.picture_address = output;
    picture.picture_buffer_size = info.img_buf_size;
    (picture.picture_width_stride, picture.picture_height_stride) =
        (info.width_stride, info.height_stride);
    picture.picture_format = HI_PIXEL_FORMAT_UNKNOWN;
    check!(media.hi_mpi_pngd_send_stream(0, &stream, &mut picture, 0));
    check!(HI_ERR_PNGD_BUSY, media.hi_mpi_pngd_destroy_chn(0));
    let (mut decoded, mut back) = (poisoned::<hi_pic_info>(), poisoned::<hi_img_stream>());
    check!(media.hi_mpi_pngd_get_image_data(0, &mut decoded, &mut back, 0));
    assert_eq!(
        (back.type_, back.addr, back.len),
        (HI_PT_PNG, input.cast(), bytes.len() as u32)
    );
    assert_eq!(
        (decoded.picture_address, decoded.picture_buffer_size),
        (output, info.img_buf_size)
    );
    assert_eq!((decoded.picture_width, decoded.picture_height), (48, 32));
    assert_eq!(
        (decoded.picture_width_stride, decoded.picture_height_stride),
        (512, 32)
    );
    assert_eq!(decoded.picture_format, HI_PIXEL_FORMAT_RGBA_8888);
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
    let mut state = poisoned::<hi_venc_chn_status>();
    check!(media.hi_mpi_venc_query_status(0, &mut state));
    assert_eq!((state.cur_packs, state.left_stream_frames), (1, 2));
    for own in [true, false] {
        let (mut pack, mut stream) = (poisoned::<hi_venc_pack>(), poisoned::<hi_venc_stream>());
        (stream.pack, stream.pack_cnt) = (&raw mut pack, 1);
        check!(media.hi_mpi_venc_get_stream(0, &mut stream, 0));
        assert_eq!((stream.pack_cnt, stream.seq), (1, if own { 1 } else { 2 }));
        assert_eq!((pack.pts, pack.is_frame_end, pack.offset), (0, HI_TRUE, 0));
        // SAFETY: each field of the union is plain numbers, for which any bytes are values.
        let kind = unsafe { pack.data_type.jpeg_type };
        // SAFETY: as above.
        let report = unsafe { stream.report.jpeg_info };
        assert_eq!(kind, HI_VENC_JPEG_PACK_PIC);
        assert_eq!(
            (report.pic_bytes, report.qfactor, report.update_attr_cnt),
            (pack.len, 100, 0)
        );
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
