//! The first interface of the media engine: pictures, tasks of a channel, files, and the errors of what does not fit.
//!
//! The engine of these tests writes files that hold their pixels as they are, so results are exact and the emulator needs no
//! other engine. On a card the tests are skipped.

use std::sync::Arc;

use ascendcl::emulator::media::{self as emulated, Plane};
use ascendcl::error::{MediaMismatch, Usage};
use ascendcl::media::{
    All, Border, BorderKind, Channel, Chip, Gray, Interpolation, JpegDecode, JpegFormat,
    LookupTable, Nv12, Nv16, Nv24, Picture, Region, Rgb888, V1, Vpc,
};
use ascendcl::memory::Dvpp;
use ascendcl::stream::Main;
use ascendcl::{Acl, Current, Npu, Queued, Stream};

use crate::common::{assert_clean, assert_says, bound, calls, isolated, usage};

pub(crate) type D = Npu<0>;
pub(crate) type Q = (D, Main);

struct Engine;

/// The segments of a baseline file before its pixels.
fn head(width: u16, height: u16, sampling: &[u8]) -> Vec<u8> {
    let mut file = vec![0xff, 0xd8];
    // One quantisation table, and one Huffman table of each kind.
    file.extend([0xff, 0xdb, 0, 67, 0]);
    file.extend([1; 64]);
    for class in [0x00, 0x10] {
        file.extend([0xff, 0xc4, 0, 20, class]);
        file.extend([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    }
    let count = sampling.len() as u8;
    file.extend([0xff, 0xc0, 0, 8 + 3 * count, 8]);
    file.extend(height.to_be_bytes());
    file.extend(width.to_be_bytes());
    file.push(count);
    for (name, factors) in (1..).zip(sampling) {
        file.extend([name, *factors, 0]);
    }
    file.extend([0xff, 0xda, 0, 6 + 2 * count, count]);
    for name in 1..=count {
        file.extend([name, 0]);
    }
    file.extend([0, 63, 0]);
    file
}

/// Makes a file of three components, whose pixels are below 128.
pub(crate) fn jpeg(width: u16, height: u16, sampling: &[u8], pixels: &[u8]) -> Vec<u8> {
    let mut file = head(width, height, sampling);
    file.extend(pixels);
    file.extend([0xff, 0xd9]);
    file
}

/// Makes the head of a PNG of three components. The engine of the tests makes the pixels.
pub(crate) fn png(width: u32, height: u32) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    file.extend([0, 0, 0, 13]);
    file.extend(b"IHDR");
    file.extend(width.to_be_bytes());
    file.extend(height.to_be_bytes());
    file.extend([8, 2, 0, 0, 0, 0, 0, 0, 0]);
    file
}

impl emulated::Engine for Engine {
    fn decode_jpeg(&self, file: &[u8]) -> Result<Plane, String> {
        let at = file.windows(2).position(|two| two == [0xff, 0xda]);
        let scan = at.ok_or("no scan")?;
        let channels = usize::from(file[scan + 4]);
        let at = file.windows(2).position(|two| two == [0xff, 0xc0]);
        let frame = at.ok_or("no frame")?;
        let short = |at: usize| usize::from(u16::from_be_bytes([file[at], file[at + 1]]));
        let (height, width) = (short(frame + 5), short(frame + 7));
        let from = scan + 2 + short(scan + 2);
        let bytes = file.get(from..from + width * height * channels);
        let bytes = bytes.ok_or("the pixels are missing")?.to_vec();
        Ok(Plane {
            width,
            height,
            channels,
            bytes,
        })
    }

    fn encode_jpeg(
        &self,
        planes: &[Plane; 3],
        is_420: bool,
        quality: u8,
    ) -> Result<Vec<u8>, String> {
        let first = if is_420 { 0x22 } else { 0x21 };
        let [bright, u, v] = planes;
        let pixels = bright.bytes.iter().zip(&u.bytes).zip(&v.bytes);
        let mut pixels: Vec<u8> = pixels.flat_map(|((y, u), v)| [*y, *u, *v]).collect();
        // The quality is the first pixel, so that a test sees it.
        pixels[0] = quality;
        let (width, height) = (bright.width as u16, bright.height as u16);
        Ok(jpeg(width, height, &[first, 0x11, 0x11], &pixels))
    }

    fn decode_png(&self, file: &[u8]) -> Result<Plane, String> {
        let short = |at: usize| usize::from(u16::from_be_bytes([file[at], file[at + 1]]));
        let (width, height) = (short(18), short(22));
        let bytes = (0..width * height * 3).map(|at| (at % 251) as u8).collect();
        Ok(Plane {
            width,
            height,
            channels: 3,
            bytes,
        })
    }

    fn scale(&self, plane: &Plane, width: usize, height: usize) -> Result<Plane, String> {
        let mut scaled = Plane::new(width, height, plane.channels);
        for y in 0..height {
            for x in 0..width {
                let (from_x, from_y) = (x * plane.width / width, y * plane.height / height);
                for channel in 0..plane.channels {
                    scaled.bytes[(y * width + x) * plane.channels + channel] =
                        plane.at(from_x, from_y, channel);
                }
            }
        }
        Ok(scaled)
    }
}

pub(crate) fn engine() {
    emulated::register(Arc::new(Engine));
}

pub(crate) type Owned<'d, F> = Picture<'d, Dvpp<D>, F>;

/// A picture of the format `F` whose bytes count up to 100.
pub(crate) fn counted<'d, F: ascendcl::media::PixelFormat>(
    media: &V1<'_>,
    current: Current<'_, 'd, D>,
    (width, height): (u32, u32),
    bytes: usize,
) -> Owned<'d, F> {
    let pixels: Vec<u8> = (0..bytes).map(|at| (at % 100) as u8).collect();
    let picture = media.picture::<F, _>(current, width, height).unwrap();
    picture.write(current, &pixels).unwrap()
}

