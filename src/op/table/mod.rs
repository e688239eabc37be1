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
            { {
                $(#[$doc])*
                #[doc = ""]
                #[doc = $about]
                ///
                /// ```text
                #[doc = concat!("let plan = op::", stringify!($name), "(current", $($crate::op::table::shown!($value $kind),)+ ")?;")]
                /// ```
                ///
                /// [`add`](crate::op::add) has a whole program, and [the module](crate::op) says how operands and outputs are made.
                ///
                /// # Errors
                ///
                /// An error of [`Usage`](crate::error::Usage) that names the operator and the shapes when they do not fit
                /// together, and [`ErrorKind::Refused`](crate::ErrorKind::Refused) with 161002 for what the card does not take.
            } $Name [$($T: $Family),*] $name |$operator| $check }
            front [O P Q R S] { [] [] [] [] } $($value: $kind $($of)?,)+
        } )*
    };
}
use functions;

/// An argument in the call that the documentation shows.
macro_rules! shown {
    ($value:ident ($($fixed:tt)*)) => {
        ""
    };
    ($value:ident maybe) => {
        concat!(", Some(&", stringify!($value), ")")
    };
    ($value:ident maybe_list) => {
        concat!(", Some(&", stringify!($value), ")")
    };
    ($value:ident maybe_scalar) => {
        concat!(", Some(", stringify!($value), ")")
    };
    ($value:ident maybe_out) => {
        concat!(", Some(", stringify!($value), ")")
    };
    ($value:ident maybe_inout) => {
        concat!(", Some(", stringify!($value), ")")
    };
    ($value:ident $kind:tt) => {
        concat!(
            ", ",
            $crate::op::table::reference!($kind),
            stringify!($value)
        )
    };
}
use shown;

/// The sign of an argument that is passed by reference.
macro_rules! reference {
    (in) => {
        "&"
    };
    (dense) => {
        "&"
    };
    (image) => {
        "&"
    };
    (index) => {
        "&"
    };
    (dense_index) => {
        "&"
    };
    (positions) => {
        "&"
    };
    (mask) => {
        "&"
    };
    (groups) => {
        "&"
    };
    (list) => {
        "&"
    };
    (dense_list) => {
        "&"
    };
    (index_list) => {
        "&"
    };
    (ints) => {
        "&"
    };
    ($kind:tt) => {
        ""
    };
}
use reference;

/// The site of an operand: that of the operator, or one with a bound behind the operand that gives it.
macro_rules! site {
    (front) => { X };
    (only) => { X };
    (behind) => { impl $crate::bounds::SameSite<X> };
}
use site;

