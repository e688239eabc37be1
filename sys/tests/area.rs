//! Areas whose libraries load on first use, where those are missing or damaged.

#![cfg(feature = "loaded")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::Command;
use std::{fs, ptr};

use ascendcl_sys as sys;

/// What a library needs to be taken for AscendCL.
const MAIN: &str = "int aclInit, aclFinalize, aclrtSetDevice, aclrtMalloc;\n";

/// One test, because a process has one backend.
#[test]
fn the_loader_says_why_a_function_is_absent() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("area");
    fs::create_dir_all(&folder).unwrap();
    let folder = folder.canonicalize().unwrap();
    let (source, library) = (folder.join("main.c"), folder.join("libascendcl.so"));
    fs::write(&source, MAIN).unwrap();
    let compiler = Command::new("cc")
        .args(["-shared", "-o"])
        .arg(&library)
        .arg(&source)
        .status();
    assert!(compiler.unwrap().success(), "no C compiler");
    // One that is there and does not load; the loader finds no other.
    let damaged = folder.join("libopapi.so");
    fs::write(&damaged, "no library").unwrap();

    // SAFETY: compiled from the source above, and none of its functions is called.
    let api = unsafe { sys::Api::load(&library) }.unwrap();
    // SAFETY: as above.
    unsafe { api.install() }.unwrap();
    assert_eq!(
        sys::absent::unloaded("aclCreateTensor"),
        [""; 0],
        "nobody has asked yet"
    );

    // SAFETY: the function is absent, so nothing is read.
    let tensor = unsafe {
        sys::aclCreateTensor(
            ptr::null(),
            0,
            sys::ACL_FLOAT,
            ptr::null(),
            0,
            sys::ACL_FORMAT_ND,
            ptr::null(),
            0,
            ptr::null_mut(),
        )
    };
    assert!(tensor.is_null());
    assert_eq!(sys::absent::take(), Some("aclCreateTensor"));
    let unloaded = sys::absent::unloaded("aclCreateTensor");
    let missing =
        |name: &str| format!("{name}: cannot open shared object file: No such file or directory");
    let expected = [
        "libnnopbase.so",
        "libopapi.so",
        "libopapi_math.so",
        "libopapi_nn.so",
        "libopapi_transformer.so",
        "libopapi_cv.so",
    ]
    .map(missing);
    assert_eq!(unloaded.len(), expected.len());
    let damaged = format!("{}: file too short", damaged.display());
    for (said, expected) in unloaded.iter().zip(&expected) {
        assert_eq!(
            said,
            if expected.starts_with("libopapi.so") {
                &damaged
            } else {
                expected
            }
        );
    }
    assert_eq!(sys::absent::unloaded("aclnnAdd"), unloaded);

    // Each area has libraries of its own, and the rest none.
    assert_eq!(
        sys::absent::unloaded("acldvppMalloc"),
        [""; 0],
        "nobody has asked yet"
    );
    let mut memory = ptr::null_mut();
    // SAFETY: the function is absent, so nothing is written.
    let code = unsafe { sys::acldvppMalloc(&raw mut memory, 64) };
    assert_eq!(code, sys::ACL_ERROR_API_NOT_SUPPORT);
    let expected = ["libacl_dvpp.so", "libacl_dvpp_mpi.so"].map(missing);
    assert_eq!(sys::absent::unloaded("acldvppMalloc"), expected);
    assert_eq!(sys::absent::unloaded("aclrtFree"), [""; 0]);

    let mut info = sys::HcclRootInfo {
        internal: [0; sys::HCCL_ROOT_INFO_BYTES],
    };
    // SAFETY: the function is absent, so nothing is written.
    let code = unsafe { sys::HcclGetRootInfo(&raw mut info) };
    assert_eq!(code, sys::HCCL_E_NOT_SUPPORT);
    assert_eq!(sys::absent::take(), Some("HcclGetRootInfo"));
    assert_eq!(
        sys::absent::unloaded("HcclGetRootInfo"),
        [missing("libhccl.so")]
    );

    // A library that is there, and lacks most functions.
    let (source, library) = (folder.join("profiler.c"), folder.join("libmsprofiler.so"));
    fs::write(&source, "int aclprofFinalize(void) { return 100043; }\n").unwrap();
    let compiler = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg(&source)
        .status();
    assert!(compiler.unwrap().success(), "no C compiler");
    // SAFETY: the function of the source above, which takes nothing.
    let code = unsafe { sys::aclprofFinalize() };
    assert_eq!(code, sys::ACL_ERROR_PROF_NOT_RUN);
    assert_eq!(sys::absent::unloaded("aclprofFinalize"), [""; 0]);
    // SAFETY: the function is absent, so nothing is read.
    let code = unsafe { sys::aclprofInit(ptr::null(), 0) };
    assert_eq!(code, sys::ACL_ERROR_API_NOT_SUPPORT);
    assert_eq!(sys::absent::take(), Some("aclprofInit"));
}
