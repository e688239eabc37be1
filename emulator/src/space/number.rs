//! Numbers in memory that streams, the host and the checker read.

use std::sync::atomic::{AtomicU64, Ordering};

use ascendcl_sys::{
    ACL_STREAM_WAIT_VALUE_AND, ACL_STREAM_WAIT_VALUE_EQ, ACL_STREAM_WAIT_VALUE_NOR,
};

use super::place::{Gone, Place};
use super::space;

/// The bytes of a number.
pub(crate) const SIZE: usize = size_of::<u64>();

/// A condition for the number at an address.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Goal {
    pub(crate) address: usize,
    pub(crate) number: u64,
    /// The comparison of the wait.
    pub(crate) flag: u32,
}

impl Goal {
    /// Returns the address of the number.
    pub(crate) fn address(&self) -> usize {
        self.address
    }

    /// Returns whether the wait ends when `written` is stored at `address`.
    pub(crate) fn is_met_by(&self, address: usize, written: u64) -> bool {
        address == self.address
            && match self.flag {
                ACL_STREAM_WAIT_VALUE_EQ => written == self.number,
                ACL_STREAM_WAIT_VALUE_AND => written & self.number != 0,
                ACL_STREAM_WAIT_VALUE_NOR => !(written | self.number) != 0,
                _ => written.wrapping_sub(self.number).cast_signed() >= 0,
            }
    }
}

/// A number in memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Number {
    /// # Invariants
    ///
    /// - The place has [`SIZE`] bytes at an address with the alignment of a `u64`.
    place: Place,
}

impl Number {
    /// Returns the number at an address, which must be a multiple of [`SIZE`]; `None` in ordinary host memory.
    pub(crate) fn new(address: usize) -> Option<Number> {
        // INVARIANT: the place has [`SIZE`] bytes, and the memory of a device address has the same alignment up to a
        // page.
        let place = address
            .is_multiple_of(SIZE)
            .then(|| Place::new(space(), address, SIZE))??;
        Some(Number { place })
    }

    /// Runs a closure on the memory of the number.
    pub(crate) fn with<R>(&self, look: impl FnOnce(&AtomicU64) -> R) -> Result<R, Gone> {
        let memory = self.place.enter(space())?;
        // SAFETY: the place is entered, and its bytes are an aligned `u64` (the invariant). A concurrent plain write
        // may be the one that a wait waits for; the load returns old or new bytes, as on a card.
        let seen = look(unsafe { AtomicU64::from_ptr(memory.pointer().cast()) });
        memory.leave().map(|()| seen)
    }
}

/// Returns the current number at an address, or `None` if there is no memory for a number.
pub(crate) fn contents(address: usize) -> Option<u64> {
    let number = Number::new(address)?;
    number.with(|memory| memory.load(Ordering::Acquire)).ok()
}
