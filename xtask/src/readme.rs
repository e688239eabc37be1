//! The first program of README.md, made as its reader makes it: a new project beside the clone, the two blocks
//! copied, `cargo run`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Error;
use crate::process::{Line, root, target};

/// The placeholder for the reader's clone.
const CLONE: &str = "path to your clone";

/// The two blocks of the README.
#[derive(Debug, PartialEq, Eq)]
struct First<'t> {
    dependencies: &'t str,
    program: &'t str,
    output: &'t str,
}

/// A folder that goes with this value.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// `cargo xtask readme`.
pub(crate) fn command() -> Result<(), Error> {
    let text = read(&root().join("README.md"))?;
    let first = First::of(&text).map_err(Error::Failed)?;
    // Outside of the workspace, as the reader's project is.
    let folder = std::env::temp_dir().join(format!("ascendcl-readme-{}", std::process::id()));
    let _removed_at_the_end = Folder(folder.clone());
    let project = folder.join("first");
    first.lay_out(&project)?;
    let manifest = project.join("Cargo.toml").display().to_string();
    let built = target(&root()).join("readme");
    Line::new("cargo build --quiet --offline --manifest-path")
        .with_arguments([manifest, "--target-dir".into(), built.display().to_string()])
        .run()?;
    let said = run(&built.join("debug").join("first"))?;
    if said == first.output {
        println!("readme: the program builds, runs, and prints what README.md says");
        Ok(())
    } else {
        let output = first.output;
        Err(Error::Failed(format!(
            "README.md says that its program prints\n{output}and it prints\n{said}"
        )))
    }
}

impl<'t> First<'t> {
    fn of(readme: &'t str) -> Result<Self, String> {
        let (_, section) = readme
            .split_once("\n## In your program")
            .ok_or("README.md has no section `In your program`")?;
        let section = section
            .split_once("\n## ")
            .map_or(section, |(section, _)| section);
        let block = |language: &str| {
            let start = format!("\n```{language}\n");
            let (_, rest) = section.split_once(&start).ok_or_else(|| {
                format!("README.md has no block of {language} in `In your program`")
            })?;
            // The line break in front of the fence is the last line's own.
            let length = rest
                .find("\n```")
                .ok_or("a block of README.md has no end")?;
            rest.get(..=length)
                .ok_or_else(|| "a block of README.md has no end".to_owned())
        };
        Ok(First {
            dependencies: block("toml")?,
            program: block("rust")?,
            output: block("text")?,
        })
    }

    /// Makes the project: the files of `cargo new`, the README's blocks, and this workspace's versions of the other
    /// dependencies, so that nothing is downloaded.
    fn lay_out(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.display().to_string();
        Line::new("cargo new --quiet --vcs none --name first")
            .with_arguments([path])
            .run()?;
        let manifest = folder.join("Cargo.toml");
        let empty = read(&manifest)?;
        let (head, _) = empty
            .split_once("[dependencies]")
            .ok_or_else(|| Error::Failed("`cargo new` writes no [dependencies] any more".into()))?;
        let dependencies = self.dependencies_in(&root().display().to_string());
        write(&manifest, &format!("{head}{dependencies}"))?;
        write(&folder.join("src").join("main.rs"), self.program)?;
        write(
            &folder.join("Cargo.lock"),
            &read(&root().join("Cargo.lock"))?,
        )
    }
}

impl First<'_> {
    /// The dependencies, from a clone. A released README names a version instead.
    fn dependencies_in(&self, clone: &str) -> String {
        let dependencies = self.dependencies;
        if dependencies.contains(CLONE) {
            dependencies.replace(CLONE, clone)
        } else {
            format!("{dependencies}\n[patch.crates-io]\nascendcl = {{ path = \"{clone}\" }}\n")
        }
    }
}

/// Runs the program without CANN and without settings, and returns its output.
fn run(program: &Path) -> Result<String, Error> {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("ASCEND") {
            command.env_remove(name);
        }
    }
    command.env_remove("LD_LIBRARY_PATH");
    let failed = |words: String| Error::Failed(format!("the program of README.md: {words}"));
    let output = command
        .output()
        .map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        return Err(failed(format!("{}: {words}", output.status)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path)
        .map_err(|error| Error::Failed(format!("cannot read {}: {error}", path.display())))
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text)
        .map_err(|error| Error::Failed(format!("cannot write {}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::{fs, io};

    use super::First;
    use crate::process::root;

    /// A line of a message without its line number and without the mark of a case.
    fn bare(line: &str) -> &str {
        let line = line.trim_start_matches(|first: char| first == ' ' || first.is_ascii_digit());
        line.split("//~").next().unwrap_or_default().trim_end()
    }

    fn messages(folder: &Path, found: &mut Vec<String>) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                messages(&path, found)?;
            } else if path.extension().is_some_and(|ending| ending == "stderr") {
                found.push(fs::read_to_string(path)?);
            }
        }
        Ok(())
    }

    #[test]
    fn the_refusals_are_those_of_cases() -> io::Result<()> {
        let mut cases = Vec::new();
        messages(&root().join("ui-tests/cases"), &mut cases)?;
        let text = fs::read_to_string(root().join("README.md"))?;
        let refusals = text
            .split("```text\n")
            .filter(|block| block.starts_with("error["));
        let refusals = refusals.filter_map(|block| block.split("\n```").next());
        let refusals: Vec<&str> = refusals.collect();
        assert_eq!(refusals.len(), 1);
        for refusal in refusals {
            let has = |case: &String| {
                let lines: Vec<&str> = case.lines().map(bare).collect();
                refusal.lines().all(|line| lines.contains(&bare(line)))
            };
            assert!(
                cases.iter().any(has),
                "no case has this message:\n{refusal}"
            );
        }
        Ok(())
    }

    const README: &str = "\
# x
```toml
[other]
```
## In your program
```toml
[dependencies]
```
words
```rust
fn main() {}

// end
```
```text
one
```
## More
```rust
```
";

    #[test]
    fn the_blocks_are_those_of_the_section() {
        let first = First {
            dependencies: "[dependencies]\n",
            program: "fn main() {}\n\n// end\n",
            output: "one\n",
        };
        assert_eq!(First::of(README), Ok(first));
    }

    #[test]
    fn a_path_and_a_version_both_mean_the_clone() {
        let from = |dependencies: &'static str| {
            let first = First {
                dependencies,
                program: "",
                output: "",
            };
            first.dependencies_in("/clone")
        };
        let path = from("[dependencies]\na = { path = \"path to your clone\" }\n");
        assert_eq!(path, "[dependencies]\na = { path = \"/clone\" }\n");
        let version = from("[dependencies]\nascendcl = \"0.1\"\n");
        let patch = "\n[patch.crates-io]\nascendcl = { path = \"/clone\" }\n";
        assert_eq!(
            version,
            format!("[dependencies]\nascendcl = \"0.1\"\n{patch}")
        );
    }

    #[test]
    fn what_is_missing_is_named() {
        let without = |words: &str| {
            First::of(&README.replace(words, "\n"))
                .err()
                .unwrap_or_default()
        };
        assert!(without("\n## In your program").contains("no section"));
        assert!(without("\n```text\n").contains("no block of text"));
        let cut = README
            .split_once("one")
            .map(|(head, _)| head)
            .unwrap_or_default();
        assert_eq!(
            First::of(cut),
            Err("a block of README.md has no end".into())
        );
    }
}
