//! Operators by name, in a CANN that is loaded.

#![cfg(feature = "loaded")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ffi::c_void;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, ptr};

use ascendcl_sys as sys;

/// The variable that says which folder holds the libraries, in the process that looks for operators.
const FOLDER: &str = "OPERATOR_TEST_FOLDER";

/// Compiles a library whose operators answer with a number each.
fn library(file: &Path, source: &str) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let text = file.with_extension("c");
    fs::write(&text, source).unwrap();
    let compiler = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .arg(file)
        .arg(&text)
        .status();
    assert!(compiler.unwrap().success(), "no C compiler");
}

/// Both functions of an operator in C.
fn operator(name: &str, answer: i32) -> String {
    format!(
        "int {name}GetWorkspaceSize(int one, unsigned long *size, void **executor) {{ return one + {answer}; }}\n\
         int {name}(void *workspace, unsigned long size, void *executor, void *stream) {{ return {answer}; }}\n"
    )
}

#[test]
fn operators_are_found_in_custom_libraries_before_those_of_cann() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("operator");
    let main = "int aclInit, aclFinalize, aclrtSetDevice, aclrtMalloc;\n";
    library(&folder.join("cann/libascendcl.so"), main);
    let half = "int aclnnHalf(void) { return 0; }\n".to_owned();
    let of_cann = ["aclnnBuiltIn", "aclnnVendors", "aclnnMine"].map(|name| operator(name, 1));
    library(
        &folder.join("cann/libopapi.so"),
        &(of_cann.concat() + &half),
    );
    library(
        &folder.join("cann/libopapi_transformer.so"),
        &operator("aclnnNewer", 2),
    );
    let vendors = [operator("aclnnVendors", 3), operator("aclnnMine", 3)];
    library(
        &folder.join("opp/vendors/theirs/op_api/lib/libcust_opapi.so"),
        &vendors.concat(),
    );
    let config = folder.join("opp/vendors/config.ini");
    fs::write(config, "load_priority=absent,theirs\n").unwrap();
    library(
        &folder.join("mine/op_api/lib/libcust_opapi.so"),
        &operator("aclnnMine", 4),
    );

    // The environment of a process is settled before it has threads.
    let found = Command::new(env::current_exe().unwrap())
        .args(["--exact", "looks_in_the_folder_that_it_was_given"])
        .args(["--ignored", "--nocapture"])
        .env(FOLDER, &folder)
        .env("ASCEND_CUSTOM_OPP_PATH", folder.join("mine"))
        .env("ASCEND_OPP_PATH", folder.join("opp"))
        .status();
    assert!(found.unwrap().success());
}

#[test]
#[ignore = "the test above runs it in an environment of its own"]
fn looks_in_the_folder_that_it_was_given() {
    let folder = PathBuf::from(env::var_os(FOLDER).unwrap());
    assert!(
        sys::operator(c"aclnnBuiltIn").is_none(),
        "nothing is installed"
    );
    // SAFETY: compiled from the sources above, with these signatures.
    let api = unsafe { sys::Api::load(folder.join("cann/libascendcl.so")) }.unwrap();
    // SAFETY: as above.
    unsafe { api.install() }.unwrap();

    for (name, answer) in [
        (c"aclnnBuiltIn", 1),
        (c"aclnnNewer", 2),
        (c"aclnnVendors", 3),
        (c"aclnnMine", 4),
    ] {
        let found = sys::operator(name).unwrap();
        // SAFETY: the first phases above have this signature.
        let prepare = unsafe {
            core::mem::transmute::<
                *mut c_void,
                unsafe extern "C" fn(i32, *mut u64, *mut *mut c_void) -> i32,
            >(found.prepare.as_ptr())
        };
        // SAFETY: the functions above look at no pointer.
        let first = unsafe { prepare(10, ptr::null_mut(), ptr::null_mut()) };
        // SAFETY: as above.
        let second =
            unsafe { (found.launch)(ptr::null_mut(), 0, ptr::null_mut(), ptr::null_mut()) };
        assert_eq!((first, second), (10 + answer, answer), "{name:?}");
    }
    assert!(
        sys::operator(c"aclnnHalf").is_none(),
        "it has no first phase"
    );
    assert!(sys::operator(c"aclnnNowhere").is_none());
}
