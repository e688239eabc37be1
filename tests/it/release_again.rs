//! Devices that were lost or have hung, and are opened again in the same program.

use std::sync::mpsc::channel;

use ascendcl::error::{Recovery, Usage};
use ascendcl::stream::Main;
use ascendcl::{Acl, Error, ErrorKind, Npu, Result, Thread, leaks, sys};

use crate::common::{acl, isolated, usage};
use crate::release_limit::{LIMIT, hang, works};

type D = Npu<0>;

/// Runs a program that drops memory while it is queued, and returns the error of the device's end.
fn end(acl: &Acl, within: bool) -> Result<()> {
    let mut thread = Thread::claim()?;
    let mut device = acl.set_device::<D>(&mut thread, 0)?;
    if within {
        device = device.release_within(LIMIT)?;
    }
    let current = thread.set_current(&device)?;
    let mut stream = current.create_stream::<Main>()?;
    drop(stream.memset_async(stream.malloc::<u8>(64)?, 7)?);
    std::mem::forget(stream);
    device.reset()
}

/// Runs a program under the names of the one before.
fn again(acl: &Acl) -> Result<()> {
    acl.on::<D, _>(0, |current| {
        works(current);
        Ok(())
    })
}

fn is_ending(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Usage(Usage::DeviceEnding { id: 0 })
    )
}

