//! Declares a parameter that no kernel of C has.

use ascendcl::kernel::Parameter;

struct Closure;
impl Parameter for Closure {} //~ mistake
//~ instead: fn takes_parameters<P: Parameter>(_: P, _: Closure) {}
