//! Memory that is dropped while it is queued, in programs that wait for events and never for a stream: a wait frees what was
//! dropped in front of the event, also on streams in front of it, and nothing behind it.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::Duration;

use ascendcl::bounds::StreamTag;
use ascendcl::event::{EventStatus, Order, OrderProgress, Progress};
use ascendcl::stream::Main;
use ascendcl::{Acl, Current, Npu, Stream, StreamName, Thread, leaks, op, sys};

use crate::common::{host, isolated};
use crate::parking::{free, on_device};

type D = Npu<0>;

enum Second {}
impl StreamName for Second {}
enum Third {}
impl StreamName for Third {}

const MIB: usize = 1 << 20;

/// Queues a fill of fresh memory, and drops the memory.
fn drop_queued<S: StreamTag>(stream: &mut Stream<'_, '_, D, S>, mib: usize) {
    drop(
        stream
            .memset_async(stream.malloc::<u8>(mib * MIB).unwrap(), 1)
            .unwrap(),
    );
}

/// Runs `test` with a function that says how many MiB are in use since the start.
fn with_used(test: impl FnOnce(Current<'_, '_, D>, &dyn Fn() -> usize)) {
    on_device(|_, current| {
        let start = free(current);
        test(current, &|| (start - free(current)) / MIB);
    });
}

