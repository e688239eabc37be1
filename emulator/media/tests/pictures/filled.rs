//! The first generation fills what the manual names as a result: each number behind a pointer, and each field of a
//! description that the device decides. All of them have an old value before the call.

use super::first::{Channel, Picture};
use super::*;

/// A number that no call of these tests returns.
const OLD: u32 = 0xaaaa_aaaa;

/// What a description has: the format, the sides, the strides and the status.
fn fields(desc: *const acldvppPicDesc) -> [u32; 6] {
    [
        call!(acldvppGetPicDescFormat(desc)).0,
        call!(acldvppGetPicDescWidth(desc)),
        call!(acldvppGetPicDescHeight(desc)),
        call!(acldvppGetPicDescWidthStride(desc)),
        call!(acldvppGetPicDescHeightStride(desc)),
        call!(acldvppGetPicDescRetCode(desc)),
    ]
}

/// Media memory with a content.
fn dvpp(bytes: &[u8]) -> *mut c_void {
    let mut memory = null_mut();
    check!(media.acldvppMalloc(&mut memory, bytes.len()));
    copy_in(memory, bytes);
    memory
}

/// An output whose fields are old values, with the format that the program asks for and strides that the device chooses.
fn output(format: acldvppPixelFormat, sides: (u32, u32)) -> Picture {
    let picture = Picture::new(format, sides, (0, 0), 64 << 10);
    check!(media.acldvppSetPicDescRetCode(picture.desc, OLD));
    picture
}

#[test]
fn headers_give_every_number() {
    let _guard = start();
    let jpeg = file("s420.jpg");
    let (data, bytes) = (jpeg.as_ptr().cast(), jpeg.len() as u32);
    let (mut width, mut height, mut components) = (OLD, OLD, -1);
    check!(media.acldvppJpegGetImageInfo(data, bytes, &mut width, &mut height, &mut components));
    assert_eq!((width, height, components), (48, 32, 3));
    let (mut width, mut height, mut components) = (OLD, OLD, -1);
    let mut kind = acldvppJpegFormat(OLD);
    check!(media.acldvppJpegGetImageInfoV2(
        data,
        bytes,
        &mut width,
        &mut height,
        &mut components,
        &mut kind
    ));
    assert_eq!((width, height, components), (48, 32, 3));
    assert_eq!(kind, ACL_JPEG_CSS_420);
    let mut size = OLD;
    let nv12 = PIXEL_FORMAT_YUV_SEMIPLANAR_420;
    check!(media.acldvppJpegPredictDecSize(data, bytes, nv12, &mut size));
    assert_eq!(size, 128 * 32 * 3 / 2);

    let png = file("rgba.png");
    let (data, bytes) = (png.as_ptr().cast(), png.len() as u32);
    let (mut width, mut height, mut components) = (OLD, OLD, -1);
    check!(media.acldvppPngGetImageInfo(data, bytes, &mut width, &mut height, &mut components));
    assert_eq!((width, height, components), (48, 32, 4));
    let mut size = OLD;
    check!(media.acldvppPngPredictDecSize(data, bytes, PIXEL_FORMAT_UNKNOWN, &mut size));
    assert_eq!(size, 128 * 4 * 32);
}

#[test]
fn a_decoding_fills_every_field_of_its_description() {
    let _guard = start();
    let channel = Channel::new();
    let (unknown, rgb) = (PIXEL_FORMAT_UNKNOWN, PIXEL_FORMAT_RGB_888);
    for (name, asked, expected) in [
        ("s420.jpg", unknown, [2, 48, 32, 64, 32, 0]),
        ("s422.jpg", unknown, [4, 48, 32, 64, 32, 0]),
        ("s444.jpg", unknown, [6, 48, 32, 64, 32, 0]),
        (
            "gray.jpg",
            PIXEL_FORMAT_YUV_SEMIPLANAR_420,
            [1, 48, 32, 64, 32, 0],
        ),
        ("odd.jpg", unknown, [2, 40, 32, 64, 32, 0]),
        ("rgb.png", rgb, [12, 48, 32, 192, 32, 0]),
        ("rgba.png", unknown, [16, 48, 32, 192, 32, 0]),
        (
            "small.jpg",
            unknown,
            [unknown.0, OLD, OLD, 0, 0, ACL_ERROR_INVALID_PARAM as u32],
        ),
    ] {
        let bytes = file(name);
        let input = dvpp(&bytes);
        let picture = output(asked, (OLD, OLD));
        let (size, stream) = (bytes.len() as u32, channel.stream);
        let (desc, to) = (channel.desc, picture.desc);
        if name.ends_with("png") {
            check!(media.acldvppPngDecodeAsync(desc, input, size, to, stream));
        } else {
            check!(media.acldvppJpegDecodeAsync(desc, input, size, to, stream));
        }
        let status = expected[5];
        let code = if status == 0 {
            0
        } else {
            ACL_ERROR_RT_AICPU_EXCEPTION
        };
        check!(code, stream.aclrtSynchronizeStream(stream));
        assert_eq!(fields(picture.desc), expected, "{name}");
        check!(media.acldvppFree(input));
        picture.end();
    }
    let _ = ascendcl_emulator::take_violations();
    channel.end();
}

