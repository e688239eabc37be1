//! Pictures of the chips whose media engines differ: strides, sizes of decoded files, and what a chip refuses.

use std::sync::Arc;

use ascendcl::error::{MediaMismatch, Usage};
use ascendcl::media::{All, Chip, Interpolation, Nv12, Region, Rgb888, Scaling, V1, Yuyv};
use ascendcl::stream::Main;
use ascendcl::{Current, Npu};

use crate::common::{assert_clean, bound, isolated, usage};
use crate::media::{engine, jpeg};

type D = Npu<0>;

/// The stride and the rows in memory of a picture of 34 x 18 pixels, and of a decoded file of 48 x 40.
struct Expected {
    chip: Chip,
    nv12: (u32, u32),
    decoded: (u32, u32),
}

/// Decodes, crops and scales by the first interface. The pixels are the same on each chip.
fn first(expected: &Expected) {
    engine();
    bound!(acl, device: D, current);
    let media = acl.media().unwrap().v1().unwrap();
    assert_eq!(media.chip(), expected.chip);
    let layout = media.layout::<Nv12>(34, 18).unwrap();
    assert_eq!(
        (layout.width_stride(), layout.height_stride()),
        expected.nv12
    );
    let mut stream = current.create_stream::<Main>().unwrap();
    let channel = stream.adopt(media.create_channel::<All, _>(current).unwrap());
    let file = jpeg(
        48,
        40,
        &[0x22, 0x11, 0x11],
        &[[50, 60, 70]; 48 * 40].concat(),
    );
    let mut file = stream.adopt(media.jpeg(current, &file).unwrap());
    let picture = media
        .picture_for_jpeg::<Nv12, _>(current, file.info())
        .unwrap();
    let layout = picture.layout();
    assert_eq!(
        (layout.width_stride(), layout.height_stride()),
        expected.decoded
    );
    let picture = stream.adopt(picture);
    let picture = stream
        .with(&channel)
        .decode_jpeg(&mut file, picture)
        .unwrap();
    let out = stream.adopt(media.picture::<Nv12, _>(current, 34, 18).unwrap());
    let near = Interpolation::Nearest;
    let small = stream.with(&channel).resize(&picture, out, near).unwrap();
    let region = Region {
        left: 2,
        top: 4,
        width: 20,
        height: 10,
    };
    let out = stream.adopt(media.picture::<Nv12, _>(current, 20, 10).unwrap());
    let part = stream.with(&channel).crop(&picture, region, out).unwrap();
    refuse(&media, current);
    let idle = stream.synchronize().unwrap();
    for (picture, pixels) in [(small, 34 * 18), (part, 20 * 10)] {
        let picture = idle.take(picture).check().unwrap();
        let colours = [60, 70].repeat(pixels / 4);
        assert_eq!(
            picture.read(current).unwrap(),
            [vec![50; pixels], colours].concat()
        );
    }
    drop((idle.take(picture), idle.take(file), idle.take(channel)));
    assert_clean(&acl);
}

/// Sizes that a chip does not take.
fn refuse(media: &V1<'_>, current: Current<'_, '_, D>) {
    let chip = media.chip();
    let odd = media.picture::<Rgb888, _>(current, 33, 17).unwrap();
    let rows = match chip {
        Chip::Ascend310 | Chip::Ascend910 => 18,
        _ => 17,
    };
    let columns = match chip {
        Chip::Ascend310 | Chip::Ascend910 | Chip::Ascend310P => 48 * 3,
        _ => 33 * 3,
    };
    let layout = odd.layout();
    assert_eq!(
        (layout.width_stride(), layout.height_stride()),
        (columns, rows)
    );
    assert_eq!(
        usage(media.picture::<Yuyv, _>(current, 33, 17)),
        Usage::Media(MediaMismatch::Odd {
            format: "YUYV (YUV422 packed)",
            width: 33,
            height: 17,
            side: "width",
        })
    );
}

