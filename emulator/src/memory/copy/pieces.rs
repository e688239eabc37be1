//! Ranges that cover several mappings of the program. Each mapping has its own physical memory.
//!
//! A task works in one allocation. So copies and fills of these ranges are made piece by piece. `engine/scattered.rs` has
//! the operands of operators. All other functions require memory in one mapping.

use std::sync::PoisonError;

use ascendcl_sys::aclError;

use crate::space::{first_mapping, space};

/// The pieces of `N` ranges of the same length. Each piece is in one mapping.
pub(super) struct Pieces<const N: usize> {
    starts: [usize; N],
    len: usize,
}

/// Returns the pieces of some ranges, or `None` if there is only one piece.
#[inline(always)]
pub(super) fn pieces<const N: usize>(starts: [usize; N], len: usize) -> Option<Pieces<N>> {
    let (window, size) = space().window();
    let mut is_any = false;
    for start in starts {
        is_any |= start.wrapping_sub(window) < size;
    }
    if !is_any {
        return None;
    }
    Pieces::several(starts, len)
}

impl<const N: usize> Pieces<N> {
    /// Returns the pieces of ranges. A range that ends outside of all mappings gives `None`, and the function that
    /// uses the whole range reports the error.
    #[cold]
    fn several(starts: [usize; N], len: usize) -> Option<Pieces<N>> {
        let pieces = Pieces { starts, len };
        let next = pieces.next(0)?;
        (next < len).then_some(pieces)
    }

    /// Returns the length of the piece that begins `done` bytes behind the starts. `None` if the mappings do not
    /// cover all remaining bytes.
    fn next(&self, done: usize) -> Option<usize> {
        let mappings = space().mappings().read();
        let mappings = mappings.unwrap_or_else(PoisonError::into_inner);
        let (window, size) = space().window();
        let left = self.len - done;
        self.starts.iter().try_fold(left, |shortest, start| {
            let start = start + done;
            if start.wrapping_sub(window) < size {
                Some(shortest.min(first_mapping(&mappings, start, left)?))
            } else {
                Some(shortest)
            }
        })
    }

    /// Calls a closure with the offset and the length of each piece, until the closure fails.
    pub(super) fn each(
        &self,
        mut with: impl FnMut(usize, usize) -> Result<(), aclError>,
    ) -> Result<(), aclError> {
        let mut done = 0;
        while done < self.len {
            // If another thread unmapped the rest meanwhile, the rest is one piece, which fails.
            let len = self.next(done).unwrap_or(self.len - done);
            with(done, len)?;
            done += len;
        }
        Ok(())
    }
}
