//! Says that elements of one's own are the same as others.

use ascendcl::bounds::SameElements;

struct Mine;
impl SameElements<[f32; 8]> for Mine { //~ mistake
    const KNOWN: bool = true; //~ mistake
} //~ mistake
//~ instead: fn fits<E: SameElements<[f32; 8]>>() {}
