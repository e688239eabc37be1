//! Says that a shared slice may be written.

use ascendcl::scope::LendMut;

impl LendMut for &[u8] {} //~ mistake
//~ instead: fn takes_what_can_be_written<R: LendMut>() {}
