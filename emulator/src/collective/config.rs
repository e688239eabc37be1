//! Options of communicators and of the process.

use std::ffi::CStr;
use std::mem::offset_of;
use std::sync::atomic::{AtomicI32, Ordering};

use ascendcl_sys::{
    HCCL_COMM_VALUE_NOT_SET, HCCL_DETERMINISTIC, HCCL_SUCCESS, HcclComm, HcclCommConfig,
    HcclConfig, HcclConfigValue, HcclResult,
};

use super::element::{Product, product};
use super::handle::{Communicator, find};
use super::limits::is_deterministic_set;
use super::{are_null, code, null, pointers, unsupported, wrong};
use crate::results::list_of;

/// Reads the name of the communicator from its options, after checking them. Empty means no name.
///
/// # Safety
///
/// `config` points to as many readable bytes as its first field says.
pub(super) unsafe fn name(call: &str, config: *const HcclCommConfig) -> Result<String, HcclResult> {
    if config.is_null() {
        return Err(null(call, "config"));
    }
    // SAFETY: the caller's contract; the size is the first field.
    let size = unsafe { config.cast::<usize>().read_unaligned() };
    if size < size_of_val(&HcclCommConfig::new().head) {
        return Err(wrong(
            call,
            format_args!("config has {size} bytes; call HcclCommConfigInit first"),
        ));
    }
    let mut own = HcclCommConfig::new();
    let len = size.min(size_of::<HcclCommConfig>());
    // SAFETY: the caller's contract: `size` bytes are readable, and `own` has `len` bytes. All fields are numbers.
    unsafe {
        (&raw mut own)
            .cast::<u8>()
            .copy_from_nonoverlapping(config.cast(), len);
    }
    if own.head.magic != HcclCommConfig::new().head.magic {
        return Err(wrong(
            call,
            format_args!(
                "config begins with {:#x}; call HcclCommConfigInit first",
                own.head.magic
            ),
        ));
    }
    if own.hcclBufferSize == 0 {
        return Err(wrong(
            call,
            format_args!("hcclBufferSize is 0; pass the size of the buffer in MiB"),
        ));
    }
    deterministic(call, own.hcclDeterministic)?;
    // The fields count from a version and up to the size on.
    let zero_copy = offset_of!(HcclCommConfig, aclGraphZeroCopyEnable) < len;
    if own.head.version >= 7 && zero_copy && own.aclGraphZeroCopyEnable > 1 {
        return Err(wrong(
            call,
            format_args!(
                "aclGraphZeroCopyEnable is {}; pass 0 or 1",
                own.aclGraphZeroCopyEnable
            ),
        ));
    }
    if own.head.version < 2 {
        return Ok(String::new());
    }
    // CAST: `c_char` is one byte.
    let name: Vec<u8> = list_of(own.hcclCommName.iter().map(|byte| *byte as u8));
    let Ok(name) = CStr::from_bytes_until_nul(&name) else {
        return Err(wrong(
            call,
            format_args!("hcclCommName has no NUL in its 128 bytes; pass at most 127 bytes"),
        ));
    };
    Ok(name.to_string_lossy().into_owned())
}

/// Refuses a value of the option for equal results that the product lacks.
fn deterministic(call: &str, value: u32) -> Result<(), HcclResult> {
    match value {
        0 | 1 | HCCL_COMM_VALUE_NOT_SET => Ok(()),
        2 if product() == Product::A2 => Ok(()),
        _ => Err(wrong(
            call,
            format_args!(
                "hcclDeterministic is {value}; pass 0 or 1, or 2 on products of the A2 series"
            ),
        )),
    }
}

/// Refuses a value of that option for the process or for a communicator.
fn is_deterministic(call: &str, value: i32) -> Result<(), HcclResult> {
    match value {
        0 | 1 => Ok(()),
        2 if product() == Product::A2 => Ok(()),
        2 => Err(unsupported(
            call,
            format_args!("the value 2 needs a product of the A2 series; pass 0 or 1"),
        )),
        _ => Err(wrong(
            call,
            format_args!("the value is {value}; pass 0, 1 or 2"),
        )),
    }
}

