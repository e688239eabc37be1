//! Makes a type of one's own a shape with more elements than it has.

use ascendcl::bounds::Shape;

struct Long;
impl Shape for Long { //~ mistake
    type Element = f32; //~ mistake
    const RANK: usize = 1; //~ mistake
    const SIZES: [usize; 8] = [1 << 20; 8]; //~ mistake
    const LEN: usize = 1 << 20; //~ mistake
} //~ mistake
//~ instead: fn takes_any_shape<S: Shape>(_: S, _: Long) {}
