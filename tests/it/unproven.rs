//! Every kind of resource, in every wrapper, by every way out without a proof: the result of a failed task is never good.
//!
//! The task that makes each result fails, and a failed task leaves the status of success in its descriptions. So a wrapper
//! that does not pass on how it was taken vouches for memory that nothing wrote.

use ascendcl::error::MediaMismatch;
use ascendcl::event::{Event, Order};
use ascendcl::media::{All, Channel, Interpolation, Nv12, Picture, V1};
use ascendcl::memory::Dvpp;
use ascendcl::model::Queueing;
use ascendcl::queue::Resource;
use ascendcl::stream::Main;
use ascendcl::{Current, Queued, Stream, StreamName, op};

use crate::common::{assert_clean, bound, isolated};
use crate::media::{D, Q, channel, counted, jpeg, media, mismatch};
use crate::model::{SUM, engine};

enum Second {}
impl StreamName for Second {}

/// Two streams, and what the tasks of the first need.
struct Rig<'t, 'd> {
    current: Current<'t, 'd, D>,
    media: &'t V1<'t>,
    first: Stream<'t, 'd, D, Main>,
    second: Stream<'t, 'd, D, Second>,
    event: Event<'d, D, Order>,
    channel: Queued<'d, Q, Channel<'t, 'd, D, All>>,
    picture: Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12>>,
}

/// The ways out without a proof.
#[derive(Debug, Clone, Copy)]
enum Way {
    Drain,
    Fence,
    OtherStream,
    FailedWait,
}

impl<'t, 'd> Rig<'t, 'd> {
    /// Takes a resource without a proof.
    fn take<R: Resource<D>>(&mut self, way: Way, queued: Queued<'d, Q, R>) -> R {
        match way {
            Way::Drain => self.first.drain().unwrap().take(queued).accept_unverified(),
            Way::Fence => {
                let fence = self.first.fence(&mut self.event, queued).unwrap();
                let (unverified, _) = fence.synchronize().unwrap();
                unverified.accept_unverified()
            }
            Way::OtherStream => {
                let moved = self
                    .first
                    .handoff(&mut self.second, &mut self.event, queued);
                let moved = moved.unwrap().accept_unverified();
                self.second.synchronize().unwrap().take(moved)
            }
            Way::FailedWait => {
                // Only that of a task can fail.
                drop(self.first.synchronize().err());
                self.first.drain().unwrap().take(queued).accept_unverified()
            }
        }
    }

    fn buffer(&mut self) -> Queued<'d, Q, ascendcl::DeviceBuf<'d, D, [u8]>> {
        let fresh = self.first.malloc(32).unwrap();
        self.first.memset_async(fresh, 1).unwrap()
    }

    /// Takes resources of one kind in every wrapper by every way, and asserts something of each.
    fn cross<R: Resource<D> + std::fmt::Debug>(
        &mut self,
        make: impl Fn(&mut Self) -> Queued<'d, Q, R>,
        assert: impl Fn(R, &str),
    ) {
        for way in [Way::Drain, Way::Fence, Way::OtherStream, Way::FailedWait] {
            let assert = |resource, wrapper: &str| assert(resource, &format!("{way:?}, {wrapper}"));
            let queued = make(self);
            assert(self.take(way, queued), "bare");
            let queued = make(self).and(self.buffer());
            assert(self.take(way, queued).0, "left of a pair");
            let queued = self.buffer();
            let queued = queued.and(make(self));
            assert(self.take(way, queued).1, "right of a pair");
            let queued = make(self).share();
            assert(self.take(way, queued).try_unwrap().unwrap(), "share");
            let queued = make(self).share();
            let other = queued.clone();
            let kept = self.take(way, queued);
            drop(self.take(way, other));
            assert(kept.try_unwrap().unwrap(), "one of two shares");
            let queued = make(self).share().share();
            let inner = self.take(way, queued).try_unwrap().unwrap();
            assert(inner.try_unwrap().unwrap(), "share of a share");
            let queued = make(self).and(self.buffer()).share();
            let pair = self.take(way, queued).try_unwrap().unwrap();
            assert(pair.0, "share of a pair");
            let queued = make(self).share().and(self.buffer());
            let shared = self.take(way, queued).0;
            assert(shared.try_unwrap().unwrap(), "pair of a share");
            // The failures are those of the tasks above.
            self.first.drain().unwrap();
        }
    }

