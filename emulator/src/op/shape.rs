//! Dimensions, strides and broadcasting of the tensors of `aclnn/acl_meta.h`.
//!
//! The rules of broadcasting are those of the operator manuals (and of NumPy). Shapes are aligned at their last
//! dimension. A dimension that is missing or has size 1 is repeated.

use core::fmt;

use super::rule::at;

/// The largest number of dimensions of a tensor. The operator manuals set this limit.
pub(super) const MAX_RANK: usize = 8;

/// A short list of sizes: a shape, or the strides of one, in elements.
///
/// # Invariants
///
/// - `rank` is at most [`MAX_RANK`].
/// - The values behind `rank` are 0, so that `==` compares shapes.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Dims {
    rank: usize,
    values: [usize; MAX_RANK],
}

impl Dims {
    /// The shape of a tensor without elements.
    pub(super) const NOTHING: Self = {
        let (rank, values) = (1, [0; MAX_RANK]);
        Self { rank, values }
    };

    /// Makes a list of these values; `None` if there are more than [`MAX_RANK`].
    pub(super) fn new(values: impl IntoIterator<Item = usize>) -> Option<Self> {
        let mut dims = Self::default();
        for value in values {
            dims.push(value)?;
        }
        Some(dims)
    }

    /// Adds a value; `None` if there are [`MAX_RANK`] already.
    fn push(&mut self, value: usize) -> Option<()> {
        // INVARIANT: a value behind the last slot is refused, so the rank stays in bounds.
        *self.values.get_mut(self.rank)? = value;
        self.rank += 1;
        Some(())
    }

    /// Returns the number of dimensions.
    pub(super) fn rank(&self) -> usize {
        self.rank
    }

    /// Returns the values, outermost first.
    pub(super) fn as_slice(&self) -> &[usize] {
        self.values.get(..self.rank).unwrap_or_default()
    }

