//! The folder `cases/`: finding the cases, and files that are none; and `expanded/` with their whole programs.

use std::fs;
use std::io;
use std::path::Path;

use crate::area;
use crate::case::{Case, program};

/// The folder of the whole programs in this package. git ignores it.
const EXPANDED: &str = "expanded";

/// What stands in the folder of the cases.
#[derive(Debug, Default)]
pub struct Cases {
    /// The cases, sorted by area and name.
    pub cases: Vec<Case>,
    /// Files and folders that no test would look at, as `<file>: <sentence>`.
    pub strays: Vec<String>,
}

impl Cases {
    /// Reads the cases of the package in `ui_tests`, the folder of this package.
    ///
    /// A missing folder holds no cases: the first one has not been written yet.
    pub fn read(ui_tests: &Path) -> io::Result<Self> {
        let mut found = Self::default();
        let folder = ui_tests.join("cases");
        if !folder.exists() {
            return Ok(found);
        }
        for area in names_in(&folder)? {
            if area::folders().any(|folder| folder == area) {
                found.read_area(&folder, &area)?;
            } else {
                let stray = format!("ui-tests/cases/{area}: is not the folder of an area");
                found.strays.push(stray);
            }
        }
        Ok(found)
    }

    /// Everything that is wrong with the cases' form.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        let of_cases = self.cases.iter().flat_map(Case::problems);
        self.strays.iter().cloned().chain(of_cases).collect()
    }

    /// Keeps the cases whose `<area>/<name>.rs` contains one of the words; no words keep them all.
    #[must_use]
    pub fn matching(mut self, words: &[String]) -> Self {
        self.cases.retain(|case| {
            let path = case.path();
            words.is_empty() || words.iter().any(|word| path.contains(word.as_str()))
        });
        self
    }

    /// Writes the programs into files, with their messages, which then name these files.
    pub fn expand(&self, ui_tests: &Path) -> io::Result<()> {
        let folder = ui_tests.join(EXPANDED);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        for case in &self.cases {
            let program = case.file(EXPANDED);
            let file = ui_tests.join(&program);
            fs::create_dir_all(folder.join(&case.area))?;
            fs::write(&file, &case.text)?;
            if let Some(message) = &case.message {
                let message = message.replace(&case.file("cases"), &program);
                fs::write(file.with_extension("stderr"), message)?;
            }
        }
        Ok(())
    }

    /// Takes the messages back that were written anew in `EXPANDED`.
    pub fn take_messages(&self, ui_tests: &Path) -> io::Result<()> {
        for case in &self.cases {
            let (program, file) = (case.file(EXPANDED), case.file("cases"));
            let written = ui_tests.join(&program).with_extension("stderr");
            if written.exists() {
                let message = fs::read_to_string(written)?.replace(&program, &file);
                fs::write(ui_tests.join(file).with_extension("stderr"), message)?;
            }
        }
        Ok(())
    }

    fn read_area(&mut self, folder: &Path, area: &str) -> io::Result<()> {
        let files = names_in(&folder.join(area))?;
        for file in &files {
            let stray = match file.rsplit_once('.') {
                Some((name, "rs")) if is_identifier(name) => {
                    self.cases.push(read_case(folder, area, name)?);
                    continue;
                }
                Some((_, "rs")) => "is not named in lower case with underscores",
                Some((name, "stderr")) if files.contains(&format!("{name}.rs")) => continue,
                Some((_, "stderr")) => "is the message of no case",
                _ => "is neither a case nor its message",
            };
            let stray = format!("ui-tests/cases/{area}/{file}: {stray}");
            self.strays.push(stray);
        }
        Ok(())
    }
}

fn read_case(folder: &Path, area: &str, name: &str) -> io::Result<Case> {
    let file = folder.join(area).join(format!("{name}.rs"));
    let message = file.with_extension("stderr");
    Ok(Case {
        area: area.into(),
        name: name.into(),
        text: program(fs::read_to_string(&file)?),
        message: if message.exists() {
            Some(fs::read_to_string(message)?)
        } else {
            None
        },
    })
}

/// The names in a folder, sorted, so that every run and every machine reports in the same order.
fn names_in(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// The twin of a case is a module, so the name of the case must be one of a module.
fn is_identifier(name: &str) -> bool {
    let all = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    name.chars().all(all) && name.starts_with(|c: char| c.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::Cases;
    use std::path::PathBuf;
    use std::{env, fs, io, process};

    #[test]
    fn cases_are_found_sorted_and_strays_are_named() -> io::Result<()> {
        let folder = Folder::new("found")?;
        for file in [
            "cases/stream/b.rs",
            "cases/stream/a.rs",
            "cases/stream/a.stderr",
            "cases/stream/gone.stderr",
            "cases/stream/Upper.rs",
            "cases/stream/notes.md",
            "cases/streams/x.rs",
        ] {
            folder.write(file)?;
        }
        let found = Cases::read(&folder.0)?;
        let paths: Vec<_> = found.cases.iter().map(super::Case::path).collect();
        let expected = ["ui-tests/cases/stream/a.rs", "ui-tests/cases/stream/b.rs"];
        assert_eq!(paths, expected);
        let messages: Vec<_> = found.cases.iter().map(|c| c.message.is_some()).collect();
        assert_eq!(messages, [true, false]);
        assert_eq!(found.strays.len(), 4, "{:?}", found.strays);
        assert_eq!(found.matching(&["stream/b".into()]).cases.len(), 1);
        Ok(())
    }

    #[test]
    fn programs_are_expanded_and_new_messages_are_taken_back() -> io::Result<()> {
        let folder = Folder::new("expanded")?;
        folder.write("cases/stream/a.rs")?;
        let message = folder.0.join("cases/stream/a.stderr");
        fs::write(&message, "error\n --> cases/stream/a.rs:1:1\n")?;
        let cases = Cases::read(&folder.0)?;
        cases.expand(&folder.0)?;
        let expanded = folder.0.join("expanded/stream/a.stderr");
        let said = fs::read_to_string(&expanded)?;
        assert_eq!(said, "error\n --> expanded/stream/a.rs:1:1\n");
        fs::write(expanded, said.replace("error", "error[E0001]"))?;
        cases.take_messages(&folder.0)?;
        let taken = "error[E0001]\n --> cases/stream/a.rs:1:1\n";
        assert_eq!(fs::read_to_string(message)?, taken);
        Ok(())
    }

    #[test]
    fn a_missing_folder_holds_no_cases() -> io::Result<()> {
        let folder = Folder::new("missing")?;
        let found = Cases::read(&folder.0)?;
        assert!(found.cases.is_empty() && found.problems().is_empty());
        Ok(())
    }

    /// A folder for one test, removed at its end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str) -> io::Result<Self> {
            let path = env::temp_dir().join(format!("ui-tests-{test}-{}", process::id()));
            fs::create_dir_all(&path)?;
            Ok(Self(path))
        }

        fn write(&self, file: &str) -> io::Result<()> {
            let path = self.0.join(file);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(path, "")
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            // A folder that stays behind in the temporary folder harms nobody.
            drop(fs::remove_dir_all(&self.0));
        }
    }
}
