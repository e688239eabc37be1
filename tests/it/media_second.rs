//! The second interface of the media engine: tasks that are collected, the decoder, and values that are forgotten.
//!
//! The engine is that of the tests of the first interface. On a card the tests are skipped.

use std::mem;
use std::sync::Arc;

use ascendcl::error::{MediaMismatch, Usage};
use ascendcl::media::{
    Border, BorderKind, LookupTable, Nv12, Picture, PixelFormat, Region, Rgb888, Scaling, V2,
};
use ascendcl::memory::DvppV2;
use ascendcl::{Acl, Current, Npu};

use crate::common::{assert_clean, bound, calls, isolated, usage};
use crate::media::{engine, jpeg};

type D = Npu<0>;
type Owned<'d, F> = Picture<'d, DvppV2<D>, F>;

fn media<'a, 'd>(acl: &'a Acl, current: Current<'_, 'd, D>) -> V2<'a, 'd, D> {
    engine();
    acl.media().unwrap().v2(current).unwrap()
}

/// A shared picture of the format `F` whose bytes count up to 100.
fn counted<'d, F: PixelFormat>(
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
        let size = media.jpeg_size(current, &file).unwrap();
        assert_eq!(size, (64, 48));
        let decoder = media.create_jpeg_decoder::<Nv12>(current).unwrap();
        let second = media.create_jpeg_decoder::<Nv12>(current).unwrap();
        assert_ne!(decoder.id(), second.id());
        second.destroy().unwrap();
        let mut decoder = decoder.start().unwrap();
        let mut data = media.upload(current, &file).unwrap();
        for _ in 0..3 {
            let picture = media.picture_for_jpeg::<Nv12>(current, size).unwrap();
            let (picture, again) = decoder.decode(size, data, picture).unwrap();
            data = again;
            assert_eq!(picture.read(current).unwrap()[..64 * 48], [50; 64 * 48]);
        }
        // A file that is smaller than stated writes a part of the picture, and the rest is not memory of somebody else.
        let large = media.picture_for_jpeg::<Nv12>(current, (128, 96)).unwrap();
        let (large, again) = decoder.decode((128, 96), data, large).unwrap();
        data = again;
        let written: u32 = large.read(current).unwrap().iter().map(|byte| u32::from(*byte)).sum();
        let picture = media.picture_for_jpeg::<Nv12>(current, size).unwrap();
        let (picture, again) = decoder.decode(size, data, picture).unwrap();
        data = again;
        let whole: u32 = picture.read(current).unwrap().iter().map(|byte| u32::from(*byte)).sum();
        assert_eq!(written, whole);
        let other = media.picture::<Nv12>(current, 32, 48).unwrap();
        let wrong = decoder.decode(size, data, other);
        assert_eq!(
            usage(wrong.map(drop)),
            Usage::Media(MediaMismatch::Decoded { width: 64, height: 48, to_width: 32, to_height: 48 })
        );
        decoder.stop().unwrap().destroy().unwrap();
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
            let data = media.upload(current, &file).unwrap();
            let picture = media.picture_for_jpeg::<Nv12>(current, (64, 48)).unwrap();
            decoder.decode((64, 48), data, picture).map(drop)
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
