//! Says that two lengths in types are equal.

use ascendcl::bounds::SameElements;

struct Mine;
impl SameElements<[Mine; 8]> for [Mine; 4] { //~ mistake
    const KNOWN: bool = true; //~ mistake
} //~ mistake
//~ instead: fn fits<E: SameElements<[Mine; 8]>>() {}
