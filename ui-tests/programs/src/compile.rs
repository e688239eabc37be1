//! The compiler as a judge: many programs as one generated package.
//!
//! Each program is a module in a file of its own, so an error belongs to the program whose file it names. An error of
//! one kind can hide errors of another kind in other programs. So the programs without errors are compiled again,
//! until a compilation has no error.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, io};

use ui_tests::package::{cargo, lay_out, write_if_changed};

use crate::prelude::{GRAPHS, KERNELS, LATER, ROOT};
use crate::said::{self, Refusal};

/// The errors of programs, by their numbers.
pub(crate) type Refusals = BTreeMap<usize, Vec<Refusal>>;

/// The place where programs are compiled.
#[derive(Debug, Clone)]
pub(crate) struct Workshop {
    /// The folder of the package `ascendcl`.
    pub(crate) source: PathBuf,
    /// The folder of the workspace, for its `Cargo.lock`.
    pub(crate) workspace: PathBuf,
    /// The folder of the generated package.
    pub(crate) folder: PathBuf,
    /// The folder of what is built.
    pub(crate) target: PathBuf,
}

impl Workshop {
    /// Builds the programs that the compiler accepts. Returns the errors of the others. `doubtful` has the numbers of
    /// the programs that are expected to be refused: they are checked first, because an error in a build costs a
    /// second look at all programs.
    pub(crate) fn build(
        &self,
        programs: &[String],
        doubtful: &[usize],
    ) -> Result<Refusals, String> {
        let mut refused = self.check(programs, doubtful)?;
        let left = (0..programs.len()).filter(|number| !refused.contains_key(number));
        let found = self.until_clean("build", programs, left.collect())?;
        refused.extend(found);
        Ok(refused)
    }

    /// Checks the programs with these numbers. Returns the errors of those that the compiler refuses.
    pub(crate) fn check(&self, programs: &[String], numbers: &[usize]) -> Result<Refusals, String> {
        self.until_clean("check", programs, numbers.to_vec())
    }

    /// Compiles programs until those that are left have no error.
    fn until_clean(
        &self,
        word: &str,
        programs: &[String],
        mut left: Vec<usize>,
    ) -> Result<Refusals, String> {
        let mut refused = Refusals::new();
        while !left.is_empty() || word == "build" {
            self.write(programs, &left)
                .map_err(|error| format!("cannot write the programs: {error}"))?;
            let found = self.cargo(word)?;
            if found.is_empty() {
                break;
            }
            left.retain(|number| !found.contains_key(number));
            refused.extend(found);
        }
        Ok(refused)
    }

    /// Whether a test of `tests/it` fails in the copy.
    pub(crate) fn fails(&self, test: &str) -> Result<bool, String> {
        let cargo = |words: &[&str]| {
            let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
            cargo.args([
                "test",
                "--offline",
                "--features",
                "graphs,kernels",
                "--test",
                "it",
                "--target-dir",
            ]);
            cargo.arg(&self.target).args(words);
            let output = cargo.current_dir(&self.source).output();
            output.map_err(|error| format!("cannot start cargo: {error}"))
        };
        let built = cargo(&["--no-run"])?;
        if !built.status.success() {
            let said = String::from_utf8_lossy(&built.stderr);
            return Err(format!("the copy does not compile\n{said}"));
        }
        let ran = cargo(&["--", "--exact", test])?;
        let said = String::from_utf8_lossy(&ran.stdout);
        if !said.contains("running 1 test") {
            return Err(format!("there is no test {test}\n{said}"));
        }
        Ok(!ran.status.success())
    }

    /// The executable of the last compilation with the program of this number.
    pub(crate) fn executable(&self, number: usize) -> PathBuf {
        self.target.join("debug").join(crate_of(number))
    }

    fn write(&self, programs: &[String], left: &[usize]) -> io::Result<()> {
        let source = self.source.display().to_string().replace('\\', "/");
        let rest = format!(
            "[profile.dev]\nincremental = false\n\n[dependencies]\n\
             ascendcl = {{ path = \"{source}\", features = [\"async\", \"dlpack\", \"emulator\", \"graphs\", \"kernels\"] }}\n"
        );
        lay_out(&self.folder, &self.workspace, CRATES, &rest)?;
        for number in left {
            let text = programs.get(*number).map_or("", String::as_str);
            write_if_changed(&self.folder.join(format!("src/p{number}.rs")), text)?;
        }
        for name in CRATES {
            let of_crate = left.iter().filter(|number| crate_of(**number) == name);
            let file = self.folder.join(format!("src/{name}.rs"));
            write_if_changed(&file, &root(of_crate))?;
        }
        Ok(())
    }

    fn cargo(&self, word: &str) -> Result<Refusals, String> {
        let output = cargo(word, &self.folder, &self.target)
            .arg("--message-format=json")
            .output()
            .map_err(|error| format!("cannot start cargo: {error}"))?;
        let refusals = read(&String::from_utf8_lossy(&output.stdout))?;
        if output.status.success() != refusals.is_empty() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!(
                "the compiler stumbles over something else than a program\n{said}"
            ));
        }
        Ok(refusals)
    }
}

/// The crates of the package: the compiler checks a crate on one processor, so there are two.
const CRATES: [&str; 2] = ["even", "odd"];

/// The crate that has the program of this number.
fn crate_of(number: usize) -> &'static str {
    let [even, odd] = CRATES;
    if number.is_multiple_of(2) { even } else { odd }
}

/// The root of a crate: what programs use, and the choice of the one that runs.
fn root<'a>(programs: impl Iterator<Item = &'a usize> + Clone) -> String {
    let mut text = [ROOT, LATER, KERNELS, GRAPHS].concat();
    for number in programs.clone() {
        // Writing into a String cannot fail.
        let _ = writeln!(text, "mod p{number};");
    }
    text.push_str("\nfn chosen(number: usize) -> fn(Acl) -> Result<()> {\n    match number {\n");
    for number in programs {
        let _ = writeln!(text, "        {number} => p{number}::program,");
    }
    text.push_str("        _ => panic!(\"no such program\"),\n    }\n}\n");
    text
}

/// The errors in the output of Cargo.
fn read(output: &str) -> Result<Refusals, String> {
    let mut refusals = Refusals::new();
    for refusal in said::errors(output, |file| number_of(file).is_some())? {
        if let Some(number) = number_of(&refusal.file) {
            refusals.entry(number).or_default().push(refusal);
        }
    }
    Ok(refusals)
}

/// The number of the program in a file.
fn number_of(file: &str) -> Option<usize> {
    let name = Path::new(file).file_stem()?.to_str()?;
    name.strip_prefix('p')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{number_of, root};

    #[test]
    fn an_error_belongs_to_the_program_of_its_file() {
        assert_eq!(number_of("src/p7.rs"), Some(7));
        assert_eq!(number_of("src/even.rs"), None);
        assert_eq!(number_of("/library/ptr.rs"), None);
    }

    #[test]
    fn the_root_has_the_programs_that_are_left() {
        let text = root([3, 5].iter());
        assert!(text.contains("mod p3;\nmod p5;\n"));
        assert!(text.contains("        5 => p5::program,\n"));
    }
}
