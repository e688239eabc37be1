//! The peers: builds the libraries that only count, then what calls them.

mod toolkit;

use std::path::Path;

use super::PEERS;
use crate::Error;
use crate::process::{Line, root, target};

/// Peers that are not part of this, and why.
const NOT_HERE: [(&str, &str); 2] = [
    ("ascend_rs", "not published; its build asks for CANN"),
    (
        "InfiniTensor/ascendcl",
        "not published; its build generates bindings from CANN's headers",
    ),
];

pub(super) fn table() -> Result<(), Error> {
    let folder = target(&root()).join("peers");
    let libraries = folder.join("release").display().to_string();
    cargo(
        "build --package stub-cuda --package stub-ascendcl",
        PEERS,
        &folder,
    )
    .run()?;
    // What can be left out says so in front of the table.
    let toolkit = toolkit::lay_out(&folder)?;
    cargo("run --package compare", PEERS, &folder)
        .with_env("STUBS", &libraries)
        .with_env("LD_LIBRARY_PATH", &libraries)
        .with_env("ASCENDCL_BACKEND", &format!("{libraries}/libascendcl.so"))
        .run()?;
    toolkit.rows(&folder)?;
    println!();
    for (name, reason) in NOT_HERE {
        println!("not compared: {name}: {reason}");
    }
    Ok(())
}

/// Cargo in a workspace of the peers.
fn cargo(what: &str, manifest: &str, folder: &Path) -> Line {
    Line::new(&format!("cargo {what} --quiet --release --locked"))
        .with_arguments(["--manifest-path".into(), manifest.into()])
        .with_arguments(["--target-dir".into(), folder.display().to_string()])
}
