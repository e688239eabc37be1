//! The examples with models through the C library: `dlopen` and the functions of C.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use crate::classify;
use crate::common::Folder;

/// The C library with the engines for models and pictures, in a file of its own. It is built here, because not every way
/// to start tests builds it. Tests that were started without Cargo use the one that is there already.
fn library() -> PathBuf {
    let test = env::current_exe().unwrap();
    let profile = test.parent().and_then(|deps| deps.parent()).unwrap();
    let ours = profile.join("examples/libascendcl-with-engines.so");
    if let Some(cargo) = env::var_os("CARGO") {
        let mut build = Command::new(cargo);
        build
            .args([
                "build",
                "--quiet",
                "--package",
                "ascendcl-emulator-capi",
                "--features",
                "emulator-onnx,emulator-media",
            ])
            .arg("--target-dir")
            .arg(profile.parent().unwrap())
            .current_dir(env!("CARGO_MANIFEST_DIR"));
        assert!(
            build.status().unwrap().success(),
            "the C library does not build"
        );
        let built = profile
            .parent()
            .unwrap()
            .join("debug/libascendcl_emulator_capi.so");
        fs::copy(built, &ours).unwrap();
    }
    ours
}

#[test]
fn both_examples_give_the_same_answers_through_the_c_library() {
    let library = library();
    let variables = [("ASCENDCL_BACKEND", library.to_str().unwrap())];
    let folder = Folder::new("loaded_models");
    let outcome = folder.run("model", &[], &variables);
    assert!(
        outcome
            .succeeded()
            .stdout
            .ends_with("[3, 1, 4, 1, 5, 9, 2, 6]\n"),
        "{outcome:#?}"
    );
    classify::compare(&folder, &variables);
}
