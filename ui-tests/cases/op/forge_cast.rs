//! Says that an element type can be cast to one's own.
#![allow(unused)]

use ascendcl::bounds::CastTo;

struct Mine;
impl CastTo<Mine> for f32 {} //~ mistake
//~ instead: fn casts<T: CastTo<f32>>() {}
