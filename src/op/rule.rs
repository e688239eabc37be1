//! Rules of shapes beyond those of [`shape`](crate::op::shape): an operator of a table names the one that it follows.

use crate::error::{Error, Result, Usage};
use crate::op::shape::{Dims, to_sizes};

impl Dims {
    /// Checks that the operands of `operator` broadcast to exactly this shape.
    pub(super) fn check_broadcast_of(
        &self,
        operator: &'static str,
        operands: &[&Dims],
    ) -> Result<()> {
        let rank = operands.iter().map(|operand| operand.rank).max();
        let at = |dims: &Dims, from_last: usize| {
            let sizes = dims.sizes();
            sizes.iter().rev().nth(from_last).copied().unwrap_or(1)
        };
        let fits = |from_last: usize| {
            let mut sizes = operands
                .iter()
                .map(|operand| at(operand, from_last))
                .filter(|size| *size != 1);
            let size = sizes.next().unwrap_or(1);
            sizes.all(|other| other == size) && at(self, from_last) == size
        };
        if rank == Some(self.rank) && (0..self.rank).all(fits) {
            return Ok(());
        }
        let wrong = Usage::Broadcast {
            operator,
            operands: operands.iter().map(|operand| operand.to_vec()).collect(),
            output: self.to_vec(),
        };
        Err(wrong.into())
    }

    /// Checks that the tensor has `rank` dimensions.
    pub(super) fn check_rank(&self, operator: &'static str, rank: usize) -> Result<()> {
        if self.rank == rank {
            return Ok(());
        }
        let shape = self.to_vec();
        Err(Usage::OperandRank {
            operator,
            shape,
            rank,
        }
        .into())
    }

    /// Checks that this is the shape `expected`, of an operand beside `first`.
    pub(super) fn check_beside(
        &self,
        operator: &'static str,
        first: &Dims,
        expected: &[i64],
    ) -> Result<()> {
        if self.sizes() == expected {
            return Ok(());
        }
        Err(self.is_not_beside(operator, first, expected))
    }

    /// The error of an operand of this shape beside `first`, which should be `expected`.
    #[cold]
    fn is_not_beside(&self, operator: &'static str, first: &Dims, expected: &[i64]) -> Error {
        let wrong = Usage::OperandShape {
            operator,
            first: first.to_vec(),
            expected: to_sizes(expected),
            shape: self.to_vec(),
        };
        wrong.into()
    }

    /// Checks that this is the shape of the operand `first` beside it.
    #[cfg(feature = "training")]
    #[inline(always)]
    pub(super) fn check_like(&self, operator: &'static str, first: &Dims) -> Result<()> {
        /// By value: a path that took the addresses of shapes would keep them in memory for all paths.
        #[cold]
        #[inline(never)]
        fn differs(shape: Dims, operator: &'static str, first: Dims) -> Error {
            shape.is_not_beside(operator, &first, first.sizes())
        }
        if self.sizes() == first.sizes() {
            return Ok(());
        }
        Err(differs(*self, operator, *first))
    }

    /// Checks that this is the shape `[1]`, of an operand beside `first`.
    #[cfg(any(feature = "more-operators", feature = "training"))]
    #[inline(always)]
    pub(super) fn check_number(&self, operator: &'static str, first: &Dims) -> Result<()> {
        /// By value, as in `check_like`.
        #[cold]
        #[inline(never)]
        fn differs(shape: Dims, operator: &'static str, first: Dims) -> Error {
            shape.is_not_beside(operator, &first, &[1])
        }
        if self.sizes() == [1] {
            return Ok(());
        }
        Err(differs(*self, operator, *first))
    }

    /// Checks that the output has one element, as a vector or without dimensions.
    pub(super) fn check_one(&self, operator: &'static str, operand: &Dims) -> Result<()> {
        match self.sizes() {
            [] => operand.check_filled(operator, self),
            _ => self
                .check_is(operator, operand, &[1])
                .and_then(|()| operand.check_filled(operator, self)),
        }
    }

    /// Checks that the output has the shape of an operand with the dimension `axis`.
    pub(super) fn check_along(
        &self,
        operator: &'static str,
        operand: &Dims,
        axis: i64,
    ) -> Result<()> {
        // A scalar has a dimension of one element here.
        if operand.rank > 0 || !(-1..=0).contains(&axis) {
            operand.axis(operator, axis)?;
        }
        self.check_same(operator, operand)
    }

