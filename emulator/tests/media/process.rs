//! Picture processing that needs no engine, and what the device refuses.

use ascendcl_emulator::take_violations;

use super::*;

/// A picture whose pixels are their numbers.
fn numbered(width: u32, height: u32) -> Picture {
    let content: Vec<u8> = (0..width * height).map(|number| number as u8).collect();
    gray(width, height, &content)
}

#[test]
fn a_rectangle_is_cropped_and_pasted() {
    let _serial = start_checked();
    let channel = Channel::new();
    let (source, dest) = (numbered(32, 16), gray(32, 16, &[99; 512]));
    let (crop, paste) = (roi(4, 13, 2, 7), roi(16, 25, 8, 13));
    let (input, output) = (source.desc, dest.desc);
    check!(media.acldvppVpcCropAndPasteAsync(
        channel.desc,
        input,
        output,
        crop,
        paste,
        channel.stream
    ));
    // The options were copied.
    check!(media.acldvppDestroyRoiConfig(crop));
    check!(media.acldvppDestroyRoiConfig(paste));
    channel.wait();
    let bytes = dest.bytes();
    for y in 0..16_usize {
        for x in 0..32_usize {
            let inside = (16..26).contains(&x) && (8..14).contains(&y);
            let expected = if inside {
                ((y - 8 + 2) * 32 + x - 16 + 4) as u8
            } else {
                99
            };
            assert_eq!(bytes[y * 32 + x], expected, "{x}, {y}");
        }
    }
    assert_eq!(dest.code(), 0);
    dest.end();
    source.end();
    channel.end();
}

#[test]
fn nearest_pixels_need_no_engine_and_smooth_scaling_does() {
    let _serial = start_checked();
    let channel = Channel::new();
    let (source, dest) = (numbered(32, 16), gray(16, 8, &[0; 128]));
    let config = call!(media.acldvppCreateResizeConfig());
    let (desc, stream) = (channel.desc, channel.stream);
    check!(
        207_000,
        media.acldvppVpcResizeAsync(desc, source.desc, dest.desc, config, stream)
    );
    check!(media.acldvppSetResizeConfigInterpolation(config, 2));
    check!(media.acldvppVpcResizeAsync(desc, source.desc, dest.desc, config, stream));
    channel.wait();
    let expected: Vec<u8> = (0..128_usize)
        .map(|at| (at / 16 * 64 + at % 16 * 2) as u8)
        .collect();
    assert_eq!(dest.bytes(), expected);
    check!(media.acldvppDestroyResizeConfig(config));
    let _ = take_findings();
    dest.end();
    source.end();
    channel.end();
}

#[test]
fn colours_are_converted_with_the_matrix_of_the_channel() {
    let _serial = start_checked();
    for (matrix, white, black) in [(0_u32, 255, 0), (1, 235, 16)] {
        let desc = call!(media.acldvppCreateChannelDesc());
        let kind = ACL_DVPP_CSC_MATRIX_UINT32;
        check!(media.acldvppSetChannelDescParam(desc, kind, 4, (&raw const matrix).cast()));
        check!(media.acldvppCreateChannel(desc));
        let channel = Channel {
            desc,
            stream: stream(),
        };
        let mut content = vec![0; 32 * 16 * 3];
        content[..32 * 8 * 3].fill(255);
        let source = Picture::new(PIXEL_FORMAT_RGB_888, 32, 16, 96, &content);
        let dest = Picture::new(
            PIXEL_FORMAT_YUV_SEMIPLANAR_420,
            0,
            0,
            0,
            &[0; 32 * 16 * 3 / 2],
        );
        check!(media.acldvppVpcConvertColorAsync(desc, source.desc, dest.desc, channel.stream));
        channel.wait();
        let bytes = dest.bytes();
        assert!(
            bytes[..256].iter().all(|value| *value == white),
            "{bytes:?}"
        );
        assert!(
            bytes[256..512].iter().all(|value| *value == black),
            "{bytes:?}"
        );
        assert!(bytes[512..].iter().all(|value| *value == 128), "{bytes:?}");
        dest.end();
        source.end();
        channel.end();
    }
}

