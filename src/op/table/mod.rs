//! The tables of operators, a file for each family.
//!
//! An entry has the type that names the operator with the families of its element types, the function with its
//! parameters in C's order, the two functions of C, and the check of shapes. It gives the operator as a type, and the
//! function that checks the shapes and makes the plan.
//!
//! | parameter | C | the function takes |
//! |---|---|---|
//! | `in T` | a tensor that is read | a `Tensor` of any layout |
//! | `dense T` | a tensor that is read | a contiguous `Tensor` |
//! | `image T`, `image_out T` | a tensor with named dimensions | a `Tensor` or `TensorOut` of any layout |
//! | `maybe T` | a tensor that is read, or null | an `Option` of a contiguous `Tensor` |
//! | `index I`, `dense_index I` | a tensor of indices | `Indices` of any layout, or contiguous ones |
//! | `positions I` | a tensor whose rows are positions | `Positions` |
//! | `mask` | a list of a tensor that chooses elements | `Mask` |
//! | `groups` | a tensor with a number for each group of rows | `Groups` |
//! | `list T`, `dense_list T` | a list of tensors | `&[&Tensor]` of any layout, or contiguous ones |
//! | `maybe_list T` | a list of tensors, or null | an `Option` of `&[&Tensor]`, contiguous ones |
//! | `index_list I` | a list of tensors of indices, some of them null | `&[Option<&Indices>]`, contiguous ones |
//! | `out T`, `dense_out T` | a tensor that is written | a `TensorOut` of any layout, or a contiguous one |
//! | `out_list T` | a list of tensors that are written | a `Vec` or an array of contiguous `TensorOut` |
//! | `out_up_to T` | a tensor of which the front is written | a `TensorUpTo` |
//! | `one_out T` | a list of a tensor that is written | a contiguous `TensorOut` |
//! | `maybe_out T` | a tensor that is written, or null | `Some` of a contiguous `TensorOut`, or `()` |
//! | `maybe_inout T` | a tensor that is changed, or null | the same, of memory that was written |
//! | `inout T`, `dense_inout T` | a tensor that is changed | a `TensorOut` of memory that was written, of any layout or contiguous |
//! | `only_out T`, `only_inout T` | the same, of an operator that reads no other tensor | the same |
//! | `scalar T` | a scalar | a `T` |
//! | `maybe_scalar T` | a scalar, or null | an `Option` of a `T` |
//! | `ints` | an array of whole numbers | `&[i64]` |
//! | `attr T` | a `T` | a `T` |
//! | `[A: value => T]` | a `T` | an `A`, of which `value` is computed |
//! | `(value) T` | a `T` | nothing: the value is fixed |
//!
//! A row, and what it gives ([`functions!`](crate::op::functions)):
//!
//! ```text
//! Add<T: Arithmetic>, add(a: in T, b: in T, alpha: scalar T, out: out T) = aclnnAdd, aclnnAddGetWorkspaceSize, |op| check;
//!
//! pub struct Add<T>(..); // an `Operator` with the parameters `(View<In<T>>, View<In<T>>, Scalar<T>, View<Out<T>>)`
//!
//! pub fn add<X, T, O>(
//!     current: Current<X::Device>,
//!     a: &Tensor<X, T, impl Layout>,                // the first tensor gives the site
//!     b: &Tensor<impl SameSite<X>, T, impl Layout>, // the others are there, too
//!     alpha: T,
//!     out: TensorOut<O, impl Layout>,
//! ) -> Result<Plan<X, types::Add<T>, O>>
//! where X: Site, T: Arithmetic, O: Output<X, T> {
//!     let op = "aclnnAdd";
//!     check?;
//!     Plan::prepare(current, (a, b, alpha, out))
//! }
//! ```
//!
//! A new kind of parameter is a row of the table above, and an arm of `parameter!` and of `function!`. If the function takes it
//! by reference, it is an arm of `reference!`; if as an `Option`, of `shown!`.

pub(super) mod activation;
pub(super) mod attention;
#[cfg(feature = "training")]
pub(super) mod backward;
pub(super) mod binary;
pub(super) mod binary_in_place;
#[cfg(feature = "more-operators")]
pub(super) mod border;
#[cfg(feature = "more-operators")]
pub(super) mod combine;
pub(super) mod compare;
pub(super) mod convert;
pub(super) mod convolution;
pub(super) mod decided;
#[cfg(feature = "training")]
pub(super) mod derived;
#[cfg(feature = "more-operators")]
pub(super) mod drawn;
#[cfg(feature = "more-operators")]
pub(super) mod experts;
pub(super) mod fill;
#[cfg(feature = "training")]
pub(super) mod foreach;
#[cfg(feature = "more-operators")]
pub(super) mod further;
#[cfg(feature = "training")]
pub(super) mod gradient;
#[cfg(feature = "more-operators")]
pub(super) mod grouped;
pub(super) mod image;
pub(super) mod index;
pub(super) mod join;
pub(super) mod logic;
#[cfg(feature = "training")]
pub(super) mod loss;
pub(super) mod matrix;
#[cfg(feature = "more-operators")]
pub(super) mod moment;
pub(super) mod network;
pub(super) mod norm;
#[cfg(feature = "training")]
pub(super) mod optimize;
pub(super) mod order;
#[cfg(feature = "more-operators")]
pub(super) mod packed;
pub(super) mod part;
pub(super) mod place;
#[cfg(feature = "more-operators")]
pub(super) mod plain;
pub(super) mod quantize;
pub(super) mod random;
#[cfg(feature = "more-operators")]
pub(super) mod rank;
pub(super) mod reduce;
pub(super) mod rotate;
#[cfg(feature = "more-operators")]
pub(super) mod rows;
pub(super) mod scalar;
#[cfg(feature = "training")]
pub(super) mod scarce;
#[cfg(feature = "more-operators")]
pub(super) mod single;
#[cfg(feature = "training")]
pub(super) mod spread;
#[cfg(feature = "training")]
pub(super) mod tokens;
#[cfg(feature = "training")]
pub(super) mod train;
pub(super) mod unary;
#[cfg(feature = "more-operators")]
pub(super) mod versions;
#[cfg(feature = "more-operators")]
pub(super) mod volume;

use crate::error::Result;
use crate::op::functions::functions;

/// Each shape fits.
#[expect(clippy::unnecessary_wraps, reason = "as the checks that can fail")]
pub(super) const fn any_shape() -> Result<()> {
    Ok(())
}
