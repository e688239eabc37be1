//! What `synchronization` and `pipeline` wait for, however late the device is.

use crate::common::{Folder, Outcome};

fn run(name: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    let mut test = arguments.join("_");
    for (variable, value) in variables {
        test = format!("{test}_{variable}_{value}");
    }
    Folder::new(&format!("waiting_{name}_{test}")).run(name, arguments, variables)
}

const LAZY: (&str, &str) = ("ASCENDCL_EMULATOR_SCHEDULE", "lazy");

#[test]
fn every_way_to_wait_is_a_proof() {
    for variables in [&[][..], &[LAZY]] {
        let outcome = run("synchronization", &[], variables);
        let lines: Vec<_> = outcome.succeeded().stdout.lines().collect();
        assert_eq!(
            lines,
            [
                "backend the emulator",
                "waited for event: 100000 numbers are right",
                "waited for stream: 100000 numbers are right",
                "waited for stream to stream: 100000 numbers are right",
                "waited for a device",
                "waited for a device",
            ]
        );
    }
    let one = run("synchronization", &["--device", "1"], &[]);
    assert_eq!(
        one.succeeded()
            .stdout
            .matches("waited for a device")
            .count(),
        1
    );
}

#[test]
fn the_pipeline_computes_every_square() {
    for variables in [&[][..], &[LAZY]] {
        for turns in ["1", "2", "7"] {
            let arguments = ["--turns", turns, "--numbers", "5000"];
            let outcome = run("pipeline", &arguments, variables);
            let expected = format!("{turns} batches of 5000 numbers, all squares are right");
            assert!(
                outcome.succeeded().stdout.contains(&expected),
                "{outcome:#?}"
            );
        }
    }
}

#[test]
fn what_fails_is_one_line() {
    for name in ["synchronization", "pipeline"] {
        run(name, &["--device", "7"], &[]).refused(&["107001", "there are 2 devices: 0 to 1"]);
        let chip = [("ASCENDCL_EMULATOR_RUN_MODE", "device")];
        run(name, &[], &chip).refused(&["AscendCL runs on the device itself"]);
    }
    let fault = [("ASCENDCL_EMULATOR_FAULTS", "aclrtMemcpyAsync#2=507899")];
    run("pipeline", &["--turns", "3", "--numbers", "100"], &fault).refused(&["507899"]);
}

#[test]
fn wrong_command_lines() {
    for arguments in [
        &["--turns", "0"][..],
        &["--numbers", "0"],
        &["--device", "x"],
        &["--what"],
    ] {
        assert_eq!(
            run("pipeline", arguments, &[]).code,
            Some(2),
            "{arguments:?}"
        );
    }
    assert_eq!(run("synchronization", &["--device"], &[]).code, Some(2));
}
