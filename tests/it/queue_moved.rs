//! Memory that has changed streams: a wait for the new stream proves that its work is over, and only the streams that
//! did the work prove that it has succeeded.

use ascendcl::event::Order;
use ascendcl::memory::Rows;
use ascendcl::queue::{After, Shared, Unverified};
use ascendcl::stream::Main;
use ascendcl::{
    Current, DeviceBuf, DeviceTag, Npu, Queued, Result, Stream, StreamName, Thread, op,
};

use crate::common::{acl, assert_clean, assert_says, bound, isolated};

type D = Npu<0>;
type Memory<'d> = DeviceBuf<'d, D, [u32]>;
type Share<'d> = Shared<D, Memory<'d>>;

enum Second {}
impl StreamName for Second {}
enum Third {}
impl StreamName for Third {}

/// Three streams of a device.
struct World<'t, 'd> {
    current: Current<'t, 'd, D>,
    first: Stream<'t, 'd, D, Main>,
    second: Stream<'t, 'd, D, Second>,
    third: Stream<'t, 'd, D, Third>,
}

/// Runs `test` with three streams, and then checks all releases.
fn with_streams(test: impl FnOnce(&mut World<'_, '_>)) {
    bound!(acl, device: D, current);
    let mut world = World {
        current,
        first: current.create_stream().unwrap(),
        second: current.create_stream().unwrap(),
        third: current.create_stream().unwrap(),
    };
    test(&mut world);
    drop(world);
    assert_clean(&acl);
}

impl<'d> World<'_, 'd> {
    /// Memory that the first stream fills with ones.
    fn filled(&mut self) -> Queued<'d, (D, Main), Memory<'d>> {
        let fresh = self.first.adopt(self.current.malloc(16).unwrap());
        self.first.memset_d32_async(fresh, 1).unwrap()
    }

    /// The memory that the first stream has filled and handed to the second one.
    fn handed_over(&mut self) -> Queued<'d, (D, Second), Memory<'d>, After<Main>> {
        let filled = self.filled();
        let mut event = self.current.create_event::<Order>().unwrap();
        self.first
            .handoff(&mut self.second, &mut event, filled)
            .unwrap()
    }

    /// Memory that the first stream has filled and that the second one has received by a fence.
    fn fenced(&mut self) -> Queued<'d, (D, Second), Memory<'d>, After<Main>> {
        let filled = self.filled();
        let event = self.current.create_event::<Order>().unwrap();
        let fence = self.first.fence(event, filled).unwrap();
        self.second.wait_fence(fence).unwrap().0
    }

    /// A share of the memory on the first stream, and one on the second.
    fn shared(
        &mut self,
    ) -> (
        Queued<'d, (D, Main), Share<'d>>,
        Queued<'d, (D, Second), Share<'d>, After<Main>>,
    ) {
        let share = self.filled().share();
        let event = self.current.create_event::<Order>().unwrap();
        let fence = self.first.fence(event, share).unwrap();
        let on_second = self.second.wait_shared(&fence).unwrap();
        (fence.cancel().0, on_second)
    }

    /// Fails unless the memory holds the ones.
    fn assert_ones(&self, memory: &Memory<'_>) {
        let mut seen = self.current.malloc_local::<u32, 64>(16).unwrap();
        self.current.memcpy(&mut seen, memory).unwrap();
        assert_eq!(seen[..], [1; 16]);
    }

    /// Fails unless the first stream proves nothing about success, although its work is over.
    fn assert_first_refuses(&mut self) {
        assert_says(self.first.synchronize().map(drop), &["507001"]);
        assert_says(self.first.synchronize().map(drop), &["drain"]);
        self.first.drain().map(|_| ()).unwrap();
    }
}

/// The fill fails on the device.
const FILL_FAILS: &str = "task:aclrtMemsetD32Async#1=507001";

/// Takes memory from the idle second stream, lets the first one verify it, and reads it.
fn verified<'d>(
    world: &mut World<'_, 'd>,
    memory: Queued<'d, (D, Second), Memory<'d>, After<Main>>,
) {
    let unverified: Unverified<'_, (D, Main), Memory<'_>> =
        world.second.synchronize().unwrap().take(memory);
    let memory: Memory<'_> = world.first.synchronize().unwrap().verify(unverified);
    world.assert_ones(&memory);
}

