//! Runs an example in a folder of its own, with the files that it reads and writes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};

/// An empty folder for one test.
pub(crate) struct Folder(PathBuf);

/// The result of an example.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Folder {
    /// The folder of the test with this name.
    pub(crate) fn new(test: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("examples")
            .join(test);
        if path.exists() {
            fs::remove_dir_all(&path).unwrap();
        }
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The names of everything that is there, hidden files too.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Runs `vector_add` here; see [`Folder::run`].
    pub(crate) fn vector_add(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
        self.run("vector_add", arguments, variables)
    }

    /// The command that [`Folder::run`] runs.
    pub(crate) fn command(
        &self,
        name: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Command {
        let mut command = Command::new(example(name));
        for (name, _) in env::vars_os() {
            let name = name.to_string_lossy();
            if name.starts_with("ASCEND") && name != "ASCENDCL_EMULATOR_CHECK" {
                command.env_remove(name.as_ref());
            }
        }
        command
            .env("ASCENDCL_BACKEND", "emulator")
            .envs(variables.iter().copied())
            .args(arguments)
            .current_dir(&self.0);
        command
    }

    /// Runs an example here, on an emulator with its default configuration unless `variables` change it. The
    /// environment of the tests decides whether the checker runs.
    pub(crate) fn run(
        &self,
        name: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Outcome {
        let output = self.command(name, arguments, variables).output().unwrap();
        Outcome {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: without_notes(&String::from_utf8(output.stderr).unwrap()),
        }
    }
}

/// Standard error without the checker's notes about a program that holds its handles to the end, or whose releases
/// were made to fail. Its findings stay.
fn without_notes(stderr: &str) -> String {
    let is_note = |line: &&str| line.starts_with("ascendcl-emulator: left at the end");
    stderr
        .split_inclusive('\n')
        .filter(|line| !is_note(line))
        .collect()
}

/// The example's program, in the parent of the folder of the tests' programs.
///
/// Not every way to start tests builds the examples, so this function builds them. That takes a moment if nothing has
/// changed.
fn example(name: &str) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let folder = BUILT.get_or_init(|| {
        let test = env::current_exe().unwrap();
        let profile = test.parent().and_then(Path::parent).unwrap();
        let target = profile.parent().unwrap();
        let profile_name = match profile.file_name().and_then(|name| name.to_str()).unwrap() {
            "debug" => "dev",
            other => other,
        };
        // Tests that were started without Cargo use the examples that are built already.
        if let Some(cargo) = env::var_os("CARGO") {
            for of in builds() {
                let mut build = Command::new(&cargo);
                build.args(["build", "--quiet", "--profile", profile_name]);
                // The published package has no dependency on itself that would switch them on.
                build.args(["--features", FEATURES]);
                build
                    .args(*of)
                    .arg("--target-dir")
                    .arg(target)
                    .current_dir(env!("CARGO_MANIFEST_DIR"));
                assert!(
                    build.status().unwrap().success(),
                    "the examples do not build"
                );
            }
        }
        profile.join("examples")
    });
    folder.join(name)
}

/// The arguments of Cargo for the examples: with the whole workspace if it was chosen for the tests, so that both share one
/// build. Only then the tests have the features for models without being asked.
fn builds() -> &'static [&'static [&'static str]] {
    if cfg!(all(feature = "emulator-onnx", feature = "emulator-media")) {
        &[&["--workspace", "--examples"]]
    } else {
        &[&["--examples"], &WITH_MODELS]
    }
}

/// The features of the examples. Those with graphs are there if the tests have them.
const FEATURES: &str = if cfg!(feature = "graphs") {
    "emulator,half,training,graphs"
} else {
    "emulator,half,training"
};

/// The arguments of Cargo for the examples with models.
const WITH_MODELS: [&str; 8] = [
    "--features",
    "emulator-onnx,emulator-media",
    "--example",
    "model",
    "--example",
    "classify",
    "--example",
    "13_label",
];

impl Outcome {
    /// Fails unless the example succeeded with an empty stderr.
    #[track_caller]
    pub(crate) fn succeeded(&self) -> &Outcome {
        assert!(self.code == Some(0) && self.stderr.is_empty(), "{self:#?}");
        self
    }

    /// Fails unless the example ended with status 1 and one line that holds every one of `parts`.
    #[track_caller]
    pub(crate) fn refused(&self, parts: &[&str]) {
        assert_eq!(self.code, Some(1), "{self:#?}");
        assert!(self.stderr.starts_with("error: "), "{self:#?}");
        assert_eq!(self.stderr.trim_end().lines().count(), 1, "{self:#?}");
        for part in parts {
            assert!(
                self.stderr.contains(part),
                "{part:?} is missing in {:?}",
                self.stderr
            );
        }
    }
}

/// A `.npy` file as NumPy writes it.
pub(crate) fn npy(descr: &str, shape: &str, elements: &[u8]) -> Vec<u8> {
    npy_in_order(descr, "False", shape, elements)
}

/// A `.npy` file as NumPy writes it, with this value of `fortran_order`.
pub(crate) fn npy_in_order(descr: &str, fortran: &str, shape: &str, elements: &[u8]) -> Vec<u8> {
    let text = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}");
    let length = (10 + text.len() + 1).next_multiple_of(64) - 10;
    let text = format!("{text:width$}\n", width = length - 1);
    let length = u16::try_from(length).unwrap().to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], text.as_bytes(), elements].concat()
}

/// The bytes of elements, one after the other.
pub(crate) fn bytes<T: bytemuck::Pod>(elements: &[T]) -> &[u8] {
    bytemuck::cast_slice(elements)
}
