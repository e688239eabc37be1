//! Memory of one device that another device uses.

use ascendcl::error::Usage;
use ascendcl::peer::PeerAccess;
use ascendcl::stream::Main;
use ascendcl::{Current, Device, Npu, Thread};

use crate::common::{acl, assert_clean, assert_says, bound, host, isolated, usage};

type First = Npu<0>;
type Second = Npu<1>;

/// Access from the first device to the second.
fn access<'dev, 'peer>(
    current: Current<'_, 'dev, First>,
    second: &'peer Device<'_, Second>,
) -> PeerAccess<'dev, 'peer, First, Second> {
    current
        .can_access_peer(second)
        .unwrap()
        .unwrap()
        .enable(current)
        .unwrap()
}

isolated! {
    ["ASCENDCL_EMULATOR_PEERS" = "checked"]
    fn a_buffer_is_written_on_its_peer() {
        let acl = acl();
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        let first = acl.set_device::<First>(&mut thread, 0).unwrap();
        let second = acl.set_device::<Second>(&mut thread, 1).unwrap();
        let current = thread.set_current(&second).unwrap();
        let mut there = current.memset(current.malloc::<u32>(8).unwrap(), 0).unwrap();
        let current = thread.set_current(&first).unwrap();
        let mut numbers = current.malloc_host::<u32>(side, 8).unwrap();
        numbers.copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8]);
        let here = current.memcpy(current.malloc(8).unwrap(), &numbers).unwrap();
        let access = access(current, &second);
        access.p2p_map(&there).unwrap();
        let part = access.outbound().slice_mut(&mut there, 2..6).unwrap();
        current.memcpy(part, here.slice(0..4).unwrap()).unwrap();
        access.disable().unwrap();
        let current = thread.set_current(&second).unwrap();
        current.memcpy(&mut numbers, &there).unwrap();
        assert_eq!(numbers[..], [0, 0, 1, 2, 3, 4, 0, 0]);
        drop((here, there));
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_PEERS" = "checked"]
    fn with_both_directions_a_peer_is_read_too() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let first = acl.set_device::<First>(&mut thread, 0).unwrap();
        let second = acl.set_device::<Second>(&mut thread, 1).unwrap();
        let current = thread.set_current(&second).unwrap();
        let there = current.memset(current.malloc::<u8>(8).unwrap(), 7).unwrap();
        let back = current.can_access_peer(&first).unwrap().unwrap().enable(current).unwrap();
        let current = thread.set_current(&first).unwrap();
        let access = access(current, &second);
        let view = access.mutual(&back);
        let here = current.malloc::<u8>(8).unwrap();
        let here = current.memcpy(here, view.slice(&there, 0..8).unwrap()).unwrap();
        let mut seen = current.malloc_local::<u8, 64>(8).unwrap();
        current.memcpy(&mut seen, &here).unwrap();
        assert_eq!(seen[..], [7; 8]);
        drop((access, back));
        drop((here, there, seen));
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_PEERS" = "checked"]
    fn lent_memory_is_queued_and_comes_back() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let first = acl.set_device::<First>(&mut thread, 0).unwrap();
        let second = acl.set_device::<Second>(&mut thread, 1).unwrap();
        let there = thread.set_current(&second).unwrap().malloc::<u8>(64).unwrap();
        let current = thread.set_current(&first).unwrap();
        let access = access(current, &second);
        let mut stream = current.create_stream::<Main>().unwrap();
        let here = stream.adopt(current.malloc::<u8>(64).unwrap());
        let here = stream.memset_async(here, 5).unwrap();
        let lent = stream.adopt(access.outbound().lend(there));
        let lent = stream.memcpy_async(lent, &here).unwrap(); // fresh memory becomes initialised
        let idle = stream.synchronize().unwrap();
        drop(idle.take(here));
        let there = access.outbound().give_back(idle.take(lent));
        drop((stream, access));
        let current = thread.set_current(&second).unwrap();
        let mut seen = current.malloc_local::<u8, 64>(64).unwrap();
        current.memcpy(&mut seen, &there).unwrap();
        assert_eq!(seen[..], [5; 64]);
        drop((there, seen));
        assert_clean(&acl);
    }

    // Memory that is dropped while it is queued still belongs to the queue of the other device, even if other values
    // were dropped or forgotten.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_peer_is_not_reset_under_queued_work() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let first = acl.set_device::<First>(&mut thread, 0).unwrap();
        for forgotten in [false, true] {
            let second = acl.set_device::<Second>(&mut thread, 1).unwrap();
            let there = thread.set_current(&second).unwrap().malloc::<u8>(64).unwrap();
            let current = thread.set_current(&first).unwrap();
            let access = access(current, &second);
            let mut stream = current.create_stream::<Main>().unwrap();
            let here = stream.memset_async(stream.adopt(current.malloc::<u8>(64).unwrap()), 5).unwrap();
            let lent = stream.adopt(access.outbound().lend(there));
            drop(stream.memcpy_async(lent, &here).unwrap());
            drop(here);
            if forgotten {
                std::mem::forget((stream, access));
                second.reset().unwrap();
                break;
            }
            drop(access);
            second.reset().unwrap();
        }
        first.reset().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn the_user_may_be_reset_first() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let second = acl.set_device::<Second>(&mut thread, 1).unwrap();
        let first = acl.set_device::<First>(&mut thread, 0).unwrap();
        let there = thread.set_current(&second).unwrap().malloc::<u8>(64).unwrap();
        let current = thread.set_current(&first).unwrap();
        let access = access(current, &second);
        let mut stream = current.create_stream::<Main>().unwrap();
        let here = stream.memset_async(stream.adopt(current.malloc::<u8>(64).unwrap()), 5).unwrap();
        let lent = stream.adopt(access.outbound().lend(there));
        drop(stream.memcpy_async(lent, &here).unwrap());
        drop(here);
        std::mem::forget((stream, access));
        first.reset().unwrap();
        second.reset().unwrap();
        assert_eq!(ascendcl::leaks(), 0);
        assert_clean(&acl);
    }

    fn access_is_enabled_once_at_a_time() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let first = acl.set_device::<First>(&mut thread, 0).unwrap();
        let second = acl.set_device::<Second>(&mut thread, 1).unwrap();
        let current = thread.set_current(&first).unwrap();
        let held = access(current, &second);
        let route = current.can_access_peer(&second).unwrap().unwrap();
        assert_eq!(usage(route.enable(current)), Usage::PeerAccessTaken { user: 0, peer: 1 });
        held.disable().unwrap();
        drop(access(current, &second));
        assert_clean(&acl);
    }

    [
        "ASCENDCL_EMULATOR_CHECK" = "0",
        "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001,aclrtDeviceDisablePeerAccess#1=507899",
    ]
    fn failed_work_and_a_refused_end_are_both_told() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let first = acl.set_device::<First>(&mut thread, 0).unwrap();
        let second = acl.set_device::<Second>(&mut thread, 1).unwrap();
        let current = thread.set_current(&first).unwrap();
        let held = access(current, &second);
        let mut stream = current.create_stream::<Main>().unwrap();
        drop(stream.memset_async(stream.adopt(current.malloc::<u8>(64).unwrap()), 5).unwrap());
        assert_says(held.disable(), &["507001"]);
        // The refusal goes to the hook.
        assert_eq!(ascendcl::release_failures(), 1);
    }

    fn a_card_is_no_peer_of_itself() {
        bound!(acl, device: First, current);
        assert_says(current.can_access_peer(&device), &["aclrtDeviceCanAccessPeer failed with 100000"]);
    }

    ["ASCENDCL_EMULATOR_PEERS" = "none"]
    on emulator fn where_there_is_no_route_there_is_no_access() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let first = acl.set_device::<First>(&mut thread, 0).unwrap();
        let second = acl.set_device::<Second>(&mut thread, 1).unwrap();
        let current = thread.set_current(&first).unwrap();
        assert!(current.can_access_peer(&second).unwrap().is_none());
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeDevice#1+=507001"]
    fn a_device_whose_memory_may_be_in_use_for_ever_is_not_reset() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let first = acl.set_device::<First>(&mut thread, 0).unwrap();
        let second = acl.set_device::<Second>(&mut thread, 1).unwrap();
        let current = thread.set_current(&first).unwrap();
        std::mem::forget(access(current, &second));
        drop(first); // cannot be waited for
        assert_says(
            second.reset(),
            &["device 0 may still use memory of device 1", "device 1 is not reset", "aclrtSynchronizeDevice failed"],
        );
    }
}
