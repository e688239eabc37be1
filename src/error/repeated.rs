//! Plans that do not run several times, and tensors that do not go with those that do.

use super::{Error, Usage};

/// A plan that runs once only, or a tensor that cannot replace the one that a repeatable plan was made with.
///
/// ```
/// use ascendcl::error::{Repeated, Usage};
/// use ascendcl::{Error, ErrorKind};
///
/// fn needs_a_new_plan(error: &Error) -> bool {
///     matches!(error.kind(), ErrorKind::Usage(Usage::Repeated(Repeated::OtherShape { .. })))
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Repeated {
    /// A plan that cannot run several times.
    #[error(
        "{operator}: the second phase waits for what the data decide, so the plan runs once only: make a plan for each run"
    )]
    Once {
        /// The operator.
        operator: &'static str,
    },
    /// Another shape.
    #[error(
        "{operator}: tensor {tensor} has the shape {given:?}, and the plan was made for {planned:?}: make a plan for this shape"
    )]
    OtherShape {
        /// The operator.
        operator: &'static str,
        /// Which of its tensors, from 0.
        tensor: usize,
        /// Shape that the plan was made for.
        planned: Vec<usize>,
        /// Shape of this run.
        given: Vec<usize>,
    },
    /// Other strides, or another place of the first element in its memory.
    #[error(
        "{operator}: tensor {tensor} lies otherwise than in the plan: only its address may change, and its strides and its \
         offset in its memory stay; take a part of the memory, `buffer.slice(..)?.tensor(..)?`, and no view, or make a \
         plan for this tensor"
    )]
    OtherLayout {
        /// The operator.
        operator: &'static str,
        /// Which of its tensors, from 0.
        tensor: usize,
    },
    /// Indices with a larger bound.
    #[error(
        "{operator}: the indices of tensor {tensor} are less than {given}, and those of the plan less than {planned}: compare \
         them with that number"
    )]
    LargerBound {
        /// The operator.
        operator: &'static str,
        /// Which of its tensors, from 0.
        tensor: usize,
        /// Bound that the plan was made for.
        planned: usize,
        /// Bound of this run.
        given: usize,
    },
    /// A tensor that was left out in the plan alone, or in this run alone.
    #[error(
        "{operator}: tensor {tensor} was {}: a run has the tensors that the plan was made with",
        if *is_planned { "left out, and the plan has it" } else { "given, and the plan was made without it" }
    )]
    Missing {
        /// The operator.
        operator: &'static str,
        /// Which of its tensors, from 0.
        tensor: usize,
        /// Whether the plan has it.
        is_planned: bool,
    },
}

impl From<Repeated> for Usage {
    fn from(wrong: Repeated) -> Usage {
        Usage::Repeated(wrong)
    }
}

impl From<Repeated> for Error {
    fn from(wrong: Repeated) -> Error {
        Usage::from(wrong).into()
    }
}
