//! Options of loads and of runs (`acl/acl_mdl.h`).

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

use ascendcl_sys::{
    ACL_MDL_EVENT_SYNC_TIMEOUT, ACL_MDL_LOAD_FROM_FILE, ACL_MDL_LOAD_FROM_FILE_WITH_MEM,
    ACL_MDL_LOAD_FROM_MEM, ACL_MDL_LOAD_FROM_MEM_WITH_MEM, ACL_MDL_LOAD_TYPE_SIZET,
    ACL_MDL_MEM_ADDR_PTR, ACL_MDL_MEM_SIZET, ACL_MDL_PATH_PTR, ACL_MDL_PRIORITY_INT32,
    ACL_MDL_STREAM_SYNC_TIMEOUT, ACL_MDL_WEIGHT_ADDR_PTR, ACL_MDL_WEIGHT_SIZET,
    ACL_MDL_WORKSPACE_ADDR_PTR, ACL_MDL_WORKSPACE_MEM_OPTIMIZE, ACL_MDL_WORKSPACE_SIZET, aclError,
    aclmdlConfigAttr, aclmdlConfigHandle, aclmdlExecConfigAttr, aclmdlExecConfigHandle,
};

use super::file;
use super::load::{Memory, given, load};
use crate::object_calls::{Objects, invalid, not_null, status};

/// The lowest priority of a model; 0 is the highest.
const LOWEST_PRIORITY: i32 = 7;

/// Options of a load.
#[derive(Debug, Clone, Default)]
pub(super) struct Config {
    load_type: Option<usize>,
    path: Option<CString>,
    model: (usize, usize),
    work: (usize, usize),
    weights: (usize, usize),
}

pub(super) static CONFIGS: Objects<Config> = Objects::new("aclmdlConfigHandle", 0x63);

/// Options of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExecConfig {
    /// The time limit of a wait for the stream in milliseconds; -1 is none.
    pub(super) stream_timeout: i32,
}

pub(super) static EXEC_CONFIGS: Objects<ExecConfig> = Objects::new("aclmdlExecConfigHandle", 0x65);

pub(crate) unsafe extern "C" fn aclmdlCreateConfigHandle() -> *mut aclmdlConfigHandle {
    CONFIGS.create("aclmdlCreateConfigHandle", Config::default())
}

pub(crate) unsafe extern "C" fn aclmdlDestroyConfigHandle(
    handle: *mut aclmdlConfigHandle,
) -> aclError {
    CONFIGS.destroy("aclmdlDestroyConfigHandle", "handle", handle)
}

/// Reads the value of an option.
///
/// # Safety
///
/// - `value` is valid for reads of `size` bytes.
unsafe fn value<T: Copy>(call: &str, value: *const c_void, size: usize) -> Result<T, aclError> {
    if size != size_of::<T>() {
        return Err(invalid(
            call,
            format_args!(
                "valueSize is {size}; the value of this option has {} bytes",
                size_of::<T>()
            ),
        ));
    }
    // SAFETY: the caller's contract; the size is that of the value.
    Ok(unsafe { value.cast::<T>().read_unaligned() })
}

pub(crate) unsafe extern "C" fn aclmdlSetConfigOpt(
    handle: *mut aclmdlConfigHandle,
    attr: aclmdlConfigAttr,
    attrValue: *const c_void,
    valueSize: usize,
) -> aclError {
    let call = "aclmdlSetConfigOpt";
    status((|| {
        not_null(call, "handle", handle)?;
        not_null(call, "attrValue", attrValue)?;
        // SAFETY: not null; the caller's contract.
        let number = || unsafe { value::<usize>(call, attrValue, valueSize) };
        let set = |change: &dyn Fn(&mut Config)| {
            CONFIGS.with(call, "handle", handle, &mut |config| change(config))
        };
        let wrong = |why: &str| Err(invalid(call, format_args!("the value of {attr:?} {why}")));
        match attr {
            ACL_MDL_PRIORITY_INT32 => {
                // SAFETY: not null; the caller's contract.
                let priority = unsafe { value::<i32>(call, attrValue, valueSize) }?;
                if !(0..=LOWEST_PRIORITY).contains(&priority) {
                    return wrong("is no priority; pass 0 to 7");
                }
                set(&|_| ())
            }
            ACL_MDL_LOAD_TYPE_SIZET => {
                let number = number()?;
                if !(ACL_MDL_LOAD_FROM_FILE..=6).contains(&number) {
                    return wrong("is no way to load a model; pass 1 to 6");
                }
                set(&|config| config.load_type = Some(number))
            }
            ACL_MDL_PATH_PTR => {
                let path: *const c_char = ptr::with_exposed_provenance(number()?);
                if path.is_null() {
                    return wrong("is NULL; pass the address of a pointer to the path");
                }
                // SAFETY: not null; the caller's contract: the pointer to a C string.
                let path = unsafe { CStr::from_ptr(path) }.to_owned();
                set(&|config| config.path = Some(path.clone()))
            }
            ACL_MDL_MEM_ADDR_PTR => match number()? {
                0 => wrong("is NULL; pass the address of a pointer to the model"),
                address => set(&|config| config.model.0 = address),
            },
            ACL_MDL_MEM_SIZET => number().and_then(|size| set(&|config| config.model.1 = size)),
            ACL_MDL_WEIGHT_ADDR_PTR => number().and_then(|to| set(&|config| config.weights.0 = to)),
            ACL_MDL_WEIGHT_SIZET => {
                number().and_then(|size| set(&|config| config.weights.1 = size))
            }
            ACL_MDL_WORKSPACE_ADDR_PTR => number().and_then(|to| set(&|config| config.work.0 = to)),
            ACL_MDL_WORKSPACE_SIZET => {
                number().and_then(|size| set(&|config| config.work.1 = size))
            }
            ACL_MDL_WORKSPACE_MEM_OPTIMIZE => match number()? {
                0 | 1 => set(&|_| ()),
                _ => wrong("is neither 0 nor 1"),
            },
            _ => Err(invalid(
                call,
                format_args!("{attr:?} is no option of this product"),
            )),
        }
    })())
}

