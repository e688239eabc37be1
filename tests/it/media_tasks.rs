//! The second interface: regions, batches and pyramids, the PNG decoder, and the JPEG encoder.
//!
//! The engine is that of the tests of the first interface. On a card the tests are skipped.

use std::mem;
use std::sync::Arc;

use ascendcl::Npu;
use ascendcl::error::{MediaMismatch, Usage};
use ascendcl::media::{Border, BorderKind, Gray, JpegFormat, Nv12, Region, Rgb888, Scaling};

use crate::common::{assert_clean, assert_says, bound, isolated, usage};
use crate::media::{jpeg, png};
use crate::media_second::{counted, media};

type D = Npu<0>;

const NEAR: Scaling = Scaling::Nearest;
const PART: Region = Region {
    left: 4,
    top: 2,
    width: 20,
    height: 10,
};

fn mismatch<T>(result: ascendcl::Result<T>) -> MediaMismatch {
    match usage(result.map(drop)) {
        Usage::Media(mismatch) => mismatch,
        other => panic!("{other}"),
    }
}

/// The bytes of `PART` of a counted picture of 40 columns and three components.
fn part() -> Vec<u8> {
    let row = |from: usize| (from * 3..(from + 20) * 3).map(|at| (at % 100) as u8);
    (0..10).flat_map(|y| row((y + 2) * 40 + 4)).collect()
}

