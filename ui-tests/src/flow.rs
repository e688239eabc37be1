//! The folder `flows/`: programs that a newcomer writes first, and how the messages lead to one that compiles.
//!
//! `flows/<flow>/step_1.rs` is the first version. Each step is refused, with the message beside it. The next one has the
//! change that the message asks for, and `tests/it/flows/<flow>.rs` compiles. A change may use only words that the program or
//! the message has, so a reader needs nothing else. If the message names a module, a step says so:
//! `//~ see: src/worker/mod.rs`. Then the documentation of that module has words, too.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// The most steps of a flow.
const MOST: usize = 3;

/// A version that is refused.
#[derive(Debug, Default)]
pub struct Step {
    /// The program.
    pub text: String,
    /// The reviewed message, if it has been written already.
    pub message: Option<String>,
    /// The name of a module, and its file.
    pub see: Option<(String, String)>,
}

/// The versions of one program.
#[derive(Debug, Default)]
pub struct Flow {
    /// The name of its folder: the work of the program.
    pub name: String,
    /// The refused versions.
    pub steps: Vec<Step>,
    /// The version that compiles.
    pub done: String,
}

impl Flow {
    /// Reads the flows of the package in `ui_tests`, sorted by name.
    pub fn read_all(ui_tests: &Path) -> io::Result<Vec<Self>> {
        let mut flows = Vec::new();
        for entry in fs::read_dir(ui_tests.join("flows"))? {
            flows.push(Self::read(ui_tests, &entry?.path())?);
        }
        flows.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(flows)
    }

    fn read(ui_tests: &Path, folder: &Path) -> io::Result<Self> {
        let steps = (1..)
            .map(|number| folder.join(format!("step_{number}.rs")))
            .take_while(|file| file.exists())
            .map(|file| Step::read(ui_tests, &file));
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        // The last versions run, with the tests of the published package.
        let done = ui_tests.join(format!("../tests/it/flows/{name}.rs"));
        Ok(Self {
            name: name.into(),
            steps: steps.collect::<io::Result<_>>()?,
            done: fs::read_to_string(done)?,
        })
    }

    /// Everything that is wrong with the flow, as `<file>: <sentence>`.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if !(1..=MOST).contains(&self.steps.len()) {
            let count = self.steps.len();
            let what = format!("has {count} refused versions, and 1 to {MOST} are allowed");
            problems.push(format!("ui-tests/flows/{}: {what}", self.name));
        }
        let later = self.steps.iter().skip(1).map(|step| &step.text);
        let later = later.chain([&self.done]);
        for ((number, step), next) in (1..).zip(&self.steps).zip(later) {
            let mut add = |what: String| {
                let name = &self.name;
                problems.push(format!(
                    "ui-tests/flows/{name}/step_{number}.stderr: {what}"
                ));
            };
            let Some(message) = &step.message else {
                add(
                    "is missing; write it with `cargo xtask ui --bless flows`, then read it".into(),
                );
                continue;
            };
            let errors = message.lines().filter(|line| line.starts_with("error"));
            let errors = errors.count();
            if errors != 1 {
                add(format!("has {errors} errors for one mistake"));
            }
            if !message.contains("= note: ") && !message.contains("help: ") {
                add("does not say what to do".into());
            }
            let mut known: BTreeSet<_> = words(&step.text).chain(words(message)).collect();
            if let Some((module, page)) = &step.see {
                if !message.to_lowercase().contains(module) {
                    add(format!("does not name the module `{module}`"));
                }
                known.extend(words_of_page(page));
            }
            let unknown: BTreeSet<_> = words(next).filter(|word| !known.contains(word)).collect();
            if !unknown.is_empty() {
                let unknown: Vec<_> = unknown.into_iter().collect();
                add(format!(
                    "does not have these words of the next version: {}",
                    unknown.join(", ")
                ));
            }
        }
        problems
    }
}

impl Step {
    fn read(ui_tests: &Path, file: &Path) -> io::Result<Self> {
        let text = fs::read_to_string(file)?;
        let see = text.lines().find_map(|line| line.strip_prefix("//~ see: "));
        let see = see.map(|page| -> io::Result<_> {
            let module = Path::new(page).parent().and_then(Path::file_name);
            let module = module.unwrap_or_default().to_string_lossy().into();
            Ok((module, fs::read_to_string(ui_tests.join("..").join(page))?))
        });
        Ok(Self {
            see: see.transpose()?,
            message: fs::read_to_string(file.with_extension("stderr")).ok(),
            text,
        })
    }
}

/// The words of the documentation of a module.
fn words_of_page(page: &str) -> impl Iterator<Item = &str> {
    let lines = page.lines().filter_map(|line| line.strip_prefix("//! "));
    lines.flat_map(words)
}

/// The words of the code, without comments.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().filter(|line| !line.trim().starts_with("//"));
    let words = lines.flat_map(|line| line.split(|one: char| !one.is_alphanumeric() && one != '_'));
    words.filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{Flow, Step};

    const MESSAGE: &str = "error: memory of a stream\n  = note: `stream.synchronize()?.take(a)`\n";

    fn problems(message: &str, done: &str) -> usize {
        let flow = Flow {
            name: "upload".into(),
            steps: vec![Step {
                text: "let b = a[0];".into(),
                message: Some(message.into()),
                see: None,
            }],
            done: done.into(),
        };
        flow.problems().len()
    }

    #[test]
    fn a_message_leads_to_the_next_version() {
        let done =
            "// A comment says anything.\nlet a = stream.synchronize()?.take(a);\nlet b = a[0];";
        assert_eq!(problems(MESSAGE, done), 0);
    }

    #[test]
    fn each_rule_can_be_broken() {
        assert_eq!(problems(MESSAGE, "let b = stream.wait(a)?[0];"), 1);
        assert_eq!(problems(&MESSAGE.repeat(2), "let b = a[0];"), 1);
        assert_eq!(problems("error: memory of a stream\n", "let b = a[0];"), 1);
        assert_eq!(Flow::default().problems().len(), 1);
    }
}
