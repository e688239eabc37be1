//! Releases that fail without a caller to return the error to: the hook, the counter, and no panic.

use std::sync::atomic::{AtomicUsize, Ordering};

use ascendcl::error::Usage;
use ascendcl::stream::Main;
use ascendcl::{Error, Npu, Thread, on_release_failure, release_failures, sys};

use crate::common::{acl, isolated, usage};

static SEEN: AtomicUsize = AtomicUsize::new(0);

fn count_507007(error: &Error) {
    assert_eq!(error.code(), Some(sys::ACL_ERROR_RT_CONTEXT_RELEASE_ERROR));
    SEEN.fetch_add(1, Ordering::SeqCst);
}

isolated! {
    fn the_hook_sees_a_failed_reset() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        on_release_failure(count_507007);
        // SAFETY: takes a number; nothing of the device is used afterwards.
        assert_eq!(unsafe { sys::aclrtResetDevice(0) }, 0);
        drop(device);
        assert_eq!(SEEN.load(Ordering::SeqCst), 1);
        assert_eq!(release_failures(), 1);
    }

    fn a_panic_releases_in_order() {
        let acl = acl();
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let mut thread = Thread::claim().unwrap();
            let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
            let current = thread.set_current(&device).unwrap();
            let _stream = current.create_stream::<Main>().unwrap();
            let _buf = current.malloc::<u8>(100).unwrap();
            panic!("in the middle of the work");
        }));
        assert!(outcome.is_err());
        assert_eq!(release_failures(), 0);
        // Everything is free again: the thread, the slot, the card and the name.
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        thread.set_current(&device).unwrap().create_stream::<Main>().unwrap();
    }

    fn an_early_return_releases_in_order() {
        fn work(acl: &ascendcl::Acl) -> ascendcl::Result<()> {
            let mut thread = Thread::claim()?;
            let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
            let current = thread.set_current(&device)?;
            let stream = current.create_stream::<Main>()?;
            let _buf = current.malloc::<u8>(100)?;
            current.malloc::<u8>(0)?;
            stream.destroy()
        }
        let acl = acl();
        assert_eq!(usage(work(&acl)), Usage::ZeroSize { len: 0, size: 1 });
        assert_eq!(release_failures(), 0);
        assert_eq!(usage(work(&acl)), Usage::ZeroSize { len: 0, size: 1 });
        acl.finalize().unwrap();
    }

    fn a_hook_that_panics_stops_nothing() {
        fn panicking(_: &Error) {
            panic!("a hook must not, but may");
        }
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        on_release_failure(panicking);
        // SAFETY: takes a number; nothing of the device is used afterwards.
        assert_eq!(unsafe { sys::aclrtResetDevice(0) }, 0);
        drop(device);
        assert_eq!(release_failures(), 1);
    }

    // Device 0 has a forgotten stream, so the drop waits for its context. The thread is bound to device 1 meanwhile
    // and stays so, also for the hook that reports the failed wait.
    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeDevice#1=507001"]
    fn releasing_another_device_does_not_touch_the_binding() {
        fn note_current_device(error: &Error) {
            assert_eq!(error.code(), Some(sys::ACL_ERROR_RT_TS_ERROR));
            SEEN.store(current_device(), Ordering::SeqCst);
        }
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let zero = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let one = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
        {
            let current = thread.set_current(&zero).unwrap();
            let mut stream = current.create_stream::<Main>().unwrap();
            let buf = stream.adopt(current.malloc::<u8>(100).unwrap());
            drop(stream.memset_async(buf, 1).unwrap());
            std::mem::forget(stream);
        }
        let current = thread.set_current(&one).unwrap();
        on_release_failure(note_current_device);
        SEEN.store(77, Ordering::SeqCst);
        drop(zero);
        assert_eq!(SEEN.load(Ordering::SeqCst), 1);
        assert_eq!(current_device(), 1);
        current.malloc::<u8>(10).unwrap();
    }
}

/// The device that is current on this thread, as the runtime sees it.
fn current_device() -> usize {
    let mut id = -1;
    // SAFETY: `id` is valid for a write.
    assert_eq!(unsafe { sys::aclrtGetDevice(&raw mut id) }, 0);
    usize::try_from(id).unwrap()
}
