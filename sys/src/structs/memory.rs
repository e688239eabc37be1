//! Memory and copies: structures (`acl/acl_rt.h`, ACL 1.17).

use core::ffi::c_char;

use crate::types::{
    ACL_RT_CMO_MAX_BARRIER_NUM, aclrtCmoType, aclrtMallocAttrType, aclrtMemAccessFlags,
    aclrtMemAllocationType, aclrtMemAttr, aclrtMemHandleType, aclrtMemLocationType,
    aclrtMemManagedLocationType,
};

/// The place of memory: a device or the host.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtMemLocation {
    /// Device id, for device memory.
    pub id: u32,
    /// Host, device, or unknown to the runtime.
    pub type_: aclrtMemLocationType,
}

/// The attributes of an address (`aclrtPointerGetAttributes`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtPtrAttributes {
    /// The place of the address.
    pub location: aclrtMemLocation,
    /// Bytes of the pages there.
    pub pageSize: u32,
    /// Reserved.
    pub rsv: [u32; 4],
}

/// The properties of physical memory (`aclrtMallocPhysical`).
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtPhysicalMemProp {
    /// Kind of handle.
    pub handleType: aclrtMemHandleType,
    /// Kind of allocation.
    pub allocationType: aclrtMemAllocationType,
    /// The kind of memory and its page size.
    pub memAttr: aclrtMemAttr,
    /// The place of the memory.
    pub location: aclrtMemLocation,
    /// Reserved, 0.
    pub reserve: u64,
}

/// The attributes of an allocation (`aclrtMallocWithCfg`).
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtMallocConfig {
    /// The first attribute.
    pub attrs: *mut aclrtMallocAttribute,
    /// The number of attributes.
    pub numAttrs: usize,
}

/// An attribute of an allocation.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtMallocAttribute {
    /// The attribute.
    pub attr: aclrtMallocAttrType,
    /// The value of the attribute. `attr` names the valid field.
    pub value: aclrtMallocAttrValue,
}

union! {
    /// The value of an attribute of an allocation. The attribute names the valid field.
    aclrtMallocAttrValue {
        /// The value of `ACL_RT_MEM_ATTR_MODULE_ID`.
        moduleId: u16,
        /// The value of `ACL_RT_MEM_ATTR_DEVICE_ID`.
        deviceId: u32,
        /// The value of `ACL_RT_MEM_ATTR_VA_FLAG`.
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
    /// The bytes in use now.
    pub curMemSize: u64,
    /// The most bytes in use so far.
    pub memPeakSize: u64,
    /// Reserved.
    pub reserved: [usize; 8],
}

/// A right of access to mapped memory.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtMemAccessDesc {
    /// The right.
    pub flags: aclrtMemAccessFlags,
    /// The device or host that has the right.
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

/// The place that managed memory is moved to.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtMemManagedLocation {
    /// Kind of place.
    pub type_: aclrtMemManagedLocationType,
    /// The id of the device or host node.
    pub id: i32,
}

/// Both ends of some copies of a batch.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtMemcpyBatchAttr {
    /// The place of the destinations.
    pub dstLoc: aclrtMemLocation,
    /// The place of the sources.
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
    /// The number of barriers.
    pub barrierNum: usize,
    /// The barriers.
    pub cmoInfo: [aclrtBarrierCmoInfo; ACL_RT_CMO_MAX_BARRIER_NUM],
}

/// The properties of a pool.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtMemPoolProps {
    /// Kind of memory.
    pub allocType: aclrtMemAllocationType,
    /// Kind of handle.
    pub handleType: aclrtMemHandleType,
    /// The place of the memory.
    pub location: aclrtMemLocation,
    /// The largest size in bytes.
    pub maxSize: usize,
    /// Reserved.
    pub reserved: [u8; 32],
}
