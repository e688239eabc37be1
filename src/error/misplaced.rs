//! Mistakes of the caller about parts, ranges, indices and positions of tensors.

use super::{Error, Usage};

/// Parts, ranges, indices or positions that do not fit a tensor, or a tensor that has no elements for them.
///
/// ```
/// # ascendcl::example!(|acl, host, current| {
/// use ascendcl::error::{Misplaced, Usage};
/// use ascendcl::{Error, ErrorKind};
///
/// let rows = current.malloc_host_from(host, &[2_i64, 7])?;
/// let rows = current.memcpy(current.malloc(2)?, &rows)?;
/// let positions = rows.tensor(&[1, 2])?.positions(current, host, &[8]).map_err(Error::into_kind);
/// let Err(ErrorKind::Usage(Usage::Misplaced(Misplaced::PositionRow { bounds, .. }))) = positions else { return Ok(()) };
/// assert_eq!(bounds, 1);
/// # });
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Misplaced {
    /// An operand without elements, for which an operator may leave its output unwritten.
    #[error(
        "{operator}: an operand of the shape {shape:?} has no elements, so that the output may stay unwritten: leave out \
         the call, or pass elements"
    )]
    NoElements {
        /// The operator.
        operator: &'static str,
        /// Shape of the operand.
        shape: Vec<usize>,
    },
    /// Another number of outputs than there are parts.
    #[error(
        "{operator}: an operand of the shape {operand:?} has {parts} parts in dimension {axis}, and there are {outputs} \
         outputs: pass one for each part, and at least one"
    )]
    Parts {
        /// The operator.
        operator: &'static str,
        /// Shape of the operand.
        operand: Vec<usize>,
        /// The dimension, counted from 0.
        axis: usize,
        /// How many parts there are.
        parts: usize,
        /// How many outputs there are.
        outputs: usize,
    },
    /// An output that has no place for each number of a range, or for more.
    #[error(
        "{operator}: the range has {count} numbers, and the output has the shape {output:?}: describe the output by [{count}]"
    )]
    RangeLength {
        /// The operator.
        operator: &'static str,
        /// How many numbers there are.
        count: usize,
        /// Shape of the output.
        output: Vec<usize>,
    },
    /// A range whose numbers cannot be counted: its steps do not lead from the start to the end, one of its numbers is
    /// not finite, or it has 2^53 numbers or more (of integers: 2^63).
    #[error(
        "{operator}: no output has the length of this range, and this one has the shape {output:?}: pass a finite start and \
         end, and a step that leads from the start to the end in at most as many steps as a tensor has elements"
    )]
    NoRange {
        /// The operator.
        operator: &'static str,
        /// Shape of the output.
        output: Vec<usize>,
    },
    /// Indices from which on the new elements may not fit into the dimension.
    #[error(
        "{operator}: the indices are less than {below}, and {count} elements fit at the first {places} places of a dimension \
         of {size}: compare the indices with {places}, by `Tensor::indices`"
    )]
    IndexPlaces {
        /// The operator.
        operator: &'static str,
        /// The bound of the indices.
        below: usize,
        /// Places where all elements fit.
        places: usize,
        /// Elements that are stored at each place.
        count: usize,
        /// Elements of the dimension.
        size: usize,
    },
    /// A list of indices that does not fit the dimensions of the operand.
    #[error(
        "{operator}: the list of indices of the shapes {indices:?} does not fit an operand of the shape {operand:?}: {rule}"
    )]
    IndexList {
        /// The operator.
        operator: &'static str,
        /// Shapes of the indices.
        indices: Vec<Option<Vec<usize>>>,
        /// Shape of the operand.
        operand: Vec<usize>,
        /// The indices that fit.
        rule: &'static str,
    },
    /// Positions that may lie behind the dimensions into which they point.
    #[error(
        "{operator}: the positions are less than {below:?}, and the operand has the shape {shape:?}: compare them with its \
         first dimensions, by `Tensor::positions`"
    )]
    PositionBound {
        /// The operator.
        operator: &'static str,
        /// The bounds of the positions.
        below: Vec<usize>,
        /// Shape of the operand.
        shape: Vec<usize>,
    },
    /// Groups that do not have all rows of a matrix, or more than all.
    #[error(
        "{operator}: the groups have {rows} rows, and the matrix has {size}: pass groups that have all of them, and no more"
    )]
    GroupRows {
        /// The operator.
        operator: &'static str,
        /// Rows of all groups.
        rows: usize,
        /// Rows of the matrix.
        size: usize,
    },
    /// A size of a group that is negative, or an end in front of the one before.
    #[error(
        "the number {number} at {position} is none of a group behind row {end}: sizes are not negative, and ends do not \
         descend"
    )]
    Group {
        /// Where it stands in the tensor.
        position: usize,
        /// The number.
        number: i64,
        /// Where the group in front ends.
        end: i64,
    },
    /// Rows of positions that have no index for each bound.
    #[error(
        "{bounds} bounds are not one for each element of the last dimension of {shape:?}: pass a tensor whose rows are positions"
    )]
    PositionRow {
        /// Shape of the tensor.
        shape: Vec<usize>,
        /// How many bounds there are.
        bounds: usize,
    },
}

impl From<Misplaced> for Usage {
    fn from(wrong: Misplaced) -> Usage {
        Usage::Misplaced(wrong)
    }
}

impl From<Misplaced> for Error {
    fn from(wrong: Misplaced) -> Error {
        Usage::from(wrong).into()
    }
}
