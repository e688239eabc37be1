//! Streams without names: their number is known at run time only.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::channel;
use std::time::Duration;

use ascendcl::bounds::AnyDevice;
use ascendcl::callback::Report;
use ascendcl::error::Usage;
use ascendcl::event::{Fence, Order, OrderProgress};
use ascendcl::stream::{Main, Numbered, Priority, StreamConfig};
use ascendcl::{
    Current, DeviceBuf, Error, Event, MemAttr, Npu, ParkedStream, Queued, Result, Thread, op,
    release_failures,
};

use crate::common::{acl, assert_clean, assert_says, bound, embedded, host, isolated, usage};

type D = Npu<0>;
type Memory<'d, D> = Queued<'d, (D, Numbered), DeviceBuf<'d, D, [u32]>>;

/// A stream with its queued memory.
struct Lane<'d, D: AnyDevice> {
    stream: ParkedStream<'d, D>,
    memory: Memory<'d, D>,
}

impl<'d, D: AnyDevice> Lane<'d, D> {
    /// A stream that fills its memory with `value`.
    fn new(current: Current<'_, 'd, D>, value: u8) -> Result<Self> {
        let mut stream = current.create_parked_stream()?;
        let memory = filled(current, &mut stream, value)?;
        Ok(Lane { stream, memory })
    }
}

/// Memory that the stream fills with `value`.
fn filled<'d, D: AnyDevice>(
    current: Current<'_, 'd, D>,
    stream: &mut ParkedStream<'d, D>,
    value: u8,
) -> Result<Memory<'d, D>> {
    stream.with(current, |stream| {
        let fresh = stream.adopt(current.malloc(16)?);
        Ok(stream.memset_async(fresh, value)?.unbrand())
    })
}

/// A fence behind the fill of memory with `value`, without its brand.
fn fenced<'d>(
    current: Current<'_, 'd, D>,
    stream: &mut ParkedStream<'d, D>,
    value: u8,
) -> Fence<'d, (D, Numbered), DeviceBuf<'d, D, [u32]>, Event<'d, D, OrderProgress>> {
    let number = stream.number();
    let fence = stream.with(current, |stream| {
        let memory = stream.memset_async(stream.malloc(16)?, value)?;
        let event = current.create_event::<OrderProgress>()?;
        Ok::<_, Error>(stream.fence(event, memory)?.unbrand())
    });
    let fence = fence.unwrap();
    assert_eq!(fence.stream_number(), number);
    fence
}

/// The bytes of device memory that are free.
fn free(current: Current<'_, '_, D>) -> usize {
    current.mem_info(MemAttr::Hbm).unwrap().free
}

/// Runs `test` on device 0, and then checks all releases.
fn on_device(test: impl FnOnce(Current<'_, '_, D>)) {
    let acl = acl();
    let mut thread = Thread::claim().unwrap();
    let device = acl.set_device::<D>(&mut thread, 0).unwrap();
    test(thread.set_current(&device).unwrap());
    device.reset().unwrap();
    assert_clean(&acl);
    if embedded(&acl) {
        assert_eq!(ascendcl::emulator::live().device_blocks, 0);
    }
}

