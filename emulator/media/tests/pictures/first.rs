//! The first generation: decoding, encoding and scaling.

use super::*;

/// A channel with a stream, both destroyed at the end.
pub(crate) struct Channel {
    pub(crate) desc: *mut acldvppChannelDesc,
    pub(crate) stream: aclrtStream,
}

impl Channel {
    pub(crate) fn new() -> Channel {
        let desc = call!(acldvppCreateChannelDesc());
        check!(media.acldvppCreateChannel(desc));
        let mut stream = null_mut();
        check!(stream.aclrtCreateStream(&mut stream));
        Channel { desc, stream }
    }

    pub(crate) fn end(self) {
        check!(stream.aclrtDestroyStream(self.stream));
        check!(media.acldvppDestroyChannel(self.desc));
        check!(media.acldvppDestroyChannelDesc(self.desc));
    }
}

pub(crate) fn malloc(size: usize) -> *mut c_void {
    let mut memory = null_mut();
    check!(media.acldvppMalloc(&mut memory, size));
    memory
}

/// A picture with its memory.
pub(crate) struct Picture {
    pub(crate) desc: *mut acldvppPicDesc,
    pub(crate) memory: *mut c_void,
    size: u32,
}

impl Picture {
    pub(crate) fn new(
        format: acldvppPixelFormat,
        sides: (u32, u32),
        strides: (u32, u32),
        size: u32,
    ) -> Picture {
        let (desc, memory) = (call!(acldvppCreatePicDesc()), malloc(size as usize));
        check!(memory.aclrtMemset(memory, size as usize, 0, size as usize));
        check!(media.acldvppSetPicDescData(desc, memory));
        check!(media.acldvppSetPicDescSize(desc, size));
        check!(media.acldvppSetPicDescFormat(desc, format));
        check!(media.acldvppSetPicDescWidth(desc, sides.0));
        check!(media.acldvppSetPicDescHeight(desc, sides.1));
        check!(media.acldvppSetPicDescWidthStride(desc, strides.0));
        check!(media.acldvppSetPicDescHeightStride(desc, strides.1));
        Picture { desc, memory, size }
    }

    fn bytes(&self) -> Vec<u8> {
        copy_out(self.memory, self.size as usize)
    }

    /// The rows of a plane that begins at an offset, without their gaps.
    pub(crate) fn rows(&self, offset: usize, stride: usize, row: usize, rows: usize) -> Vec<u8> {
        let bytes = self.bytes();
        let row_of = |index| &bytes[offset + index * stride..offset + index * stride + row];
        (0..rows).flat_map(|index| row_of(index).to_vec()).collect()
    }

    pub(crate) fn end(self) {
        check!(media.acldvppDestroyPicDesc(self.desc));
        check!(media.acldvppFree(self.memory));
    }
}

/// Decodes a file to a small picture, and returns the code of the wait with the picture.
fn decode(
    channel: &Channel,
    bytes: &[u8],
    format: acldvppPixelFormat,
    is_png: bool,
) -> (aclError, Picture) {
    decode_with_room(channel, bytes, (format, 64 << 10), is_png)
}

/// Decodes a file to a picture with a number of bytes, and returns the code of the wait with the picture.
pub(crate) fn decode_with_room(
    channel: &Channel,
    bytes: &[u8],
    (format, room): (acldvppPixelFormat, u32),
    is_png: bool,
) -> (aclError, Picture) {
    let input = malloc(bytes.len());
    copy_in(input, bytes);
    let picture = Picture::new(format, (0, 0), (0, 0), room);
    let (size, stream) = (bytes.len() as u32, channel.stream);
    if is_png {
        check!(media.acldvppPngDecodeAsync(channel.desc, input, size, picture.desc, stream));
    } else {
        check!(media.acldvppJpegDecodeAsync(channel.desc, input, size, picture.desc, stream));
    }
    // SAFETY: the stream exists.
    let code = unsafe { (ascendcl_emulator::API.stream.aclrtSynchronizeStream)(stream) };
    check!(media.acldvppFree(input));
    (code, picture)
}

