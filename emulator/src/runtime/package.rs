//! Versions of installed packages (`acl/acl.h`).
//!
//! The emulator is not part of an installed CANN, but it may run beside one. Programs read the installed versions
//! before they choose a code path. So the emulator reads the files of the installation, as the runtime does (its
//! public source: `hicann/runtime`). The runtime reads another file for the packages `driver` and `firmware`; the
//! emulator treats them like all other packages. A name that leads out of the folder of packages has no file here.

use std::ffi::{CStr, OsStr, OsString, c_char};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use ascendcl_sys::config::content;
use ascendcl_sys::{
    ACL_ERROR_INTERNAL_ERROR, ACL_ERROR_INVALID_FILE, ACL_PKG_VERSION_MAX_SIZE, ACL_SUCCESS,
    aclError,
};

use crate::error::fail;
use crate::object_calls::{attempt, not_null};
use crate::results::list_of;

/// The environment variable with the directory of the CANN installation.
const HOME: &str = "ASCEND_HOME_PATH";
/// The text in front of the version in a package's file.
const KEY: &str = "Version=";
/// The kinds of previews, and how much smaller their numbers are than the number of the release.
const PREVIEWS: [(&str, i32); 3] = [("alpha", 300), ("beta", 200), ("rc", 100)];

pub(crate) unsafe extern "C" fn aclsysGetVersionNum(
    pkgName: *mut c_char,
    versionNum: *mut i32,
) -> aclError {
    let call = "aclsysGetVersionNum";
    attempt!(not_null(call, "versionNum", versionNum));
    attempt!(not_null(call, "pkgName", pkgName));
    // SAFETY: not null; the caller's contract: a C string.
    let package = unsafe { CStr::from_ptr(pkgName) }.to_bytes();
    let found = attempt!(version(call, package).and_then(|text| parsed(call, package, &text)));
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { versionNum.write(found) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclsysGetVersionStr(
    pkgName: *mut c_char,
    versionStr: *mut c_char,
) -> aclError {
    let call = "aclsysGetVersionStr";
    attempt!(not_null(call, "versionStr", versionStr));
    attempt!(not_null(call, "pkgName", pkgName));
    // SAFETY: not null; the caller's contract: a C string.
    let package = unsafe { CStr::from_ptr(pkgName) }.to_bytes();
    let text = match version(call, package) {
        Ok(text) if text.len() < ACL_PKG_VERSION_MAX_SIZE => text,
        Ok(text) => {
            return fail(
                ACL_ERROR_INTERNAL_ERROR,
                format_args!(
                    "{call} failed: the version has {} bytes, {ACL_PKG_VERSION_MAX_SIZE} with the end are the \
                     most; correct the package's file",
                    text.len()
                ),
            );
        }
        Err(code) => return code,
    };
    // SAFETY: not null; the caller's contract: room for ACL_PKG_VERSION_MAX_SIZE bytes; the text is shorter.
    unsafe { text.as_ptr().copy_to(versionStr.cast(), text.len()) };
    // SAFETY: not null; the caller's contract: room for ACL_PKG_VERSION_MAX_SIZE bytes; the text is shorter than
    // that.
    unsafe { versionStr.wrapping_add(text.len()).write(0) };
    ACL_SUCCESS
}

/// Returns the version of a package from its file.
fn version(call: &str, package: &[u8]) -> Result<String, aclError> {
    let name = String::from_utf8_lossy(package);
    if matches!(package, b"" | b"." | b"..") || package.contains(&b'/') {
        return Err(fail(
            ACL_ERROR_INVALID_FILE,
            format_args!(
                "{call} failed: pkgName \"{name}\" names no package; pass one, such as runtime"
            ),
        ));
    }
    let home = std::env::var_os(HOME).filter(|home| !home.is_empty());
    let Some(home) = home else {
        return Err(fail(
            ACL_ERROR_INVALID_FILE,
            format_args!(
                "{call} failed: {HOME} is not set, so the version of {name} is not known; source the \
                 set_env.sh of CANN, or set it to the folder that has share/info"
            ),
        ));
    };
    let path = file(&home, package);
    let found = read(&path).or_else(|| read(&file(&home, &other_spelling(package))));
    found.ok_or_else(|| {
        fail(
            ACL_ERROR_INVALID_FILE,
            format_args!(
                "{call} failed: {} cannot be read or has no line {KEY}; install the package {name}, or \
                 correct {HOME}",
                path.display()
            ),
        )
    })
}

/// Returns the path of the file with the version of a package.
fn file(home: &OsString, package: &[u8]) -> PathBuf {
    let folder = Path::new(home).join("share/info");
    folder.join(OsStr::from_bytes(package)).join("version.info")
}

/// Returns the name of a package with underscores in place of its hyphens. A name without hyphens gets hyphens in
/// place of its underscores.
fn other_spelling(package: &[u8]) -> Vec<u8> {
    let (from, to) = if package.contains(&b'-') {
        (b'-', b'_')
    } else {
        (b'_', b'-')
    };
    let exchange = |byte: &u8| if *byte == from { to } else { *byte };
    list_of(package.iter().map(exchange))
}

/// Returns the version in a file, or `None` if the file has none.
fn read(path: &Path) -> Option<String> {
    let bytes = content(path).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let (_, version) = text.lines().find_map(|line| line.split_once(KEY))?;
    let version = version.trim();
    (!version.is_empty()).then(|| version.to_owned())
}

/// Returns the number of a version, or an error code if the text is no version.
fn parsed(call: &str, package: &[u8], version: &str) -> Result<i32, aclError> {
    number(version).ok_or_else(|| {
        let name = String::from_utf8_lossy(package);
        fail(
            ACL_ERROR_INTERNAL_ERROR,
            format_args!(
                "{call} failed: the file of {name} says {KEY}{version}, which has no number; it shall \
                 read like 8.5.0 or 8.5.0.beta.1"
            ),
        )
    })
}

/// Returns the number of a version. Later versions have greater numbers, and previews have smaller numbers than their
/// release.
fn number(version: &str) -> Option<i32> {
    let (major, rest) = version.split_once('.')?;
    let (minor, rest) = rest.split_once('.')?;
    let (patch, suffix) = digits(rest);
    let parts = [(major, 10_000_000), (minor, 100_000), (patch, 1_000)];
    let mut number = preview(suffix)?;
    for (part, weight) in parts {
        number = count(part)?.checked_mul(weight)?.checked_add(number)?;
    }
    Some(number)
}

/// Returns the number that a suffix adds to the number of a release.
fn preview(suffix: &str) -> Option<i32> {
    if suffix.is_empty() {
        return Some(0);
    }
    let suffix = suffix.to_ascii_lowercase();
    let found = PREVIEWS.iter().find_map(|(keyword, distance)| {
        let (before, behind) = suffix.split_once(keyword)?;
        Some((before, behind, distance))
    });
    let (before, behind, distance) = found?;
    if before.len() > 1 {
        return None;
    }
    let which = match behind.strip_prefix(['.', '-']).unwrap_or(behind) {
        "" if behind.is_empty() => 0,
        which => count(which)?,
    };
    which.checked_sub(*distance)
}

/// Splits a text behind its leading digits.
fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|letter: char| !letter.is_ascii_digit());
    text.split_at(end.unwrap_or(text.len()))
}

