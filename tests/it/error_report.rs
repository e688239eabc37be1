//! Errors and settings as plain data (feature `serde`).

use std::num::NonZeroU32;
use std::time::Duration;

use ascendcl::collective::{CommOptions, Determinism};
use ascendcl::error::{BackendError, Recovery, Report, Usage};
use ascendcl::stream::{Priority, StreamConfig, StreamFlags};
use ascendcl::worker::{Failed, WorkerOptions};
use ascendcl::{Error, MallocPolicy, Npu};
use serde_json::{from_str, to_string, to_value};

use crate::common::{bound, isolated};

/// The report that a log gives back.
fn logged(error: &Error) -> Report {
    from_str(&to_string(error).unwrap()).unwrap()
}

isolated! {
    fn a_log_gives_back_what_a_refusal_says() {
        bound!(acl, device: Npu<0>, current);
        let error = current.malloc::<u8>(1 << 50).map(drop).unwrap_err();
        let report = logged(&error);
        assert_eq!(report, Report::from(&error));
        assert_eq!((&*report.kind, report.message), ("Refused", error.to_string()));
        assert_eq!((report.call.as_deref(), report.code), (Some("aclrtMalloc"), error.code()));
        assert_eq!(report.name.as_deref(), Some("ACL_ERROR_RT_MEMORY_ALLOCATION"));
        assert_eq!((report.device, report.recovery), (Some(0), Recovery::Retry));
        assert!(report.text.is_some_and(|text| !text.is_empty()));
        assert!(report.hint.is_some_and(|hint| hint.contains("mem_info")));
        device.reset().unwrap();
    }

    fn a_log_names_mistakes_and_missing_backends() {
        let mistake = Error::from(Usage::DeviceTaken { id: 3 });
        let report = logged(&mistake);
        assert_eq!((&*report.kind, report.message), ("Usage::DeviceTaken", mistake.to_string()));
        assert_eq!((report.call, report.device, report.code), (None, None, None));
        assert_eq!(logged(&Usage::ThreadClaimed.into()).kind, "Usage::ThreadClaimed");
        let unknown = BackendError::Unknown { value: "x".to_owned() };
        assert_eq!(logged(&unknown.into()).kind, "Backend::Unknown");
        let failed = to_value(Failed::Device(mistake)).unwrap();
        assert_eq!(failed["Device"]["kind"], "Usage::DeviceTaken");
    }

    fn a_file_has_the_settings_that_it_names() {
        let read = from_str::<WorkerOptions>(r#"{"queue": 8, "limit": {"secs": 5, "nanos": 0}}"#);
        let options = WorkerOptions::default().with_queue(8).with_limit(Duration::from_secs(5));
        assert_eq!(read.unwrap(), options);
        assert_eq!(from_str::<WorkerOptions>(&to_string(&options).unwrap()).unwrap(), options);
        let wrong = from_str::<WorkerOptions>(r#"{"que": 8}"#).unwrap_err().to_string();
        assert!(wrong.starts_with("unknown field `que`, expected one of `queue`"), "{wrong}");

        let read = from_str::<CommOptions>(r#"{"buffer_mebibytes": 64, "determinism": "On", "rdma_service_level": 4}"#);
        let options = CommOptions::default()
            .with_buffer_mebibytes(NonZeroU32::new(64).unwrap())
            .with_determinism(Determinism::On)
            .with_rdma_service_level(4);
        assert_eq!(read.unwrap(), options);

        let read = from_str::<StreamConfig>(r#"{"priority": 3, "flags": "FastSync"}"#);
        let config = StreamConfig::new().priority(Priority::of::<3>()).flags(StreamFlags::FastSync);
        assert_eq!(read.unwrap(), config);
        assert_eq!(from_str::<MallocPolicy>("\"HugeOnly\"").unwrap(), MallocPolicy::HugeOnly);
    }

    #[cfg(feature = "kernels")]
    fn a_file_has_the_attributes_of_a_launch() {
        use ascendcl::kernel::{LaunchConfig, Schedule};

        let read = from_str::<LaunchConfig>(r#"{"schedule": "Batch", "timeout": {"secs": 5, "nanos": 0}}"#);
        let config = LaunchConfig::new().schedule(Schedule::Batch).timeout(Duration::from_secs(5));
        assert_eq!(format!("{:?}", read.unwrap()), format!("{config:?}"));
    }

    fn a_file_cannot_have_what_no_program_can() {
        let wrong = from_str::<StreamConfig>(r#"{"priority": 8}"#).unwrap_err().to_string();
        let mistake = Usage::Priority { value: 8 }.to_string();
        assert!(wrong.contains(&mistake), "{wrong}");
        assert!(from_str::<CommOptions>(r#"{"buffer_mebibytes": 0}"#).is_err());
    }
}
