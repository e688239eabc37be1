//! The facts that a release needs and that a repository without a public address does not have.

use std::fs;
use std::path::Path;

use super::facts::Facts;
use crate::error::Error;
use crate::files::File;
use crate::process::root;

/// The line below which the address belongs, in the manifest of the workspace.
const WORKSPACE: &str = "[workspace.package]\n";
/// The line in a manifest below which it names the address of the workspace.
const LICENCE: &str = "license.workspace = true\n";
const OF_WORKSPACE: &str = "repository.workspace = true\n";

/// The folder of the guide, whose chapters name the dependency, too.
const GUIDE: &str = "docs/guide/";
/// The words of a reader's manifest that depends on a clone.
const BY_PATH: &str = "\nascendcl = { path = ";

/// A sentence for each fact that is missing, with the text files of the repository.
pub(super) fn lacks(packages: &[Facts], files: &[File]) -> Vec<String> {
    let text = |path: &str| {
        let file = files.iter().find(|file| file.path == path);
        file.map_or("", |file| file.text.as_str())
    };
    let (readme, changelog) = (text("README.md"), text("CHANGELOG.md"));
    let mut lacks = Vec::new();
    let first = packages.first();
    let address = first.and_then(|package| package.repository.as_deref());
    if address.is_none_or(|address| !is_public(address)) {
        lacks.push(
            "Cargo.toml: the packages name no public repository, so the links of README.md lead nowhere on the \
             pages of a registry: `cargo xtask package --repository https://..` enters the address"
                .into(),
        );
    }
    for package in packages {
        if Some(&package.repository) != first.map(|first| &first.repository) {
            lacks.push(format!(
                "{}Cargo.toml: not the `repository` of the other packages",
                package.folder
            ));
        }
        if Some(&package.version) != first.map(|first| &first.version) {
            lacks.push(format!(
                "{}Cargo.toml: not the `version` of the other packages, with which it is tested",
                package.folder
            ));
        }
    }
    let version = first.map_or("", |package| package.version.as_str());
    let required = version.rsplit_once('.').map_or(version, |(two, _)| two);
    let dependency = format!("\nascendcl = {{ version = \"{required}\"");
    if !readme.contains(&dependency) {
        lacks.push(format!(
            "README.md: the first program depends on a path: replace it by `version = \"{required}\"`, and the words \
             around it"
        ));
    }
    for file in files {
        if file.path.starts_with(GUIDE) && file.text.contains(BY_PATH) {
            lacks.push(format!(
                "{}: a reader's manifest depends on a path: replace it by `version = \"{required}\"`, and the words \
                 around it",
                file.path
            ));
        }
        if file.path.ends_with("Cargo.lock") && has_other_version(&file.text, packages) {
            lacks.push(format!(
                "{0}: other versions of the packages: `cargo update --workspace --manifest-path {1}Cargo.toml`",
                file.path,
                file.path.trim_end_matches("Cargo.lock")
            ));
        }
    }
    let heading = format!("\n## {version}");
    let has_heading = changelog.match_indices(&heading).any(|(start, _)| {
        let rest = changelog.get(start + heading.len()..).unwrap_or_default();
        rest.starts_with([' ', '\n'])
    });
    if !has_heading {
        lacks.push(format!(
            "CHANGELOG.md: there is no section `## {version}`: the section `## Unreleased` gets the version and the \
             date"
        ));
    }
    lacks
}

/// Whether a lock file has one of the packages in another version. The workspaces beside the main one have lock files of
/// their own, and are built with `--locked`.
fn has_other_version(lock: &str, packages: &[Facts]) -> bool {
    packages.iter().any(|package| {
        let name = format!("\nname = \"{}\"\n", package.name);
        let version = format!("version = \"{}\"\n", package.version);
        let after = lock.split_once(&name).map(|(_, after)| after);
        after.is_some_and(|after| !after.starts_with(&version))
    })
}

/// Enters the address of the repository in the manifests of the workspace and of each package.
pub(super) fn enter(packages: &[Facts], address: &str) -> Result<(), Error> {
    if !is_public(address) {
        return Err(Error::Usage(format!(
            "the address of the repository begins with https://, and `{address}` does not"
        )));
    }
    let line = format!("repository = \"{address}\"\n");
    change("Cargo.toml", |text| {
        inserted(text, WORKSPACE, "repository = ", &line)
    })?;
    for package in packages {
        let manifest = format!("{}Cargo.toml", package.folder);
        change(&manifest, |text| {
            inserted(text, LICENCE, OF_WORKSPACE, OF_WORKSPACE)
        })?;
    }
    println!("package: the packages name {address}; commit this");
    Ok(())
}

/// A text with `line` below the line `below`, in place of a line there that starts with `old`.
fn inserted(text: &str, below: &str, old: &str, line: &str) -> Option<String> {
    let start = match text.strip_prefix(below) {
        Some(_) => 0,
        None => text.find(&format!("\n{below}"))? + 1,
    };
    let (head, rest) = text.split_at_checked(start + below.len())?;
    let rest = match rest.strip_prefix(old) {
        Some(tail) if old.ends_with('\n') => tail,
        Some(tail) => tail.split_once('\n').map_or("", |(_, tail)| tail),
        None => rest,
    };
    Some(format!("{head}{line}{rest}"))
}

fn change(name: &str, change: impl FnOnce(&str) -> Option<String>) -> Result<(), Error> {
    let path = root().join(name);
    let changed = change(&read(&path)?)
        .ok_or_else(|| Error::Failed(format!("package: {name} has no place for the address")))?;
    fs::write(&path, changed).map_err(|error| Error::Failed(format!("package: {name}: {error}")))
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path)
        .map_err(|error| Error::Failed(format!("package: {}: {error}", path.display())))
}

