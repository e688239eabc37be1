//! The elements of a tensor that a reduction makes one of, in blocks, and their sums.

use core::cell::Cell;
use core::marker::PhantomData;

use ascendcl_sys::aclDataType;

use super::dtype::{SINGLE, is_half};
use super::machine::{aligned, spare};
use super::number::{Number, Whole};
use super::rule::at;
use super::shape::Dims;
use super::short_rows::{SINGLES, short_total, total_of};
use super::sums::{exponentials, factors, maximum, minimum, squares, total, whole_total};
use super::view::View;

/// The number of elements that are added one after the other. The sums of these blocks are added in pairs, as vector
/// units do. So the error grows only with the logarithm of the number of elements.
const BLOCK: usize = 128;

/// The number of sums of a block that are made at the same time.
const LANES: usize = 8;

/// The elements that become one.
pub(super) struct Elements<'a, W> {
    view: View<'a>,
    /// The number of all elements.
    count: usize,
    /// The sizes and strides of all dimensions but the last one.
    outer: [Dims; 2],
    /// The number and the distance of the elements along the last dimension.
    length: usize,
    step: usize,
    through: aclDataType,
    /// Whether the elements have another type than `through`.
    is_cast: bool,
    /// Whether the elements and `through` are of single or half precision.
    is_single: bool,
    first: usize,
    /// Room for elements of single precision.
    room: Cell<Vec<f32>>,
    number: PhantomData<W>,
}

/// Returns the sizes and strides of all dimensions but the last one, and those of that. Elements without gaps are one row.
fn row_of(shape: &Dims, strides: &Dims) -> ([Dims; 2], usize, usize) {
    if *strides == shape.contiguous_strides() {
        return ([Dims::default(); 2], shape.elements().unwrap_or(0), 1);
    }
    let last = shape.rank().saturating_sub(1);
    let is_outer = |index| index != last;
    let outer = [shape.filtered(&is_outer), strides.filtered(&is_outer)];
    (
        outer,
        at(shape.as_slice(), last),
        at(strides.as_slice(), last),
    )
}

impl<'a, W: Number> Elements<'a, W> {
    /// Makes the elements of a view with this shape and these strides, and converts them to the type `through`.
    pub(super) fn new(
        view: View<'a>,
        dtype: aclDataType,
        through: aclDataType,
        (shape, strides): (&Dims, &Dims),
    ) -> Self {
        let (outer, length, step) = row_of(shape, strides);
        Self {
            view,
            count: shape.elements().unwrap_or(0),
            outer,
            length,
            step,
            through,
            is_cast: dtype != through,
            is_single: [dtype, through].iter().all(|one| SINGLE.contains(one)),
            first: 0,
            room: Cell::default(),
            number: PhantomData,
        }
    }

    /// Moves the elements: the first one is `first` elements behind the first one of the view.
    pub(super) fn start_at(&mut self, first: usize) {
        self.first = first;
    }

    /// Returns the number of elements.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Calls a function with blocks of the elements, in order.
    pub(super) fn each(&self, visit: &mut dyn FnMut(&[W])) {
        self.each_block(&mut [W::ZERO; BLOCK], visit);
    }

    /// Calls a function with blocks of the elements, in order, which are as large as `room`. A view that repeats elements
    /// may be larger than memory.
    fn each_block<V: Number>(&self, room: &mut [V], visit: &mut dyn FnMut(&[V])) {
        let [shape, strides] = &self.outer;
        for row in shape.offsets(*strides) {
            for start in (0..self.length).step_by(room.len()) {
                let len = room.len().min(self.length - start);
                let Some(block) = room.get_mut(..len) else {
                    continue;
                };
                let first = self.first + row + start * self.step;
                let own = if self.step == 1 && !self.is_cast {
                    // SAFETY: `visit` is a function of this file or one that only compares; neither writes to a tensor.
                    unsafe { self.view.own(first, len) }
                } else {
                    None
                };
                if let Some(own) = own {
                    self.view.prefetch(first + len, len);
                    visit(own);
                    continue;
                }
                self.view.read(first, self.step, block);
                if self.step == 1 {
                    // The processor reads what follows, often the next row, while these elements are added.
                    self.view.prefetch(first + len, len);
                }
                if self.is_cast {
                    V::quantise(self.through, block);
                }
                visit(block);
            }
        }
    }

    /// Returns whether all elements are next to each other, and of the type `through`.
    fn is_dense(&self) -> bool {
        let [shape, _] = &self.outer;
        shape.elements() == Some(1) && self.step == 1 && !self.is_cast
    }

    /// Calls a function with blocks of elements of single or half precision.
    fn each_single(&self, visit: &mut dyn FnMut(&[f32])) {
        if self.is_dense() {
            // SAFETY: the functions of this file, which call this one, write nothing to a tensor.
            let row = unsafe { self.view.own(self.first, self.length) };
            if let Some(row) = row {
                // All are next to each other.
                return visit(row);
            }
        }
        let mut room = self.room.take();
        room.resize(SINGLES + spare::<f32>(), 0.0);
        self.each_block(aligned(&mut room, SINGLES), visit);
        self.room.set(room);
    }

