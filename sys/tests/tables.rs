//! Tables, installation, and what a call does when its function is absent.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::sync::atomic::{AtomicU32, Ordering};

use ascendcl_sys as sys;
use ascendcl_sys::functions::{memory::MemoryTable, stream::StreamTable};

static CREATED: AtomicU32 = AtomicU32::new(0);

unsafe extern "C" fn create_stream(stream: *mut sys::aclrtStream) -> sys::aclError {
    CREATED.fetch_add(1, Ordering::SeqCst);
    // SAFETY: the caller passes a valid pointer.
    unsafe { stream.write(core::ptr::dangling_mut()) };
    sys::ACL_SUCCESS
}

/// One test, because installing is for good and the order matters.
#[test]
fn a_call_goes_to_the_installed_backend_and_to_no_other() {
    let mut stream = core::ptr::null_mut();
    assert!(sys::installed().is_none());
    // SAFETY: `stream` is valid for a write.
    let code = unsafe { sys::aclrtCreateStream(&raw mut stream) };
    assert_eq!(code, sys::ACL_ERROR_API_NOT_SUPPORT);
    assert_eq!(sys::absent::take(), Some("aclrtCreateStream"));
    assert_eq!(sys::absent::take(), None);

    let mut api = sys::Api::absent("a double");
    api.stream.aclrtCreateStream = create_stream;
    let missing: Vec<_> = api.missing().collect();
    assert!(!missing.contains(&"aclrtCreateStream"));
    assert!(missing.contains(&"aclrtDestroyStream") && missing.contains(&"aclAppLog"));

    let before = StreamTable::installed().missing().count();
    assert_eq!(before, StreamTable::NAMES.len(), "nothing is installed yet");
    let copy = api.clone();
    // SAFETY: the one function that this process calls for its effect is written above.
    let installed = unsafe { api.install() }.unwrap();
    assert_eq!(*installed, sys::Origin::Rust("a double"));
    assert!(core::ptr::fn_addr_eq(
        StreamTable::installed().aclrtCreateStream,
        create_stream as unsafe extern "C" fn(*mut sys::aclrtStream) -> sys::aclError,
    ));
    // SAFETY: `stream` is valid for a write.
    let code = unsafe { sys::aclrtCreateStream(&raw mut stream) };
    assert_eq!(code, sys::ACL_SUCCESS);
    assert_eq!(
        (CREATED.load(Ordering::SeqCst), stream.is_null()),
        (1, false)
    );

    // SAFETY: as above; and it is refused.
    let refused = unsafe { copy.install() }.unwrap_err();
    assert_eq!(refused.refused, sys::Origin::Rust("a double"));
    assert!(refused.to_string().contains("already uses a double"));

    // Pointers, numbers and nothing have their own "absent".
    // SAFETY: the functions are absent, so nothing is read.
    let text = unsafe { sys::aclGetRecentErrMsg() };
    assert!(text.is_null());
    assert_eq!(sys::absent::take(), Some("aclGetRecentErrMsg"));
    // SAFETY: as above.
    assert_eq!(unsafe { sys::aclDataTypeSize(sys::ACL_FLOAT) }, 0);
    // SAFETY: the strings are NUL-terminated.
    unsafe {
        sys::aclAppLog(
            sys::ACL_INFO,
            c"f".as_ptr(),
            c"f".as_ptr(),
            1,
            c"text".as_ptr(),
        )
    };
    assert_eq!(sys::absent::take(), Some("aclAppLog"));
}

#[test]
fn a_table_resolves_what_is_there() {
    // SAFETY: the one address that is given belongs to a function of that name's signature.
    let table = unsafe {
        StreamTable::resolve(|name| {
            (name == c"aclrtCreateStream")
                .then(|| core::ptr::NonNull::new(create_stream as *mut core::ffi::c_void))
                .flatten()
        })
    };
    assert!(core::ptr::fn_addr_eq(
        table.aclrtCreateStream,
        create_stream as unsafe extern "C" fn(*mut sys::aclrtStream) -> sys::aclError,
    ));
    let missing: Vec<_> = table.missing().collect();
    assert_eq!(missing.len(), StreamTable::NAMES.len() - 1);
    assert!(!missing.contains(&"aclrtCreateStream"));
    assert_eq!(
        format!("{table:?}"),
        format!(
            "StreamTable(1 of {} functions of area stream)",
            StreamTable::NAMES.len()
        )
    );
    assert_eq!(
        MemoryTable::ABSENT.missing().count(),
        MemoryTable::NAMES.len()
    );
}

#[test]
fn status_codes_have_names() {
    for (code, name) in [
        (0, "ACL_SUCCESS"),
        (100000, "ACL_ERROR_INVALID_PARAM"),
        (107002, "ACL_ERROR_RT_CONTEXT_NULL"),
        (207001, "ACL_ERROR_RT_MEMORY_ALLOCATION"),
        (507046, "ACL_ERROR_RT_STREAM_SYNC_TIMEOUT"),
        (145022, "ACL_ERROR_GE_DATATYPE_INVALID"),
        (161002, "ACLNN_ERR_PARAM_INVALID"),
    ] {
        assert_eq!(sys::status::name(code), Some(name));
    }
    assert_eq!(sys::status::name(-1), None);
    assert_eq!(sys::status::name(123456), None);
}

#[test]
fn enumerations_print_their_c_names_and_keep_unknown_values() {
    assert_eq!(
        format!("{:?}", sys::ACL_MEMCPY_DEVICE_TO_HOST),
        "ACL_MEMCPY_DEVICE_TO_HOST"
    );
    assert_eq!(
        format!("{:?}", sys::aclrtMemcpyKind(99)),
        "aclrtMemcpyKind(99)"
    );
    assert_eq!(sys::ACL_DT_UNDEFINED.0, -1);
    assert_eq!((sys::ACL_DEVICE.0, sys::ACL_HOST.0), (0, 1));
    // The traps of the manual: one status counts from complete, the other from not ready.
    assert_eq!(sys::ACL_EVENT_STATUS_COMPLETE.0, 0);
    assert_eq!(sys::ACL_EVENT_RECORDED_STATUS_COMPLETE.0, 1);
}

#[test]
fn structures_have_the_layout_of_the_headers() {
    assert_eq!(size_of::<sys::aclrtMemLocation>(), 8);
    assert_eq!(
        (
            size_of::<sys::aclrtPtrAttributes>(),
            align_of::<sys::aclrtPtrAttributes>()
        ),
        (28, 4)
    );
    assert_eq!(
        (
            size_of::<sys::aclrtPhysicalMemProp>(),
            align_of::<sys::aclrtPhysicalMemProp>()
        ),
        (32, 8)
    );
    assert_eq!(
        core::mem::offset_of!(sys::aclrtPhysicalMemProp, location),
        12
    );
    assert_eq!(
        (
            size_of::<sys::aclrtMallocAttrValue>(),
            size_of::<sys::aclrtMallocAttribute>(),
            size_of::<sys::aclrtMallocConfig>()
        ),
        (8, 12, 16)
    );
}
