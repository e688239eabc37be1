//! Captures and model instances: enumerations and constants (`acl/acl_rt.h`, ACL 1.17).

enumeration! {
    /// Which calls a capture forbids meanwhile.
    aclmdlRICaptureMode: u32 {
        ACL_MODEL_RI_CAPTURE_MODE_GLOBAL = 0,
        ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL = 1,
        ACL_MODEL_RI_CAPTURE_MODE_RELAXED = 2,
    }
    /// Whether a stream is being captured.
    aclmdlRICaptureStatus: u32 {
        ACL_MODEL_RI_CAPTURE_STATUS_NONE = 0,
        ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE = 1,
        ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED = 2,
    }
    /// Kind of a task in a model instance.
    aclmdlRITaskType: u32 {
        ACL_MODEL_RI_TASK_DEFAULT = 0,
        ACL_MODEL_RI_TASK_KERNEL = 1,
        ACL_MODEL_RI_TASK_EVENT_RECORD = 2,
        ACL_MODEL_RI_TASK_EVENT_WAIT = 3,
        ACL_MODEL_RI_TASK_EVENT_RESET = 4,
        ACL_MODEL_RI_TASK_VALUE_WRITE = 5,
        ACL_MODEL_RI_TASK_VALUE_WAIT = 6,
    }
    /// How a condition of a model instance starts.
    aclmdlRICondHandleFlag: u32 {
        ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT = 1,
    }
    /// Kind of a conditional task.
    aclmdlRICondTaskType: u32 {
        ACL_MODEL_RI_COND_TYPE_IF = 0,
        ACL_MODEL_RI_COND_TYPE_WHILE = 1,
        ACL_MODEL_RI_COND_TYPE_SWITCH = 2,
    }
}

/// How much a printed model instance shows.
pub const ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY: u32 = 0x0;
/// How much a printed model instance shows.
pub const ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE: u32 = 0x1;
