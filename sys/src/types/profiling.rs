//! The profiler: enumerations and flags (`acl/acl_prof.h`, ACL 1.17).

enumeration! {
    /// What is measured of AI cores.
    aclprofAicoreMetrics: u32 {
        ACL_AICORE_ARITHMETIC_UTILIZATION = 0,
        ACL_AICORE_PIPE_UTILIZATION = 1,
        ACL_AICORE_MEMORY_BANDWIDTH = 2,
        ACL_AICORE_L0B_AND_WIDTH = 3,
        ACL_AICORE_RESOURCE_CONFLICT_RATIO = 4,
        ACL_AICORE_MEMORY_UB = 5,
        ACL_AICORE_L2_CACHE = 6,
        ACL_AICORE_PIPE_EXECUTE_UTILIZATION = 7,
        ACL_AICORE_MEMORY_ACCESS = 8,
        ACL_AICORE_NONE = 0xff,
    }
    /// Which side of a step `aclprofGetStepTimestamp` records.
    aclprofStepTag: u32 {
        ACL_STEP_START = 0,
        ACL_STEP_END = 1,
    }
    /// What an entry in the data of a model is.
    aclprofSubscribeOpFlag: u32 {
        ACL_SUBSCRIBE_OP = 0,
        ACL_SUBSCRIBE_SUBGRAPH = 1,
        ACL_SUBSCRIBE_OP_THREAD = 2,
        ACL_SUBSCRIBE_NONE = 0xff,
    }
    /// An attribute of an operator in the data of a model.
    aclprofSubscribeOpAttri: u32 {
        ACL_SUBSCRIBE_ATTRI_THREADID = 0,
        ACL_SUBSCRIBE_ATTRI_NONE = 1,
    }
    /// An option of `aclprofSetConfig`.
    aclprofConfigType: u32 {
        ACL_PROF_ARGS_MIN = 0,
        ACL_PROF_STORAGE_LIMIT = 1,
        /// Releases before ACL 1.17 only.
        ACL_PROF_AIV_METRICS = 2,
        ACL_PROF_SYS_HARDWARE_MEM_FREQ = 3,
        ACL_PROF_LLC_MODE = 4,
        ACL_PROF_SYS_IO_FREQ = 5,
        ACL_PROF_SYS_INTERCONNECTION_FREQ = 6,
        ACL_PROF_DVPP_FREQ = 7,
        ACL_PROF_HOST_SYS = 8,
        ACL_PROF_HOST_SYS_USAGE = 9,
        ACL_PROF_HOST_SYS_USAGE_FREQ = 10,
        ACL_PROF_LOW_POWER_FREQ = 11,
        ACL_PROF_SYS_MEM_SERVICEFLOW = 12,
        ACL_PROF_SYS_CPU_FREQ = 13,
        ACL_PROF_OPTYPE = 14,
        ACL_PROF_NTS_METRICS = 15,
        ACL_PROF_PATH = 16,
    }
    /// What an [`aclprofEventAttributes`](crate::aclprofEventAttributes) describes.
    aclprofMessageType: u32 {
        ACL_PROF_MESSAGE_TYPE_TENSOR_INFO = 0,
    }
}

/// Kind of data: the calls of AscendCL.
pub const ACL_PROF_ACL_API: u64 = 0x0001;
/// Kind of data: tasks with their times, and what is known of their operators.
pub const ACL_PROF_TASK_TIME: u64 = 0x0002;
/// Kind of data: the AI cores, as [`aclprofAicoreMetrics`] says.
pub const ACL_PROF_AICORE_METRICS: u64 = 0x0004;
/// Kind of data: operators on the AI CPU.
pub const ACL_PROF_AICPU: u64 = 0x0008;
/// Kind of data: the L2 cache.
pub const ACL_PROF_L2CACHE: u64 = 0x0010;
/// Kind of data: collective communication.
pub const ACL_PROF_HCCL_TRACE: u64 = 0x0020;
/// Kind of data: the steps of a training.
pub const ACL_PROF_TRAINING_TRACE: u64 = 0x0040;
/// Kind of data: the stamps of the program.
pub const ACL_PROF_MSPROFTX: u64 = 0x0080;
/// Kind of data: the calls of the runtime.
pub const ACL_PROF_RUNTIME_API: u64 = 0x0100;
/// Kind of data: the main phases of operators with shapes of run time.
pub const ACL_PROF_GE_API_L0: u64 = 0x0200;
/// Kind of data: tasks with their times alone.
pub const ACL_PROF_TASK_TIME_L0: u64 = 0x0800;
/// Kind of data: the memory of operators.
pub const ACL_PROF_TASK_MEMORY: u64 = 0x1000;
/// Kind of data: tasks with their times, second level.
pub const ACL_PROF_TASK_TIME_L2: u64 = 0x2000;
/// Kind of data: the attributes of operators.
pub const ACL_PROF_OP_ATTR: u64 = 0x4000;
/// Kind of data: tasks with their times, third level.
pub const ACL_PROF_TASK_TIME_L3: u64 = 0x8000;
/// Kind of data: all phases of operators with shapes of run time.
pub const ACL_PROF_GE_API_L1: u64 = 0x0100_0000;
/// Kind of data: how often each call was made, and how long it took.
pub const ACL_PROF_API_STATS: u64 = 0x4_0000_0000;

/// Most bytes of the name of an operator.
pub const ACL_PROF_MAX_OP_NAME_LEN: usize = 257;
/// Most bytes of the type of an operator.
pub const ACL_PROF_MAX_OP_TYPE_LEN: usize = 65;
/// Most dimensions of an [`aclprofTensor`](crate::aclprofTensor).
pub const ACL_PROF_TENSOR_DATA_SHAPE_LEN: usize = 8;
/// The version of [`aclprofEventAttributes`](crate::aclprofEventAttributes).
pub const ACL_PROF_EVENT_ATTR_VERSION: u16 = 1;