pub(crate) fn channel<'t, 'd>(
    media: &'t V1<'_>,
    current: Current<'t, 'd, D>,
    stream: &Stream<'_, 'd, D, Main>,
) -> Queued<'d, Q, Channel<'t, 'd, D>> {
    stream.adopt(media.create_channel::<All, _>(current).unwrap())
}

pub(crate) fn mismatch<T>(result: ascendcl::Result<T>) -> MediaMismatch {
    match usage(result) {
        Usage::Media(mismatch) => mismatch,
        other => panic!("{other}"),
    }
}

pub(crate) fn media(acl: &Acl) -> V1<'_> {
    engine();
    acl.media().unwrap().v1().unwrap()
}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_jpeg_is_decoded_and_scaled_to_pixels_on_the_host() {
        bound!(acl, device: D, current);
        let media = media(&acl);
        assert_eq!(media.chip(), Chip::A2);
        let pixels = [[50, 60, 70]; 64 * 48].concat();
        let file = jpeg(64, 48, &[0x22, 0x11, 0x11], &pixels);
        let mut stream = current.create_stream::<Main>().unwrap();
        let channel = channel(&media, current, &stream);

        let info = media.jpeg_info(current, &file).unwrap();
        assert_eq!((info.width(), info.height(), info.components()), (64, 48, 3));
        assert_eq!(info.format(), JpegFormat::Yuv420);
        assert_eq!(media.predict_decoded::<Nv12, _>(current, &file).unwrap(), 128 * 48 * 3 / 2);
        let mut data = stream.adopt(media.jpeg(current, &file).unwrap());
        assert_eq!(*data.info(), info);
        let picture = media.picture_for_jpeg::<Nv12, _>(current, data.info()).unwrap();
        assert_eq!(picture.layout().width_stride(), 64);
        let picture = stream.adopt(picture);
        let picture = stream.with(&channel).decode_jpeg(&mut data, picture).unwrap();
        let small = stream.adopt(media.picture::<Nv12, _>(current, 32, 16).unwrap());
        let small = stream.with(&channel).resize(&picture, small, Interpolation::Default).unwrap();

        let idle = stream.synchronize().unwrap();
        let small = idle.take(small).check().unwrap();
        assert_eq!((small.width(), small.height()), (32, 16));
        let expected = [vec![50; 32 * 16], [60, 70].repeat(16 * 8)].concat();
        assert_eq!(small.read(current).unwrap(), expected);
        let picture = idle.take(picture).check().unwrap();
        assert_eq!(picture.read(current).unwrap()[..64 * 48], [50; 64 * 48]);
        idle.take(channel).destroy().unwrap();
        drop((small, picture, idle.take(data)));
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn pixels_are_written_and_read_without_the_gaps_of_rows() {
        bound!(acl, device: D, current);
        let media = media(&acl);
        fn there_and_back<F: ascendcl::media::PixelFormat>(
            media: &V1<'_>,
            current: Current<'_, '_, D>,
            bytes: usize,
        ) {
            let pixels: Vec<u8> = (0..bytes).map(|at| (at % 251) as u8).collect();
            for picture in [
                media.picture::<F, _>(current, 34, 18).unwrap(),
                media.picture_for_all::<F, _>(current, 34, 18).unwrap(),
            ] {
                let picture = picture.write(current, &pixels).unwrap();
                assert_eq!(picture.read(current).unwrap(), pixels, "{picture:?}");
            }
        }
        there_and_back::<Gray>(&media, current, 34 * 18);
        there_and_back::<Nv12>(&media, current, 34 * 18 * 3 / 2);
        there_and_back::<Nv16>(&media, current, 34 * 18 * 2);
        there_and_back::<Nv24>(&media, current, 34 * 18 * 3);
        there_and_back::<Rgb888>(&media, current, 34 * 18 * 3);
        there_and_back::<ascendcl::media::Yuv440>(&media, current, 34 * 18 * 2);
        let picture = media.picture::<Gray, _>(current, 34, 18).unwrap();
        assert_eq!(
            mismatch(picture.write(current, &[0; 10])),
            MediaMismatch::Bytes { what: "the data of the picture", passed: 10, needed: 34 * 18 }
        );
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_picture_is_encoded_and_decoded_again() {
        bound!(acl, device: D, current);
        let media = media(&acl);
        let mut stream = current.create_stream::<Main>().unwrap();
        let channel = channel(&media, current, &stream);
        let picture = stream.adopt(counted::<Nv12>(&media, current, (64, 48), 64 * 48 * 3 / 2));
        let size = channel.predict_encoded(&picture, 90).unwrap();
        let file = stream.adopt(current.malloc_dvpp(size).unwrap());
        let file = stream.with(&channel).encode_jpeg(&picture, 90, file).unwrap();
        let idle = stream.synchronize().unwrap();
        let file = idle.take(file).check(current).unwrap();
        assert_eq!(file[..2], [0xff, 0xd8]);
        let info = media.jpeg_info(current, &file).unwrap();
        assert_eq!((info.width(), info.height(), info.format()), (64, 48, JpegFormat::Yuv420));

        let mut data = stream.adopt(media.jpeg(current, &file).unwrap());
        let again = stream.adopt(media.picture_for_jpeg::<Nv12, _>(current, &info).unwrap());
        let again = stream.with(&channel).decode_jpeg(&mut data, again).unwrap();
        let idle = stream.synchronize().unwrap();
        let again = idle.take(again).check().unwrap().read(current).unwrap();
        let picture = idle.take(picture).read(current).unwrap();
        assert_eq!(again[0], 90);
        assert_eq!(again[1..64 * 48], picture[1..64 * 48]);
        drop((idle.take(data), idle.take(channel)));
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn regions_are_cropped_pasted_and_framed() {
        bound!(acl, device: D, current);
        let media = media(&acl);
        let mut stream = current.create_stream::<Main>().unwrap();
        let channel = channel(&media, current, &stream);
        let picture = stream.adopt(counted::<Rgb888>(&media, current, (40, 30), 40 * 30 * 3));
        let region = Region { left: 4, top: 2, width: 20, height: 10 };
        let row = |from: usize| (from * 3..(from + 20) * 3).map(|at| (at % 100) as u8);
        let expected: Vec<u8> = (0..10).flat_map(|y| row((y + 2) * 40 + 4)).collect();

        let out = stream.adopt(media.picture::<Rgb888, _>(current, 20, 10).unwrap());
        let cropped = stream.with(&channel).crop(&picture, region, out).unwrap();
        let out = stream.adopt(media.picture::<Rgb888, _>(current, 20, 10).unwrap());
        let near = Interpolation::Nearest;
        let also = stream.with(&channel).crop_resize(&picture, region, out, near).unwrap();
        let canvas = media.picture::<Rgb888, _>(current, 40, 30).unwrap();
        let mut canvas = stream.adopt(canvas.fill(current, 7).unwrap().into_canvas());
        let paste = Region { left: 16, top: 10, width: 20, height: 10 };
        stream.with(&channel).crop_paste(&picture, region, &mut canvas, paste).unwrap();
        let first = Region { left: 0, top: 0, ..paste };
        let place = (&mut canvas, first);
        stream.with(&channel).crop_resize_paste(&picture, region, place, near).unwrap();
        let border = Border {
            kind: BorderKind::Constant([1.0, 2.0, 3.0, 0.0]), top: 1, bottom: 2, left: 3, right: 4,
        };
        let out = stream.adopt(media.picture::<Rgb888, _>(current, 47, 33).unwrap());
        let framed = stream.with(&channel).make_border(&picture, out, &border).unwrap();

        let idle = stream.synchronize().unwrap();
        assert_eq!(idle.take(cropped).check().unwrap().read(current).unwrap(), expected);
        assert_eq!(idle.take(also).check().unwrap().read(current).unwrap(), expected);
        let canvas = idle.take(canvas).check().unwrap().read(current).unwrap();
        let part = |left: usize, top: usize| -> Vec<u8> {
            let rows = (top..top + 10).map(|y| &canvas[(y * 40 + left) * 3..][..60]);
            rows.flatten().copied().collect()
        };
        assert_eq!((part(16, 10), part(0, 0)), (expected.clone(), expected));
        assert_eq!(canvas[39 * 3..40 * 3], [7; 3]);
        let framed = idle.take(framed).check().unwrap().read(current).unwrap();
        assert_eq!(framed[..6], [1, 2, 3, 1, 2, 3]);
        assert_eq!(framed[(47 + 3) * 3..][..3], [0, 1, 2]);
        drop((idle.take(picture), idle.take(channel)));
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_batch_has_an_output_for_each_region() {
        bound!(acl, device: D, current);
        let media = media(&acl);
        let mut stream = current.create_stream::<Main>().unwrap();
        let channel = channel(&media, current, &stream);
        let a = stream.adopt(counted::<Rgb888>(&media, current, (40, 30), 40 * 30 * 3));
        let b = media.picture::<Rgb888, _>(current, 40, 30).unwrap().fill(current, 9).unwrap();
        let b = stream.adopt(b);
        let whole = Region { left: 0, top: 0, width: 40, height: 30 };
        let part = Region { left: 2, top: 4, width: 20, height: 10 };
        let fresh = |_| stream.adopt(media.picture::<Rgb888, _>(current, 20, 10).unwrap());
        let outputs: Vec<_> = (0..3).map(fresh).collect();
        let inputs = [(&a, &[part, whole][..]), (&b, &[whole][..])];
        let done = stream.with(&channel).batch_crop(&inputs, outputs).unwrap();
        assert_eq!(done.len(), 3);
        let outputs: Vec<_> = (0..3).map(|_| {
            stream.adopt(media.picture::<Rgb888, _>(current, 20, 10).unwrap())
        }).collect();
        let near = Interpolation::Nearest;
        let scaled = stream.with(&channel).batch_crop_resize(&inputs, outputs, near).unwrap();
        let canvas = || {
            let canvas = media.picture::<Rgb888, _>(current, 40, 30).unwrap();
            canvas.fill(current, 7).unwrap().into_canvas()
        };
        let mut canvases: Vec<_> = (0..3).map(|_| stream.adopt(canvas())).collect();
        let places: Vec<_> = canvases.iter_mut().map(|canvas| (canvas, part)).collect();
        stream.with(&channel).batch_crop_paste(&inputs, places).unwrap();
        let outputs = (0..3).map(|_| {
            let border = Border { kind: BorderKind::Replicate, top: 2, bottom: 2, left: 2, right: 2 };
            (stream.adopt(media.picture::<Rgb888, _>(current, 24, 14).unwrap()), border)
        }).collect();
        let framed = stream.with(&channel).batch_crop_resize_border(&inputs, outputs, near).unwrap();
        let idle = stream.synchronize().unwrap();
        let mut firsts = Vec::new();
        for picture in done.into_iter().chain(scaled) {
            firsts.push(idle.take(picture).check().unwrap().read(current).unwrap()[0]);
        }
        let first = ((4 * 40 + 2) * 3 % 100) as u8;
        assert_eq!(firsts, [first, 0, 9, first, 0, 9]);
        for (canvas, inner) in canvases.into_iter().zip([first, 0, 9]) {
            let pixels = idle.take(canvas).check().unwrap().read(current).unwrap();
            assert_eq!((pixels[0], pixels[(4 * 40 + 2) * 3]), (7, inner));
        }
        for (picture, corner) in framed.into_iter().zip([first, 0, 9]) {
            assert_eq!(idle.take(picture).check().unwrap().read(current).unwrap()[0], corner);
        }
        let alone = vec![stream.adopt(media.picture::<Rgb888, _>(current, 20, 10).unwrap())];
        assert_eq!(
            mismatch(stream.with(&channel).batch_crop(&inputs, alone)),
            MediaMismatch::Batch { regions: 3, outputs: 1 }
        );
        let idle = stream.synchronize().unwrap();
        drop((idle.take(a), idle.take(b), idle.take(channel)));
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn values_are_counted_and_replaced() {
        bound!(acl, device: D, current);
        let media = media(&acl);
        let mut stream = current.create_stream::<Main>().unwrap();
        let channel = channel(&media, current, &stream);
        let picture = media.picture::<Rgb888, _>(current, 16, 10).unwrap();
        let pixels = [[5, 6, 7]; 160].concat();
        let picture = stream.adopt(picture.write(current, &pixels).unwrap());
        let histogram = stream.with(&channel).histogram(&picture).unwrap();
        let mut table = LookupTable::identity();
        table.0[1][6] = 99;
        let out = stream.adopt(media.picture::<Rgb888, _>(current, 16, 10).unwrap());
        let replaced = stream.with(&channel).replace_values(&picture, out, &table).unwrap();
        let gray = media.picture::<Gray, _>(current, 16, 12).unwrap().fill(current, 40).unwrap();
        let gray = stream.adopt(gray);
        let half = stream.adopt(media.picture::<Gray, _>(current, 10, 6).unwrap());
        assert_eq!(
            mismatch(stream.with(&channel).pyramid_down(&gray, half)),
            MediaMismatch::Halves { width: 16, height: 12, to_width: 10, to_height: 6 }
        );
        let idle = stream.synchronize().unwrap();
        let counts = idle.take(histogram).check().unwrap();
        assert_eq!((counts[0][5], counts[1][6], counts[2][7], counts[0][6]), (160, 160, 160, 0));
        let replaced = idle.take(replaced).check().unwrap().read(current).unwrap();
        assert_eq!(replaced[..3], [5, 99, 7]);
        drop((idle.take(picture), idle.take(gray), idle.take(channel)));
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn colours_are_converted_by_the_matrix_of_the_channel() {
        bound!(acl, device: D, current);
        let media = media(&acl);
        let mut stream = current.create_stream::<Main>().unwrap();
        let channel = channel(&media, current, &stream);
        let gray = media.picture::<Nv12, _>(current, 16, 10).unwrap().fill(current, 128).unwrap();
        let gray = stream.adopt(gray);
        let out = stream.adopt(media.picture::<Rgb888, _>(current, 16, 10).unwrap());
        let colours = stream.with(&channel).convert_color(&gray, out).unwrap();
        let other = stream.adopt(media.picture::<Rgb888, _>(current, 16, 12).unwrap());
        assert_eq!(
            mismatch(stream.with(&channel).convert_color(&gray, other)),
            MediaMismatch::Sizes {
                call: "acldvppVpcConvertColorAsync", width: 16, height: 10, to_width: 16, to_height: 12,
            }
        );
        let idle = stream.synchronize().unwrap();
        let pixels = idle.take(colours).check().unwrap().read(current).unwrap();
        assert_eq!(pixels, [128; 16 * 10 * 3]);
        drop((idle.take(gray), idle.take(channel)));
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn what_does_not_fit_is_named_before_the_call() {
        bound!(acl, device: D, current);
        let media = media(&acl);
        let mut stream = current.create_stream::<Main>().unwrap();
        let channel = channel(&media, current, &stream);
        let pixels = [[1, 2, 3]; 64 * 48].concat();
        let file = jpeg(64, 48, &[0x22, 0x11, 0x11], &pixels);
        let info = media.jpeg_info(current, &file).unwrap();
        assert_eq!(
            mismatch(media.picture_for_jpeg::<Nv16, _>(current, &info)),
            MediaMismatch::JpegFormat { source_format: "4:2:0", format: "NV16 (YUV422SP)" }
        );
        assert_says(
            media.jpeg_info(current, b"no picture at all"),
            &["a file of 17 bytes is no JPEG", "decode it with a library", "acldvppJpegGetImageInfoV2", "500001"],
        );
        assert_says(
            media.png_info(current, b"no picture at all"),
            &["a file of 17 bytes is no PNG", "decode it with a library", "acldvppPngGetImageInfo", "100000"],
        );
        let short = current.memset(current.malloc_dvpp::<u8>(100).unwrap(), 0).unwrap();
        assert_eq!(
            mismatch(media.jpeg_in(current, short, &file)),
            MediaMismatch::Bytes { what: "the memory of the file", passed: 100, needed: file.len() }
        );
        let mut data = stream.adopt(media.jpeg(current, &file).unwrap());
        let other = stream.adopt(media.picture::<Nv12, _>(current, 32, 48).unwrap());
        assert_eq!(
            mismatch(stream.with(&channel).decode_jpeg(&mut data, other)),
            MediaMismatch::Decoded { width: 64, height: 48, to_width: 32, to_height: 48 }
        );
        let picture = stream.adopt(counted::<Nv12>(&media, current, (50, 40), 3000));
        assert_eq!(
            mismatch(channel.predict_encoded(&picture, 90)),
            MediaMismatch::EncoderStride { stride: 50 }
        );
        assert_eq!(
            mismatch(channel.predict_encoded(&picture, 101)),
            MediaMismatch::Quality { level: 101 }
        );
        let out = || stream.adopt(media.picture::<Nv12, _>(current, 20, 10).unwrap());
        let (behind, odd) = (
            Region { left: 40, top: 0, width: 12, height: 10 },
            Region { left: 1, top: 0, width: 12, height: 10 },
        );
        let first = out();
        let second = out();
        assert_eq!(
            mismatch(stream.with(&channel).crop(&picture, behind, first)),
            MediaMismatch::Region {
                left: 40, top: 0, width: 12, height: 10, picture_width: 50, picture_height: 40,
            }
        );
        assert_eq!(
            mismatch(stream.with(&channel).crop(&picture, odd, second)),
            MediaMismatch::RegionStep {
                left: 1, top: 0, width: 12, height: 10, format: "NV12 (YUV420SP)", chip: "Ascend 910B",
            }
        );
        assert_says(
            media.picture::<Nv12, _>(current, 225, 224),
            &["225 x 224 pixels: its width must be even"],
        );
        let layout = media.layout::<Rgb888>(100, 100).unwrap();
        let small = current.memset(current.malloc_dvpp::<u8>(10).unwrap(), 0).unwrap();
        assert_eq!(
            mismatch(media.picture_in(small, layout)),
            MediaMismatch::Bytes { what: "the memory of the picture", passed: 10, needed: 30_000 }
        );
        let idle = stream.synchronize().unwrap();
        drop((idle.take(picture), idle.take(data), idle.take(channel)));
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_process_has_one_interface() {
        engine();
        bound!(acl, device: D, current);
        let media = acl.media().unwrap();
        assert_eq!(mismatch(acl.media()), MediaMismatch::Claimed);
        let first = media.v1().unwrap();
        assert_eq!(mismatch(acl.media()), MediaMismatch::Claimed);
        drop(first);
        let again = acl.media().unwrap();
        assert_eq!(
            mismatch(again.v2(current)),
            MediaMismatch::Chosen { chosen: "first (`acldvpp*`)", asked: "second (`hi_mpi_*`)" }
        );
        drop(acl.media().unwrap().v1().unwrap());
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_channel_has_the_functions_that_it_was_created_with() {
        bound!(acl, device: D, current);
        let media = media(&acl);
        let some = media.create_channel::<(Vpc, JpegDecode), _>(current).unwrap();
        let all = media.create_channel::<All, _>(current).unwrap();
        assert_ne!(some.id(), all.id());
        some.destroy().unwrap();
        all.destroy().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn queued_pictures_and_channels_that_are_dropped_live_until_a_wait() {
        engine();
        let acl = crate::common::acl_with_journal();
        let media = media(&acl);
        let mut thread = ascendcl::Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let channel = channel(&media, current, &stream);
        let picture = stream.adopt(counted::<Rgb888>(&media, current, (40, 30), 40 * 30 * 3));
        let out = stream.adopt(media.picture::<Rgb888, _>(current, 20, 10).unwrap());
        let small = stream.with(&channel).resize(&picture, out, Interpolation::Bilinear).unwrap();
        let histogram = stream.with(&channel).histogram(&small).unwrap();
        drop((picture, small, histogram, channel));
        for call in ["acldvppDestroyChannel", "acldvppDestroyPicDesc", "acldvppDestroyHist", "acldvppFree"] {
            assert_eq!(calls(call), 0, "{call}");
        }
        let _ = stream.synchronize().unwrap();
        for (create, destroy) in [
            ("acldvppCreateChannel", "acldvppDestroyChannel"),
            ("acldvppCreateChannelDesc", "acldvppDestroyChannelDesc"),
            ("acldvppCreatePicDesc", "acldvppDestroyPicDesc"),
            ("acldvppCreateResizeConfig", "acldvppDestroyResizeConfig"),
            ("acldvppCreateHist", "acldvppDestroyHist"),
            ("acldvppMalloc", "acldvppFree"),
        ] {
            assert!(calls(create) > 0, "{create}");
            assert_eq!(calls(create), calls(destroy), "{destroy}");
        }
        assert_clean(&acl);
    }
}
