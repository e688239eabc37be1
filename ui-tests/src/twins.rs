//! All twins as one generated package, so that one `cargo check` proves that they compile.
//!
//! Each twin is a module of one library: hundreds of them cost one start of the compiler. Their
//! `main` functions are never called; that a program also does the right thing is the integration
//! tests' matter.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

use crate::case::Case;
use crate::twin;

/// The parts of the workspace that the package of the twins needs.
#[derive(Debug)]
pub struct Package<'a> {
    /// The root of the workspace.
    pub workspace: &'a Path,
    /// The folder that is generated.
    pub folder: &'a Path,
}

impl Package<'_> {
    /// Writes the package. A case without a twin is an error of its own test and is left out here.
    pub fn write(&self, cases: &[Case]) -> io::Result<()> {
        let ui_tests = fs::read_to_string(self.workspace.join("ui-tests/Cargo.toml"))?;
        let manifest = manifest(&ui_tests, self.workspace).map_err(io::Error::other)?;
        write_if_changed(&self.folder.join("Cargo.toml"), &manifest)?;
        // The same versions as in the workspace, and nothing to download.
        let lock = fs::read_to_string(self.workspace.join("Cargo.lock"))?;
        fs::write(self.folder.join("Cargo.lock"), lock)?;

        let mut twins: Vec<(&Case, String)> = Vec::new();
        for case in cases {
            if let Ok(twin) = twin::twin(&case.text) {
                let file = format!("src/{}/{}.rs", case.area, case.name);
                write_if_changed(&self.folder.join(file), &twin)?;
                twins.push((case, twin));
            }
        }
        // Files of cases that are gone may stay: only what the root names is compiled.
        write_if_changed(&self.folder.join("src/lib.rs"), &root(&twins))
    }

    /// Checks the package. The error holds the compiler's messages, which name the cases.
    pub fn check(&self) -> Result<(), String> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(["check", "--offline", "--quiet", "--color=never"])
            .arg("--target-dir")
            .arg(self.folder.join("target"))
            .current_dir(self.folder)
            // Flags that are meant for the workspace must not change what a twin proves.
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .output()
            .map_err(|error| format!("cannot start cargo check: {error}"))?;
        if output.status.success() {
            return Ok(());
        }
        let messages = name_cases(&String::from_utf8_lossy(&output.stderr));
        Err(format!(
            "accepted twins do not compile (a line number is that of the case):\n\n{messages}"
        ))
    }
}

/// The manifest of the twins: the dependencies of `ui-tests`, because cases are compiled with them.
fn manifest(ui_tests: &str, workspace: &Path) -> Result<String, String> {
    let mut text = String::from(
        "[package]\nname = \"ui-twins\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         publish = false\n\n[lib]\ntest = false\ndoctest = false\n\n\
         # Not a member of the workspace around this folder.\n[workspace]\n\n[dependencies]\n",
    );
    let workspace = workspace.display().to_string().replace('\\', "/");
    let lines = ui_tests
        .lines()
        .skip_while(|line| line.trim() != "[dev-dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['));
    for line in lines.filter(|line| !line.starts_with("trybuild")) {
        if line.contains("workspace = true") {
            return Err(format!(
                "ui-tests/Cargo.toml: `{line}` is not written in full, the twins cannot use it"
            ));
        }
        text.push_str(&line.replace("path = \"..", &format!("path = \"{workspace}")));
        text.push('\n');
    }
    Ok(text)
}

/// The root of the library: one module per area, and in it one per twin.
fn root(twins: &[(&Case, String)]) -> String {
    let mut text = String::from("//! The accepted twins of the ui cases.\n\n#![allow(warnings)]\n");
    for area in crate::AREAS {
        let mut of_area = twins
            .iter()
            .filter(|(case, _)| case.area == area)
            .peekable();
        if of_area.peek().is_none() {
            continue;
        }
        // Writing into a String cannot fail.
        let _ = writeln!(text, "\nmod {area} {{");
        for (case, _) in of_area {
            let _ = writeln!(text, "    mod {};", case.name);
        }
        text.push_str("}\n");
    }
    text
}

/// Points the compiler's messages at the case, whose lines have the same numbers.
fn name_cases(messages: &str) -> String {
    messages
        .replace("--> src/", "--> ui-tests/cases/")
        .replace("::: src/", "::: ui-tests/cases/")
}

/// An unchanged file keeps its time, so that an unchanged package is not compiled again.
fn write_if_changed(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, text)
}

#[cfg(test)]
mod tests {
    use super::{manifest, name_cases, root};
    use crate::case::Case;
    use std::path::Path;

    #[test]
    fn the_manifest_takes_what_the_cases_may_use() {
        let ui_tests = "[dev-dependencies]\nascendcl = { path = \"..\", features = [\"x\"] }\n\
                        trybuild = \"1\"\n\n[lints]\nworkspace = true\n";
        let text = manifest(ui_tests, Path::new("/ws")).unwrap_or_default();
        assert!(
            text.ends_with("[dependencies]\nascendcl = { path = \"/ws\", features = [\"x\"] }\n\n")
        );
    }

    #[test]
    fn an_inherited_dependency_is_refused() {
        let ui_tests = "[dev-dependencies]\nascendcl = { workspace = true }\n";
        assert!(manifest(ui_tests, Path::new("/ws")).is_err());
    }

    #[test]
    fn the_root_names_every_twin() {
        let case = Case {
            area: "event".into(),
            name: "wait_unrecorded".into(),
            text: String::new(),
            message: None,
        };
        let text = root(&[(&case, String::new())]);
        assert!(text.ends_with("\nmod event {\n    mod wait_unrecorded;\n}\n"));
    }

    #[test]
    fn messages_name_the_case() {
        let message = "error\n --> src/event/wait.rs:3:5\n";
        let expected = "error\n --> ui-tests/cases/event/wait.rs:3:5\n";
        assert_eq!(name_cases(message), expected);
    }
}