    /// Returns the values, outermost first.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + '_ {
        self.as_slice().iter().copied()
    }

    /// Returns the number of elements of this shape; `None` on overflow.
    pub(super) fn elements(&self) -> Option<usize> {
        elements(self.iter())
    }

    /// Returns the strides of a contiguous tensor of this shape; the last dimension is the fastest.
    pub(super) fn contiguous_strides(&self) -> Self {
        let mut strides = *self;
        let mut stride = 1usize;
        for value in strides.values.iter_mut().take(self.rank).rev() {
            let size = core::mem::replace(value, stride);
            // Saturating is enough: no tensor has a shape with strides so large.
            stride = stride.saturating_mul(size.max(1));
        }
        strides
    }

    /// Returns the offset of the element with the number `index`; the last dimension counts fastest. `None` if
    /// `index` is too large.
    pub(super) fn offset(&self, strides: &Dims, index: usize) -> Option<usize> {
        let (mut rest, mut offset) = (index, 0);
        for (size, stride) in self.iter().zip(strides.iter()).rev() {
            offset += rest.checked_rem(size)? * stride;
            rest /= size;
        }
        (rest == 0).then_some(offset)
    }

    /// Returns a shape of one dimension if this one has no elements: a walk would count rows that have none, and there can be 2^40
    /// of them.
    pub(super) fn without_empty_rows(self) -> Self {
        if self.elements() != Some(0) {
            return self;
        }
        let mut empty = Self::default();
        empty.push(0);
        empty
    }

    /// Returns the offset of each element; the last dimension counts fastest.
    pub(super) fn offsets(self, strides: Dims) -> impl Iterator<Item = usize> {
        let mut index = [0usize; MAX_RANK];
        let mut next = (self.elements() != Some(0)).then_some(0);
        let last = self.rank.saturating_sub(1);
        let (size, step) = (at(self.as_slice(), last), at(strides.as_slice(), last));
        core::iter::from_fn(move || {
            let current = next?;
            // Most elements have their next one in the same row.
            if let Some(position) = index.get_mut(last)
                && *position + 1 < size
            {
                *position += 1;
                next = Some(current + step);
                return Some(current);
            }
            let mut offset = current;
            let positions = index.get_mut(..self.rank).unwrap_or_default().iter_mut();
            let dims = positions.zip(self.iter()).zip(strides.iter());
            let mut is_over = true;
            for ((position, size), stride) in dims.rev() {
                *position += 1;
                if *position < size {
                    offset += stride;
                    is_over = false;
                    break;
                }
                offset -= (size - 1) * stride;
                *position = 0;
            }
            next = (!is_over).then_some(offset);
            Some(current)
        })
    }

    /// Returns these strides of a shape for another shape, to which the first is broadcast.
    pub(super) fn stretched(&self, shape: &Dims, to: &Dims) -> Self {
        let missing = to.rank() - shape.rank().min(to.rank());
        let own = shape.iter().zip(self.iter());
        let own = own.map(|(size, stride)| if size == 1 { 0 } else { stride });
        // There are at most as many strides as the other shape has dimensions.
        Self::new(core::iter::repeat_n(0, missing).chain(own)).unwrap_or_default()
    }

    /// Returns the strides of a tensor of this shape whose positions all have one element.
    pub(super) fn repeated(&self) -> Self {
        let values = [0; MAX_RANK];
        Self { values, ..*self }
    }

    /// Returns the values with the last two exchanged.
    pub(super) fn transposed(mut self) -> Self {
        if let Some(last) = self.rank.checked_sub(2) {
            self.values
                .get_mut(last..self.rank)
                .unwrap_or_default()
                .reverse();
        }
        self
    }

    /// Returns whether no two positions of this shape share an element. It is true only if the strides alone tell it: each one
    /// is longer than the way over all dimensions with shorter strides.
    pub(super) fn has_own_elements(&self, strides: &Dims) -> bool {
        let mut dims = [(0, 0); MAX_RANK];
        for (dim, (size, stride)) in dims.iter_mut().zip(self.iter().zip(strides.iter())) {
            // The stride of a dimension with one position is never used.
            *dim = if size > 1 { (stride, size - 1) } else { (0, 0) };
        }
        ascend(&mut dims);
        let mut reach = 0usize;
        dims.into_iter().all(|(stride, steps)| {
            let is_beyond = steps == 0 || stride > reach;
            reach = reach.saturating_add(stride.saturating_mul(steps));
            is_beyond
        })
    }

    /// Returns the dimensions for whose index `keep` returns true.
    pub(super) fn filtered(&self, keep: &dyn Fn(usize) -> bool) -> Self {
        let mut chosen = Self::default();
        for (index, value) in self.values.into_iter().enumerate() {
            // There are at most as many dimensions as before.
            if index < self.rank && keep(index) && chosen.push(value).is_none() {
                break;
            }
        }
        chosen
    }

    /// Returns the dimensions for whose index `is_second` is false, and the others.
    pub(super) fn split(&self, is_second: &dyn Fn(usize) -> bool) -> (Self, Self) {
        (
            self.filtered(&|index| !is_second(index)),
            self.filtered(is_second),
        )
    }

    /// Returns the value of dimension `back`, counted from the last one.
    fn at_back(&self, back: usize) -> Option<usize> {
        let index = self.rank.checked_sub(back.checked_add(1)?)?;
        self.values.get(index).copied()
    }
}

impl fmt::Debug for Dims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl fmt::Display for Dims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Returns the product of sizes; `None` on overflow. If a size is 0, the product is 0.
pub(super) fn elements(sizes: impl Iterator<Item = usize>) -> Option<usize> {
    let (mut product, mut empty) = (Some(1usize), false);
    for size in sizes {
        empty |= size == 0;
        product = product.and_then(|product| product.checked_mul(size));
    }
    if empty { Some(0) } else { product }
}

/// Returns the shape to which both operands are broadcast; `None` if they do not fit.
pub(super) fn broadcast(left: &Dims, right: &Dims) -> Option<Dims> {
    let rank = left.rank().max(right.rank());
    let mut dims = Dims {
        rank,
        ..Dims::default()
    };
    for (back, value) in dims.values.iter_mut().take(rank).rev().enumerate() {
        *value = match (
            left.at_back(back).unwrap_or(1),
            right.at_back(back).unwrap_or(1),
        ) {
            (a, b) if a == b => a,
            (1, b) => b,
            (a, 1) => a,
            _ => return None,
        };
    }
    Some(dims)
}

