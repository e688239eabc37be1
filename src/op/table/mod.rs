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
use crate::op::builtin::operators;

/// Each shape fits.
#[expect(clippy::unnecessary_wraps, reason = "as the checks that can fail")]
pub(super) const fn any_shape() -> Result<()> {
    Ok(())
}

/// The type of a parameter.
macro_rules! parameter {
    (in $T:ty) => { $crate::op::View<$crate::op::In<$T>> };
    (dense $T:ty) => { $crate::op::In<$T> };
    (index $T:ty) => { $crate::op::View<$crate::op::parameter::Index<$T>> };
    (dense_index $T:ty) => { $crate::op::parameter::Index<$T> };
    (image $T:ty) => { $crate::op::Images<$crate::op::In<$T>> };
    (image_out $T:ty) => { $crate::op::Images<$crate::op::Out<$T>> };
    (maybe $T:ty) => { Option<$crate::op::In<$T>> };
    (positions $T:ty) => { $crate::op::parameter::PositionRows<$T> };
    (index_list $T:ty) => { $crate::op::parameter::IndexList<$T> };
    (mask) => { $crate::op::mask::MaskList };
    (groups) => { $crate::op::groups::GroupNumbers };
    (dense_list $T:ty) => { $crate::op::List<$T> };
    (maybe_list $T:ty) => { Option<$crate::op::List<$T>> };
    (one_out $T:ty) => { $crate::op::OutList<$T> };
    (out_list $T:ty) => { $crate::op::OutList<$T> };
    (out_up_to $T:ty) => { $crate::op::OutUpTo<$T> };
    (maybe_out $T:ty) => { Option<$crate::op::Out<$T>> };
    (maybe_inout $T:ty) => { Option<$crate::op::InOut<$T>> };
    (list $T:ty) => { $crate::op::View<$crate::op::List<$T>> };
    (out $T:ty) => { $crate::op::View<$crate::op::Out<$T>> };
    (dense_out $T:ty) => { $crate::op::Out<$T> };
    (inout $T:ty) => { $crate::op::View<$crate::op::InOut<$T>> };
    (dense_inout $T:ty) => { $crate::op::InOut<$T> };
    (only_out $T:ty) => { $crate::op::View<$crate::op::Out<$T>> };
    (only_inout $T:ty) => { $crate::op::View<$crate::op::InOut<$T>> };
    (scalar $T:ty) => { $crate::op::Scalar<$T> };
    (maybe_scalar $T:ty) => { Option<$crate::op::Scalar<$T>> };
    (ints) => { $crate::op::Ints };
    (attr $T:ty) => { $T };
    ([$A:ty: $value:expr => $T:ty]) => { $T };
    (($value:expr) $T:ty) => { $T };
}
use parameter;

