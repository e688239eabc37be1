//! Models without fixed sizes, and buffers that do not fit the description of a model.

use ascendcl_sys as sys;

/// A model without fixed sizes, or buffers of a run that are not those of the description of a model. Nothing has run.
///
/// ```
/// use ascendcl::error::{ModelMismatch, Usage};
/// use ascendcl::{Error, ErrorKind};
///
/// fn has_gears(error: &Error) -> bool {
///     matches!(error.kind(), ErrorKind::Usage(Usage::Model(ModelMismatch::Sizes { .. })))
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelMismatch {
    /// Another number of inputs or outputs.
    #[error(
        "the model has {expected} {side}, and {passed} were passed: pass a tuple with one buffer for each"
    )]
    Count {
        /// `inputs` or `outputs`.
        side: &'static str,
        /// Number of buffers that were passed.
        passed: usize,
        /// Number that the model has.
        expected: usize,
    },
    /// A buffer whose elements have another type.
    #[error(
        "`{name}` of the model has elements of type {expected:?}, and the buffer {passed:?}: convert them first"
    )]
    Element {
        /// Name of the input or output.
        name: String,
        /// Element type of the buffer.
        passed: sys::aclDataType,
        /// Element type that the model has.
        expected: sys::aclDataType,
    },
    /// A buffer of another size.
    #[error(
        "`{name}` of the model has {expected} bytes, and the buffer {passed}: allocate one element for each of the model"
    )]
    Size {
        /// Name of the input or output.
        name: String,
        /// Bytes of the buffer.
        passed: usize,
        /// Bytes that the model needs.
        expected: usize,
    },
    /// A model whose sizes differ from run to run. It was not loaded.
    #[error(
        "`{name}` of the model has no fixed size: load a model with gears by `load_geared_model`, or convert the model \
         with fixed shapes, without `--dynamic_batch_size`, `--dynamic_image_size`, `--dynamic_dims` and dynamic AIPP"
    )]
    Sizes {
        /// Name of the input or output.
        name: String,
    },
    /// A model without gears of the kind that it was loaded with. It was not loaded.
    #[error(
        "the model was not compiled with `{option}`: load a model of one size by `load_model`, and one with other gears \
         by their kind"
    )]
    Gears {
        /// The option of `atc` for gears of this kind.
        option: &'static str,
    },
    /// A gear that the model does not have.
    #[error("the model has no gear {passed:?}: its gears are {known:?}")]
    Gear {
        /// Values of the gear.
        passed: Vec<i64>,
        /// Values of the gears of the model.
        known: Vec<Vec<i64>>,
    },
    /// Weights that were allocated for another file.
    #[error(
        "the weights belong to another `ModelFile`: allocate them by `malloc_weights` for the file of this load"
    )]
    Weights,
}
