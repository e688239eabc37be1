//! `cargo xtask locks`: whether the lock files of the workspaces beside the main one fit the manifests.
//!
//! Cargo itself writes the main lock file when a dependency or a feature changes. The other workspaces depend on the same
//! packages, but are built seldom and with `--locked`, so their commands would fail much later. Here Cargo only compares the
//! files: it builds nothing and downloads no package. It asks the package index for the entries that it does not have.

use std::path::Path;

use crate::error::Error;
use crate::files::{self, File};
use crate::process::{Line, root};

/// What Cargo says of a lock file that it would have to write.
const STALE: &str = "because --locked was passed";

/// What Cargo says if it does not reach the package index, and if it must not ask it.
const UNREACHABLE: [&str; 2] = ["failed to download", "offline mode"];

pub(crate) fn command() -> Result<(), Error> {
    let root = root();
    let files = files::read(&root).map_err(|error| Error::Failed(format!("locks: {error}")))?;
    let folders = workspaces(&files);
    let mut findings = Vec::new();
    for folder in &folders {
        match ask(&comparison(&root.join(folder)))? {
            Answer::Fits => {}
            Answer::Stale => findings.push(stale(folder)),
            Answer::Unknown => println!(
                "\n*** locks: SKIPPED {folder}: the package index cannot be reached. The lock file was not compared \
                 with the manifests. ***\n"
            ),
        }
    }
    if findings.is_empty() {
        println!("locks: {}", folders.join(", "));
        return Ok(());
    }
    Err(Error::Failed(findings.join("\n")))
}

/// Returns the folders of all workspaces but the main one.
fn workspaces(files: &[File]) -> Vec<&str> {
    let is_workspace = |file: &&File| file.text.lines().any(|line| line == "[workspace]");
    let found = files.iter().filter(is_workspace);
    found
        .filter_map(|file| file.path.strip_suffix("/Cargo.toml"))
        .collect()
}

/// The line that compares the lock file of a folder. `cargo metadata --locked` does so too, but it downloads all packages.
fn comparison(folder: &Path) -> Line {
    let manifest = folder.join("Cargo.toml").display().to_string();
    Line::new("cargo update --workspace --locked --quiet --manifest-path")
        .with_arguments([manifest])
}

/// What Cargo says of a lock file.
#[derive(Debug, PartialEq)]
enum Answer {
    Fits,
    /// It has to be written anew.
    Stale,
    /// The package index cannot be reached.
    Unknown,
}

fn ask(comparison: &Line) -> Result<Answer, Error> {
    let (status, said) = comparison.output()?;
    if status.success() {
        Ok(Answer::Fits)
    } else if said.contains(STALE) {
        Ok(Answer::Stale)
    } else if UNREACHABLE.iter().any(|words| said.contains(words)) {
        Ok(Answer::Unknown)
    } else {
        let text = format!("{said}\nlocks: `{comparison}` failed: {status}");
        Err(Error::Failed(text))
    }
}

/// The finding for a folder, with the line that repairs it.
fn stale(folder: &str) -> String {
    format!(
        "locks: {folder}/Cargo.lock does not fit the manifests; write it anew with\n    cargo update --workspace \
         --manifest-path {folder}/Cargo.toml"
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
    use super::{Answer, ask, comparison, stale, workspaces};
    use crate::error::Error;
    use crate::files;
    use crate::process::{Line, root};
    use std::path::{Path, PathBuf};
    use std::{env, fs, process};

    /// A folder of packages that goes with this value.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let folder = env::temp_dir().join(format!("xtask-locks-{name}-{}", process::id()));
            Folder(folder)
        }

        /// Writes a package that is a workspace.
        fn write(&self, package: &str, dependencies: &str) -> PathBuf {
            let folder = self.0.join(package);
            fs::create_dir_all(folder.join("src")).unwrap();
            fs::write(folder.join("src/lib.rs"), "").unwrap();
            let manifest = format!(
                "[package]\nname = \"{package}\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{dependencies}"
            );
            fs::write(folder.join("Cargo.toml"), manifest).unwrap();
            folder
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// Runs the line that a finding about a folder ends with.
    fn repair(folder: &Path) {
        let finding = stale(&folder.display().to_string());
        let (_, line) = finding.split_once("with\n").unwrap();
        assert!(Line::new(line).run_quietly().is_ok(), "{line}");
    }

    #[test]
    fn the_workspaces_beside_the_main_one_are_found() {
        let files = files::read(&root()).unwrap_or_default();
        let found = workspaces(&files);
        for folder in ["benches/linked", "benches/peers", "fuzz"] {
            assert!(found.contains(&folder), "{folder}: {found:?}");
        }
        for file in files
            .iter()
            .filter_map(|file| file.path.strip_suffix("/Cargo.lock"))
        {
            assert!(found.contains(&file), "{file} has no workspace: {found:?}");
        }
    }

    #[test]
    fn a_lock_file_is_stale_until_it_is_written_anew() {
        let scratch = Folder::new("stale");
        let (flour, bread) = (scratch.write("flour", ""), scratch.write("bread", ""));
        let answer = || ask(&comparison(&bread)).unwrap();
        assert_eq!(answer(), Answer::Stale, "there is none");
        repair(&bread);
        assert_eq!(answer(), Answer::Fits);
        scratch.write("bread", "flour = { path = \"../flour\" }\n");
        assert_eq!(answer(), Answer::Stale, "a dependency more");
        repair(&bread);
        assert_eq!(answer(), Answer::Fits);
        // The manifest is in another workspace, as those of this project are.
        let manifest = flour.join("Cargo.toml");
        let newer = fs::read_to_string(&manifest).unwrap();
        let newer = newer.replace("edition", "version = \"0.2.0\"\nedition");
        fs::write(&manifest, newer).unwrap();
        assert_eq!(answer(), Answer::Stale, "another version");
        repair(&bread);
        assert_eq!(answer(), Answer::Fits);
    }

    #[test]
    fn without_the_index_nothing_is_found() {
        let scratch = Folder::new("offline");
        let bread = scratch.write("bread", "libc = \"0.2\"\n");
        let empty = scratch.0.display().to_string();
        let line = comparison(&bread)
            .with_env("CARGO_HOME", &empty)
            .with_env("CARGO_NET_OFFLINE", "true");
        assert_eq!(ask(&line).unwrap(), Answer::Unknown);
    }

    #[test]
    fn a_manifest_that_cargo_cannot_read_is_an_error() {
        let scratch = Folder::new("broken");
        let bread = scratch.write("bread", "flour = { path = \"../flour\" }\n");
        let Err(Error::Failed(text)) = ask(&comparison(&bread)) else {
            unreachable!("there is no flour");
        };
        assert!(text.contains("flour"), "{text}");
    }
}