/// Declares operators of a table, each as a type and as a function.
macro_rules! functions {
    ($about:literal; $(
        $(#[$doc:meta])*
        $Name:ident<$($T:ident: $Family:path),*>, $name:ident($($value:ident: $kind:tt $($of:ty)?),+ $(,)?)
            = $launch:ident, $prepare:ident, |$operator:pat_param| $check:expr;
    )*) => {
        $crate::op::table::operators! { mod types; $(
            $Name<$($T),*>($($value: $crate::op::table::parameter!($kind $($of)?)),+) = $launch, $prepare, $name;
        )* }
        $( $crate::op::table::function! {
            { $(#[$doc])* #[doc = ""] #[doc = $about] }
            $Name [$($T: $Family),*] $name |$operator| $check;
            [A B C E F G H] [O P Q R S] [] [] [] []
            $($value: $kind $($of)?),+
        } )*
    };
}
use functions;

/// The site of an operand: that of the operator, or one with a bound behind the operand that gives it.
macro_rules! site {
    ([$($types:tt)*]) => { X };
    (($($types:tt)*)) => { impl $crate::bounds::SameSite<X> };
}
use site;

/// Makes the function of an entry. It takes the parameters from the front: each adds to the generic parameters, to the
/// parameters and arguments of the function, and to its outputs.
macro_rules! function {
    // The function takes images as other tensors.
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt $memories:tt $generics:tt $parameters:tt $arguments:tt $outputs:tt
        $value:ident: image $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts $memories $generics $parameters
            $arguments $outputs $value: in $T $(, $($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt $memories:tt $generics:tt $parameters:tt $arguments:tt $outputs:tt
        $value:ident: image_out $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts $memories $generics $parameters
            $arguments $outputs $value: out $T $(, $($rest)*)? }
    };
    // A tensor that is read. The first one gives the site, and the types stand in parentheses behind it. The bound of the
    // others has a message of this crate.
    ($doc:tt $Name:ident [$($types:tt)*] $name:ident |$op:pat_param| $check:expr;
        [$A:ident $($layouts:ident)*] $memories:tt [$($generics:tt)*] [$($parameters:tt)*] [$($arguments:tt)*] $outputs:tt
        $value:ident: in $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name ($($types)*) $name |$op| $check; [$($layouts)*] $memories
            [$($generics)* {$A: $crate::op::Layout}]
            [$($parameters)* $value: &$crate::op::Tensor<'b, X, $T, $A>,]
            [$($arguments)* $value,] $outputs $($($rest)*)? }
    };
    ($doc:tt $Name:ident ($($types:tt)*) $name:ident |$op:pat_param| $check:expr;
        [$A:ident $($layouts:ident)*] $memories:tt [$($generics:tt)*] [$($parameters:tt)*] [$($arguments:tt)*] $outputs:tt
        $value:ident: in $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name ($($types)*) $name |$op| $check; [$($layouts)*] $memories
            [$($generics)* {$A: $crate::op::Layout}]
            [$($parameters)* $value: &$crate::op::Tensor<'b, impl $crate::bounds::SameSite<X>, $T, $A>,]
            [$($arguments)* $value,] $outputs $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        [$A:ident $($layouts:ident)*] $memories:tt [$($generics:tt)*] [$($parameters:tt)*] [$($arguments:tt)*] $outputs:tt
        $value:ident: index $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; [$($layouts)*] $memories
            [$($generics)* {$A: $crate::op::Layout}]
            [$($parameters)* $value: &$crate::op::Indices<'b, $crate::op::table::site!($types), $T, $A>,]
            [$($arguments)* $value,] $outputs $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt $memories:tt $generics:tt [$($parameters:tt)*] [$($arguments:tt)*] $outputs:tt
        $value:ident: dense_index $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts $memories $generics
            [$($parameters)* $value: &$crate::op::Indices<'b, $crate::op::table::site!($types), $T>,]
            [$($arguments)* $value,] $outputs $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt $memories:tt $generics:tt [$($parameters:tt)*] [$($arguments:tt)*] $outputs:tt
        $value:ident: positions $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts $memories $generics
            [$($parameters)* $value: &$crate::op::Positions<'b, $crate::op::table::site!($types), $T>,]
            [$($arguments)* $value,] $outputs $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt $memories:tt $generics:tt [$($parameters:tt)*] [$($arguments:tt)*] $outputs:tt
        $value:ident: index_list $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts $memories $generics
            [$($parameters)* $value: &[Option<&$crate::op::Indices<'b, X, $T>>],]
            [$($arguments)* $crate::op::indices::EachIndex($value),] $outputs $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt $memories:tt $generics:tt [$($parameters:tt)*] [$($arguments:tt)*] $outputs:tt
        $value:ident: dense $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts $memories $generics
            [$($parameters)* $value: &$crate::op::Tensor<'b, $crate::op::table::site!($types), $T>,]
            [$($arguments)* $value,] $outputs $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt $memories:tt $generics:tt [$($parameters:tt)*] [$($arguments:tt)*] $outputs:tt
        $value:ident: maybe $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts $memories $generics
            [$($parameters)* $value: Option<&$crate::op::Tensor<'b, X, $T>>,]
            [$($arguments)* $value,] $outputs $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        [$A:ident $($layouts:ident)*] $memories:tt [$($generics:tt)*] [$($parameters:tt)*] [$($arguments:tt)*] $outputs:tt
        $value:ident: list $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; [$($layouts)*] $memories
            [$($generics)* {$A: $crate::op::Layout}]
            [$($parameters)* $value: &[&$crate::op::Tensor<'b, X, $T, $A>],]
            [$($arguments)* $value,] $outputs $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt $memories:tt $generics:tt [$($parameters:tt)*] [$($arguments:tt)*] $outputs:tt
        $value:ident: dense_list $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts $memories $generics
            [$($parameters)* $value: &[&$crate::op::Tensor<'b, X, $T>],]
            [$($arguments)* $value,] $outputs $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt $memories:tt $generics:tt [$($parameters:tt)*] [$($arguments:tt)*] $outputs:tt
        $value:ident: maybe_list $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts $memories $generics
            [$($parameters)* $value: Option<&[&$crate::op::Tensor<'b, X, $T>]>,]
            [$($arguments)* $value,] $outputs $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt $memories:tt $generics:tt [$($parameters:tt)*] [$($arguments:tt)*] $outputs:tt
        $value:ident: mask $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts $memories $generics
            [$($parameters)* $value: &$crate::op::Mask<'b, $crate::op::table::site!($types)>,]
            [$($arguments)* $value,] $outputs $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt $memories:tt $generics:tt [$($parameters:tt)*] [$($arguments:tt)*] $outputs:tt
        $value:ident: groups $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts $memories $generics
            [$($parameters)* $value: &$crate::op::Groups<'b, $crate::op::table::site!($types)>,]
            [$($arguments)* $value,] $outputs $($($rest)*)? }
    };
    // A tensor that is written.
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        [$A:ident $($layouts:ident)*] [$O:ident $($memories:ident)*]
        [$($generics:tt)*] [$($parameters:tt)*] [$($arguments:tt)*] [$($outputs:tt)*]
        $value:ident: out $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; [$($layouts)*] [$($memories)*]
            [$($generics)* {$A: $crate::op::Layout} {$O: $crate::bounds::Output<X, $T>}]
            [$($parameters)* $value: $crate::op::TensorOut<$O, $A>,]
            [$($arguments)* $value,] [$($outputs)* {$O}] $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt [$O:ident $($memories:ident)*]
        [$($generics:tt)*] [$($parameters:tt)*] [$($arguments:tt)*] [$($outputs:tt)*]
        $value:ident: dense_out $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts [$($memories)*]
            [$($generics)* {$O: $crate::bounds::Output<X, $T>}]
            [$($parameters)* $value: $crate::op::TensorOut<$O>,]
            [$($arguments)* $value,] [$($outputs)* {$O}] $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        [$A:ident $($layouts:ident)*] [$O:ident $($memories:ident)*]
        [$($generics:tt)*] [$($parameters:tt)*] [$($arguments:tt)*] [$($outputs:tt)*]
        $value:ident: inout $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; [$($layouts)*] [$($memories)*]
            [$($generics)* {$A: $crate::op::Layout} {$O: $crate::bounds::InPlace<X, $T>}]
            [$($parameters)* $value: $crate::op::TensorOut<$O, $A>,]
            [$($arguments)* $value,] [$($outputs)* {$O}] $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt [$O:ident $($memories:ident)*]
        [$($generics:tt)*] [$($parameters:tt)*] [$($arguments:tt)*] [$($outputs:tt)*]
        $value:ident: dense_inout $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts [$($memories)*]
            [$($generics)* {$O: $crate::bounds::InPlace<X, $T>}]
            [$($parameters)* $value: $crate::op::TensorOut<$O>,]
            [$($arguments)* $value,] [$($outputs)* {$O}] $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt [$O:ident $($memories:ident)*]
        [$($generics:tt)*] [$($parameters:tt)*] [$($arguments:tt)*] [$($outputs:tt)*]
        $value:ident: out_up_to $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts [$($memories)*]
            [$($generics)* {$O: $crate::bounds::CountedOutput<X, $T>}]
            [$($parameters)* $value: $crate::op::TensorUpTo<$O>,]
            [$($arguments)* $value,] [$($outputs)* {$O}] $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt [$O:ident $($memories:ident)*]
        [$($generics:tt)*] [$($parameters:tt)*] [$($arguments:tt)*] [$($outputs:tt)*]
        $value:ident: one_out $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts [$($memories)*]
            [$($generics)* {$O: $crate::bounds::Output<X, $T>}]
            [$($parameters)* $value: $crate::op::TensorOut<$O>,]
            [$($arguments)* [$value],] [$($outputs)* {[$O; 1]}] $($($rest)*)? }
    };
    // Outputs that have several forms.
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt [$O:ident $($memories:ident)*]
        [$($generics:tt)*] [$($parameters:tt)*] [$($arguments:tt)*] [$($outputs:tt)*]
        $value:ident: out_list $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts [$($memories)*]
            [$($generics)* {$O: $crate::bounds::OutputFor<X, $crate::op::OutList<$T>>}]
            [$($parameters)* $value: $O,]
            [$($arguments)* $crate::op::output::Given($value),]
            [$($outputs)* {<$O as $crate::bounds::OutputFor<X, $crate::op::OutList<$T>>>::Memory}] $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt [$O:ident $($memories:ident)*]
        [$($generics:tt)*] [$($parameters:tt)*] [$($arguments:tt)*] [$($outputs:tt)*]
        $value:ident: maybe_out $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts [$($memories)*]
            [$($generics)* {$O: $crate::bounds::OutputFor<X, Option<$crate::op::Out<$T>>>}]
            [$($parameters)* $value: $O,]
            [$($arguments)* $crate::op::output::Given($value),]
            [$($outputs)* {<$O as $crate::bounds::OutputFor<X, Option<$crate::op::Out<$T>>>>::Memory}] $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt [$O:ident $($memories:ident)*]
        [$($generics:tt)*] [$($parameters:tt)*] [$($arguments:tt)*] [$($outputs:tt)*]
        $value:ident: maybe_inout $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts [$($memories)*]
            [$($generics)* {$O: $crate::bounds::OutputFor<X, Option<$crate::op::InOut<$T>>>}]
            [$($parameters)* $value: $O,]
            [$($arguments)* $crate::op::output::Given($value),]
            [$($outputs)* {<$O as $crate::bounds::OutputFor<X, Option<$crate::op::InOut<$T>>>>::Memory}] $($($rest)*)? }
    };
    // The only tensor: the site is that of its memory.
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        [$A:ident $($layouts:ident)*] [$O:ident $($memories:ident)*]
        [$($generics:tt)*] [$($parameters:tt)*] [$($arguments:tt)*] [$($outputs:tt)*]
        $value:ident: only_inout $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; [$($layouts)*] [$($memories)*]
            [{D: $crate::bounds::AnyDevice} $($generics)* {$A: $crate::op::Layout} {$O: $crate::bounds::OnlyInPlace<D, X, $T>}]
            [$($parameters)* $value: $crate::op::TensorOut<$O, $A>,]
            [$($arguments)* $value,] [$($outputs)* {$O}] $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        [$A:ident $($layouts:ident)*] [$O:ident $($memories:ident)*]
        [$($generics:tt)*] [$($parameters:tt)*] [$($arguments:tt)*] [$($outputs:tt)*]
        $value:ident: only_out $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; [$($layouts)*] [$($memories)*]
            [{D: $crate::bounds::AnyDevice} $($generics)* {$A: $crate::op::Layout} {$O: $crate::bounds::OnlyOutput<D, X, $T>}]
            [$($parameters)* $value: $crate::op::TensorOut<$O, $A>,]
            [$($arguments)* $value,] [$($outputs)* {$O}] $($($rest)*)? }
    };
    // A value of the host.
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt $memories:tt $generics:tt [$($parameters:tt)*] [$($arguments:tt)*] $outputs:tt
        $value:ident: ints $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts $memories $generics
            [$($parameters)* $value: &[i64],] [$($arguments)* $value,] $outputs $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt $memories:tt $generics:tt [$($parameters:tt)*] [$($arguments:tt)*] $outputs:tt
        $value:ident: [$A:ty: $number:expr => $T:ty] $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts $memories $generics
            [$($parameters)* $value: $A,] [$($arguments)* $number,] $outputs $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt $memories:tt $generics:tt $parameters:tt [$($arguments:tt)*] $outputs:tt
        $value:ident: ($fixed:expr) $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts $memories $generics
            $parameters [$($arguments)* $fixed,] $outputs $($($rest)*)? }
    };
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt $memories:tt $generics:tt [$($parameters:tt)*] [$($arguments:tt)*] $outputs:tt
        $value:ident: maybe_scalar $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts $memories $generics
            [$($parameters)* $value: Option<$T>,] [$($arguments)* $value,] $outputs $($($rest)*)? }
    };
    // `scalar` and `attr`.
    ($doc:tt $Name:ident $types:tt $name:ident |$op:pat_param| $check:expr;
        $layouts:tt $memories:tt $generics:tt [$($parameters:tt)*] [$($arguments:tt)*] $outputs:tt
        $value:ident: $kind:ident $T:ty $(, $($rest:tt)*)?
    ) => {
        $crate::op::table::function! { $doc $Name $types $name |$op| $check; $layouts $memories $generics
            [$($parameters)* $value: $T,] [$($arguments)* $value,] $outputs $($($rest)*)? }
    };
    ($doc:tt $Name:ident ($($types:tt)*) $name:ident |$op:pat_param| $check:expr;
        $layouts:tt $memories:tt $generics:tt $parameters:tt $arguments:tt $outputs:tt
    ) => {
        $crate::op::table::function! { $doc $Name [$($types)*] $name |$op| $check;
            $layouts $memories $generics $parameters $arguments $outputs }
    };
    // The function of an operator that reads no tensor.
    ({ $(#[$doc:meta])* } $Name:ident [$($T:ident: $Family:path),*] $name:ident |$operator:pat_param| $check:expr;
        $layouts:tt $memories:tt [{D: $Device:path} $({$G:ident: $Bound:path})*] [$($parameters:tt)*] [$($arguments:tt)*] [$({$O:ty})*]
    ) => {
        $(#[$doc])*
        ///
        /// # Errors
        ///
        /// An error of [`Usage`](crate::error::Usage) that names the operator and the shapes when they do not fit
        /// together, and [`ErrorKind::Refused`](crate::ErrorKind::Refused) with 161002 for what the card does not take.
        #[inline(always)]
        #[allow(unused_parens, clippy::too_many_arguments, reason = "an operator has the parameters of its C function")]
        pub fn $name<'b, 'dev, D, X, $($T,)* $($G),*>(
            current: $crate::Current<'_, 'dev, D>,
            $($parameters)*
        ) -> $crate::Result<$crate::op::Plan<'b, 'dev, X, types::$Name<$($T),*>, ($($O),*)>>
        where
            D: $Device,
            X: $crate::bounds::Site<Device = D>,
            $($T: $Family,)*
            $($G: $Bound,)*
        {
            let $operator = <types::$Name<$($T),*> as $crate::op::Operator>::NAME;
            $check?;
            $crate::op::Plan::prepare(current, ($($arguments)*))
        }
    };
    // The function.
    ({ $(#[$doc:meta])* } $Name:ident [$($T:ident: $Family:path),*] $name:ident |$operator:pat_param| $check:expr;
        $layouts:tt $memories:tt [$({$G:ident: $Bound:path})*] [$($parameters:tt)*] [$($arguments:tt)*] [$({$O:ty})*]
    ) => {
        $(#[$doc])*
        ///
        /// # Errors
        ///
        /// An error of [`Usage`](crate::error::Usage) that names the operator and the shapes when they do not fit
        /// together, and [`ErrorKind::Refused`](crate::ErrorKind::Refused) with 161002 for what the card does not take.
        #[inline(always)]
        #[allow(unused_parens, clippy::too_many_arguments, reason = "an operator has the parameters of its C function")]
        pub fn $name<'b, 'dev, X, $($T,)* $($G),*>(
            current: $crate::Current<'_, 'dev, X::Device>,
            $($parameters)*
        ) -> $crate::Result<$crate::op::Plan<'b, 'dev, X, types::$Name<$($T),*>, ($($O),*)>>
        where
            X: $crate::bounds::Site,
            $($T: $Family,)*
            $($G: $Bound,)*
        {
            let $operator = <types::$Name<$($T),*> as $crate::op::Operator>::NAME;
            $check?;
            $crate::op::Plan::prepare(current, ($($arguments)*))
        }
    };
}
use function;