static DETERMINISTIC: AtomicI32 = AtomicI32::new(0);

pub(crate) unsafe extern "C" fn HcclSetConfig(
    config: HcclConfig,
    configValue: HcclConfigValue,
) -> HcclResult {
    let call = "HcclSetConfig";
    if config != HCCL_DETERMINISTIC || is_deterministic_set() {
        return HCCL_SUCCESS;
    }
    // SAFETY: the union has this field only, and all of its values are valid.
    let value = unsafe { configValue.value };
    if let Err(code) = is_deterministic(call, value) {
        return code;
    }
    DETERMINISTIC.store(value, Ordering::Relaxed);
    HCCL_SUCCESS
}

pub(crate) unsafe extern "C" fn HcclGetConfig(
    config: HcclConfig,
    configValue: *mut HcclConfigValue,
) -> HcclResult {
    if configValue.is_null() {
        return null("HcclGetConfig", "configValue");
    }
    if config == HCCL_DETERMINISTIC {
        let value = DETERMINISTIC.load(Ordering::Relaxed);
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { configValue.write(HcclConfigValue { value }) };
    }
    HCCL_SUCCESS
}

/// Returns the place of an option of a communicator.
fn option<'a>(
    call: &str,
    of: &'a Communicator,
    config: HcclConfig,
) -> Result<&'a AtomicI32, HcclResult> {
    let place = usize::try_from(config.0).ok();
    place
        .and_then(|place| of.options.get(place))
        .ok_or_else(|| {
            wrong(
                call,
                format_args!(
                    "config is {}; pass HCCL_DETERMINISTIC or HCCL_ACCELERATOR",
                    config.0
                ),
            )
        })
}

/// The emulator has one way to compute, so the options change no result.
pub(crate) unsafe extern "C" fn HcclSetCommConfig(
    comm: HcclComm,
    config: HcclConfig,
    configValue: HcclConfigValue,
) -> HcclResult {
    let call = "HcclSetCommConfig";
    // SAFETY: the union has this field only, and all of its values are valid.
    let value = unsafe { configValue.value };
    let set = || {
        pointers(call, &are_null![comm])?;
        let communicator = find(call, comm)?;
        let place = option(call, &communicator, config)?;
        if config == HCCL_DETERMINISTIC {
            is_deterministic(call, value)?;
        } else if !(0..=LAST_MODE).contains(&value) {
            return Err(wrong(
                call,
                format_args!(
                    "the value is {value}; pass the number of a mode, from 0 to {LAST_MODE}"
                ),
            ));
        }
        place.store(value, Ordering::Relaxed);
        Ok(())
    };
    code(set())
}

/// The largest value of `hcclOpExpansionMode`, which `HCCL_ACCELERATOR` sets.
const LAST_MODE: i32 = 7;

pub(crate) unsafe extern "C" fn HcclGetCommConfig(
    comm: HcclComm,
    config: HcclConfig,
    configValue: *mut HcclConfigValue,
) -> HcclResult {
    let call = "HcclGetCommConfig";
    let get = || {
        let arguments = are_null![comm, configValue];
        pointers(call, &arguments)?;
        let communicator = find(call, comm)?;
        let value = option(call, &communicator, config)?.load(Ordering::Relaxed);
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { configValue.write(HcclConfigValue { value }) };
        Ok(())
    };
    code(get())
}

/// Returns the number above that of the last option of CANN 8.1.
///
/// Newer headers have options up to 11, such as a time limit of one communicator, which has no effect here. A program leaves
/// out the options that this number does not reach, so it does not rely on them.
pub(crate) unsafe extern "C" fn HcclGetCommConfigCapability() -> u32 {
    5
}