/// Takes memory from the idle second stream, and nothing from the first, whose fill has failed.
fn refused<'d>(
    world: &mut World<'_, 'd>,
    memory: Queued<'d, (D, Second), Memory<'d>, After<Main>>,
) {
    let unverified = world.second.synchronize().unwrap().take(memory);
    world.assert_first_refuses();
    unverified.accept_unverified().free().unwrap();
}

/// A buffer moves back and forth, with the same types in each turn.
fn circle<D: DeviceTag>(current: Current<'_, '_, D>) -> Result<()> {
    let mut first = current.create_stream::<Main>()?;
    let mut second = current.create_stream::<Second>()?;
    let mut event = current.create_event::<Order>()?;
    let mut fresh = first.adopt(current.malloc::<u32>(16)?);
    let mut kept = first.memset_async(first.adopt(current.malloc::<u32>(16)?), 0)?;
    for turn in 0..4 {
        let written = first.memset_async(fresh, turn)?;
        first.memset_async(&mut kept, turn)?;
        let mut on_second = first.handoff(&mut second, &mut event, kept)?;
        let written = first.handoff(&mut second, &mut event, written)?;
        second.memcpy_async(&mut on_second, &written)?;
        kept = second
            .handoff(&mut first, &mut event, on_second)?
            .accept_unverified();
        fresh = second
            .handoff(&mut first, &mut event, written)?
            .forget_contents();
    }
    second.synchronize()?;
    let idle = first.synchronize()?;
    let mut seen = current.malloc_local::<u32, 64>(16)?;
    current.memcpy(&mut seen, &idle.take(kept))?;
    assert_eq!(seen[..], [0x0303_0303; 16]);
    idle.take(fresh).free()
}

