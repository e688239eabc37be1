//! `cargo xtask bench`: the exact costs of this project. `benches/peers/run` has those beside the peers.

mod ir;

use crate::error::{Error, usage};
use crate::process::Line;

/// Counts and machine code. They are exact, so continuous integration checks their bounds.
pub(crate) const BOUNDS: &str = "cargo bench --package ascendcl-benches --bench call_overhead";

/// The same, built with Cargo's default profile.
pub(crate) const WITHOUT_LTO: &str = "CARGO_PROFILE_BENCH_LTO=false CARGO_PROFILE_BENCH_CODEGEN_UNITS=16 \
                                      cargo bench --package ascendcl-benches --bench call_overhead -- --without-lto";

pub(crate) fn command(options: &[&str]) -> Result<(), Error> {
    match options {
        ["calls"] => {
            Line::new(BOUNDS).run()?;
            Line::new(WITHOUT_LTO).run()
        }
        ["ir"] => ir::table(None),
        ["ir", package] => ir::table(Some(package)),
        _ => usage("`bench` takes `calls` or `ir [<package>]`"),
    }
}