#[test]
fn a_conversion_fills_the_fields_that_were_left_to_the_device() {
    let _guard = start();
    let channel = Channel::new();
    let source = Picture::new(
        PIXEL_FORMAT_YUV_SEMIPLANAR_420,
        (48, 32),
        (48, 32),
        48 * 32 * 3 / 2,
    );
    let picture = output(PIXEL_FORMAT_RGB_888, (0, 0));
    let (desc, stream) = (channel.desc, channel.stream);
    check!(media.acldvppVpcConvertColorAsync(desc, source.desc, picture.desc, stream));
    check!(stream.aclrtSynchronizeStream(stream));
    let rgb = PIXEL_FORMAT_RGB_888.0;
    assert_eq!(fields(picture.desc), [rgb, 48, 32, 144, 32, 0]);
    picture.end();
    source.end();
    channel.end();
}

#[test]
fn each_result_of_a_list_and_of_a_histogram_has_its_status() {
    let _guard = start();
    let channel = Channel::new();
    let (desc, stream) = (channel.desc, channel.stream);
    let (inputs, outputs) = (
        call!(acldvppCreateBatchPicDesc(1)),
        call!(acldvppCreateBatchPicDesc(2)),
    );
    let memory = dvpp(&[5; 3 * 1024]);
    let describe = |list, index, at: usize| {
        let desc = call!(acldvppGetPicDesc(list, index));
        check!(media.acldvppSetPicDescData(desc, memory.wrapping_byte_add(at)));
        check!(media.acldvppSetPicDescSize(desc, 1024));
        check!(media.acldvppSetPicDescFormat(desc, PIXEL_FORMAT_YUV_400));
        check!(media.acldvppSetPicDescWidth(desc, 32));
        check!(media.acldvppSetPicDescHeight(desc, 32));
        check!(media.acldvppSetPicDescWidthStride(desc, 32));
        check!(media.acldvppSetPicDescHeightStride(desc, 32));
        check!(media.acldvppSetPicDescRetCode(desc, OLD));
        desc
    };
    let source = describe(inputs, 0, 0);
    let results = [describe(outputs, 0, 1024), describe(outputs, 1, 2048)];
    let area = call!(acldvppCreateRoiConfig(0, 31, 0, 31));
    let (mut areas, mut numbers) = ([area, area], [2]);
    let (rois, crops) = (numbers.as_mut_ptr(), areas.as_mut_ptr());
    check!(media.acldvppVpcBatchCropAsync(desc, inputs, rois, 1, outputs, crops, stream));
    let hist = call!(acldvppCreateHist());
    check!(media.acldvppVpcCalcHistAsync(desc, source, hist, null_mut(), stream));
    check!(stream.aclrtSynchronizeStream(stream));
    for result in results {
        let gray = PIXEL_FORMAT_YUV_400.0;
        assert_eq!(fields(result), [gray, 32, 32, 32, 32, 0]);
    }
    assert_eq!(call!(acldvppGetHistRetCode(hist)), 0);
    let (mut counts, mut length) = (null_mut::<u32>(), u16::MAX);
    check!(media.acldvppGetHistData(hist, 0, &mut counts, &mut length));
    assert_eq!(length, 256);
    // SAFETY: the call has given the address of 256 numbers.
    let counts = unsafe { std::slice::from_raw_parts(counts, 256) };
    assert_eq!((counts[5], counts.iter().sum::<u32>()), (1024, 1024));
    check!(media.acldvppDestroyHist(hist));
    check!(media.acldvppDestroyRoiConfig(area));
    check!(media.acldvppDestroyBatchPicDesc(outputs));
    check!(media.acldvppDestroyBatchPicDesc(inputs));
    check!(media.acldvppFree(memory));
    channel.end();
}

#[test]
fn parameters_of_a_channel_are_read_with_their_length() {
    let _guard = start();
    let channel = Channel::new();
    for (kind, length, is_known) in [
        (ACL_DVPP_CSC_MATRIX_UINT32, 4, true),
        (ACL_DVPP_MODE_UINT32, 4, true),
        (ACL_DVPP_CHANNEL_ID_UINT64, 8, true),
        (ACL_DVPP_CHANNEL_HEIGHT_UINT32, 4, true),
        (ACL_DVPP_CHANNEL_WIDTH_UINT32, 4, true),
        (acldvppChannelDescParamType(6), 8, false),
    ] {
        let (mut value, mut size) = ([0xaa_u8; 9], usize::MAX);
        let place = value.as_mut_ptr().cast();
        let code = if is_known { 0 } else { ACL_ERROR_INVALID_PARAM };
        let desc = channel.desc;
        check!(
            code,
            media.acldvppGetChannelDescParam(desc, kind, 8, &mut size, place)
        );
        if !is_known {
            assert_eq!(size, usize::MAX);
            continue;
        }
        assert_eq!(size, length, "{kind:?}");
        // The bytes of the value are written, and no others.
        assert!(value[..length].contains(&0), "{kind:?}: {value:?}");
        assert_eq!(value[length..], [0xaa; 9][length..], "{kind:?}");
    }
    channel.end();
}
