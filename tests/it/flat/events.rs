//! Loops of events: fences, recorded points and questions, in programs that never wait for a stream.

use std::collections::VecDeque;

use ascendcl::event::{
    EventStatus, Order, OrderProgress, OrderTiming, Progress, Timing, ValueWait,
};
use ascendcl::stream::Main;
use ascendcl::{Result, op};

use crate::flat::{Given, Lines, Second, Third, drop_queued, loops, rounds};

loops! {
    fn events_that_come_and_go(Given { current, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        rounds(current, || {
            let mut event = current.create_event::<OrderTiming>().unwrap();
            stream.record(&mut event).unwrap().synchronize().unwrap();
            event.destroy().unwrap();
            let mut dropped = current.create_event::<Progress>().unwrap();
            stream.record(&mut dropped).unwrap();
        });
    }

    fn a_fence_in_each_round(Given { current, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        let mut event = current.create_event::<Progress>().unwrap();
        rounds(current, || {
            drop_queued(&mut stream).unwrap();
            let small = stream.memset_async(stream.malloc::<u8>(64).unwrap(), 1).unwrap();
            drop(stream.fence(&mut event, small).unwrap().synchronize().unwrap());
        });
    }

    fn fences_that_are_dropped_and_cancelled(Given { current, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        let lines = Lines::new(4);
        rounds(current, || {
            lines.begin();
            let mut round = || -> Result<()> {
                let small = stream.memset_async(stream.malloc::<u8>(64)?, 1)?;
                let fence = stream.fence(current.create_event::<Order>()?, small)?;
                lines.end()?;
                let (small, event) = fence.cancel();
                lines.end()?;
                let fence = stream.fence(event, small)?;
                lines.end()?;
                let (small, event) = fence.synchronize()?;
                lines.end()?;
                event.destroy()?;
                small.accept_unverified().free()
            };
            let _ = round();
            let last = stream.adopt(current.malloc::<u8>(64).unwrap());
            let event = current.create_event::<Order>().unwrap();
            drop(stream.fence(event, last).unwrap().synchronize().unwrap());
        });
    }

    ["aclrtCreateNotify%10=207007,aclrtRecordNotify%10=507899,aclrtWaitAndResetNotify%10=507899,aclrtValueWrite%10=507899,task:aclrtMemsetAsync%20=507001"]
    fn signals_and_numbers_that_fail(Given { current, .. }) {
        rounds(current, || {
            let _ = current.with_stream(|mut one| current.with_stream(|mut two| -> Result<()> {
                let notify = one.adopt(current.create_notify(&two)?);
                let small = one.memset_async(one.malloc::<u8>(64)?, 1)?;
                let signal = one.record_notify(notify, small)?;
                drop_queued(&mut two)?;
                let taken = two.wait_notify(signal)?;
                let value = current.create_value()?;
                one.value_write(&value, 1)?;
                two.value_wait(&value, ValueWait::Eq(1))?;
                drop((taken, value));
                two.synchronize()?;
                one.synchronize().map(drop)
            }));
        });
    }

    ["aclrtRecordEvent%10=507899,aclrtSynchronizeEvent%10=507899,aclrtStreamWaitEvent%10=507899,aclrtCreateEventExWithFlag%10=207007,task:aclrtMemsetAsync%20=507001"]
    fn fences_that_fail(Given { current, .. }) {
        rounds(current, || {
            let _ = current.with_stream(|mut one| current.with_stream(|mut two| -> Result<()> {
                drop_queued(&mut one)?;
                let small = one.memset_async(one.malloc::<u8>(64)?, 1)?;
                let fence = one.fence(current.create_event::<Order>()?, small)?;
                drop_queued(&mut two)?;
                let (small, event) = two.wait_fence(fence)?;
                let (small, _) = two.fence(event, small)?.synchronize()?;
                drop(small);
                two.synchronize()?;
                one.synchronize().map(drop)
            }));
        });
    }

    fn a_recorded_point_in_each_round(Given { current, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        let mut event = current.create_event::<Progress>().unwrap();
        rounds(current, || {
            drop_queued(&mut stream).unwrap();
            stream.record(&mut event).unwrap().synchronize().unwrap();
        });
    }

    fn a_recorded_point_that_is_asked(Given { current, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        let mut event = current.create_event::<Progress>().unwrap();
        rounds(current, || {
            drop_queued(&mut stream).unwrap();
            let point = stream.record(&mut event).unwrap();
            while point.query().unwrap() == EventStatus::NotReady {
                std::thread::yield_now();
            }
        });
    }

    fn times_between_points(Given { current, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        rounds(current, || {
            let mut start = current.create_event::<Timing>().unwrap();
            let mut end = current.create_event::<Timing>().unwrap();
            let start = stream.record(&mut start).unwrap();
            drop_queued(&mut stream).unwrap();
            let end = stream.record(&mut end).unwrap();
            let (start, end) = (start.synchronize().unwrap(), end.synchronize().unwrap());
            end.millis_since(&start).unwrap();
        });
    }

    // Only the last stream is waited for, and the points between the streams have no memory.
    fn points_between_streams(Given { current, .. }) {
        let mut one = current.create_stream::<Main>().unwrap();
        let mut two = current.create_stream::<Second>().unwrap();
        let mut three = current.create_stream::<Third>().unwrap();
        let mut event = current.create_event::<OrderProgress>().unwrap();
        rounds(current, || {
            drop_queued(&mut one).unwrap();
            two.wait(one.record(&mut event).unwrap()).unwrap();
            drop_queued(&mut two).unwrap();
            three.wait(two.record(&mut event).unwrap()).unwrap();
            drop_queued(&mut three).unwrap();
            three.record(&mut event).unwrap().synchronize().unwrap();
        });
    }

    // Three streams in a row with fresh memory in each batch, and two batches on their way.
    fn a_pipeline_of_three_streams(Given { current, side, .. }) {
        let mut up = current.create_stream::<Main>().unwrap();
        let mut compute = current.create_stream::<Second>().unwrap();
        let mut down = current.create_stream::<Third>().unwrap();
        let mut order = current.create_event::<Order>().unwrap();
        let mut on_their_way = VecDeque::new();
        rounds(current, || {
            let numbers = up.malloc_host_from(side, &[2.0_f32; 64]).unwrap();
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
                assert_eq!(back.accept_unverified()[0], 4.0);
            }
        });
    }

    // The naive loop: every two batches a wait for one of the streams.
    fn three_streams_and_a_wait_for_the_last(Given { current, side, .. }) {
        let mut up = current.create_stream::<Main>().unwrap();
        let mut compute = current.create_stream::<Second>().unwrap();
        let mut down = current.create_stream::<Third>().unwrap();
        let mut order = current.create_event::<Order>().unwrap();
        let mut nth = 0_usize;
        rounds(current, || {
            nth += 1;
            let numbers = up.malloc_host_from(side, &[2.0_f32; 64]).unwrap();
            let input = up.memcpy_async(up.malloc(64).unwrap(), &numbers).unwrap();
            let input = up.handoff(&mut compute, &mut order, input).unwrap();
            let output = compute.memcpy_async(compute.malloc(64).unwrap(), &input).unwrap();
            let output = compute.handoff(&mut down, &mut order, output).unwrap();
            let back = down.memcpy_async(down.malloc_host(side, 64).unwrap(), &output).unwrap();
            if nth.is_multiple_of(2) {
                drop(down.synchronize().unwrap().take(back));
            }
        });
    }

    fn fences_on_the_default_stream(Given { current, .. }) {
        let mut stream = current.default_stream().unwrap();
        let mut event = current.create_event::<Progress>().unwrap();
        rounds(current, || {
            drop_queued(&mut stream).unwrap();
            let small = stream.memset_async(stream.malloc::<u8>(64).unwrap(), 1).unwrap();
            drop(stream.fence(&mut event, small).unwrap().synchronize().unwrap());
        });
    }

    // More fences on their way than the order of a device remembers.
    fn more_fences_than_are_remembered(Given { current, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        let mut fences = VecDeque::new();
        rounds(current, || {
            drop_queued(&mut stream).unwrap();
            let small = stream.adopt(current.malloc::<u8>(64).unwrap());
            fences.push_back(stream.fence(current.create_event::<Progress>().unwrap(), small).unwrap());
            if fences.len() == 300 {
                fences.drain(..).for_each(drop);
                let small = stream.adopt(current.malloc::<u8>(64).unwrap());
                let event = current.create_event::<Progress>().unwrap();
                drop(stream.fence(event, small).unwrap().synchronize().unwrap());
            }
        });
    }
}
