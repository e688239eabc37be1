//! Implements the seal that closes the traits of devices and memory.

enum Mine {}
impl ascendcl::state::Sealed for Mine {} //~ mistake
//~ instead: impl ascendcl::StreamName for Mine {}
