//! Devices: structures (`acl/acl_rt.h`, ACL 1.17).

use core::ffi::{c_char, c_void};

use super::aclrtUtilizationExtendInfo;
use crate::types::{
    ACL_RT_MEM_UCE_INFO_MAX_NUM, UCE_INFO_RESERVED_SIZE, aclrtAicoreErrorType, aclrtErrorType,
};

/// The load of the cores of a device, in percent.
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
    /// The bytes of the number.
    pub bytes: [c_char; 16],
}

/// A memory fault.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtMemUceInfo {
    /// The address of the fault.
    pub addr: *mut c_void,
    /// The number of bytes.
    pub len: usize,
    /// Reserved.
    pub reserved: [usize; UCE_INFO_RESERVED_SIZE],
}

/// Memory faults of a device.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtMemUceInfoArray {
    /// The number of faults.
    pub arraySize: usize,
    /// The faults.
    pub memUceInfoArray: [aclrtMemUceInfo; ACL_RT_MEM_UCE_INFO_MAX_NUM],
}

union! {
    /// The details of a fault. The kind of the fault names the valid field.
    aclrtErrorInfoDetail {
        /// A fault of memory.
        uceInfo: aclrtMemUceInfoArray,
        /// A fault of a core.
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
    /// The kind of the fault.
    pub errorType: aclrtErrorType,
    /// The details of the fault.
    pub detail: aclrtErrorInfoDetail,
}
