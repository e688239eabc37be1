//! Process, versions, faults: structures (`acl/acl_rt.h`, ACL 1.17).

use core::ffi::{c_char, c_void};

use crate::structs::aclrtExceptionInfo;
use crate::types::{ACL_PKG_VERSION_MAX_SIZE, ACL_PKG_VERSION_PARTS_MAX_SIZE};

/// A function that learns of a failed task.
pub type aclrtExceptionInfoCallback =
    Option<unsafe extern "C" fn(exceptionInfo: *mut aclrtExceptionInfo)>;
/// A function that learns of a failed task of one kernel binary.
pub type aclrtOpExceptionCallback =
    Option<unsafe extern "C" fn(exceptionInfo: *mut aclrtExceptionInfo, userData: *mut c_void)>;

/// The version of a package of CANN, as texts that end in NUL.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclCANNPackageVersion {
    /// The whole version.
    pub version: [c_char; ACL_PKG_VERSION_MAX_SIZE],
    /// The first part of the version.
    pub majorVersion: [c_char; ACL_PKG_VERSION_PARTS_MAX_SIZE],
    /// The second part of the version.
    pub minorVersion: [c_char; ACL_PKG_VERSION_PARTS_MAX_SIZE],
    /// The release.
    pub releaseVersion: [c_char; ACL_PKG_VERSION_PARTS_MAX_SIZE],
    /// The patch.
    pub patchVersion: [c_char; ACL_PKG_VERSION_PARTS_MAX_SIZE],
    /// Reserved.
    pub reserved: [c_char; ACL_PKG_VERSION_MAX_SIZE],
}

/// The options of saving a snapshot.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtSnapShotBackupArgs {
    /// Flags.
    pub backupFlags: u32,
    /// Reserved.
    pub reserved: [c_char; 60],
}

/// The options of restoring a snapshot.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtSnapShotRestoreArgs {
    /// Flags.
    pub restoreFlags: u32,
    /// Reserved.
    pub reserved: [c_char; 60],
}