/// Sorts pairs of a stride and a size. There are at most [`MAX_RANK`], so each one moves to its place past larger ones.
pub(super) fn ascend(dims: &mut [(usize, usize)]) {
    for end in 1..dims.len() {
        for at in (1..=end).rev() {
            if dims.get(at - 1) <= dims.get(at) {
                break;
            }
            dims.swap(at - 1, at);
        }
    }
}

/// A loop of a walk over `N` operands and their result: the number of steps, and the step of each view in elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Loop<const N: usize> {
    pub(super) count: usize,
    pub(super) out: usize,
    pub(super) inputs: [usize; N],
}

impl<const N: usize> Default for Loop<N> {
    fn default() -> Self {
        Self {
            count: 0,
            out: 0,
            inputs: [0; N],
        }
    }
}

/// Nested loops that visit each element of `out` once, together with the elements of all operands at the same
/// position.
///
/// # Invariants
///
/// - For every combination of positions `p < count` of all loops, the sums of `p * out` and of `p * inputs[i]` are
///   offsets of elements of the views.
/// - A walk over no elements has no outer loops and an inner count of 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Nest<const N: usize> {
    /// The outer loops, outermost first.
    pub(super) outer: Vec<Loop<N>>,
    /// The innermost loop, which has the smallest steps of `out`.
    pub(super) inner: Loop<N>,
}

impl<const N: usize> Nest<N> {
    /// Plans the walk over `shape`. Each operand has its own shape and strides. It is repeated in dimensions that it
    /// lacks or that have size 1.
    pub(super) fn new(shape: &Dims, out: &Dims, inputs: [(&Dims, &Dims); N]) -> Self {
        let step = |(shape, strides): (&Dims, &Dims), back| match shape.at_back(back) {
            // INVARIANT: a repeated dimension has the step 0, so offsets stay inside the operand.
            None | Some(1) => 0,
            Some(_) => strides.at_back(back).unwrap_or(0),
        };
        let mut loops = Vec::with_capacity(shape.rank());
        for (back, count) in shape.iter().rev().enumerate() {
            let mut one = Loop {
                count,
                out: out.at_back(back).unwrap_or(0),
                inputs: [0; N],
            };
            for (own, input) in one.inputs.iter_mut().zip(inputs) {
                *own = step(input, back);
            }
            loops.push(one);
        }
        Self::of_loops(&loops)
    }

    /// Plans the walk of these loops. The caller answers for the first invariant.
    pub(super) fn of_loops(given: &[Loop<N>]) -> Self {
        // Innermost first. The order of the loops is free, and sequential stores are the fastest: a walk over three
        // transposed tensors becomes a walk over three plain ones. A sort of the standard library would be much code
        // for a few loops.
        let mut loops: Vec<Loop<N>> = Vec::new();
        for one in given {
            if one.count == 0 {
                return Self {
                    outer: Vec::new(),
                    inner: Loop::default(),
                };
            }
            if one.count > 1 {
                let place = loops.partition_point(|other| other.out <= one.out);
                loops.insert(place, *one);
            }
        }
        let mut merged: Vec<Loop<N>> = Vec::with_capacity(loops.len());
        for one in loops {
            match merged.last_mut() {
                Some(below) if below.continues_as(&one) => below.count *= one.count,
                _ => merged.push(one),
            }
        }
        merged.reverse();
        let inner = merged.pop().unwrap_or(Loop {
            count: 1,
            ..Loop::default()
        });
        Self {
            outer: merged,
            inner,
        }
    }

    /// Returns the loop with the most steps, of which [`part`](Self::part) makes shorter walks.
    pub(super) fn longest(&self) -> &Loop<N> {
        let mut longest = &self.inner;
        for one in self.outer.iter().rev() {
            if one.count > longest.count {
                longest = one;
            }
        }
        longest
    }

