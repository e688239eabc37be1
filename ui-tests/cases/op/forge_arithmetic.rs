//! Says that operators take elements that they do not take.

use ascendcl::bounds::Arithmetic;

impl Arithmetic for u8 {} //~ mistake
//~ instead: fn takes_numbers<T: Arithmetic>() {}
