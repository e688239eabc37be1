//! Versions of installed packages, from the files of an installation. Each test runs a process of its own, because a
//! variable names the folder.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stderr, reason = "the parent looks at what a child says")]

#[macro_use]
mod common;

use std::ffi::{CStr, CString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr;

use ascendcl_sys::ACL_PKG_VERSION_MAX_SIZE;
use common::*;

/// The variable with the package that a child asks for.
const PACKAGE: &str = "ASCENDCL_TEST_PACKAGE";

/// Runs the child process; does nothing without the variable.
#[test]
fn the_child() {
    let Ok(package) = std::env::var(PACKAGE) else {
        return;
    };
    let (package, mut number) = (CString::new(package).unwrap(), -1);
    let name = package.as_ptr().cast_mut();
    let code = call!(runtime.aclsysGetVersionNum(name, &mut number));
    let told = text();
    let mut version = [1; ACL_PKG_VERSION_MAX_SIZE];
    let code_of_text = call!(runtime.aclsysGetVersionStr(name, version.as_mut_ptr()));
    if code_of_text == 0 {
        let bytes: Vec<u8> = version.iter().map(|byte| byte.cast_unsigned()).collect();
        let version = CStr::from_bytes_until_nul(&bytes).unwrap();
        eprintln!("version {}", version.to_str().unwrap());
    } else {
        eprintln!("no version {code_of_text} {}", text());
    }
    eprintln!("answer {code} {number} {told}");
}

/// Returns the output of a process that asks for a package.
fn said(package: &str, home: Option<&Path>) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "the_child", "--nocapture"]);
    command.env(PACKAGE, package).env_remove("ASCEND_HOME_PATH");
    if let Some(home) = home {
        command.env("ASCEND_HOME_PATH", home);
    }
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}", output.status);
    said.into_owned()
}

/// Returns the answers of a process about a package: code, number and text.
fn ask(package: &str, home: Option<&Path>) -> (i32, i32, String) {
    let said = said(package, home);
    let answer = said.lines().find_map(|line| line.strip_prefix("answer "));
    let mut words = answer.unwrap().splitn(3, ' ');
    let mut next = || words.next().unwrap();
    let code = next().parse().unwrap();
    (code, next().parse().unwrap(), next().to_owned())
}

/// Makes a new folder for an installation.
fn home(name: &str) -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&home);
    fs::create_dir_all(home.join("share/info")).unwrap();
    home
}

fn install(home: &Path, package: &str, content: &str) {
    let folder = home.join("share/info").join(package);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("version.info"), content).unwrap();
}

#[test]
fn versions_are_read_from_the_installation() {
    let home = home("installed");
    install(
        &home,
        "runtime",
        "Name=x\nVersion=8.5.0.beta.1\nrequired_Version=1.0.0\n",
    );
    install(&home, "ge-compiler", "Version= 9.0.1 \r\n");
    install(&home, "a_b_c", "Version=1.2.3-RC4");
    for (package, number) in [
        ("runtime", 80_500_000 - 200 + 1),
        ("ge-compiler", 90_001_000),
        ("ge_compiler", 90_001_000),
        ("a_b_c", 10_203_000 - 100 + 4),
        ("a-b_c", 10_203_000 - 100 + 4),
    ] {
        let (code, found, text) = ask(package, Some(&home));
        assert_eq!((code, found), (0, number), "{package}: {text}");
    }
}

#[test]
fn what_cannot_be_found_says_where_it_was_looked_for() {
    let home = home("lacking");
    install(&home, "nothing", "");
    install(&home, "empty", "Version=\n");
    let unset = "ASCEND_HOME_PATH is not set";
    for (package, home, words) in [
        ("runtime", None, unset),
        ("runtime", Some(Path::new("")), unset),
        (
            "runtime",
            Some(&*home),
            "lacking/share/info/runtime/version.info",
        ),
        (
            "ge-compiler",
            Some(&*home),
            "share/info/ge-compiler/version.info",
        ),
        ("nothing", Some(&*home), "Version="),
        ("empty", Some(&*home), "Version="),
    ] {
        let (code, number, text) = ask(package, home);
        assert_eq!((code, number), (100003, -1), "{package}: {text}");
        assert!(text.contains(words), "{package}: {text}");
    }
}

#[test]
fn a_pipe_and_a_file_without_an_end_have_no_version() {
    let home = home("endless");
    for (package, tool) in [("pipe", "mkfifo"), ("zeros", "ln")] {
        install(&home, package, "");
        let file = home.join("share/info").join(package).join("version.info");
        fs::remove_file(&file).unwrap();
        let mut command = Command::new(tool);
        if tool == "ln" {
            command.args(["-s", "/dev/zero"]);
        }
        assert!(command.arg(&file).status().unwrap().success());
        let (code, number, text) = ask(package, Some(&home));
        assert_eq!((code, number), (100003, -1), "{package}: {text}");
    }
}

#[test]
fn what_is_no_version_is_named() {
    let home = home("malformed");
    install(&home, "words", "Version=latest\n");
    install(&home, "large", "Version=999.0.0\n");
    install(&home, "suffix", "Version=8.5.0.T9\n");
    for (package, version) in [
        ("words", "Version=latest"),
        ("large", "Version=999.0.0"),
        ("suffix", "Version=8.5.0.T9"),
    ] {
        let (code, number, text) = ask(package, Some(&home));
        assert_eq!((code, number), (500000, -1), "{package}: {text}");
        assert!(text.contains(version), "{package}: {text}");
    }
}

#[test]
fn a_name_is_no_path() {
    let home = home("named");
    install(&home, "runtime", "Version=8.5.0\n");
    for package in ["", ".", "..", "runtime/", "../info/runtime", "/runtime"] {
        let (code, number, text) = ask(package, Some(&home));
        assert_eq!((code, number), (100003, -1), "{package}: {text}");
        assert!(text.contains("pkgName"), "{package}: {text}");
    }
    let (name, none) = (c"runtime".as_ptr().cast_mut(), ptr::null_mut());
    check!(100000, runtime.aclsysGetVersionNum(ptr::null_mut(), &mut 0));
    check!(100000, runtime.aclsysGetVersionNum(name, none));
    assert_eq!(call!(runtime.aclsysGetVersionNum(name, none)), 100000);
    assert!(text().contains("versionNum"));
}

#[test]
fn the_text_of_a_version_is_that_of_the_file() {
    let home = home("texts");
    let longest = "1".repeat(ACL_PKG_VERSION_MAX_SIZE - 1);
    install(&home, "runtime", "Name=x\nVersion= 8.5.0.beta.1 \r\n");
    install(&home, "words", "Version=latest\n");
    install(&home, "longest", &format!("Version={longest}\n"));
    install(&home, "long", &format!("Version={longest}1\n"));
    for (package, line) in [
        ("runtime", "version 8.5.0.beta.1"),
        ("words", "version latest"),
        ("longest", &format!("version {longest}")),
        ("long", "no version 500000 "),
        ("missing", "no version 100003 "),
        ("../texts", "no version 100003 "),
    ] {
        let said = said(package, Some(&home));
        let is_there = said.lines().any(|told| match line.strip_suffix(' ') {
            Some(start) => told.starts_with(start),
            None => told == line,
        });
        assert!(is_there, "{package}: {said}");
    }
}