    /// Returns the sum of the elements, or of a function of them.
    pub(super) fn sum(&self, function: Option<&dyn Fn(W) -> W>) -> W {
        let mut sums = Pairs::default();
        self.each(&mut |block| {
            let mut lanes = [W::ZERO; LANES];
            let (mut whole, mut rest) = block.as_chunks::<LANES>();
            if function.is_some() {
                (whole, rest) = (&[], block);
            }
            // Without a function this loop becomes vectors.
            for chunk in whole {
                for (sum, one) in lanes.iter_mut().zip(chunk) {
                    *sum = *sum + *one;
                }
            }
            for chunk in rest.chunks(LANES) {
                for (sum, one) in lanes.iter_mut().zip(chunk) {
                    *sum = *sum + function.map_or(*one, |function| function(*one));
                }
            }
            let mut sum = W::ZERO;
            for lane in lanes {
                sum = sum + lane;
            }
            sums.push(sum);
        });
        sums.total()
    }

    /// Combines the elements, in any order; `None` if there are none.
    pub(super) fn fold(&self, combine: fn(W, W) -> W) -> Option<W> {
        let mut result = None;
        self.each(&mut |block| {
            for one in block {
                result = Some(result.map_or(*one, |before| combine(before, *one)));
            }
        });
        result
    }
}

impl Elements<'_, Whole> {
    /// Returns the sum.
    pub(super) fn total(&self) -> Whole {
        if self.is_dense() {
            // SAFETY: this function writes nothing to a tensor.
            if let Some(row) = unsafe { self.view.own(self.first, self.length) } {
                return whole_total(row);
            }
        }
        let mut sum = Whole::ZERO;
        self.each(&mut |block| sum = sum + whole_total(block));
        sum
    }
}

impl Elements<'_, f64> {
    /// Returns the sum. That of elements of single precision begins with sums of a few numbers in single precision.
    pub(super) fn total(&self) -> f64 {
        if !self.is_single {
            return self.sum(None);
        }
        if self.is_dense()
            && let Some(of_halves) = total_of(self.through)
            && let Some(place) = self.view.halves(self.first, self.length)
        {
            // SAFETY: the view has these elements, at an aligned address. The functions of this file, which call this one,
            // write nothing to a tensor. `total_of` was asked on this processor.
            return unsafe { of_halves(place, self.length) };
        }
        let mut sum = 0.0;
        self.each_single(&mut |block| sum += short_total(block));
        sum
    }

    /// Returns the sum, which for elements of single precision is made in double precision.
    pub(super) fn exact_total(&self) -> f64 {
        if !self.is_single || is_half(self.through) {
            return self.total();
        }
        let mut sum = 0.0;
        self.each_single(&mut |block| sum += total(block));
        sum
    }

    /// Returns whether the elements are of single or half precision.
    pub(super) fn is_single(&self) -> bool {
        self.is_single
    }

    /// Returns the product.
    pub(super) fn product(&self) -> f64 {
        if !self.is_single {
            return self.fold(|one, other| one * other).unwrap_or(1.0);
        }
        let mut product = 1.0;
        self.each_single(&mut |block| product *= factors(block));
        product
    }

    /// Returns the logarithm of the sum of the exponentials of elements of single or half precision.
    pub(super) fn log_sum_exp(&self) -> f64 {
        let most = match self.count {
            0 => f64::NEG_INFINITY,
            _ => self.extreme(true),
        };
        // An infinite element is the result.
        let most = if most.is_finite() { most } else { 0.0 };
        let mut sum = 0.0;
        // CAST: the largest of elements of single precision.
        self.each_single(&mut |block| sum += exponentials(block, most as f32));
        sum.ln() + most
    }

    /// Returns the sum of the squares of the differences to `mean`.
    pub(super) fn squares(&self, mean: f64) -> f64 {
        if !self.is_single {
            return self.sum(Some(&|one| (one - mean) * (one - mean)));
        }
        let mut sum = 0.0;
        self.each_single(&mut |block| sum += squares(block, mean));
        sum
    }

    /// Returns the largest or the smallest element, or NaN if there is one; 0 if there are no elements.
    pub(super) fn extreme(&self, is_largest: bool) -> f64 {
        type Choose<W> = fn(W, W) -> W;
        let (of_block, single, double): (fn(&[f32]) -> f32, Choose<f32>, Choose<f64>) =
            if is_largest {
                (maximum, f32::larger, f64::larger)
            } else {
                (minimum, f32::smaller, f64::smaller)
            };
        if !self.is_single {
            return self.fold(double).unwrap_or(0.0);
        }
        let mut extreme = None;
        self.each_single(&mut |block| {
            let one = of_block(block);
            extreme = Some(extreme.map_or(one, |before| single(before, one)));
        });
        extreme.map_or(0.0, f64::from)
    }
}

/// Sums of blocks, of pairs of blocks, of pairs of pairs, and so on.
struct Pairs<W>(Vec<(W, u64)>);

impl<W> Default for Pairs<W> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<W: Number> Pairs<W> {
    /// Adds the sum of a block. The numbers of blocks in the sums are decreasing powers of 2.
    fn push(&mut self, mut sum: W) {
        let mut blocks = 1;
        while let Some((before, same)) = self.0.pop_if(|(_, other)| *other == blocks) {
            sum = before + sum;
            blocks += same;
        }
        self.0.push((sum, blocks));
    }

    fn total(self) -> W {
        let sums = self.0.into_iter().rev();
        sums.fold(W::ZERO, |sum, (before, _)| before + sum)
    }
}

#[cfg(test)]
mod tests {
    use super::Pairs;

    #[test]
    fn a_sum_of_many_is_not_stuck_at_the_precision_of_one() {
        let mut sums = Pairs::default();
        for _ in 0..(1 << 24) + 1000 {
            sums.push(1.0_f32);
        }
        assert_eq!(sums.total(), 16_778_216.0);
        assert_eq!(Pairs::<f64>::default().total(), 0.0);
    }
}