/// The planes of a semi-planar picture that Pillow's components of each pixel give, with the mean of shared colours.
pub(crate) fn planes(
    yuv: &[u8],
    width: usize,
    height: usize,
    stride: usize,
    across: usize,
    down: usize,
) -> (Vec<u8>, Vec<u8>) {
    let at = |x: usize, y: usize, channel: usize| u32::from(yuv[(y * stride + x) * 3 + channel]);
    let bright = (0..height)
        .flat_map(|y| (0..width).map(move |x| at(x, y, 0) as u8))
        .collect();
    let mut colours = Vec::new();
    for y in 0..height / down {
        for x in 0..width / across {
            for channel in [1, 2] {
                let block = (0..down)
                    .flat_map(|dy| (0..across).map(move |dx| (x * across + dx, y * down + dy)));
                let sum: u32 = block.map(|(x, y)| at(x, y, channel)).sum();
                colours.push((sum as f64 / (across * down) as f64).round() as u8);
            }
        }
    }
    (bright, colours)
}

#[test]
fn a_jpeg_is_decoded_as_pillow_decodes_it() {
    let _guard = start();
    let channel = Channel::new();
    for (name, format, across, down) in [
        ("s444", PIXEL_FORMAT_YUV_SEMIPLANAR_444, 1, 1),
        ("s444", PIXEL_FORMAT_YUV_SEMIPLANAR_420, 2, 2),
        ("s422", PIXEL_FORMAT_YUV_SEMIPLANAR_422, 2, 1),
        ("s420", PIXEL_FORMAT_YUV_SEMIPLANAR_420, 2, 2),
        ("gray", PIXEL_FORMAT_YUV_SEMIPLANAR_420, 2, 2),
    ] {
        let (code, picture) = decode(&channel, &file(&format!("{name}.jpg")), format, false);
        assert_eq!(
            code,
            0,
            "{name}: {:?}",
            ascendcl_emulator::take_violations()
        );
        assert_eq!(call!(acldvppGetPicDescRetCode(picture.desc)), 0);
        let size = (
            call!(acldvppGetPicDescWidth(picture.desc)),
            call!(acldvppGetPicDescHeight(picture.desc)),
        );
        assert_eq!(size, (48, 32));
        let strides = (
            call!(acldvppGetPicDescWidthStride(picture.desc)) as usize,
            call!(acldvppGetPicDescHeightStride(picture.desc)) as usize,
        );
        assert_eq!(strides, (64, 32));
        let (bright, colours) = planes(&file(&format!("{name}.yuv")), 48, 32, 48, across, down);
        let ours = picture.rows(0, strides.0, 48, 32);
        let (most, mean) = difference(&ours, &bright);
        assert!(most <= 2 && mean < 0.2, "{name} brightness: {most} {mean}");
        let ours = picture.rows(
            strides.0 * strides.1,
            strides.0 * 2 / across,
            48 * 2 / across,
            32 / down,
        );
        let (most, mean) = difference(&ours, &colours);
        assert!(
            most <= 4 && mean < 0.5,
            "{name} to {format:?} colours: {most} {mean}"
        );
        picture.end();
    }
    channel.end();
}

#[test]
fn a_short_file_of_a_huge_picture_is_refused_before_its_pixels() {
    let _guard = start();
    let channel = Channel::new();
    let mut bytes = file("s420.jpg");
    let frame = bytes
        .windows(2)
        .position(|two| two == [0xff, 0xc0])
        .unwrap();
    bytes[frame + 5..frame + 9].copy_from_slice(&[0x20, 0, 0x20, 0]);
    let (code, picture) = decode(&channel, &bytes, PIXEL_FORMAT_YUV_SEMIPLANAR_420, false);
    assert_eq!(code, ACL_ERROR_RT_AICPU_EXCEPTION);
    let state = call!(acldvppGetPicDescRetCode(picture.desc));
    assert_eq!(state, ACL_ERROR_FAILURE as u32);
    let why = format!("{:?}", ascendcl_emulator::take_violations());
    // 1024 x 1024 blocks of brightness and half as many of colours, with two bits each.
    assert!(
        why.contains("8192x8192 pixels need 393216 at least"),
        "{why}"
    );
    picture.end();
    channel.end();
}