    /// Returns a walk with only `count` steps in the longest loop. It begins at the same elements.
    pub(super) fn part(&self, count: usize) -> Self {
        let longest = *self.longest();
        let mut part = self.clone();
        let found = part.outer.iter_mut().find(|one| **one == longest);
        // INVARIANT: fewer steps visit fewer elements.
        found.unwrap_or(&mut part.inner).count = count.min(longest.count);
        part
    }

    /// Returns whether a condition holds for each of the loops.
    pub(super) fn all(&self, holds: &mut dyn FnMut(&Loop<N>) -> bool) -> bool {
        self.outer.iter().all(&mut *holds) && holds(&self.inner)
    }

    /// Returns the number of elements that the loops visit.
    pub(super) fn elements(&self) -> usize {
        let mut elements = self.inner.count;
        for one in &self.outer {
            elements = elements.saturating_mul(one.count);
        }
        elements
    }
}

impl Loop<1> {
    /// Returns the loops over the dimensions of two tensors: with these sizes, and the distances in both.
    pub(super) fn of(sizes: &[usize], from: &[usize], to: &[usize]) -> Vec<Self> {
        let mut loops = Vec::with_capacity(sizes.len());
        for (index, count) in sizes.iter().enumerate() {
            loops.push(Self::new(*count, at(from, index), at(to, index)));
        }
        loops
    }

    /// Returns a loop of so many steps of these distances.
    pub(super) fn new(count: usize, from: usize, out: usize) -> Self {
        let inputs = [from];
        Self { count, out, inputs }
    }
}

