//! What a program can do after an error: try again, reset the device, or give up.

use ascendcl_sys as sys;

use super::{Error, ErrorKind, Usage, hccl};

/// What can help after an error, by [`Error::recovery`].
///
/// ```
/// use std::time::Duration;
///
/// use ascendcl::error::Recovery;
/// use ascendcl::{Acl, Current, Npu, Result};
///
/// type D = Npu<0>;
///
/// /// Runs `job` until it succeeds. `on_within` resets the device behind each attempt.
/// fn supervise(acl: &Acl, job: impl Fn(Current<'_, '_, D>) -> Result<()>) -> Result<()> {
///     for _ in 0..3 {
///         match acl.on_within::<D, _>(0, Duration::from_secs(5), &job) {
///             Err(error) if error.recovery() != Recovery::GiveUp => eprintln!("{error}"),
///             ended => return ended,
///         }
///     }
///     acl.on_within::<D, _>(0, Duration::from_secs(5), job)
/// }
/// # ascendcl::example!(|acl| { supervise(&acl, |current| current.malloc::<u8>(4)?.free())?; });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Recovery {
    /// The device works. The same call can succeed when others have freed what it needs, or the same work on another stream,
    /// because one task has failed or one limit of time has passed. On a device that
    /// [stops on failure](crate::Device::stop_on_failure), a failed task needs a reset all the same. A device that a thread
    /// still ends ([`Usage::DeviceEnding`]) can be opened when that is over: if it hangs, perhaps never.
    Retry,
    /// The device is in doubt: reset it, and open it again. Its streams, memory, plans, models and communicators go with it.
    /// After [`Usage::Late`] a thread goes on with the reset.
    Reset,
    /// The same call fails again: a mistake of the program, or a product or installation without the function.
    GiveUp,
}

impl Error {
    /// What can help: another attempt, a reset of the device, or nothing.
    ///
    /// The classes are those of the numbers of AscendCL: 1xxxxx for a mistake of the caller, 2xxxxx for a missing resource,
    /// 5xxxxx for a failure inside; a failed task is of one stream alone (observed, CANN runtime 1.17). Memory errors, errors
    /// of links and a lost device need a reset.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// use ascendcl::error::Recovery;
    ///
    /// let refused = acl.on::<Npu<0>, ()>(99, |_| Ok(()));
    /// let recovery = refused.map_err(|error| error.recovery());
    /// assert_eq!(recovery, Err(Recovery::GiveUp)); // there is no device 99
    /// # });
    /// ```
    #[must_use]
    pub fn recovery(&self) -> Recovery {
        match self.kind() {
            ErrorKind::Usage(usage) => of_usage(usage),
            ErrorKind::Refused(failed) | ErrorKind::Wait(failed) => {
                of_call(failed.call, failed.code)
            }
            ErrorKind::Backend(_) => Recovery::GiveUp,
        }
    }
}

fn of_usage(usage: &Usage) -> Recovery {
    match usage {
        Usage::StreamPoisoned { .. }
        | Usage::HostFuncPanicked { .. }
        | Usage::Aborted { .. }
        | Usage::RecordDropped { .. }
        | Usage::DeviceEnding { .. }
        | Usage::Panicked { .. }
        | Usage::NoThread { .. } => Recovery::Retry,
        Usage::FailedMeanwhile { code, .. } => code.map_or(Recovery::Retry, of_code),
        Usage::Late { .. }
        | Usage::Unproven { .. }
        | Usage::PeerLost { .. }
        | Usage::NotAborted { .. } => Recovery::Reset,
        _ => Recovery::GiveUp,
    }
}

fn of_call(call: &str, code: sys::aclError) -> Recovery {
    if hccl::is_hccl(call) {
        hccl::recovery(code)
    } else {
        of_code(code)
    }
}

