//! Hints: the usual remedies for status codes.

use std::borrow::Cow;
use std::fmt;

use ascendcl_sys as sys;

/// The hint for the failed call `call` with the text `text`.
pub(super) fn of(
    call: &'static str,
    code: sys::aclError,
    text: Option<&str>,
) -> Option<Cow<'static, str>> {
    // A thread without a device has no text, so the embedded emulator is asked for it.
    #[cfg(feature = "emulator")]
    let unread = match text {
        Some(_) => None,
        None => ascendcl_emulator::unread_text(),
    };
    #[cfg(not(feature = "emulator"))]
    let unread: Option<String> = None;
    let text = text.or(unread.as_deref()).unwrap_or_default();
    let of_code = of_code(call, code);
    if !text.starts_with(call) {
        return of_code;
    }
    if text.contains("ASCENDCL_EMULATOR_DEVICES is 0") {
        let text =
            "the emulator has no device: set ASCENDCL_EMULATOR_DEVICES to a number from 1 to 64";
        return Some(Cow::Borrowed(text));
    }
    if text.contains("because of an injected fault") {
        let injected = "a setting of the emulator injects this fault (ASCENDCL_EMULATOR_FAULTS)";
        return Some(of_code.map_or(Cow::Borrowed(injected), |real| {
            Cow::Owned(format!("{injected}; for a real fault: {real}"))
        }));
    }
    of_code
}

