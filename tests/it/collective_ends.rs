//! The ends of communicators that their threads have not made: which thread calls HCCL for the device.

use std::sync::Barrier;
use std::thread;

use ascendcl::collective::{CommName, DetachedComm, Sum, World};
use ascendcl::error::CollectiveMismatch;
use ascendcl::stream::Main;
use ascendcl::{Npu, Thread};

use crate::collective_refused::mistake;
use crate::common::{acl_with_journal, assert_clean, calls, isolated};

enum Side {}
impl CommName for Side {}

enum Other {}
impl CommName for Other {}

fn only<N: CommName>(comms: Vec<DetachedComm<'_, N>>) -> DetachedComm<'_, N> {
    let [detached] = <[_; 1]>::try_from(comms).unwrap();
    detached
}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator"]
    fn a_detached_comm_is_left_to_the_thread_of_its_device() {
        let acl = acl_with_journal();
        let mut own = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut own, 0).unwrap();
        let current = own.set_current(&device).unwrap();
        // The names are free again for the second round.
        for round in 1..=2 {
            let world = only(current.comm_init_all::<World>(&[device.member()]).unwrap());
            let side = only(current.comm_init_all::<Side>(&[device.member()]).unwrap());
            let world = world.attach(current).unwrap();
            thread::scope(|threads| threads.spawn(move || drop(side)).join().unwrap());
            // This thread may make a call for the device meanwhile.
            assert_eq!(calls("HcclCommDestroy"), 2 * round - 2);
            let taken = mistake(current.comm_init_all::<Side>(&[device.member()]));
            let name = std::any::type_name::<Side>();
            assert_eq!(taken, CollectiveMismatch::NameTaken { name, device: 0 });
            world.destroy().unwrap();
            assert_eq!(calls("HcclCommDestroy"), 2 * round);
        }
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    fn a_detached_comm_that_cannot_be_attached_is_left_to_the_thread_of_its_device() {
        let acl = acl_with_journal();
        let mut own = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut own, 0).unwrap();
        let current = own.set_current(&device).unwrap();
        let world = only(current.comm_init_all::<World>(&[device.member()]).unwrap());
        let side = only(current.comm_init_all::<Side>(&[device.member()]).unwrap());
        let world = world.attach(current).unwrap();
        let attach = || {
            let mut other = Thread::claim().unwrap();
            let refused = mistake(side.attach(other.set_current(&device).unwrap()));
            assert_eq!(refused, CollectiveMismatch::OtherThread { device: 0 });
        };
        thread::scope(|threads| threads.spawn(attach).join().unwrap());
        assert_eq!(calls("HcclCommDestroy"), 0);
        drop(world);
        assert_eq!(calls("HcclCommDestroy"), 2);
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    fn a_thread_claims_a_device_while_another_one_drops_a_detached_comm_of_it() {
        let acl = acl_with_journal();
        let mut own = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut own, 0).unwrap();
        let current = own.set_current(&device).unwrap();
        for round in 1..=50 {
            let world = only(current.comm_init_all::<World>(&[device.member()]).unwrap());
            let side = only(current.comm_init_all::<Side>(&[device.member()]).unwrap());
            let both = Barrier::new(2);
            thread::scope(|threads| {
                threads.spawn(|| {
                    both.wait();
                    drop(side);
                });
                both.wait();
                // It waits for the other thread, or the detached communicator is left to it.
                let world = world.attach(current).unwrap();
                world.destroy().unwrap();
            });
            assert_eq!(calls("HcclCommDestroy"), 2 * round);
        }
        assert_clean(&acl);
    }

    // A stream that a number names ends on a thread of its own. What it destroys is left to the thread with claims of the
    // device, which gives back none when a part has the communicator.
    ["ASCENDCL_BACKEND" = "emulator"]
    fn a_part_that_ends_on_another_thread_is_left_to_no_dropped_communicator() {
        let acl = acl_with_journal();
        let mut own = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut own, 0).unwrap();
        let current = own.set_current(&device).unwrap();
        for round in 1..=2 {
            let world = only(current.comm_init_all::<World>(&[device.member()]).unwrap());
            let mut world = world.attach(current).unwrap();
            let ranks: Vec<_> = world.ranks().iter().collect();
            let part = world.create_sub_comm::<Side>(&ranks, 0).unwrap();
            let mut lane = current.create_parked_stream().unwrap();
            lane.with(current, |other| drop(other.adopt(part)));
            drop(lane);
            assert_eq!(calls("HcclCommDestroy"), 2 * round - 2);
            if round == 1 {
                drop(world);
            } else {
                world.destroy().unwrap();
            }
            assert_eq!(calls("HcclCommDestroy"), 2 * round);
        }
        drop(device);
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    fn communicators_that_are_dropped_on_two_streams_end_on_any_thread() {
        let acl = acl_with_journal();
        let mut own = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut own, 0).unwrap();
        let current = own.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let mut lanes = [(); 2].map(|()| current.create_parked_stream().unwrap());
        let world = only(current.comm_init_all::<World>(&[device.member()]).unwrap());
        let mut world = world.attach(current).unwrap();
        let ranks: Vec<_> = world.ranks().iter().collect();
        let part = world.create_sub_comm::<Side>(&ranks, 0).unwrap();
        let other = only(current.comm_init_all::<Other>(&[device.member()]).unwrap());
        let other = other.attach(current).unwrap();
        lanes[0].with(current, |lane| drop(lane.adopt(part)));
        lanes[1].with(current, |lane| drop(lane.adopt(other)));
        let world = stream.adopt(world);
        let mut ones = stream.memset_async(stream.malloc::<i32>(48).unwrap(), 1).unwrap();
        stream.with(&world).all_reduce_in_place(Sum, &mut ones).unwrap();
        drop((world, ones));
        drop(lanes);
        drop(stream);
        assert_eq!(calls("HcclCommDestroy"), 3);
        drop(device);
        assert_clean(&acl);
    }

    // Without a search for leaks: HCCL holds the device of a communicator that is forgotten, so no reset ends it.
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "1"]
    fn a_detached_comm_that_is_left_to_a_forgotten_communicator_ends_with_its_device() {
        let acl = acl_with_journal();
        for _ in 0..2 {
            let mut own = Thread::claim().unwrap();
            let device = acl.set_device::<Npu<0>>(&mut own, 0).unwrap();
            let current = own.set_current(&device).unwrap();
            let world = only(current.comm_init_all::<World>(&[device.member()]).unwrap());
            let side = only(current.comm_init_all::<Side>(&[device.member()]).unwrap());
            std::mem::forget(world.attach(current).unwrap());
            thread::scope(|threads| threads.spawn(move || drop(side)).join().unwrap());
            device.reset().unwrap();
        }
        // No call for a device that is over.
        assert_eq!(calls("HcclCommDestroy"), 0);
    }
}
