//! Declares an operator without saying that its signature is taken on trust.
#![allow(unused)]

use ascendcl::op::{In, Operator, Out};

enum Sign {}
impl Operator for Sign { //~ mistake
    //~ instead: // SAFETY: the parameters of `aclnnop/aclnn_sign.h`.
    //~ instead: unsafe impl Operator for Sign {
    ascendcl::operator!(aclnnSign(x: In<f32>, out: Out<f32>));
}
