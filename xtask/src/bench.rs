//! `cargo xtask bench`: the exact costs of this project. `benches/peers/run` has those beside the peers.

mod ir;
mod vectors;

use crate::error::Error;
use crate::process::Line;

/// Counts and machine code, of a program without the emulator. They are exact, so continuous integration checks their bounds.
const BOUNDS: &str =
    "cargo bench --package ascendcl-benches --no-default-features --bench call_overhead";

/// The same, built with Cargo's default profile.
const WITHOUT_LTO: &str = "CARGO_PROFILE_BENCH_LTO=false CARGO_PROFILE_BENCH_CODEGEN_UNITS=16 cargo bench \
                           --package ascendcl-benches --no-default-features --bench call_overhead -- --without-lto";

/// What is counted.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Part {
    /// Instructions, calls and allocations beside the raw program
    Calls,
    /// The lines that the compiler translates of each package
    Ir {
        /// List its heaviest functions
        package: Option<String>,
    },
    /// The vector instructions of the emulator's kernels, in an optimized build
    Vectors,
}

pub(crate) fn command(part: Part) -> Result<(), Error> {
    match part {
        Part::Calls => {
            Line::new(BOUNDS).run()?;
            Line::new(WITHOUT_LTO).run()
        }
        Part::Ir { package } => ir::table(package.as_deref()),
        Part::Vectors => vectors::table(),
    }
}
