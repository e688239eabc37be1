//! Memory and copies: structures (`acl/acl_rt.h`, ACL 1.17).

use core::ffi::c_char;

use crate::types::{
    ACL_RT_CMO_MAX_BARRIER_NUM, aclrtCmoType, aclrtMallocAttrType, aclrtMemAccessFlags,
    aclrtMemAllocationType, aclrtMemAttr, aclrtMemHandleType, aclrtMemLocationType,
    aclrtMemManagedLocationType,
};

/// Where memory lies.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtMemLocation {
    /// Device id, for device memory.
    pub id: u32,
    /// Host, device, or unknown to the runtime.
    pub type_: aclrtMemLocationType,
}

/// What is known about an address (`aclrtPointerGetAttributes`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtPtrAttributes {
    /// Where it lies.
    pub location: aclrtMemLocation,
    /// Bytes of the pages there.
    pub pageSize: u32,
    /// Reserved.
    pub rsv: [u32; 4],
}

/// Which physical memory to allocate (`aclrtMallocPhysical`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtPhysicalMemProp {
    /// Kind of handle.
    pub handleType: aclrtMemHandleType,
    /// Kind of allocation.
    pub allocationType: aclrtMemAllocationType,
    /// Which memory and page size.
    pub memAttr: aclrtMemAttr,
    /// Where.
    pub location: aclrtMemLocation,
    /// Reserved, 0.
    pub reserve: u64,
}

/// The attributes of an allocation (`aclrtMallocWithCfg`).
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtMallocConfig {
    /// The first of them.
    pub attrs: *mut aclrtMallocAttribute,
    /// How many there are.
    pub numAttrs: usize,
}

/// An attribute of an allocation.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtMallocAttribute {
    /// Which one.
    pub attr: aclrtMallocAttrType,
    /// Its value: the field that `attr` names.
    pub value: aclrtMallocAttrValue,
}

union! {
    /// The value of an attribute of an allocation: the field that the attribute names.
    aclrtMallocAttrValue {
        /// Of `ACL_RT_MEM_ATTR_MODULE_ID`.
        moduleId: u16,
        /// Of `ACL_RT_MEM_ATTR_DEVICE_ID`.
        deviceId: u32,
        /// Of `ACL_RT_MEM_ATTR_VA_FLAG`.
        vaFlag: u32,
        /// Reserved.
        rsv: [u8; 8],
    }
}

/// Memory that a component uses.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtMemUsageInfo {
    /// The component.
    pub name: [c_char; 32],
    /// Bytes now.
    pub curMemSize: u64,
    /// Bytes at most so far.
    pub memPeakSize: u64,
    /// Reserved.
    pub reserved: [usize; 8],
}

/// A right of access to mapped memory.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtMemAccessDesc {
    /// Which right.
    pub flags: aclrtMemAccessFlags,
    /// Whose.
    pub location: aclrtMemLocation,
    /// Reserved.
    pub rsv: [u8; 12],
}

/// A handle of physical memory that servers share.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtMemFabricHandle {
    /// Bytes to hand over.
    pub data: [u8; 128],
}

/// Where managed memory should be.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtMemManagedLocation {
    /// Kind of place.
    pub type_: aclrtMemManagedLocationType,
    /// Which of that kind.
    pub id: i32,
}

/// Both ends of some copies of a batch.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtMemcpyBatchAttr {
    /// Where they go.
    pub dstLoc: aclrtMemLocation,
    /// Where they come from.
    pub srcLoc: aclrtMemLocation,
    /// Reserved.
    pub rsv: [u8; 16],
}

/// A cache operation with its barrier.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtBarrierCmoInfo {
    /// The operation.
    pub cmoType: aclrtCmoType,
    /// The barrier.
    pub barrierId: u32,
}

/// Barriers that a task waits for.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtBarrierTaskInfo {
    /// How many.
    pub barrierNum: usize,
    /// The barriers.
    pub cmoInfo: [aclrtBarrierCmoInfo; ACL_RT_CMO_MAX_BARRIER_NUM],
}

/// What a pool is made of.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtMemPoolProps {
    /// Kind of memory.
    pub allocType: aclrtMemAllocationType,
    /// Kind of handle.
    pub handleType: aclrtMemHandleType,
    /// Where.
    pub location: aclrtMemLocation,
    /// Bytes at most.
    pub maxSize: usize,
    /// Reserved.
    pub reserved: [u8; 32],
}