/// The hint for a failed call, for the codes that users meet.
fn of_code(call: &'static str, code: sys::aclError) -> Option<Cow<'static, str>> {
    if super::hccl::is_hccl(call) {
        return super::hccl::hint(call, code);
    }
    let text = match code {
        sys::ACL_ERROR_RT_INVALID_DEVICEID => return Some(devices()),
        sys::ACL_ERROR_INVALID_PARAM if call == "aclInit" => {
            "the configuration file has a value that does not fit, or differs from the one of an earlier \
             initialisation of this process"
        }
        sys::ACL_ERROR_INVALID_PARAM => "an argument is null or zero where the call forbids it",
        sys::ACL_ERROR_REPEAT_INITIALIZE => {
            "another component of this process has initialised AscendCL already: share it with \
             `Acl::attach`"
        }
        sys::ACL_ERROR_REPEAT_FINALIZE => {
            "other code of this process has finalised AscendCL already"
        }
        _ if call.starts_with("aclrtHostRegister") => return registration(code),
        sys::ACL_ERROR_RT_DRV_INTERNAL_ERROR
            if call.ends_with("ImportByKey") || call == "aclrtMemImportFromShareableHandle" =>
        {
            "no process has this key any more, it is not for this process, or this process has what it names already: keep what \
             was exported until its imports have ended, and list there what `Current::bare_tgid` returns here; an import that was \
             dropped while it was queued ends when its stream is synchronised"
        }
        sys::ACL_ERROR_RT_DRV_INTERNAL_ERROR if call == "aclrtIpcMemGetExportKey" => {
            "the memory is no whole number of its pages: allocate a multiple of 2 MiB with `MallocPolicy::HugeOnly`"
        }
        sys::ACL_ERROR_RT_INVALID_MEMORY_TYPE => "this kind of memory does not exist on the device",
        sys::ACL_ERROR_INVALID_FILE => "check that the configuration file exists and is readable",
        sys::ACL_ERROR_PARSE_FILE => "the configuration file is not valid JSON",
        sys::ACL_ERROR_RT_CONTEXT_NULL => {
            "this thread has no current context: bind it with `Thread::set_current`; if it was bound, \
             other code has reset the device"
        }
        sys::ACL_ERROR_RT_STREAM_CONTEXT => {
            "the stream belongs to another context than the thread's current one: other code has \
             switched it"
        }
        sys::ACL_ERROR_RT_PARAM_INVALID => {
            "an argument is out of range, or the memory was not allocated by this allocator or is freed"
        }
        sys::ACL_ERROR_RT_INVALID_HANDLE => "the handle was destroyed by other code",
        sys::ACL_ERROR_RT_MEMORY_ALLOCATION | sys::ACL_ERROR_RT_DEVICE_OOM => {
            return Some(memory_is_exhausted(call, crate::park::parked_bytes()));
        }
        sys::ACL_ERROR_RT_NO_STREAM_RESOURCE | sys::ACL_ERROR_RT_RESOURCE_ALLOC_FAIL
            if call.starts_with("aclmdlRI") =>
        {
            "a graph takes a stream of the device, each second stream one more, and a long graph further ones: destroy graphs or streams, \
             or record less"
        }
        sys::ACL_ERROR_RT_STREAM_UNJOINED => {
            "a second stream of the capture did not come back, because a call at the end of its fork has failed: capture again"
        }
        sys::ACL_ERROR_RT_STREAM_CAPTURED => {
            "a stream is being captured, here or by another library: recorded work cannot be waited for, and the whole device only \
             behind the end of the capture"
        }
        sys::ACL_ERROR_RT_NO_STREAM_RESOURCE => {
            "all streams of the device are in use (1984, 512, 1024 or 2048 by product): destroy some \
             or share them"
        }
        sys::ACL_ERROR_RT_NO_EVENT_RESOURCE => "all events of the device are in use: destroy some",
        sys::ACL_ERROR_RT_FEATURE_NOT_SUPPORT | sys::ACL_ERROR_API_NOT_SUPPORT => {
            "this product or CANN release does not support the call"
        }
        sys::ACL_ERROR_RT_CONTEXT_RELEASE_ERROR => {
            "the device was reset more often than it was set: other code has reset it"
        }
        sys::ACL_ERROR_RT_TS_ERROR => {
            "a task that was queued earlier failed, often because its memory was freed or is not \
             reachable from the device"
        }
        sys::ACL_ERROR_RT_AICPU_EXCEPTION => {
            "a task on an AI CPU or of the media engine failed: an operator, or a decoder of a damaged file. No picture of \
             the stream is proven then: decode each file on a stream of its own, and try once more"
        }
        sys::ACL_ERROR_UNSUPPORTED_JPEG => {
            "the hardware decodes baseline JPEGs with Huffman codes only, and no progressive ones, no arithmetic codes and no \
             CMYK: decode the file with a library of the host"
        }
        sys::ACL_ERROR_FAILURE if call.contains("DecodeAsync") => {
            "the file is damaged or incomplete"
        }
        sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT | sys::ACL_ERROR_RT_EVENT_SYNC_TIMEOUT => {
            "the time was up; the work goes on and can be waited for again, or dropped by `Stream::abort` (`drain` waits for it \
             without a limit)"
        }
        sys::ACL_ERROR_RT_STREAM_ABORT => {
            "`aclrtStreamAbort` dropped the queued work of the stream while this wait ran: queue it again"
        }
        sys::ACL_ERROR_RT_FFTS_PLUS_TIMEOUT => {
            "another rank took no part in time, or made another call: every rank makes the same operations with the same \
             lengths, types and roots in the same order; HCCL_EXEC_TIMEOUT limits the wait"
        }
        sys::ACL_ERROR_RT_DRV_INTERNAL_ERROR if call == "aclrtIpcOpenEventHandle" => {
            "no process has the event any more, or this process has created it: ask the other process for a new key"
        }
        sys::ACL_ERROR_RT_DRV_INTERNAL_ERROR => {
            "the driver failed: see `npu-smi info` and the system log"
        }
        sys::ACL_ERROR_INTERNAL_ERROR if call == "aclInit" => {
            "no usable device or driver: see `npu-smi info`"
        }
        sys::ACLNN_ERR_PARAM_NULLPTR | sys::ACLNN_ERR_PARAM_INVALID => {
            "shapes, data types or formats do not suit the operator"
        }
        sys::ACLNN_ERR_INNER if call == "aclSetAclOpExecutorRepeatable" => {
            "CANN runs this operator once for each plan: make a plan for each run, without `repeatable`"
        }
        sys::ACLNN_ERR_INNER_OPP_KERNEL_PKG_NOT_FOUND => {
            "the operator kernels are not installed: install CANN's kernels package for this chip"
        }
        _ => return None,
    };
    Some(Cow::Borrowed(text))
}

/// The hint for host memory that is not registered. What the driver refuses has other codes on other releases.
fn registration(code: sys::aclError) -> Option<Cow<'static, str>> {
    Some(Cow::Borrowed(match code {
        sys::ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED => {
            "a part of the memory is registered already: a scope registers memory once and until its end, so keep the lease; \
             `Idle::get_mut` and `Lease::as_mut_slice` give the memory between two uses"
        }
        sys::ACL_ERROR_RT_FEATURE_NOT_SUPPORT => {
            "this product or its driver registers no host memory: copy it to a buffer of `malloc_host`"
        }
        _ => {
            "the driver registers memory that the program can write, and on many releases no mapped file: copy it to memory of \
             `Pages`"
        }
    }))
}

