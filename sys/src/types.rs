//! Handles and enumerations of AscendCL, under their C names.
//!
//! An enumeration is a newtype over the integer that C passes, not a Rust `enum`: whatever number a
//! future runtime answers with is a valid value.

use core::ffi::{c_int, c_void};

/// Status code of a call; 0 is success. The codes are in [`status`](crate::status).
pub type aclError = c_int;
/// Status code of an operator call; 0 is success.
pub type aclnnStatus = i32;
/// A stream; null is the default stream of the current context.
pub type aclrtStream = *mut c_void;
/// An event.
pub type aclrtEvent = *mut c_void;
/// A context.
pub type aclrtContext = *mut c_void;
/// A model instance.
pub type aclmdlRI = *mut c_void;
/// A handle of physical memory.
pub type aclrtDrvMemHandle = *mut c_void;
/// A function that a subscribed thread runs in stream order.
pub type aclrtCallback = Option<unsafe extern "C" fn(userData: *mut c_void)>;
/// A function that the runtime's own thread runs in stream order.
pub type aclrtHostFunc = Option<unsafe extern "C" fn(args: *mut c_void)>;
/// A half-precision number as its bits.
pub type aclFloat16 = u16;

/// Declares C enumerations as newtypes with their named values.
macro_rules! enumeration {
    ($( $(#[$doc:meta])* $name:ident: $repr:ty { $( $(#[$vdoc:meta])* $value:ident = $number:expr ),* $(,)? } )*) => {$(
        $(#[$doc])*
        #[repr(transparent)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub $repr);

        $( $(#[$vdoc])* #[doc = concat!("`", stringify!($value), "` of [`", stringify!($name), "`].")]
           pub const $value: $name = $name($number); )*

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                $( if self.0 == $number { return f.write_str(stringify!($value)); } )*
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    )*};
}

enumeration! {
    /// Element type of a tensor or scalar.
    aclDataType: i32 {
        ACL_DT_UNDEFINED = -1,
        ACL_FLOAT = 0,
        ACL_FLOAT16 = 1,
        ACL_INT8 = 2,
        ACL_INT32 = 3,
        ACL_UINT8 = 4,
        ACL_INT16 = 6,
        ACL_UINT16 = 7,
        ACL_UINT32 = 8,
        ACL_INT64 = 9,
        ACL_UINT64 = 10,
        ACL_DOUBLE = 11,
        ACL_BOOL = 12,
        ACL_STRING = 13,
        ACL_COMPLEX64 = 16,
        ACL_COMPLEX128 = 17,
        ACL_BF16 = 27,
        ACL_INT4 = 29,
        ACL_UINT1 = 30,
        ACL_COMPLEX32 = 33,
        ACL_HIFLOAT8 = 34,
        ACL_FLOAT8_E5M2 = 35,
        ACL_FLOAT8_E4M3FN = 36,
        ACL_FLOAT8_E8M0 = 37,
        ACL_FLOAT6_E3M2 = 38,
        ACL_FLOAT6_E2M3 = 39,
        ACL_FLOAT4_E2M1 = 40,
        ACL_FLOAT4_E1M2 = 41,
    }
    /// Memory layout of a tensor.
    aclFormat: i32 {
        ACL_FORMAT_UNDEFINED = -1,
        ACL_FORMAT_NCHW = 0,
        ACL_FORMAT_NHWC = 1,
        ACL_FORMAT_ND = 2,
        ACL_FORMAT_NC1HWC0 = 3,
        ACL_FORMAT_FRACTAL_Z = 4,
        ACL_FORMAT_NC1HWC0_C04 = 12,
        ACL_FORMAT_HWCN = 16,
        ACL_FORMAT_NDHWC = 27,
        ACL_FORMAT_FRACTAL_NZ = 29,
        ACL_FORMAT_NCDHW = 30,
        ACL_FORMAT_NDC1HWC0 = 32,
        ACL_FRACTAL_Z_3D = 33,
        ACL_FORMAT_NC = 35,
        ACL_FORMAT_NCL = 47,
        ACL_FORMAT_FRACTAL_NZ_C0_16 = 50,
        ACL_FORMAT_FRACTAL_NZ_C0_32 = 51,
        ACL_FORMAT_FRACTAL_NZ_C0_2 = 52,
        ACL_FORMAT_FRACTAL_NZ_C0_4 = 53,
        ACL_FORMAT_FRACTAL_NZ_C0_8 = 54,
    }
    /// Severity of a log line.
    aclLogLevel: u32 {
        ACL_DEBUG = 0,
        ACL_INFO = 1,
        ACL_WARNING = 2,
        ACL_ERROR = 3,
    }
    /// A capability that `aclGetDeviceCapability` answers.
    aclDeviceInfo: i32 {
        ACL_DEVICE_INFO_UNDEFINED = -1,
        ACL_DEVICE_INFO_AI_CORE_NUM = 0,
        ACL_DEVICE_INFO_VECTOR_CORE_NUM = 1,
        ACL_DEVICE_INFO_L2_SIZE = 2,
    }
    /// Where the program runs: on the device itself (Ascend RC) or on a host with a device.
    aclrtRunMode: u32 {
        ACL_DEVICE = 0,
        ACL_HOST = 1,
    }
    /// Answer of `aclrtQueryEvent`. Note the order: complete is 0.
    aclrtEventStatus: u32 {
        ACL_EVENT_STATUS_COMPLETE = 0,
        ACL_EVENT_STATUS_NOT_READY = 1,
        ACL_EVENT_STATUS_RESERVED = 2,
    }
    /// Answer of `aclrtQueryEventStatus`. Note the order: complete is 1.
    aclrtEventRecordedStatus: u32 {
        ACL_EVENT_RECORDED_STATUS_NOT_READY = 0,
        ACL_EVENT_RECORDED_STATUS_COMPLETE = 1,
    }
    /// Answer of `aclrtQueryEventWaitStatus`.
    aclrtEventWaitStatus: u32 {
        ACL_EVENT_WAIT_STATUS_COMPLETE = 0,
        ACL_EVENT_WAIT_STATUS_NOT_READY = 1,
        ACL_EVENT_WAIT_STATUS_RESERVED = 0xffff,
    }
    /// Answer of `aclrtStreamQuery`.
    aclrtStreamStatus: u32 {
        ACL_STREAM_STATUS_COMPLETE = 0,
        ACL_STREAM_STATUS_NOT_READY = 1,
        ACL_STREAM_STATUS_RESERVED = 0xffff,
    }
    /// Whether a callback holds up its stream.
    aclrtCallbackBlockType: u32 {
        ACL_CALLBACK_NO_BLOCK = 0,
        ACL_CALLBACK_BLOCK = 1,
    }
    /// Direction of a copy. The synchronous copy ignores it (observed, CANN runtime 1.17).
    aclrtMemcpyKind: u32 {
        ACL_MEMCPY_HOST_TO_HOST = 0,
        ACL_MEMCPY_HOST_TO_DEVICE = 1,
        ACL_MEMCPY_DEVICE_TO_HOST = 2,
        ACL_MEMCPY_DEVICE_TO_DEVICE = 3,
        ACL_MEMCPY_DEFAULT = 4,
        ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE = 5,
        ACL_MEMCPY_INNER_DEVICE_TO_DEVICE = 6,
        ACL_MEMCPY_INTER_DEVICE_TO_DEVICE = 7,
    }
    /// Which pages device memory is made of.
    aclrtMemMallocPolicy: u32 {
        ACL_MEM_MALLOC_HUGE_FIRST = 0,
        ACL_MEM_MALLOC_HUGE_ONLY = 1,
        ACL_MEM_MALLOC_NORMAL_ONLY = 2,
        ACL_MEM_MALLOC_HUGE_FIRST_P2P = 3,
        ACL_MEM_MALLOC_HUGE_ONLY_P2P = 4,
        ACL_MEM_MALLOC_NORMAL_ONLY_P2P = 5,
        ACL_MEM_MALLOC_HUGE1G_ONLY = 6,
        ACL_MEM_MALLOC_HUGE1G_ONLY_P2P = 7,
        ACL_MEM_TYPE_LOW_BAND_WIDTH = 0x100,
        ACL_MEM_TYPE_HIGH_BAND_WIDTH = 0x1000,
        ACL_MEM_ACCESS_USER_SPACE_READONLY = 0x100000,
    }
    /// Which memory `aclrtGetMemInfo` answers for.
    aclrtMemAttr: u32 {
        ACL_DDR_MEM = 0,
        ACL_HBM_MEM = 1,
        ACL_DDR_MEM_HUGE = 2,
        ACL_DDR_MEM_NORMAL = 3,
        ACL_HBM_MEM_HUGE = 4,
        ACL_HBM_MEM_NORMAL = 5,
        ACL_DDR_MEM_P2P_HUGE = 6,
        ACL_DDR_MEM_P2P_NORMAL = 7,
        ACL_HBM_MEM_P2P_HUGE = 8,
        ACL_HBM_MEM_P2P_NORMAL = 9,
        ACL_HBM_MEM_HUGE1G = 10,
        ACL_HBM_MEM_P2P_HUGE1G = 11,
        ACL_MEM_NORMAL = 12,
        ACL_MEM_HUGE = 13,
        ACL_MEM_HUGE1G = 14,
        ACL_MEM_P2P_NORMAL = 15,
        ACL_MEM_P2P_HUGE = 16,
        ACL_MEM_P2P_HUGE1G = 17,
    }
    /// Where an address lies.
    aclrtMemLocationType: u32 {
        ACL_MEM_LOCATION_TYPE_HOST = 0,
        ACL_MEM_LOCATION_TYPE_DEVICE = 1,
        ACL_MEM_LOCATION_TYPE_UNREGISTERED = 2,
        ACL_MEM_LOCATION_TYPE_HOST_NUMA = 4,
    }
    /// Kind of a physical memory handle.
    aclrtMemHandleType: u32 {
        ACL_MEM_HANDLE_TYPE_NONE = 0,
        ACL_MEM_HANDLE_TYPE_POSIX = 2,
    }
    /// Kind of physical memory.
    aclrtMemAllocationType: u32 {
        ACL_MEM_ALLOCATION_TYPE_PINNED = 0,
    }
    /// Whose last error is asked for.
    aclrtLastErrLevel: u32 {
        ACL_RT_THREAD_LEVEL = 0,
    }
    /// An attribute that `aclrtGetDeviceInfo` answers.
    aclrtDevAttr: u32 {
        ACL_DEV_ATTR_AICPU_CORE_NUM = 1,
        ACL_DEV_ATTR_AICORE_CORE_NUM = 101,
        ACL_DEV_ATTR_CUBE_CORE_NUM = 102,
        ACL_DEV_ATTR_VECTOR_CORE_NUM = 201,
        ACL_DEV_ATTR_WARP_SIZE = 202,
        ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE = 203,
        ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE = 204,
        ACL_DEV_ATTR_LOCAL_MEM_PER_VECTOR_CORE = 204,
        ACL_DEV_ATTR_MAX_GRID_DIM_X = 205,
        ACL_DEV_ATTR_MAX_GRID_DIM_Y = 206,
        ACL_DEV_ATTR_MAX_GRID_DIM_Z = 207,
        ACL_DEV_ATTR_MAX_BLOCK_PER_GRID = 208,
        ACL_DEV_ATTR_MAX_THREADS_PER_BLOCK = 209,
        ACL_DEV_ATTR_MAX_BLOCK_DIM_X = 210,
        ACL_DEV_ATTR_MAX_BLOCK_DIM_Y = 211,
        ACL_DEV_ATTR_MAX_BLOCK_DIM_Z = 212,
        ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE = 301,
        ACL_DEV_ATTR_L2_CACHE_SIZE = 302,
        ACL_DEV_ATTR_SMP_ID = 401,
        ACL_DEV_ATTR_PHY_CHIP_ID = 402,
        ACL_DEV_ATTR_SUPER_POD_DEVIDE_ID = 403,
        ACL_DEV_ATTR_SUPER_POD_DEVICE_ID = 403,
        ACL_DEV_ATTR_SUPER_POD_SERVER_ID = 404,
        ACL_DEV_ATTR_SUPER_POD_ID = 405,
        ACL_DEV_ATTR_CUST_OP_PRIVILEGE = 406,
        ACL_DEV_ATTR_MAINBOARD_ID = 407,
        ACL_DEV_ATTR_HD_CONNECT_TYPE = 408,
        ACL_DEV_ATTR_IS_VIRTUAL = 501,
        ACL_DEV_ATTR_NPU_ARCH = 601,
    }
}

/// Flag of an event that streams can wait for.
pub const ACL_EVENT_SYNC: u32 = 0x01;
/// Flag of an event whose record captures the progress of its stream.
pub const ACL_EVENT_CAPTURE_STREAM_PROGRESS: u32 = 0x02;
/// Flag of an event that carries a time stamp.
pub const ACL_EVENT_TIME_LINE: u32 = 0x08;
/// Flag of an event that only the device uses.
pub const ACL_EVENT_DEVICE_USE_ONLY: u32 = 0x10;
/// Flag of an event that links a captured graph with the outside.
pub const ACL_EVENT_EXTERNAL: u32 = 0x20;
/// Flag of an event that processes share.
pub const ACL_EVENT_IPC: u32 = 0x40;

/// Stream flag: keep launch resources ready.
pub const ACL_STREAM_FAST_LAUNCH: u32 = 0x01;
/// Stream flag: busy-wait in synchronise.
pub const ACL_STREAM_FAST_SYNC: u32 = 0x02;
/// Stream flag: tasks run only as part of a model instance.
pub const ACL_STREAM_PERSISTENT: u32 = 0x04;
/// Stream flag: a deeper task queue.
pub const ACL_STREAM_HUGE: u32 = 0x08;
/// Stream flag: scheduled by the device's CPU.
pub const ACL_STREAM_CPU_SCHEDULE: u32 = 0x10;
/// Stream flag: only the device submits to it.
pub const ACL_STREAM_DEVICE_USE_ONLY: u32 = 0x20;

/// Failure mode of a stream: later tasks run although one failed (the default).
pub const ACL_CONTINUE_ON_FAILURE: u64 = 0;
/// Failure mode of a stream: after a failed task its context accepts no more work.
pub const ACL_STOP_ON_FAILURE: u64 = 1;
