//! The check of one task against itself: memory that it writes and also reads, or writes twice.
//!
//! The engines of a card work on parts of a task at the same time, in no order that is known. So a result may replace
//! bytes that another part has not read yet. Memory that a task reads and writes at the same place is legal.

use std::sync::Arc;

use super::finding::Mistake;
use super::site::Site;
use super::state::{Checker, Touch};
use crate::results::list_of;
use crate::sorted::by_number;

/// The accesses of a task that may be to the same bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum InPlace {
    /// Only the read and the write of a pair: a copy has the source and then the destination of each part.
    Pairs,
    /// Any read and any write.
    All,
}

impl InPlace {
    /// Returns whether the accesses with these numbers may be to the same bytes.
    fn allows(self, one: usize, other: usize) -> bool {
        match self {
            InPlace::Pairs => one / 2 == other / 2,
            InPlace::All => true,
        }
    }
}

impl Checker {
    /// Called with the accesses of a copy or a model. Reports the first two that overlap and are not in place.
    pub(crate) fn overlaps(&mut self, touches: &[Touch], in_place: InPlace, site: &Arc<Site>) {
        // Of an access with gaps the bytes are not known.
        let dense = touches.iter().enumerate();
        let dense = list_of(dense.filter(|(_, touch)| touch.dense && touch.len > 0));
        let sorted = by_number(&dense, &|(_, touch)| touch.address);
        let mut left = &sorted[..];
        while let [(number, first), others @ ..] = left {
            let end = first.range().end;
            let mut met = others.iter().take_while(|(_, touch)| touch.address < end);
            let second = met.find(|(other, second)| {
                let is_same = first.range() == second.range();
                let is_in_place =
                    is_same && first.write != second.write && in_place.allows(*number, *other);
                (first.write || second.write) && !is_in_place
            });
            if let Some((_, second)) = second {
                let (one, other) = if first.write {
                    (first, second)
                } else {
                    (second, first)
                };
                let text = format!(
                    "{} writes {} bytes at {:#x}, and {} {} bytes at {:#x}, some of which are the same",
                    site.call(),
                    one.len,
                    one.address,
                    if other.write { "writes" } else { "reads" },
                    other.len,
                    other.address
                );
                return self.shares(text, Arc::clone(site));
            }
            left = others;
        }
    }

    /// Reports a task that uses the same memory twice.
    pub(crate) fn shares(&mut self, text: String, site: Arc<Site>) {
        self.find(Mistake::Overlap, text, vec![("used", site)]);
    }
}
