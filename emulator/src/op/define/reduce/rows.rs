//! Reductions of outer dimensions: the elements of different results are next to each other, and rows of them are merged.

use super::{GRAIN, Real, Reduction, Shapes, Way};
use crate::op::dtype::SINGLE;
use crate::op::number::{Number, Whole};
use crate::op::rule::at;
use crate::op::sums;
use crate::op::view::{Views, rows};
use crate::sync::cores::fill;

/// Merges a row of elements into a row of results.
type Merge<W, E> = fn(&mut [W], &[E]);

fn merge<W: Number>(sums: &mut [W], row: &[W], combine: impl Fn(W, W) -> W) {
    for (sum, one) in sums.iter_mut().zip(row) {
        *sum = combine(*sum, *one);
    }
}

/// The number of results that are merged together: they and a row of elements stay in the first-level cache.
const BLOCK: usize = 512;

/// The number of results in a row from which on they are merged together.
const LEAST: usize = 8;

impl Reduction {
    /// Reduces all results of a row together, where the elements of different results are next to each other. Returns `false`
    /// for other tensors, and for ways that need more than one walk over the elements.
    pub(super) fn by_rows(&self, views: &Views<'_>, is_whole: bool) -> bool {
        let types = [self.input.dtype(), self.through];
        let is_single = types.iter().all(|one| SINGLE.contains(one));
        if is_whole {
            let merge: Option<Merge<Whole, Whole>> = match self.way {
                Way::Sum => Some(|sums, row| merge(sums, row, |sum, one| sum + one)),
                Way::Product => Some(|sums, row| merge(sums, row, |sum, one| sum * one)),
                Way::Any => Some(|sums, row| {
                    merge(sums, row, |sum, one| {
                        Whole::truth(sum.is_true() | one.is_true())
                    });
                }),
                _ => None,
            };
            let first = Whole::truth(self.way == Way::Product);
            let results =
                merge.and_then(|merge| self.rows(views, &|to, row, _| merge(to, row), first));
            return self.put(views, results);
        }
        let (merge, first): (Merge<f64, f32>, f64) = match self.way {
            _ if !is_single => return false,
            Way::Sum | Way::Real(Real::Mean) => (sums::add, 0.0),
            Way::Product => (sums::multiply, 1.0),
            // The logarithm of a sum begins with the largest elements.
            Way::Largest | Way::Real(Real::LogSumExp) => (sums::raise, f64::NEG_INFINITY),
            Way::Smallest => (sums::lower, f64::INFINITY),
            Way::Real(Real::Norm(2.0)) => (sums::add_squares, 0.0),
            _ => return false,
        };
        // CAST: a number of elements, which is exact.
        let count = self.input.elements() as f64 / self.out.elements() as f64;
        let mut results = self.rows(views, &|to, row, _| merge(to, row), first);
        match (&mut results, self.way) {
            (Some(results), Way::Real(Real::LogSumExp)) => {
                // CAST: the largest of elements of single precision. An infinite element is the result.
                let mut most = vec![0.0; results.len()];
                for (most, one) in most.iter_mut().zip(&*results) {
                    *most = if one.is_finite() { *one as f32 } else { 0.0 };
                }
                let add = |sums: &mut [f64], row: &[f32], first: usize| {
                    sums::add_powers(sums, row, most.get(first..).unwrap_or_default());
                };
                let sums = self.rows(views, &add, 0.0).unwrap_or_default();
                for (index, result) in results.iter_mut().enumerate() {
                    *result = at(&sums, index).ln() + f64::from(at(&most, index));
                }
            }
            (Some(results), Way::Real(Real::Mean)) => {
                results.iter_mut().for_each(|one| *one /= count);
            }
            (Some(results), Way::Real(_)) => {
                results.iter_mut().for_each(|one| *one = one.sqrt());
            }
            _ => {}
        }
        self.put(views, results)
    }

    /// Merges rows of elements into the results, which begin as `first`. `merge` also gets the index of the first result.
    /// Returns `None` where no results are next to each other.
    fn rows<W: Number, E: Number>(
        &self,
        views: &Views<'_>,
        merge: &(dyn Fn(&mut [W], &[E], usize) + Sync),
        first: W,
    ) -> Option<Vec<W>> {
        let Shapes {
            counts,
            of_counts,
            of_row,
            of_steps,
            ..
        } = self.shapes();
        let (Some(length), Some(1)) = (counts.iter().next_back(), of_counts.iter().next_back())
        else {
            return None;
        };
        let (_, (_, step)) = rows(&of_row, &of_steps);
        if step == 1 || length < LEAST || of_row.elements() == Some(0) {
            return None;
        }
        let grain = GRAIN / of_row.elements().unwrap_or(usize::MAX);
        let mut results = vec![first; counts.elements().unwrap_or(0)];
        let readers = views.shared();
        let is_cast = self.input.dtype() != self.through;
        fill(&mut results, grain, &|first, results| {
            let view = readers.input(&self.input);
            let (mut room, mut done) = ([E::ZERO; BLOCK], 0);
            while let Some(left) = results.get_mut(done..).filter(|left| !left.is_empty()) {
                let index = first + done;
                let len = (length - index % length).min(BLOCK).min(left.len());
                let (Some(sums), Some(row)) = (left.get_mut(..len), room.get_mut(..len)) else {
                    return;
                };
                let start = counts.offset(&of_counts, index).unwrap_or(0);
                for offset in of_row.offsets(of_steps) {
                    view.read(start + offset, 1, row);
                    if is_cast {
                        E::quantise(self.through, row);
                    }
                    merge(sums, row, index);
                }
                done += len;
            }
        });
        Some(results)
    }
}
