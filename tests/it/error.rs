//! The texts of errors.

use ascendcl::error::{BackendError, Usage};
use ascendcl::event::Unfinished;
use ascendcl::queue::OfOtherStream;
use ascendcl::stream::{Main, Unaborted};
use ascendcl::worker::Failed;
use ascendcl::{Error, ErrorKind, Npu, Thread, sys};

use crate::common::{acl, acl_with_journal, bound, calls, embedded, incomplete, isolated};

isolated! {
    ["ASCENDCL_BACKEND" = incomplete()]
    fn a_library_that_does_not_load_is_named_with_the_reason() {
        bound!(acl, device: Npu<0>, current);
        let a = current.memset(current.malloc::<f32>(16).unwrap(), 0).unwrap();
        let out = current.malloc::<f32>(16).unwrap().into_tensor(&[16]).unwrap();
        let a_16 = a.tensor(&[16]).unwrap();
        let error = ascendcl::op::add(current, &a_16, &a_16, 1.0, out).map(drop).unwrap_err();
        let path = std::path::Path::new(incomplete()).canonicalize().unwrap();
        let places = format!(
            "libraries are looked for beside {} and where the system's loader looks: source CANN's `set_env.sh`",
            path.display(),
        );
        let start = "there is no function aclCreateTensor, and a library of CANN that could have it does not load: \
                     libnnopbase.so: cannot open shared object file: No such file or directory";
        assert_eq!(error.to_string(), format!("{start} (and 5 more); {places}"));
        let all = format!("{error:#}");
        let lines: Vec<_> = all.lines().collect();
        assert_eq!((lines.len(), lines[0], lines[6]), (7, start, &*places));
        assert!(lines[2].starts_with("    libopapi_math.so: cannot open"), "{all}");

        let error = current.malloc_dvpp::<u8>(16).map(drop).unwrap_err();
        let start = "there is no function acldvppMalloc, and a library of CANN that could have it does not load:";
        let damaged = path.with_file_name("libacl_dvpp.so");
        let said = format!("{start} {}: file too short (and 1 more); {places}", damaged.display());
        assert_eq!(error.to_string(), said);

        // No other library has a function that the main library lacks.
        let error = current.mem_info(ascendcl::MemAttr::Hbm).unwrap_err();
        let said = format!("{} has no function aclrtGetMemInfo: this CANN release is older", path.display());
        assert!(error.to_string().starts_with(&said), "{error}");
    }

    // Only the embedded emulator is known to be one.
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_DEVICES" = "0"]
    fn an_emulator_without_devices_is_named() {
        let error = ascendcl::Acl::from_env().map(drop).unwrap_err();
        let said = "aclInit failed with 500000 (ACL_ERROR_INTERNAL_ERROR); hint: the emulator has no device: set \
                    ASCENDCL_EMULATOR_DEVICES to a number from 1 to 64";
        assert_eq!(error.to_string(), said);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0",
     "ASCENDCL_EMULATOR_FAULTS" = "aclrtSetDevice#1=507033,task:aclrtMemsetAsync#1=507001,aclrtMemset#1=507033"]
    fn an_injected_fault_is_called_so() {
        let injects = "a setting of the emulator injects this fault (ASCENDCL_EMULATOR_FAULTS)";
        let hint = |error: Error| match error.into_kind() {
            ErrorKind::Refused(call) | ErrorKind::Wait(call) => call.hint.map(|hint| hint.into_owned()),
            other => panic!("{other}"),
        };
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        // No device is bound, so the runtime's text is not read.
        let error = acl.set_device::<Npu<0>>(&mut thread, 1).map(drop).unwrap_err();
        assert!(error.to_string().starts_with("aclrtSetDevice failed with 507033 (ACL_ERROR_RT_DEV_SETUP_ERROR) on device 1;"), "{error}");
        assert_eq!(hint(error).as_deref(), Some(injects));

        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        drop(stream.memset_async(stream.malloc::<u8>(4).unwrap(), 7).unwrap());
        let error = stream.synchronize().map(drop).unwrap_err();
        let start = "aclrtSynchronizeStream failed with 507001 (ACL_ERROR_RT_TS_ERROR) on device 0: a task of the stream \
                     failed because of an injected fault; hint: ";
        let line = error.to_string();
        assert!(line.starts_with(&format!("{start}{injects}; for a real fault: a task that was queued")), "{line}");

        let error = current.memset(current.malloc::<u8>(4).unwrap(), 7).map(drop).unwrap_err();
        assert_eq!(hint(error).as_deref(), Some(injects));
        // The next error of the thread is a real one.
        let error = current.malloc::<u8>(1 << 50).map(drop).unwrap_err();
        let text = hint(error).unwrap();
        assert!(text.starts_with("memory is exhausted"), "{text}");
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0", "ASCENDCL_EMULATOR_FAULTS" = "task:aclrtMemsetAsync#1=507001"]
    fn a_failed_stream_with_a_name_is_replaced_by_one_without() {
        bound!(acl, device: Npu<0>, current);
        let mut parked = current.park(current.create_stream::<Main>().unwrap());
        let failed = parked.with(current, |stream| {
            drop(stream.memset_async(stream.malloc::<u8>(4).unwrap(), 7).unwrap());
            stream.synchronize().map(drop).unwrap_err();
            stream.synchronize().map(drop).unwrap_err()
        });
        let remedy = "`create_parked_stream`";
        assert!(failed.to_string().contains(remedy), "{failed}");
        drop(parked);
        let taken = current.create_stream::<Main>().map(drop).unwrap_err();
        assert!(taken.to_string().contains(remedy), "{taken}");
        current.create_parked_stream().unwrap().destroy(current).unwrap();
        device.reset().unwrap();
    }

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
        // A later error is of a call on a bound device. Its text must not be that of the first error.
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
        // The output of `main` when it returns an error.
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
        // SAFETY: takes a number.
        let code = unsafe { sys::aclRecoverAllHcclTasks(0) };
        assert_eq!(code, sys::ACL_ERROR_API_NOT_SUPPORT);
        assert_eq!(sys::absent::take(), Some("aclRecoverAllHcclTasks"));
        assert_eq!(sys::absent::take(), None);
    }

    fn errors_are_small_and_can_cross_threads() {
        fn crosses<T: Send + Sync + 'static>() {}
        crosses::<Error>();
        assert_eq!(size_of::<Error>(), size_of::<usize>());
        assert_eq!(size_of::<ascendcl::Result<()>>(), size_of::<usize>());
    }

    fn an_error_that_holds_another_one_gives_it() {
        fn cause<E: std::error::Error>(error: &E) -> Option<String> {
            error.source().map(ToString::to_string)
        }
        let error = || Error::from(Usage::AlreadyInitialised);
        let said = Some(error().to_string());
        assert_eq!(cause(&Failed::Refused(error())), said);
        assert_eq!(cause(&Failed::Device(error())), said);
        assert_eq!(cause(&Failed::Stopped(Some(error()))), said);
        assert_eq!(cause(&Failed::Stopped(None)), None);
        assert_eq!(cause(&Failed::Panicked("a text".to_owned())), None);
        assert_eq!(cause(&Unfinished::<()> { error: error(), fence: None }), said);
        assert_eq!(cause(&Unaborted::<()> { error: error(), stream: None }), said);
        assert_eq!(cause(&OfOtherStream { error: error(), queued: () }), said);
        // The text of these is that of what they hold, which has no cause.
        assert_eq!((cause(&error()), cause(error().kind()), cause(&Usage::ThreadClaimed)), (None, None, None));
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