    fn resized(&mut self) -> Queued<'d, Q, Picture<'d, Dvpp<D>, Nv12, ascendcl::media::Unchecked>> {
        let out = self.media.picture::<Nv12, _>(self.current, 32, 16).unwrap();
        let out = self.first.adopt(out);
        let near = Interpolation::Nearest;
        self.first
            .with(&self.channel)
            .resize(&self.picture, out, near)
            .unwrap()
    }
}

/// Runs `body` with two streams.
macro_rules! rigged {
    ($rig:ident, $body:block) => {{
        bound!(acl, device: D, current);
        let media = media(&acl);
        let first = current.create_stream::<Main>().unwrap();
        let picture = counted::<Nv12>(&media, current, (64, 48), 64 * 48 * 3 / 2);
        let mut $rig = Rig {
            current,
            second: current.create_stream::<Second>().unwrap(),
            event: current.create_event::<Order>().unwrap(),
            channel: channel(&media, current, &first),
            picture: first.adopt(picture),
            media: &media,
            first,
        };
        $body
        // The first stream may have failed.
        let drained = $rig.first.drain().unwrap();
        drop(drained.take($rig.channel).accept_unverified());
        drop(drained.take($rig.picture).accept_unverified());
        assert_clean(&acl);
    }};
}

isolated! {
    [
        "ASCENDCL_BACKEND" = "emulator",
        // A result that nothing proves is read.
        "ASCENDCL_EMULATOR_CHECK" = "0",
        "ASCENDCL_EMULATOR_FAULTS" = "task:acldvppVpcResizeAsync#1+=507001,task:acldvppJpegEncodeAsync#1+=507001,task:acldvppVpcCalcHistAsync#1+=507001",
    ]
    on emulator fn a_failed_result_is_good_in_no_wrapper() {
        rigged!(rig, {
            let current = rig.current;
            let of = |call| MediaMismatch::Unproven { call };
            let resize = of("acldvppVpcResizeAsync");
            rig.cross(Rig::resized, |picture, how| assert_eq!(mismatch(picture.check()), resize, "{how}"));
            rig.cross(
                |rig| {
                    let (picture, status) = rig.resized().detach_status();
                    drop(picture);
                    status
                },
                |status, how| assert_eq!(mismatch(status.check()), resize, "{how}"),
            );
            rig.cross(
                |rig| rig.first.with(&rig.channel).histogram(&rig.picture).unwrap(),
                |histogram, how| assert_eq!(mismatch(histogram.check()), of("acldvppVpcCalcHistAsync"), "{how}"),
            );
            rig.cross(
                |rig| {
                    let size = rig.channel.predict_encoded(&rig.picture, 90).unwrap();
                    let file = rig.first.adopt(rig.current.malloc_dvpp(size).unwrap());
                    rig.first.with(&rig.channel).encode_jpeg(&rig.picture, 90, file).unwrap()
                },
                |file, how| assert_eq!(mismatch(file.check(current)), of("acldvppJpegEncodeAsync"), "{how}"),
            );
        });
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn what_vouches_for_nothing_comes_back_from_every_wrapper() {
        engine();
        rigged!(rig, {
            let current = rig.current;
            rig.cross(Rig::buffer, |buffer, how| assert_eq!(buffer.len(), 32, "{how}"));
            rig.cross(
                |rig| {
                    let a = rig.first.malloc::<f32>(4).unwrap();
                    let a = rig.first.memset_async(a, 0).unwrap();
                    let out = rig.first.malloc::<i64>(4).unwrap().into_tensor_up_to(&[4, 1]).unwrap();
                    let plan = op::nonzero(rig.current, &a.tensor(&[4]).unwrap(), out).unwrap();
                    plan.launch(&mut rig.first).unwrap().into_output()
                },
                |counted, how| assert_eq!(counted.shape().unwrap(), [0, 1], "{how}"),
            );
            rig.cross(
                |rig| {
                    let file = jpeg(16, 16, &[0x22, 0x11, 0x11], &[1; 16 * 16 * 3]);
                    let file = rig.media.jpeg(rig.current, &file).unwrap();
                    rig.first.adopt(file)
                },
                |file, how| assert_eq!(file.info().width(), 16, "{how}"),
            );
            rig.cross(
                |rig| rig.first.adopt(rig.media.create_channel::<All, _>(rig.current).unwrap()),
                |channel, how| assert!(channel.destroy().is_ok(), "{how}"),
            );
            rig.cross(
                |rig| rig.first.adopt(current.load_model_from::<Queueing>(SUM).unwrap()),
                |model, how| assert!(model.unload().is_ok(), "{how}"),
            );
        });
    }
}