#[test]
fn colours_of_many_rows_are_converted_apart_and_in_place() {
    let _serial = start_checked();
    let channel = Channel::new();
    let (width, height) = (32_usize, 50_usize);
    let len = width * height;
    // The last rows are fewer than those of the others that are converted at a time.
    let nv12: Vec<u8> = (0..len / 2 * 3)
        .map(|at| (at * 7 + at / 96) as u8)
        .collect();
    let converted = |content: &[u8], is_in_place: bool| {
        let form = PIXEL_FORMAT_YUV_SEMIPLANAR_420;
        let source = Picture::new(form, width as u32, height as u32, width as u32, content);
        let output = Picture::new(
            PIXEL_FORMAT_RGB_888,
            width as u32,
            height as u32,
            width as u32 * 3,
            &vec![0; content.len()],
        );
        let dest = if is_in_place { &source } else { &output };
        check!(media.acldvppSetPicDescData(output.desc, dest.memory));
        let (desc, stream) = (channel.desc, channel.stream);
        check!(media.acldvppVpcConvertColorAsync(desc, source.desc, output.desc, stream));
        channel.wait();
        let bytes = dest.bytes();
        output.end();
        source.end();
        bytes
    };
    let mut content = nv12.clone();
    content.resize(len * 3, 0);
    let apart = converted(&content, false);
    for (at, pixel) in apart.chunks_exact(3).enumerate() {
        let (x, y) = (at % width, at / width);
        let colours = len + y / 2 * width + x / 2 * 2;
        let [y, u, v] = [nv12[at], nv12[colours], nv12[colours + 1]].map(i32::from);
        let (u, v) = (u - 128, v - 128);
        let thousandths = [1402 * v, -344 * u - 714 * v, 1772 * u];
        let expected =
            thousandths.map(|part| ((y * 1000 + part + 500).div_euclid(1000)).clamp(0, 255));
        assert_eq!(pixel, expected.map(|byte| byte as u8), "{x} {at}");
    }
    assert!(
        converted(&content, true) == apart,
        "the input is read before it is written"
    );
    channel.end();
}

#[test]
fn values_are_counted_and_mapped() {
    let _serial = start_checked();
    let channel = Channel::new();
    let mut content = vec![3; 512];
    content[..100].fill(200);
    let (source, dest) = (gray(32, 16, &content), gray(32, 16, &[0; 512]));
    let (hist, map) = (
        call!(media.acldvppCreateHist()),
        call!(media.acldvppCreateLutMap()),
    );
    let (mut values, mut length) = (null_mut(), 0);
    check!(media.acldvppGetLutMapData(map, 0, &mut values, &mut length));
    // SAFETY: 256 bytes, as the call says.
    unsafe { std::slice::from_raw_parts_mut(values, 256) }
        .iter_mut()
        .for_each(|value| *value = 7);
    let (desc, stream) = (channel.desc, channel.stream);
    check!(media.acldvppVpcCalcHistAsync(desc, source.desc, hist, null_mut(), stream));
    check!(media.acldvppVpcEqualizeHistAsync(desc, source.desc, dest.desc, map, stream));
    channel.wait();
    let (mut counts, mut length) = (null_mut(), 0);
    check!(media.acldvppGetHistData(hist, 0, &mut counts, &mut length));
    // SAFETY: 256 numbers, as the call says.
    let counts = unsafe { std::slice::from_raw_parts(counts, 256) };
    assert_eq!(
        (counts[3], counts[200], counts.iter().sum::<u32>()),
        (412, 100, 512)
    );
    assert_eq!(call!(media.acldvppGetHistRetCode(hist)), 0);
    assert_eq!(dest.bytes(), [7; 512]);
    check!(media.acldvppClearHist(hist));
    assert_eq!(counts[3], 0);
    check!(media.acldvppDestroyLutMap(map));
    check!(media.acldvppDestroyHist(hist));
    dest.end();
    source.end();
    channel.end();
}

