//! Memory that is dropped while it is queued: a service that waits only for its streams uses constant memory, and no
//! device waits for the work of another one.

use std::sync::mpsc::channel;
use std::time::Duration;

use ascendcl::event::OrderProgress;
use ascendcl::stream::Main;
use ascendcl::{
    Acl, Current, DeviceTag, MemAttr, Npu, Result, Stream, StreamName, Thread, leaks, op,
};

use crate::common::{acl, assert_clean, assert_says, embedded, host, isolated};

/// The number of turns of a service.
const TURNS: usize = 10_000;

enum Second {}
impl StreamName for Second {}

/// The free bytes of device memory.
pub(crate) fn free<D: DeviceTag>(current: Current<'_, '_, D>) -> usize {
    current.mem_info(MemAttr::Hbm).unwrap().free
}

/// Takes many turns, each of which may drop queued memory and fail. After each turn it waits only for the stream. In
/// the end as much memory is free as after the first turn.
pub(crate) fn serve<'t, 'd, D: DeviceTag>(
    current: Current<'t, 'd, D>,
    stream: &mut Stream<'t, 'd, D, Main>,
    mut turn: impl FnMut(&mut Stream<'t, 'd, D, Main>) -> Result<()>,
) {
    let mut first = None;
    for _ in 0..TURNS {
        let _ = turn(stream);
        stream.synchronize().unwrap();
        let free = free(current);
        assert_eq!(*first.get_or_insert(free), free);
    }
}

/// A device on the embedded emulator, where free memory is exact.
pub(crate) fn on_device(test: impl FnOnce(&Acl, Current<'_, '_, Npu<0>>)) {
    let acl = acl();
    if !embedded(&acl) {
        return;
    }
    let mut thread = Thread::claim().unwrap();
    let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
    test(&acl, thread.set_current(&device).unwrap());
    device.reset().unwrap();
    assert_clean(&acl);
    assert_eq!(ascendcl::emulator::live().device_blocks, 0);
    assert_eq!(ascendcl::emulator::live().host_blocks, 0);
}

