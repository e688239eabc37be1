//! Says that elements of single precision are a bias beside one's own ones.
#![allow(unused)]

use ascendcl::bounds::BiasOf;

struct Mine;
impl BiasOf<Mine> for f32 {} //~ mistake
//~ instead: fn biases<T: BiasOf<f32>>() {}
