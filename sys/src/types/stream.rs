//! Streams: enumerations and flags (`acl/acl_rt.h`, ACL 1.17).

enumeration! {
    /// Answer of `aclrtStreamQuery`.
    aclrtStreamStatus: u32 {
        ACL_STREAM_STATUS_COMPLETE = 0,
        ACL_STREAM_STATUS_NOT_READY = 1,
        ACL_STREAM_STATUS_RESERVED = 0xffff,
    }
    /// An attribute of a stream that is to be created.
    aclrtStreamConfigAttr: u32 {
        ACL_RT_STREAM_WORK_ADDR_PTR = 0,
        ACL_RT_STREAM_WORK_SIZE = 1,
        ACL_RT_STREAM_FLAG = 2,
        ACL_RT_STREAM_PRIORITY = 3,
    }
    /// An attribute of a stream.
    aclrtStreamAttr: u32 {
        ACL_STREAM_ATTR_FAILURE_MODE = 1,
        ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK = 2,
        ACL_STREAM_ATTR_USER_CUSTOM_TAG = 3,
        ACL_STREAM_ATTR_CACHE_OP_INFO = 4,
        ACL_STREAM_ATTR_PRIORITY = 5,
    }
    /// Moment in the life of a stream, for hooks.
    aclrtStreamState: u32 {
        ACL_RT_STREAM_STATE_CREATE_POST = 1,
        ACL_RT_STREAM_STATE_DESTROY_PRE = 2,
    }
    /// Comparison of a conditional jump between streams.
    aclrtCondition: u32 {
        ACL_RT_EQUAL = 0,
        ACL_RT_NOT_EQUAL = 1,
        ACL_RT_GREATER = 2,
        ACL_RT_GREATER_OR_EQUAL = 3,
        ACL_RT_LESS = 4,
        ACL_RT_LESS_OR_EQUAL = 5,
    }
    /// Number type of such a comparison.
    aclrtCompareDataType: u32 {
        ACL_RT_SWITCH_INT32 = 0,
        ACL_RT_SWITCH_INT64 = 1,
    }
}

/// Stream flag: keep launch resources ready.
pub const ACL_STREAM_FAST_LAUNCH: u32 = 0x00000001;

/// Stream flag: busy-wait in synchronise.
pub const ACL_STREAM_FAST_SYNC: u32 = 0x00000002;

/// Stream flag: tasks run only as part of a model instance.
pub const ACL_STREAM_PERSISTENT: u32 = 0x00000004;

/// Binding flag: a run of the model instance begins with the stream.
pub const ACL_MODEL_STREAM_FLAG_HEAD: u32 = 0x00000000;

/// Binding flag: another stream of the model instance starts the stream.
pub const ACL_MODEL_STREAM_FLAG_DEFAULT: u32 = 0x7fffffff;

/// Stream flag: a deeper task queue.
pub const ACL_STREAM_HUGE: u32 = 0x00000008;

/// Stream flag: scheduled by the device's CPU.
pub const ACL_STREAM_CPU_SCHEDULE: u32 = 0x00000010;

/// Stream flag: only the device submits to it.
pub const ACL_STREAM_DEVICE_USE_ONLY: u32 = 0x00000020;

/// Comparison of `aclrtValueWait`.
pub const ACL_STREAM_WAIT_VALUE_GEQ: u32 = 0x00000000;
/// Comparison of `aclrtValueWait`.
pub const ACL_STREAM_WAIT_VALUE_EQ: u32 = 0x00000001;
/// Comparison of `aclrtValueWait`.
pub const ACL_STREAM_WAIT_VALUE_AND: u32 = 0x00000002;
/// Comparison of `aclrtValueWait`.
pub const ACL_STREAM_WAIT_VALUE_NOR: u32 = 0x00000003;

/// Failure mode of a stream: later tasks run although one failed (the default).
pub const ACL_CONTINUE_ON_FAILURE: u64 = 0x00000000;

/// Failure mode of a stream: after a failed task its context accepts no more work.
pub const ACL_STOP_ON_FAILURE: u64 = 0x00000001;
