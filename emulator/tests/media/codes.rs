//! The codes of refused calls, and the order of checks.

use super::*;

#[test]
fn null_is_refused_and_destroys_accept_it() {
    let _serial = start_checked();
    check!(100_000, media.acldvppFree(null_mut()));
    check!(100_000, media.acldvppMalloc(null_mut(), 8));
    check!(media.acldvppDestroyPicDesc(null_mut()));
    check!(media.acldvppDestroyBatchPicDesc(null_mut()));
    check!(media.acldvppDestroyChannelDesc(null_mut()));
    check!(media.acldvppDestroyRoiConfig(null_mut()));
    check!(media.acldvppDestroyResizeConfig(null_mut()));
    check!(media.acldvppDestroyJpegeConfig(null_mut()));
    check!(media.acldvppDestroyBorderConfig(null_mut()));
    check!(media.acldvppDestroyLutMap(null_mut()));
    check!(media.acldvppDestroyHist(null_mut()));
    check!(100_000, media.acldvppSetPicDescSize(null_mut(), 1));
    check!(100_000, media.acldvppCreateChannel(null_mut()));
    check!(100_000, media.acldvppDestroyChannel(null_mut()));
    assert_eq!(call!(media.acldvppGetPicDescSize(null_mut())), 0);
    assert!(call!(media.acldvppGetPicDescData(null_mut())).is_null());
    assert_eq!(
        call!(media.acldvppGetPicDescFormat(null_mut())),
        PIXEL_FORMAT_YUV_400
    );
    assert_eq!(call!(media.acldvppGetChannelDescChannelId(null_mut())), 0);
    assert_eq!(call!(media.acldvppGetLutMapDims(null_mut())), 0);
    assert_eq!(
        call!(media.acldvppGetBorderConfigValue(null_mut(), 0)),
        -1.0
    );
    assert_eq!(
        call!(media.acldvppGetBorderConfigBorderType(null_mut())),
        BORDER_CONSTANT
    );
}

#[test]
fn a_description_keeps_what_is_set() {
    let _serial = start_checked();
    let desc = call!(media.acldvppCreatePicDesc());
    assert_eq!(
        call!(media.acldvppGetPicDescFormat(desc)),
        PIXEL_FORMAT_YUV_400
    );
    assert_eq!(call!(media.acldvppGetPicDescRetCode(desc)), 0);
    check!(100_000, media.acldvppSetPicDescData(desc, null_mut()));
    check!(media.acldvppSetPicDescWidthStride(desc, 64));
    check!(media.acldvppSetPicDescRetCode(desc, 9));
    assert_eq!(call!(media.acldvppGetPicDescWidthStride(desc)), 64);
    assert_eq!(call!(media.acldvppGetPicDescRetCode(desc)), 9);
    check!(media.acldvppDestroyPicDesc(desc));
    check!(100_000, media.acldvppSetPicDescWidth(desc, 1));
    check!(100_000, media.acldvppDestroyPicDesc(desc));
    let _ = take_findings();
}

#[test]
fn lists_have_1_to_256_descriptions_of_their_own() {
    let _serial = start_checked();
    assert!(call!(media.acldvppCreateBatchPicDesc(0)).is_null());
    assert!(call!(media.acldvppCreateBatchPicDesc(257)).is_null());
    let list = call!(media.acldvppCreateBatchPicDesc(256));
    let last = call!(media.acldvppGetPicDesc(list, 255));
    assert!(!last.is_null());
    assert!(call!(media.acldvppGetPicDesc(list, 256)).is_null());
    check!(100_000, media.acldvppDestroyPicDesc(last));
    check!(media.acldvppSetPicDescWidth(last, 12));
    assert_eq!(call!(media.acldvppGetPicDescWidth(last)), 12);
    check!(media.acldvppDestroyBatchPicDesc(list));
    check!(100_000, media.acldvppSetPicDescWidth(last, 12));
    let _ = take_findings();
}

