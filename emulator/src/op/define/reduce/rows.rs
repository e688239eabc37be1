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

/// Merges rows one after the other.
fn each<W, E>(sums: &mut [W], rows: &[&[E]], merge: impl Fn(&mut [W], &[E])) {
    for row in rows {
        merge(sums, row);
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
            let results = merge
                .and_then(|merge| self.rows(views, &|to, rows, _| each(to, rows, merge), first));
            return self.put(views, results);
        }
        // The logarithm of a sum begins with the largest elements.
        let chosen: Option<(Merge<f32, f32>, f32)> = match self.way {
            Way::Largest | Way::Real(Real::LogSumExp) => Some((sums::raise, f32::NEG_INFINITY)),
            Way::Smallest => Some((sums::lower, f32::INFINITY)),
            _ => None,
        };
        if let (Some((merge, first)), true) = (chosen, is_single) {
            let most = self.rows(views, &|to, rows, _| each(to, rows, merge), first);
            return match most {
                Some(most) if self.way == Way::Real(Real::LogSumExp) => {
                    self.logarithms(views, most)
                }
                most => self.put(views, most),
            };
        }
        let (merge, first): (Merge<f64, f32>, f64) = match self.way {
            _ if !is_single => return false,
            Way::Sum | Way::Real(Real::Mean) => (sums::add, 0.0),
            Way::Product => (sums::multiply, 1.0),
            Way::Real(Real::Norm(2.0)) => (sums::add_squares, 0.0),
            _ => return false,
        };
        // CAST: a number of elements, which is exact.
        let count = self.input.elements() as f64 / self.out.elements() as f64;
        let is_sum = matches!(self.way, Way::Sum | Way::Real(Real::Mean));
        let merge_rows = |to: &mut [f64], rows: &[&[f32]], _| match rows.try_into() {
            Ok(rows) if is_sum => sums::add_rows(to, rows),
            _ => each(to, rows, merge),
        };
        let mut results = self.rows(views, &merge_rows, first);
        let are_finite = |results: &Vec<f64>| results.iter().all(|one| one.is_finite());
        if is_sum && !results.as_ref().is_none_or(are_finite) {
            // Sums in single precision are infinite where those in double precision are not.
            results = self.rows(views, &|to, rows, _| each(to, rows, merge), first);
        }
        match (&mut results, self.way) {
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

    /// Stores the logarithms of sums of powers, from the largest element of each row.
    fn logarithms(&self, views: &Views<'_>, mut most: Vec<f32>) -> bool {
        for one in &mut most {
            // An infinite element is the result.
            *one = if one.is_finite() { *one } else { 0.0 };
        }
        let add = |sums: &mut [f64], rows: &[&[f32]], first: usize| {
            let most = most.get(first..).unwrap_or_default();
            each(sums, rows, |sums, row| sums::add_powers(sums, row, most));
        };
        let mut results = self.rows(views, &add, 0.0);
        for (result, most) in results.iter_mut().flatten().zip(&most) {
            *result = result.ln() + f64::from(*most);
        }
        self.put(views, results)
    }

    /// Returns the shapes of the walk, or `None` where no results are next to each other.
    fn shapes_of_rows(&self) -> Option<Shapes> {
        let shapes = self.shapes();
        let length = shapes.counts.iter().next_back()?;
        let (_, (_, step)) = rows(&shapes.of_row, &shapes.of_steps);
        let is_beside = shapes.of_counts.iter().next_back() == Some(1) && step != 1;
        let is_some = length >= LEAST && shapes.of_row.elements() != Some(0);
        (is_beside && is_some).then_some(shapes)
    }

    /// Merges rows of elements into the results, which begin as `first`. `merge` gets some rows, and the index of the first result.
    /// Returns `None` where no results are next to each other.
    fn rows<W: Number, E: Number>(
        &self,
        views: &Views<'_>,
        merge: &(dyn Fn(&mut [W], &[&[E]], usize) + Sync),
        first: W,
    ) -> Option<Vec<W>> {
        let Shapes {
            counts,
            of_counts,
            of_row,
            of_steps,
            ..
        } = self.shapes_of_rows()?;
        let length = at(counts.as_slice(), counts.rank() - 1);
        let grain = GRAIN / of_row.elements().unwrap_or(usize::MAX);
        let mut results = vec![first; counts.elements().unwrap_or(0)];
        let readers = views.shared();
        let is_cast = self.input.dtype() != self.through;
        fill(&mut results, grain, &|first, results| {
            let view = readers.input(&self.input);
            let (mut rooms, mut done) = ([[E::ZERO; BLOCK]; sums::ROWS], 0);
            while done < results.len() {
                let index = first + done;
                let len = (length - index % length)
                    .min(BLOCK)
                    .min(results.len() - done);
                let Some(sums) = results.get_mut(done..done + len) else {
                    return;
                };
                let start = counts.offset(&of_counts, index).unwrap_or(0);
                let mut offsets = of_row.offsets(of_steps);
                let are_beside = of_steps.iter().next_back() == Some(len);
                loop {
                    let (mut rows, mut count) = ([&[][..]; sums::ROWS], 0);
                    for (row, room) in rows.iter_mut().zip(&mut rooms) {
                        let Some(offset) = offsets.next() else {
                            break;
                        };
                        count += 1;
                        // SAFETY: the kernel writes its output behind the last use of these elements.
                        let own = unsafe { view.own(start + offset, len) };
                        if let (Some(own), false) = (own, is_cast) {
                            if are_beside {
                                // Of rows that follow each other, the processor reads ahead one, and not the next ones.
                                view.prefetch(start + offset + sums::ROWS * len, len);
                            }
                            *row = own;
                            continue;
                        }
                        let room = room.get_mut(..len).unwrap_or_default();
                        view.read(start + offset, 1, room);
                        if is_cast {
                            E::quantise(self.through, room);
                        }
                        *row = room;
                    }
                    if count == 0 {
                        break;
                    }
                    merge(sums, rows.get(..count).unwrap_or_default(), index);
                }
                done += len;
            }
        });
        Some(results)
    }
}