isolated! {
    fn queued_buffers_that_are_dropped_do_not_pile_up() {
        on_device(|acl, current| {
            let side = host(acl);
            let mut stream = current.create_stream::<Main>().unwrap();
            serve(current, &mut stream, |stream| {
                let from = stream.adopt(current.malloc_host::<u8>(side, 4096)?);
                let to = stream.adopt(current.malloc::<u8>(4096)?);
                stream.memcpy_async(to, &from).map(drop)
            });
            assert_eq!(ascendcl::emulator::live().host_blocks, 0);
        });
    }

    fn nor_do_those_of_the_default_stream_and_of_a_context() {
        let acl = acl();
        if !embedded(&acl) {
            return;
        }
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let context = device.create_context::<1>(&mut thread).unwrap();
        let current = thread.set_current_context(&context).unwrap();
        let mut stream = current.default_stream().unwrap();
        let before = free(current);
        for _ in 0..TURNS {
            let fresh = stream.adopt(current.malloc::<u8>(4096).unwrap());
            drop(stream.memset_async(fresh, 1).unwrap());
            stream.synchronize().unwrap();
        }
        assert_eq!(free(current), before);
        assert_clean(&acl);
    }

    // Of two devices whose names are brands one is never waited for.
    fn nor_do_those_of_a_device_without_a_slot() {
        let acl = acl();
        if !embedded(&acl) {
            return;
        }
        let mut thread = Thread::claim().unwrap();
        acl.with_device(&mut thread, 1, |_other, thread| {
            acl.with_device(thread, 0, |device, thread| {
                let current = thread.set_current(&device).unwrap();
                let mut stream = current.create_stream::<Main>().unwrap();
                serve(current, &mut stream, |stream| {
                    let fresh = stream.adopt(current.malloc::<u8>(4096)?);
                    stream.memset_async(fresh, 1).map(drop)
                });
            })
            .unwrap();
        })
        .unwrap();
        assert_clean(&acl);
    }

    // The second operand broadcasts, so the operator asks for a workspace.
    fn workspaces_that_are_left_to_the_stream_do_not_pile_up() {
        on_device(|_, current| {
            let mut stream = current.create_stream::<Main>().unwrap();
            let written = |len| {
                let fresh = current.malloc::<i32>(len).unwrap();
                stream.adopt(current.memset(fresh, 1).unwrap())
            };
            let (matrix, row, mut sum) = (written(6), written(3), written(6));
            let mut asked = 0;
            serve(current, &mut stream, |stream| {
                let (matrix, row) = (matrix.tensor(&[2, 3])?, row.tensor(&[3])?);
                let plan = op::add(current, &matrix, &row, 1, sum.tensor_mut(&[2, 3])?)?;
                asked += plan.workspace_size();
                plan.launch(stream)?.into_output();
                Ok(())
            });
            assert!(asked > 0, "the operator asked for no workspace");
        });
    }

    // A wait that times out returns the fence, which is dropped. A turn that fails half-way drops its memory.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn fences_that_time_out_and_turns_that_fail_do_not_pile_up() {
        on_device(|acl, current| {
            let side = host(acl);
            let mut stream = current.create_stream::<Main>().unwrap();
            let mut turn = 0;
            serve(current, &mut stream, |stream| {
                turn += 1;
                let fresh = stream.adopt(current.malloc::<u8>(64)?);
                let buf = stream.memset_async(fresh, 1)?;
                let event = current.create_event::<OrderProgress>()?;
                let fence = stream.fence(event, buf)?;
                if turn % 2 == 0 {
                    let none = Duration::ZERO;
                    let unfinished = fence.synchronize_within(none).expect_err("no time at all");
                    return Err(unfinished.into());
                }
                // Lengths differ, so this fails with two queued buffers in hand.
                let from = stream.adopt(current.malloc_host::<u8>(side, 3)?);
                let to = stream.adopt(current.malloc::<u8>(4)?);
                stream.memcpy_async(to, &from).map(drop)
            });
        });
    }

    // The other streams of the device have work that the wait for this stream does not cover.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_wait_for_one_stream_frees_nothing_of_another() {
        on_device(|_, current| {
            let mut one = current.create_stream::<Main>().unwrap();
            let mut two = current.create_stream::<Second>().unwrap();
            let before = free(current);
            let fresh = two.adopt(current.malloc::<u8>(4096).unwrap());
            let queued = two.memset_async(fresh, 1).unwrap();
            let during = free(current);
            drop(queued);
            one.synchronize().unwrap();
            assert_eq!(free(current), during);
            two.synchronize().unwrap();
            assert_eq!(free(current), before);
        });
    }

    // A share that was dropped on two streams waits for both.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn shares_wait_for_each_stream_on_which_one_was_dropped() {
        on_device(|_, current| {
            let mut one = current.create_stream::<Main>().unwrap();
            let mut two = current.create_stream::<Second>().unwrap();
            let mut event = current.create_event::<OrderProgress>().unwrap();
            let before = free(current);
            let fresh = one.adopt(current.malloc::<u8>(4096).unwrap());
            let share = one.memset_async(fresh, 1).unwrap().share();
            let fence = one.fence(&mut event, share).unwrap();
            drop(two.wait_shared(&fence).unwrap());
            let during = free(current);
            drop(fence);
            one.synchronize().unwrap();
            assert_eq!(free(current), during);
            two.synchronize().unwrap();
            assert_eq!(free(current), before);
        });
    }

    // Behind its stream's end nothing uses the memory any more.
    fn what_is_dropped_behind_the_end_of_its_stream_is_freed_at_once() {
        on_device(|_, current| {
            let before = free(current);
            let mut stream = current.create_stream::<Main>().unwrap();
            let fresh = stream.adopt(current.malloc::<u8>(4096).unwrap());
            let queued = stream.memset_async(fresh, 1).unwrap();
            stream.destroy().unwrap();
            drop(queued);
            assert_eq!(free(current), before);
        });
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_MEMORY" = "1MiB"]
    fn exhausted_memory_names_what_is_parked() {
        on_device(|_, current| {
            let mut stream = current.create_stream::<Main>().unwrap();
            let fresh = stream.adopt(current.malloc::<u8>(700_000).unwrap());
            drop(stream.memset_async(fresh, 1).unwrap());
            assert_says(
                current.malloc::<u8>(700_000),
                &["207001", "700000 bytes of it are parked", "`synchronize` of the stream"],
            );
            stream.synchronize().unwrap();
            current.malloc::<u8>(700_000).unwrap().free().unwrap();
        });
    }

    // The first life of the slot ends in stop mode, where no wait succeeds after the failure.
    ["ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_device_that_was_given_up_does_not_hold_the_memory_of_later_ones() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap().stop_on_failure();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let fresh = stream.adopt(current.malloc::<u8>(64).unwrap());
        let lost = stream.memset_async(fresh, 1);
        stream.synchronize().unwrap_err();
        drop((lost, stream));
        device.reset().unwrap();
        assert_eq!(leaks(), 2, "the buffer and the stream");
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let before = free(current);
        let mut stream = current.create_stream::<Main>().unwrap();
        let fresh = stream.adopt(current.malloc::<u8>(64).unwrap());
        drop(stream.memset_async(fresh, 1).unwrap());
        current.synchronize_device().unwrap();
        assert_eq!(free(current), before);
    }

    // A host function on device 1 returns only when device 0 is reset, and while it runs a third device is opened.
    ["ASCENDCL_EMULATOR_DEVICES" = "3"]
    fn a_reset_waits_for_no_other_device() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        acl.with_device(&mut thread, 1, |busy, thread| {
            let (go, wait) = channel::<()>();
            let mut stream = thread.set_current(&busy).unwrap().create_stream::<Main>().unwrap();
            stream.launch_host_func(move || wait.recv().unwrap()).unwrap();
            std::thread::scope(|scope| {
                let other = scope.spawn(|| {
                    let mut thread = Thread::claim().unwrap();
                    acl.with_device(&mut thread, 0, |device, thread| {
                        let current = thread.set_current(&device).unwrap();
                        let stream = current.create_stream::<Main>().unwrap();
                        drop(stream.adopt(current.malloc::<u8>(64).unwrap()));
                        std::mem::forget(stream);
                        acl.with_device(thread, 2, |third, _| third.reset()).unwrap().unwrap();
                        device.reset()
                    })
                });
                other.join().unwrap().unwrap().unwrap();
            });
            go.send(()).unwrap();
            stream.synchronize().unwrap();
        })
        .unwrap();
        assert_clean(&acl);
    }

    // A copy of nothing waits for nothing, so it is no proof for what the stream has parked.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_copy_of_no_lent_elements_frees_nothing() {
        on_device(|_, current| {
            let mut stream = current.create_stream::<Main>().unwrap();
            let mut empty: [u8; 0] = [];
            let mut target = stream.adopt(current.memset(current.malloc::<u8>(4096).unwrap(), 0).unwrap());
            let scope = current.scope(|scope| -> Result<()> {
                let source = stream.memset_async(stream.adopt(current.malloc::<u8>(4096)?), 7)?;
                stream.memcpy_async(&mut target, &source)?;
                let before = free(current);
                drop(source);
                let mut none = stream.adopt(scope.lend(&mut empty[..]));
                stream.memcpy_async(&mut none, target.slice(0..0)?)?;
                assert_eq!(free(current), before);
                Ok(())
            });
            scope.unwrap().unwrap();
        });
    }

    // A share of host memory outlives a device that was reset without a proof, because it had stopped while another
    // component held it. The next device of the slot cannot wait for the earlier work, which may still read the
    // share.
    ["ASCENDCL_EMULATOR_DEVICES" = "2", "ASCENDCL_EMULATOR_CHECK" = "0",
     "ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeDevice#1+=507001"]
    fn a_share_belongs_to_the_device_that_was_given_up() {
        let acl = acl();
        let side = host(&acl);
        // SAFETY: takes a number; another component would do so.
        assert_eq!(unsafe { ascendcl::sys::aclrtSetDevice(0) }, 0);
        let mut thread = Thread::claim().unwrap();
        let one = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
        let buf = thread.set_current(&one).unwrap().malloc_host::<u8>(side, 4096).unwrap();
        let zero = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap().stop_on_failure();
        let share = {
            let current = thread.set_current(&zero).unwrap();
            let mut stream = current.create_stream::<Main>().unwrap();
            let queued = stream.adopt(buf).share();
            let event = current.create_event::<OrderProgress>().unwrap();
            let (share, _event) = stream.fence(event, queued).unwrap().synchronize().unwrap();
            let fresh = stream.adopt(current.malloc::<u8>(4096).unwrap());
            let queued = stream.adopt(share.clone());
            drop(stream.memcpy_async(fresh, &queued).unwrap());
            drop(queued);
            std::mem::forget(stream);
            share
        };
        zero.reset().unwrap();
        assert_eq!(leaks(), 1, "the copy");
        let again = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        drop(share);
        assert_eq!(leaks(), 2, "the copy and what it reads");
        drop(again);
    }
}
