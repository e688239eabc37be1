//! Declares the length of what has none.

use ascendcl::kernel;
use ascendcl::kernel::{InOut, LenOf};

kernel! {
    pub struct Scale = scale(
        x: InOut<f32>,
        a: f32,
        n: LenOf<a>, //~ mistake
        //~ instead: n: LenOf<x>,
    );
}