isolated! {
    // The checker reports a reset behind no successful wait, and on these devices no wait succeeds.
    /// Each wait for it fails, so only a reset helps, and what it had is leaked.
    ["ASCENDCL_EMULATOR_CHECK" = "0", "ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeDevice#1+=507010"]
    on emulator fn a_lost_device_is_reset_and_opened_again() {
        let acl = acl();
        end(&acl, false).unwrap();
        assert_eq!(leaks(), 1, "the memory");
        assert_eq!(ascendcl::parked_bytes(), 0);
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        works(thread.set_current(&device).unwrap());
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0", "ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeDeviceWithTimeout#1+=507010,aclrtSynchronizeDevice#1+=507010"]
    on emulator fn a_lost_device_is_reset_within_its_limit() {
        let acl = acl();
        end(&acl, true).unwrap();
        assert_eq!(leaks(), 1, "the memory");
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        works(thread.set_current(&device).unwrap());
    }

    /// The device does not answer when it is reset, and answers later.
    ["ASCENDCL_EMULATOR_CHECK" = "0",
     "ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeDevice#1+=507010,aclrtResetDevice#1=507010,aclrtResetDevice#2=507010"]
    on emulator fn a_device_whose_reset_has_failed_is_reset_when_it_is_opened() {
        let acl = acl();
        let error = end(&acl, false).unwrap_err();
        assert_eq!(error.recovery(), Recovery::Reset);
        assert!(error.to_string().starts_with("aclrtResetDevice failed with 507010 (ACL_ERROR_RT_LOST_HEARTBEAT) on device 0"), "{error}");
        let mut thread = Thread::claim().unwrap();
        let error = acl.set_device::<D>(&mut thread, 0).unwrap_err();
        assert_eq!(error.code(), Some(sys::ACL_ERROR_RT_LOST_HEARTBEAT), "still lost");
        // The card may come back under another name.
        let device = acl.set_device::<Npu<5>>(&mut thread, 0).unwrap();
        assert_eq!(device.id(), 0);
        drop(device);
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        works(thread.set_current(&device).unwrap());
    }

    /// Nothing aborts the task, but it ends later. The device ends then, and nothing of it is leaked.
    ["ASCENDCL_EMULATOR_CHECK" = "1", "ASCENDCL_EMULATOR_FAULTS" = "aclrtStreamAbort#1+=207000"]
    on emulator fn a_device_that_answers_late_is_opened_again() {
        let acl = acl();
        let mut notify = std::ptr::null_mut();
        let error = acl.on_within::<D, ()>(0, LIMIT, |current| {
            let mut stream = current.create_stream::<Main>()?;
            notify = hang(&stream);
            drop(stream.memset_async(stream.malloc::<u8>(64)?, 7)?);
            std::mem::forget(stream);
            Ok(())
        }).unwrap_err();
        assert_eq!((error.recovery(), error.code()), (Recovery::Reset, Some(sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT)));
        let error = again(&acl).unwrap_err();
        assert!(is_ending(&error), "{error}");
        assert_eq!(error.recovery(), Recovery::Retry);
        assert_eq!(ascendcl::parked_bytes(), 64);
        // Another device is free.
        acl.on::<Npu<1>, _>(1, |current| {
            let stream = current.create_stream::<Main>()?;
            // SAFETY: a live notification, and a live stream.
            assert_eq!(unsafe { sys::aclrtRecordNotify(notify, stream.as_raw()) }, 0);
            stream.destroy()
        }).unwrap();
        while let Err(error) = again(&acl) {
            assert!(is_ending(&error), "{error}");
        }
        assert_eq!((leaks(), ascendcl::parked_bytes()), (0, 0));
    }

    /// The abort at the end of the stream leaves it aborted, so waits fail at once, and the one at the end of the device is late.
    ["ASCENDCL_EMULATOR_CHECK" = "1", "ASCENDCL_EMULATOR_FAULTS" = "half:aclrtStreamAbort=507899,slow:aclrtStreamAbort#2=1200"]
    on emulator fn a_device_whose_second_abort_is_late_is_opened_again() {
        let acl = acl();
        let error = acl.on_within::<D, ()>(0, LIMIT, |current| {
            let stream = current.create_stream::<Main>()?;
            hang(&stream);
            drop(stream);
            Ok(())
        }).unwrap_err();
        assert_eq!((error.recovery(), error.code()), (Recovery::Reset, Some(sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT)));
        while let Err(error) = again(&acl) {
            assert!(is_ending(&error), "{error}");
        }
    }

    /// AscendCL stays initialised while a device ends.
    ["ASCENDCL_EMULATOR_CHECK" = "1", "ASCENDCL_EMULATOR_FAULTS" = "aclrtStreamAbort#1+=207000"]
    on emulator fn ascendcl_is_not_finalised_before_a_device_has_ended() {
        let acl = acl();
        let ended = acl.on_within::<D, ()>(0, LIMIT, |current| {
            let stream = current.create_stream::<Main>()?;
            hang(&stream);
            std::mem::forget(stream);
            Ok(())
        });
        assert!(matches!(usage(ended), Usage::Late { limit: LIMIT }));
        assert!(matches!(usage(acl.finalize()), Usage::Unproven { .. }));
    }

    /// The thread that goes on knows the streams, so nothing of the device counts as unused before their work is over.
    ["ASCENDCL_EMULATOR_CHECK" = "1"]
    on emulator fn a_share_is_in_use_until_the_device_has_ended() {
        let acl = acl();
        let side = crate::common::host(&acl);
        let mut here = Thread::claim().unwrap();
        let one = acl.set_device::<Npu<1>>(&mut here, 1).unwrap();
        let buf = here.set_current(&one).unwrap().malloc_host_from(side, &[7_u8; 64]).unwrap();
        let (go, gate) = channel::<()>();
        let zero = acl.set_device::<D>(&mut here, 0).unwrap().release_within(LIMIT).unwrap();
        let current = here.set_current(&zero).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let queued = stream.adopt(buf).share();
        let share = stream.synchronize().unwrap().take(queued);
        // No abort ends it.
        stream.launch_host_func(move || {
            let _ = gate.recv();
        }).unwrap();
        let source = stream.adopt(share.clone());
        let copied = stream.memcpy_async(stream.malloc::<u8>(64).unwrap(), &source).unwrap();
        std::mem::forget(copied);
        drop(source);
        std::mem::forget(stream);
        assert!(matches!(usage(zero.reset()), Usage::Late { .. }));
        let mut in_use = share.try_unwrap().unwrap_err();
        go.send(()).unwrap();
        let buf = loop {
            match in_use.try_unwrap() {
                Ok(buf) => break buf,
                Err(shared) => in_use = shared,
            }
        };
        buf.free().unwrap();
    }

    /// The next one takes AscendCL over as it is.
    ["ASCENDCL_EMULATOR_CHECK" = "1", "ASCENDCL_EMULATOR_FAULTS" = "aclrtStreamAbort#1+=207000"]
    on emulator fn what_was_not_finalised_is_taken_over() {
        let hung = acl();
        let mut notify = std::ptr::null_mut();
        let ended = hung.on_within::<D, ()>(0, LIMIT, |current| {
            let stream = current.create_stream::<Main>()?;
            notify = hang(&stream);
            std::mem::forget(stream);
            Ok(())
        });
        assert!(matches!(usage(ended), Usage::Late { .. }));
        drop(hung);
        let acl = acl();
        acl.on::<Npu<1>, _>(1, |current| {
            let stream = current.create_stream::<Main>()?;
            // SAFETY: a live notification, and a live stream.
            assert_eq!(unsafe { sys::aclrtRecordNotify(notify, stream.as_raw()) }, 0);
            stream.destroy()
        }).unwrap();
        while let Err(error) = again(&acl) {
            assert!(is_ending(&error), "{error}");
        }
        acl.finalize().unwrap();
    }

    /// An abort that fails half-way leaves a stream whose waits fail. The end of the device aborts it once more.
    ["ASCENDCL_EMULATOR_CHECK" = "1", "ASCENDCL_EMULATOR_FAULTS" = "half:aclrtStreamAbort=507899"]
    on emulator fn a_half_abort_is_repeated_at_the_end_of_the_device() {
        let acl = acl();
        let ended = acl.on_within::<D, ()>(0, LIMIT, |current| {
            let stream = current.create_stream::<Main>()?;
            hang(&stream);
            stream.destroy()
        });
        assert!(matches!(usage(ended), Usage::Late { .. }));
        again(&acl).unwrap();
    }

    /// A device whose memory another one may use, which hangs: its end is in time, too.
    ["ASCENDCL_EMULATOR_CHECK" = "1", "ASCENDCL_EMULATOR_FAULTS" = "aclrtStreamAbort#1+=207000", "ASCENDCL_EMULATOR_DEVICES" = "3"]
    on emulator fn the_owner_of_memory_that_a_hung_device_uses_ends_later() {
        let acl = acl();
        let mut here = Thread::claim().unwrap();
        let owner = acl.set_device::<Npu<1>>(&mut here, 1).unwrap().release_within(LIMIT).unwrap();
        let user = acl.set_device::<D>(&mut here, 0).unwrap().release_within(LIMIT).unwrap();
        let current = here.set_current(&user).unwrap();
        let access = current.can_access_peer(&owner).unwrap().unwrap().enable(current).unwrap();
        let stream = current.create_stream::<Main>().unwrap();
        let notify = hang(&stream);
        std::mem::forget(stream);
        drop(access);
        assert!(matches!(usage(user.reset()), Usage::Late { .. }));
        assert!(matches!(usage(owner.reset()), Usage::PeerLost { .. }));
        let third = acl.set_device::<Npu<2>>(&mut here, 2).unwrap();
        let stream = here.set_current(&third).unwrap().create_stream::<Main>().unwrap();
        // SAFETY: a live notification, and a live stream.
        assert_eq!(unsafe { sys::aclrtRecordNotify(notify, stream.as_raw()) }, 0);
        stream.destroy().unwrap();
        let mut opens = |id| loop {
            match acl.with_device(&mut here, id, |device, _| device.reset()) {
                Ok(ended) => break ended.unwrap(),
                Err(error) => assert!(matches!(error.kind(), ErrorKind::Usage(Usage::DeviceEnding { .. })), "{error}"),
            }
        };
        opens(0);
        opens(1);
    }
}
