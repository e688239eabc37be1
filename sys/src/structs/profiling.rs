//! The profiler: operators that the program describes (`acl/acl_prof.h`, ACL 1.17).

use core::ffi::c_void;

use crate::types::ACL_PROF_TENSOR_DATA_SHAPE_LEN;

/// A tensor of an operator.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclprofTensor {
    /// 0 is an input, 1 an output.
    pub type_: u32,
    /// The memory layout, a number of [`aclFormat`](crate::aclFormat).
    pub format: u32,
    /// The element type, a number of [`aclDataType`](crate::aclDataType).
    pub dataType: u32,
    /// How many elements of `shape` are valid.
    pub shapeDim: u32,
    /// The lengths.
    pub shape: [u32; ACL_PROF_TENSOR_DATA_SHAPE_LEN],
}

/// An operator.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclprofTensorInfo {
    /// The name, as a number of [`aclprofStr2Id`](crate::aclprofStr2Id).
    pub opNameId: u64,
    /// The type, as such a number.
    pub opTypeId: u64,
    /// Reserved.
    pub resv: u32,
    /// How many tensors there are.
    pub tensorNum: u32,
    /// The kind of the kernel.
    pub kernelType: u32,
    /// The number of blocks.
    pub blockNums: u32,
    /// The stream.
    pub stream: *mut c_void,
    /// The tensors.
    pub tensors: *mut aclprofTensor,
}

union! {
    /// What an event is about; `messageType` beside it says which field is valid.
    aclprofEventMessage {
        /// An operator.
        tensorInfo: *mut aclprofTensorInfo,
    }
}

/// An event with a description.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclprofEventAttributes {
    /// [`ACL_PROF_EVENT_ATTR_VERSION`](crate::ACL_PROF_EVENT_ATTR_VERSION).
    pub version: u16,
    /// The size of this structure in bytes.
    pub size: u16,
    /// A number of [`aclprofMessageType`](crate::aclprofMessageType).
    pub messageType: u32,
    /// The description.
    pub message: aclprofEventMessage,
}
