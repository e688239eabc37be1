//! Initialising and finalising, backends, run mode.

use std::path::PathBuf;
use std::time::Duration;

use ascendcl::error::{BackendError, Usage};
use ascendcl::{Acl, Error, ErrorKind, RunMode, RuntimeVersion, Thread, sys};

use crate::common::{acl, acl_with_journal, assert_says, calls, embedded, isolated, usage};

/// A configuration file in this test's own folder.
fn config(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("{name}-{}.json", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path
}

isolated! {
    fn one_acl_per_process() {
        let first = acl();
        assert_eq!(usage(Acl::from_env()), Usage::AlreadyInitialised);
        first.finalize().unwrap();
        Acl::from_env().unwrap().finalize().unwrap();
    }

    fn dropping_finalises() {
        drop(acl());
        // SAFETY: no argument; nothing else uses AscendCL in this process.
        let code = unsafe { sys::aclFinalize() };
        assert_eq!(code, sys::ACL_ERROR_REPEAT_FINALIZE);
        acl().finalize().unwrap();
    }

    fn finalise_after_a_foreign_finalise_reports_it() {
        let acl = acl();
        // SAFETY: no argument; no device is in use.
        assert_eq!(unsafe { sys::aclFinalize() }, 0);
        assert_says(acl.finalize(), &["aclFinalize", "100037", "ACL_ERROR_REPEAT_FINALIZE"]);
    }

    fn initialised_by_other_code_is_told_apart() {
        let probe = acl(); // installs the backend
        probe.finalize().unwrap();
        // SAFETY: null is a valid configuration.
        assert_eq!(unsafe { sys::aclInit(core::ptr::null()) }, 0);
        assert_says(Acl::from_env(), &["aclInit", "100002", "another component"]);
    }

    fn process_facts() {
        let acl = acl();
        assert_eq!(acl.device_count().unwrap(), 2);
        assert!(acl.soc_name().unwrap().starts_with("Ascend"));
        assert!(matches!(acl.run_mode().unwrap(), RunMode::Host(_)));
        assert_eq!(acl.default_device_id(), None);
        // Functions that changed in this version have the new signature in every backend of the tests.
        assert!(acl.version().unwrap() >= RuntimeVersion { major: 1, minor: 17, patch: 0 });
        if embedded(&acl) {
            assert_eq!(acl.version().unwrap().to_string(), "1.17.0");
            assert_eq!(acl.backend().to_string(), "the emulator");
        }
    }

    ["ASCENDCL_EMULATOR_RUN_MODE" = "device"]
    fn on_the_device_itself_there_is_no_host_memory() {
        let acl = acl();
        let mode = acl.run_mode().unwrap();
        assert!(matches!(mode, RunMode::Device(_)));
        assert!(mode.host().is_none());
        assert_eq!(usage(acl.host()), Usage::NotOnHost);
        assert_says(acl.host(), &["device itself (run mode ACL_DEVICE)", "`Current::malloc_local`", "`Acl::run_mode`"]);
    }

    fn the_host_side_is_one_question() {
        let acl = acl_with_journal();
        acl.host().unwrap();
        if embedded(&acl) {
            assert_eq!(calls("aclrtGetRunMode"), 1);
        }
    }

    fn empty_configuration_is_accepted() {
        let path = config("empty", "{}");
        let acl = Acl::from_env_with_config(&path).unwrap();
        assert_eq!(acl.default_device_id(), None);
        let mut thread = Thread::claim().unwrap();
        assert_says(
            acl.set_default_device::<ascendcl::Npu<0>>(&mut thread),
            &["no default device", "default_device"],
        );
    }

    fn default_device_comes_from_the_configuration() {
        let path = config("default", r#"{"defaultDevice": {"default_device": "1"}}"#);
        let acl = Acl::from_env_with_config(&path).unwrap();
        assert_eq!(acl.default_device_id(), Some(1));
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_default_device::<ascendcl::Npu<0>>(&mut thread).unwrap();
        assert_eq!(device.id(), 1);
        device.reset().unwrap();
    }

    fn a_default_device_that_is_not_there_says_which_exist() {
        let path = config("absent", r#"{"defaultDevice": {"default_device": "2"}}"#);
        let refused = Acl::from_env_with_config(&path);
        assert_says(refused, &["aclInit", "107001", "there are 2 devices: 0 to 1"]);
        acl().finalize().unwrap();
    }

    fn missing_configuration_is_named() {
        let result = Acl::from_env_with_config("no/such/file.json");
        assert_says(result, &["aclInit", "100003", "no/such/file.json"]);
        acl().finalize().unwrap();
    }

    fn damaged_configuration_is_an_error() {
        let path = config("damaged", "{\"defaultDevice\": ");
        let reason = format!("hint: the configuration {} is not JSON: ", path.display());
        assert_says(Acl::from_env_with_config(&path), &["aclInit", "100006", &reason]);
    }

    fn dumps_that_exclude_each_other_are_refused_before_the_call() {
        let path = config("dumps", r#"{"dump": {"dump_scene": "lite_exception", "dump_debug": "on"}}"#);
        let mistake = usage(Acl::from_env_with_config(&path));
        assert!(matches!(mistake, Usage::Configuration { .. }));
        assert!(mistake.to_string().contains("dump_scene and dump_debug, which exclude each other: keep one"));
        acl().finalize().unwrap();
    }

    fn a_path_with_a_zero_byte_is_an_error() {
        let mistake = usage(Acl::from_env_with_config("a\0b"));
        assert!(matches!(mistake, Usage::Path { .. }));
    }

    fn a_later_configuration_must_not_differ() {
        let first = config("first", "{}");
        let second = config("second", r#"{"defaultDevice": {"default_device": "0"}}"#);
        Acl::from_env_with_config(&first).unwrap().finalize().unwrap();
        let which = format!("hint: {}: the configuration file has a value", second.display());
        assert_says(Acl::from_env_with_config(&second), &["aclInit", "100000", &which]);
        Acl::from_env_with_config(&first).unwrap().finalize().unwrap();
    }

    ["ASCENDCL_BACKEND" = "bogus"]
    fn unknown_backend_names_the_choices() {
        assert_says(Acl::from_env(), &["ASCENDCL_BACKEND", "\"bogus\"", "cann", "emulator", "libascendcl.so"]);
    }

    ["ASCENDCL_BACKEND" = "cann", "ASCENDCL_LIBRARY" = "", "LD_LIBRARY_PATH" = "",
     "ASCEND_HOME_PATH" = "nowhere/home", "ASCEND_TOOLKIT_HOME" = "", "HOME" = "nowhere"]
    fn absent_cann_lists_what_was_searched() {
        let error = Acl::from_env().unwrap_err();
        let said = "CANN was not found: there is no libascendcl.so below $ASCEND_HOME_PATH (nowhere/home), \
                    $ASCEND_TOOLKIT_HOME (not set), /usr/local/Ascend, nowhere/Ascend, the loader's search path; \
                    install the CANN toolkit and source its `set_env.sh`, or set ASCENDCL_LIBRARY to the full name of \
                    libascendcl.so; to run without a card, initialise with `Acl::from_env` and set \
                    ASCENDCL_BACKEND=emulator";
        assert_eq!(error.to_string(), said);
        let all = format!("{error:#}");
        let lines: Vec<_> = all.lines().collect();
        assert_eq!(lines.len(), 14, "{all}");
        assert!(lines[0].ends_with("no {lib64,runtime/lib64,fwkacllib/lib64}/libascendcl.so below"), "{all}");
        assert_eq!(lines[3], "    /usr/local/Ascend/ascend-toolkit/latest");
        assert!(lines[11].starts_with("    the loader's search path (libascendcl.so: "), "{all}");
        assert!(lines[12].contains("set_env.sh") && lines[13].contains("ASCENDCL_BACKEND=emulator"), "{all}");
    }

    ["ASCENDCL_BACKEND" = "", "ASCENDCL_LIBRARY" = "no/such/libascendcl.so"]
    fn a_named_library_is_never_replaced_by_the_emulator() {
        assert_says(Acl::from_env(), &["no/such/libascendcl.so cannot be loaded"]);
    }

    ["ASCENDCL_BACKEND" = "libc.so.6/../libm.so.6"]
    fn a_backend_path_that_does_not_load_is_named() {
        assert_says(Acl::from_env(), &["libc.so.6/../libm.so.6 cannot be loaded"]);
    }

    ["ASCENDCL_BACKEND" = "cann", "ASCENDCL_LIBRARY" = "libm.so.6"]
    fn a_library_that_is_not_cann_is_named() {
        assert_says(Acl::from_env(), &["libm.so.6 is not an AscendCL library", "aclInit"]);
    }

    ["ASCENDCL_EMULATOR_DEVICES" = "many"]
    fn malformed_emulator_setting_names_variable_and_value() {
        if std::env::var("ASCENDCL_BACKEND").is_ok_and(|backend| backend == "emulator") {
            assert_says(Acl::from_env(), &["ASCENDCL_EMULATOR_DEVICES", "many"]);
        }
    }

    fn the_backend_of_a_process_stays() {
        let acl = acl();
        if !embedded(&acl) {
            return;
        }
        acl.finalize().unwrap();
        match Acl::init().map_err(Error::into_kind) {
            // Here either no CANN is found, or the CANN that is found cannot replace the emulator.
            Err(ErrorKind::Backend(error)) => assert!(matches!(
                error,
                BackendError::Load(_) | BackendError::Installed(_)
            )),
            other => panic!("CANN replaced the emulator: {other:?}"),
        }
    }
}

isolated! {
    fn waits_on_the_device_can_be_limited() {
        let mut acl = acl_with_journal();
        acl.set_op_wait_timeout(Some(Duration::from_millis(1500))).unwrap();
        acl.set_op_wait_timeout(None).unwrap();
        for limit in [Duration::ZERO, Duration::from_secs(1 << 32)] {
            assert_eq!(usage(acl.set_op_wait_timeout(Some(limit))), Usage::WaitTimeout { limit });
        }
        if embedded(&acl) {
            assert_eq!(calls("aclrtSetOpWaitTimeout"), 2, "a refused limit reached the runtime");
        }
    }
}
