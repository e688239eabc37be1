//! Typed calls of this project and of its peers beside the raw calls of one library.
//!
//! `cargo xtask bench peers` builds two libraries that do nothing but count and starts this with them.
//! A row is one operation in a program with two streams: the calls that reach the library, nanoseconds,
//! their ratio to the raw call of the same library (the median of rounds in turns), and allocations.
//! The peers whose build asks for a CUDA toolkit are in `toolkit`; their rows follow.

mod acl;
mod cann_side;
mod cuda;

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    counting::head();
    cuda::rows()?;
    cann_side::rows()?;
    acl::rows()
}