#[test]
fn an_unknown_format_is_that_of_the_source_and_odd_sides_become_even() {
    let _guard = start();
    let channel = Channel::new();
    for (name, format, sides) in [
        ("s444", PIXEL_FORMAT_YVU_SEMIPLANAR_444, (48, 32)),
        ("s422", PIXEL_FORMAT_YVU_SEMIPLANAR_422, (48, 32)),
        ("s420", PIXEL_FORMAT_YVU_SEMIPLANAR_420, (48, 32)),
        ("odd", PIXEL_FORMAT_YVU_SEMIPLANAR_420, (40, 32)),
        ("turned", PIXEL_FORMAT_YVU_SEMIPLANAR_444, (32, 48)),
    ] {
        let (code, picture) = decode(
            &channel,
            &file(&format!("{name}.jpg")),
            PIXEL_FORMAT_UNKNOWN,
            false,
        );
        assert_eq!(
            code,
            0,
            "{name}: {:?}",
            ascendcl_emulator::take_violations()
        );
        assert_eq!(
            call!(acldvppGetPicDescFormat(picture.desc)),
            format,
            "{name}"
        );
        let size = (
            call!(acldvppGetPicDescWidth(picture.desc)),
            call!(acldvppGetPicDescHeight(picture.desc)),
        );
        assert_eq!(size, sides, "{name}");
        picture.end();
    }
    channel.end();
}

#[test]
fn a_picture_is_turned_as_its_exif_data_say() {
    let _guard = start();
    let channel = Channel::new();
    let (code, picture) = decode(
        &channel,
        &file("turned.jpg"),
        PIXEL_FORMAT_YUV_SEMIPLANAR_444,
        false,
    );
    assert_eq!(code, 0);
    // Orientation 6: the first row of the file is the last column of the picture.
    let yuv = file("s444.yuv");
    let ours = picture.rows(0, 64, 32, 48);
    for y in 0..48 {
        for x in 0..32 {
            let theirs = yuv[((31 - x) * 48 + y) * 3];
            assert!(ours[y * 32 + x].abs_diff(theirs) <= 2, "{x}, {y}");
        }
    }
    picture.end();
    channel.end();
}

#[test]
fn the_decoder_clears_the_bytes_behind_the_end() {
    let _guard = start();
    let channel = Channel::new();
    let mut bytes = file("s420.jpg");
    let end = bytes.len();
    bytes.extend([7; 12]);
    let input = malloc(bytes.len());
    copy_in(input, &bytes);
    let picture = Picture::new(PIXEL_FORMAT_YUV_SEMIPLANAR_420, (0, 0), (0, 0), 8192);
    let (size, stream) = (bytes.len() as u32, channel.stream);
    check!(media.acldvppJpegDecodeAsync(channel.desc, input, size, picture.desc, stream));
    check!(stream.aclrtSynchronizeStream(stream));
    let after = copy_out(input, bytes.len());
    assert_eq!(after[end..], [0, 0, 0, 0, 0, 0, 0, 0, 7, 7, 7, 7]);
    check!(media.acldvppFree(input));
    picture.end();
    channel.end();
}

/// The code of the description for a file that the decoder refuses.
fn refusal(
    channel: &Channel,
    bytes: &[u8],
    format: acldvppPixelFormat,
    is_png: bool,
) -> (u32, String) {
    let _ = ascendcl_emulator::take_violations();
    let (code, picture) = decode(channel, bytes, format, is_png);
    assert_eq!(code, ACL_ERROR_RT_AICPU_EXCEPTION);
    let status = call!(acldvppGetPicDescRetCode(picture.desc));
    picture.end();
    let said = ascendcl_emulator::take_violations();
    (status, said.into_iter().map(|one| one.text).collect())
}