/// Parses a number that consists of digits only, without a sign and without blanks.
fn count(text: &str) -> Option<i32> {
    match digits(text) {
        (all, "") => all.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{number, other_spelling};

    #[test]
    fn releases_are_ordered() {
        assert_eq!(number("8.5.0"), Some(80_500_000));
        assert_eq!(number("9.1.12"), Some(90_112_000));
        assert_eq!(number("0.0.0"), Some(0));
    }

    #[test]
    fn previews_come_before_their_release() {
        assert_eq!(number("8.5.0.beta.1"), Some(80_500_000 - 200 + 1));
        assert_eq!(number("8.5.0-alpha003"), Some(80_500_000 - 300 + 3));
        assert_eq!(number("8.3.0RC1"), Some(80_300_000 - 100 + 1));
        assert_eq!(number("8.3.0_rc-12"), Some(80_300_000 - 100 + 12));
        assert_eq!(number("8.3.0.rc"), Some(80_300_000 - 100));
        assert_eq!(number("0.0.0.rc1"), Some(-99));
    }

    #[test]
    fn what_is_no_version_has_no_number() {
        for text in [
            "",
            "8",
            "8.5",
            "8.5.",
            "8..0",
            ".5.0",
            "v8.5.0",
            "8.5.0x",
            "8.5.0.1",
            "8.5.0..rc1",
            "8.5.0.rc.",
            "8.5.0.rc..1",
            "8.5.0.rc1a",
            "8.5.0.rc_1",
            "8.-5.0",
            "8.+5.0",
            "8. 5.0",
        ] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_too_large_has_no_number() {
        assert_eq!(number("214.74.83"), Some(2_147_483_000));
        assert_eq!(number("215.0.0"), None);
        assert_eq!(number("1.99999.0"), None);
        assert_eq!(number("99999999999.0.0"), None);
        assert_eq!(number("1.0.0.rc99999999999"), None);
    }

    #[test]
    fn a_name_has_one_other_spelling() {
        assert_eq!(other_spelling(b"ge-compiler"), b"ge_compiler");
        assert_eq!(other_spelling(b"ge_compiler"), b"ge-compiler");
        assert_eq!(other_spelling(b"a-b_c"), b"a_b_c");
    }
}
