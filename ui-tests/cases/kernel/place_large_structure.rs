//! Places a structure behind the arguments that is too large.

use ascendcl::kernel;
use ascendcl::kernel::{InOut, Placed};

kernel! {
    pub struct Scale = scale(
        x: InOut<f32>,
        table: Placed<[f32; 1024]>, //~ mistake
        //~ instead: table: ascendcl::kernel::In<f32>,
    );
}

#[allow(unused)]
type Small = Placed<[f32; 64]>;
