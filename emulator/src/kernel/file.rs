//! What a program loads as a binary: which code it is, and the kernels that stand for it.

use std::fs;
use std::path::Path;

use ascendcl_sys::{ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_PARAM_INVALID, aclError};

use super::registered;
use super::shared::Library;
use crate::object_calls::refused;

/// The code of a loaded binary.
#[derive(Debug)]
pub(super) enum Content {
    /// A shared object of this machine.
    Shared(Library),
    /// The kernels that the program has registered.
    Registered,
}

/// The kind of a file, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A shared object of this machine, or a program.
    Shared,
    /// Code of this machine that is no shared object.
    Object,
    /// A shared object of this machine without its end.
    Cut,
    /// Code of another machine, with its number.
    Foreign(u16),
    /// No ELF file.
    Other,
}

/// The number of this machine in ELF files; no machine has 0.
const MACHINE: u16 = if cfg!(target_arch = "x86_64") {
    62
} else if cfg!(target_arch = "aarch64") {
    183
} else {
    0
};

/// The first bytes of ELF files with 64-bit addresses whose numbers begin with the lowest byte.
const MAGIC: &[u8] = b"\x7fELF\x02\x01";
/// The kind of a shared object.
const DYNAMIC: u16 = 3;

fn form(bytes: &[u8]) -> Form {
    match (half(bytes, 16), half(bytes, 18)) {
        (Some(kind), Some(machine)) if bytes.starts_with(MAGIC) => {
            if machine != MACHINE {
                Form::Foreign(machine)
            } else if kind == DYNAMIC {
                is_whole(bytes).map_or(Form::Cut, |()| Form::Shared)
            } else {
                Form::Object
            }
        }
        _ => Form::Other,
    }
}

/// Returns the number of two bytes at an offset.
fn half(bytes: &[u8], at: usize) -> Option<u16> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u16::from_le_bytes(*bytes))
}

/// Returns the number of eight bytes at an offset.
fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    usize::try_from(u64::from_le_bytes(*bytes)).ok()
}

/// Checks that a shared object has all bytes of its segments: the loader maps them without a look, and a missing page ends the
/// process.
fn is_whole(bytes: &[u8]) -> Option<()> {
    let (first, size, count) = (word(bytes, 32)?, half(bytes, 54)?, half(bytes, 56)?);
    for number in 0..usize::from(count) {
        let header = first.checked_add(number * usize::from(size))?;
        let header = bytes.get(header..)?;
        let end = word(header, 8)?.checked_add(word(header, 32)?)?;
        bytes.get(..end)?;
    }
    Some(())
}

/// Returns the code of a file.
pub(super) fn from_path(call: &str, path: &Path) -> Result<Content, aclError> {
    let unreadable = |why: &str| {
        refused(
            call,
            ACL_ERROR_RT_PARAM_INVALID,
            format_args!("the file {} cannot be read: {why}", path.display()),
        )
    };
    let bytes = fs::read(path).map_err(|error| unreadable(&error.to_string()))?;
    if bytes.is_empty() {
        return Err(unreadable("it is empty"));
    }
    let what = format!("the file {}", path.display());
    content(call, &what, &bytes, &|| Library::open(path))
}

/// Returns the code of bytes in memory.
pub(super) fn from_bytes(call: &str, bytes: &[u8]) -> Result<Content, aclError> {
    let what = format!("the binary of {} bytes", bytes.len());
    content(call, &what, bytes, &|| Library::from_bytes(bytes))
}

fn content(
    call: &str,
    what: &str,
    bytes: &[u8],
    open: &dyn Fn() -> Result<Library, String>,
) -> Result<Content, aclError> {
    let text = match form(bytes) {
        Form::Shared => match open() {
            Ok(library) => return Ok(Content::Shared(library)),
            Err(why) => format!("{what} cannot be loaded: {why}"),
        },
        Form::Cut => format!("{what} is a shared object without its end; copy it again"),
        // The kernels of the program stand for the functions of the file.
        _ if registered::is_any() => return Ok(Content::Registered),
        Form::Object => {
            format!(
                "{what} is an object file of this machine, which cannot run; link it with -shared"
            )
        }
        Form::Foreign(machine) => format!(
            "{what} has code for another machine (ELF machine {machine}), which is that of AI cores if the compiler for them \
             made it, and the emulator has none; build the source for this machine with the emulator's kernel_operator.h, or \
             register a kernel in Rust (ascendcl_emulator::kernel)"
        ),
        Form::Other => format!(
            "{what} is no ELF file, so it has no kernels; pass a shared object that was built with the emulator's \
             kernel_operator.h, or register a kernel in Rust (ascendcl_emulator::kernel)"
        ),
    };
    Err(refused(
        call,
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
        format_args!("{text}"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_tell_what_it_is() {
        let file = |kind: u16, machine: u16| {
            let mut bytes = MAGIC.to_vec();
            bytes.resize(16, 0);
            bytes.extend(kind.to_le_bytes());
            bytes.extend(machine.to_le_bytes());
            // No program header.
            bytes.resize(64, 0);
            form(&bytes)
        };
        assert_eq!(file(3, MACHINE), Form::Shared);
        assert_eq!(file(1, MACHINE), Form::Object);
        assert_eq!(file(1, 4137), Form::Foreign(4137));
        let mut cut = MAGIC.to_vec();
        cut.resize(16, 0);
        cut.extend([3, 0].into_iter().chain(MACHINE.to_le_bytes()));
        assert_eq!(form(&cut), Form::Cut);
        for other in [&b""[..], b"\x7fELF", b"#!/bin/sh and so on and on"] {
            assert_eq!(form(other), Form::Other);
        }
    }
}