pub(crate) unsafe extern "C" fn aclmdlLoadWithConfig(
    handle: *const aclmdlConfigHandle,
    modelId: *mut u32,
) -> aclError {
    let call = "aclmdlLoadWithConfig";
    status((|| {
        let config = CONFIGS.get(call, "handle", handle)?;
        let content = match (&config.path, config.model) {
            // SAFETY: a C string.
            (Some(path), _) => unsafe { file::read(call, "path", path.as_ptr()) }?,
            (None, (address, size)) if address != 0 && size != 0 => {
                // SAFETY: the program has set both options for one model (the contract of `aclmdlSetConfigOpt`).
                unsafe { file::copied(call, ptr::with_exposed_provenance(address), size) }?
            }
            _ => {
                return Err(invalid(
                    call,
                    format_args!("the options name neither a file nor a model in memory"),
                ));
            }
        };
        not_null(call, "modelId", modelId)?;
        let from_file = match config.load_type {
            Some(ACL_MDL_LOAD_FROM_FILE | ACL_MDL_LOAD_FROM_FILE_WITH_MEM) => true,
            Some(ACL_MDL_LOAD_FROM_MEM | ACL_MDL_LOAD_FROM_MEM_WITH_MEM) => false,
            Some(_) => {
                return Err(invalid(
                    call,
                    format_args!("the queues of this way to load are not set"),
                ));
            }
            None => {
                return Err(invalid(
                    call,
                    format_args!("ACL_MDL_LOAD_TYPE_SIZET is not set"),
                ));
            }
        };
        if from_file != config.path.is_some() {
            return Err(invalid(
                call,
                format_args!("the way to load does not fit the file or the memory that is set"),
            ));
        }
        let has_memory = matches!(
            config.load_type,
            Some(ACL_MDL_LOAD_FROM_FILE_WITH_MEM | ACL_MDL_LOAD_FROM_MEM_WITH_MEM)
        );
        let memory = if has_memory {
            Memory {
                work: given(config.work.0, config.work.1),
                weights: given(config.weights.0, config.weights.1),
            }
        } else {
            Memory::default()
        };
        // SAFETY: the same contract.
        unsafe { load(call, content, memory, modelId) }
    })())
}

pub(crate) unsafe extern "C" fn aclmdlCreateExecConfigHandle() -> *mut aclmdlExecConfigHandle {
    EXEC_CONFIGS.create(
        "aclmdlCreateExecConfigHandle",
        ExecConfig { stream_timeout: -1 },
    )
}

pub(crate) unsafe extern "C" fn aclmdlDestroyExecConfigHandle(
    handle: *const aclmdlExecConfigHandle,
) -> aclError {
    EXEC_CONFIGS.destroy("aclmdlDestroyExecConfigHandle", "handle", handle)
}

pub(crate) unsafe extern "C" fn aclmdlSetExecConfigOpt(
    handle: *mut aclmdlExecConfigHandle,
    attr: aclmdlExecConfigAttr,
    attrValue: *const c_void,
    valueSize: usize,
) -> aclError {
    let call = "aclmdlSetExecConfigOpt";
    status((|| {
        not_null(call, "handle", handle)?;
        not_null(call, "attrValue", attrValue)?;
        if ![ACL_MDL_STREAM_SYNC_TIMEOUT, ACL_MDL_EVENT_SYNC_TIMEOUT].contains(&attr) {
            return Err(invalid(
                call,
                format_args!("{attr:?} is no option of this product"),
            ));
        }
        // SAFETY: not null; the caller's contract.
        let timeout = unsafe { value::<i32>(call, attrValue, valueSize) }?;
        if timeout < -1 {
            return Err(invalid(
                call,
                format_args!(
                    "the value of {attr:?} is {timeout}; pass milliseconds, or -1 for none"
                ),
            ));
        }
        EXEC_CONFIGS.with(call, "handle", handle, &mut |config| {
            if attr == ACL_MDL_STREAM_SYNC_TIMEOUT {
                config.stream_timeout = timeout;
            }
        })
    })())
}
