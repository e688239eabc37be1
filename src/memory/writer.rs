//! Filling a fresh buffer piece by piece.

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::memory::Buf;
use crate::memory::copy::CopyTo;
use crate::memory::elements::{Elements, SameElements};
use crate::memory::operand::Source;
use crate::memory::place::Place;
use crate::memory::slice::SliceMut;
use crate::state::{Init, Uninit};

/// A fresh buffer that is written from its start to its end, piece by piece, and is initialised when
/// nothing is missing.
///
/// For uploads that are larger than their host buffer.
///
/// # Invariants
///
/// The first `filled` elements were written.
#[derive(Debug)]
pub struct Writer<'dev, M: Place, E: Elements + ?Sized> {
    buf: Buf<'dev, M, E, Uninit>,
    filled: usize,
}

impl<'dev, M: Place, E: Elements + ?Sized> Buf<'dev, M, E, Uninit> {
    /// Starts to fill the buffer piece by piece.
    #[must_use]
    pub fn writer(self) -> Writer<'dev, M, E> {
        Writer {
            buf: self,
            filled: 0,
        }
    }
}

impl<'dev, M: Place, E: Elements + ?Sized> Writer<'dev, M, E> {
    /// How many elements are missing.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.buf.len() - self.filled
    }

    /// Copies `source` behind what was written so far, as [`Current::memcpy`] does.
    ///
    /// # Errors
    ///
    /// [`Usage::Range`] when the source is longer than what is missing, and
    /// [`ErrorKind::Refused`]; nothing counts as written then.
    pub fn memcpy<D: AnyDevice, S>(&mut self, current: Current<'_, '_, D>, source: S) -> Result<()>
    where
        S: Source<D, Elements: SameElements<[E::Element]>>,
        S::Place: CopyTo<M, D>,
    {
        let len = S::Elements::count(source.source());
        let end = self.filled.saturating_add(len);
        // SAFETY: `memcpy` only writes to its destination.
        let part = unsafe { SliceMut::of_fresh(&mut self.buf, self.filled..end) }?;
        current.memcpy(part, source)?;
        self.filled = end;
        Ok(())
    }

    /// The initialised buffer.
    ///
    /// # Errors
    ///
    /// [`Usage::NotFilled`] when elements are missing; the buffer is freed then.
    pub fn finish(self) -> Result<Buf<'dev, M, E, Init>> {
        let len = self.buf.len();
        if self.filled != len {
            return Err(Usage::NotFilled {
                filled: self.filled,
                len,
            }
            .into());
        }
        // SAFETY: every element was written (invariant of `Writer`).
        Ok(unsafe { self.buf.assume() })
    }
}