/// The bytes of a region of 20 x 10 pixels of a picture of 40 columns and three components.
fn region(pixels: &[u8], left: usize, top: usize) -> Vec<u8> {
    let rows = (top..top + 10).map(|y| &pixels[(y * 40 + left) * 3..][..60]);
    rows.flatten().copied().collect()
}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn regions_are_cropped_pasted_and_framed() {
        bound!(acl, device: D, current);
        let media = media(&acl, current);
        let processor = media.create_processor(current).unwrap();
        let picture = counted::<Rgb888>(&media, current, (40, 30), 40 * 30 * 3);
        let fresh = |width, height| media.picture::<Rgb888>(current, width, height).unwrap();
        let cropped = processor.crop(&picture, PART, fresh(20, 10)).unwrap();
        let canvas = fresh(40, 30).fill(current, 7).unwrap();
        let paste = Region { left: 16, top: 10, ..PART };
        let pasted = processor.crop_resize_paste(&picture, PART, (canvas, paste), NEAR).unwrap();
        let kind = BorderKind::Constant([1.0, 2.0, 3.0, 0.0]);
        let border = Border { kind, top: 1, bottom: 2, left: 3, right: 4 };
        let framed = processor.crop_resize_border(&picture, PART, (fresh(27, 13), &border), NEAR);
        let framed = framed.unwrap();
        assert_eq!(cropped.wait().unwrap().read(current).unwrap(), part());
        let canvas = pasted.wait().unwrap();
        let pixels = canvas.read(current).unwrap();
        assert_eq!((region(&pixels, 16, 10), &pixels[..3]), (part(), &[7; 3][..]));
        // A canvas has contents, so a second task may paste to it.
        let second = Region { left: 0, top: 0, ..PART };
        let pasted = processor.crop_resize_paste(&picture, PART, (canvas, second), NEAR).unwrap();
        let pixels = pasted.wait().unwrap().read(current).unwrap();
        assert_eq!((region(&pixels, 16, 10), region(&pixels, 0, 0)), (part(), part()));
        let framed = framed.wait().unwrap().read(current).unwrap();
        assert_eq!(framed[..6], [1, 2, 3, 1, 2, 3]);
        assert_eq!(framed[(27 + 3) * 3..][..60], part()[..60]);

        assert_eq!(
            mismatch(processor.crop(&picture, PART, fresh(20, 12))),
            MediaMismatch::Sizes {
                call: "hi_mpi_vpc_crop", width: 20, height: 10, to_width: 20, to_height: 12,
            }
        );
        let wide = Border { left: 20, right: 7, ..border };
        assert_eq!(
            mismatch(processor.crop_resize_border(&picture, PART, (fresh(27, 13), &wide), NEAR)),
            MediaMismatch::BorderRoom {
                left: 20, right: 7, top: 1, bottom: 2, to_width: 27, to_height: 13,
            }
        );
        let canvas = fresh(40, 30).fill(current, 7).unwrap();
        let behind = Region { left: 30, ..PART };
        assert_eq!(
            mismatch(processor.crop_resize_paste(&picture, PART, (canvas, behind), NEAR)),
            MediaMismatch::Region {
                left: 30, top: 2, width: 20, height: 10, picture_width: 40, picture_height: 30,
            }
        );
        processor.destroy().unwrap();
        drop(picture);
        media.exit().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_batch_returns_an_output_for_each_region() {
        bound!(acl, device: D, current);
        let media = media(&acl, current);
        let processor = media.create_processor(current).unwrap();
        let a = counted::<Rgb888>(&media, current, (40, 30), 40 * 30 * 3);
        let fresh = |width, height| media.picture::<Rgb888>(current, width, height).unwrap();
        let b = Arc::new(fresh(40, 30).fill(current, 9).unwrap());
        let whole = Region { left: 0, top: 0, width: 40, height: 30 };
        let inputs = [(&a, &[PART, whole][..]), (&b, &[whole][..])];
        let canvas = || fresh(40, 30).fill(current, 7).unwrap();
        let places = (0..3).map(|_| (canvas(), PART)).collect();
        let pasted = processor.batch_crop_resize_paste(&inputs, places, NEAR).unwrap();
        let border = Border { kind: BorderKind::Replicate, top: 2, bottom: 2, left: 2, right: 2 };
        let outputs = (0..3).map(|_| (fresh(24, 14), border)).collect();
        let framed = processor.batch_crop_resize_border(&inputs, outputs, NEAR).unwrap();
        let first = part()[0];
        let pasted = pasted.wait().unwrap();
        assert_eq!(pasted.len(), 3);
        for (canvas, inner) in pasted.iter().zip([first, 0, 9]) {
            let pixels = canvas.read(current).unwrap();
            assert_eq!((pixels[0], pixels[(2 * 40 + 4) * 3]), (7, inner));
        }
        for (picture, corner) in framed.wait().unwrap().iter().zip([first, 0, 9]) {
            assert_eq!(picture.read(current).unwrap()[0], corner);
        }
        assert_eq!(
            mismatch(processor.batch_crop_resize_paste(&inputs, vec![(canvas(), PART)], NEAR)),
            MediaMismatch::Batch { regions: 3, outputs: 1 }
        );
        let none = [(&a, &[PART][..]), (&b, &[][..])];
        assert_eq!(
            mismatch(processor.batch_crop_resize_paste(&none, vec![(canvas(), PART)], NEAR)),
            MediaMismatch::Batch { regions: 1, outputs: 1 }
        );
        // The tasks have given their shares back.
        assert!(Arc::try_unwrap(a).is_ok() && Arc::try_unwrap(b).is_ok());
        drop(pasted);
        processor.destroy().unwrap();
        media.exit().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_pyramid_has_up_to_four_levels() {
        bound!(acl, device: D, current);
        let media = media(&acl, current);
        let processor = media.create_processor(current).unwrap();
        let fresh = |width, height| media.picture::<Gray>(current, width, height).unwrap();
        let picture = Arc::new(fresh(160, 96).fill(current, 77).unwrap());
        let levels = vec![fresh(80, 48), fresh(40, 24), fresh(20, 12), fresh(10, 6)];
        let levels = processor.pyramid_down(&picture, levels).unwrap().wait().unwrap();
        for (level, pixels) in levels.iter().zip([80 * 48, 40 * 24, 20 * 12, 10 * 6]) {
            assert_eq!(level.read(current).unwrap(), vec![77; pixels]);
        }
        assert_eq!(
            mismatch(processor.pyramid_down(&picture, vec![fresh(80, 48), fresh(40, 22)])),
            MediaMismatch::PyramidLevel {
                level: 2, width: 80, height: 48, to_width: 40, to_height: 22,
            }
        );
        assert_eq!(
            mismatch(processor.pyramid_down(&picture, Vec::new())),
            MediaMismatch::PyramidLevels { passed: 0 }
        );
        drop((levels, picture));
        processor.destroy().unwrap();
        media.exit().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_png_is_decoded_by_a_channel_of_its_own() {
        bound!(acl, device: D, current);
        let media = media(&acl, current);
        let mut decoder = media.create_png_decoder(current).unwrap();
        let file = media.png(current, &png(40, 34)).unwrap();
        assert_eq!((file.info().width(), file.info().height(), file.info().components()), (40, 34, 3));
        let picture = media.picture_for_png::<Rgb888>(current, file.info()).unwrap();
        let (picture, file) = decoder.decode(file, picture).unwrap();
        let pixels = picture.read(current).unwrap();
        assert_eq!((pixels.len(), &pixels[250..253]), (40 * 34 * 3, &[250, 0, 1][..]));
        let other = media.picture::<Rgb888>(current, 40, 34).unwrap();
        assert_eq!(
            mismatch(decoder.decode(file, other)),
            MediaMismatch::Decoded { width: 40, height: 34, to_width: 40, to_height: 34 }
        );
        assert_says(
            media.png_info(current, b"no picture at all, and not a short one").map(drop),
            &["a file of 38 bytes is no PNG", "hi_mpi_png_get_image_info"],
        );
        drop(picture);
        decoder.destroy().unwrap();
        media.exit().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_picture_is_encoded_and_its_file_is_released() {
        bound!(acl, device: D, current);
        let media = media(&acl, current);
        let encoder = media.create_jpeg_encoder(current, 64, 48).unwrap();
        let mut encoder = encoder.start().unwrap();
        let picture = media.picture_for_all::<Nv12>(current, 64, 48).unwrap();
        let pixels: Vec<u8> = (0..64 * 48 * 3 / 2).map(|at| (at % 100) as u8).collect();
        let picture = Arc::new(picture.write(current, &pixels).unwrap());
        for quality in [90, 30] {
            let file = encoder.encode(current, &picture, quality).unwrap();
            let bytes = file.read(current).unwrap();
            assert_eq!(bytes.len(), file.bytes());
            // The first one is released by its call, and the second one by its end.
            if quality == 90 {
                file.release().unwrap();
            }
            let info = media.jpeg_info(current, &bytes).unwrap();
            assert_eq!((info.width(), info.height(), info.format()), (64, 48, JpegFormat::Yuv420));
            let mut decoder = media.create_jpeg_decoder::<Nv12>(current).unwrap().start().unwrap();
            let file = media.jpeg(current, &bytes).unwrap();
            let again = media.picture_for_jpeg::<Nv12>(current, &info).unwrap();
            let again = decoder.decode(file, again).unwrap().0.read(current).unwrap();
            assert_eq!((again[0], &again[1..64 * 48]), (quality as u8, &pixels[1..64 * 48]));
        }
        let large = counted::<Nv12>(&media, current, (128, 48), 128 * 48 * 3 / 2);
        let encoded = encoder.encode(current, &large, 90).map(drop);
        assert!(matches!(
            mismatch(encoded),
            MediaMismatch::Range { width: 128, height: 48, most_width: 64, most_height: 48, .. }
        ));
        let narrow = counted::<Nv12>(&media, current, (40, 40), 40 * 40 * 3 / 2);
        assert_eq!(
            mismatch(encoder.encode(current, &narrow, 90).map(drop)),
            MediaMismatch::EncoderStride { stride: 40 }
        );
        assert_eq!(
            mismatch(encoder.encode(current, &picture, 101).map(drop)),
            MediaMismatch::Quality { level: 101 }
        );
        encoder.stop().unwrap().destroy().unwrap();
        drop((picture, large, narrow));
        media.exit().unwrap();
        assert_clean(&acl);
    }

    // The channel of a forgotten file is a leak, which the checker reports.
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0"]
    on emulator fn a_forgotten_file_keeps_its_channel() {
        bound!(acl, device: D, current);
        let media = media(&acl, current);
        let mut encoder = media.create_jpeg_encoder(current, 64, 48).unwrap().start().unwrap();
        let picture = counted::<Nv12>(&media, current, (64, 48), 64 * 48 * 3 / 2);
        mem::forget(encoder.encode(current, &picture, 90).unwrap());
        let second = encoder.encode(current, &picture, 50).unwrap();
        let bytes = second.read(current).unwrap();
        assert_eq!(bytes[..2], jpeg(64, 48, &[0x22], &[])[..2]);
        second.release().unwrap();
        let stopped = encoder.stop().unwrap();
        assert_says(stopped.destroy(), &["hi_mpi_venc_destroy_chn", "not released"]);
        assert_says(media.exit(), &["hi_mpi_sys_exit", "channels exist"]);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0",
     "ASCENDCL_EMULATOR_FAULTS" = "hi_mpi_venc_get_stream#1=-1"]
    on emulator fn an_encoder_whose_wait_has_failed_encodes_no_more() {
        bound!(acl, device: D, current);
        let media = media(&acl, current);
        let mut encoder = media.create_jpeg_encoder(current, 64, 48).unwrap().start().unwrap();
        let picture = counted::<Nv12>(&media, current, (64, 48), 64 * 48 * 3 / 2);
        assert_says(
            encoder.encode(current, &picture, 90).map(drop),
            &["hi_mpi_venc_get_stream failed"],
        );
        assert_eq!(ascendcl::leaks(), 1);
        assert_eq!(
            mismatch(encoder.encode(current, &picture, 90).map(drop)),
            MediaMismatch::Unfinished
        );
        // The channel may still read the picture, so a share of it is never given back.
        assert!(Arc::try_unwrap(picture).is_err());
    }
}
