//! `cargo xtask bench`: the costs of this project, beside the raw calls and the peers.

mod cost;
mod ir;
mod peers;
mod toolkit;

use crate::error::{Error, usage};
use crate::process::Line;

/// Counts and machine code. They are exact, so continuous integration checks their bounds.
pub(crate) const BOUNDS: &str = "cargo bench --package ascendcl-benches --bench call_overhead";

/// The same, built with Cargo's default profile.
pub(crate) const WITHOUT_LTO: &str = "CARGO_PROFILE_BENCH_LTO=false CARGO_PROFILE_BENCH_CODEGEN_UNITS=16 \
                                      cargo bench --package ascendcl-benches --bench call_overhead -- --without-lto";

/// The workspace of the peers, whose dependencies are not those of this project.
const PEERS: &str = "benches/peers/Cargo.toml";

pub(crate) fn command(options: &[&str]) -> Result<(), Error> {
    match options {
        [] => {
            calls()?;
            peers::table()?;
            cost::table(&[])
        }
        ["calls"] => calls(),
        ["peers"] => peers::table(),
        ["cost", programs @ ..] => cost::table(programs),
        ["ir"] => ir::table(None),
        ["ir", package] => ir::table(Some(package)),
        _ => usage(
            "`bench` takes `calls`, `ir [<package>]`, `peers`, `cost [<program>..]` or nothing",
        ),
    }
}

fn calls() -> Result<(), Error> {
    Line::new(BOUNDS).run()?;
    Line::new(WITHOUT_LTO).run()
}