fn is_public(address: &str) -> bool {
    let rest = address.strip_prefix("https://").unwrap_or_default();
    rest.contains('/') && !address.contains(['"', ' ', '\\'])
}

#[cfg(test)]
mod tests {
    use super::{LICENCE, OF_WORKSPACE, WORKSPACE, inserted, lacks};
    use crate::files::File;
    use crate::package::facts::Facts;

    fn package(folder: &str, repository: Option<&str>, version: &str) -> Facts {
        Facts {
            folder: folder.into(),
            repository: repository.map(String::from),
            version: version.into(),
            ..Facts::default()
        }
    }

    fn files(readme: &str, changelog: &str) -> Vec<File> {
        vec![
            File::sample("README.md", readme),
            File::sample("CHANGELOG.md", changelog),
        ]
    }

    const README: &str =
        "```toml\n[dependencies]\nascendcl = { version = \"0.2\", features = [] }\n";
    const CHANGELOG: &str = "# Changelog\n\n## Unreleased\n\n## 0.2.0 (2027-01-01)\n\n- A line.\n";

    #[test]
    fn a_release_needs_an_address_a_version_and_a_date() {
        let address = Some("https://code.example/ascendcl");
        let ready = [
            package("", address, "0.2.0"),
            package("sys/", address, "0.2.0"),
        ];
        assert_eq!(
            lacks(&ready, &files(README, CHANGELOG)),
            Vec::<String>::new()
        );

        let found = |packages: &[Facts], readme: &str, changelog: &str| {
            let lacks = lacks(packages, &files(readme, changelog));
            let file = |line: &String| line.split(':').next().unwrap_or_default().to_owned();
            lacks.iter().map(file).collect::<Vec<_>>()
        };
        let none = package("", None, "0.2.0");
        assert_eq!(found(&[none], README, CHANGELOG), ["Cargo.toml"]);
        let private = package("", Some("code/ascendcl"), "0.2.0");
        assert_eq!(found(&[private], README, CHANGELOG), ["Cargo.toml"]);
        let other = [
            package("", address, "0.2.0"),
            package("sys/", None, "0.1.0"),
        ];
        let named = found(&other, README, CHANGELOG);
        assert_eq!(named, ["sys/Cargo.toml", "sys/Cargo.toml"]);
        let later = [package("", address, "0.3.0")];
        let named = found(&later, README, CHANGELOG);
        assert_eq!(named, ["README.md", "CHANGELOG.md"]);
        let path = README.replace("version = \"0.2\"", "path = \"clone\"");
        assert_eq!(found(&ready, &path, CHANGELOG), ["README.md"]);
        let longer = CHANGELOG.replace("0.2.0", "0.2.01");
        assert_eq!(found(&ready, README, &longer), ["CHANGELOG.md"]);
    }

    #[test]
    fn a_release_needs_the_guide_and_every_lock_file() {
        let named = Facts {
            name: "ascendcl".into(),
            ..package("", Some("https://code.example/ascendcl"), "0.2.0")
        };
        let found = |path: &str, text: &str| {
            let mut files = files(README, CHANGELOG);
            files.push(File::sample(path, text));
            lacks(std::slice::from_ref(&named), &files)
        };
        let chapter = "docs/guide/en/src/install.md";
        let by_path = "```toml\n[dependencies]\nascendcl = { path = \"../ascendcl\" }\n";
        let by_version = by_path.replace("path = \"../ascendcl\"", "version = \"0.2\"");
        assert!(found(chapter, by_path).concat().starts_with(chapter));
        assert_eq!(found(chapter, &by_version), [""; 0]);
        // A path in a place that no reader copies.
        assert_eq!(found("docs/cost.md", by_path), [""; 0]);

        let lock = |version: &str| {
            format!(
                "[[package]]\nname = \"ascendcl-sys\"\nversion = \"9.0.0\"\n\n[[package]]\nname = \"ascendcl\"\n\
                 version = \"{version}\"\n"
            )
        };
        let old = found("fuzz/Cargo.lock", &lock("0.1.0")).concat();
        assert!(old.ends_with("--manifest-path fuzz/Cargo.toml`"), "{old}");
        assert_eq!(found("fuzz/Cargo.lock", &lock("0.2.0")), [""; 0]);
        assert_eq!(found("fuzz/Cargo.lock", "version = 4\n"), [""; 0]);
    }

    #[test]
    fn an_address_is_entered_and_replaced() {
        let line = "repository = \"https://code.example/a\"\n";
        let manifest = "[workspace]\nx = 1\n\n[workspace.package]\nversion = \"1.0.0\"\n";
        let entered = "[workspace]\nx = 1\n\n[workspace.package]\nrepository = \"https://code.example/a\"\n\
                       version = \"1.0.0\"\n";
        let enter = |text: &str| inserted(text, WORKSPACE, "repository = ", line);
        assert_eq!(enter(manifest).as_deref(), Some(entered));
        let older = entered.replace("example/a", "example/b");
        assert_eq!(enter(&older).as_deref(), Some(entered));
        assert_eq!(enter("[package]\n"), None);

        let enter = |text: &str| inserted(text, LICENCE, OF_WORKSPACE, OF_WORKSPACE);
        let package = "[package]\nlicense.workspace = true\nx = 1\n";
        let entered = "[package]\nlicense.workspace = true\nrepository.workspace = true\nx = 1\n";
        assert_eq!(enter(package).as_deref(), Some(entered));
        assert_eq!(enter(entered).as_deref(), Some(entered));
    }
}
