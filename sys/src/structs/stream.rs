//! Streams: structures (`acl/acl_rt.h`, ACL 1.17).

use core::ffi::c_void;

use crate::types::aclrtUpdateTaskAttrId;

/// Attributes of a stream that is to be created.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtStreamConfigHandle {
    /// Memory for its tasks.
    pub workptr: *mut c_void,
    /// The bytes of that memory.
    pub workSize: usize,
    /// Flags.
    pub flag: usize,
    /// Priority.
    pub priority: u32,
}

union! {
    /// The value of an attribute of a stream. The attribute names the valid field.
    aclrtStreamAttrValue {
        /// The value of `ACL_STREAM_ATTR_FAILURE_MODE`.
        failureMode: u64,
        /// The value of `ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK`.
        overflowSwitch: u32,
        /// The value of `ACL_STREAM_ATTR_USER_CUSTOM_TAG`.
        userCustomTag: u32,
        /// The value of `ACL_STREAM_ATTR_CACHE_OP_INFO`.
        cacheOpInfoSwitch: u32,
        /// The value of `ACL_STREAM_ATTR_PRIORITY`.
        streamPriority: u32,
        /// Reserved.
        reserve: [u32; 4],
    }
}

/// A change of a task that makes random numbers.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtRandomTaskUpdateAttr {
    /// The new description, in device memory.
    pub srcAddr: *mut c_void,
    /// Its bytes.
    pub size: usize,
    /// Reserved.
    pub rsv: [u32; 4],
}

/// A change of a task that runs a kernel.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtAicAivTaskUpdateAttr {
    /// The binary.
    pub binHandle: *mut c_void,
    /// The device address of the kernel's entry.
    pub funcEntryAddr: *mut c_void,
    /// The device address of the number of blocks.
    pub blockDimAddr: *mut c_void,
    /// Reserved.
    pub rsv: [u32; 4],
}

union! {
    /// The change of a task. The kind of the task names the valid field.
    aclrtUpdateTaskAttrVal {
        /// Random numbers.
        randomTaskAttr: aclrtRandomTaskUpdateAttr,
        /// A kernel.
        aicAivTaskAttr: aclrtAicAivTaskUpdateAttr,
    }
}

/// A change of a queued task (`aclrtTaskUpdateAsync`).
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtTaskUpdateInfo {
    /// The kind of task.
    pub id: aclrtUpdateTaskAttrId,
    /// The change.
    pub val: aclrtUpdateTaskAttrVal,
}