/// The hint for exhausted memory. It names the parked bytes: memory that was dropped while it was queued, and is freed
/// by a wait that succeeds. Only some calls have a policy for pages.
fn memory_is_exhausted(call: &str, parked: usize) -> Cow<'static, str> {
    if call.starts_with("aclrtMemPool") {
        return Cow::Borrowed(
            "the pool is full: create it larger, drop memory of it earlier, or wait for the other streams that have freed some",
        );
    }
    let has_policy = ["aclrtMalloc", "aclrtMallocCached"].contains(&call);
    let remedy = if has_policy {
        "free buffers, work in smaller pieces, or look at `mem_info`; 1 GiB pages exist on some products only"
    } else {
        "free buffers, work in smaller pieces, or look at `mem_info`"
    };
    if parked == 0 {
        return Cow::Owned(format!("memory is exhausted: {remedy}"));
    }
    Cow::Owned(format!(
        "memory is exhausted, and {parked} bytes of it are parked: buffers or workspaces were dropped while they were \
         queued. `synchronize` of the stream that used them frees them, `synchronize_device` all of the device. \
         Else {remedy}"
    ))
}

/// The hint for a device id that does not exist.
pub(super) fn no_device(id: impl fmt::Display) -> Cow<'static, str> {
    Cow::Owned(format!("there is no device {id}; {}", devices()))
}

