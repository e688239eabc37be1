//! Collective communication: enumerations (`hccl/hccl_types.h`).

use core::ffi::c_void;

/// A communicator of one rank.
pub type HcclComm = *mut c_void;
/// A window of symmetric memory. Releases before 9.0 have the name `CommSymWindow`.
pub type HcclCommSymWindow = *mut c_void;

enumeration! {
    /// Result of a call of collective communication; 0 is success. Newer releases add values.
    HcclResult: i32 {
        HCCL_SUCCESS = 0,
        /// A parameter is wrong.
        HCCL_E_PARA = 1,
        /// A pointer is null.
        HCCL_E_PTR = 2,
        /// Memory cannot be allocated.
        HCCL_E_MEMORY = 3,
        /// An internal error.
        HCCL_E_INTERNAL = 4,
        /// The device or the library lacks the feature.
        HCCL_E_NOT_SUPPORT = 5,
        /// A resource was not found.
        HCCL_E_NOT_FOUND = 6,
        /// A resource is not available.
        HCCL_E_UNAVAIL = 7,
        /// A call of the operating system failed.
        HCCL_E_SYSCALL = 8,
        /// A rank did not come in time.
        HCCL_E_TIMEOUT = 9,
        /// A file cannot be opened.
        HCCL_E_OPEN_FILE_FAILURE = 10,
        /// A TCP connection cannot be made.
        HCCL_E_TCP_CONNECT = 11,
        /// A RoCE connection cannot be made.
        HCCL_E_ROCE_CONNECT = 12,
        /// A transfer over TCP failed.
        HCCL_E_TCP_TRANSFER = 13,
        /// A transfer over RoCE failed.
        HCCL_E_ROCE_TRANSFER = 14,
        /// A call of the runtime failed; also if the thread has no device.
        HCCL_E_RUNTIME = 15,
        /// A call of the driver failed.
        HCCL_E_DRV = 16,
        /// A call of the profiler failed.
        HCCL_E_PROFILING = 17,
        /// A call of the CCE failed.
        HCCL_E_CCE = 18,
        /// A call of the network failed.
        HCCL_E_NETWORK = 19,
        /// The communicator is in use; try again.
        HCCL_E_AGAIN = 20,
        /// A rank reported an error.
        HCCL_E_REMOTE = 21,
        /// The communicator is suspended.
        HCCL_E_SUSPENDING = 22,
        /// A repeated operation failed.
        HCCL_E_OPRETRY_FAIL = 23,
        /// The device has no memory left.
        HCCL_E_OOM = 24,
    }
    /// The operation of a reduction.
    HcclReduceOp: u32 {
        HCCL_REDUCE_SUM = 0,
        HCCL_REDUCE_PROD = 1,
        HCCL_REDUCE_MAX = 2,
        HCCL_REDUCE_MIN = 3,
        HCCL_REDUCE_RESERVED = 255,
    }
    /// The element type of communication. The numbers are not those of [`aclDataType`](crate::aclDataType).
    HcclDataType: u32 {
        HCCL_DATA_TYPE_INT8 = 0,
        HCCL_DATA_TYPE_INT16 = 1,
        HCCL_DATA_TYPE_INT32 = 2,
        HCCL_DATA_TYPE_FP16 = 3,
        HCCL_DATA_TYPE_FP32 = 4,
        HCCL_DATA_TYPE_INT64 = 5,
        HCCL_DATA_TYPE_UINT64 = 6,
        HCCL_DATA_TYPE_UINT8 = 7,
        HCCL_DATA_TYPE_UINT16 = 8,
        HCCL_DATA_TYPE_UINT32 = 9,
        HCCL_DATA_TYPE_FP64 = 10,
        HCCL_DATA_TYPE_BFP16 = 11,
        HCCL_DATA_TYPE_INT128 = 12,
        HCCL_DATA_TYPE_HIF8 = 14,
        HCCL_DATA_TYPE_FP8E4M3 = 15,
        HCCL_DATA_TYPE_FP8E5M2 = 16,
        HCCL_DATA_TYPE_FP8E8M0 = 17,
        HCCL_DATA_TYPE_RESERVED = 255,
    }
    /// The direction of an item of `HcclBatchSendRecv`.
    HcclSendRecvType: u32 {
        HCCL_SEND = 0,
        HCCL_RECV = 1,
        HCCL_SEND_RECV_RESERVED = 2,
    }
    /// An option of the process.
    HcclConfig: u32 {
        /// Whether each run has the same result: 0 no, 1 yes, 2 also in another order.
        HCCL_DETERMINISTIC = 0,
        /// The unit that divides operations into tasks: 0 is the default. Newer than CANN 8.1.
        HCCL_ACCELERATOR = 1,
    }
    /// An option of a communicator. The library knows the option if `HcclGetCommConfigCapability` returns a larger
    /// number.
    HcclCommConfigCapability: u32 {
        HCCL_COMM_CONFIG_BUFFER_SIZE = 0,
        HCCL_COMM_CONFIG_DETERMINISTIC = 1,
        HCCL_COMM_CONFIG_COMM_NAME = 2,
        HCCL_COMM_CONFIG_OP_EXPANSION_MODE = 3,
        HCCL_COMM_CONFIG_SUPPORT_INIT_BY_ENV = 4,
        HCCL_COMM_CONFIG_WORLD_RANKID = 5,
        HCCL_COMM_CONFIG_JOBID = 6,
        HCCL_COMM_CONFIG_ACLGRAPH_ZEROCOPY_ENABLE = 7,
        HCCL_COMM_CONFIG_EXEC_TIMEOUT = 8,
        HCCL_COMM_CONFIG_ALGO = 9,
        HCCL_COMM_CONFIG_RETRY = 10,
        HCCL_COMM_CONFIG_BUFFER_NAME = 11,
    }
}

/// Size of [`HcclRootInfo`](crate::HcclRootInfo) in bytes.
pub const HCCL_ROOT_INFO_BYTES: usize = 4108;

/// Size of the name of a communicator in bytes, with its NUL.
pub const COMM_NAME_MAX_LENGTH: usize = 128;

/// Size of the head of [`HcclCommConfig`](crate::HcclCommConfig) in bytes.
pub const HCCL_COMM_CONFIG_INFO_BYTES: usize = 24;

/// The number with which a [`HcclCommConfig`](crate::HcclCommConfig) identifies itself.
pub const HCCL_COMM_CONFIG_MAGIC_WORD: u32 = 0xf0f0_f0f0;

/// The value of an option of [`HcclCommConfig`](crate::HcclCommConfig) that is not set.
pub const HCCL_COMM_VALUE_NOT_SET: u32 = 0xffff_ffff;

/// The flag of memory that is no symmetric window. The library refuses it.
pub const HCCL_WIN_DEFAULT: u32 = 0;
/// The flag of a symmetric window.
pub const HCCL_WIN_COLL_SYMMETRIC: u32 = 1;
