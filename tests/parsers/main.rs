//! Parsers with the inputs of `fuzz/corpus/`: what they read must be refused with a reason, or be understood.
//!
//! Each file of this folder is one parser, and `fuzz/` runs the same files with new inputs (`CONTRIBUTING.md`).
//! The C functions have a test of their own, `emulator/tests/garbage/`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "a failure shows the input before it")]

/// Leaves the function with an error of this text, as in the example.
macro_rules! bail {
    ($($text:tt)*) => { return Err(format!($($text)*).into()) };
}

#[path = "config.rs"]
mod config;
#[cfg(feature = "emulator-onnx")]
#[path = "models.rs"]
mod models;
#[path = "names.rs"]
mod names;
#[path = "npy.rs"]
mod npy_files;
#[path = "operators.rs"]
mod operators;
#[cfg(feature = "emulator-media")]
#[path = "pictures.rs"]
mod pictures;
#[path = "scratch.rs"]
mod scratch;
#[path = "settings.rs"]
mod settings;
#[path = "version.rs"]
mod version;

#[path = "../../examples/vector_add/npy.rs"]
mod npy;
#[path = "../../examples/vector_add/shape.rs"]
#[expect(dead_code, reason = "the example uses more of it")]
mod shape;

use std::error::Error;
use std::path::Path;

/// The results of the example, of which `npy.rs` and `shape.rs` are parts.
type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

/// The parsers, by the name of their corpus. Those of models and pictures are in engines, which are features.
const PARSERS: &[(&str, fn(&[u8]))] = &[
    ("config", config::read),
    #[cfg(feature = "emulator-onnx")]
    ("models", models::read),
    ("names", names::read),
    ("npy", npy_files::read),
    ("operators", operators::read),
    #[cfg(feature = "emulator-media")]
    ("pictures", pictures::read),
    ("settings", settings::read),
    ("version", version::read),
];

/// One test, because some parsers read the environment, which belongs to the process.
#[test]
fn the_corpus_is_read() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for (name, read) in PARSERS {
        let mut files: Vec<_> = std::fs::read_dir(corpus.join(name))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        assert!(files.len() > 3, "{name} has no corpus");
        let target = corpus.with_file_name(format!("fuzz_targets/{name}.rs"));
        assert!(target.is_file(), "{name} has no target of cargo-fuzz");
        for file in files {
            println!("{}", file.display());
            read(&std::fs::read(&file).unwrap());
        }
    }
    scratch::remove();
}
