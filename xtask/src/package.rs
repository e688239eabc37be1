//! `cargo xtask package`: whether the manifests of the published packages say what a registry and its readers need, and
//! whether the packages contain their sources and licences.
//!
//! `.ci/packed` builds and tests the packages from their packed files, which takes minutes.

use std::path::Path;

use serde_json::Value;

use crate::error::{Context as _, Error, conclude};
use crate::files;
use crate::process::{Line, root};

/// What each manifest has to say. A registry refuses a package without the first two.
const FACTS: &str = "\
/description /license /readme /rust_version /documentation /keywords/0 /categories/0
/metadata/docs/rs/all-features";

/// What each package has to contain. A licence is granted by its text.
const FILES: [&str; 4] = ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "src/lib.rs"];

/// `cargo xtask package`.
pub(crate) fn command() -> Result<(), Error> {
    let files = files::read()?;
    let tracked: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let mut missing = Vec::new();
    let mut versions = Vec::new();
    let all = packages()?;
    for package in all.iter().filter(is_published) {
        let text = |field| package.get(field).and_then(Value::as_str).unwrap_or("");
        let line = "cargo package --quiet --list --allow-dirty --offline";
        let listed = Line::new(line).with_option("--package", text("name"));
        let listed = listed.run_quietly()?;
        let listed: Vec<&str> = listed.lines().collect();
        let manifest = Path::new(text("manifest_path"));
        let manifest = manifest.strip_prefix(root()).unwrap_or(manifest).display();
        missing.extend(lacks(package, &manifest.to_string(), &tracked, &listed));
        versions.push(text("version"));
    }
    let count = versions.len();
    versions.dedup();
    if versions.len() != 1 {
        missing.push(format!(
            "the packages are tested with one version, not {versions:?}"
        ));
    }
    conclude(&missing)?;
    println!("package: {count} packages of version {}", versions.concat());
    Ok(())
}

/// The packages of the workspace, as Cargo reads their manifests.
pub(crate) fn packages() -> Result<Vec<Value>, Error> {
    let line = "cargo metadata --quiet --no-deps --offline --format-version 1";
    let metadata = Line::new(line).run_quietly()?;
    let metadata: Value =
        serde_json::from_str(&metadata).on(format!("`{line}` is not understood"))?;
    let packages = metadata.get("packages").and_then(Value::as_array);
    Ok(packages.cloned().unwrap_or_default())
}

/// `publish` is a list of registries, which is empty for `publish = false`.
fn is_published(package: &&Value) -> bool {
    package.get("publish").is_some_and(Value::is_null)
}

/// A sentence for each fact and each file that a package lacks.
fn lacks(package: &Value, manifest: &str, tracked: &[&str], listed: &[&str]) -> Vec<String> {
    let is_said = |fact: &&str| match package.pointer(fact) {
        Some(Value::String(text)) => !text.is_empty(),
        Some(value) => *value == Value::Bool(true),
        None => false,
    };
    let facts = FACTS.split_whitespace().filter(|fact| !is_said(fact));
    let facts = facts.map(|fact| format!("{manifest}: `{}` is missing", fact.replacen('/', "", 1)));
    let folder = manifest.trim_end_matches("Cargo.toml");
    let sources = tracked.iter().filter_map(|path| path.strip_prefix(folder));
    let sources = sources.filter(|path| path.starts_with("src/"));
    let files = FILES.into_iter().chain(sources);
    let files = files.filter(|file| !listed.contains(file));
    let files = files.map(|file| format!("{manifest}: does not contain {file}: see `include`"));
    facts.chain(files).collect()
}

#[cfg(test)]
mod tests {
    use super::{is_published, lacks};
    use serde_json::json;

    #[test]
    fn facts_and_files_that_are_missing_are_named() {
        let package = json!({"name": "a", "publish": null, "description": "x", "license": "MIT", "readme": "",
            "rust_version": "1.88", "documentation": "x", "keywords": ["x"], "categories": [],
            "metadata": {"docs": {"rs": {"all-features": false}}}});
        let packages = [package, json!({"name": "own", "publish": []})];
        let tracked = ["a/src/lib.rs", "a/src/b.rs", "a/tests/c.rs", "src/d.rs"];
        let listed = ["LICENSE-MIT", "README.md", "src/lib.rs"];
        let lacks: Vec<_> = packages
            .iter()
            .filter(is_published)
            .map(|package| lacks(package, "a/Cargo.toml", &tracked, &listed))
            .collect();
        let expected = [
            "`readme` is missing",
            "`categories/0` is missing",
            "`metadata/docs/rs/all-features` is missing",
            "does not contain LICENSE-APACHE: see `include`",
            "does not contain src/b.rs: see `include`",
        ];
        let expected = expected.map(|what| format!("a/Cargo.toml: {what}"));
        assert_eq!(lacks, [expected]);
    }
}
