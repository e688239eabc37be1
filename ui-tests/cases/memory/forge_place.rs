//! Makes a type of one's own a memory domain.

use ascendcl::bounds::Place;

enum Shared {}
impl Place for Shared {} //~ mistake
//~ instead: fn takes_any_domain<M: Place>() {}
