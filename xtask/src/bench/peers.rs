//! The peers: builds the libraries that only count, and then the programs that call them.

use std::path::{Path, PathBuf};

use super::PEERS;
use super::toolkit::{self, Environment};
use crate::error::Error;
use crate::process::{Line, target};

/// How `cuda-async` waits: it asks the stream, its own thread sees a word that the device writes, or a host function is called.
/// The variables choose, once in a process.
const WAYS: [&[(&str, &str)]; 3] = [
    &[],
    &[("CUDA_ASYNC_SPIN_BUDGET_US", "0")],
    &[
        ("CUDA_ASYNC_SPIN_BUDGET_US", "0"),
        ("CUDA_ASYNC_HOST_SYNC", "block"),
    ],
];

/// Peers that are not compared, and why.
const NOT_HERE: [(&str, &str); 2] = [
    ("ascend_rs", "not published; its build asks for CANN"),
    (
        "InfiniTensor/ascendcl",
        "not published; its build generates bindings from CANN's headers",
    ),
];

pub(super) fn table() -> Result<(), Error> {
    let folder = libraries()?;
    let libraries = folder.join("release").display().to_string();
    let toolkit = toolkit::lay_out(&folder)?;
    // The output names the omitted peers before the table.
    if let Err(why) = &toolkit.cuda_core {
        println!("\n*** peers: LEFT OUT cuda-core 0.5.0 and cuda-async 0.5.0: {why} ***\n");
    }
    for package in ["compare", "compare-futures"] {
        cargo(&format!("run --package {package}"), PEERS, &folder)
            .with_env("STUBS", &libraries)
            .with_env("LD_LIBRARY_PATH", &libraries)
            .with_env("ASCENDCL_BACKEND", format!("{libraries}/libascendcl.so"))
            .run()?;
    }
    // Prints the rows of a peer that needs a toolkit.
    let rows = |package: &str, environment: &Environment, more: &[(&str, &str)]| {
        let line = cargo(
            &format!("run --package {package}"),
            toolkit::WORKSPACE,
            &folder,
        );
        let line = line
            .with_envs(environment)
            .with_env("LD_LIBRARY_PATH", toolkit.libraries());
        let with = |line: Line, (name, value): &(&str, &str)| line.with_env(name, value);
        more.iter().fold(line, with).run()
    };
    rows("compare-cust", &toolkit.cust(), &[])?;
    if let Ok(environment) = &toolkit.cuda_core {
        rows("compare-cuda-core", environment, &[])?;
        for way in WAYS {
            rows("compare-cuda-async", environment, way)?;
        }
    }
    println!();
    for (name, reason) in NOT_HERE {
        println!("not compared: {name}: {reason}");
    }
    Ok(())
}

/// Builds the libraries that only count, and returns the folder whose `release` has them.
pub(super) fn libraries() -> Result<PathBuf, Error> {
    let folder = target().join("peers");
    cargo(
        "build --package stub-cuda --package stub-ascendcl",
        PEERS,
        &folder,
    )
    .run()?;
    Ok(folder)
}

/// Cargo in a workspace of the peers.
fn cargo(what: &str, manifest: &str, folder: &Path) -> Line {
    Line::new(&format!("cargo {what} --quiet --release --locked"))
        .with_option("--manifest-path", manifest)
        .with_option("--target-dir", folder)
}
