//! The example with a model: its answer, and the files that it refuses.

use crate::common::{Folder, Outcome};

const PRINTED: &str =
    "image: [8, 3, 32, 32], 98304 bytes\nscores: [8, 10], 320 bytes\n[3, 1, 4, 1, 5, 9, 2, 6]\n";

fn run(folder: &Folder, arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    folder.run("model", arguments, variables)
}

#[test]
fn the_model_reads_the_digits() {
    let folder = Folder::new("model_digits");
    for schedule in ["eager", "lazy"] {
        let variables = [("ASCENDCL_EMULATOR_SCHEDULE", schedule)];
        let outcome = run(&folder, &[], &variables);
        assert_eq!(outcome.succeeded().stdout, PRINTED, "{schedule}");
    }
}

/// Fails unless the example ended with an error that has all of `parts`.
#[track_caller]
fn refused(outcome: &Outcome, parts: &[&str]) {
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (Some(1), ""),
        "{outcome:#?}"
    );
    for part in parts {
        assert!(
            outcome.stderr.contains(part),
            "{part:?} is missing in {outcome:#?}"
        );
    }
}

#[test]
fn a_file_that_is_no_model_is_refused_with_the_reason() {
    let folder = Folder::new("model_refused");
    refused(
        &run(&folder, &["none.onnx"], &[]),
        &["145002", "none.onnx cannot be read"],
    );

    folder.write("text.onnx", b"no model at all");
    refused(
        &run(&folder, &["text.onnx"], &[]),
        &["145006", "neither an ONNX file nor an offline model"],
    );

    // The header of a model that `atc` has compiled, without anything behind it.
    let mut offline = vec![0; 256];
    offline[..4].copy_from_slice(b"IMOD");
    folder.write("digits.om", &offline);
    let said = "an offline model, which atc has compiled for a card; the emulator runs the ONNX file that atc compiles";
    refused(
        &run(&folder, &["digits.om"], &[]),
        &["207000", said, "pass that file here"],
    );

    let damaged = std::fs::read(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/examples/classify/digits.onnx"
    ))
    .unwrap();
    folder.write("damaged.onnx", &damaged[..damaged.len() / 2]);
    refused(&run(&folder, &["damaged.onnx"], &[]), &["145006"]);
}

#[test]
fn a_model_of_other_sizes_is_refused_before_the_run() {
    let folder = Folder::new("model_other_sizes");
    let model = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/examples/models/convolution.onnx"
    );
    let outcome = run(&folder, &[model], &[]);
    assert_eq!(outcome.code, Some(1), "{outcome:#?}");
    let said = "of the model has 256 bytes, and the buffer 98304: allocate one element for each of the model";
    assert!(outcome.stderr.contains(said), "{outcome:#?}");
}
