//! Releases that fail where nobody can be told: the hook, the counter, and that nothing panics.

use std::sync::atomic::{AtomicUsize, Ordering};

use ascendcl::stream::Main;
use ascendcl::{Error, Npu, Thread, on_release_failure, release_failures, sys};

use crate::common::{acl, isolated};

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
        assert!(matches!(work(&acl), Err(Error::Usage(_))));
        assert_eq!(release_failures(), 0);
        assert!(matches!(work(&acl), Err(Error::Usage(_))));
        acl.finalize().unwrap();
    }
}