isolated! {
    /// Three streams in a row, fresh memory in each batch, and a wait for the fence of the last stream only.
    fn a_pipeline_with_fresh_memory_is_flat() {
        on_device(|acl, current| {
            let side = host(acl);
            let mut up = current.create_stream::<Main>().unwrap();
            let mut compute = current.create_stream::<Second>().unwrap();
            let mut down = current.create_stream::<Third>().unwrap();
            let mut order = current.create_event::<Order>().unwrap();
            let mut on_their_way = VecDeque::new();
            let mut first = None;
            for batch in 0..300_u16 {
                let numbers = up.malloc_host_from(side, &[f32::from(batch); 64]).unwrap();
                let input = up.memcpy_async(up.malloc(64).unwrap(), &numbers).unwrap();
                let input = up.handoff(&mut compute, &mut order, input).unwrap();
                let input = input.tensor(&[64]).unwrap();
                let output = compute.malloc(64).unwrap().into_tensor(&[64]).unwrap();
                let plan = op::add(current, &input, &input, 1.0, output).unwrap();
                let output = plan.launch(&mut compute).unwrap().into_output();
                let output = compute.handoff(&mut down, &mut order, output).unwrap();
                let back = down.malloc_host(side, 64).unwrap();
                let back = down.memcpy_async(back, &output).unwrap();
                let event = current.create_event::<Progress>().unwrap();
                on_their_way.push_back(down.fence(event, back).unwrap());
                if on_their_way.len() == 3 {
                    let (back, _) = on_their_way.pop_front().unwrap().synchronize().unwrap();
                    assert_eq!(back.accept_unverified()[0], f32::from(batch - 2) * 2.0);
                }
                // At most a few batches are parked.
                let free = free(current);
                if batch >= 10 {
                    assert!(free + MIB > *first.get_or_insert(free), "at batch {batch}");
                }
            }
        });
    }

    /// Which of the parked memory a fence frees: what was dropped in front of it, on its stream and, by the hand-over, on the
    /// stream in front of that.
    fn a_fence_frees_what_is_in_front_of_it() {
        with_used(|current, used| {
            let mut one = current.create_stream::<Main>().unwrap();
            let mut two = current.create_stream::<Second>().unwrap();
            let mut order = current.create_event::<Order>().unwrap();
            let small = one.memset_async(one.malloc::<u8>(64).unwrap(), 0).unwrap();
            let other = one.memset_async(one.malloc::<u8>(64).unwrap(), 0).unwrap();
            drop_queued(&mut one, 8);
            let there = one.handoff(&mut two, &mut order, small).unwrap();
            drop_queued(&mut two, 4);
            let fence = two.fence(current.create_event::<Order>().unwrap(), there).unwrap();
            let own = one.fence(current.create_event::<Order>().unwrap(), other).unwrap();
            let (go, gate) = channel();
            one.launch_host_func(move || gate.recv().unwrap()).unwrap();
            drop_queued(&mut one, 16);
            drop_queued(&mut two, 32);
            assert_eq!(used(), 8 + 4 + 16 + 32);
            drop(fence.synchronize().unwrap());
            assert_eq!(used(), 16 + 32, "behind the fence");
            drop(own.synchronize().unwrap());
            assert_eq!(used(), 16 + 32, "an older point of the first stream");
            let _ = two.synchronize().unwrap();
            assert_eq!(used(), 16, "the second stream is idle");
            go.send(()).unwrap();
            let _ = one.synchronize().unwrap();
            assert_eq!(used(), 0, "both are");
        });
    }

    /// The orders of more than two streams are followed to their start, and each stream counts only up to its point.
    fn orders_are_followed_through_streams() {
        with_used(|current, used| {
            let mut one = current.create_stream::<Main>().unwrap();
            let mut two = current.create_stream::<Second>().unwrap();
            let mut three = current.create_stream::<Third>().unwrap();
            let small = one.memset_async(one.malloc::<u8>(64).unwrap(), 0).unwrap();
            drop_queued(&mut one, 1);
            let fence = one.fence(current.create_event::<Order>().unwrap(), small).unwrap();
            let (go, gate) = channel();
            one.launch_host_func(move || gate.recv().unwrap()).unwrap();
            drop_queued(&mut one, 2);
            let (small, event) = two.wait_fence(fence).unwrap();
            drop_queued(&mut two, 4);
            let fence = two.fence(event, small).unwrap();
            let (small, _event) = three.wait_fence(fence).unwrap();
            drop_queued(&mut three, 8);
            assert_eq!(used(), 1 + 2 + 4 + 8);
            let idle = three.synchronize().unwrap();
            drop(idle.take(small).accept_unverified());
            assert_eq!(used(), 2, "the wait for the third stream");
            go.send(()).unwrap();
            let _ = one.synchronize().unwrap();
            assert_eq!(used(), 0);
        });
    }

    /// Memory with two readers is freed behind the points of both.
    fn a_share_waits_for_both_of_its_readers() {
        with_used(|current, used| {
            let mut one = current.create_stream::<Main>().unwrap();
            let mut two = current.create_stream::<Second>().unwrap();
            let weights = one.memset_async(one.malloc::<u8>(2 * MIB).unwrap(), 1).unwrap();
            let fence = one.fence(current.create_event::<Order>().unwrap(), weights.share()).unwrap();
            let for_two = two.wait_shared(&fence).unwrap();
            drop(for_two);
            drop(fence);
            let mut event = current.create_event::<OrderProgress>().unwrap();
            let small = two.adopt(current.malloc::<u8>(64).unwrap());
            drop(two.fence(&mut event, small).unwrap().synchronize().unwrap());
            assert_eq!(used(), 2, "the first stream may read it");
            let small = one.adopt(current.malloc::<u8>(64).unwrap());
            drop(one.fence(&mut event, small).unwrap().synchronize().unwrap());
            assert_eq!(used(), 0);
        });
    }

    /// An event that gets another fence, on another stream, says nothing of the first one any more.
    fn a_cancelled_fence_frees_nothing() {
        with_used(|current, used| {
            let mut one = current.create_stream::<Main>().unwrap();
            let mut two = current.create_stream::<Second>().unwrap();
            let (go, gate) = channel();
            one.launch_host_func(move || gate.recv().unwrap()).unwrap();
            drop_queued(&mut one, 1);
            let event = current.create_event::<Progress>().unwrap();
            let small = one.adopt(current.malloc::<u8>(64).unwrap());
            let (small, event) = one.fence(event, small).unwrap().cancel();
            let other = two.adopt(current.malloc::<u8>(64).unwrap());
            drop_queued(&mut two, 2);
            drop(two.fence(event, other).unwrap().synchronize().unwrap());
            assert_eq!(used(), 1);
            go.send(()).unwrap();
            drop(one.synchronize().unwrap().take(small));
            assert_eq!(used(), 0);
        });
    }

    /// A point without memory frees what is in front of it, on its stream and on a stream that this one has waited for.
    fn a_recorded_point_frees_as_a_fence_does() {
        with_used(|current, used| {
            let mut one = current.create_stream::<Main>().unwrap();
            let mut two = current.create_stream::<Second>().unwrap();
            let mut order = current.create_event::<Order>().unwrap();
            let mut event = current.create_event::<OrderProgress>().unwrap();
            drop_queued(&mut one, 1);
            two.wait(one.record(&mut order).unwrap()).unwrap();
            let (go, gate) = channel();
            one.launch_host_func(move || gate.recv().unwrap()).unwrap();
            drop_queued(&mut one, 2);
            drop_queued(&mut two, 4);
            let point = two.record(&mut event).unwrap();
            drop_queued(&mut two, 8);
            assert_eq!(used(), 1 + 2 + 4 + 8);
            point.synchronize().unwrap();
            assert_eq!(used(), 2 + 8);
            point.synchronize().unwrap();
            assert_eq!(used(), 2 + 8, "the same point again");
            let point = two.record(&mut event).unwrap();
            while point.query().unwrap() == EventStatus::NotReady {
                std::thread::yield_now();
            }
            assert_eq!(used(), 2, "the answer of a question");
            drop_queued(&mut two, 16);
            let point = two.record(&mut event).unwrap();
            point.synchronize_within(Duration::from_secs(60)).unwrap();
            assert_eq!(used(), 2, "a wait with a limit");
            go.send(()).unwrap();
            one.record(&mut event).unwrap().synchronize().unwrap();
            assert_eq!(used(), 0);
        });
    }

    /// The default streams of all contexts have one address.
    fn points_of_default_streams_free_what_is_theirs() {
        with_used(|current, used| {
            let mut default = current.default_stream().unwrap();
            let mut other = current.create_stream::<Second>().unwrap();
            let mut order = current.create_event::<Order>().unwrap();
            drop_queued(&mut other, 1);
            default.wait(other.record(&mut order).unwrap()).unwrap();
            drop_queued(&mut default, 2);
            let small = default.adopt(current.malloc::<u8>(64).unwrap());
            let small = default.fence(&mut order, small).unwrap();
            drop_queued(&mut default, 4);
            drop(small.synchronize().unwrap());
            assert_eq!(used(), 4);
            let point = default.record(&mut order).unwrap();
            other.wait(point).unwrap();
            let _ = other.synchronize().unwrap();
            assert_eq!(used(), 0);
        });
    }

    /// While waits without memory have a limit, a stream may give up such a wait, so its later points prove nothing of the
    /// other stream.
    fn a_wait_with_a_limit_is_no_order() {
        let mut acl = crate::common::acl();
        acl.set_op_wait_timeout(Some(Duration::from_secs(1000))).unwrap();
        acl.finalize().unwrap(); // the limit stays
        with_used(|current, used| {
            let mut one = current.create_stream::<Main>().unwrap();
            let mut two = current.create_stream::<Second>().unwrap();
            let mut order = current.create_event::<Order>().unwrap();
            drop_queued(&mut one, 1);
            two.wait(one.record(&mut order).unwrap()).unwrap();
            let _ = two.synchronize().unwrap();
            assert_eq!(used(), 1);
            let mut default = current.default_stream().unwrap();
            default.wait(one.record(&mut order).unwrap()).unwrap();
            let _ = default.synchronize().unwrap();
            assert_eq!(used(), 1);
            let _ = one.synchronize().unwrap();
            assert_eq!(used(), 0);
        });
    }

    /// Nor is it one where other code of the process may have set a limit.
    fn a_wait_beside_other_code_is_no_order() {
        let acl = Acl::attach().unwrap();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut one = current.create_stream::<Main>().unwrap();
        let mut two = current.create_stream::<Second>().unwrap();
        let mut order = current.create_event::<Order>().unwrap();
        drop_queued(&mut one, 1);
        two.wait(one.record(&mut order).unwrap()).unwrap();
        let _ = two.synchronize().unwrap();
        assert_eq!(ascendcl::parked_bytes(), MIB);
        let _ = one.synchronize().unwrap();
        assert_eq!(ascendcl::parked_bytes(), 0);
    }

    /// A stream that is aborted has not waited for the others.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn an_aborted_wait_is_no_order() {
        let acl = crate::common::acl();
        let mut thread = Thread::claim().unwrap();
        let limit = Duration::from_millis(500);
        let device = acl.set_device::<D>(&mut thread, 0).unwrap().release_within(limit).unwrap();
        let current = thread.set_current(&device).unwrap();
        let start = free(current);
        let used = || (start - free(current)) / MIB;
        let mut one = current.create_stream::<Main>().unwrap();
        let mut two = current.create_stream::<Second>().unwrap();
        let mut order = current.create_event::<Order>().unwrap();
        crate::release_limit::hang(&one);
        drop_queued(&mut one, 1);
        two.wait(one.record(&mut order).unwrap()).unwrap();
        drop_queued(&mut two, 2);
        two.destroy().unwrap_err();
        assert_eq!(used(), 1, "the first stream uses it");
        one.destroy().unwrap_err();
        assert_eq!(used(), 0);
        drop(order);
        device.reset().unwrap();
        assert_eq!(leaks(), 0);
    }

    /// An event of another library completes behind the work of its last record, which is not that of this crate.
    fn a_point_of_other_code_frees_nothing() {
        with_used(|current, used| {
            let mut one = current.create_stream::<Main>().unwrap();
            let mut two = current.create_stream::<Second>().unwrap();
            let torch = current.create_event::<OrderProgress>().unwrap();
            // SAFETY: a live event of these flags; its owner does not use it below.
            let mut event = unsafe { current.borrow_raw_event::<OrderProgress>(torch.as_raw()) }.unwrap();
            let (go, gate) = channel();
            one.launch_host_func(move || gate.recv().unwrap()).unwrap();
            drop_queued(&mut one, 1);
            one.record(&mut event).unwrap();
            // SAFETY: live handles of this context.
            assert_eq!(unsafe { sys::aclrtRecordEvent(torch.as_raw(), two.as_raw()) }, 0);
            // SAFETY: recorded just now on a stream of this device.
            let point = unsafe { event.assume_recorded::<Second>() };
            point.synchronize().unwrap();
            assert_eq!(used(), 1);
            assert_eq!(point.query().unwrap(), EventStatus::Complete);
            two.wait(point).unwrap();
            let _ = two.synchronize().unwrap();
            assert_eq!(used(), 1);
            go.send(()).unwrap();
            let _ = one.synchronize().unwrap();
            assert_eq!(used(), 0);
        });
    }

    /// More fences than a device remembers: what is forgotten is freed by a wait for the stream.
    fn forgotten_fences_only_free_later() {
        with_used(|current, used| {
            let mut stream = current.create_stream::<Main>().unwrap();
            let mut first = current.create_event::<Progress>().unwrap();
            drop_queued(&mut stream, 1);
            let [small, other] = [(); 2].map(|()| stream.adopt(current.malloc::<u8>(64).unwrap()));
            let fence = stream.fence(&mut first, small).unwrap();
            let mut other = other;
            let mut events = Vec::new();
            for _ in 0..300 {
                let later = current.create_event::<Progress>().unwrap();
                let (queued, later) = stream.fence(later, other).unwrap().cancel();
                other = queued;
                events.push(later);
            }
            drop(fence.synchronize().unwrap());
            assert_eq!(used(), 1);
            let _ = stream.synchronize().unwrap();
            assert_eq!(used(), 0);
        });
    }

    /// A loop that never waits is told to do so before memory runs out: by default at a tenth of the device's memory.
    ["ASCENDCL_EMULATOR_MEMORY" = "2000MiB"]
    on emulator fn the_hook_learns_once_of_much_parked_memory() {
        static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());
        ascendcl::on_release_failure(|error| TOLD.lock().unwrap().push(error.to_string()));
        let drop_until_told = |current: Current<'_, '_, D>| {
            let mut stream = current.create_stream::<Main>().unwrap();
            let rounds = (0..120).take_while(|_| {
                drop_queued(&mut stream, 10);
                TOLD.lock().unwrap().is_empty()
            });
            let mib = 10 * (rounds.count() + 1);
            (0..10).for_each(|_| drop_queued(&mut stream, 10));
            let told = std::mem::take(&mut *TOLD.lock().unwrap());
            assert_eq!(told.len(), 1, "once: {told:?}");
            let parked = format!("{} bytes are parked", mib * MIB);
            for part in [parked.as_str(), "Main`", "call `synchronize`"] {
                assert!(told[0].contains(part), "{part}: {told:?}");
            }
            mib
        };
        on_device(|_, current| assert_eq!(drop_until_told(current), 200, "a tenth"));
        assert_eq!(ascendcl::parked_bytes(), 0);
        ascendcl::set_parked_threshold(35 * MIB);
        on_device(|_, current| assert_eq!(drop_until_told(current), 40, "the program's"));
        assert_eq!(ascendcl::release_failures(), 0, "it is no failure");
    }
}
