//! Declares an operator in a program that forbids unsafe code.
#![forbid(unsafe_code)] //~ mistake
#![allow(unused)]

use ascendcl::op::{In, Operator, Out};

enum Sign {}
// SAFETY: the parameters of `aclnnop/aclnn_sign.h`.
unsafe impl Operator for Sign {
    ascendcl::operator!(aclnnSign(x: In<f32>, out: Out<f32>));
}
