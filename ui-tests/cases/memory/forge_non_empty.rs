//! Says that a length of zero is not empty.

use ascendcl::memory::fixed::NonEmpty;
use typenum::U0;

impl NonEmpty for U0 {} //~ mistake
//~ instead: fn takes_any_length<N: NonEmpty>(_: U0) {}