#[test]
fn bad_pictures_are_refused_with_a_reason() {
    let _guard = start();
    let channel = Channel::new();
    let nv12 = PIXEL_FORMAT_YUV_SEMIPLANAR_420;
    let whole = file("s420.jpg");
    let mut huge = whole.clone();
    let frame = huge
        .windows(2)
        .position(|pair| pair == [0xff, 0xc0])
        .unwrap();
    huge[frame + 5..frame + 9].copy_from_slice(&[0xff, 0xff, 0xff, 0xff]);
    let mut empty = whole.clone();
    empty[frame + 5..frame + 9].copy_from_slice(&[0; 4]);
    for (bytes, status, reason) in [
        (
            file("progressive.jpg"),
            ACL_ERROR_UNSUPPORTED_JPEG,
            "progressive",
        ),
        (file("cmyk.jpg"), ACL_ERROR_UNSUPPORTED_JPEG, "colours"),
        (file("small.jpg"), ACL_ERROR_INVALID_PARAM, "16x16"),
        (huge, ACL_ERROR_INVALID_PARAM, "65535x65535"),
        (empty, ACL_ERROR_INVALID_PARAM, "0x0"),
        (whole[..200].to_vec(), ACL_ERROR_FAILURE, "damaged"),
        (
            whole[..whole.len() * 9 / 10].to_vec(),
            ACL_ERROR_FAILURE,
            "ends in the middle",
        ),
        (
            whole[..whole.len() / 2].to_vec(),
            ACL_ERROR_FAILURE,
            "damaged",
        ),
        (vec![0; 64], ACL_ERROR_FAILURE, "damaged"),
        (file("rgb.png"), ACL_ERROR_FAILURE, "damaged"),
    ] {
        let (found, said) = refusal(&channel, &bytes, nv12, false);
        assert_eq!(found, status as u32, "{said}");
        assert!(said.contains(reason), "{said}");
    }
    let (found, said) = refusal(&channel, &whole, PIXEL_FORMAT_YUV_SEMIPLANAR_444, false);
    assert_eq!(found, ACL_ERROR_FORMAT_NOT_MATCH as u32, "{said}");
    let rgb = PIXEL_FORMAT_RGB_888;
    for (bytes, status, reason) in [
        (file("palette.png"), ACL_ERROR_FORMAT_NOT_MATCH, "palette"),
        (file("deep.png"), ACL_ERROR_FORMAT_NOT_MATCH, "16 bits"),
        (
            file("rgb.png")[..100].to_vec(),
            ACL_ERROR_FAILURE,
            "damaged",
        ),
        (whole, ACL_ERROR_FAILURE, "damaged"),
    ] {
        let (found, said) = refusal(&channel, &bytes, rgb, true);
        assert_eq!(found, status as u32, "{said}");
        assert!(said.contains(reason), "{said}");
    }
    channel.end();
}

/// The offset behind the header of the scan.
pub(crate) fn scan_of(bytes: &[u8]) -> usize {
    let scan = bytes.windows(2).position(|two| two == [0xff, 0xda]);
    let scan = scan.unwrap();
    scan + 2 + usize::from(bytes[scan + 2]) * 256 + usize::from(bytes[scan + 3])
}

#[test]
fn a_scan_that_ends_early_is_damaged_though_the_file_has_its_end() {
    let _guard = start();
    let channel = Channel::new();
    for name in ["s444", "s422", "s420", "gray", "odd", "restarts"] {
        let whole = file(&format!("{name}.jpg"));
        let (first, last) = (scan_of(&whole), whole.len() - 2);
        assert_eq!(whole[last..], [0xff, 0xd9]);
        for cut in (first..last).step_by(5).chain(last - 4..last) {
            let bytes = [&whole[..cut], &[0xff, 0xd9]].concat();
            let (found, said) = refusal(&channel, &bytes, PIXEL_FORMAT_UNKNOWN, false);
            assert_eq!(found, ACL_ERROR_FAILURE as u32, "{name}, {cut}: {said}");
            assert!(
                said.contains("the JPEG is damaged: "),
                "{name}, {cut}: {said}"
            );
        }
        let (code, picture) = decode(&channel, &whole, PIXEL_FORMAT_UNKNOWN, false);
        assert_eq!(
            code,
            0,
            "{name}: {:?}",
            ascendcl_emulator::take_violations()
        );
        picture.end();
    }
    channel.end();
}

