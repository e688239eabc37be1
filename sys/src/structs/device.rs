//! Devices: structures (`acl/acl_rt.h`, ACL 1.17).

use core::ffi::{c_char, c_void};

use super::aclrtUtilizationExtendInfo;
use crate::types::{
    ACL_RT_MEM_UCE_INFO_MAX_NUM, UCE_INFO_RESERVED_SIZE, aclrtAicoreErrorType, aclrtErrorType,
};

/// How busy the cores of a device are, in percent.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtUtilizationInfo {
    /// The cube cores.
    pub cubeUtilization: i32,
    /// The vector cores.
    pub vectorUtilization: i32,
    /// The CPU of the device.
    pub aicpuUtilization: i32,
    /// The memory.
    pub memoryUtilization: i32,
    /// Reserved, null.
    pub utilizationExtend: *mut aclrtUtilizationExtendInfo,
}

/// The unique number of a device.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtUuid {
    /// Its bytes.
    pub bytes: [c_char; 16],
}

/// A memory fault.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtMemUceInfo {
    /// Where.
    pub addr: *mut c_void,
    /// How many bytes.
    pub len: usize,
    /// Reserved.
    pub reserved: [usize; UCE_INFO_RESERVED_SIZE],
}

/// Memory faults of a device.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtMemUceInfoArray {
    /// How many.
    pub arraySize: usize,
    /// The faults.
    pub memUceInfoArray: [aclrtMemUceInfo; ACL_RT_MEM_UCE_INFO_MAX_NUM],
}

union! {
    /// What is known about a fault: the field that its kind names.
    aclrtErrorInfoDetail {
        /// Of memory.
        uceInfo: aclrtMemUceInfoArray,
        /// Of a core.
        aicoreErrType: aclrtAicoreErrorType,
    }
}

/// A fault of a device (`aclrtGetErrorVerbose`).
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtErrorInfo {
    /// Whether a repair is worth trying.
    pub tryRepair: u8,
    /// Whether `detail` was written.
    pub hasDetail: u8,
    /// Reserved.
    pub reserved: [u8; 2],
    /// Its kind.
    pub errorType: aclrtErrorType,
    /// More about it.
    pub detail: aclrtErrorInfoDetail,
}
