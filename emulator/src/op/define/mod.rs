//! The definitions of the operators. The emulator compiles only if each operator of the list in `ascendcl-sys` has an
//! entry with its name here. An in-place form has the definition of its operator.

mod activation;
mod along;
mod arithmetic;
mod attention;
mod compare;
mod convolution;
mod create;
mod experts;
mod function;
mod image;
mod index;
mod join;
mod matmul;
mod normalize;
mod pick;
mod quantize;
mod reduce;
mod rotate;
mod select;
mod shape;
mod train;

/// Gives each operator its definition: `name, other name = definition;`.
macro_rules! definitions {
    ($($name:ident $(, $other:ident)* = $definition:expr;)*) => {$(
        #[expect(non_upper_case_globals, reason = "the names of C")]
        pub(in crate::op) static $name: crate::op::plan::Operator =
            crate::op::plan::Operator::new(stringify!($name), &$definition);
        $(
            #[expect(non_upper_case_globals, reason = "the names of C")]
            pub(in crate::op) static $other: crate::op::plan::Operator =
                $name.named(stringify!($other));
        )*
    )*};
}
use definitions;

pub(super) use self::{
    activation::*, along::*, arithmetic::*, attention::*, compare::*, convolution::*, create::*,
    experts::*, function::*, image::*, index::*, join::*, matmul::*, normalize::*, pick::*,
    quantize::*, reduce::*, rotate::*, select::*, shape::*, train::*,
};