#[test]
fn data_that_end_before_a_restart_are_damaged() {
    let _guard = start();
    let channel = Channel::new();
    let whole = file("restarts.jpg");
    let first = scan_of(&whole);
    let restarts = whole.windows(2).enumerate().skip(first);
    let restarts = restarts.filter(|(_, two)| two[0] == 0xff && (0xd0..=0xd7).contains(&two[1]));
    let places: Vec<_> = restarts.map(|(at, _)| at).collect();
    assert_eq!(places.len(), 5);
    for at in places {
        let bytes = [&whole[..at - 2], &whole[at..]].concat();
        let (found, said) = refusal(&channel, &bytes, PIXEL_FORMAT_UNKNOWN, false);
        assert_eq!(found, ACL_ERROR_FAILURE as u32, "{at}: {said}");
    }
    channel.end();
}

/// Every cut and many damaged bytes end in a status.
#[test]
fn damaged_files_never_crash() {
    let _guard = start();
    let channel = Channel::new();
    let mut bytes = file("s420.jpg");
    for at in 0..bytes.len() {
        if at % 7 == 0 {
            let before = bytes[at];
            bytes[at] = before.wrapping_add(0x55);
            let (code, picture) = decode(&channel, &bytes, PIXEL_FORMAT_UNKNOWN, false);
            assert!(
                [
                    0,
                    ACL_ERROR_RT_AICPU_EXCEPTION,
                    ACL_ERROR_RT_AICORE_EXCEPTION
                ]
                .contains(&code),
                "{at}: {code}"
            );
            picture.end();
            bytes[at] = before;
        }
    }
    let _ = ascendcl_emulator::take_violations();
    channel.end();
}

#[test]
fn a_png_is_decoded_as_pillow_decodes_it() {
    let _guard = start();
    let channel = Channel::new();
    for (name, asked, format, unit) in [
        ("rgb", PIXEL_FORMAT_RGB_888, PIXEL_FORMAT_RGB_888, 3),
        ("rgb", PIXEL_FORMAT_UNKNOWN, PIXEL_FORMAT_RGB_888, 3),
        ("rgba", PIXEL_FORMAT_UNKNOWN, PIXEL_FORMAT_RGBA_8888, 4),
    ] {
        let (code, picture) = decode(&channel, &file(&format!("{name}.png")), asked, true);
        assert_eq!(
            code,
            0,
            "{name}: {:?}",
            ascendcl_emulator::take_violations()
        );
        assert_eq!(call!(acldvppGetPicDescFormat(picture.desc)), format);
        let stride = call!(acldvppGetPicDescWidthStride(picture.desc)) as usize;
        assert_eq!(
            picture.rows(0, stride, 48 * unit, 32),
            file(&format!("{name}.raw")),
            "{name}"
        );
        picture.end();
    }
    let (code, picture) = decode(&channel, &file("gray.png"), PIXEL_FORMAT_RGB_888, true);
    assert_eq!(code, 0);
    let stride = call!(acldvppGetPicDescWidthStride(picture.desc)) as usize;
    let gray: Vec<u8> = file("gray.raw")
        .into_iter()
        .flat_map(|value| [value; 3])
        .collect();
    assert_eq!(picture.rows(0, stride, 48 * 3, 32), gray);
    picture.end();
    let (code, picture) = decode(&channel, &file("narrow.png"), PIXEL_FORMAT_UNKNOWN, true);
    assert_eq!(code, 0, "{:?}", ascendcl_emulator::take_violations());
    let pixels = (0..32 * 40).map(|index: usize| (index % 40, index / 40));
    let narrow: Vec<u8> = pixels
        .flat_map(|(x, y)| [x * 5, y * 7, x + y].map(|one| one as u8))
        .collect();
    let stride = call!(acldvppGetPicDescWidthStride(picture.desc)) as usize;
    assert_eq!(picture.rows(0, stride, 40 * 3, 32), narrow);
    picture.end();
    channel.end();
}

