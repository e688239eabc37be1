//! Many small programs as one generated package, so that one `cargo check` looks at all of them.
//!
//! Each program is a module: hundreds of them cost one start of the compiler. The package has two crates with every other
//! program each, because the compiler checks a crate on one processor.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

/// A program of the package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program<'a> {
    /// The folder of its case, one of [`folders`](crate::area::folders).
    pub area: &'a str,
    /// The name of its file without the ending, which is that of a module, and no other program's of the area.
    pub name: String,
    /// What it says.
    pub text: String,
}

impl Program<'_> {
    /// Its file, as the compiler names it.
    #[must_use]
    pub fn file(&self) -> String {
        format!("src/{}/{}.rs", self.area, self.name)
    }
}

/// The parts of the workspace that the package needs.
#[derive(Debug)]
pub struct Package<'a> {
    /// The root of the workspace.
    pub workspace: &'a Path,
    /// The folder that is generated. What is built stands beside it, for all such packages.
    pub folder: &'a Path,
}

impl Package<'_> {
    /// Writes the package.
    pub fn write(&self, programs: &[Program<'_>]) -> io::Result<()> {
        let ui_tests = fs::read_to_string(self.workspace.join("ui-tests/Cargo.toml"))?;
        let dependencies = dependencies(&ui_tests, self.workspace).map_err(io::Error::other)?;
        lay_out(self.folder, self.workspace, CRATES, &dependencies)?;
        for program in programs {
            write_if_changed(&self.folder.join(program.file()), &program.text)?;
        }
        // Files of programs that are gone may stay: only what the roots name is compiled.
        for (half, crate_name) in CRATES.into_iter().enumerate() {
            let of_crate = programs.iter().skip(half).step_by(CRATES.len());
            let file = self.folder.join(format!("src/{crate_name}.rs"));
            write_if_changed(&file, &root(of_crate))?;
        }
        Ok(())
    }

    /// The command that checks the package.
    #[must_use]
    pub fn check(&self) -> Command {
        cargo(
            "check",
            self.folder,
            &self.folder.with_file_name("ui-programs"),
        )
    }
}

/// Writes the manifest of a package of two binaries, which ends with `rest`, and the versions of the workspace: nothing is
/// downloaded.
pub fn lay_out(folder: &Path, workspace: &Path, crates: [&str; 2], rest: &str) -> io::Result<()> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         publish = false\n\n{}\
         # Not a member of the workspace around this folder.\n[workspace]\n\n{rest}",
        crates
            .map(|name| format!("[[bin]]\nname = \"{name}\"\npath = \"src/{name}.rs\"\n\n"))
            .concat(),
    );
    write_if_changed(&folder.join("Cargo.toml"), &manifest)?;
    let lock = fs::read_to_string(workspace.join("Cargo.lock"))?;
    fs::write(folder.join("Cargo.lock"), lock)
}

/// A command of Cargo for such a package.
#[must_use]
pub fn cargo(word: &str, folder: &Path, target: &Path) -> Command {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        // Errors of one crate are no reason to leave out the other one.
        .args([word, "--keep-going", "--offline", "--color=never"])
        .arg("--target-dir")
        .arg(target)
        .current_dir(folder)
        // Flags that are meant for the workspace must not change what a program proves.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
    command
}

/// The crates of the package. Both find the files of all programs.
const CRATES: [&str; 2] = ["first", "second"];

/// The dependencies of `ui-tests`, because cases are compiled with them.
fn dependencies(ui_tests: &str, workspace: &Path) -> Result<String, String> {
    let mut text = String::from("[dependencies]\n");
    let workspace = workspace.display().to_string().replace('\\', "/");
    let lines = ui_tests
        .lines()
        .skip_while(|line| line.trim() != "[dev-dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['));
    for line in lines.filter(|line| !line.starts_with("trybuild")) {
        if line.contains("workspace = true") {
            return Err(format!(
                "ui-tests/Cargo.toml: `{line}` is not written in full, the generated programs cannot use it"
            ));
        }
        text.push_str(&line.replace("path = \"..", &format!("path = \"{workspace}")));
        text.push('\n');
    }
    Ok(text)
}

/// The root of a crate: one module per area, and in it one per program.
fn root<'a>(programs: impl Iterator<Item = &'a Program<'a>> + Clone) -> String {
    let mut text =
        String::from("//! Programs of the ui cases.\n\n#![allow(warnings)]\n\nfn main() {}\n");
    for area in crate::area::folders() {
        let mut of_area = programs
            .clone()
            .filter(|program| program.area == area)
            .peekable();
        if of_area.peek().is_none() {
            continue;
        }
        // Writing into a String cannot fail.
        let _ = writeln!(text, "\nmod {area} {{");
        for program in of_area {
            let _ = writeln!(text, "    mod {};", program.name);
        }
        text.push_str("}\n");
    }
    text
}

/// An unchanged file keeps its time, so that an unchanged package is not compiled again.
pub fn write_if_changed(path: &Path, text: &str) -> io::Result<()> {
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
    use super::{Program, dependencies, root};
    use std::path::Path;

    #[test]
    fn the_manifest_takes_what_the_cases_may_use() {
        let ui_tests = "[dev-dependencies]\nascendcl = { path = \"..\", features = [\"x\"] }\n\
                        trybuild = \"1\"\n\n[lints]\nworkspace = true\n";
        let text = dependencies(ui_tests, Path::new("/ws"));
        let expected = "[dependencies]\nascendcl = { path = \"/ws\", features = [\"x\"] }\n\n";
        assert_eq!(text.as_deref(), Ok(expected));
    }

    #[test]
    fn an_inherited_dependency_is_refused() {
        let ui_tests = "[dev-dependencies]\nascendcl = { workspace = true }\n";
        assert!(dependencies(ui_tests, Path::new("/ws")).is_err());
    }

    #[test]
    fn the_root_names_every_program() {
        let program = Program {
            area: "event",
            name: "wait_unrecorded".into(),
            text: String::new(),
        };
        assert_eq!(program.file(), "src/event/wait_unrecorded.rs");
        let text = root([program].iter());
        assert!(text.ends_with("\nmod event {\n    mod wait_unrecorded;\n}\n"));
    }
}
