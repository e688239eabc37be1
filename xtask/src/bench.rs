//! `cargo xtask bench`: the costs of this project, beside the raw calls and the peers.

mod cost;
mod ir;
mod peers;
mod toolkit;

use crate::error::Error;
use crate::process::Line;

/// Counts and machine code. They are exact, so continuous integration checks their bounds.
pub(crate) const BOUNDS: &str = "cargo bench --package ascendcl-benches --bench call_overhead";

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
        _ => Err(Error::Usage(
            "`bench` takes `calls`, `ir [<package>]`, `peers`, `cost [<program>..]` or nothing"
                .into(),
        )),
    }
}

fn calls() -> Result<(), Error> {
    Line::new(BOUNDS).run()?;
    without_lto().run()
}

/// The benchmark of calls, built with Cargo's default profile.
pub(crate) fn without_lto() -> Line {
    Line::new(BOUNDS)
        .with_arguments(["--".into(), "--without-lto".into()])
        .with_env("CARGO_PROFILE_BENCH_LTO", "false")
        .with_env("CARGO_PROFILE_BENCH_CODEGEN_UNITS", "16")
}
