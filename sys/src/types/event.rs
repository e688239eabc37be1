//! Events and notifies: enumerations and flags (`acl/acl_rt.h`, ACL 1.17).

enumeration! {
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
    /// The change of a counting notify's counter when it is recorded.
    aclrtCntNotifyRecordMode: u32 {
        ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE = 0,
        ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE = 1,
        ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE = 2,
        ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE = 4,
    }
    /// The comparison of a wait for a counting notify.
    aclrtCntNotifyWaitMode: u32 {
        ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE = 0,
        ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE = 1,
        ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE = 2,
        ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE = 3,
        ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE = 4,
    }
}

/// Flag of an event that streams can wait for.
pub const ACL_EVENT_SYNC: u32 = 0x00000001;

/// Flag of an event whose record captures the progress of its stream.
pub const ACL_EVENT_CAPTURE_STREAM_PROGRESS: u32 = 0x00000002;

/// Flag of an event that carries a time stamp.
pub const ACL_EVENT_TIME_LINE: u32 = 0x00000008;

/// Flag of an event that only the device uses.
pub const ACL_EVENT_DEVICE_USE_ONLY: u32 = 0x00000010;

/// Flag of an event that links a captured graph with the outside.
pub const ACL_EVENT_EXTERNAL: u32 = 0x00000020;

/// Flag of an event that processes share.
pub const ACL_EVENT_IPC: u32 = 0x00000040;

/// Length of the handle of a shared event.
pub const ACL_IPC_EVENT_HANDLE_SIZE: usize = 64;

/// How an event is recorded.
pub const ACL_EVENT_RECORD_DEFAULT: u32 = 0x0;
/// How an event is recorded.
pub const ACL_EVENT_RECORD_EXTERNAL: u32 = 0x01;

/// How an event is waited for.
pub const ACL_EVENT_WAIT_DEFAULT: u32 = 0x0;
/// How an event is waited for.
pub const ACL_EVENT_WAIT_EXTERNAL: u32 = 0x01;

/// Flag of a notify.
pub const ACL_NOTIFY_DEFAULT: u64 = 0x00000000;
/// Flag of a notify.
pub const ACL_NOTIFY_DEVICE_USE_ONLY: u64 = 0x00000001;
/// Flag of a notify.
pub const ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT: u64 = 0x0;
/// Flag of a notify.
pub const ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION: u64 = 0x02;
/// Flag of a notify.
pub const ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT: u64 = 0x0;
/// Flag of a notify.
pub const ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS: u64 = 0x02;
