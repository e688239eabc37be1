//! Makes the functions of the operators, and their types by `operators!`, from the rows of a table.
//!
//! [`table`](super::table) has the kinds of parameters, and a row with what it gives.

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
pub(in crate::op) use parameter;

/// Declares operators of a table, each as a type and as a function.
macro_rules! functions {
    ($about:literal; $(
        $(#[$doc:meta])*
        $Name:ident<$($T:ident: $Family:path),*>, $name:ident($($value:ident: $kind:tt $($of:ty)?),+ $(,)?)
            = $launch:ident, $prepare:ident, |$operator:pat_param| $check:expr;
    )*) => {
        $crate::op::builtin::operators! { mod types; $(
            $Name<$($T),*>($($value: $crate::op::functions::parameter!($kind $($of)?)),+) = $launch, $prepare, $name;
        )* }
        $( $crate::op::functions::function! {
            { {
                $(#[$doc])*
                #[doc = ""]
                #[doc = $about]
                ///
                /// ```text
                #[doc = concat!("let plan = op::", stringify!($name), "(current", $($crate::op::functions::shown!($value $kind),)+ ")?;")]
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
pub(in crate::op) use functions;

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
            $crate::op::functions::reference!($kind),
            stringify!($value)
        )
    };
}
pub(in crate::op) use shown;

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
pub(in crate::op) use reference;

/// The site of an operand: that of the operator, or one with a bound behind the operand that gives it.
macro_rules! site {
    (front) => { X };
    (only) => { X };
    (behind) => { impl $crate::bounds::SameSite<X> };
}
pub(in crate::op) use site;

/// Makes the function of an entry. It takes the parameters from the front: each [adds](add) to the generic parameters, to the
/// parameters and arguments of the function, and to its outputs, which are `$state`. `$head` is what the parameters do not
/// change, `$site` whether a parameter has given the site, and `$memories` the names of types that are not used yet.
macro_rules! function {
    // The function takes images as other tensors.
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: image $T:ty, $($rest:tt)*) => {
        $crate::op::functions::function! { $head $site $memories $state $value: in $T, $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: image_out $T:ty, $($rest:tt)*) => {
        $crate::op::functions::function! { $head $site $memories $state $value: out $T, $($rest)* }
    };
    // A tensor that is read. The first one gives the site; the bound of those behind it has a message of this crate.
    ($head:tt behind $memories:tt $state:tt $value:ident: in $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head behind $memories $state
            [] [$value: &$crate::op::Tensor<'b, impl $crate::bounds::SameSite<X>, $T, impl $crate::op::Layout>,] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: in $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head behind $memories $state
            [] [$value: &$crate::op::Tensor<'b, X, $T, impl $crate::op::Layout>,] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: dense $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site $memories $state
            [] [$value: &$crate::op::Tensor<'b, $crate::op::functions::site!($site), $T>,] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: maybe $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site $memories $state
            [] [$value: Option<&$crate::op::Tensor<'b, X, $T>>,] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: index $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site $memories $state
            [] [$value: &$crate::op::Indices<'b, $crate::op::functions::site!($site), $T, impl $crate::op::Layout>,] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: dense_index $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site $memories $state
            [] [$value: &$crate::op::Indices<'b, $crate::op::functions::site!($site), $T>,] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: index_list $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site $memories $state
            [] [$value: &[Option<&$crate::op::Indices<'b, X, $T>>],] [$crate::op::indices::EachIndex($value),] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: positions $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site $memories $state
            [] [$value: &$crate::op::Positions<'b, $crate::op::functions::site!($site), $T>,] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: mask, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site $memories $state
            [] [$value: &$crate::op::Mask<'b, $crate::op::functions::site!($site)>,] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: groups, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site $memories $state
            [] [$value: &$crate::op::Groups<'b, $crate::op::functions::site!($site)>,] [$value,] [] $($rest)* }
    };
    // A list has one layout.
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: list $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site [$($memories)*] $state
            [{$O: $crate::op::Layout}] [$value: &[&$crate::op::Tensor<'b, X, $T, $O>],] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: dense_list $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site $memories $state
            [] [$value: &[&$crate::op::Tensor<'b, X, $T>],] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: maybe_list $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site $memories $state
            [] [$value: Option<&[&$crate::op::Tensor<'b, X, $T>]>,] [$value,] [] $($rest)* }
    };
    // A tensor that is written.
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: out $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site [$($memories)*] $state
            [{$O: $crate::bounds::Output<X, $T>}] [$value: $crate::op::TensorOut<$O, impl $crate::op::Layout>,] [$value,] [{$O}] $($rest)* }
    };
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: dense_out $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site [$($memories)*] $state
            [{$O: $crate::bounds::Output<X, $T>}] [$value: $crate::op::TensorOut<$O>,] [$value,] [{$O}] $($rest)* }
    };
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: inout $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site [$($memories)*] $state
            [{$O: $crate::bounds::InPlace<X, $T>}] [$value: $crate::op::TensorOut<$O, impl $crate::op::Layout>,] [$value,] [{$O}] $($rest)* }
    };
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: dense_inout $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site [$($memories)*] $state
            [{$O: $crate::bounds::InPlace<X, $T>}] [$value: $crate::op::TensorOut<$O>,] [$value,] [{$O}] $($rest)* }
    };
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: out_up_to $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site [$($memories)*] $state
            [{$O: $crate::bounds::CountedOutput<X, $T>}] [$value: $crate::op::TensorUpTo<$O>,] [$value,] [{$O}] $($rest)* }
    };
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: one_out $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site [$($memories)*] $state
            [{$O: $crate::bounds::Output<X, $T>}] [$value: $crate::op::TensorOut<$O>,] [[$value],] [{[$O; 1]}] $($rest)* }
    };
    // Outputs that have several forms.
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: out_list $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site [$($memories)*] $state
            [{$O: $crate::bounds::OutputFor<X, $crate::op::OutList<$T>>}] [$value: $O,]
            [$crate::op::output::Given($value),] [{<$O as $crate::bounds::OutputFor<X, $crate::op::OutList<$T>>>::Memory}] $($rest)* }
    };
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: maybe_out $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site [$($memories)*] $state
            [{$O: $crate::bounds::OutputFor<X, Option<$crate::op::Out<$T>>>}] [$value: $O,]
            [$crate::op::output::Given($value),] [{<$O as $crate::bounds::OutputFor<X, Option<$crate::op::Out<$T>>>>::Memory}] $($rest)* }
    };
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: maybe_inout $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site [$($memories)*] $state
            [{$O: $crate::bounds::OutputFor<X, Option<$crate::op::InOut<$T>>>}] [$value: $O,]
            [$crate::op::output::Given($value),] [{<$O as $crate::bounds::OutputFor<X, Option<$crate::op::InOut<$T>>>>::Memory}] $($rest)* }
    };
    // The only tensor: the site is that of its memory.
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: only_out $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head only [$($memories)*] $state [{$O: $crate::bounds::OnlyOutput<D, X, $T>}]
            [$value: $crate::op::TensorOut<$O, impl $crate::op::Layout>,] [$value,] [{$O}] $($rest)* }
    };
    ($head:tt $site:tt [$O:ident $($memories:ident)*] $state:tt $value:ident: only_inout $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head only [$($memories)*] $state [{$O: $crate::bounds::OnlyInPlace<D, X, $T>}]
            [$value: $crate::op::TensorOut<$O, impl $crate::op::Layout>,] [$value,] [{$O}] $($rest)* }
    };
    // A value of the host.
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: ints, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site $memories $state [] [$value: &[i64],] [$value,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: [$A:ty: $number:expr => $T:ty], $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site $memories $state [] [$value: $A,] [$number,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: ($fixed:expr) $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site $memories $state [] [] [$fixed,] [] $($rest)* }
    };
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: maybe_scalar $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site $memories $state [] [$value: Option<$T>,] [$value,] [] $($rest)* }
    };
    // `scalar` and `attr`.
    ($head:tt $site:tt $memories:tt $state:tt $value:ident: $kind:ident $T:ty, $($rest:tt)*) => {
        $crate::op::functions::add! { $head $site $memories $state [] [$value: $T,] [$value,] [] $($rest)* }
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
pub(in crate::op) use function;

/// Adds what a parameter gives, and goes on with the parameters behind it.
macro_rules! add {
    ($head:tt $site:tt $memories:tt { [$($generics:tt)*] [$($parameters:tt)*] [$($arguments:tt)*] [$($outputs:tt)*] }
        [$($generic:tt)*] [$($parameter:tt)*] [$($argument:tt)*] [$($output:tt)*] $($rest:tt)*
    ) => {
        $crate::op::functions::function! { $head $site $memories {
            [$($generics)* $($generic)*] [$($parameters)* $($parameter)*] [$($arguments)* $($argument)*] [$($outputs)* $($output)*]
        } $($rest)* }
    };
}
pub(in crate::op) use add;
