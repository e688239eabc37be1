//! Numbers in memory that streams, the host and the checker look at.

use std::sync::atomic::{AtomicU64, Ordering};

use ascendcl_sys::{
    ACL_STREAM_WAIT_VALUE_AND, ACL_STREAM_WAIT_VALUE_EQ, ACL_STREAM_WAIT_VALUE_NOR,
};

use super::place::{Gone, Place};
use super::space;

/// Bytes of a number.
pub(crate) const SIZE: usize = size_of::<u64>();

/// What shall stand at an address.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Goal {
    pub(crate) address: usize,
    pub(crate) number: u64,
    /// How a wait compares.
    pub(crate) flag: u32,
}

impl Goal {
    /// Where the number stands.
    pub(crate) fn address(&self) -> usize {
        self.address
    }

    /// Whether a number that is written there ends the wait.
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
    /// Made for [`SIZE`] bytes at an address that has the alignment of a `u64`.
    place: Place,
}

impl Number {
    /// The number at an address, which is a multiple of [`SIZE`]; `None` in ordinary host memory.
    pub(crate) fn new(address: usize) -> Option<Number> {
        // INVARIANT: so many bytes, and memory behind a device address has its alignment up to a page.
        let place = address
            .is_multiple_of(SIZE)
            .then(|| Place::new(space(), address, SIZE))??;
        Some(Number { place })
    }

    /// Does something with the memory.
    pub(crate) fn with<R>(&self, look: impl FnOnce(&AtomicU64) -> R) -> Result<R, Gone> {
        let memory = self.place.enter(space())?;
        // SAFETY: entered, and the place's bytes are a `u64` with its alignment (the invariant). Who writes there
        // meanwhile is what a wait waits for; it sees the old bytes or the new ones, as on a card.
        let seen = look(unsafe { AtomicU64::from_ptr(memory.pointer().cast()) });
        memory.leave().map(|()| seen)
    }
}

/// The number that stands at an address now, where there is memory for one.
pub(crate) fn contents(address: usize) -> Option<u64> {
    let number = Number::new(address)?;
    number.with(|memory| memory.load(Ordering::Acquire)).ok()
}
