//! Configurations, and options that they have no place for.

use std::ffi::{CStr, c_char};
use std::ptr;
use std::slice;

use ascendcl_sys::{
    ACL_ERROR_INVALID_PROFILING_CONFIG, ACL_ERROR_UNINITIALIZE, ACL_PROF_ARGS_MIN,
    ACL_PROF_MSPROFTX, ACL_PROF_PATH, ACL_SUCCESS, aclError, aclprofAicoreEvents,
    aclprofAicoreMetrics, aclprofConfig, aclprofConfigType,
};

use crate::engine::engine;
use crate::error::fail;
use crate::object_calls::{Objects, invalid};

use super::session;

/// Most bytes of an option.
const LONGEST: usize = 256;

/// What a program wants to be profiled.
#[derive(Debug, Clone)]
pub(super) struct Config {
    /// No device is there twice.
    pub(super) devices: Vec<u32>,
    pub(super) metrics: aclprofAicoreMetrics,
    /// The kinds of data, as bits (`ACL_PROF_*`).
    pub(super) kinds: u64,
}

static CONFIGS: Objects<Config> = Objects::new("aclprofConfig", 0x7a);

/// Returns the configuration of a handle. The error is the code of the call.
pub(super) fn find(call: &str, handle: *const aclprofConfig) -> Result<Config, aclError> {
    CONFIGS.get(call, "profilerConfig", handle)
}

pub(crate) unsafe extern "C" fn aclprofCreateConfig(
    deviceIdList: *mut u32,
    deviceNums: u32,
    aicoreMetrics: aclprofAicoreMetrics,
    aicoreEvents: *const aclprofAicoreEvents,
    dataTypeConfig: u64,
) -> *mut aclprofConfig {
    let call = "aclprofCreateConfig";
    let refused = |text: std::fmt::Arguments<'_>| {
        invalid(call, format_args!("{text}"));
        ptr::null_mut()
    };
    if deviceNums != 0 && deviceIdList.is_null() {
        return refused(format_args!(
            "deviceIdList is NULL and deviceNums is {deviceNums}; pass a list of that length"
        ));
    }
    if !aicoreEvents.is_null() {
        return refused(format_args!("aicoreEvents is reserved; pass NULL"));
    }
    let all = engine().devices.len();
    if deviceNums as usize > all {
        return refused(format_args!(
            "deviceNums is {deviceNums}, and this process has {all} devices"
        ));
    }
    let devices: &[u32] = match deviceNums {
        0 => &[],
        // SAFETY: not null; the caller's contract: a list of this length.
        _ => unsafe { slice::from_raw_parts(deviceIdList, deviceNums as usize) },
    };
    for (index, device) in devices.iter().enumerate() {
        if *device as usize >= all {
            return refused(format_args!(
                "there is no device {device}; this process has {all}, numbered from 0"
            ));
        }
        if devices.iter().take(index).any(|other| other == device) {
            return refused(format_args!("device {device} is in the list twice"));
        }
    }
    if devices.is_empty() && dataTypeConfig & ACL_PROF_MSPROFTX == 0 {
        return refused(format_args!(
            "deviceNums is 0, so only stamps can be profiled; add ACL_PROF_MSPROFTX to dataTypeConfig, or name a device"
        ));
    }
    let config = Config {
        devices: devices.into(),
        metrics: aicoreMetrics,
        kinds: dataTypeConfig,
    };
    CONFIGS.create(call, config)
}

pub(crate) unsafe extern "C" fn aclprofDestroyConfig(
    profilerConfig: *const aclprofConfig,
) -> aclError {
    CONFIGS.destroy("aclprofDestroyConfig", "profilerConfig", profilerConfig)
}

pub(crate) unsafe extern "C" fn aclprofSetConfig(
    configType: aclprofConfigType,
    config: *const c_char,
    configLength: usize,
) -> aclError {
    let call = "aclprofSetConfig";
    if configType <= ACL_PROF_ARGS_MIN || configType > ACL_PROF_PATH {
        return invalid(call, format_args!("there is no option {configType:?}"));
    }
    if configLength > LONGEST {
        return invalid(
            call,
            format_args!("configLength is {configLength}, more than {LONGEST}"),
        );
    }
    // SAFETY: the caller's contract: null or a C string.
    let text = match unsafe { text_of(config, configLength) } {
        Ok(text) => text,
        Err(what) => {
            return invalid(call, format_args!("config {what}"));
        }
    };
    let set = session::with(|session| {
        if !text.is_empty() {
            session.set(configType, &text);
        }
        !text.is_empty()
    });
    match set {
        None => fail(
            ACL_ERROR_UNINITIALIZE,
            format_args!("{call} failed: the profiler is not initialised; call aclprofInit first"),
        ),
        Some(false) => fail(
            ACL_ERROR_INVALID_PROFILING_CONFIG,
            format_args!("{call} failed: the value of {configType:?} is empty"),
        ),
        Some(true) => ACL_SUCCESS,
    }
}

/// Returns a text whose length is given, too. The error says what is wrong, behind the name of the parameter.
///
/// # Safety
///
/// `text` is null or a C string.
pub(super) unsafe fn text_of(text: *const c_char, length: usize) -> Result<String, String> {
    if text.is_null() {
        return Err("is NULL; pass a text".to_owned());
    }
    // SAFETY: not null; the caller's contract.
    let bytes = unsafe { CStr::from_ptr(text) }.to_bytes();
    if bytes.len() != length {
        let actual = bytes.len();
        return Err(format!(
            "has {actual} bytes, and its length is given as {length}; pass the length without the NUL"
        ));
    }
    Ok(String::from_utf8_lossy(bytes).into_owned())
}
