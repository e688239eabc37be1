//! Typed calls of this project and of its peers beside the raw calls of one library.
//!
//! `benches/peers/run` builds two libraries that only count, and starts this program with them. A row is one
//! operation in a program with two streams: the calls that reach the library, nanoseconds, their ratio to the raw
//! call of the same library (the median of rounds in turns), and allocations. The peers whose build needs a CUDA
//! toolkit are in `toolkit`, and their rows follow.

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