    /// Checks the shapes of a normalisation over the last dimensions, which are those of `weight`: of its output, and of its
    /// figures, which have one element in these dimensions.
    pub(super) fn check_normalised(
        operator: &'static str,
        operand: &Dims,
        weights: &[&Dims],
        outputs: &[&Dims],
        figures: &[&Dims],
    ) -> Result<()> {
        let sizes = operand.sizes();
        let first = weights.first().map_or(0, |weight| weight.rank);
        let outer = sizes.len().saturating_sub(first.max(1));
        let last = sizes.get(outer..).unwrap_or_default();
        for weight in weights {
            weight.check_beside(operator, operand, last)?;
        }
        for output in outputs {
            output.check_same(operator, operand)?;
        }
        let ones = |(dim, size): (usize, &i64)| if dim < outer { *size } else { 1 };
        let expected: Vec<i64> = sizes.iter().enumerate().map(ones).collect();
        figures.iter().try_for_each(|figure| {
            figure.check_is(operator, operand, &expected)?;
            operand.check_filled(operator, figure)
        })
    }

    /// Checks that this is the shape of the product of matrices of `batch` more dimensions than a matrix.
    pub(super) fn check_matrices(
        &self,
        operator: &'static str,
        left: &Dims,
        right: &Dims,
        rank: usize,
    ) -> Result<()> {
        left.check_rank(operator, rank)?;
        right.check_rank(operator, rank)?;
        self.check_product(operator, left, right)
    }

    /// Checks that the last two dimensions are equal.
    #[cfg(feature = "more-operators")]
    pub(super) fn check_squares(&self, operator: &'static str) -> Result<()> {
        if let [.., rows, columns] = self.sizes()
            && rows == columns
        {
            return Ok(());
        }
        let rule = "the last two sizes are equal";
        Err(self.numbers(operator, self.sizes(), rule))
    }

    /// Checks that this is the shape of the operand with its dimensions in the order `axes`.
    pub(super) fn check_permuted(
        &self,
        operator: &'static str,
        operand: &Dims,
        axes: &[i64],
    ) -> Result<()> {
        let permuted = operand.permuted(axes)?;
        self.check_is(operator, operand, permuted.sizes())
    }