impl<const N: usize> Loop<N> {
    /// Returns whether a step of `above` equals one more step at the end of this loop, so that the two loops can be
    /// one.
    fn continues_as(&self, above: &Self) -> bool {
        let next = |stride: usize| stride.checked_mul(self.count);
        let mut inputs = self.inputs.iter().zip(&above.inputs);
        next(self.out) == Some(above.out)
            && inputs.all(|(below, above)| next(*below) == Some(*above))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
    use super::*;

    fn dims(values: &[usize]) -> Dims {
        Dims::new(values.iter().copied()).unwrap()
    }

    #[test]
    fn parts_are_of_the_longest_loop() {
        let (shape, strides) = (dims(&[5, 3, 7]), dims(&[100, 10, 1]));
        let nest = Nest::new(&shape, &strides, [(&shape, &strides)]);
        assert_eq!(nest.longest().count, 7);
        assert_eq!(nest.part(2).inner.count, 2);
        assert_eq!(nest.part(2).elements(), 30);
        assert_eq!(nest.part(9), nest);
        let (shape, strides) = (dims(&[8, 3]), dims(&[100, 1]));
        let nest = Nest::new(&shape, &strides, [(&shape, &strides)]);
        assert_eq!(nest.part(1).outer.first().unwrap().count, 1);
        assert_eq!(nest.part(1).inner, nest.inner);
    }

    #[test]
    fn ranks_up_to_eight_fit() {
        assert_eq!(dims(&[]).rank(), 0);
        assert_eq!(dims(&[1; 8]).rank(), 8);
        assert_eq!(Dims::new([1; 9]), None);
    }

    #[test]
    fn elements_multiply_and_zero_wins_over_overflow() {
        assert_eq!(dims(&[]).elements(), Some(1));
        assert_eq!(dims(&[2, 3, 4]).elements(), Some(24));
        assert_eq!(dims(&[usize::MAX, 2]).elements(), None);
        assert_eq!(dims(&[usize::MAX, 2, 0]).elements(), Some(0));
    }

    #[test]
    fn contiguous_strides_count_from_the_last_dimension() {
        assert_eq!(dims(&[2, 3, 4]).contiguous_strides(), dims(&[12, 4, 1]));
        assert_eq!(dims(&[]).contiguous_strides(), dims(&[]));
        assert_eq!(dims(&[5, 0, 2]).contiguous_strides(), dims(&[2, 2, 1]));
    }

    #[test]
    fn positions_share_elements_where_a_stride_is_short() {
        for (shape, strides, is_apart) in [
            (&[2, 3, 4][..], &[12, 4, 1][..], true),
            (&[4, 3], &[1, 4], true),
            (&[4, 3], &[1, 3], false),
            (&[5, 3], &[1, 1], false),
            (&[5, 3], &[0, 1], false),
            (&[1, 3], &[0, 1], true),
            (&[2, 3, 4], &[100, 4, 1], true),
            (&[2, 3, 4], &[11, 4, 1], false),
            (&[2, 2], &[usize::MAX, 2], true),
            (&[3, 2, 2], &[usize::MAX, usize::MAX, 1], false),
            (&[], &[], true),
        ] {
            assert_eq!(
                dims(shape).has_own_elements(&dims(strides)),
                is_apart,
                "{shape:?} {strides:?}"
            );
        }
    }

    #[test]
    fn broadcasting_follows_numpy() {
        type Case = (&'static [usize], &'static [usize], Option<&'static [usize]>);
        let cases: [Case; 9] = [
            (&[], &[], Some(&[])),
            (&[3], &[], Some(&[3])),
            (&[2, 3], &[3], Some(&[2, 3])),
            (&[2, 1], &[1, 3], Some(&[2, 3])),
            (&[4, 1, 5], &[2, 1], Some(&[4, 2, 5])),
            (&[0], &[1], Some(&[0])),
            (&[0], &[2], None),
            (&[2, 3], &[2], None),
            (
                &[1, 1, 1, 1, 1, 1, 1, 1],
                &[7],
                Some(&[1, 1, 1, 1, 1, 1, 1, 7]),
            ),
        ];
        for (left, right, expected) in cases {
            let (left, right) = (dims(left), dims(right));
            assert_eq!(
                broadcast(&left, &right),
                expected.map(dims),
                "{left} {right}"
            );
            assert_eq!(
                broadcast(&right, &left),
                expected.map(dims),
                "{right} {left}"
            );
        }
    }

    #[test]
    fn same_shapes_without_gaps_are_one_loop() {
        let shape = dims(&[2, 3, 4]);
        let strides = shape.contiguous_strides();
        let nest = Nest::new(&shape, &strides, [(&shape, &strides); 2]);
        assert!(nest.outer.is_empty());
        assert_eq!(
            nest.inner,
            Loop {
                count: 24,
                out: 1,
                inputs: [1, 1]
            }
        );
    }

    #[test]
    fn three_transposed_views_are_one_loop_too() {
        let (shape, strides) = (dims(&[3, 2]), dims(&[1, 3]));
        let nest = Nest::new(&shape, &strides, [(&shape, &strides); 2]);
        assert!(nest.outer.is_empty());
        assert_eq!(nest.inner.count, 6);
    }

    #[test]
    fn a_repeated_row_keeps_an_inner_loop_without_gaps() {
        let (shape, row) = (dims(&[5, 7]), dims(&[7]));
        let nest = Nest::new(
            &shape,
            &shape.contiguous_strides(),
            [
                (&shape, &shape.contiguous_strides()),
                (&row, &row.contiguous_strides()),
            ],
        );
        assert_eq!(nest.inner.count, 7);
        assert_eq!(
            nest.outer,
            [Loop {
                count: 5,
                out: 7,
                inputs: [7, 0]
            }]
        );
    }

    #[test]
    fn nothing_to_visit_is_an_empty_inner_loop() {
        let shape = dims(&[3, 0, 2]);
        let strides = shape.contiguous_strides();
        let nest = Nest::new(&shape, &strides, [(&shape, &strides); 2]);
        assert!(nest.outer.is_empty());
        assert_eq!(nest.inner.count, 0);
    }

    #[test]
    fn a_single_element_is_visited_once() {
        let shape = dims(&[]);
        let nest = Nest::new(&shape, &shape, [(&shape, &shape); 2]);
        assert_eq!((nest.outer.len(), nest.inner.count), (0, 1));
    }
}
