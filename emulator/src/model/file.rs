//! Model files: what kind of file it is, and the model in it.

use std::ffi::{CStr, OsStr, c_char, c_void};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use ascendcl_sys::{
    ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID, ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclError,
};

use super::network::{PATH_KEY, Unreadable, engine};
use super::program::Program;
use crate::error::{fail, null};
use crate::object_calls::{invalid, not_null};

/// The bytes of the header of an offline model (`ModelFileHeader`).
const HEADER: usize = 256;
/// The first bytes of an offline model.
const MAGIC: &[u8] = b"IMOD";
/// The place of the number of bytes behind the header, as 32 bits: the only number of older files.
const LENGTH: usize = 76;
/// The place of the number of bytes behind the header, as 64 bits; 0 in older files.
const MODEL_LENGTH: usize = 184;

/// The text for a program that passes a model of a card.
const OFFLINE: &str = "this is an offline model, which atc has compiled for a card; the emulator runs the ONNX file \
                       that atc compiles, so pass that file here and the offline model on a card";
/// The text for a program that has no engine.
const NO_ENGINE: &str = "this is an ONNX file, and no engine for it is built in; turn on the feature `emulator-onnx` (of \
                         `ascendcl`, or of `ascendcl-emulator-capi` for the C library)";

/// The content of a model file that has passed the first checks.
#[derive(Debug)]
pub(super) enum Content {
    /// An offline model for a card.
    Offline,
    /// An ONNX file.
    Onnx(Vec<u8>),
}

/// Reads a model file.
///
/// # Safety
///
/// - `path` is null or a C string.
pub(super) unsafe fn read(
    call: &'static str,
    argument: &str,
    path: *const c_char,
) -> Result<Vec<u8>, aclError> {
    if path.is_null() {
        return Err(null(call, argument));
    }
    // SAFETY: not null; the caller's contract: a C string.
    let path = Path::new(OsStr::from_bytes(
        unsafe { CStr::from_ptr(path) }.to_bytes(),
    ));
    let read = || {
        let is_file = fs::metadata(path)?.is_file();
        let content = if is_file { fs::read(path)? } else { Vec::new() };
        Ok(content)
    };
    let why = match read() {
        Ok(content) if content.is_empty() => "it is empty, or no file".to_owned(),
        Ok(mut content) => {
            if is_onnx(&content) {
                note_path(&mut content, path.as_os_str().as_bytes());
            }
            return Ok(content);
        }
        Err(error) => std::io::Error::to_string(&error),
    };
    Err(fail(
        ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID,
        format_args!(
            "{call} failed: the model {} cannot be read: {why}",
            path.display()
        ),
    ))
}

/// Adds the path of an ONNX file to its metadata, so that the engine finds the files beside it.
fn note_path(content: &mut Vec<u8>, path: &[u8]) {
    // A field of a message: its tag, and its length in three bytes of seven bits.
    let field = |tag: u8, len: usize| {
        [
            tag,
            len as u8 | 0x80,
            (len >> 7) as u8 | 0x80,
            (len >> 14) as u8 & 0x7f,
        ]
    };
    let key = PATH_KEY.as_bytes();
    content.extend_from_slice(&field(14 << 3 | 2, key.len() + path.len() + 8));
    content.extend_from_slice(&field(1 << 3 | 2, key.len()));
    content.extend_from_slice(key);
    content.extend_from_slice(&field(2 << 3 | 2, path.len()));
    content.extend_from_slice(path);
}

/// Copies a model in memory.
///
/// # Safety
///
/// - `model` is null or valid for reads of `size` bytes.
pub(super) unsafe fn copied(
    call: &'static str,
    model: *const c_void,
    size: usize,
) -> Result<Vec<u8>, aclError> {
    not_null(call, "model", model)?;
    if size == 0 {
        return Err(invalid(
            call,
            format_args!("modelSize is 0; pass the bytes of the model"),
        ));
    }
    // SAFETY: not null; the caller's contract.
    let bytes = unsafe { std::slice::from_raw_parts(model.cast::<u8>(), size) };
    Ok(bytes.to_vec())
}

/// Recognises the kind of a model.
pub(super) fn recognise(call: &'static str, content: Vec<u8>) -> Result<Content, aclError> {
    if is_onnx(&content) {
        return Ok(Content::Onnx(content));
    }
    let why = match content.get(..MAGIC.len()) {
        Some(magic) if magic == MAGIC => match offline_length(&content) {
            Some(length) if content.len().checked_sub(HEADER) == Some(length) => {
                return Ok(Content::Offline);
            }
            _ => "its length is not that of its header, so it is not complete",
        },
        _ => "it is neither an ONNX file nor an offline model",
    };
    Err(fail(
        ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID,
        format_args!(
            "{call} failed: the model of {} bytes cannot be used: {why}",
            content.len()
        ),
    ))
}

/// Returns the number of bytes behind the header of an offline model.
fn offline_length(content: &[u8]) -> Option<usize> {
    let bytes = |from: usize, len: usize| content.get(..HEADER)?.get(from..from + len);
    let long = u64::from_le_bytes(bytes(MODEL_LENGTH, 8)?.try_into().ok()?);
    let short = u32::from_le_bytes(bytes(LENGTH, 4)?.try_into().ok()?);
    usize::try_from(if long == 0 { u64::from(short) } else { long }).ok()
}

/// Returns whether the bytes are a message of protocol buffers with the fields of an ONNX model: a version of the
/// format (field 1) and a graph (field 7).
fn is_onnx(content: &[u8]) -> bool {
    let (mut rest, mut has_version, mut has_graph) = (content, false, false);
    while !rest.is_empty() {
        let Some((key, after)) = number(rest) else {
            return false;
        };
        let skip = match key & 7 {
            0 => number(after).map(|(_, behind)| after.len() - behind.len()),
            1 => Some(8),
            2 => number(after).and_then(|(len, behind)| {
                usize::try_from(len)
                    .ok()?
                    .checked_add(after.len() - behind.len())
            }),
            5 => Some(4),
            _ => None,
        };
        has_version |= key == 1 << 3;
        has_graph |= key == (7 << 3 | 2);
        match skip.and_then(|skip| after.get(skip..)) {
            Some(behind) => rest = behind,
            None => return false,
        }
    }
    has_version && has_graph
}

/// Reads a number of protocol buffers: seven bits in each byte, the lowest first.
fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (index, byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Some((value, bytes.get(index + 1..)?));
        }
    }
    None
}

/// Makes a program of a recognised model.
pub(super) fn program(call: &'static str, content: Content) -> Result<Arc<Program>, aclError> {
    let Content::Onnx(bytes) = content else {
        return Err(refuse(call, OFFLINE));
    };
    let Some(engine) = engine() else {
        return Err(refuse(call, NO_ENGINE));
    };
    let network = match engine.read(&bytes) {
        Ok(network) => network,
        Err(Unreadable::Damaged(why)) => {
            return Err(fail(
                ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID,
                format_args!("{call} failed: the ONNX file is damaged: {why}"),
            ));
        }
        Err(Unreadable::Unsupported(why)) => return Err(refuse(call, &why)),
    };
    Program::new(network).map_err(|why| refuse(call, &why))
}

/// Refuses a model that the emulator cannot run. The function itself is modelled, so the checker has no note of it.
fn refuse(call: &'static str, why: &str) -> aclError {
    fail(
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
        format_args!("{call} failed: {why}"),
    )
}
