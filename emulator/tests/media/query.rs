//! Headers in host memory, and predicted sizes.

use super::*;

/// A JPEG of a size with these sampling factors: a header and no data.
fn jpeg(width: u16, height: u16, sampling: &[u8]) -> Vec<u8> {
    let mut file = vec![0xff, 0xd8, 0xff, 0xc0, 0, 8 + 3 * sampling.len() as u8, 8];
    file.extend(height.to_be_bytes());
    file.extend(width.to_be_bytes());
    file.push(sampling.len() as u8);
    for (index, factors) in sampling.iter().enumerate() {
        file.extend([index as u8 + 1, *factors, 0]);
    }
    file.extend([0xff, 0xda, 0, 2, 0, 0xff, 0xd9]);
    file
}

/// A segment with the orientation of EXIF data, little endian.
fn exif(orientation: u8) -> Vec<u8> {
    let mut segment = vec![0xff, 0xe1, 0, 34];
    segment.extend(b"Exif\0\0II\x2a\0\x08\0\0\0");
    segment.extend([
        1,
        0,
        0x12,
        1,
        3,
        0,
        1,
        0,
        0,
        0,
        orientation,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
    ]);
    segment
}

fn info(file: &[u8]) -> (aclError, u32, u32, i32, acldvppJpegFormat) {
    let (mut width, mut height, mut components) = (0, 0, 0);
    let mut format = acldvppJpegFormat(77);
    let code = call!(media.acldvppJpegGetImageInfoV2(
        file.as_ptr().cast(),
        file.len() as u32,
        &mut width,
        &mut height,
        &mut components,
        &mut format
    ));
    (code, width, height, components, format)
}

fn predicted(file: &[u8], format: acldvppPixelFormat) -> (aclError, u32) {
    let mut size = 0;
    let code = call!(media.acldvppJpegPredictDecSize(
        file.as_ptr().cast(),
        file.len() as u32,
        format,
        &mut size
    ));
    (code, size)
}

#[test]
fn headers_have_a_size_and_a_subsampling() {
    let _serial = start_checked();
    for (sampling, components, format) in [
        (&[0x11][..], 1, ACL_JPEG_CSS_GRAY),
        (&[0x22], 1, ACL_JPEG_CSS_GRAY),
        (&[0x11, 0x11, 0x11], 3, ACL_JPEG_CSS_444),
        (&[0x21, 0x11, 0x11], 3, ACL_JPEG_CSS_422),
        (&[0x22, 0x11, 0x11], 3, ACL_JPEG_CSS_420),
        (&[0x12, 0x11, 0x11], 3, ACL_JPEG_CSS_440),
        (&[0x41, 0x11, 0x11], 3, ACL_JPEG_CSS_UNKNOWN),
        (&[0x22, 0x11, 0x21], 3, ACL_JPEG_CSS_UNKNOWN),
        (&[0x11, 0x11, 0x11, 0x11], 4, ACL_JPEG_CSS_UNKNOWN),
    ] {
        assert_eq!(
            info(&jpeg(100, 60, sampling)),
            (0, 100, 60, components, format),
            "{sampling:?}"
        );
    }
    let (file, none) = (jpeg(100, 60, &[0x11]), null_mut());
    check!(
        100_000,
        media.acldvppJpegGetImageInfo(null_mut(), 9, none, none, null_mut())
    );
    check!(media.acldvppJpegGetImageInfo(b"no".as_ptr().cast(), 2, none, none, null_mut()));
    assert_eq!(info(b"no").0, 500_001);
    for end in 0..file.len() - 4 {
        assert_eq!(info(&file[..end]).0, 500_001, "{end}");
    }
}

#[test]
fn the_orientation_exchanges_the_sides() {
    let _serial = start_checked();
    for orientation in 0..=9 {
        let mut file = jpeg(100, 60, &[0x11, 0x11, 0x11]);
        file.splice(2..2, exif(orientation));
        let sides = if (5..=8).contains(&orientation) {
            (60, 100)
        } else {
            (100, 60)
        };
        let (code, width, height, ..) = info(&file);
        assert_eq!((code, (width, height)), (0, sides), "{orientation}");
    }
}

#[test]
fn sizes_are_predicted_as_in_the_sources() {
    let _serial = start_checked();
    // 100 becomes 128, and 60 becomes 64.
    let area = 128 * 64;
    let (s420, s422, s444, s440) = (
        jpeg(100, 60, &[0x22, 0x11, 0x11]),
        jpeg(100, 60, &[0x21, 0x11, 0x11]),
        jpeg(100, 60, &[0x11, 0x11, 0x11]),
        jpeg(100, 60, &[0x12, 0x11, 0x11]),
    );
    let gray = jpeg(100, 60, &[0x11]);
    let cmyk = jpeg(100, 60, &[0x11, 0x11, 0x11, 0x11]);
    let half = (0, area * 3 / 2);
    for (file, format, expected) in [
        (&s420, PIXEL_FORMAT_YUV_SEMIPLANAR_420, half),
        (&s420, PIXEL_FORMAT_UNKNOWN, half),
        (&s420, PIXEL_FORMAT_YUV_SEMIPLANAR_444, (100_027, 0)),
        (&s422, PIXEL_FORMAT_YVU_SEMIPLANAR_422, (0, area * 2)),
        (&s422, PIXEL_FORMAT_YVU_SEMIPLANAR_420, half),
        (&s444, PIXEL_FORMAT_UNKNOWN, (0, area * 3)),
        (&s444, PIXEL_FORMAT_YUV_SEMIPLANAR_440, (100_027, 0)),
        (&s440, PIXEL_FORMAT_YUV_SEMIPLANAR_440, (0, area * 2)),
        (&gray, PIXEL_FORMAT_YUV_SEMIPLANAR_444, half),
        (&cmyk, PIXEL_FORMAT_YUV_SEMIPLANAR_420, half),
        (&cmyk, PIXEL_FORMAT_UNKNOWN, (100_027, 0)),
        (&s420, PIXEL_FORMAT_RGB_888, (100_027, 0)),
    ] {
        assert_eq!(predicted(file, format), expected, "{format:?}");
    }
    // The format first, then the header, then the sides.
    assert_eq!(predicted(b"no", PIXEL_FORMAT_RGB_888).0, 100_027);
    assert_eq!(predicted(b"no", PIXEL_FORMAT_UNKNOWN).0, 500_001);
    for (width, height, code) in [
        (31, 60, 100_000),
        (60, 31, 100_000),
        (8193, 60, 100_000),
        (8192, 32, 0),
    ] {
        let file = jpeg(width, height, &[0x22, 0x11, 0x11]);
        assert_eq!(
            predicted(&file, PIXEL_FORMAT_UNKNOWN).0,
            code,
            "{width}x{height}"
        );
    }
}

