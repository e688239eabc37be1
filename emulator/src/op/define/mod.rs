//! The definitions of the operators. The emulator compiles only if each operator of the list in `ascendcl-sys` has an
//! entry with its name here. An in-place form has the definition of its operator.

mod activation;
#[cfg(any(feature = "more-operators", feature = "training"))]
mod alike;
mod along;
mod arithmetic;
#[cfg(feature = "training")]
mod attended;
mod attention;
#[cfg(feature = "training")]
mod backward;
mod compare;
#[cfg(any(feature = "more-operators", feature = "training"))]
mod computed;
mod convolution;
mod create;
#[cfg(feature = "training")]
mod ctc;
#[cfg(feature = "training")]
mod derived;
#[cfg(feature = "training")]
mod entropy;
#[cfg(feature = "training")]
mod foreach;
mod function;
#[cfg(feature = "training")]
mod gradient;
mod image;
mod index;
mod join;
#[cfg(feature = "training")]
mod layers;
#[cfg(feature = "training")]
mod loss;
#[cfg(feature = "training")]
mod masked;
mod matmul;
#[cfg(feature = "more-operators")]
mod more;
mod normalize;
#[cfg(feature = "training")]
mod optimize;
mod part;
mod pick;
mod quantize;
mod random;
mod reduce;
mod rotate;
#[cfg(feature = "training")]
mod sampled;
#[cfg(any(feature = "more-operators", feature = "training"))]
mod sampling;
#[cfg(feature = "training")]
mod segments;
mod select;
mod shape;
mod slide;
mod softmax;
#[cfg(feature = "training")]
mod spread;
#[cfg(feature = "training")]
mod synchronized;
#[cfg(feature = "training")]
mod tokens;
#[cfg(feature = "training")]
mod train;
#[cfg(any(feature = "more-operators", feature = "training"))]
mod weighted;
#[cfg(any(feature = "more-operators", feature = "training"))]
mod weights;

/// Gives each operator its definition: `name, other name = definition;`.
///
/// A function returns it, because rustc looks for all uses of a static whose name is not in upper case. This took a fifth
/// of the time to build the crate.
macro_rules! definitions {
    ($($name:ident $(, $other:ident)* = $definition:expr;)*) => {$(
        pub(in crate::op) const fn $name() -> &'static crate::op::plan::Operator {
            static OPERATOR: crate::op::plan::Operator =
                crate::op::plan::Operator::new(stringify!($name), &$definition);
            &OPERATOR
        }
        $(
            pub(in crate::op) const fn $other() -> &'static crate::op::plan::Operator {
                static OPERATOR: crate::op::plan::Operator = $name().named(stringify!($other));
                &OPERATOR
            }
        )*
    )*};
}
use definitions;

#[cfg(feature = "more-operators")]
pub(super) use self::more::*;
pub(super) use self::{
    activation::*, along::*, arithmetic::*, attention::*, compare::*, convolution::*, create::*,
    function::*, image::*, index::*, join::*, matmul::*, normalize::*, part::*, pick::*,
    quantize::*, random::*, reduce::*, rotate::*, select::*, shape::*, softmax::*,
};
#[cfg(feature = "training")]
pub(super) use self::{
    attended::*, backward::*, ctc::*, derived::*, entropy::*, foreach::*, gradient::*, layers::*,
    loss::*, masked::*, optimize::*, sampled::*, segments::*, spread::*, synchronized::*,
    tokens::*, train::*,
};