#[test]
fn a_picture_is_scaled_as_pillow_scales_it() {
    let _guard = start();
    let channel = Channel::new();
    let source = Picture::new(PIXEL_FORMAT_YUV_400, (48, 32), (48, 32), 48 * 32);
    let bright: Vec<u8> = file("s444.yuv").into_iter().step_by(3).collect();
    copy_in(source.memory, &bright);
    let scaled = Picture::new(PIXEL_FORMAT_YUV_400, (96, 64), (96, 64), 96 * 64);
    let config = call!(acldvppCreateResizeConfig());
    let (desc, stream) = (channel.desc, channel.stream);
    check!(media.acldvppVpcResizeAsync(desc, source.desc, scaled.desc, config, stream));
    check!(stream.aclrtSynchronizeStream(stream));
    let (most, mean) = difference(&scaled.bytes(), &file("scaled.raw"));
    // Pillow rounds between the two axes, too.
    assert!(most <= 1 && mean < 0.2, "{most} {mean}");
    // Smaller, as OpenCV does it: the two nearest pixels along each axis and no others.
    let small = Picture::new(PIXEL_FORMAT_YUV_400, (16, 8), (16, 8), 128);
    check!(media.acldvppVpcResizeAsync(desc, source.desc, small.desc, config, stream));
    check!(stream.aclrtSynchronizeStream(stream));
    let at = |x: usize, y: usize| f64::from(bright[y * 48 + x]);
    for (index, ours) in small.bytes().into_iter().enumerate() {
        let (x, y) = ((index % 16) as f64, (index / 16) as f64);
        let (x, y) = ((x + 0.5) * 3.0 - 0.5, (y + 0.5) * 4.0 - 0.5);
        let (left, top) = (x.floor() as usize, y.floor() as usize);
        let (right, down) = (x.fract(), y.fract());
        let row = |y: usize| at(left, y) * (1.0 - right) + at((left + 1).min(47), y) * right;
        let expected = row(top) * (1.0 - down) + row((top + 1).min(31)) * down;
        assert!(
            (f64::from(ours) - expected).abs() <= 0.6,
            "{index}: {ours} {expected}"
        );
    }
    check!(media.acldvppDestroyResizeConfig(config));
    small.end();
    scaled.end();
    source.end();
    channel.end();
}

#[test]
fn an_encoded_picture_is_decoded_to_itself() {
    let _guard = start();
    let channel = Channel::new();
    let (code, source) = decode(
        &channel,
        &file("s420.jpg"),
        PIXEL_FORMAT_YUV_SEMIPLANAR_420,
        false,
    );
    assert_eq!(code, 0);
    check!(media.acldvppSetPicDescSize(source.desc, 64 * 32 * 3 / 2));
    let config = call!(acldvppCreateJpegeConfig());
    check!(media.acldvppSetJpegeConfigLevel(config, 100));
    let mut size = 0;
    check!(media.acldvppJpegPredictEncSize(source.desc, config, &mut size));
    assert_eq!(size, 2 << 20);
    let output = malloc(size as usize);
    let (desc, stream) = (channel.desc, channel.stream);
    check!(media.acldvppJpegEncodeAsync(desc, source.desc, output, &mut size, config, stream));
    check!(stream.aclrtSynchronizeStream(stream));
    assert!((500..8000).contains(&size), "{size}");
    let encoded = copy_out(output, size as usize);
    let (mut width, mut height, mut components) = (0, 0, 0);
    let mut format = ACL_JPEG_CSS_UNKNOWN;
    check!(media.acldvppJpegGetImageInfoV2(
        encoded.as_ptr().cast(),
        size,
        &mut width,
        &mut height,
        &mut components,
        &mut format
    ));
    assert_eq!(
        (width, height, components, format),
        (48, 32, 3, ACL_JPEG_CSS_420)
    );
    let (code, again) = decode(&channel, &encoded, PIXEL_FORMAT_YUV_SEMIPLANAR_420, false);
    assert_eq!(code, 0);
    let (most, mean) = difference(&again.rows(0, 64, 48, 32), &source.rows(0, 64, 48, 32));
    assert!(most <= 3 && mean < 0.6, "{most} {mean}");
    // Too little room: the task fails, and the size stays as it was.
    let mut size = 100;
    check!(media.acldvppJpegEncodeAsync(desc, source.desc, output, &mut size, config, stream));
    check!(
        ACL_ERROR_RT_AICPU_EXCEPTION,
        stream.aclrtSynchronizeStream(stream)
    );
    assert_eq!(size, 100);
    check!(media.acldvppDestroyJpegeConfig(config));
    check!(media.acldvppFree(output));
    again.end();
    source.end();
    channel.end();
}