isolated! {
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn memory_that_was_handed_over_is_verified_by_its_first_stream() {
        with_streams(|world| {
            let memory = world.handed_over();
            verified(world, memory);
        });
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_FAULTS" = FILL_FAILS]
    fn memory_that_was_handed_over_is_not_verified_behind_a_failure() {
        with_streams(|world| {
            let memory = world.handed_over();
            refused(world, memory);
        });
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn memory_that_came_by_a_fence_is_verified_by_its_first_stream() {
        with_streams(|world| {
            let memory = world.fenced();
            verified(world, memory);
        });
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_FAULTS" = FILL_FAILS]
    fn memory_that_came_by_a_fence_is_not_verified_behind_a_failure() {
        with_streams(|world| {
            let memory = world.fenced();
            refused(world, memory);
        });
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_share_on_another_stream_is_verified_by_the_first_one() {
        with_streams(|world| {
            let (on_first, on_second) = world.shared();
            let unverified: Unverified<'_, (D, Main), Share<'_>> =
                world.second.synchronize().unwrap().take(on_second);
            let idle = world.first.synchronize().unwrap();
            let share: Share<'_> = idle.verify(unverified);
            drop(idle.take(on_first));
            let memory = share.try_unwrap().expect("the last share");
            world.assert_ones(&memory);
        });
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_FAULTS" = FILL_FAILS]
    fn a_share_on_another_stream_is_not_verified_behind_a_failure() {
        with_streams(|world| {
            let (on_first, on_second) = world.shared();
            let unverified = world.second.synchronize().unwrap().take(on_second);
            world.assert_first_refuses();
            drop(world.first.drain().unwrap().take(on_first).accept_unverified());
            let memory = unverified.accept_unverified().try_unwrap().expect("the last share");
            memory.free().unwrap();
        });
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_host_that_waits_for_a_fence_asks_both_streams() {
        with_streams(|world| {
            let memory = world.handed_over();
            let event = world.current.create_event::<Order>().unwrap();
            let (unverified, _event) = world.second.fence(event, memory).unwrap().synchronize().unwrap();
            let unverified: Unverified<'_, (D, Main), Memory<'_>> =
                world.second.synchronize().unwrap().verify(unverified);
            let memory: Memory<'_> = world.first.synchronize().unwrap().verify(unverified);
            world.assert_ones(&memory);
        });
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn each_stream_of_a_chain_is_asked() {
        with_streams(|world| {
            let memory = world.handed_over();
            let mut event = world.current.create_event::<Order>().unwrap();
            let memory = world.second.handoff(&mut world.third, &mut event, memory).unwrap();
            let unverified: Unverified<'_, (D, Second), Memory<'_>, After<Main>> =
                world.third.synchronize().unwrap().take(memory);
            let unverified: Unverified<'_, (D, Main), Memory<'_>> =
                world.second.synchronize().unwrap().verify(unverified);
            let memory: Memory<'_> = world.first.synchronize().unwrap().verify(unverified);
            world.assert_ones(&memory);
        });
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_FAULTS" = FILL_FAILS]
    fn a_chain_is_not_verified_behind_a_failure_at_its_beginning() {
        with_streams(|world| {
            let memory = world.handed_over();
            let mut event = world.current.create_event::<Order>().unwrap();
            let memory = world.second.handoff(&mut world.third, &mut event, memory).unwrap();
            let unverified = world.third.synchronize().unwrap().take(memory);
            let unverified = world.second.synchronize().unwrap().verify(unverified);
            world.assert_first_refuses();
            unverified.accept_unverified().free().unwrap();
        });
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001"]
    fn a_drained_stream_says_nothing_of_either() {
        with_streams(|world| {
            let mut memory = world.handed_over();
            world.second.memset_async(&mut memory, 2).unwrap(); // fails
            assert_says(world.second.synchronize().map(drop), &["507001"]);
            let unverified: Unverified<'_, (D, Second), Memory<'_>, After<Main>> =
                world.second.drain().unwrap().take(memory);
            // The first stream has not failed, and cannot verify for the second one.
            world.first.synchronize().map(|_| ()).unwrap();
            unverified.accept_unverified().free().unwrap();
        });
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001"]
    fn borrowed_memory_that_was_handed_over_is_not_verified_behind_a_failure() {
        with_streams(|world| {
            let mut buf = world.current.memset(world.current.malloc::<u32>(16).unwrap(), 1).unwrap();
            let mut event = world.current.create_event::<Order>().unwrap();
            let current = world.current;
            let ended = current.scope(|scope| {
                let mut lease = world.first.adopt(scope.lend(&mut buf));
                world.first.memset_async(&mut lease, 2).unwrap(); // fails
                let lease = world.first.handoff(&mut world.second, &mut event, lease).unwrap();
                let unverified = world.second.synchronize().unwrap().take(lease);
                world.assert_first_refuses();
                unverified.accept_unverified().into_inner();
            });
            assert_says(ended, &["scope"]);
            buf.free().unwrap();
        });
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn borrowed_memory_that_was_handed_over_is_verified_by_its_first_stream() {
        with_streams(|world| {
            let mut numbers = [0_u32; 16];
            let filled = world.filled();
            let mut event = world.current.create_event::<Order>().unwrap();
            let current = world.current;
            current.scope(|scope| {
                let mut lease = world.first.adopt(scope.lend(&mut numbers[..]));
                world.first.memcpy_async(&mut lease, &filled).unwrap();
                let lease = world.first.handoff(&mut world.second, &mut event, lease).unwrap();
                let unverified = world.second.synchronize().unwrap().take(lease);
                let idle = world.first.synchronize().unwrap();
                assert_eq!(idle.verify(unverified).into_inner(), [1; 16]);
                drop(idle.take(filled));
            }).unwrap();
        });
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn memory_that_was_handed_over_is_an_operand_of_everything() {
        bound!(acl, side, device: D, current, first);
        let mut second = current.create_stream::<Second>().unwrap();
        let mut event = current.create_event::<Order>().unwrap();
        let filled = first.memset_d32_async(first.adopt(current.malloc::<i32>(32).unwrap()), 1).unwrap();
        let both = filled.and(first.adopt(current.malloc_host::<i32>(side, 32).unwrap()));
        let (mut memory, mut host) = first.handoff(&mut second, &mut event, both).unwrap().split();

        let (_left, right) = memory.split_at_mut(16).unwrap();
        second.memset_async(&mut host, 0).unwrap();
        second.memcpy_async(right, host.slice(0..16).unwrap()).unwrap(); // 1 in front, 0 behind
        let rows = Rows::new(&mut host, 1, 16, 32).unwrap();
        second.memcpy_2d_async(rows, Rows::new(&memory, 1, 16, 32).unwrap(), side).unwrap();
        second
            .launch_host_func_on(&mut host, |numbers| numbers.iter_mut().for_each(|number| *number += 4))
            .unwrap();
        second.memcpy_async(&mut memory, &host).unwrap(); // 5 in front, 4 behind
        let out = second.adopt(current.malloc::<i32>(32).unwrap()).into_tensor(&[32]).unwrap();
        let operand = memory.tensor(&[32]).unwrap();
        let sum = op::add(current, &operand, &operand, 1, out).unwrap();
        let sum = sum.launch(&mut second).unwrap().into_output();
        let share = memory.share();
        let reader = share.clone();
        second.memcpy_async(&mut host, &reader).unwrap();
        let (share, _event) = second.fence(&mut event, share).unwrap().cancel();

        let idle = second.synchronize().unwrap();
        let mut seen = current.malloc_local::<i32, 64>(32).unwrap();
        current.memcpy(&mut seen, &idle.take(sum)).unwrap();
        assert_eq!((seen[..16].to_vec(), seen[16..].to_vec()), (vec![10; 16], vec![8; 16]));
        let (host, share) = (idle.take(host), idle.take(share));
        drop(idle.take(reader));
        let idle = first.synchronize().unwrap();
        assert_eq!(idle.verify(host)[15..17], [5, 4]);
        idle.verify(share).try_unwrap().expect("the last share").free().unwrap();

        let fresh = first.adopt(current.malloc::<u8>(64).unwrap());
        let moved = first.handoff(&mut second, &mut event, fresh).unwrap();
        moved.free_with_dev_sync(current).unwrap();
        drop((first, second, event, seen));
        device.reset().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_FAULTS" = FILL_FAILS]
    fn memory_that_is_written_anew_has_no_past() {
        with_streams(|world| {
            let fresh = world.handed_over().forget_contents();
            let memory: Queued<'_, (D, Second), Memory<'_>> =
                world.second.memset_d32_async(fresh, 1).unwrap();
            let memory: Memory<'_> = world.second.synchronize().unwrap().take(memory);
            world.assert_ones(&memory);
            world.assert_first_refuses();
        });
    }

    fn fresh_memory_takes_no_past_along() {
        with_streams(|world| {
            let fresh = world.first.adopt(world.current.malloc::<u32>(16).unwrap());
            let mut event = world.current.create_event::<Order>().unwrap();
            let fresh = world.first.handoff(&mut world.second, &mut event, fresh).unwrap();
            let memory: Queued<'_, (D, Second), DeviceBuf<'_, D, [u32]>> =
                world.second.memset_d32_async(fresh, 1).unwrap();
            let memory: Memory<'_> = world.second.synchronize().unwrap().take(memory);
            world.assert_ones(&memory);
        });
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_pool_gets_fresh_memory_back() {
        with_streams(|world| {
            let mut pool = vec![world.current.malloc::<u32>(16).unwrap()];
            for _ in 0..3 {
                let fresh = world.first.adopt(pool.pop().unwrap());
                let written = world.first.memset_d32_async(fresh, 1).unwrap();
                let memory = world.first.synchronize().unwrap().take(written);
                world.assert_ones(&memory);
                pool.push(memory.forget_contents());
            }
        });
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_buffer_circles_with_the_same_types() {
        bound!(acl, device: D, current);
        circle(current).unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_device_that_stops_gives_memory_of_another_stream_proven() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap().stop_on_failure();
        let current = thread.set_current(&device).unwrap();
        let mut first = current.create_stream::<Main>().unwrap();
        let mut second = current.create_stream::<Second>().unwrap();
        let mut third = current.create_stream::<Third>().unwrap();
        let mut event = current.create_event::<Order>().unwrap();
        let memory = first.memset_async(first.adopt(current.malloc::<u8>(4).unwrap()), 7).unwrap();
        let memory = first.handoff(&mut second, &mut event, memory).unwrap();
        let memory = second.handoff(&mut third, &mut event, memory).unwrap();
        let memory = third.synchronize().unwrap().take(memory);
        let mut seen = current.malloc_local::<u8, 64>(4).unwrap();
        current.memcpy(&mut seen, &memory).unwrap(); // no `verify` in between
        assert_eq!(seen[..], [7; 4]);
        drop((memory, event, seen, first, second, third));
        device.reset().unwrap();
        assert_clean(&acl);
    }
}
