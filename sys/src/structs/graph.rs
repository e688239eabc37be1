//! Tasks of model instances (`acl/acl_rt.h`, ACL 1.17).

use core::ffi::c_void;

use crate::structs::aclrtLaunchKernelCfg;
use crate::types::{
    aclmdlRI, aclmdlRICondHandle, aclmdlRICondTaskType, aclmdlRITaskType, aclrtEvent,
    aclrtFuncHandle, aclrtTaskGrp,
};

/// The parameters of a task that runs a kernel.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclmdlRIKernelTaskParams {
    /// The kernel.
    pub funcHandle: aclrtFuncHandle,
    /// The attributes of its launch.
    pub cfg: *mut aclrtLaunchKernelCfg,
    /// The arguments of the kernel.
    pub args: *mut c_void,
    /// Whether the arguments lie in host memory.
    pub isHostArgs: u32,
    /// The bytes of the arguments.
    pub argsSize: usize,
    /// The number of blocks.
    pub numBlocks: u32,
    /// Reserved.
    pub rsv: [u32; 10],
}

/// The parameters of a task that records an event.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclmdlRIEventRecordTaskParams {
    /// The event.
    pub event: aclrtEvent,
    /// Its flags.
    pub eventFlag: u32,
    /// The flags of the record.
    pub recordFlag: u32,
}

/// The parameters of a task that waits for an event.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclmdlRIEventWaitTaskParams {
    /// The event.
    pub event: aclrtEvent,
    /// Its flags.
    pub eventFlag: u32,
    /// The flags of the wait.
    pub waitFlag: u32,
}

/// The parameters of a task that resets an event.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclmdlRIEventResetTaskParams {
    /// The event.
    pub event: aclrtEvent,
    /// Its flags.
    pub eventFlag: u32,
    /// The flags of the reset.
    pub resetFlag: u32,
}

/// The parameters of a task that writes a number.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclmdlRIValueWriteTaskParams {
    /// The device address of the number.
    pub devAddr: *mut c_void,
    /// The number to write.
    pub value: u64,
}

/// The parameters of a task that waits for a number.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclmdlRIValueWaitTaskParams {
    /// The device address of the number.
    pub devAddr: *mut c_void,
    /// The number to compare with.
    pub value: u64,
    /// The comparison.
    pub flag: u32,
}

union! {
    /// The parameters of a task. The kind of the task names the valid field. The union has no name in C.
    aclmdlRITaskParams_params {
        /// Reserved.
        rsv2: [u8; 128],
        /// A kernel.
        kernelTaskParams: aclmdlRIKernelTaskParams,
        /// A record.
        eventRecordTaskParams: aclmdlRIEventRecordTaskParams,
        /// A wait.
        eventWaitTaskParams: aclmdlRIEventWaitTaskParams,
        /// A reset.
        eventResetTaskParams: aclmdlRIEventResetTaskParams,
        /// Writing a number.
        valueWriteTaskParams: aclmdlRIValueWriteTaskParams,
        /// Waiting for one.
        valueWaitTaskParams: aclmdlRIValueWaitTaskParams,
    }
}

/// A task of a model instance.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclmdlRITaskParams {
    /// The kind of the task.
    pub type_: aclmdlRITaskType,
    /// Reserved.
    pub rsv0: [u32; 3],
    /// The group of the task.
    pub taskGrp: aclrtTaskGrp,
    /// A description of the operator of the task.
    pub opInfoPtr: *mut c_void,
    /// The bytes of the description.
    pub opInfoSize: usize,
    /// Reserved.
    pub rsv1: [u8; 32],
    /// The parameters of the task.
    pub params: aclmdlRITaskParams_params,
}

/// A task that depends on a condition.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclmdlRICondTaskParams {
    /// The condition.
    pub handle: aclmdlRICondHandle,
    /// The kind of dependence on the condition.
    pub type_: aclmdlRICondTaskType,
    /// The number of branches.
    pub size: u32,
    /// The branches.
    pub modelRIArray: *mut aclmdlRI,
}