    /// Checks that this is the shape of the operands, put side by side along a new dimension `axis`.
    pub(super) fn check_stacked<'a>(
        &self,
        operator: &'static str,
        mut operands: impl Iterator<Item = &'a Dims>,
        axis: i64,
    ) -> Result<()> {
        let Some(first) = operands.next() else {
            return Err(Usage::EmptyList { operator }.into());
        };
        let mut count = 1;
        for other in operands {
            other.check_beside(operator, first, first.sizes())?;
            count += 1;
        }
        let mut expected = first.sizes().to_vec();
        let rank = expected.len();
        let place = match usize::try_from(axis) {
            Ok(place) => place,
            Err(_) => (rank + 1).wrapping_add_signed(axis as isize),
        };
        if place > rank {
            let rank = rank + 1;
            return Err(Usage::Axis {
                operator,
                axis,
                rank,
            }
            .into());
        }
        expected.insert(place, count);
        self.check_is(operator, first, &expected)
    }

    /// Checks that this is the shape of the operand with other dimensions, the sizes `inner`, instead of `axis`.
    pub(super) fn check_replaced(
        &self,
        operator: &'static str,
        operand: &Dims,
        axis: i64,
        inner: &[i64],
    ) -> Result<()> {
        let expected = operand.replaced(operator, axis, inner)?;
        self.check_is(operator, operand, &expected)
    }

    /// Checks that this is the shape of `operand` with `count` elements in the dimension `axis`, of another operand.
    pub(super) fn check_source(
        &self,
        operator: &'static str,
        operand: &Dims,
        axis: i64,
        count: &[i64],
    ) -> Result<()> {
        let expected = operand.replaced(operator, axis, count)?;
        self.check_beside(operator, operand, &expected)
    }

    /// The sizes with the sizes `inner` instead of the dimension `axis`.
    fn replaced(&self, operator: &'static str, axis: i64, inner: &[i64]) -> Result<Vec<i64>> {
        let axis = self.axis(operator, axis)?;
        let mut sizes = self.sizes().to_vec();
        sizes.splice(axis..=axis, inner.iter().copied());
        Ok(sizes)
    }

    /// Checks that this is the shape of the operand, repeated as often as `repeats` says for each dimension; what it has more
    /// are new dimensions in front.
    pub(super) fn check_repeated(
        &self,
        operator: &'static str,
        operand: &Dims,
        repeats: &[i64],
    ) -> Result<()> {
        let sizes = operand.sizes();
        let new = repeats.len().checked_sub(sizes.len());
        match new {
            Some(new) if repeats.iter().all(|count| *count > 0) => {
                let sizes = std::iter::repeat_n(&1, new).chain(sizes);
                let expected: Vec<i64> = sizes
                    .zip(repeats)
                    .map(|(size, count)| size.saturating_mul(*count))
                    .collect();
                self.check_is(operator, operand, &expected)
            }
            _ => Err(operand.numbers(
                operator,
                repeats,
                "one for each dimension, none of them less than 1",
            )),
        }
    }

    /// Checks that this is the shape of the operand with more elements at the ends: `pad` has how many in front and how many
    /// behind, for the last dimension first.
    pub(super) fn check_padded(
        &self,
        operator: &'static str,
        operand: &Dims,
        pad: &[i64],
    ) -> Result<()> {
        let mut expected = operand.sizes().to_vec();
        let pairs = pad.chunks(2);
        if !pad.len().is_multiple_of(2) || pairs.len() > expected.len() {
            return Err(operand.numbers(
                operator,
                pad,
                "two for each dimension, from the last one on",
            ));
        }
        for (size, pair) in expected.iter_mut().rev().zip(pairs) {
            for more in pair {
                *size = size.saturating_add(*more);
            }
        }
        self.check_is(operator, operand, &expected)?;
        operand.check_filled(operator, self)
    }

    /// Checks that the dimensions are those of the operand, each once.
    pub(super) fn check_axes(&self, operator: &'static str, axes: &[i64]) -> Result<()> {
        let mut seen = Vec::with_capacity(axes.len());
        for axis in axes {
            let axis = self.axis(operator, *axis)?;
            if seen.contains(&axis) {
                return Err(Usage::RepeatedAxis { operator, axis }.into());
            }
            seen.push(axis);
        }
        Ok(())
    }

    /// The shape of the numbers of images of `N` dimensions at the places of a grid: the batch and the channels of the images, and
    /// the dimensions of the grid.
    #[cfg(any(feature = "more-operators", feature = "training"))]
    pub(super) fn grid_output<const N: usize>(
        &self,
        operator: &'static str,
        grid: &Dims,
        way: i64,
        ways: i64,
        ends: i64,
    ) -> Result<Vec<i64>> {
        self.check_rank(operator, N + 2)?;
        grid.check_rank(operator, N + 2)?;
        let (sizes, places) = (self.sizes(), grid.sizes());
        let rule = "no image is without elements, and a way and ends have one of the numbers of C";
        if sizes.iter().skip(2).any(|size| *size == 0)
            || !(0..ways).contains(&way)
            || !(0..3).contains(&ends)
        {
            return Err(self.numbers(operator, &[way, ends], rule));
        }
        let mut expected = places.to_vec();
        if let ([first, .., last], Some(batch)) = (&mut *expected, sizes.first()) {
            // CAST: the number of dimensions.
            (*first, *last) = (*batch, N as i64);
        }
        grid.check_beside(operator, self, &expected)?;
        let mut shape = sizes.get(..2).unwrap_or_default().to_vec();
        shape.extend_from_slice(places.get(1..=N).unwrap_or_default());
        Ok(shape)
    }

    /// The error of numbers that do not fit the operand.
    pub(super) fn numbers(
        &self,
        operator: &'static str,
        numbers: &[i64],
        rule: &'static str,
    ) -> Error {
        let wrong = Usage::Numbers {
            operator,
            numbers: numbers.to_vec(),
            shape: self.to_vec(),
            rule,
        };
        wrong.into()
    }
}
