//! Declares an operator with a parameter of a type that C does not have.
#![allow(unused)]

use ascendcl::op::{In, Operator, Out, Scalar};

enum Power {}
// SAFETY: the parameters of `aclnnop/aclnn_pow.h`.
unsafe impl Operator for Power {
    ascendcl::operator!(aclnnPowTensorScalar(x: In<f32>, exponent: String, out: Out<f32>)); //~ mistake
    //~ instead: ascendcl::operator!(aclnnPowTensorScalar(x: In<f32>, exponent: Scalar<f32>, out: Out<f32>));
}
