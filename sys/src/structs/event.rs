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
    /// The change of the counter.
    pub mode: aclrtCntNotifyRecordMode,
    /// The number of the change or of the comparison.
    pub value: u32,
}

/// A wait for a counting notify.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtCntNotifyWaitInfo {
    /// The comparison.
    pub mode: aclrtCntNotifyWaitMode,
    /// The number that the counter is compared with.
    pub value: u32,
    /// The timeout in seconds, 0 for none.
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
    /// The process ids.
    pub pid: *mut i32,
    /// The number of processes.
    pub num: usize,
}