/// Scales and pastes by the second interface.
fn second(chip: Chip, pastes_anywhere: bool) {
    engine();
    bound!(acl, device: D, current);
    let media = acl.media().unwrap().v2(current).unwrap();
    assert_eq!(media.chip(), chip);
    let processor = media.create_processor(current).unwrap();
    let pixels: Vec<u8> = (0..34 * 18 * 3).map(|at| (at % 100) as u8).collect();
    let picture = media.picture::<Rgb888>(current, 34, 18).unwrap();
    let picture = Arc::new(picture.write(current, &pixels).unwrap());
    let region = Region {
        left: 0,
        top: 0,
        width: 20,
        height: 10,
    };
    let canvas = || {
        media
            .picture::<Rgb888>(current, 40, 30)
            .unwrap()
            .fill(current, 7)
            .unwrap()
    };
    let paste = Region {
        left: 16,
        top: 4,
        ..region
    };
    let near = Scaling::Nearest;
    let task = processor
        .crop_resize_paste(&picture, region, (canvas(), paste), near)
        .unwrap();
    let pasted = task.wait().unwrap().read(current).unwrap();
    for row in 0..10 {
        let from = &pixels[row * 34 * 3..][..60];
        assert_eq!(&pasted[((row + 4) * 40 + 16) * 3..][..60], from);
    }
    assert_eq!(
        pasted.iter().filter(|byte| **byte == 7).count(),
        40 * 30 * 3 - 600 + sevens(&pixels)
    );
    let paste = Region {
        left: 4,
        top: 4,
        ..region
    };
    let task = processor.crop_resize_paste(&picture, region, (canvas(), paste), near);
    if pastes_anywhere {
        drop(task.unwrap());
    } else {
        assert!(matches!(
            usage(task.map(drop)),
            Usage::Media(MediaMismatch::PasteLeft { left: 4, .. })
        ));
    }
    processor.destroy().unwrap();
    drop(picture);
    media.exit().unwrap();
    assert_clean(&acl);
}

/// The number of sevens in the region that is pasted.
fn sevens(pixels: &[u8]) -> usize {
    let rows = (0..10).map(|row| &pixels[row * 34 * 3..][..60]);
    rows.flatten().filter(|byte| **byte == 7).count()
}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SOC" = "Ascend310"]
    on emulator fn ascend_310_aligns_rows_and_columns() {
        first(&Expected { chip: Chip::Ascend310, nv12: (48, 18), decoded: (128, 48) });
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SOC" = "Ascend910A"]
    on emulator fn ascend_910_aligns_rows_and_columns() {
        first(&Expected { chip: Chip::Ascend910, nv12: (48, 18), decoded: (128, 48) });
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SOC" = "Ascend310P3"]
    on emulator fn ascend_310p_aligns_rows() {
        first(&Expected { chip: Chip::Ascend310P, nv12: (48, 18), decoded: (64, 48) });
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SOC" = "Ascend310B4"]
    on emulator fn ascend_310b_aligns_nothing() {
        first(&Expected { chip: Chip::Ascend310B, nv12: (34, 18), decoded: (64, 48) });
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SOC" = "Ascend910_9391"]
    on emulator fn ascend_910_93_aligns_nothing() {
        first(&Expected { chip: Chip::A3, nv12: (34, 18), decoded: (64, 48) });
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SOC" = "Ascend310P3"]
    on emulator fn ascend_310p_pastes_at_multiples_of_16() {
        second(Chip::Ascend310P, false);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SOC" = "Ascend950PR_9599"]
    on emulator fn ascend_950_pastes_anywhere() {
        second(Chip::Ascend950, true);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SOC" = "Ascend310"]
    on emulator fn ascend_310_has_no_second_interface() {
        bound!(acl, device: D, current);
        let refused = acl.media().unwrap().v2(current).map(drop).unwrap_err().to_string();
        assert!(refused.contains("hi_mpi_sys_init"), "{refused}");
    }
}