isolated! {
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn as_many_streams_as_the_program_finds_out_stand_in_a_vector() {
        bound!(acl, side, device: D, current);
        let count = std::env::args().count().max(20);
        let lanes = (0..count).map(|value| Lane::new(current, u8::try_from(value).unwrap()));
        let lanes: Vec<_> = lanes.collect::<Result<_>>().unwrap();
        for (value, Lane { mut stream, memory }) in (0..).zip(lanes) {
            assert_eq!(memory.stream_number(), stream.number());
            stream
                .with(current, |stream| {
                    let memory = stream.rebrand(memory)?;
                    let mut back = stream.adopt(current.malloc_host(side, 16)?);
                    stream.memcpy_async(&mut back, &memory)?;
                    let idle = stream.synchronize()?;
                    assert_eq!(idle.take(back)[..], [0x0101_0101 * value; 16]);
                    idle.take(memory).free()
                })
                .unwrap();
            stream.destroy(current).unwrap();
        }
        device.reset().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_fence_leaves_the_closure_of_its_stream() {
        on_device(|current| {
            let [mut first, mut second] = [(); 2].map(|()| current.create_parked_stream().unwrap());
            let [own, of_other, of_ended] = [
                fenced(current, &mut first, 1),
                fenced(current, &mut second, 2),
                fenced(current, &mut second, 3),
            ];
            let numbers = (second.number(), first.number());
            let of_other = first.with(current, |stream| {
                let refused = stream.rebrand_fence(of_other).unwrap_err();
                let (memory, stream_number) = numbers;
                let expected = Usage::OtherStream { memory, stream: stream_number };
                assert_eq!(usage::<()>(Err(refused.error)), expected);
                // Its own fence comes back verified by its own proof.
                let (unverified, _event) = stream.rebrand_fence(own).unwrap().synchronize().unwrap();
                stream.synchronize().unwrap().verify(unverified).free().unwrap();
                refused.queued
            });
            // Another stream waits for the fence; the wait outlives the stream that recorded it.
            second.destroy(current).unwrap();
            let side = current.malloc::<u32>(16).unwrap();
            first.with(current, |stream| {
                let (memory, _event) = stream.wait_fence(of_other).unwrap();
                let copy = stream.memcpy_async(stream.adopt(side), &memory).unwrap();
                let idle = stream.synchronize().unwrap();
                let [memory, copy] = [idle.take(memory).accept_unverified(), idle.take(copy)];
                memory.free().unwrap();
                copy.free().unwrap();
            });
            let (unverified, _event) = of_ended.synchronize().unwrap();
            unverified.accept_unverified().free().unwrap();
            first.destroy(current).unwrap();
        });
    }

    fn a_dropped_fence_without_a_brand_is_freed_by_its_stream() {
        on_device(|current| {
            let mut stream = current.create_parked_stream().unwrap();
            let before = free(current);
            let fence = fenced(current, &mut stream, 1);
            drop(fence);
            assert!(free(current) < before);
            stream.with(current, |stream| stream.synchronize().map(drop)).unwrap();
            assert_eq!(free(current), before);
            stream.destroy(current).unwrap();
        });
    }

    fn a_subscription_leaves_the_closure_of_its_stream() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = &acl.set_device::<D>(&mut thread, 0).unwrap();
        let current = thread.set_current(device).unwrap();
        let (tells, told) = channel();
        std::thread::scope(|scope| {
            let (id, ids) = channel();
            let server = scope.spawn(move || {
                let mut thread = Thread::claim().unwrap();
                let mut reports = thread.set_current(device).unwrap().report_thread();
                id.send(reports.id()).unwrap();
                // The first subscription may come later than this call.
                while reports.process_report(Some(Duration::from_millis(100))).unwrap() != Report::Called {}
            });
            let server_id = ids.recv().unwrap();
            let [mut first, mut second] = [(); 2].map(|()| current.create_parked_stream().unwrap());
            let numbers = (first.number(), second.number());
            let subscribed = first.with(current, |stream| stream.subscribe_report(&server_id).unwrap().unbrand());
            let subscribed = second.with(current, |stream| {
                let refused = stream.rebrand_subscribed(subscribed).unwrap_err();
                let (memory, stream) = numbers;
                assert_eq!(usage::<()>(Err(refused.error)), Usage::OtherStream { memory, stream });
                refused.queued
            });
            assert_eq!(subscribed.stream_number(), first.number());
            first.with(current, |stream| {
                let subscribed = stream.rebrand_subscribed(subscribed).unwrap();
                stream.launch_callback(&subscribed, move || tells.send(7).unwrap()).unwrap();
                stream.synchronize().unwrap();
                stream.unsubscribe_report(subscribed).unwrap();
            });
            server.join().unwrap();
            for stream in [first, second] {
                stream.destroy(current).unwrap();
            }
        });
        assert_eq!(told.recv(), Ok(7));
        assert_clean(&acl);
    }

    fn an_idle_stream_lends_memory_that_stays_queued() {
        bound!(acl, side, device: D, current, stream);
        let mut host = stream.malloc_host_from(side, &[1_u32, 2, 3]).unwrap();
        let mut on_device = stream.memcpy_async(stream.malloc(3).unwrap(), &host).unwrap();
        stream.synchronize().unwrap().get_mut(&mut host)[1] = 5;
        stream.memcpy_async(&mut on_device, &host).unwrap();
        let mut back = stream.memcpy_async(stream.malloc_host(side, 3).unwrap(), &on_device).unwrap();
        assert_eq!(stream.synchronize().unwrap().get_mut(&mut back)[..], [1, 5, 3]);
        drop((host, on_device, back));
        stream.destroy().unwrap();
        device.reset().unwrap();
        assert_clean(&acl);
    }

    fn workers_have_streams_of_one_type() {
        let acl = acl();
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        // A device without a name has streams without names, too.
        acl.with_device(&mut thread, 1, |device, thread| {
            let current = thread.set_current(&device).unwrap();
            let lanes = (0..5).map(|value| Lane::new(current, value));
            let mut lanes: Vec<_> = lanes.collect::<Result<_>>().unwrap();
            std::thread::scope(|scope| {
                for lane in &mut lanes {
                    let device = &device;
                    scope.spawn(move || {
                        let mut thread = Thread::claim().unwrap();
                        let current = thread.set_current(device).unwrap();
                        // A second use on this thread, behind the first one on the other.
                        let again = filled(current, &mut lane.stream, 9).unwrap();
                        lane.memory = again;
                    });
                }
            });
            for Lane { mut stream, memory } in lanes {
                let back = stream.with(current, |stream| {
                    let memory = stream.rebrand(memory)?;
                    let mut back = stream.adopt(current.malloc_host(side, 16)?);
                    stream.memcpy_async(&mut back, &memory)?;
                    let idle = stream.synchronize()?;
                    idle.take(memory).free()?;
                    Ok::<_, Error>(idle.take(back)[..].to_vec())
                });
                assert_eq!(back.unwrap(), [0x0909_0909; 16]);
            }
            device.reset().unwrap();
        })
        .unwrap();
        assert_clean(&acl);
    }

    fn each_call_makes_another_stream() {
        on_device(|current| {
            let numbers = current.with_stream(|outer| {
                let inner = current.with_stream(|inner| {
                    assert_ne!(inner.as_raw(), outer.as_raw());
                    let number = inner.number();
                    inner.destroy().map(|()| number)
                });
                (outer.number(), inner.unwrap().unwrap())
            });
            let (outer, inner) = numbers.unwrap();
            assert_ne!(outer, inner);
            let parked = current.create_parked_stream().unwrap();
            assert!(![outer, inner].contains(&parked.number()));
            let text = format!("{parked:?}");
            assert!(text.contains(&format!("number {}", parked.number())), "{text}");
        });
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn memory_of_another_stream_comes_back() {
        on_device(|current| {
            let mut first = Lane::new(current, 1).unwrap();
            let mut second = Lane::new(current, 2).unwrap();
            let (memory, stream) = (first.stream.number(), second.stream.number());
            let refused = second
                .stream
                .with(current, |stream| stream.rebrand(first.memory).map(drop))
                .unwrap_err();
            assert_eq!(
                refused.to_string(),
                format!(
                    "the memory, fence or subscription belongs to stream number {memory}, and this is number {stream}: \
                     use it on its own stream, or move memory with `handoff` there"
                )
            );
            first
                .stream
                .with(current, |stream| {
                    let memory = stream.rebrand(refused.queued)?;
                    stream.synchronize()?.take(memory).free()
                })
                .unwrap();
            let error = second.stream.with(current, |stream| -> Result<()> {
                drop(stream.rebrand(second.memory)?);
                drop(stream.rebrand(filled(current, &mut first.stream, 3)?)?);
                Ok(())
            });
            assert_eq!(usage(error), Usage::OtherStream { memory, stream });
        });
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    on emulator fn what_is_dropped_waits_for_its_own_stream() {
        on_device(|current| {
            let before = free(current);
            let mut lanes: Vec<_> = [1, 2].map(|value| Lane::new(current, value).unwrap()).into();
            let (mut second, mut first) = (lanes.pop().unwrap(), lanes.pop().unwrap());
            // The refusal drops memory that the first stream has.
            let refused = second.stream.with(current, |stream| -> Result<()> {
                drop(stream.rebrand(first.memory)?);
                Ok(())
            });
            assert!(matches!(usage(refused), Usage::OtherStream { .. }));
            drop(second.memory);
            let both = before - free(current);
            second.stream.with(current, |stream| stream.synchronize().map(drop)).unwrap();
            assert_eq!(before - free(current), both / 2);
            first.stream.with(current, |stream| stream.synchronize().map(drop)).unwrap();
            assert_eq!(free(current), before);
            // After the end of its stream, memory has no owner and is freed at once.
            let Lane { stream, memory } = Lane::new(current, 3).unwrap();
            stream.destroy(current).unwrap();
            drop(memory);
            assert_eq!(free(current), before);
        });
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn forgotten_streams_end_with_their_device() {
        on_device(|current| {
            let Lane { stream, memory } = Lane::new(current, 1).unwrap();
            std::mem::forget(stream);
            drop(memory);
            current
                .with_stream(|mut stream| {
                    let fresh = stream.adopt(current.malloc::<u32>(16).unwrap());
                    drop(stream.memset_async(fresh, 1).unwrap());
                    std::mem::forget(stream);
                })
                .unwrap();
        });
    }

    on emulator fn a_panic_ends_the_stream_of_its_closure() {
        on_device(|current| {
            let panicked = catch_unwind(AssertUnwindSafe(|| {
                current.with_stream(|mut stream| {
                    let fresh = stream.adopt(current.malloc::<u32>(16).unwrap());
                    let _memory = stream.memset_async(fresh, 1).unwrap();
                    resume_unwind(Box::new(stream.number()));
                })
            }));
            assert!(panicked.unwrap_err().is::<u64>());
            // The stream is gone, and its memory with it.
            let live = ascendcl::emulator::live();
            assert_eq!((live.streams, live.device_blocks, release_failures()), (0, 0, 0));
        });
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtCreateStream#1=207008,aclrtCreateStream#2=207008"]
    fn without_a_stream_the_closure_does_not_run() {
        on_device(|current| {
            let refused: Result<()> = current.with_stream(|_| unreachable!());
            assert_says(refused, &["aclrtCreateStream failed with 207008"]);
            assert_says(current.create_parked_stream(), &["aclrtCreateStream failed with 207008"]);
            current.with_stream(|stream| stream.destroy()).unwrap().unwrap();
        });
    }

    fn a_parked_stream_has_the_priority_that_it_was_given() {
        on_device(|current| {
            let config = StreamConfig::new().priority(Priority::LEAST);
            let mut parked = current.create_parked_stream_with(config).unwrap();
            let raw = parked.with(current, |stream| stream.as_raw());
            let mut priority = 0;
            // SAFETY: a live stream, and `priority` is valid for a write.
            let code = unsafe { ascendcl::sys::aclrtStreamGetPriority(raw, &raw mut priority) };
            assert_eq!((code, priority), (0, Priority::LEAST.get()));
        });
    }

    // Inside its closure a stream moves between threads with its brand.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_branded_stream_is_parked_and_attached() {
        let acl = acl();
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let parked = current.with_stream(|mut stream| {
            let memory = stream.adopt(current.malloc::<u32>(16).unwrap());
            let memory = stream.memset_async(memory, 3).unwrap();
            let parked = current.park(stream);
            let parked = std::thread::scope(|scope| {
                let work = || {
                    let mut thread = Thread::claim().unwrap();
                    let current = thread.set_current(&device).unwrap();
                    let mut stream = current.attach(parked);
                    let mut back = stream.adopt(current.malloc_host(side, 16).unwrap());
                    stream.memcpy_async(&mut back, &memory).unwrap();
                    let idle = stream.synchronize().unwrap();
                    assert_eq!(idle.take(back)[..], [0x0303_0303; 16]);
                    current.park(stream)
                };
                scope.spawn(work).join().unwrap()
            });
            // It leaves the closure without its brand, and the memory is freed after its next wait.
            drop(memory);
            parked.unbrand()
        });
        let mut parked = parked.unwrap();
        parked.with(current, |stream| stream.synchronize().map(drop)).unwrap();
        parked.destroy(current).unwrap();
        device.reset().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn memory_moves_between_streams_with_and_without_names() {
        on_device(|current| {
            let mut main = current.create_stream::<Main>().unwrap();
            let mut event = current.create_event::<Order>().unwrap();
            let mut lane = current.create_parked_stream().unwrap();
            let there = main.adopt(current.malloc::<u32>(16).unwrap());
            let there = main.memset_async(there, 1).unwrap();
            lane.with(current, |lane| -> Result<()> {
                let here = main.handoff(lane, &mut event, there)?;
                let kept = here.unbrand(); // with its history
                let here = lane.rebrand(kept)?;
                let here = lane.memset_async(here.forget_contents(), 2)?;
                let fence = lane.fence(current.create_event::<Order>()?, here)?;
                let (there, _event) = main.wait_fence(fence)?;
                let unverified = main.synchronize()?.take(there);
                lane.synchronize()?.verify(unverified).free()
            })
            .unwrap();
        });
    }

    // Any number of other streams can read the memory that one stream has written.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn lanes_share_what_a_stream_with_a_name_has_written() {
        on_device(|current| {
            let mut main = current.create_stream::<Main>().unwrap();
            let weights = main.adopt(current.malloc::<i32>(16).unwrap());
            let weights = main.memset_async(weights, 1).unwrap().share();
            let event = current.create_event::<Order>().unwrap();
            let fence = main.fence(event, weights).unwrap();
            let mut lanes = Vec::new();
            for _ in 0..5 {
                let mut stream = current.create_parked_stream().unwrap();
                let sum = stream.with(current, |stream| -> Result<_> {
                    let weights = stream.wait_shared(&fence)?;
                    let copy = stream.memcpy_async(stream.adopt(current.malloc(16)?), &weights)?;
                    let operand = copy.tensor(&[16])?;
                    let out = stream.adopt(current.malloc(16)?).into_tensor(&[16])?;
                    let launched = op::add(current, &operand, &operand, 1, out)?.launch(stream)?;
                    Ok(launched.output.unbrand())
                });
                lanes.push((stream, sum.unwrap()));
            }
            for (mut stream, sum) in lanes {
                let sum = stream.with(current, |stream| -> Result<_> {
                    let sum = stream.rebrand(sum)?;
                    Ok(stream.synchronize()?.take(sum))
                });
                let mut seen = current.malloc_local::<i32, 64>(16).unwrap();
                current.memcpy(&mut seen, &sum.unwrap()).unwrap();
                assert_eq!(seen[..], [0x0202_0202; 16]);
            }
            drop(main.synchronize().unwrap().take(fence.cancel().0));
        });
    }

    // Only the stream that did the work can verify it.
    ["ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn work_that_failed_before_the_memory_moved_is_not_verified() {
        on_device(|current| {
            let mut main = current.create_stream::<Main>().unwrap();
            let mut event = current.create_event::<Order>().unwrap();
            current.with_stream(|mut lane| {
                let fresh = lane.adopt(current.malloc::<u32>(16).unwrap());
                let filled = lane.memset_async(fresh, 1).unwrap();
                let there = lane.handoff(&mut main, &mut event, filled).unwrap();
                let unverified = main.synchronize().unwrap().take(there);
                assert_says(lane.synchronize().map(drop), &["507001"]);
                let name = format!("number {}", lane.number()).into();
                assert_eq!(usage(lane.synchronize()), Usage::StreamPoisoned { name });
                unverified.accept_unverified().free().unwrap();
                lane.destroy().unwrap(); // the failure was returned before
            })
            .unwrap();
        });
    }

    // The wait for the device has taken the report, so the end of the stream returns the failure.
    ["ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn the_end_of_a_parked_stream_vouches_for_no_failed_work() {
        on_device(|current| {
            let lane = Lane::new(current, 1).unwrap();
            assert_says(current.synchronize_device(), &["507001"]);
            let name = format!("number {}", lane.stream.number()).into();
            let destroyed = lane.stream.destroy(current);
            assert_eq!(usage(destroyed), Usage::StreamPoisoned { name });
            // Another stream is not affected.
            let mut next = current.create_parked_stream().unwrap();
            next.with(current, |stream| stream.synchronize().map(drop)).unwrap();
        });
    }

    fn a_panic_in_a_host_function_names_the_stream() {
        on_device(|current| {
            current.with_stream(|mut stream| {
                stream.launch_host_func(|| resume_unwind(Box::new(()))).unwrap();
                let name = format!("number {}", stream.number()).into();
                assert_eq!(usage(stream.synchronize()), Usage::HostFuncPanicked { name });
            })
            .unwrap();
        });
    }

    // On a device that stops, in a context of its own: the tags of devices and streams do not know each other.
    fn streams_without_names_are_on_every_kind_of_device() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap().stop_on_failure();
        let context = device.create_context::<1>(&mut thread).unwrap();
        let current = thread.set_current_context(&context).unwrap();
        let Lane { mut stream, memory } = Lane::new(current, 1).unwrap();
        stream
            .with(current, |stream| {
                let memory = stream.rebrand(memory)?;
                stream.synchronize()?.take(memory).free()
            })
            .unwrap();
        stream.destroy(current).unwrap();
        context.destroy().unwrap();
        device.reset().unwrap();
        assert_clean(&acl);
    }
}
