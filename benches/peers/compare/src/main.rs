//! Typed calls of this project and of its peers beside the raw calls of the same library.
//!
//! `cargo xtask peers` builds two libraries that do nothing but count and starts this with them. A row
//! is one operation in a program with two streams: the calls that reach the library, nanoseconds, their
//! ratio to the raw call of the same library (the median of rounds in turns), and allocations.

mod acl;
mod cann_side;
mod cuda;
mod row;

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "{:<34} {:>6} {:>6} {:>9} {:>9} {:>7} {:>7}",
        "operation", "calls", "raw", "ns", "ns raw", "ratio", "allocs"
    );
    cuda::rows()?;
    cann_side::rows()?;
    acl::rows()?;
    println!();
    for (name, reason) in NOT_HERE {
        println!("not compared: {name}: {reason}");
    }
    Ok(())
}

/// Peers that are not part of this, and why.
const NOT_HERE: [(&str, &str); 4] = [
    (
        "cust 0.3.2",
        "its build asks for the headers of CUDA; those of 12.9 that NVIDIA publishes on PyPI \
         (nvidia-cuda-runtime-cu12, nvidia-cuda-nvcc-cu12) are enough, but this fetches nothing",
    ),
    (
        "cuda-core 0.4.0",
        "as for cust, with CUDA 13 (nvidia-cuda-runtime, nvidia-cuda-crt, nvidia-curand) and libclang",
    ),
    ("ascend_rs", "not published; its build asks for CANN"),
    (
        "InfiniTensor/ascendcl",
        "not published; its build generates bindings from CANN's headers",
    ),
];
