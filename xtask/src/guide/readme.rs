//! `cargo xtask readme`: the first program of README.md, made as its reader makes it: a project with the blocks of the section,
//! built and run as a program of the guide is.

use std::process::Command;

use super::chapter::{Chapter, blocks};
use super::package::build;
use super::programs::Run;
use super::run::compare;
use crate::error::{Error, conclude};
use crate::files::text;
use crate::process::{root, target};

/// The file, and the heading of the section.
const FILE: &str = "README.md";
const SECTION: &str = "\n## In your program";

/// The placeholder for the reader's clone.
const CLONE: &str = "path to your clone";

/// `cargo xtask readme`.
pub(crate) fn command() -> Result<(), Error> {
    let text = text(FILE)?;
    let (_, section) = text.split_once(SECTION).unwrap_or_default();
    let section = section.split("\n## ").next().unwrap_or(section);
    let parts = blocks(section);
    let block = |language: &str| {
        let block = parts.iter().find(|block| block.language == language);
        let missing = || {
            format!(
                "the section `{}` has no block of {language}",
                SECTION.trim()
            )
        };
        block.ok_or_else(missing)
    };
    let folder = target().join("readme").join("first");
    let dependencies = dependencies_in(block("toml")?.code, &root().display().to_string());
    let main = ("main".to_owned(), block("rust")?.code.to_owned());
    let mut command = Command::new(build(&folder, "first", &dependencies, &[main])?);
    command.env_remove("LD_LIBRARY_PATH");

    let (line, output) = (block("text")?.line, block("text")?.code.to_owned());
    let run = Run {
        line,
        output,
        ..Run::default()
    };
    let chapter = Chapter {
        name: FILE.to_owned(),
        path: format!("{FILE}, in its last section but one"),
        text: String::new(),
    };
    conclude(&compare(&chapter, &run, command))?;
    println!("readme: the program builds, runs, and prints what README.md says");
    Ok(())
}

/// The dependencies, from a clone. A released README names a version instead.
fn dependencies_in(dependencies: &str, clone: &str) -> String {
    if dependencies.contains(CLONE) {
        dependencies.replace(CLONE, clone)
    } else {
        format!("{dependencies}\n[patch.crates-io]\nascendcl = {{ path = \"{clone}\" }}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::{FILE, blocks, dependencies_in};
    use crate::error::Error;
    use crate::files::{cases, text};

    /// A line of a message without its line number and without the mark of a case.
    fn bare(line: &str) -> &str {
        let line = line.trim_start_matches(|first: char| first == ' ' || first.is_ascii_digit());
        line.split("//~").next().unwrap_or_default().trim_end()
    }

    #[test]
    fn the_refusal_is_that_of_a_case() -> Result<(), Error> {
        let (cases, text) = (cases()?.cases, text(FILE)?);
        let mut blocks = blocks(&text).into_iter();
        let refusal = blocks.find(|one| one.code.starts_with("error["));
        let refusal = refusal.map_or("no refusal", |block| block.code);
        let is_found = cases
            .iter()
            .filter_map(|case| case.message.as_deref())
            .any(|message| {
                let lines: Vec<&str> = message.lines().map(bare).collect();
                refusal.lines().all(|line| lines.contains(&bare(line)))
            });
        assert!(is_found, "no case has this message:\n{refusal}");
        assert_eq!(
            blocks.find(|one| one.code.starts_with("error[")),
            None,
            "a second one"
        );
        Ok(())
    }

    #[test]
    fn a_path_and_a_version_both_mean_the_clone() {
        let path = dependencies_in("a = { path = \"path to your clone\" }\n", "/clone");
        assert_eq!(path, "a = { path = \"/clone\" }\n");
        let version = dependencies_in("ascendcl = \"0.1\"\n", "/clone");
        assert!(version.ends_with("\n[patch.crates-io]\nascendcl = { path = \"/clone\" }\n"));
    }
}
