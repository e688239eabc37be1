//! `cargo xtask package`: whether the published packages are complete.
//!
//! Without an option it reads manifests and lists of files, which takes a moment. With `--alone` it builds and tests
//! the packages from the files that a registry would hand out, in a folder outside of this repository.

mod alone;
mod facts;

use std::path::PathBuf;

use crate::error::Error;
use crate::files;
use crate::process::{Line, root};

use facts::Facts;

/// `cargo xtask package [--alone]`.
pub(crate) fn command(options: &[&str]) -> Result<(), Error> {
    let alone = match options {
        [] => false,
        ["--alone"] => true,
        _ => return Err(Error::Usage("`package` takes only `--alone`".into())),
    };
    let packages = published()?;
    check(&packages)?;
    if alone {
        alone::check(&packages)?;
    }
    Ok(())
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

/// Compares each manifest and its list of files with what a registry and its readers need.
fn check(packages: &[Facts]) -> Result<(), Error> {
    let tracked = files::read(&root()).map_err(Error::Failed)?;
    let tracked: Vec<&str> = tracked.iter().map(|file| file.path.as_str()).collect();
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
    if packages.iter().any(|package| package.repository.is_none()) {
        println!(
            "package: no package names a repository, so the relative links of a README lead nowhere outside of it; \
             RELEASING.md says where the address belongs"
        );
    }
    if missing.is_empty() {
        return Ok(());
    }
    Err(Error::Failed(format!("package:\n{}", missing.join("\n"))))
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
