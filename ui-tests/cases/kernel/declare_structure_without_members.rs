//! Declares a structure without members as a parameter.

use ascendcl::kernel;
use ascendcl::kernel::{InOut, Struct};

kernel! {
    pub struct Fill = fill(
        x: InOut<u32>,
        options: Struct<()>, //~ mistake
        //~ instead: options: Struct<[u32; 2]>,
    );
}
