//! Ranges that go over several mappings of the program, each with physical memory of its own behind it.
//!
//! What a task does, it does in one allocation. Copies and fills of such a range are made piece by piece; what
//! else takes memory stays in one mapping.

use std::sync::PoisonError;

use ascendcl_sys::aclError;

use crate::ordered::Ordered;
use crate::space::{Mapping, space};

/// The pieces of `N` ranges of the same length of which each lies in one mapping.
pub(super) struct Pieces<const N: usize> {
    starts: [usize; N],
    len: usize,
}

/// The pieces of some ranges, if there is more than one.
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
    /// Where a range ends outside of all mappings, whoever takes it whole finds that out.
    #[cold]
    fn several(starts: [usize; N], len: usize) -> Option<Pieces<N>> {
        let pieces = Pieces { starts, len };
        let next = pieces.next(0)?;
        (next < len).then_some(pieces)
    }

    /// How long the piece is that begins this far behind the starts, if mappings hold all that follows.
    fn next(&self, done: usize) -> Option<usize> {
        let mappings = space().mappings().read();
        let mappings = mappings.unwrap_or_else(PoisonError::into_inner);
        let (window, size) = space().window();
        let left = self.len - done;
        self.starts.iter().try_fold(left, |shortest, start| {
            let start = start + done;
            if start.wrapping_sub(window) < size {
                Some(shortest.min(first(&mappings, start, left)?))
            } else {
                Some(shortest)
            }
        })
    }

    /// Does something with the offset and the length of each piece, until that fails.
    pub(super) fn each(
        &self,
        mut with: impl FnMut(usize, usize) -> Result<(), aclError>,
    ) -> Result<(), aclError> {
        let mut done = 0;
        while done < self.len {
            // Another thread may have unmapped the rest: then it fails whole.
            let len = self.next(done).unwrap_or(self.len - done);
            with(done, len)?;
            done += len;
        }
        Ok(())
    }
}

/// How many of `len` bytes are in the mapping of the first, if mappings that follow one another hold them all.
fn first(mappings: &Ordered<Mapping>, start: usize, len: usize) -> Option<usize> {
    let mut first = None;
    let mut reached = start;
    while reached - start < len {
        let (at, mapping) = mappings.up_to(reached)?;
        let end = at + mapping.len;
        if end <= reached {
            return None;
        }
        first.get_or_insert(end - start);
        reached = end;
    }
    first.map(|first| first.min(len))
}
