//! `cargo xtask bench`: the whole table of what this project costs, beside the raw calls and the peers.

mod cost;
mod peers;

use crate::Error;
use crate::process::Line;

/// Counts and machine code; exact, so continuous integration keeps their bounds.
pub(crate) const BOUNDS: &str = "cargo bench --package ascendcl-benches --bench call_overhead";

/// Where the peers are kept away from this project's dependencies.
const PEERS: &str = "benches/peers/Cargo.toml";

pub(crate) fn command(options: &[&str]) -> Result<(), Error> {
    match options {
        [] => {
            calls()?;
            peers::table()?;
            cost::table()
        }
        ["calls"] => calls(),
        ["peers"] => peers::table(),
        ["cost"] => cost::table(),
        _ => Err(Error::Usage(
            "`bench` takes `calls`, `peers`, `cost` or nothing".into(),
        )),
    }
}

fn calls() -> Result<(), Error> {
    Line::new(BOUNDS).run()
}
