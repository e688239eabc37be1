//! The published packages away from this repository: a workspace of their packed files, built and tested.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, process};

use super::facts::Facts;
use crate::error::Error;
use crate::process::{Line, root, target};

/// What the tests and examples of the packages need. A package loses its dependency on itself, which switches these on
/// in the repository.
const FEATURES: &str = "ascendcl/emulator,ascendcl/half,ascendcl-sys/config";

/// The test that builds the C library, which is a package that is not published.
const NOT_PACKED: &str = "both_examples_give_the_same_answers_through_the_c_library";

/// A folder that goes with this value.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Packs, unpacks, tests, and builds with the oldest dependencies.
pub(super) fn check(packages: &[Facts]) -> Result<(), Error> {
    let built = target(&root()).join("packages");
    pack(packages, &built)?;
    let folder = env::temp_dir().join(format!("ascendcl-packages-{}", process::id()));
    let folder = Folder(folder);
    unpack(packages, &built, &folder.0)?;
    println!("package: the tests from the packed files");
    cargo(
        &folder.0,
        &built,
        &format!("test --workspace --no-fail-fast --features {FEATURES}"),
    )
    .with_arguments(["--".into(), "--skip".into(), NOT_PACKED.into()])
    .run()?;
    oldest(packages, &folder.0, &built)
}

/// Makes the archives that would be uploaded. Cargo's own check of them would only build the libraries, with the default
/// features, and needs the network (`cargo publish --workspace --dry-run`).
fn pack(packages: &[Facts], built: &Path) -> Result<(), Error> {
    let names = packages.iter().flat_map(|one| ["--package", &one.name]);
    Line::new("cargo package --quiet --no-verify --allow-dirty --offline")
        .with_arguments(names.map(String::from))
        .with_arguments(["--target-dir".into(), built.display().to_string()])
        .run()
}

/// Unpacks the archives into one workspace, in which each package stands for its name in the registry.
fn unpack(packages: &[Facts], built: &Path, folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    let mut members = String::new();
    let mut patches = String::new();
    for package in packages {
        let Facts { name, version, .. } = package;
        let archive = built
            .join("package")
            .join(format!("{name}-{version}.crate"));
        // Cargo gives all packed files one old date. With it, a later run would take the results of an earlier one.
        Line::new("tar --extract --touch --gzip --file")
            .with_arguments([
                archive.display().to_string(),
                "--directory".into(),
                folder.display().to_string(),
            ])
            .run()?;
        // Writing to a `String` cannot fail.
        let _ = write!(members, "\"{name}-{version}\", ");
        let _ = writeln!(patches, "{name} = {{ path = \"{name}-{version}\" }}");
    }
    let manifest = format!(
        "[workspace]\nresolver = \"3\"\nmembers = [{members}]\n\n[patch.crates-io]\n{patches}"
    );
    let manifest_file = folder.join("Cargo.toml");
    fs::write(&manifest_file, manifest).map_err(|error| failed(&manifest_file, &error))?;
    // The versions of the dependencies that everything else here is tested with.
    let lock = folder.join("Cargo.lock");
    fs::copy(root().join("Cargo.lock"), &lock).map_err(|error| failed(&lock, &error))?;
    Ok(())
}

/// Builds the libraries with the lowest version of each dependency that a manifest names, theirs included. Only a
/// nightly Cargo chooses these; the usual compiler builds them.
fn oldest(packages: &[Facts], folder: &Path, built: &Path) -> Result<(), Error> {
    let nightly = Command::new("rustup")
        .args(["run", "nightly", "cargo", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !nightly.is_ok_and(|status| status.success()) {
        println!(
            "\n*** package: SKIPPED: there is no nightly toolchain, so the oldest dependencies were not tried ***\n"
        );
        return Ok(());
    }
    for Facts { name, version, .. } in packages {
        let path = folder.join(format!("{name}-{version}")).join("Cargo.toml");
        let text = fs::read_to_string(&path).map_err(|error| failed(&path, &error))?;
        fs::write(&path, without_tests(&text)).map_err(|error| failed(&path, &error))?;
    }
    let lock = folder.join("Cargo.lock");
    fs::remove_file(&lock).map_err(|error| failed(&lock, &error))?;
    let manifest = folder.join("Cargo.toml").display().to_string();
    Line::new("rustup run nightly cargo update --quiet -Z minimal-versions --manifest-path")
        .with_arguments([manifest])
        .run()?;
    println!("package: the libraries with the oldest dependencies");
    let line = format!("check --workspace --lib --locked --features {FEATURES},ascendcl/onnx");
    cargo(folder, built, &line)
        // Lints are those of the usual versions.
        .with_env("RUSTFLAGS", "--cap-lints=allow")
        .run()
}

/// A packed manifest without the dependencies of tests, whose demands would raise the versions of the others. Cargo writes
/// each dependency as a section of its own there.
fn without_tests(manifest: &str) -> String {
    let mut kept = String::new();
    let mut is_kept = true;
    for line in manifest.split_inclusive('\n') {
        if line.starts_with('[') {
            is_kept = !line.contains("dev-dependencies");
        }
        if is_kept {
            kept.push_str(line);
        }
    }
    kept
}

/// A Cargo command in the workspace of the packed files.
fn cargo(folder: &Path, built: &Path, arguments: &str) -> Line {
    Line::new(&format!("cargo {arguments}")).with_arguments([
        "--manifest-path".into(),
        folder.join("Cargo.toml").display().to_string(),
        "--target-dir".into(),
        built.join("alone").display().to_string(),
    ])
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> Error {
    Error::Failed(format!("package: {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::without_tests;

    #[test]
    fn the_dependencies_of_tests_go_and_nothing_else() {
        let manifest = "[dependencies.libc]\nversion = \"0.2\"\n\n[dev-dependencies.clap]\nversion = \"4\"\n\n\
                        [target.\"cfg(loom)\".dev-dependencies.loom]\nversion = \"0.7\"\n\n[lints.rust]\nx = 1\n";
        let kept = "[dependencies.libc]\nversion = \"0.2\"\n\n[lints.rust]\nx = 1\n";
        assert_eq!(without_tests(manifest), kept);
    }
}
