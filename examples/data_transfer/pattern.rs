//! The data: bytes that do not repeat at any power of two, so that a shifted or partial copy is found.

use crate::Result;

/// Loads the data. A real program would read it from a file, for example.
pub(crate) fn fill(bytes: &mut [u8]) {
    for (slot, byte) in bytes.iter_mut().zip((0..=250).cycle()) {
        *slot = byte;
    }
}

/// Checks that the data is what [`fill`] wrote.
pub(crate) fn check(bytes: &[u8]) -> Result<()> {
    match bytes
        .iter()
        .zip((0..=250).cycle())
        .position(|(byte, expected)| *byte != expected)
    {
        None => Ok(()),
        Some(at) => {
            Err(format!("byte {at} did not arrive: the copies lost or moved something").into())
        }
    }
}