#[test]
fn options_refuse_what_their_fields_cannot_hold() {
    let _serial = start_checked();
    assert!(roi(0, 65_536, 0, 1).is_null());
    // Neither the order nor the parity of the sides is checked.
    let area = roi(9, 3, 7, 0);
    check!(100_000, media.acldvppSetRoiConfigLeft(area, 65_536));
    check!(100_000, media.acldvppSetRoiConfig(area, 0, 0, 0, 65_536));
    check!(media.acldvppSetRoiConfigBottom(area, 65_535));
    check!(media.acldvppDestroyRoiConfig(area));

    let resize = call!(media.acldvppCreateResizeConfig());
    assert_eq!(call!(media.acldvppGetResizeConfigInterpolation(resize)), 0);
    check!(media.acldvppSetResizeConfigInterpolation(resize, 5));
    check!(
        100_000,
        media.acldvppSetResizeConfigInterpolation(resize, 6)
    );
    assert_eq!(call!(media.acldvppGetResizeConfigInterpolation(resize)), 5);
    check!(media.acldvppDestroyResizeConfig(resize));

    let encoding = call!(media.acldvppCreateJpegeConfig());
    check!(media.acldvppSetJpegeConfigLevel(encoding, 1000));
    assert_eq!(call!(media.acldvppGetJpegeConfigLevel(encoding)), 1000);
    check!(media.acldvppDestroyJpegeConfig(encoding));

    let border = call!(media.acldvppCreateBorderConfig());
    check!(100_000, media.acldvppSetBorderConfigValue(border, 4, 1.0));
    check!(100_000, media.acldvppSetBorderConfigTop(border, 65_536));
    check!(media.acldvppSetBorderConfigRight(border, 3));
    check!(media.acldvppSetBorderConfigValue(border, 3, 2.5));
    check!(media.acldvppSetBorderConfigBorderType(border, BORDER_REFLECT));
    assert_eq!(call!(media.acldvppGetBorderConfigRight(border)), 3);
    assert_eq!(call!(media.acldvppGetBorderConfigTop(border)), 0);
    assert_eq!(call!(media.acldvppGetBorderConfigValue(border, 3)), 2.5);
    assert_eq!(
        call!(media.acldvppGetBorderConfigBorderType(border)),
        BORDER_REFLECT
    );
    check!(media.acldvppDestroyBorderConfig(border));

    let (map, hist) = (
        call!(media.acldvppCreateLutMap()),
        call!(media.acldvppCreateHist()),
    );
    let (mut bytes, mut length) = (null_mut(), 0);
    check!(
        100_000,
        media.acldvppGetLutMapData(map, 3, &mut bytes, &mut length)
    );
    check!(media.acldvppGetLutMapData(map, 2, &mut bytes, &mut length));
    assert_eq!((length, call!(media.acldvppGetLutMapDims(map))), (256, 3));
    let (mut counts, mut length) = (null_mut(), 0);
    check!(
        100_000,
        media.acldvppGetHistData(hist, 3, &mut counts, &mut length)
    );
    check!(
        100_000,
        media.acldvppGetHistData(hist, 0, null_mut(), &mut length)
    );
    check!(media.acldvppGetHistData(hist, 0, &mut counts, &mut length));
    assert_eq!((length, call!(media.acldvppGetHistDims(hist))), (256, 3));
    check!(media.acldvppDestroyLutMap(map));
    check!(media.acldvppDestroyHist(hist));
}

#[test]
fn a_channel_is_created_before_use_and_destroyed_before_its_description() {
    let _serial = start_checked();
    let desc = call!(media.acldvppCreateChannelDesc());
    assert_eq!(call!(media.acldvppGetChannelDescChannelId(desc)), 0);
    check!(100_000, media.acldvppSetChannelDescMode(desc, 0));
    check!(100_000, media.acldvppSetChannelDescMode(desc, 16));
    check!(media.acldvppSetChannelDescMode(desc, DVPP_CHNMODE_VPC.0));
    let picture = gray(32, 32, &[5; 1024]);
    let resize = call!(media.acldvppCreateResizeConfig());
    let (input, none) = (picture.desc, null_mut());
    check!(
        100_000,
        media.acldvppVpcResizeAsync(desc, input, input, resize, none)
    );
    check!(100_000, media.acldvppDestroyChannel(desc));
    check!(media.acldvppCreateChannel(desc));
    check!(100_000, media.acldvppCreateChannel(desc));
    assert!(call!(media.acldvppGetChannelDescChannelId(desc)) > 0);
    check!(148_051, media.acldvppDestroyChannelDesc(desc));
    check!(media.acldvppDestroyChannel(desc));
    check!(media.acldvppDestroyChannelDesc(desc));
    check!(media.acldvppDestroyResizeConfig(resize));
    picture.end();
}

