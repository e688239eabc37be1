//! A folder of JPEGs beside Pillow: the committed ones, or those of `ASCENDCL_TEST_PICTURES` (`generate.py --many`).

use std::path::PathBuf;

use super::first::{Channel, decode_with_room, planes};
use super::*;

/// The greatest and the mean difference that a plane may have: of brightness, of colours, and of the last colours of the
/// rows. 1000 random pictures have differences of 1 and 0.018, of 8 and 0.34, and of 17 and 2.7. The decoder
/// interpolates the last colours of a row with what lies behind them in their block, and libjpeg does not.
const LIMITS: [(u8, f64); 3] = [(2, 0.2), (8, 0.5), (24, 4.0)];

fn folder() -> PathBuf {
    match std::env::var_os("ASCENDCL_TEST_PICTURES") {
        Some(folder) => folder.into(),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/pictures"),
    }
}

/// The format that keeps the sampling of a file, with the number of pixels that share a colour.
fn kept(format: acldvppJpegFormat) -> (acldvppPixelFormat, usize, usize) {
    match format {
        ACL_JPEG_CSS_444 => (PIXEL_FORMAT_YUV_SEMIPLANAR_444, 1, 1),
        ACL_JPEG_CSS_422 => (PIXEL_FORMAT_YUV_SEMIPLANAR_422, 2, 1),
        _ => (PIXEL_FORMAT_YUV_SEMIPLANAR_420, 2, 2),
    }
}

#[test]
fn a_folder_of_pictures_is_decoded_as_pillow_decodes_it() {
    let _guard = start();
    let channel = Channel::new();
    let mut compared = 0;
    let mut worst = [(0_u8, 0.0_f64); 3];
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let expected = std::fs::read(path.with_extension("yuv"));
        let (true, Ok(yuv)) = (path.extension().is_some_and(|name| name == "jpg"), expected) else {
            continue;
        };
        let bytes = std::fs::read(&path).unwrap();
        let (mut width, mut height, mut components) = (0, 0, 0);
        let mut format = ACL_JPEG_CSS_UNKNOWN;
        check!(media.acldvppJpegGetImageInfoV2(
            bytes.as_ptr().cast(),
            bytes.len() as u32,
            &mut width,
            &mut height,
            &mut components,
            &mut format
        ));
        let (format, across, down) = kept(format);
        // Odd sides become even where pixels share a colour.
        let (stride, gray) = (width as usize, components == 1);
        let even = |side: u32, unit: usize| {
            if gray {
                side as usize
            } else {
                side as usize / unit * unit
            }
        };
        let (width, height) = (even(width, across), even(height, down));
        let (columns, rows) = (width.next_multiple_of(64), height.next_multiple_of(16));
        let room = (format, (columns * rows * 3) as u32);
        let (code, picture) = decode_with_room(&channel, &bytes, room, false);
        assert_eq!(
            code,
            0,
            "{path:?}: {:?}",
            ascendcl_emulator::take_violations()
        );
        let (bright, colours) = planes(&yuv, width, height, stride, across, down);
        let ours = picture.rows(0, columns, width, height);
        let of_bright = difference(&ours, &bright);
        let (row, lines) = (width / across * 2, height / down);
        let ours = picture.rows(columns * rows, columns * 2 / across, row, lines);
        let all = || ours.iter().copied().zip(colours.iter().copied());
        let is_last = |index: &usize| index % row >= row - 2;
        let (inner, last): (Vec<_>, Vec<_>) = (0..ours.len())
            .zip(all())
            .partition(|(index, _)| !is_last(index));
        let of = |pairs: Vec<(usize, (u8, u8))>| {
            let (ours, theirs): (Vec<_>, Vec<_>) = pairs.into_iter().map(|(_, pair)| pair).unzip();
            difference(&ours, &theirs)
        };
        for (worst, of) in worst.iter_mut().zip([of_bright, of(inner), of(last)]) {
            *worst = (worst.0.max(of.0), worst.1.max(of.1));
        }
        compared += 1;
        picture.end();
    }
    channel.end();
    assert!(compared >= 5, "{compared} pictures");
    for ((most, mean), limit) in worst.into_iter().zip(LIMITS) {
        assert!(
            most <= limit.0 && mean <= limit.1,
            "{compared} pictures: {worst:?}"
        );
    }
}
