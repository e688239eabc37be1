//! Promises for a type of one's own that one stream at a time has it.

use ascendcl::bounds::Distinct;

enum Mine {}
impl Distinct for Mine {} //~ mistake
//~ instead: impl ascendcl::StreamName for Mine {}
