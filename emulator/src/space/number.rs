//! Numbers in memory that streams, the host and the checker read.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

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
    /// - The place has [`SIZE`] bytes.
    place: Place,
}

impl Number {
    /// Returns the number at an address; `None` in ordinary host memory.
    pub(crate) fn new(address: usize) -> Option<Number> {
        // INVARIANT: the place has [`SIZE`] bytes.
        let place = Place::new(space(), address, SIZE)?;
        Some(Number { place })
    }

    /// Reads the number. A concurrent plain write may be the one that a wait waits for; the result has old or new
    /// bytes, as on a card.
    pub(crate) fn load(&self) -> Result<u64, Gone> {
        self.with(
            |whole| whole.load(Ordering::Acquire),
            |bytes| {
                let mut seen = [0; SIZE];
                for (to, byte) in seen.iter_mut().zip(bytes) {
                    *to = byte.load(Ordering::Acquire);
                }
                u64::from_ne_bytes(seen)
            },
        )
    }

    /// Writes the number.
    pub(crate) fn store(&self, number: u64) -> Result<(), Gone> {
        self.with(
            |whole| whole.store(number, Ordering::Release),
            |bytes| {
                for (byte, new) in bytes.iter().zip(number.to_ne_bytes()) {
                    byte.store(new, Ordering::Release);
                }
            },
        )
    }

    /// Runs a closure on the memory of the number: on the whole, or on its bytes if the address is no multiple of
    /// [`SIZE`].
    fn with<R>(
        &self,
        whole: impl FnOnce(&AtomicU64) -> R,
        bytes: impl FnOnce(&[AtomicU8; SIZE]) -> R,
    ) -> Result<R, Gone> {
        let memory = self.place.enter(space())?;
        let pointer: *mut u64 = memory.pointer().cast();
        let seen = if pointer.is_aligned() {
            // SAFETY: the place is entered and has the bytes of a `u64` (the invariant), which are aligned (checked
            // above).
            whole(unsafe { AtomicU64::from_ptr(pointer) })
        } else {
            // SAFETY: the place is entered and has [`SIZE`] bytes (the invariant), and bytes need no alignment.
            bytes(unsafe { &*pointer.cast() })
        };
        memory.leave().map(|()| seen)
    }
}

/// Returns the current number at an address, or `None` if there is no memory for a number.
pub(crate) fn contents(address: usize) -> Option<u64> {
    let number = Number::new(address)?;
    number.load().ok()
}
