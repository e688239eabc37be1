//! Functions that have another signature in an older CANN.

#![cfg(feature = "loaded")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::Command;

use ascendcl_sys::Api;

/// The functions whose signature changed with release 1.17.
const CHANGED: [&str; 2] = ["aclrtGetMemUsageInfo", "aclmdlRIDebugJsonPrint"];

/// Which of these functions are missing in a library with this function for its release.
fn missing(name: &str, version: &str) -> Vec<&'static str> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("changed");
    fs::create_dir_all(&folder).unwrap();
    let [source, library] = ["c", "so"].map(|end| folder.join(name).with_extension(end));
    let functions = ["aclInit", "aclFinalize", "aclrtSetDevice", "aclrtMalloc"]
        .iter()
        .chain(&CHANGED)
        .map(|name| format!("int {name}(void) {{ return 0; }}\n"));
    fs::write(&source, functions.collect::<String>() + version).unwrap();
    let compiler = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .args([&library, &source])
        .status();
    assert!(compiler.unwrap().success(), "no C compiler");
    // SAFETY: the library has no initialisers, and only its `aclrtGetVersion` is called.
    let api = unsafe { Api::load(&library) }.unwrap();
    let missing: Vec<_> = api.missing().collect();
    assert!(!missing.contains(&"aclrtMalloc") && missing.contains(&"aclrtFree"));
    missing
        .into_iter()
        .filter(|name| CHANGED.contains(name))
        .collect()
}

/// A function that reports a release.
fn reports(major: i32, minor: i32, code: i32) -> String {
    format!(
        "int aclrtGetVersion(int *major, int *minor, int *patch) {{\n\
         *major = {major}; *minor = {minor}; *patch = 0; return {code}; }}\n"
    )
}

#[test]
fn a_function_of_another_signature_is_absent() {
    assert_eq!(missing("older", &reports(1, 15, 0)).len(), CHANGED.len());
    assert_eq!(missing("before", &reports(1, 9, 0)).len(), CHANGED.len());
}

#[test]
fn a_function_is_absent_where_the_release_is_unknown() {
    assert_eq!(missing("silent", "").len(), CHANGED.len());
    assert_eq!(missing("failing", &reports(1, 17, 1)).len(), CHANGED.len());
}

#[test]
fn a_function_of_the_same_signature_is_there() {
    assert_eq!(missing("same", &reports(1, 17, 0)), [""; 0]);
    assert_eq!(missing("newer", &reports(2, 0, 0)), [""; 0]);
}

#[test]
fn a_library_with_the_successor_alone_has_the_newer_signatures() {
    let successor = "int aclsysGetVersionNum(char *name, int *number) { return 1; }\n";
    assert_eq!(missing("successor", successor), [""; 0]);
    let both = successor.to_owned() + &reports(1, 15, 0);
    assert_eq!(missing("both", &both).len(), CHANGED.len());
}
