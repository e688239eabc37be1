//! What a manifest says to a registry, and which files a package needs.

use serde_json::Value;

/// A published package.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) name: String,
    pub(super) version: String,
    /// Its folder below the root, with a slash at the end; empty for the package of the root.
    pub(super) folder: String,
    pub(super) repository: Option<String>,
    /// The packages that it depends on, without those for tests.
    pub(super) dependencies: Vec<String>,
    /// The facts of its manifest that are not there.
    pub(super) absent: Vec<&'static str>,
}

/// What each manifest has to say. A registry refuses a package without the first two.
const FACTS: [&str; 7] = [
    "description",
    "license",
    "readme",
    "rust_version",
    "documentation",
    "keywords",
    "categories",
];

/// What each package has to contain. A licence is granted by its text.
const FILES: [&str; 4] = ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "src/lib.rs"];

/// The published packages of a workspace, each after the packages that it depends on.
pub(super) fn published(metadata: &str) -> Result<Vec<Facts>, String> {
    let metadata: Value = serde_json::from_str(metadata)
        .map_err(|error| format!("`cargo metadata` is not understood: {error}"))?;
    let packages = metadata.get("packages").and_then(Value::as_array);
    let mut rest: Vec<Facts> = packages
        .ok_or("`cargo metadata` names no packages")?
        .iter()
        // `publish` is a list of registries, which is empty for `publish = false`.
        .filter(|package| package.get("publish").is_some_and(Value::is_null))
        .map(Facts::of)
        .collect();
    let names: Vec<String> = rest.iter().map(|package| package.name.clone()).collect();
    for package in &mut rest {
        package.dependencies.retain(|name| names.contains(name));
    }
    let mut ordered: Vec<Facts> = Vec::new();
    while !rest.is_empty() {
        let is_next = |package: &Facts| {
            let mut needed = package.dependencies.iter();
            needed.all(|name| ordered.iter().any(|before| before.name == *name))
        };
        let next = rest.iter().position(is_next);
        ordered.push(rest.remove(next.ok_or("the published packages depend on each other")?));
    }
    Ok(ordered)
}

impl Facts {
    fn of(package: &Value) -> Facts {
        let text = |field| package.get(field).and_then(Value::as_str);
        let said = |field: &&'static str| match package.get(*field) {
            Some(Value::String(text)) => !text.is_empty(),
            Some(Value::Array(entries)) => !entries.is_empty(),
            _ => false,
        };
        let mut absent: Vec<_> = FACTS.into_iter().filter(|field| !said(field)).collect();
        let pages = package.pointer("/metadata/docs/rs/all-features");
        if pages != Some(&Value::Bool(true)) {
            absent.push("metadata.docs.rs.all-features");
        }
        let dependencies = package.get("dependencies").and_then(Value::as_array);
        Facts {
            name: text("name").unwrap_or_default().into(),
            version: text("version").unwrap_or_default().into(),
            folder: super::folder(text("manifest_path").unwrap_or_default()),
            repository: text("repository").map(String::from),
            dependencies: dependencies
                .into_iter()
                .flatten()
                .filter(|one| one.get("kind").is_none_or(|kind| kind != "dev"))
                .filter_map(|one| one.get("name")?.as_str())
                .map(String::from)
                .collect(),
            absent,
        }
    }

    /// A sentence for each fact that the manifest does not have.
    pub(super) fn lacks(&self) -> impl Iterator<Item = String> {
        let manifest = format!("{}Cargo.toml", self.folder);
        self.absent
            .iter()
            .map(move |field| format!("{manifest}: `{field}` is missing"))
    }

    /// A sentence for each file that the package needs and does not contain.
    pub(super) fn lacks_files(&self, tracked: &[&str], listed: &[String]) -> Vec<String> {
        let sources = format!("{}src/", self.folder);
        let sources = tracked
            .iter()
            .filter(|path| path.starts_with(&sources))
            .filter_map(|path| path.strip_prefix(&self.folder));
        FILES
            .into_iter()
            .chain(sources)
            .filter(|file| !listed.iter().any(|one| one == file))
            .map(|file| {
                let name = &self.name;
                format!(
                    "{}Cargo.toml: {name} does not contain {file}: see `include`",
                    self.folder
                )
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Facts, published};

    const WORKSPACE: &str = r#"{"packages": [
        {"name": "top", "version": "1.0.0", "publish": null, "license": "MIT", "keywords": [],
         "dependencies": [{"name": "below", "kind": null}, {"name": "serde", "kind": null}]},
        {"name": "own", "version": "0.0.0", "publish": [], "dependencies": []},
        {"name": "below", "version": "1.0.0", "publish": null, "description": "x", "license": "MIT",
         "readme": "README.md", "rust_version": "1.88", "documentation": "x", "keywords": ["x"],
         "categories": ["x"], "metadata": {"docs": {"rs": {"all-features": true}}},
         "dependencies": [{"name": "top", "kind": "dev"}]}
    ]}"#;

    #[test]
    fn what_is_not_published_is_left_out_and_the_rest_is_in_order() {
        let names: Vec<_> = published(WORKSPACE)
            .into_iter()
            .flatten()
            .map(|package| package.name)
            .collect();
        assert_eq!(names, ["below", "top"]);
        let circle = WORKSPACE.replace("\"dev\"", "null");
        assert!(published(&circle).is_err_and(|text| text.contains("each other")));
        assert!(published("x").is_err());
    }

    #[test]
    fn facts_that_are_missing_are_named() {
        let lacks: Vec<String> = published(WORKSPACE)
            .iter()
            .flatten()
            .flat_map(Facts::lacks)
            .collect();
        let expected = [
            "description",
            "readme",
            "rust_version",
            "documentation",
            "keywords",
            "categories",
            "metadata.docs.rs.all-features",
        ];
        let expected = expected.map(|field| format!("Cargo.toml: `{field}` is missing"));
        assert_eq!(lacks, expected);
    }

    #[test]
    fn files_that_are_missing_are_named() {
        let package = Facts {
            name: "a".into(),
            folder: "a/".into(),
            ..Facts::default()
        };
        let tracked = ["a/src/lib.rs", "a/src/b.rs", "a/tests/c.rs", "src/d.rs"];
        let listed = ["LICENSE-MIT", "README.md", "src/lib.rs"].map(String::from);
        let lacks = package.lacks_files(&tracked, &listed);
        let expected = ["LICENSE-APACHE", "src/b.rs"]
            .map(|file| format!("a/Cargo.toml: a does not contain {file}: see `include`"));
        assert_eq!(lacks, expected);
    }
}
