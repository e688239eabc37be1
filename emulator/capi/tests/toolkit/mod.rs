//! The folder that `cargo xtask capi` writes, for the tests of programs in C and in Python.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// Returns the directory of the toolkit, which the first call writes.
pub(crate) fn toolkit() -> &'static Path {
    static TOOLKIT: OnceLock<PathBuf> = OnceLock::new();
    TOOLKIT.get_or_init(|| {
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("toolkit");
        let mut xtask = Command::new(env!("CARGO"));
        xtask.args([
            "run",
            "--quiet",
            "--package",
            "xtask",
            "--",
            "capi",
            "--debug",
            "--out",
        ]);
        xtask.arg(&out);
        // The engines for models and pictures take long to build, so only some runs of these tests have them.
        if cfg!(all(feature = "emulator-onnx", feature = "emulator-media")) {
            xtask.args(["--features", "emulator-onnx,emulator-media"]);
        }
        let status = xtask.current_dir(root()).status().unwrap();
        assert!(status.success(), "cargo xtask capi: {status}");
        out
    })
}
