//! What errors say.

use ascendcl::error::BackendError;
use ascendcl::{Error, ErrorKind, Npu, Thread, sys};

use crate::common::{acl, embedded, isolated};

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
        // SAFETY: takes no argument.
        assert!(unsafe { sys::aclGetRecentErrMsg() }.is_null());
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
        let (said, shown) = (error.to_string(), format!("{error:?}"));
        assert!(said.contains("ASCENDCL_BACKEND is \"x\""), "{said}");
        let kind = error.into_kind();
        assert!(matches!(&kind, ErrorKind::Backend(BackendError::Unknown { value }) if value == "x"));
        assert_eq!((kind.to_string(), format!("{kind:?}")), (said.clone(), shown));
        assert_eq!(Error::from(kind).to_string(), said);
    }
}
