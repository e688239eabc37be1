//! Setting and resetting devices.

use ascendcl::error::Usage;
use ascendcl::stream::Main;
use ascendcl::{MemAttr, Npu, Thread, release_failures, sys};

use crate::common::{acl, assert_clean, assert_says, isolated, usage};

isolated! {
    fn set_and_reset_again_and_again() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        for id in [0, 1, 0] {
            let device = acl.set_device::<Npu<0>>(&mut thread, id).unwrap();
            assert_eq!(device.id(), id);
            assert!(!device.as_raw().is_null());
            device.reset().unwrap();
        }
        acl.finalize().unwrap();
    }

    fn unknown_device_says_which_exist() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        for id in [2, 999] {
            assert_says(
                acl.set_device::<Npu<0>>(&mut thread, id),
                &["aclrtSetDevice", "107001", "there are 2 devices: 0 to 1"],
            );
        }
        assert_says(acl.set_device::<Npu<0>>(&mut thread, u32::MAX), &["4294967295"]);
        // The refused attempts took neither the slot nor the card.
        acl.set_device::<Npu<0>>(&mut thread, 0).unwrap().reset().unwrap();
    }

    fn a_slot_is_taken_once() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<3>>(&mut thread, 0).unwrap();
        assert_eq!(usage(acl.set_device::<Npu<3>>(&mut thread, 1)), Usage::SlotTaken { slot: 3 });
        drop(device);
        acl.set_device::<Npu<3>>(&mut thread, 1).unwrap();
    }

    fn a_card_is_taken_once() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let _device = acl.set_device::<Npu<0>>(&mut thread, 1).unwrap();
        assert_eq!(usage(acl.set_device::<Npu<1>>(&mut thread, 1)), Usage::DeviceTaken { id: 1 });
        // The other card is free under that name.
        acl.set_device::<Npu<1>>(&mut thread, 0).unwrap();
    }

    fn dropping_resets() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        drop(acl.set_device::<Npu<0>>(&mut thread, 0).unwrap());
        assert_eq!(release_failures(), 0);
        // SAFETY: takes a number. One reset too many is refused (observed, CANN runtime 1.17).
        assert_eq!(unsafe { sys::aclrtResetDevice(0) }, sys::ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
    }

    fn a_foreign_reset_is_reported_and_keeps_the_slot() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        // SAFETY: takes a number; nothing of the device is used afterwards.
        assert_eq!(unsafe { sys::aclrtResetDevice(0) }, 0);
        assert_says(device.reset(), &["aclrtResetDevice", "507007", "reset more often"]);
        assert_says(acl.set_device::<Npu<0>>(&mut thread, 0), &["slot 0 is in use"]);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_forgotten_device_keeps_its_slot() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        core::mem::forget(acl.set_device::<Npu<0>>(&mut thread, 0).unwrap());
        assert_says(acl.set_device::<Npu<0>>(&mut thread, 1), &["slot 0 is in use"]);
        assert_says(acl.set_device::<Npu<1>>(&mut thread, 0), &["device 0 is already open"]);
        acl.set_device::<Npu<1>>(&mut thread, 1).unwrap().reset().unwrap();
    }

    fn two_devices_live_side_by_side() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let first = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let second = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
        assert_ne!(first.as_raw(), second.as_raw());
        first.reset().unwrap();
        let current = thread.set_current(&second).unwrap();
        current.malloc::<u8>(1).unwrap();
        second.reset().unwrap();
    }

    fn a_forced_reset_is_the_last_one() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        // SAFETY: takes a number: another component takes a reference of its own.
        assert_eq!(unsafe { sys::aclrtSetDevice(0) }, 0);
        device.reset_force().unwrap();
        // SAFETY: takes a number. Nothing is left to reset.
        assert_eq!(unsafe { sys::aclrtResetDevice(0) }, sys::ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
        acl.set_device::<Npu<0>>(&mut thread, 0).unwrap().reset().unwrap();
    }

    fn an_error_takes_no_device_into_use() {
        let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let path = folder.join(format!("default-device-{}.json", std::process::id()));
        std::fs::write(&path, r#"{"defaultDevice": {"default_device": "0"}}"#).unwrap();
        let acl = ascendcl::Acl::from_env_with_config(&path).unwrap();
        let mut thread = Thread::claim().unwrap();
        assert_says(acl.set_device::<Npu<0>>(&mut thread, 99), &["107001"]);
        // SAFETY: takes a number. With a default device configured, asking the runtime which device is
        // current would have set it.
        assert_eq!(unsafe { sys::aclrtResetDevice(0) }, sys::ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
    }
}

isolated! {
    fn any_number_of_devices_without_slots() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let mut ids = Vec::new();
        for id in 0..acl.device_count().unwrap() {
            acl.with_device(&mut thread, id, |device, thread| {
                let current = thread.set_current(&device).unwrap();
                let buf = current.memset(current.malloc::<u8>(16).unwrap(), 1).unwrap();
                buf.free().unwrap();
                ids.push(device.id());
                device.reset().unwrap();
            })
            .unwrap();
        }
        assert_eq!(ids, [0, 1]);
        assert_clean(&acl);
    }

    fn a_branded_device_claims_its_card() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let named = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        assert_eq!(usage(acl.with_device(&mut thread, 0, |_, _| ())), Usage::DeviceTaken { id: 0 });
        named.reset().unwrap();
        acl.with_device(&mut thread, 0, |device, thread| {
            assert_eq!(usage(acl.set_device::<Npu<0>>(thread, 0)), Usage::DeviceTaken { id: 0 });
            drop(device);
        })
        .unwrap();
        assert_says(
            acl.with_device(&mut thread, 9, |_, _| ()),
            &["aclrtSetDevice", "107001", "there are 2 devices: 0 to 1"],
        );
    }

    // Each branded device frees its own parked memory: a wait for another device must not free it, and a wait for its
    // own device must not leave it.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn parked_memory_of_branded_devices_waits_for_all_of_them() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        acl.with_device(&mut thread, 0, |first, thread| {
            let current = thread.set_current(&first).unwrap();
            let before = current.mem_info(MemAttr::Hbm).unwrap().free;
            let mut stream = current.create_stream::<Main>().unwrap();
            let buf = stream.adopt(current.malloc::<u8>(64).unwrap());
            drop(stream.memset_async(buf, 1).unwrap());
            let parked = current.park(stream);
            acl.with_device(thread, 1, |second, thread| {
                let current = thread.set_current(&second).unwrap();
                let mut stream = current.create_stream::<Main>().unwrap();
                let buf = stream.adopt(current.malloc::<u8>(64).unwrap());
                drop(stream.memset_async(buf, 1).unwrap());
                current.synchronize_device().unwrap();
                drop(stream);
                let current = thread.set_current(&first).unwrap();
                let free = current.mem_info(MemAttr::Hbm).unwrap().free;
                assert!(free < before, "freed while a fill was queued");
                second.reset().unwrap();
            })
            .unwrap();
            let current = thread.set_current(&first).unwrap();
            drop(current.attach(parked));
            assert_eq!(current.mem_info(MemAttr::Hbm).unwrap().free, before);
            first.reset().unwrap();
        })
        .unwrap();
        assert_clean(&acl);
    }
}
