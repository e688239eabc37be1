//! Declares a parameter with a type of Rust that no kernel has.

use ascendcl::kernel;
use ascendcl::kernel::InOut;

kernel! {
    pub struct Scale = scale(
        x: &'static [f32], //~ mistake
        //~ instead: x: ascendcl::kernel::In<f32>,
        y: InOut<f32>,
    );
}
