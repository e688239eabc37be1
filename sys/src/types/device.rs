//! Devices: enumerations and flags (`acl/acl_rt.h`, `acl/acl_base_rt.h`, ACL 1.17).

enumeration! {
    /// A task scheduler of the device.
    aclrtTsId: u32 {
        ACL_TS_ID_AICORE = 0,
        ACL_TS_ID_AIVECTOR = 1,
        ACL_TS_ID_RESERVED = 2,
    }
    /// Health of a device.
    aclrtDeviceStatus: u32 {
        ACL_RT_DEVICE_STATUS_NORMAL = 0,
        ACL_RT_DEVICE_STATUS_ABNORMAL = 1,
        ACL_RT_DEVICE_STATUS_END = 0xffff,
    }
    /// Moment in the life of a device, for hooks.
    aclrtDeviceState: u32 {
        ACL_RT_DEVICE_STATE_SET_PRE = 0,
        ACL_RT_DEVICE_STATE_SET_POST = 1,
        ACL_RT_DEVICE_STATE_RESET_PRE = 2,
        ACL_RT_DEVICE_STATE_RESET_POST = 3,
    }
    /// Stage of aborting the tasks of a device.
    aclrtDeviceTaskAbortStage: u32 {
        ACL_RT_DEVICE_TASK_ABORT_PRE = 0,
        ACL_RT_DEVICE_TASK_ABORT_POST = 1,
    }
    /// An attribute that `aclrtGetDeviceInfo` answers.
    aclrtDevAttr: u32 {
        ACL_DEV_ATTR_AICPU_CORE_NUM = 1,
        ACL_DEV_ATTR_AICORE_CORE_NUM = 101,
        ACL_DEV_ATTR_CUBE_CORE_NUM = 102,
        ACL_DEV_ATTR_VECTOR_CORE_NUM = 201,
        ACL_DEV_ATTR_WARP_SIZE = 202,
        ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE = 203,
        ACL_DEV_ATTR_LOCAL_MEM_PER_VECTOR_CORE = 204,
        ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE = 204,
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
        ACL_DEV_ATTR_DEVICE_FORM_FACTOR = 409,
        ACL_DEV_ATTR_IS_VIRTUAL = 501,
        ACL_DEV_ATTR_NPU_ARCH = 601,
    }
    /// A feature that `aclrtGetDeviceCapability` answers.
    aclrtDevFeatureType: u32 {
        ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV = 1,
        ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV = 21,
    }
    /// A resource whose share can be limited.
    aclrtDevResLimitType: u32 {
        ACL_RT_DEV_RES_CUBE_CORE = 0,
        ACL_RT_DEV_RES_VECTOR_CORE = 1,
    }
    /// A size that is set before the device.
    aclrtDeviceLimit: u32 {
        ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE = 0,
        ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE = 1,
        ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE = 2,
        ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE = 3,
        ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE = 4,
    }
    /// The overflow of floating-point results: saturated or infinite.
    aclrtFloatOverflowMode: u32 {
        ACL_RT_OVERFLOW_MODE_SATURATION = 0,
        ACL_RT_OVERFLOW_MODE_INFNAN = 1,
        ACL_RT_OVERFLOW_MODE_UNDEF = 2,
    }
    /// An attribute of a group of cores.
    aclrtGroupAttr: u32 {
        ACL_GROUP_AICORE_INT = 0,
        ACL_GROUP_AIV_INT = 1,
        ACL_GROUP_AIC_INT = 2,
        ACL_GROUP_SDMANUM_INT = 3,
        ACL_GROUP_ASQNUM_INT = 4,
        ACL_GROUP_GROUPID_INT = 5,
    }
    /// A capability that `aclGetDeviceCapability` answers.
    aclDeviceInfo: i32 {
        ACL_DEVICE_INFO_UNDEFINED = -1,
        ACL_DEVICE_INFO_AI_CORE_NUM = 0,
        ACL_DEVICE_INFO_VECTOR_CORE_NUM = 1,
        ACL_DEVICE_INFO_L2_SIZE = 2,
    }
}

/// Answer of `aclrtGetDeviceCapability`.
pub const ACL_DEV_FEATURE_SUPPORT: i32 = 0x00000001;
/// Answer of `aclrtGetDeviceCapability`.
pub const ACL_DEV_FEATURE_NOT_SUPPORT: i32 = 0x00000000;

/// How a device is connected to its host.
pub const ACL_HOST_DEVICE_CONNECT_TYPE_PCIE: i64 = 0;
/// How a device is connected to its host.
pub const ACL_HOST_DEVICE_CONNECT_TYPE_HCCS: i64 = 1;
/// How a device is connected to its host.
pub const ACL_HOST_DEVICE_CONNECT_TYPE_UB: i64 = 2;

/// Build of a device.
pub const ACL_DEVICE_FORM_FACTOR_POD: i64 = 0;
/// Build of a device.
pub const ACL_DEVICE_FORM_FACTOR_A_K: i64 = 1;
/// Build of a device.
pub const ACL_DEVICE_FORM_FACTOR_A_X: i64 = 2;
/// Build of a device.
pub const ACL_DEVICE_FORM_FACTOR_PCIE_CARD: i64 = 3;

/// How two devices are connected.
pub const ACL_RT_DEVS_TOPOLOGY_HCCS: u64 = 0x01;
/// How two devices are connected.
pub const ACL_RT_DEVS_TOPOLOGY_PIX: u64 = 0x02;
/// How two devices are connected.
pub const ACL_RT_DEVS_TOPOLOGY_PIB: u64 = 0x04;
/// How two devices are connected.
pub const ACL_RT_DEVS_TOPOLOGY_PHB: u64 = 0x08;
/// How two devices are connected.
pub const ACL_RT_DEVS_TOPOLOGY_SYS: u64 = 0x10;
/// How two devices are connected.
pub const ACL_RT_DEVS_TOPOLOGY_SIO: u64 = 0x20;
/// How two devices are connected.
pub const ACL_RT_DEVS_TOPOLOGY_HCCS_SW: u64 = 0x40;
