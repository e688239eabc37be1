//! `cargo xtask msrv`: whether the oldest Rust that the manifest promises builds the published packages.
//!
//! Libraries, tests and examples are checked; benchmarks and the packages of this repository's own
//! commands need the pinned toolchain. Where the old one cannot be installed, nothing is checked here,
//! and only the lint `clippy::incompatible_msrv` looks at what the standard library had by then.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::error::Error;
use crate::process::{Line, root, target};

/// The packages that others build.
const PUBLISHED: [&str; 5] = [
    "ascendcl",
    "ascendcl-sys",
    "ascendcl-emulator",
    "ascendcl-emulator-media",
    "ascendcl-emulator-capi",
];

/// The manifest of the workspace, with the version.
const MANIFEST: &str = "Cargo.toml";

pub(crate) fn command() -> Result<(), Error> {
    let root = root();
    let version = version(&root)?;
    if !is_installed(&version) && !install(&version) {
        println!(
            "\n*** msrv: SKIPPED: Rust {version} is not here and cannot be installed. Nothing was \
             checked with it; `clippy::incompatible_msrv` alone stands for it. ***\n"
        );
        return Ok(());
    }
    let packages = PUBLISHED.iter().flat_map(|name| ["--package", name]);
    // A folder of its own, so that the two compilers do not rebuild each other's results.
    let folder = target(&root).join("msrv").display().to_string();
    Line::new(&format!("rustup run {version} cargo check --quiet"))
        .with_arguments(packages.map(String::from))
        .with_arguments(
            ["--lib", "--tests", "--examples", "--target-dir", &folder].map(String::from),
        )
        // Lints are those of the pinned toolchain.
        .with_env("RUSTFLAGS", "--cap-lints=allow")
        .run()?;
    println!("msrv: Rust {version} builds {}", PUBLISHED.join(", "));
    Ok(())
}

/// The version that the manifest promises.
fn version(root: &Path) -> Result<String, Error> {
    let text = fs::read_to_string(root.join(MANIFEST))
        .map_err(|error| Error::Failed(format!("cannot read {MANIFEST}: {error}")))?;
    promised(&text)
        .map(str::to_owned)
        .ok_or_else(|| Error::Failed(format!("{MANIFEST} has no line `rust-version = \"..\"`")))
}

fn promised(manifest: &str) -> Option<&str> {
    manifest
        .lines()
        .find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'))
}

fn is_installed(version: &str) -> bool {
    succeeds(&["run", version, "rustc", "--version"])
}

fn install(version: &str) -> bool {
    println!("msrv: installing Rust {version}");
    succeeds(&[
        "toolchain",
        "install",
        version,
        "--profile",
        "minimal",
        "--no-self-update",
    ])
}

/// Whether rustup succeeds. Its output is not shown.
fn succeeds(arguments: &[&str]) -> bool {
    let quiet = Command::new("rustup")
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    quiet.is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::{promised, version};
    use crate::process::root;

    #[test]
    fn the_manifest_promises_a_version() {
        let text = "[workspace.package]\nedition = \"2024\"\nrust-version = \"1.70\"\n";
        assert_eq!(promised(text), Some("1.70"));
        assert_eq!(promised("rust-version.workspace = true\n"), None);
        let version = version(&root()).unwrap_or_default();
        assert!(version.starts_with("1."), "{version:?}");
    }
}
