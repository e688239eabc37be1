//! Writes a condition that ends the comparison of the others.

use ascendcl::kernel;
use ascendcl::kernel::{In, Out};

kernel! {
    pub struct Exp = exp(x: In<f32>, y: Out<f32>)
        where
            x == 8 || return None, //~ mistake
            //~ instead: x == 8,
            x == y;
}
