//! Events and notifies: structures (`acl/acl_rt.h`, ACL 1.17).

use core::ffi::c_char;

use crate::types::{ACL_IPC_EVENT_HANDLE_SIZE, aclrtCntNotifyRecordMode, aclrtCntNotifyWaitMode};

/// An event that processes share.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtIpcEventHandle {
    /// Bytes to hand over.
    pub reserved: [c_char; ACL_IPC_EVENT_HANDLE_SIZE],
}

/// A change of a counting notify.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtCntNotifyRecordInfo {
    /// What happens to the counter.
    pub mode: aclrtCntNotifyRecordMode,
    /// With which number.
    pub value: u32,
}

/// A wait for a counting notify.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtCntNotifyWaitInfo {
    /// The comparison.
    pub mode: aclrtCntNotifyWaitMode,
    /// With which number.
    pub value: u32,
    /// Seconds, 0 for none.
    pub timeout: u32,
    /// Whether the counter becomes 0 afterwards.
    pub isClear: u8,
    /// Reserved.
    pub rsv: [u8; 3],
}

/// Processes of one server.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtServerPid {
    /// The server.
    pub sdid: u32,
    /// Its processes.
    pub pid: *mut i32,
    /// How many.
    pub num: usize,
}
