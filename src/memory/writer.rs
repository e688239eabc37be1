//! Filling a fresh buffer piece by piece.

use crate::context::Current;
use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::memory::Buf;
use crate::memory::copy::{CopyTo, SameElement, SameLen, Source};
use crate::memory::length::{Dyn, Len};
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
pub struct Writer<'dev, M: Place, T, L: Len = Dyn> {
    buf: Buf<'dev, M, T, L, Uninit>,
    filled: usize,
}

impl<'dev, M: Place, T, L: Len> Buf<'dev, M, T, L, Uninit> {
    /// Starts to fill the buffer piece by piece.
    #[must_use]
    pub fn writer(self) -> Writer<'dev, M, T, L> {
        Writer {
            buf: self,
            filled: 0,
        }
    }
}

impl<'dev, M: Place, T, L: Len> Writer<'dev, M, T, L> {
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
        S: Source<Element: SameElement<T>>,
        S::Place: CopyTo<M, D>,
        S::Len: SameLen<Dyn>,
    {
        let (_, len) = source.source();
        let end = self.filled.saturating_add(len.get());
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
    pub fn finish(self) -> Result<Buf<'dev, M, T, L, Init>> {
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
