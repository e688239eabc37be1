//! The mistakes that the checker finds.

use ascendcl_emulator::Mistake;

use super::*;

/// The findings as their kinds with the call that was noticed.
fn found() -> Vec<(Mistake, String)> {
    let first = |finding: ascendcl_emulator::Finding| {
        (finding.mistake, finding.calls[0].1.call.to_string())
    };
    take_findings().into_iter().map(first).collect()
}

fn queue_crop(channel: &Channel, source: &Picture, dest: &Picture, stream: aclrtStream) {
    let area = roi(0, 31, 0, 15);
    check!(media.acldvppVpcCropAsync(channel.desc, source.desc, dest.desc, area, stream));
    check!(media.acldvppDestroyRoiConfig(area));
}

#[test]
fn objects_and_memory_live_until_the_wait() {
    let _serial = start_checked();
    let channel = Channel::new();
    let (source, dest) = (gray(32, 16, &[1; 512]), gray(32, 16, &[0; 512]));
    queue_crop(&channel, &source, &dest, channel.stream);
    assert_eq!(found(), [], "nothing is wrong yet");
    // Read too early: it is no result yet.
    let _ = dest.code();
    assert_eq!(
        found(),
        [(
            Mistake::NotSynchronised,
            "acldvppGetPicDescRetCode".to_owned()
        )]
    );
    channel.wait();
    let _ = dest.code();
    assert_eq!(found(), []);
    // Destroyed too early.
    queue_crop(&channel, &source, &dest, channel.stream);
    check!(media.acldvppDestroyPicDesc(source.desc));
    assert_eq!(
        found(),
        [(Mistake::FreedInUse, "acldvppDestroyPicDesc".to_owned())]
    );
    channel.wait();
    // Freed too early.
    let again = gray(32, 16, &[1; 512]);
    queue_crop(&channel, &again, &dest, channel.stream);
    check!(media.acldvppFree(again.memory));
    assert_eq!(found(), [(Mistake::FreedInUse, "acldvppFree".to_owned())]);
    let _ = call!(stream.aclrtSynchronizeStream(channel.stream));
    check!(media.acldvppDestroyPicDesc(again.desc));
    check!(media.acldvppFree(source.memory));
    dest.end();
    // The channel.
    let (source, dest) = (gray(32, 16, &[1; 512]), gray(32, 16, &[0; 512]));
    let _ = take_findings();
    queue_crop(&channel, &source, &dest, channel.stream);
    check!(media.acldvppDestroyChannel(channel.desc));
    assert_eq!(
        found(),
        [(Mistake::FreedInUse, "acldvppDestroyChannel".to_owned())]
    );
    channel.wait();
    check!(media.acldvppDestroyChannelDesc(channel.desc));
    check!(stream.aclrtDestroyStream(channel.stream));
    dest.end();
    source.end();
}

#[test]
fn a_channel_serves_one_stream_at_a_time() {
    let _serial = start_checked();
    let channel = Channel::new();
    let pictures: Vec<_> = (0..4).map(|_| gray(32, 16, &[1; 512])).collect();
    let second = stream();
    queue_crop(&channel, &pictures[0], &pictures[1], channel.stream);
    queue_crop(&channel, &pictures[2], &pictures[3], second);
    let mistakes: Vec<_> = found().into_iter().map(|(mistake, _)| mistake).collect();
    assert_eq!(mistakes, [Mistake::Unordered]);
    channel.wait();
    check!(stream.aclrtSynchronizeStream(second));
    // After the wait the other stream may use it.
    queue_crop(&channel, &pictures[0], &pictures[1], second);
    assert_eq!(found(), []);
    check!(stream.aclrtSynchronizeStream(second));
    check!(stream.aclrtDestroyStream(second));
    pictures.into_iter().for_each(Picture::end);
    channel.end();
}

#[test]
fn a_picture_that_was_never_written_is_reported() {
    let _serial = start_checked();
    let channel = Channel::new();
    let (source, dest) = (gray(32, 16, &[1; 512]), gray(32, 16, &[0; 512]));
    let fresh = dvpp(512);
    check!(media.acldvppSetPicDescData(source.desc, fresh));
    queue_crop(&channel, &source, &dest, channel.stream);
    assert_eq!(
        found(),
        [(Mistake::Uninitialised, "acldvppVpcCropAsync".to_owned())]
    );
    channel.wait();
    check!(media.acldvppFree(fresh));
    dest.end();
    source.end();
    channel.end();
}