#[test]
fn parameters_of_a_channel_have_a_kind_and_a_size() {
    let _serial = start_checked();
    let desc = call!(media.acldvppCreateChannelDesc());
    let set = |kind: acldvppChannelDescParamType, length: usize, value: u64| {
        call!(media.acldvppSetChannelDescParam(desc, kind, length, (&raw const value).cast()))
    };
    assert_eq!(set(ACL_DVPP_CSC_MATRIX_UINT32, 4, 6), 100_000);
    assert_eq!(set(ACL_DVPP_CSC_MATRIX_UINT32, 8, 1), 100_000, "too long");
    assert_eq!(set(acldvppChannelDescParamType(6), 4, 1), 100_000);
    assert_eq!(set(ACL_DVPP_CSC_MATRIX_UINT32, 4, 3), 0);
    check!(
        100_000,
        media.acldvppSetChannelDescParam(desc, ACL_DVPP_MODE_UINT32, 4, null_mut())
    );
    let (mut value, mut size) = (0_u32, 0);
    let place = (&raw mut value).cast();
    check!(media.acldvppGetChannelDescParam(desc, ACL_DVPP_CSC_MATRIX_UINT32, 4, &mut size, place));
    assert_eq!((value, size), (3, 4));
    check!(media.acldvppGetChannelDescParam(desc, ACL_DVPP_MODE_UINT32, 4, &mut size, place));
    assert_eq!(value, 15);
    let kind = ACL_DVPP_CHANNEL_ID_UINT64;
    check!(
        100_000,
        media.acldvppGetChannelDescParam(desc, kind, 4, &mut size, place)
    );
    check!(media.acldvppDestroyChannelDesc(desc));
}

#[test]
fn formats_are_checked_before_the_options_of_scaling() {
    let _serial = start_checked();
    let channel = Channel::new();
    let picture = gray(32, 32, &[5; 1024]);
    let other = gray(32, 32, &[5; 1024]);
    let (desc, stream, none) = (channel.desc, channel.stream, null_mut());
    let resize = |input, output, config| {
        call!(media.acldvppVpcResizeAsync(desc, input, output, config, stream))
    };
    assert_eq!(resize(null_mut(), other.desc, none), 100_000);
    check!(media.acldvppSetPicDescFormat(picture.desc, PIXEL_FORMAT_YUV_SEMI_PLANNER_420_10BIT));
    assert_eq!(resize(picture.desc, other.desc, none), 100_027);
    assert_eq!(resize(other.desc, picture.desc, none), 100_027);
    check!(media.acldvppSetPicDescFormat(other.desc, PIXEL_FORMAT_YUV_SEMIPLANAR_444));
    check!(media.acldvppSetPicDescFormat(picture.desc, PIXEL_FORMAT_YUV_400));
    assert_eq!(
        resize(picture.desc, other.desc, none),
        100_027,
        "no output of this product"
    );
    check!(media.acldvppSetPicDescFormat(other.desc, PIXEL_FORMAT_YUV_400));
    assert_eq!(resize(picture.desc, other.desc, none), 100_000);
    // The functions that crop look at their options first.
    let area = roi(0, 31, 0, 31);
    check!(media.acldvppSetPicDescFormat(picture.desc, PIXEL_FORMAT_BUTT));
    check!(
        100_000,
        media.acldvppVpcCropResizeAsync(desc, picture.desc, other.desc, area, none, stream)
    );
    check!(
        100_000,
        media.acldvppVpcCropAsync(desc, picture.desc, other.desc, null_mut(), stream)
    );
    check!(
        100_027,
        media.acldvppVpcCropAsync(desc, picture.desc, other.desc, area, stream)
    );
    check!(media.acldvppDestroyRoiConfig(area));
    other.end();
    picture.end();
    channel.end();
}

#[test]
fn functions_compare_what_their_tables_say() {
    let _serial = start_checked();
    let channel = Channel::new();
    let (picture, other) = (gray(32, 32, &[5; 1024]), gray(32, 32, &[5; 1024]));
    let (desc, stream) = (channel.desc, channel.stream);
    let reserve = (&raw const stream).cast_mut().cast();
    check!(
        100_000,
        media.acldvppVpcPyrDownAsync(desc, picture.desc, other.desc, reserve, stream)
    );
    check!(media.acldvppSetPicDescFormat(other.desc, PIXEL_FORMAT_RGB_888));
    check!(
        100_027,
        media.acldvppVpcPyrDownAsync(desc, picture.desc, other.desc, null_mut(), stream)
    );
    let map = call!(media.acldvppCreateLutMap());
    check!(
        100_000,
        media.acldvppVpcEqualizeHistAsync(desc, picture.desc, other.desc, map, stream)
    );
    check!(media.acldvppSetPicDescFormat(other.desc, PIXEL_FORMAT_YUV_400));
    check!(media.acldvppSetPicDescHeight(other.desc, 30));
    check!(
        100_000,
        media.acldvppVpcEqualizeHistAsync(desc, picture.desc, other.desc, map, stream)
    );
    check!(
        100_000,
        media.acldvppVpcConvertColorAsync(desc, picture.desc, other.desc, stream)
    );
    check!(media.acldvppSetPicDescWidthStride(picture.desc, 0));
    check!(
        100_000,
        media.acldvppVpcConvertColorAsync(desc, picture.desc, other.desc, stream)
    );
    check!(media.acldvppSetPicDescFormat(picture.desc, PIXEL_FORMAT_ARGB_8888));
    let hist = call!(media.acldvppCreateHist());
    check!(
        100_000,
        media.acldvppVpcCalcHistAsync(desc, picture.desc, hist, reserve, stream)
    );
    check!(
        100_027,
        media.acldvppVpcCalcHistAsync(desc, picture.desc, hist, null_mut(), stream)
    );
    check!(media.acldvppDestroyHist(hist));
    check!(media.acldvppDestroyLutMap(map));
    other.end();
    picture.end();
    channel.end();
}