#[test]
fn the_room_for_a_jpeg_depends_on_the_strides() {
    let _serial = start_checked();
    let picture = Picture::new(
        PIXEL_FORMAT_YUV_SEMIPLANAR_420,
        64,
        32,
        64,
        &[0; 64 * 32 * 3 / 2],
    );
    let config = call!(media.acldvppCreateJpegeConfig());
    let mut size = 0;
    let mut predict = || {
        (
            call!(media.acldvppJpegPredictEncSize(picture.desc, config, &mut size)),
            size,
        )
    };
    assert_eq!(predict(), (0, 2 << 20));
    check!(media.acldvppSetPicDescWidthStride(picture.desc, 72));
    assert_eq!(predict().0, 100_000, "no multiple of 16");
    picture.describe(PIXEL_FORMAT_YUV_SEMIPLANAR_420, 64, 32, 64);
    check!(media.acldvppSetPicDescHeightStride(picture.desc, 40));
    assert_eq!(
        predict().0,
        100_000,
        "neither the height nor a multiple of 16"
    );
    picture.describe(PIXEL_FORMAT_YUYV_PACKED_422, 64, 32, 64);
    assert_eq!(predict().0, 100_000, "two bytes for each pixel");
    check!(media.acldvppSetPicDescWidthStride(picture.desc, 128));
    assert_eq!(predict().0, 0);
    check!(media.acldvppSetPicDescFormat(picture.desc, PIXEL_FORMAT_RGB_888));
    assert_eq!(predict().0, 100_027);
    check!(media.acldvppSetPicDescWidth(picture.desc, 31));
    assert_eq!(predict().0, 100_000, "the sides before the format");
    check!(media.acldvppDestroyJpegeConfig(config));
    picture.end();
}

/// The header of a PNG.
fn png(width: u32, height: u32, bits: u8, colour: u8) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    file.extend(width.to_be_bytes());
    file.extend(height.to_be_bytes());
    file.extend([bits, colour, 0, 0, 0, 0, 0, 0, 0]);
    file
}

#[test]
fn a_png_has_components_and_a_size() {
    let _serial = start_checked();
    let info = |file: &[u8]| {
        let (mut width, mut height, mut components) = (0, 0, 0);
        let code = call!(media.acldvppPngGetImageInfo(
            file.as_ptr().cast(),
            file.len() as u32,
            &mut width,
            &mut height,
            &mut components
        ));
        (code, width, height, components)
    };
    for (colour, components) in [(0, 1), (2, 3), (4, 2), (6, 4)] {
        assert_eq!(info(&png(40, 50, 8, colour)), (0, 40, 50, components));
    }
    assert_eq!(info(&png(40, 50, 8, 3)).0, 100_027);
    assert_eq!(info(&png(40, 50, 8, 2)[..29]).0, 100_000);
    assert_eq!(info(&[0; 40]).0, 100_000);
    let (palette, mut width) = (png(40, 50, 8, 3), 0);
    let (data, size) = (palette.as_ptr().cast(), palette.len() as u32);
    check!(media.acldvppPngGetImageInfo(data, size, &mut width, null_mut(), null_mut()));
    assert_eq!(
        width, 40,
        "a palette matters only if the components are asked for"
    );

    let predict = |file: &[u8], format| {
        let mut size = 0;
        let code = call!(media.acldvppPngPredictDecSize(
            file.as_ptr().cast(),
            file.len() as u32,
            format,
            &mut size
        ));
        (code, size)
    };
    assert_eq!(
        predict(&png(40, 50, 8, 2), PIXEL_FORMAT_RGB_888),
        (0, 128 * 3 * 64)
    );
    assert_eq!(
        predict(&png(40, 50, 8, 2), PIXEL_FORMAT_UNKNOWN),
        (0, 128 * 4 * 64)
    );
    assert_eq!(
        predict(&png(40, 50, 16, 2), PIXEL_FORMAT_RGBA_8888),
        (0, 128 * 8 * 64)
    );
    assert_eq!(predict(&png(40, 50, 8, 2), PIXEL_FORMAT_BGR_888).0, 100_027);
    assert_eq!(predict(&png(31, 50, 8, 2), PIXEL_FORMAT_RGB_888).0, 100_000);
    assert_eq!(
        predict(&png(4097, 50, 8, 2), PIXEL_FORMAT_RGB_888).0,
        100_000
    );
    assert_eq!(
        predict(&png(40, 50, 0, 2), PIXEL_FORMAT_RGB_888).0,
        100_000,
        "no bytes"
    );
}
