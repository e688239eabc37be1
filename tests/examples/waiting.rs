//! The waits of `synchronization`, `pipeline`, `threads`, `borrowed` and `callback`, on schedules that delay the
//! device.

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
fn threads_share_as_many_devices_as_there_are() {
    for (devices, numbers, expected) in [
        ("1", "1000", "1000 squares are right, from 1 of 1 devices"),
        ("3", "1000", "1000 squares are right, from 3 of 3 devices"),
        ("3", "1", "1 squares are right, from 1 of 3 devices"),
        ("8", "12", "12 squares are right, from 6 of 8 devices"),
    ] {
        for variables in [
            &[("ASCENDCL_EMULATOR_DEVICES", devices)][..],
            &[("ASCENDCL_EMULATOR_DEVICES", devices), LAZY],
        ] {
            for threads in ["1", "8", "20"] {
                let arguments = ["--threads", threads, "--numbers", numbers];
                let outcome = run("threads", &arguments, variables);
                assert!(
                    outcome.succeeded().stdout.contains(expected),
                    "{outcome:#?}"
                );
            }
        }
    }
}

#[test]
fn what_was_borrowed_holds_the_sums() {
    for variables in [&[][..], &[LAZY]] {
        for numbers in ["1", "5000"] {
            let outcome = run("borrowed", &["--numbers", numbers], variables);
            let expected = format!("{numbers} sums are right, in a `Vec`");
            assert!(
                outcome.succeeded().stdout.contains(&expected),
                "{outcome:#?}"
            );
        }
    }
    let fault = [("ASCENDCL_EMULATOR_FAULTS", "aclrtMemcpyAsync#2=507899")];
    run("borrowed", &[], &fault).refused(&["507899"]);
}

#[test]
fn streams_call_functions_of_the_host() {
    for variables in [&[][..], &[LAZY]] {
        for batches in ["1", "30"] {
            let outcome = run("callback", &["--batches", batches], variables);
            let lines: Vec<_> = outcome.succeeded().stdout.lines().collect();
            let right = format!("{batches} sums are right");
            assert_eq!(
                lines,
                [
                    "backend the emulator".to_owned(),
                    format!("host functions: {right}"),
                    format!("callbacks: {right}"),
                ]
            );
        }
    }
    for (call, code) in [
        ("aclrtLaunchHostFunc#4", "507899"),
        ("aclrtSubscribeReport#1", "107011"),
        ("aclrtLaunchCallback#3", "107011"),
        ("aclrtProcessReport#2", "507899"),
    ] {
        let fault = format!("{call}={code}");
        let fault = [("ASCENDCL_EMULATOR_FAULTS", fault.as_str())];
        run("callback", &[], &fault).refused(&[code]);
    }
    // A device that is lost refuses each call; the program ends all the same.
    for call in [30, 40, 45, 50, 60] {
        let faults = format!("device-lost#{call}");
        run("callback", &[], &[("ASCENDCL_EMULATOR_FAULTS", &faults)]).refused(&["507010"]);
    }
}

#[test]
fn a_thread_that_fails_ends_the_program_with_its_error() {
    let fault = [("ASCENDCL_EMULATOR_FAULTS", "aclrtCreateStream#3=207008")];
    run("threads", &[], &fault).refused(&["aclrtCreateStream failed with 207008"]);
    let chip = [("ASCENDCL_EMULATOR_RUN_MODE", "device")];
    run("threads", &[], &chip).refused(&["the program runs on the device itself"]);
}

#[test]
fn what_fails_is_one_line() {
    for name in ["synchronization", "pipeline", "borrowed", "callback"] {
        run(name, &["--device", "7"], &[]).refused(&["107001", "there are 2 devices: 0 to 1"]);
        let chip = [("ASCENDCL_EMULATOR_RUN_MODE", "device")];
        run(name, &[], &chip).refused(&["the program runs on the device itself"]);
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
    assert_eq!(run("threads", &["--threads", "0"], &[]).code, Some(2));
    assert_eq!(run("borrowed", &["--numbers", "0"], &[]).code, Some(2));
    assert_eq!(run("callback", &["--batches", "0"], &[]).code, Some(2));
}