/// A list of the devices that exist.
fn devices() -> Cow<'static, str> {
    let mut count = 0;
    // SAFETY: `count` is valid for a write of a u32.
    let code = unsafe { sys::aclrtGetDeviceCount(&raw mut count) };
    if code != 0 {
        drop(crate::raw::recent_error_text());
        return Cow::Borrowed("device ids count from 0");
    }
    match count {
        0 => Cow::Borrowed("there is no device at all"),
        1 => Cow::Borrowed("there is one device: 0"),
        count => Cow::Owned(format!("there are {count} devices: 0 to {}", count - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::{of_code, sys};

    #[test]
    fn each_code_that_users_meet_has_its_hint() {
        for (call, code, word) in [
            ("aclrtMalloc", sys::ACL_ERROR_INVALID_PARAM, "null or zero"),
            (
                "aclInit",
                sys::ACL_ERROR_INVALID_PARAM,
                "earlier initialisation",
            ),
            ("aclInit", sys::ACL_ERROR_REPEAT_INITIALIZE, "Acl::attach"),
            (
                "aclrtSynchronizeStream",
                sys::ACL_ERROR_RT_AICPU_EXCEPTION,
                "decode each file on a stream of its own",
            ),
            (
                "acldvppJpegDecodeAsync",
                sys::ACL_ERROR_UNSUPPORTED_JPEG,
                "no progressive ones",
            ),
            (
                "acldvppJpegDecodeAsync",
                sys::ACL_ERROR_FAILURE,
                "damaged or incomplete",
            ),
            (
                "aclInit",
                sys::ACL_ERROR_INVALID_FILE,
                "exists and is readable",
            ),
            ("aclInit", sys::ACL_ERROR_PARSE_FILE, "valid JSON"),
            ("aclInit", sys::ACL_ERROR_INTERNAL_ERROR, "npu-smi"),
            ("aclFinalize", sys::ACL_ERROR_REPEAT_FINALIZE, "other code"),
            (
                "aclrtMalloc",
                sys::ACL_ERROR_RT_CONTEXT_NULL,
                "Thread::set_current",
            ),
            (
                "aclrtDestroyStream",
                sys::ACL_ERROR_RT_STREAM_CONTEXT,
                "another context",
            ),
            ("aclrtFree", sys::ACL_ERROR_RT_PARAM_INVALID, "freed"),
            (
                "aclrtGetMemInfo",
                sys::ACL_ERROR_RT_INVALID_MEMORY_TYPE,
                "kind of memory",
            ),
            (
                "aclrtSynchronizeStream",
                sys::ACL_ERROR_RT_INVALID_HANDLE,
                "destroyed",
            ),
            (
                "aclrtMalloc",
                sys::ACL_ERROR_RT_MEMORY_ALLOCATION,
                "mem_info",
            ),
            ("aclrtMalloc", sys::ACL_ERROR_RT_DEVICE_OOM, "mem_info"),
            (
                "aclrtCreateStream",
                sys::ACL_ERROR_RT_NO_STREAM_RESOURCE,
                "destroy some",
            ),
            (
                "aclmdlRICaptureBegin",
                sys::ACL_ERROR_RT_NO_STREAM_RESOURCE,
                "destroy graphs",
            ),
            (
                "aclmdlRICaptureEnd",
                sys::ACL_ERROR_RT_RESOURCE_ALLOC_FAIL,
                "destroy graphs",
            ),
            (
                "aclmdlRICaptureEnd",
                sys::ACL_ERROR_RT_STREAM_UNJOINED,
                "capture again",
            ),
            (
                "aclrtSynchronizeDevice",
                sys::ACL_ERROR_RT_STREAM_CAPTURED,
                "behind the end of the capture",
            ),
            (
                "aclrtRecordEvent",
                sys::ACL_ERROR_RT_NO_EVENT_RESOURCE,
                "events",
            ),
            (
                "aclrtMemcpyAsync",
                sys::ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "does not support",
            ),
            (
                "aclnnAdd",
                sys::ACL_ERROR_API_NOT_SUPPORT,
                "does not support",
            ),
            (
                "aclrtResetDevice",
                sys::ACL_ERROR_RT_CONTEXT_RELEASE_ERROR,
                "more often",
            ),
            (
                "aclrtSynchronizeStream",
                sys::ACL_ERROR_RT_TS_ERROR,
                "queued earlier",
            ),
            (
                "aclrtSynchronizeStream",
                sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
                "waited for again",
            ),
            (
                "aclrtSynchronizeEvent",
                sys::ACL_ERROR_RT_EVENT_SYNC_TIMEOUT,
                "waited for again",
            ),
            (
                "aclrtSynchronizeStream",
                sys::ACL_ERROR_RT_FFTS_PLUS_TIMEOUT,
                "another rank",
            ),
            (
                "aclrtSetDevice",
                sys::ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                "npu-smi",
            ),
            (
                "aclrtIpcOpenEventHandle",
                sys::ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                "a new key",
            ),
            (
                "aclnnAddGetWorkspaceSize",
                sys::ACLNN_ERR_PARAM_NULLPTR,
                "shapes",
            ),
            (
                "aclnnAddGetWorkspaceSize",
                sys::ACLNN_ERR_PARAM_INVALID,
                "shapes",
            ),
            (
                "aclnnAdd",
                sys::ACLNN_ERR_INNER_OPP_KERNEL_PKG_NOT_FOUND,
                "kernels package",
            ),
            (
                "aclSetAclOpExecutorRepeatable",
                sys::ACLNN_ERR_INNER,
                "for each run",
            ),
        ] {
            let hint = of_code(call, code);
            assert!(
                hint.as_ref().is_some_and(|hint| hint.contains(word)),
                "{call} {code}: {hint:?}"
            );
        }
    }

    #[test]
    fn a_device_id_is_explained_even_without_a_backend() {
        let hint = of_code("aclrtSetDevice", sys::ACL_ERROR_RT_INVALID_DEVICEID);
        assert!(hint.is_some_and(|hint| hint.contains("0")));
    }

    #[test]
    fn a_code_that_nobody_can_help_with_has_none() {
        assert_eq!(of_code("aclrtMalloc", sys::ACL_ERROR_INTERNAL_ERROR), None);
        assert_eq!(of_code("aclrtMalloc", -7), None);
    }

    #[test]
    fn only_a_call_with_a_policy_speaks_of_pages() {
        for (call, pages) in [
            ("aclrtMalloc", true),
            ("aclrtMallocCached", true),
            ("aclrtMallocHost", false),
            ("acldvppMalloc", false),
            ("hi_mpi_dvpp_malloc", false),
        ] {
            let hint = of_code(call, sys::ACL_ERROR_RT_MEMORY_ALLOCATION).unwrap_or_default();
            assert_eq!(hint.contains("1 GiB pages"), pages, "{call}: {hint}");
            assert!(hint.contains("mem_info"), "{call}: {hint}");
        }
    }
}
