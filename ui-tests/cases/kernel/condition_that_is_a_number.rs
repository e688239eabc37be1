//! Writes a condition that is neither true nor false.

use ascendcl::kernel;
use ascendcl::kernel::{In, Out};

kernel! {
    pub struct Exp = exp(x: In<f32>, y: Out<f32>)
        where
            x, //~ mistake
            //~ instead: x == y,
            x % 64 == 0;
}
