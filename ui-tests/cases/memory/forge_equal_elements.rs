//! Says that an element type of one's own is the same as another.

use ascendcl::memory::SameElement;

struct Mine;
impl SameElement<f32> for Mine {} //~ mistake
//~ instead: fn fits<T: SameElement<f32>>() {}

fn main() {}
