//! Encoding, beside libjpeg: both have the same data if pixels shared their colours before, and if no block is beyond an edge.

use super::first::{Channel, Picture, malloc, scan_of};
use super::*;

const WIDTH: usize = 58;
const HEIGHT: usize = 44;
const STRIDE: usize = 64;

#[test]
fn a_picture_is_encoded_as_libjpeg_encodes_it() {
    let _guard = start();
    let channel = Channel::new();
    let mut bytes = vec![0; STRIDE * HEIGHT * 3 / 2];
    let rows = file("encoded.nv12");
    for (to, from) in bytes.chunks_mut(STRIDE).zip(rows.chunks(WIDTH)) {
        to[..WIDTH].copy_from_slice(from);
    }
    let source = Picture::new(
        PIXEL_FORMAT_YUV_SEMIPLANAR_420,
        (WIDTH as u32, HEIGHT as u32),
        (STRIDE as u32, HEIGHT as u32),
        bytes.len() as u32,
    );
    copy_in(source.memory, &bytes);
    let config = call!(acldvppCreateJpegeConfig());
    let (desc, stream, room) = (channel.desc, channel.stream, 1 << 16);
    let output = malloc(room);
    for quality in [10, 75, 95] {
        check!(media.acldvppSetJpegeConfigLevel(config, quality));
        let mut size = room as u32;
        check!(media.acldvppJpegEncodeAsync(desc, source.desc, output, &mut size, config, stream));
        check!(stream.aclrtSynchronizeStream(stream));
        let (ours, theirs) = (
            copy_out(output, size as usize),
            file(&format!("encoded_{quality}.jpg")),
        );
        let (our_scan, their_scan) = (scan_of(&ours), scan_of(&theirs));
        assert_eq!(ours[our_scan..], theirs[their_scan..], "{quality}");
    }
    check!(media.acldvppDestroyJpegeConfig(config));
    check!(media.acldvppFree(output));
    source.end();
    channel.end();
}
