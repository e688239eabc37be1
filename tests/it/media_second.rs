//! The second interface of the media engine: tasks that are collected, the decoder, and values that are forgotten.
//!
//! The engine is that of the tests of the first interface. On a card the tests are skipped.

use std::mem;
use std::sync::Arc;

use ascendcl::error::{MediaMismatch, Usage};
use ascendcl::media::{
    Border, BorderKind, JpegFormat, LookupTable, Nv12, Picture, PixelFormat, Region, Rgb888,
    Scaling, V2,
};
use ascendcl::memory::DvppV2;
use ascendcl::{Acl, Current, Npu};

use crate::common::{assert_clean, assert_says, bound, calls, isolated, usage};
use crate::media::{engine, jpeg};

type D = Npu<0>;
type Owned<'d, F> = Picture<'d, DvppV2<D>, F>;

pub(crate) fn media<'a, 'd>(acl: &'a Acl, current: Current<'_, 'd, D>) -> V2<'a, 'd, D> {
    engine();
    acl.media().unwrap().v2(current).unwrap()
}

/// A shared picture of the format `F` whose bytes count up to 100.
pub(crate) fn counted<'d, F: PixelFormat>(
    media: &V2<'_, 'd, D>,
    current: Current<'_, 'd, D>,
    (width, height): (u32, u32),
    bytes: usize,
) -> Arc<Owned<'d, F>> {
    let pixels: Vec<u8> = (0..bytes).map(|at| (at % 100) as u8).collect();
    let picture = media.picture::<F>(current, width, height).unwrap();
    Arc::new(picture.write(current, &pixels).unwrap())
}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn tasks_of_a_processor_are_collected() {
        bound!(acl, device: D, current);
        let media = media(&acl, current);
        let processor = media.create_processor(current).unwrap();
        let picture = counted::<Rgb888>(&media, current, (40, 30), 40 * 30 * 3);
        let fresh = |width, height| media.picture::<Rgb888>(current, width, height).unwrap();
        let region = Region { left: 4, top: 2, width: 20, height: 10 };
        // Both tasks read one picture at the same time.
        let small = processor.resize(&picture, fresh(40, 30), Scaling::Nearest).unwrap();
        let part = processor.crop_resize(&picture, region, fresh(20, 10), Scaling::Nearest).unwrap();
        assert_ne!(small.id(), part.id());
        let part = part.wait().unwrap().read(current).unwrap();
        let row = |from: usize| (from * 3..(from + 20) * 3).map(|at| (at % 100) as u8);
        let expected: Vec<u8> = (0..10).flat_map(|y| row((y + 2) * 40 + 4)).collect();
        assert_eq!(part, expected);
        let same = small.wait().unwrap().read(current).unwrap();
        assert_eq!(same, picture.read(current).unwrap());

        let counts = processor.histogram(&picture).unwrap().wait().unwrap();
        assert_eq!(counts.iter().flatten().sum::<u32>(), 40 * 30 * 3);
        let mut table = LookupTable::identity();
        table.0[0][0] = 200;
        let replaced = processor.replace_values(&picture, fresh(40, 30), &table).unwrap();
        assert_eq!(replaced.wait().unwrap().read(current).unwrap()[..3], [200, 1, 2]);
        let kind = BorderKind::Constant([1.0, 2.0, 3.0, 0.0]);
        let border = Border { kind, top: 1, bottom: 1, left: 1, right: 1 };
        let framed = processor.make_border(&picture, fresh(42, 32), &border).unwrap();
        assert_eq!(framed.wait().unwrap().read(current).unwrap()[..3], [1, 2, 3]);

        // The last share of the input is the picture again.
        assert!(Arc::try_unwrap(picture).is_ok());
        processor.destroy().unwrap();
        media.exit().unwrap();
        assert_clean(&acl);
    }

    // A channel that a forgotten task keeps is a leak, which the checker reports.
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0"]
    on emulator fn a_task_that_is_dropped_is_collected_and_one_that_is_forgotten_is_leaked() {
        let acl = crate::common::acl_with_journal();
        let mut thread = ascendcl::Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let media = media(&acl, current);
        let processor = media.create_processor(current).unwrap();
        let picture = counted::<Nv12>(&media, current, (40, 30), 40 * 30 * 3 / 2);
        drop(processor.histogram(&picture).unwrap());
        assert_eq!(calls("hi_mpi_vpc_get_process_result"), 1);
        mem::forget(processor.histogram(&picture).unwrap());
        assert_eq!(calls("hi_mpi_vpc_get_process_result"), 1);
        // The forgotten task may still run, so its channel is not destroyed, and it has a share of its input.
        drop(processor);
        assert_eq!(calls("hi_mpi_vpc_destroy_chn"), 0);
        assert!(Arc::try_unwrap(picture).is_err());
        assert_eq!(calls("hi_mpi_dvpp_free"), 0);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_decoder_returns_the_picture_and_the_memory_of_the_file() {
        bound!(acl, device: D, current);
        let media = media(&acl, current);
        let file = jpeg(64, 48, &[0x22, 0x11, 0x11], &[[50, 60, 70]; 64 * 48].concat());
        let info = media.jpeg_info(current, &file).unwrap();
        assert_eq!((info.width(), info.height(), info.components()), (64, 48, 3));
        assert_eq!(info.format(), JpegFormat::Yuv420);
        let decoder = media.create_jpeg_decoder::<Nv12>(current).unwrap();
        let second = media.create_jpeg_decoder::<Nv12>(current).unwrap();
        assert_ne!(decoder.id(), second.id());
        second.destroy().unwrap();
        let mut decoder = decoder.start().unwrap();
        let mut data = media.jpeg(current, &file).unwrap();
        for _ in 0..3 {
            let picture = media.picture_for_jpeg::<Nv12>(current, &info).unwrap();
            let (picture, again) = decoder.decode(data, picture).unwrap();
            data = again;
            assert_eq!(picture.read(current).unwrap()[..64 * 48], [50; 64 * 48]);
        }
        // The memory of a file is used again for another one, with the description of that one.
        let small = jpeg(32, 32, &[0x22, 0x11, 0x11], &[[20, 30, 40]; 32 * 32].concat());
        let data = media.jpeg_in(current, data.into_buf(), &small).unwrap();
        assert_eq!((data.info().width(), data.bytes()), (32, small.len() as u32));
        let picture = media.picture_for_jpeg::<Nv12>(current, data.info()).unwrap();
        let (picture, data) = decoder.decode(data, picture).unwrap();
        assert_eq!(picture.read(current).unwrap()[..32 * 32], [20; 32 * 32]);
        let short = current.memset(current.malloc_dvpp_v2::<u8>(10).unwrap(), 0).unwrap();
        assert_eq!(
            usage(media.jpeg_in(current, short, &small).map(drop)),
            Usage::Media(MediaMismatch::Bytes {
                what: "the memory of the file", passed: 10, needed: small.len(),
            })
        );
        let other = media.picture::<Nv12>(current, 32, 48).unwrap();
        let wrong = decoder.decode(data, other);
        assert_eq!(
            usage(wrong.map(drop)),
            Usage::Media(MediaMismatch::Decoded { width: 32, height: 32, to_width: 32, to_height: 48 })
        );
        decoder.stop().unwrap().destroy().unwrap();
        media.exit().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0"]
    on emulator fn a_file_that_is_not_decoded_is_named_and_the_next_one_is_decoded() {
        bound!(acl, device: D, current);
        let media = media(&acl, current);
        let mut decoder = media.create_jpeg_decoder::<Nv12>(current).unwrap().start().unwrap();
        let pixels = [[50, 60, 70]; 64 * 48].concat();
        let bytes = jpeg(64, 48, &[0x22, 0x11, 0x11], &pixels[..1000]);
        let file = media.jpeg(current, &bytes).unwrap();
        let picture = media.picture_for_jpeg::<Nv12>(current, file.info()).unwrap();
        assert_eq!(
            usage(decoder.decode(file, picture).map(drop)),
            Usage::Media(MediaMismatch::Undecoded {
                kind: "JPEG", bytes: bytes.len() as u32, width: 64, height: 48,
                reason: "hi_mpi_vdec_get_frame has returned a frame in the state 1".to_owned(),
            })
        );
        let file = media.jpeg(current, &jpeg(64, 48, &[0x22, 0x11, 0x11], &pixels)).unwrap();
        let picture = media.picture_for_jpeg::<Nv12>(current, file.info()).unwrap();
        let (picture, file) = decoder.decode(file, picture).unwrap();
        assert_eq!(picture.read(current).unwrap()[..64 * 48], [50; 64 * 48]);
        drop((picture, file, decoder));
        assert_eq!((ascendcl::release_failures(), ascendcl::leaks()), (0, 0));
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_channel_too_many_says_how_many_there_are() {
        bound!(acl, device: D, current);
        let media = media(&acl, current);
        let decoder = || media.create_jpeg_decoder::<Nv12>(current);
        let decoders: Vec<_> = (0..128).map(|_| decoder().unwrap()).collect();
        assert_eq!(
            usage(decoder().map(drop)),
            Usage::Media(MediaMismatch::Channels { what: "JPEG decoder", most: 128 })
        );
        let processors: Vec<_> =
            (0..256).map(|_| media.create_processor(current).unwrap()).collect();
        assert_says(
            media.create_processor(current),
            &["all 256 channels exist", "hi_mpi_vpc_destroy_chn"],
        );
        drop((decoders, processors));
        drop(decoder().unwrap());
        media.exit().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_FAULTS" = "hi_mpi_vdec_get_frame#1=-1"]
    on emulator fn a_decoder_whose_wait_has_failed_decodes_no_more() {
        bound!(acl, device: D, current);
        let media = media(&acl, current);
        let file = jpeg(64, 48, &[0x22, 0x11, 0x11], &[[50, 60, 70]; 64 * 48].concat());
        let mut decoder = media.create_jpeg_decoder::<Nv12>(current).unwrap().start().unwrap();
        let mut decode = || {
            let data = media.jpeg(current, &file).unwrap();
            let picture = media.picture_for_jpeg::<Nv12>(current, data.info()).unwrap();
            decoder.decode(data, picture).map(drop)
        };
        let failed = decode().unwrap_err().to_string();
        assert!(failed.starts_with("hi_mpi_vdec_get_frame failed"), "{failed}");
        assert_eq!(usage(decode()), Usage::Media(MediaMismatch::Unfinished));
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_process_with_the_second_interface_gets_no_first_one() {
        bound!(acl, device: D, current);
        media(&acl, current).exit().unwrap();
        let refused = acl.media().unwrap().v1();
        assert_eq!(
            usage(refused.map(drop)),
            Usage::Media(MediaMismatch::Chosen {
                chosen: "second (`hi_mpi_*`)", asked: "first (`acldvpp*`)",
            })
        );
        assert_clean(&acl);
    }
}
