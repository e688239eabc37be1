//! `cargo xtask bench`: the whole table of what this project costs, beside the raw calls and the peers.

mod cost;

use crate::Error;
use crate::process::{Line, root, target};

/// Counts and machine code; exact, so continuous integration keeps their bounds.
pub(crate) const BOUNDS: &str = "cargo bench --package ascendcl-benches --bench call_overhead";

/// Where the peers are kept away from this project's dependencies.
const PEERS: &str = "benches/peers/Cargo.toml";

pub(crate) fn command(options: &[&str]) -> Result<(), Error> {
    match options {
        [] => {
            calls()?;
            peers()?;
            cost::table()
        }
        ["calls"] => calls(),
        ["peers"] => peers(),
        ["cost"] => cost::table(),
        _ => Err(Error::Usage(
            "`bench` takes `calls`, `peers`, `cost` or nothing".into(),
        )),
    }
}

fn calls() -> Result<(), Error> {
    Line::new(BOUNDS).run()
}

/// Builds the libraries that only count, then what calls them.
fn peers() -> Result<(), Error> {
    let folder = target(&root()).join("peers");
    let libraries = folder.join("release").display().to_string();
    let cargo = |what: &str| {
        Line::new(&format!("cargo {what} --quiet --release --locked"))
            .with_arguments(["--manifest-path".into(), PEERS.into()])
            .with_arguments(["--target-dir".into(), folder.display().to_string()])
    };
    cargo("build --package stub-cuda --package stub-ascendcl").run()?;
    cargo("run --package compare")
        .with_env("STUBS", &libraries)
        .with_env("LD_LIBRARY_PATH", &libraries)
        .with_env("ASCENDCL_BACKEND", &format!("{libraries}/libascendcl.so"))
        .run()
}
