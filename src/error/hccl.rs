//! The results of HCCL, their names and hints.

use std::borrow::Cow;

use ascendcl_sys as sys;

use super::Recovery;

/// Whether a C function is one of HCCL, whose results are other numbers than the codes of AscendCL.
pub(super) fn is_hccl(call: &str) -> bool {
    call.starts_with("Hccl")
}

/// The results of HCCL with their names in C.
macro_rules! results {
    ($($name:ident),* $(,)?) => {
        /// Returns the name of a result of HCCL in C.
        pub(super) fn name(code: i32) -> Option<&'static str> {
            match sys::HcclResult(code) {
                $( sys::$name => Some(stringify!($name)), )*
                _ => None,
            }
        }
    };
}

results! {
    HCCL_E_PARA, HCCL_E_PTR, HCCL_E_MEMORY, HCCL_E_INTERNAL, HCCL_E_NOT_SUPPORT, HCCL_E_NOT_FOUND, HCCL_E_UNAVAIL,
    HCCL_E_SYSCALL, HCCL_E_TIMEOUT, HCCL_E_OPEN_FILE_FAILURE, HCCL_E_TCP_CONNECT, HCCL_E_ROCE_CONNECT,
    HCCL_E_TCP_TRANSFER, HCCL_E_ROCE_TRANSFER, HCCL_E_RUNTIME, HCCL_E_DRV, HCCL_E_PROFILING, HCCL_E_CCE, HCCL_E_NETWORK,
    HCCL_E_AGAIN, HCCL_E_REMOTE, HCCL_E_SUSPENDING, HCCL_E_OPRETRY_FAIL, HCCL_E_OOM,
}

/// The hint for a failed call of HCCL, for the results that users meet.
pub(super) fn hint(call: &str, code: i32) -> Option<Cow<'static, str>> {
    let text = match sys::HcclResult(code) {
        sys::HCCL_E_PARA if call.starts_with("HcclCommInit") => {
            "another communicator of this device has the same name in HCCL, an HCCL_* variable is out of its range, or the rank \
             is not in the rank table"
        }
        sys::HCCL_E_NOT_SUPPORT => {
            "this product or release of HCCL lacks the operation for these elements"
        }
        sys::HCCL_E_INTERNAL if call.starts_with("HcclCommInitClusterInfo") => {
            "check the path and the JSON of the rank table"
        }
        sys::HCCL_E_INTERNAL => {
            "the ranks do not agree: each has a number of its own, and all pass the same root information"
        }
        sys::HCCL_E_TIMEOUT => {
            "a rank did not come in time: every rank makes the same calls in the same order, and HCCL_CONNECT_TIMEOUT limits \
             the wait"
        }
        sys::HCCL_E_TCP_CONNECT => {
            "the root cannot be reached, or its port is taken: see HCCL_IF_IP, HCCL_SOCKET_IFNAME and HCCL_IF_BASE_PORT"
        }
        sys::HCCL_E_RUNTIME => {
            "a call of the runtime inside of HCCL failed; a device is named by its number among the visible ones"
        }
        sys::HCCL_E_AGAIN => "the communicator is inside of another call",
        sys::HCCL_E_REMOTE => {
            "another rank has failed or is gone: take the communicator back with `drain`, destroy it, and let all ranks join a \
             new one"
        }
        sys::HCCL_E_SUSPENDING => "the communicator is suspended",
        _ => return None,
    };
    Some(Cow::Borrowed(text))
}

/// What can help after a result of HCCL. All ranks join a new communicator for another attempt.
pub(super) fn recovery(code: i32) -> Recovery {
    match sys::HcclResult(code) {
        sys::HCCL_E_MEMORY
        | sys::HCCL_E_UNAVAIL
        | sys::HCCL_E_TIMEOUT
        | sys::HCCL_E_TCP_CONNECT
        | sys::HCCL_E_ROCE_CONNECT
        | sys::HCCL_E_TCP_TRANSFER
        | sys::HCCL_E_ROCE_TRANSFER
        | sys::HCCL_E_NETWORK
        | sys::HCCL_E_AGAIN
        | sys::HCCL_E_OOM => Recovery::Retry,
        sys::HCCL_E_INTERNAL
        | sys::HCCL_E_SYSCALL
        | sys::HCCL_E_RUNTIME
        | sys::HCCL_E_DRV
        | sys::HCCL_E_CCE
        | sys::HCCL_E_REMOTE
        | sys::HCCL_E_SUSPENDING
        | sys::HCCL_E_OPRETRY_FAIL => Recovery::Reset,
        _ => Recovery::GiveUp,
    }
}

#[cfg(test)]
mod tests {
    use super::{hint, is_hccl, name, sys};

    #[test]
    fn results_of_hccl_have_their_own_names_and_hints() {
        assert!(is_hccl("HcclAllReduce") && !is_hccl("aclrtMalloc"));
        assert_eq!(name(sys::HCCL_E_TIMEOUT.0), Some("HCCL_E_TIMEOUT"));
        assert_eq!(name(1042), None);
        for (call, code, word) in [
            ("HcclCommInitRootInfo", sys::HCCL_E_PARA, "same name"),
            (
                "HcclCommInitClusterInfo",
                sys::HCCL_E_INTERNAL,
                "rank table",
            ),
            ("HcclCommInitAll", sys::HCCL_E_INTERNAL, "agree"),
            ("HcclAllReduce", sys::HCCL_E_TIMEOUT, "HCCL_CONNECT_TIMEOUT"),
            ("HcclAllReduce", sys::HCCL_E_NOT_SUPPORT, "lacks"),
            ("HcclGetRootInfo", sys::HCCL_E_TCP_CONNECT, "HCCL_IF_IP"),
            ("HcclGetRootInfo", sys::HCCL_E_RUNTIME, "visible"),
            ("HcclCommDestroy", sys::HCCL_E_AGAIN, "inside"),
            ("HcclGetCommAsyncError", sys::HCCL_E_REMOTE, "drain"),
            ("HcclAllReduce", sys::HCCL_E_SUSPENDING, "suspended"),
        ] {
            let hint = hint(call, code.0);
            assert!(
                hint.as_ref().is_some_and(|hint| hint.contains(word)),
                "{call} {code:?}: {hint:?}"
            );
        }
        assert_eq!(hint("HcclAllReduce", sys::HCCL_E_MEMORY.0), None);
    }
}