#[test]
fn coding_checks_sizes_and_formats_and_needs_an_engine() {
    let _serial = start_checked();
    let channel = Channel::new();
    let picture = gray(32, 32, &[5; 1024]);
    let (desc, stream) = (channel.desc, channel.stream);
    let input = picture.memory;
    let decode =
        |size: u32| call!(media.acldvppJpegDecodeAsync(desc, input, size, picture.desc, stream));
    check!(
        100_000,
        media.acldvppJpegDecodeAsync(desc, null_mut(), 9, picture.desc, stream)
    );
    assert_eq!(decode(0), 100_000);
    check!(media.acldvppSetPicDescFormat(picture.desc, PIXEL_FORMAT_RGB_888));
    assert_eq!(decode(0), 100_000, "the size first");
    assert_eq!(decode(9), 100_027);
    check!(
        207_000,
        media.acldvppPngDecodeAsync(desc, input, 9, picture.desc, stream)
    );
    check!(media.acldvppSetPicDescFormat(picture.desc, PIXEL_FORMAT_YUV_SEMIPLANAR_420));
    check!(
        100_027,
        media.acldvppPngDecodeAsync(desc, input, 9, picture.desc, stream)
    );
    assert_eq!(decode(9), 207_000);
    assert!(
        text().contains("feature `emulator-media`"),
        "the text is read"
    );
    let config = call!(media.acldvppCreateJpegeConfig());
    let mut size = 0;
    check!(
        100_000,
        media.acldvppJpegEncodeAsync(desc, picture.desc, input, &mut size, config, stream)
    );
    size = 64;
    check!(media.acldvppSetPicDescFormat(picture.desc, PIXEL_FORMAT_RGB_888));
    check!(
        100_027,
        media.acldvppJpegEncodeAsync(desc, picture.desc, input, &mut size, config, stream)
    );
    check!(media.acldvppDestroyJpegeConfig(config));
    let _ = take_findings();
    picture.end();
    channel.end();
}

#[test]
fn lists_are_checked_in_the_order_of_the_sources() {
    let _serial = start_checked();
    let channel = Channel::new();
    let (source, dest) = (
        call!(media.acldvppCreateBatchPicDesc(1)),
        call!(media.acldvppCreateBatchPicDesc(2)),
    );
    let area = roi(0, 31, 0, 31);
    let mut areas = [area, area];
    let (desc, stream) = (channel.desc, channel.stream);
    let mut crop = |numbers: &mut [u32], size: u32, dest| {
        let crops = areas.as_mut_ptr();
        call!(media.acldvppVpcBatchCropAsync(
            desc,
            source,
            numbers.as_mut_ptr(),
            size,
            dest,
            crops,
            stream
        ))
    };
    assert_eq!(crop(&mut [1], 0, dest), 100_000);
    assert_eq!(
        crop(&mut [1, 1], 2, dest),
        100_000,
        "two pictures of a list of one"
    );
    let bad = call!(media.acldvppGetPicDesc(source, 0));
    check!(media.acldvppSetPicDescFormat(bad, PIXEL_FORMAT_BUTT));
    assert_eq!(
        crop(&mut [0], 1, dest),
        100_027,
        "the formats before the numbers"
    );
    check!(media.acldvppSetPicDescFormat(bad, PIXEL_FORMAT_YUV_400));
    assert_eq!(crop(&mut [0], 1, dest), 100_000);
    assert_eq!(crop(&mut [65_536], 1, dest), 100_000);
    assert_eq!(crop(&mut [257], 1, dest), 100_000);
    assert_eq!(
        crop(&mut [1], 1, dest),
        100_000,
        "one rectangle for two destinations"
    );
    check!(media.acldvppDestroyRoiConfig(area));
    check!(media.acldvppDestroyBatchPicDesc(source));
    check!(media.acldvppDestroyBatchPicDesc(dest));
    channel.end();
}
