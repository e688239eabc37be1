//! The first interface: results that no wait has proven are not good, in each wrapper and by each way out of a stream.

use ascendcl::StreamName;
use ascendcl::error::MediaMismatch;
use ascendcl::event::OrderProgress;
use ascendcl::media::{Interpolation, Nv12};
use ascendcl::stream::Main;

use crate::common::{bound, isolated};
use crate::media::{D, channel, counted, media, mismatch};

enum Second {}
impl StreamName for Second {}

/// The ways out of a stream that prove no success. The last one spoils the stream.
#[derive(Debug, Clone, Copy)]
enum Way {
    Drain,
    Fence,
    OtherStream,
    FailedWait,
}

const WAYS: [Way; 4] = [Way::Drain, Way::Fence, Way::OtherStream, Way::FailedWait];

isolated! {
    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_result_without_a_proof_is_not_good_whatever_its_status() {
        bound!(acl, device: D, current);
        let media = media(&acl);
        let mut stream = current.create_stream::<Main>().unwrap();
        let mut second = current.create_stream::<Second>().unwrap();
        let mut event = current.create_event::<OrderProgress>().unwrap();
        let mut channel = channel(&media, current, &stream);
        let picture = stream.adopt(counted::<Nv12>(&media, current, (64, 48), 64 * 48 * 3 / 2));
        let size = channel.predict_encoded(&picture, 90).unwrap();

        macro_rules! resized {
            () => {{
                let out = stream.adopt(media.picture::<Nv12, _>(current, 32, 16).unwrap());
                channel.resize(&mut stream, &picture, out, Interpolation::Nearest).unwrap()
            }};
        }
        macro_rules! encoded {
            () => {{
                let file = stream.adopt(current.malloc_dvpp(size).unwrap());
                channel.encode_jpeg(&mut stream, &picture, 90, file).unwrap()
            }};
        }
        macro_rules! memory {
            () => { stream.memset_async(stream.malloc::<u8>(4).unwrap(), 0).unwrap() };
        }
        macro_rules! out {
            ($way:ident, $queued:expr) => {{
                let queued = $queued;
                match $way {
                    Way::Drain => stream.drain().unwrap().take(queued).accept_unverified(),
                    Way::Fence => {
                        let fence = stream.fence(&mut event, queued).unwrap();
                        fence.synchronize().unwrap().0.accept_unverified()
                    }
                    Way::OtherStream => {
                        let queued = stream.handoff(&mut second, &mut event, queued).unwrap();
                        second.synchronize().unwrap().take(queued.accept_unverified())
                    }
                    Way::FailedWait => {
                        assert!(stream.synchronize().is_err());
                        stream.drain().unwrap().take(queued).accept_unverified()
                    }
                }
            }};
        }
        macro_rules! whole {
            ($shared:expr) => { $shared.try_unwrap().ok().unwrap() };
        }
        // Every wrapper of one kind of result.
        macro_rules! each_wrapper {
            ($way:ident, $call:literal, $make:expr, |$result:ident| $check:expr) => {{
                let results = [
                    out!($way, $make),
                    whole!(out!($way, $make.share())),
                    whole!(whole!(out!($way, $make.share().share()))),
                    out!($way, $make.and(memory!())).0,
                    out!($way, memory!().and($make)).1,
                    whole!(out!($way, $make.and(memory!()).share())).0,
                    whole!(out!($way, $make.share().and(memory!())).0),
                ];
                for (wrapper, $result) in results.into_iter().enumerate() {
                    let unproven = MediaMismatch::Unproven { call: $call };
                    assert_eq!(mismatch($check), unproven, "{:?}, wrapper {wrapper}", $way);
                }
            }};
        }

        // The same results behind a wait that has succeeded are good.
        let (small, file) = (resized!().share().share(), encoded!().share());
        let histogram = channel.histogram(&mut stream, &picture).unwrap().share();
        let (behind, status) = resized!().detach_status();
        let status = status.share();
        let idle = stream.synchronize().unwrap();
        let small = whole!(whole!(idle.take(small)));
        assert_eq!(small.check().unwrap().width(), 32);
        assert!(whole!(idle.take(file)).check(current).is_ok());
        assert!(whole!(idle.take(histogram)).check().is_ok());
        assert!(whole!(idle.take(status)).check().is_ok());
        drop(idle.take(behind));

        for way in WAYS {
            if let Way::FailedWait = way {
                drop(stream.launch_host_func(|| panic!("the waits behind this fail")));
            }
            each_wrapper!(way, "acldvppVpcResizeAsync", resized!(), |picture| picture.check());
            each_wrapper!(way, "acldvppJpegEncodeAsync", encoded!(), |file| file.check(current));
            each_wrapper!(
                way,
                "acldvppVpcCalcHistAsync",
                channel.histogram(&mut stream, &picture).unwrap(),
                |histogram| histogram.check()
            );
            each_wrapper!(
                way,
                "acldvppVpcResizeAsync",
                resized!().detach_status().1,
                |status| status.check()
            );
        }
        let drained = stream.drain().unwrap();
        drop((drained.take(picture).accept_unverified(), drained.take(channel).accept_unverified()));
    }
}
