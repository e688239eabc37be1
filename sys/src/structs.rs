//! Structures of AscendCL, under their C names. Opaque ones exist behind pointers only.

use crate::types::{
    aclrtMallocAttrType, aclrtMemAllocationType, aclrtMemAttr, aclrtMemHandleType,
    aclrtMemLocationType,
};

/// Declares types that C code alone knows the inside of.
macro_rules! opaque {
    ($( $(#[$doc:meta])* $name:ident; )*) => {$(
        $(#[$doc])*
        #[repr(C)]
        #[derive(Debug)]
        pub struct $name {
            _private: [u8; 0],
            // Neither `Send`, `Sync` nor `Unpin`: nothing is known about what lies there.
            _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
        }
    )*};
}

opaque! {
    /// An address with a size (`aclCreateDataBuffer`).
    aclDataBuffer;
    /// A view of device memory with shape, strides and data type (`aclCreateTensor`).
    aclTensor;
    /// A host value with a data type (`aclCreateScalar`).
    aclScalar;
    /// What the first phase of an operator hands to the second.
    aclOpExecutor;
}

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

/// The value of an attribute of an allocation.
#[repr(C)]
#[derive(Clone, Copy)]
pub union aclrtMallocAttrValue {
    /// Of `ACL_RT_MEM_ATTR_MODULE_ID`.
    pub moduleId: u16,
    /// Of `ACL_RT_MEM_ATTR_DEVICE_ID`.
    pub deviceId: u32,
    /// Of `ACL_RT_MEM_ATTR_VA_FLAG`.
    pub vaFlag: u32,
    /// Reserved.
    pub rsv: [u8; 8],
}

impl core::fmt::Debug for aclrtMallocAttrValue {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        // Which field holds, and how many of the bytes were ever written, stands elsewhere.
        f.write_str("aclrtMallocAttrValue(..)")
    }
}
