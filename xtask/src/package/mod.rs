//! `cargo xtask package`: whether the published packages are complete.
//!
//! Without an option it reads manifests and lists of files, which takes a moment. With `--alone` it builds and tests
//! the packages from the files that a registry would hand out, in a folder outside of this repository. With `--release`
//! it also asks for what only a release needs, the public address of the repository among it, which
//! `--repository <address>` enters.

mod alone;
mod facts;
mod release;

use std::path::PathBuf;

use crate::error::Error;
use crate::files;
use crate::process::{Line, root};

use facts::Facts;

/// `cargo xtask package [--alone | --release | --repository <address>]`.
pub(crate) fn command(options: &[&str]) -> Result<(), Error> {
    match options {
        [] => check(&published()?, false),
        ["--alone"] => {
            let packages = published()?;
            check(&packages, false)?;
            alone::check(&packages)
        }
        ["--release"] => check(&published()?, true),
        ["--repository", address] => release::enter(&published()?, address),
        _ => Err(Error::Usage(
            "`package` takes `--alone`, `--release` or `--repository <address>`".into(),
        )),
    }
}

/// The packages that are published, in the order of their dependencies.
fn published() -> Result<Vec<Facts>, Error> {
    let (status, said) = Line::new(
        "cargo metadata --quiet --no-deps --offline --format-version 1 --manifest-path Cargo.toml",
    )
    .output()?;
    if !status.success() {
        return Err(Error::Failed(said));
    }
    facts::published(&said).map_err(Error::Failed)
}

/// Compares each manifest and its list of files with what a registry and its readers need. Before a release more is
/// needed.
fn check(packages: &[Facts], is_release: bool) -> Result<(), Error> {
    let files = files::read(&root()).map_err(Error::Failed)?;
    let tracked: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let mut missing = Vec::new();
    for package in packages {
        let listed = listed(package)?;
        missing.extend(package.lacks());
        missing.extend(package.lacks_files(&tracked, &listed));
        println!(
            "package: {} {}, {} files",
            package.name,
            package.version,
            listed.len()
        );
    }
    let lacks = release::lacks(packages, &files);
    if is_release {
        missing.extend(lacks);
    } else {
        for line in lacks {
            println!("package: before a release: {line}");
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let why = if is_release {
        "package: do not publish yet:"
    } else {
        "package:"
    };
    Err(Error::Failed(format!("{why}\n{}", missing.join("\n"))))
}

/// The files that Cargo puts into a package.
fn listed(package: &Facts) -> Result<Vec<String>, Error> {
    let line = format!(
        "cargo package --quiet --list --allow-dirty --offline --package {}",
        package.name
    );
    let (status, said) = Line::new(&line).output()?;
    if !status.success() {
        return Err(Error::Failed(format!("{said}\n`{line}` failed")));
    }
    Ok(said.lines().map(String::from).collect())
}

/// The folder of a package below the root, with a slash at its end; empty for the package of the root.
fn folder(manifest: &str) -> String {
    let folder = PathBuf::from(manifest);
    let folder = folder
        .parent()
        .and_then(|path| path.strip_prefix(root()).ok());
    match folder.map(|path| path.display().to_string()) {
        Some(path) if !path.is_empty() => format!("{path}/"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::published;

    #[test]
    fn the_published_packages_come_in_the_order_of_their_dependencies() {
        let names: Vec<_> = published()
            .into_iter()
            .flatten()
            .map(|package| package.name)
            .collect();
        let order = [
            "ascendcl-sys",
            "ascendcl-emulator",
            "ascendcl-emulator-media",
            "ascendcl-emulator-onnx",
            "ascendcl",
        ];
        assert_eq!(names, order);
    }
}