#[test]
fn a_border_surrounds_a_picture() {
    let _serial = start_checked();
    let channel = Channel::new();
    let (source, dest) = (gray(16, 8, &[5; 128]), gray(20, 10, &[0; 200]));
    let border = call!(media.acldvppCreateBorderConfig());
    check!(media.acldvppSetBorderConfigTop(border, 2));
    check!(media.acldvppSetBorderConfigLeft(border, 3));
    check!(media.acldvppSetBorderConfigRight(border, 1));
    check!(media.acldvppSetBorderConfigValue(border, 0, 9.0));
    check!(media.acldvppVpcMakeBorderAsync(
        channel.desc,
        source.desc,
        dest.desc,
        border,
        channel.stream
    ));
    channel.wait();
    for (at, value) in dest.bytes().into_iter().enumerate() {
        let inside = at / 20 >= 2 && (3..19).contains(&(at % 20));
        assert_eq!(value, if inside { 5 } else { 9 }, "{at}");
    }
    check!(media.acldvppDestroyBorderConfig(border));
    dest.end();
    source.end();
    channel.end();
}

#[test]
fn a_list_of_rectangles_makes_a_list_of_pictures() {
    let _serial = start_checked();
    let channel = Channel::new();
    let source = call!(media.acldvppCreateBatchPicDesc(2));
    let dest = call!(media.acldvppCreateBatchPicDesc(3));
    let memory = dvpp(2 * 512 + 3 * 256);
    let content: Vec<u8> = (0..1024).map(|at| if at < 512 { 1 } else { 2 }).collect();
    check!(memory.aclrtMemcpy(
        memory,
        1024,
        content.as_ptr().cast(),
        1024,
        ACL_MEMCPY_HOST_TO_DEVICE
    ));
    let describe = |desc, offset: usize, width: u32, height: u32| {
        check!(media.acldvppSetPicDescData(desc, memory.wrapping_byte_add(offset)));
        check!(media.acldvppSetPicDescSize(desc, width * height));
        check!(media.acldvppSetPicDescWidth(desc, width));
        check!(media.acldvppSetPicDescHeight(desc, height));
        check!(media.acldvppSetPicDescWidthStride(desc, width));
        check!(media.acldvppSetPicDescHeightStride(desc, height));
    };
    (0..2).for_each(|at| {
        describe(
            call!(media.acldvppGetPicDesc(source, at)),
            at as usize * 512,
            32,
            16,
        )
    });
    (0..3).for_each(|at| {
        describe(
            call!(media.acldvppGetPicDesc(dest, at)),
            1024 + at as usize * 256,
            16,
            8,
        )
    });
    let mut areas = [roi(0, 15, 0, 7), roi(16, 31, 8, 15), roi(8, 23, 4, 11)];
    let mut numbers = [1, 2];
    let (desc, stream) = (channel.desc, channel.stream);
    let (counts, crops) = (numbers.as_mut_ptr(), areas.as_mut_ptr());
    check!(media.acldvppVpcBatchCropAsync(desc, source, counts, 2, dest, crops, stream));
    channel.wait();
    let mut bytes = vec![0_u8; 768];
    let from = memory.wrapping_byte_add(1024);
    check!(memory.aclrtMemcpy(
        bytes.as_mut_ptr().cast(),
        768,
        from,
        768,
        ACL_MEMCPY_DEVICE_TO_HOST
    ));
    for (at, value) in [(0, 1), (256, 2), (512, 2)] {
        assert_eq!(bytes[at..at + 128], [value; 128], "{at}");
    }
    areas
        .into_iter()
        .for_each(|area| check!(media.acldvppDestroyRoiConfig(area)));
    check!(media.acldvppDestroyBatchPicDesc(source));
    check!(media.acldvppDestroyBatchPicDesc(dest));
    check!(media.acldvppFree(memory));
    let _ = take_findings();
    channel.end();
}