/// The class of a code of AscendCL.
fn of_code(code: sys::aclError) -> Recovery {
    match code {
        // Refusals that end when other code ends its capture.
        sys::ACL_ERROR_RT_STREAM_CAPTURED
        // Limits of time, and work that was aborted.
        | sys::ACL_ERROR_WAIT_CALLBACK_TIMEOUT
        | sys::ACL_ERROR_RT_WAIT_TIMEOUT
        | sys::ACL_ERROR_RT_TASK_TIMEOUT
        | sys::ACL_ERROR_RT_STREAM_ABORT
        | sys::ACL_ERROR_RT_TASK_ABORT_STOP
        | sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT
        | sys::ACL_ERROR_RT_EVENT_SYNC_TIMEOUT
        | sys::ACL_ERROR_RT_FFTS_PLUS_TIMEOUT
        | sys::ACL_ERROR_GE_MODEL_EXECUTE_TIMEOUT
        // Resources.
        | sys::ACL_ERROR_BAD_ALLOC
        | sys::ACL_ERROR_STORAGE_OVER_LIMIT
        | sys::ACL_ERROR_RT_MEMORY_ALLOCATION
        | sys::ACL_ERROR_RT_RESOURCE_ALLOC_FAIL
        | sys::ACL_ERROR_RT_NO_EVENT_RESOURCE..=sys::ACL_ERROR_RT_QUEUE_FULL
        | sys::ACL_ERROR_RT_DEVICE_OOM
        | sys::ACL_ERROR_RT_TIMEOUT
        | sys::ACL_ERROR_GE_MEMORY_ALLOCATION
        | sys::ACL_ERROR_RT_STREAM_TASK_FULL
        // Tasks that have failed.
        | sys::ACL_ERROR_RT_TS_ERROR
        | sys::ACL_ERROR_RT_END_OF_SEQUENCE
        | sys::ACL_ERROR_RT_MODEL_EXECUTE
        | sys::ACL_ERROR_RT_AICORE_TIMEOUT..=sys::ACL_ERROR_RT_AICPU_EXCEPTION
        | sys::ACL_ERROR_RT_VECTOR_CORE_TIMEOUT..=sys::ACL_ERROR_RT_VECTOR_CORE_TRAP_EXCEPTION
        | sys::ACL_ERROR_RT_AICORE_TRAP_READ_OVERFLOW..=sys::ACL_ERROR_RT_VECTOR_CORE_TRAP_WRITE_OVERFLOW
        | sys::ACL_ERROR_RT_FFTS_PLUS_EXCEPTION
        | sys::ACL_ERROR_RT_FFTS_PLUS_TRAP_EXCEPTION
        | sys::ACL_ERROR_RT_AICORE_OVER_FLOW
        | sys::ACL_ERROR_RT_AIVEC_OVER_FLOW
        | sys::ACL_ERROR_RT_OVER_FLOW => Recovery::Retry,
        // The default of failures inside: among them memory and link errors, and a lost device.
        sys::ACL_ERROR_RT_DEVICE_TASK_ABORT
        | sys::ACL_ERROR_INTERNAL_ERROR..=sys::ACL_ERROR_DRV_FAILURE
        | sys::ACL_ERROR_RT_INTERNAL_ERROR..=sys::ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED
        | sys::ACL_ERROR_RT_COMM_OP_RETRY_FAIL
        | sys::ACL_ERROR_RT_L3_PORT_ERROR..=sys::ACL_ERROR_RT_CCU_EXCEPTION
            if !is_mistake(code) =>
        {
            Recovery::Reset
        }
        _ => Recovery::GiveUp,
    }
}

/// Whether a code of the runtime's 507xxx is a mistake of the program or the installation after all.
fn is_mistake(code: sys::aclError) -> bool {
    matches!(
        code,
        sys::ACL_ERROR_RT_CONTEXT_RELEASE_ERROR
            | sys::ACL_ERROR_RT_SOC_VERSION
            | sys::ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT
            | sys::ACL_ERROR_RT_KERNEL_LOOKUP
            | sys::ACL_ERROR_RT_KERNEL_DUPLICATE
            | sys::ACL_ERROR_RT_LABEL_CONTEXT
            | sys::ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED
    )
}

#[cfg(test)]
mod tests {
    use super::{Recovery, of_call, of_usage, sys};
    use crate::error::Usage;

    #[test]
    fn each_class_has_its_codes() {
        let classes = [
            (sys::ACL_ERROR_RT_TS_ERROR, Recovery::Retry),
            (sys::ACL_ERROR_RT_MEMORY_ALLOCATION, Recovery::Retry),
            (sys::ACL_ERROR_RT_NO_STREAM_RESOURCE, Recovery::Retry),
            (sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, Recovery::Retry),
            (sys::ACL_ERROR_RT_STREAM_CAPTURED, Recovery::Retry),
            (sys::ACL_ERROR_RT_LOST_HEARTBEAT, Recovery::Reset),
            (sys::ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR, Recovery::Reset),
            (sys::ACL_ERROR_RT_LINK_ERROR, Recovery::Reset),
            (sys::ACL_ERROR_RT_L3_PORT_ERROR, Recovery::Reset),
            (sys::ACL_ERROR_RT_DRV_INTERNAL_ERROR, Recovery::Reset),
            (sys::ACL_ERROR_RT_DEVICE_TASK_ABORT, Recovery::Reset),
            (sys::ACL_ERROR_RT_INVALID_DEVICEID, Recovery::GiveUp),
            (sys::ACL_ERROR_RT_FEATURE_NOT_SUPPORT, Recovery::GiveUp),
            (sys::ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, Recovery::GiveUp),
            (sys::ACLNN_ERR_PARAM_INVALID, Recovery::GiveUp),
            (-1, Recovery::GiveUp),
        ];
        for (code, class) in classes {
            assert_eq!(of_call("aclrtX", code), class, "{code}");
        }
    }

    /// The numbers of HCCL are others.
    #[test]
    fn results_of_communicators_have_classes_of_their_own() {
        let class = |result: sys::HcclResult| of_call("HcclAllReduce", result.0);
        assert_eq!(class(sys::HCCL_E_TIMEOUT), Recovery::Retry);
        assert_eq!(class(sys::HCCL_E_REMOTE), Recovery::Reset);
        assert_eq!(class(sys::HCCL_E_PARA), Recovery::GiveUp);
    }

    #[test]
    fn the_cause_decides_about_a_failure_that_another_wait_received() {
        let failed = |code| {
            let cause = String::new();
            of_usage(&Usage::FailedMeanwhile { cause, code })
        };
        assert_eq!(failed(Some(sys::ACL_ERROR_RT_TS_ERROR)), Recovery::Retry);
        assert_eq!(
            failed(Some(sys::ACL_ERROR_RT_LOST_HEARTBEAT)),
            Recovery::Reset
        );
        assert_eq!(failed(None), Recovery::Retry);
        assert_eq!(of_usage(&Usage::InHostFunc), Recovery::GiveUp);
    }
}