/// Makes the function of an entry. It takes the parameters from the front: each [adds](add) to the generic parameters, to the
/// parameters and arguments of the function, and to its outputs, which are `$state`. `$head` is what the parameters do not
/// change, `$site` whether a parameter has given the site, and `$memories` the names of types that are not used yet.
macro_rules! function {
    // The function takes images as other tensors.
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: image $T:ty, $($rest:tt)*) => {
        $crate::op::table::function! { $head $site $memories $state $value: in $T, $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: image_out $T:ty, $($rest:tt)*) => {
        $crate::op::table::function! { $head $site $memories $state $value: out $T, $($rest)* }
    };
    // A tensor that is read. The first one gives the site; the bound of those behind it has a message of this crate.
    ($head:tt behind $memories:tt $state:tt $value:ident: in $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head behind $memories $state
            [] [$value: &$crate::op::Tensor<'b, impl $crate::bounds::SameSite<X>, $T, impl $crate::op::Layout>,] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: in $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head behind $memories $state
            [] [$value: &$crate::op::Tensor<'b, X, $T, impl $crate::op::Layout>,] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: dense $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site $memories $state
            [] [$value: &$crate::op::Tensor<'b, $crate::op::table::site!($site), $T>,] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: maybe $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site $memories $state
            [] [$value: Option<&$crate::op::Tensor<'b, X, $T>>,] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: index $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site $memories $state
            [] [$value: &$crate::op::Indices<'b, $crate::op::table::site!($site), $T, impl $crate::op::Layout>,] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: dense_index $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site $memories $state
            [] [$value: &$crate::op::Indices<'b, $crate::op::table::site!($site), $T>,] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: index_list $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site $memories $state
            [] [$value: &[Option<&$crate::op::Indices<'b, X, $T>>],] [$crate::op::indices::EachIndex($value),] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: positions $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site $memories $state
            [] [$value: &$crate::op::Positions<'b, $crate::op::table::site!($site), $T>,] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: mask, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site $memories $state
            [] [$value: &$crate::op::Mask<'b, $crate::op::table::site!($site)>,] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: groups, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site $memories $state
            [] [$value: &$crate::op::Groups<'b, $crate::op::table::site!($site)>,] [$value,] [] $($rest)* }
    };
    // A list has one layout.
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: list $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site [$($memories)*] $state
            [{$O: $crate::op::Layout}] [$value: &[&$crate::op::Tensor<'b, X, $T, $O>],] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: dense_list $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site $memories $state
            [] [$value: &[&$crate::op::Tensor<'b, X, $T>],] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: maybe_list $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site $memories $state
            [] [$value: Option<&[&$crate::op::Tensor<'b, X, $T>]>,] [$value,] [] $($rest)* }
    };
    // A tensor that is written.
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: out $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site [$($memories)*] $state
            [{$O: $crate::bounds::Output<X, $T>}] [$value: $crate::op::TensorOut<$O, impl $crate::op::Layout>,] [$value,] [{$O}] $($rest)* }
    };
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: dense_out $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site [$($memories)*] $state
            [{$O: $crate::bounds::Output<X, $T>}] [$value: $crate::op::TensorOut<$O>,] [$value,] [{$O}] $($rest)* }
    };
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: inout $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site [$($memories)*] $state
            [{$O: $crate::bounds::InPlace<X, $T>}] [$value: $crate::op::TensorOut<$O, impl $crate::op::Layout>,] [$value,] [{$O}] $($rest)* }
    };
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: dense_inout $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site [$($memories)*] $state
            [{$O: $crate::bounds::InPlace<X, $T>}] [$value: $crate::op::TensorOut<$O>,] [$value,] [{$O}] $($rest)* }
    };
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: out_up_to $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site [$($memories)*] $state
            [{$O: $crate::bounds::CountedOutput<X, $T>}] [$value: $crate::op::TensorUpTo<$O>,] [$value,] [{$O}] $($rest)* }
    };
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: one_out $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site [$($memories)*] $state
            [{$O: $crate::bounds::Output<X, $T>}] [$value: $crate::op::TensorOut<$O>,] [[$value],] [{[$O; 1]}] $($rest)* }
    };
    // Outputs that have several forms.
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: out_list $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site [$($memories)*] $state
            [{$O: $crate::bounds::OutputFor<X, $crate::op::OutList<$T>>}] [$value: $O,]
            [$crate::op::output::Given($value),] [{<$O as $crate::bounds::OutputFor<X, $crate::op::OutList<$T>>>::Memory}] $($rest)* }
    };
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: maybe_out $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site [$($memories)*] $state
            [{$O: $crate::bounds::OutputFor<X, Option<$crate::op::Out<$T>>>}] [$value: $O,]
            [$crate::op::output::Given($value),] [{<$O as $crate::bounds::OutputFor<X, Option<$crate::op::Out<$T>>>>::Memory}] $($rest)* }
    };
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: maybe_inout $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site [$($memories)*] $state
            [{$O: $crate::bounds::OutputFor<X, Option<$crate::op::InOut<$T>>>}] [$value: $O,]
            [$crate::op::output::Given($value),] [{<$O as $crate::bounds::OutputFor<X, Option<$crate::op::InOut<$T>>>>::Memory}] $($rest)* }
    };
    // The only tensor: the site is that of its memory.
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: only_out $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head only [$($memories)*] $state [{$O: $crate::bounds::OnlyOutput<D, X, $T>}]
            [$value: $crate::op::TensorOut<$O, impl $crate::op::Layout>,] [$value,] [{$O}] $($rest)* }
    };
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: only_inout $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head only [$($memories)*] $state [{$O: $crate::bounds::OnlyInPlace<D, X, $T>}]
            [$value: $crate::op::TensorOut<$O, impl $crate::op::Layout>,] [$value,] [{$O}] $($rest)* }
    };
    // A value of the host.
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: ints, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site $memories $state [] [$value: &[i64],] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: [$A:ty: $number:expr => $T:ty], $($rest:tt)*) => {
        $crate::op::table::add! { $head $site $memories $state [] [$value: $A,] [$number,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: ($fixed:expr) $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site $memories $state [] [] [$fixed,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: maybe_scalar $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site $memories $state [] [$value: Option<$T>,] [$value,] [] $($rest)* }
    };
    // `scalar` and `attr`.
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: $kind:ident $T:ty, $($rest:tt)*) => {
        $crate::op::table::add! { $head $site $memories $state [] [$value: $T,] [$value,] [] $($rest)* }
    };
    // The function of an operator that reads no tensor.
    ({ { $(#[$doc:meta])* } $Name:ident [$($T:ident: $Family:path),*] $name:ident |$operator:pat_param| $check:expr }
        only $memories:tt { [$({$G:ident: $Bound:path})*] [$($parameters:tt)*] [$($arguments:tt)*] [$({$O:ty})*] }
    ) => {
        $(#[$doc])*
        #[inline(always)]
        #[allow(unused_parens, clippy::too_many_arguments, reason = "an operator has the parameters of its C function")]
        pub fn $name<'b, 'dev, D, X, $($T,)* $($G),*>(
            current: $crate::Current<'_, 'dev, D>,
            $($parameters)*
        ) -> $crate::Result<$crate::op::Plan<'b, 'dev, X, types::$Name<$($T),*>, ($($O),*)>>
        where
            D: $crate::bounds::AnyDevice,
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
    ({ { $(#[$doc:meta])* } $Name:ident [$($T:ident: $Family:path),*] $name:ident |$operator:pat_param| $check:expr }
        $site:tt $memories:tt { [$({$G:ident: $Bound:path})*] [$($parameters:tt)*] [$($arguments:tt)*] [$({$O:ty})*] }
    ) => {
        $(#[$doc])*
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

/// Adds what a parameter gives, and goes on with the parameters behind it.
macro_rules! add {
    ($head:tt $site:tt $memories:tt { [$($generics:tt)*] [$($parameters:tt)*] [$($arguments:tt)*] [$($outputs:tt)*] }
        [$($generic:tt)*] [$($parameter:tt)*] [$($argument:tt)*] [$($output:tt)*] $($rest:tt)*
    ) => {
        $crate::op::table::function! { $head $site $memories {
            [$($generics)* $($generic)*] [$($parameters)* $($parameter)*] [$($arguments)* $($argument)*] [$($outputs)* $($output)*]
        } $($rest)* }
    };
}
use add;
