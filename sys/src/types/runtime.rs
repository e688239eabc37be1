//! Process, errors, versions: enumerations and flags (`acl/acl_rt.h`, `acl/acl_base_rt.h`, ACL 1.17).

enumeration! {
    /// Where the program runs: on the device itself (Ascend RC) or on a host with a device.
    aclrtRunMode: u32 {
        ACL_DEVICE = 0,
        ACL_HOST = 1,
    }
    /// Whose last error is asked for.
    aclrtLastErrLevel: u32 {
        ACL_RT_THREAD_LEVEL = 0,
    }
    /// Severity of a log line.
    aclLogLevel: u32 {
        ACL_DEBUG = 0,
        ACL_INFO = 1,
        ACL_WARNING = 2,
        ACL_ERROR = 3,
    }
    /// A parameter of the process or of a context.
    aclSysParamOpt: u32 {
        ACL_OPT_DETERMINISTIC = 0,
        ACL_OPT_ENABLE_DEBUG_KERNEL = 1,
        ACL_OPT_STRONG_CONSISTENCY = 2,
        ACL_OPT_ENABLE_KERNEL_EARLY_START = 3,
    }
    /// A property of the CANN installation.
    aclCannAttr: i32 {
        ACL_CANN_ATTR_UNDEFINED = -1,
        ACL_CANN_ATTR_INF_NAN = 0,
        ACL_CANN_ATTR_BF16 = 1,
        ACL_CANN_ATTR_JIT_COMPILE = 2,
    }
    /// A package of CANN whose version is asked for.
    aclCANNPackageName: u32 {
        ACL_PKG_NAME_CANN = 0,
        ACL_PKG_NAME_RUNTIME = 1,
        ACL_PKG_NAME_COMPILER = 2,
        ACL_PKG_NAME_HCCL = 3,
        ACL_PKG_NAME_TOOLKIT = 4,
        ACL_PKG_NAME_OPP = 5,
        ACL_PKG_NAME_OPP_KERNEL = 6,
        ACL_PKG_NAME_DRIVER = 7,
    }
    /// The component that a hook of initialisation belongs to.
    aclRegisterCallbackType: u32 {
        ACL_REG_TYPE_ACL_MODEL = 0,
        ACL_REG_TYPE_ACL_OP_EXECUTOR = 1,
        ACL_REG_TYPE_ACL_OP_CBLAS = 2,
        ACL_REG_TYPE_ACL_OP_COMPILER = 3,
        ACL_REG_TYPE_ACL_TDT_CHANNEL = 4,
        ACL_REG_TYPE_ACL_TDT_QUEUE = 5,
        ACL_REG_TYPE_ACL_DVPP = 6,
        ACL_REG_TYPE_ACL_RETR = 7,
        ACL_REG_TYPE_OTHER = 0xffff,
    }
    /// Kind of a device fault.
    aclrtErrorType: u32 {
        ACL_RT_NO_ERROR = 0,
        ACL_RT_ERROR_MEMORY = 1,
        ACL_RT_ERROR_L2 = 2,
        ACL_RT_ERROR_AICORE = 3,
        ACL_RT_ERROR_LINK = 4,
        ACL_RT_ERROR_L3_PORT = 5,
        ACL_RT_ERROR_OTHERS = 0xffff,
    }
    /// Kind of an AI-core fault.
    aclrtAicoreErrorType: u32 {
        ACL_RT_AICORE_ERROR_UNKNOWN = 0,
        ACL_RT_AICORE_ERROR_SW = 1,
        ACL_RT_AICORE_ERROR_HW_LOCAL = 2,
    }
    /// Stage of a process snapshot.
    aclrtSnapShotStage: u32 {
        ACL_RT_SNAPSHOT_LOCK_PRE = 0,
        ACL_RT_SNAPSHOT_BACKUP_PRE = 1,
        ACL_RT_SNAPSHOT_BACKUP_POST = 2,
        ACL_RT_SNAPSHOT_RESTORE_PRE = 3,
        ACL_RT_SNAPSHOT_RESTORE_POST = 4,
        ACL_RT_SNAPSHOT_UNLOCK_POST = 5,
    }
    /// Whether the process is locked for a snapshot.
    aclrtProcessState: u32 {
        ACL_RT_PROCESS_STATE_RUNNING = 0,
        ACL_RT_PROCESS_STATE_LOCKED = 1,
    }
    /// Kind of a dump.
    acldumpType: u32 {
        AIC_ERR_BRIEF_DUMP = 1,
        AIC_ERR_NORM_DUMP = 2,
        AIC_ERR_DETAIL_DUMP = 3,
        DATA_DUMP = 4,
        OVERFLOW_DUMP = 5,
    }
}

/// Version of ACL that these bindings describe.
pub const ACL_MAJOR_VERSION: i32 = 1;
/// Version of ACL that these bindings describe.
pub const ACL_MINOR_VERSION: i32 = 17;
/// Version of ACL that these bindings describe.
pub const ACL_PATCH_VERSION: i32 = 0;

/// Length of a string in a version structure.
pub const ACL_PKG_VERSION_MAX_SIZE: usize = 128;
/// Length of a string in a version structure.
pub const ACL_PKG_VERSION_PARTS_MAX_SIZE: usize = 64;

/// Limit of an array of memory faults.
pub const MAX_MEM_UCE_INFO_ARRAY_SIZE: usize = 128;
/// Limit of an array of memory faults.
pub const UCE_INFO_RESERVED_SIZE: usize = 14;
/// Limit of an array of memory faults.
pub const ACL_RT_MEM_UCE_INFO_MAX_NUM: usize = 20;
/// Limit of an array of memory faults.
pub const ACL_RT_MAX_RECORD_PA_NUM_PER_DEV: usize = 20;