#[test]
fn a_pyramid_halves_a_picture() {
    let _serial = start_checked();
    let channel = Channel::new();
    let (source, dest) = (gray(32, 16, &[40; 512]), gray(16, 8, &[0; 128]));
    let (desc, stream) = (channel.desc, channel.stream);
    check!(media.acldvppVpcPyrDownAsync(desc, source.desc, dest.desc, null_mut(), stream));
    channel.wait();
    assert_eq!(dest.bytes(), [40; 128]);
    dest.end();
    source.end();
    channel.end();
}

/// What the device refuses: the call succeeds, the wait fails, and the description has a status.
#[test]
fn the_device_refuses_strides_sizes_rectangles_and_memory() {
    let _serial = start_checked();
    let channel = Channel::new();
    let (source, dest) = (numbered(32, 16), gray(32, 16, &[0; 512]));
    let foreign = malloc(512);
    let nearest = call!(media.acldvppCreateResizeConfig());
    check!(media.acldvppSetResizeConfigInterpolation(nearest, 2));
    let (desc, stream) = (channel.desc, channel.stream);
    let reason = |area: [u32; 4], change: &dyn Fn()| {
        let _ = take_violations();
        source.describe(PIXEL_FORMAT_YUV_400, 32, 16, 32);
        dest.describe(PIXEL_FORMAT_YUV_400, 32, 16, 32);
        change();
        let area = roi(area[0], area[1], area[2], area[3]);
        check!(media.acldvppVpcCropResizeAsync(
            desc,
            source.desc,
            dest.desc,
            area,
            nearest,
            stream
        ));
        check!(media.acldvppDestroyRoiConfig(area));
        check!(507_018, stream.aclrtSynchronizeStream(stream));
        assert_eq!(dest.code(), 100_000);
        take_violations()
            .into_iter()
            .map(|one| one.text)
            .collect::<String>()
    };
    let whole = [0, 31, 0, 15];
    let cases: [([u32; 4], &dyn Fn(), &str); 8] = [
        (
            whole,
            &|| check!(media.acldvppSetPicDescWidthStride(source.desc, 31)),
            "rows of 31 bytes",
        ),
        (
            whole,
            &|| check!(media.acldvppSetPicDescHeightStride(source.desc, 8)),
            "8 rows",
        ),
        (
            whole,
            &|| check!(media.acldvppSetPicDescSize(dest.desc, 511)),
            "511 bytes",
        ),
        (
            whole,
            &|| check!(media.acldvppSetPicDescWidth(dest.desc, 8)),
            "8x16 pixels",
        ),
        (
            whole,
            &|| check!(media.acldvppSetPicDescData(source.desc, foreign)),
            "acldvppMalloc",
        ),
        ([0, 32, 0, 15], &|| {}, "not inside"),
        ([9, 8, 0, 15], &|| {}, "0x16 pixels"),
        ([0, 8, 0, 15], &|| {}, "10x6 are the least"),
    ];
    for (area, change, expected) in cases {
        let said = reason(area, change);
        assert!(said.contains(expected), "{said}");
    }
    check!(media.acldvppDestroyResizeConfig(nearest));
    check!(memory.aclrtFree(foreign));
    let _ = take_findings();
    dest.end();
    source.end();
    channel.end();
}

#[test]
fn a_channel_has_the_engines_of_its_mode() {
    let _serial = start_checked();
    let desc = call!(media.acldvppCreateChannelDesc());
    check!(media.acldvppSetChannelDescMode(desc, DVPP_CHNMODE_JPEGD.0));
    check!(media.acldvppCreateChannel(desc));
    let channel = Channel {
        desc,
        stream: stream(),
    };
    let (source, dest) = (numbered(32, 16), gray(32, 16, &[0; 512]));
    let area = roi(0, 31, 0, 15);
    check!(media.acldvppVpcCropAsync(desc, source.desc, dest.desc, area, channel.stream));
    check!(507_018, stream.aclrtSynchronizeStream(channel.stream));
    assert_eq!(dest.code(), 100_000);
    let said: String = take_violations().into_iter().map(|one| one.text).collect();
    assert!(said.contains("without picture processing"), "{said}");
    check!(media.acldvppDestroyRoiConfig(area));
    let _ = take_findings();
    dest.end();
    source.end();
    channel.end();
}
