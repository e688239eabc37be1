//! What errors say.

use ascendcl::error::{BackendError, Usage};
use ascendcl::{Error, ErrorKind, Npu, Thread, sys};

use crate::common::{acl, acl_with_journal, calls, embedded, isolated};

isolated! {
    fn a_refusal_knows_call_code_name_device_text_and_hint() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 1).unwrap();
        let current = thread.set_current(&device).unwrap();
        let result = current.malloc::<u8>(1 << 50);
        let Err(ErrorKind::Refused(error)) = result.map_err(Error::into_kind) else { panic!("a petabyte") };
        assert_eq!(error.call, "aclrtMalloc");
        assert_eq!(error.code, sys::ACL_ERROR_RT_MEMORY_ALLOCATION);
        assert_eq!(error.name, Some("ACL_ERROR_RT_MEMORY_ALLOCATION"));
        assert_eq!(error.device, Some(1));
        assert!(error.text.as_ref().is_some_and(|text| !text.is_empty()));
        assert!(error.hint.as_ref().is_some_and(|hint| hint.contains("mem_info")));
        let line = error.to_string();
        assert!(!line.contains('\n'), "{line}");
        // The text was taken with the error: the next one does not see it.
        // SAFETY: takes no argument.
        assert!(unsafe { sys::aclGetRecentErrMsg() }.is_null());
    }

    fn without_a_context_an_error_has_no_device_and_leaves_no_text_behind() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let result = acl.set_device::<Npu<0>>(&mut thread, 77);
        let Err(ErrorKind::Refused(error)) = result.map_err(Error::into_kind) else { panic!("device 77") };
        assert_eq!(error.device, None);
        // Whose text is asked for next, has a device.
        let device = acl.set_device::<Npu<0>>(&mut thread, 1).unwrap();
        let current = thread.set_current(&device).unwrap();
        // SAFETY: takes no argument.
        assert!(unsafe { sys::aclGetRecentErrMsg() }.is_null());
        let result = current.malloc::<u8>(1 << 50);
        let Err(ErrorKind::Refused(error)) = result.map_err(Error::into_kind) else { panic!("a petabyte") };
        assert_eq!((error.call, error.device), ("aclrtMalloc", Some(1)));
        assert!(error.text.is_some_and(|text| !text.contains("77")));
    }

    fn where_no_device_is_bound_the_runtime_is_not_asked_for_texts() {
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        let mut refused = || acl.set_device::<Npu<0>>(&mut thread, 99).unwrap_err().to_string();
        let first = refused();
        for _ in 0..2000 {
            assert_eq!(refused(), first);
        }
        if embedded(&acl) {
            assert_eq!(calls("aclGetRecentErrMsg"), 0);
        }
    }

    fn a_device_that_is_not_there_is_named_once_with_those_that_are() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let said = acl.set_device::<Npu<0>>(&mut thread, 99).unwrap_err().to_string();
        let expected = "aclrtSetDevice failed with 107001 (ACL_ERROR_RT_INVALID_DEVICEID); hint: there is no device 99; \
                        there are 2 devices: 0 to 1";
        assert_eq!(said, expected);
        // A thread that is bound could ask for a text that says the same.
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        thread.set_current(&device).unwrap();
        let said = acl.set_device::<Npu<1>>(&mut thread, 99).unwrap_err().to_string();
        assert_eq!(said, expected.replace("); hint", ") on device 0; hint"));
    }

    fn an_error_is_debugged_in_its_own_words() {
        // What `main` prints when it returns an error.
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let error = acl.set_device::<Npu<0>>(&mut thread, 99).unwrap_err();
        assert_eq!(format!("{error:?}"), error.to_string());
        assert!(format!("{error:#?}").starts_with("Refused(\n"), "{error:#?}");
        let error = Error::from(Usage::AlreadyInitialised);
        assert_eq!(format!("{error:?}"), error.to_string());
        assert_eq!(format!("{error:#?}"), "Usage(\n    AlreadyInitialised,\n)");
    }

    fn a_missing_function_is_named_with_the_backend() {
        let acl = acl();
        if !embedded(&acl) {
            return;
        }
        // SAFETY: the emulator has no such function, so nothing is read.
        let code = unsafe { sys::aclrtMemPoolDestroy(core::ptr::null_mut()) };
        assert_eq!(code, sys::ACL_ERROR_API_NOT_SUPPORT);
        assert_eq!(sys::absent::take(), Some("aclrtMemPoolDestroy"));
        assert_eq!(sys::absent::take(), None);
    }

    fn errors_are_small_and_can_cross_threads() {
        fn crosses<T: Send + Sync + 'static>() {}
        crosses::<Error>();
        assert_eq!(size_of::<Error>(), size_of::<usize>());
        assert_eq!(size_of::<ascendcl::Result<()>>(), size_of::<usize>());
    }

    fn a_kind_is_what_its_error_says() {
        let error = Error::from(BackendError::Unknown { value: "x".to_owned() });
        assert_eq!(error.code(), None);
        let (said, shown) = (error.to_string(), format!("{error:#?}"));
        assert!(said.contains("ASCENDCL_BACKEND is \"x\""), "{said}");
        let kind = error.into_kind();
        assert!(matches!(&kind, ErrorKind::Backend(BackendError::Unknown { value }) if value == "x"));
        assert_eq!((kind.to_string(), format!("{kind:#?}")), (said.clone(), shown));
        assert_eq!(Error::from(kind).to_string(), said);
    }
}
