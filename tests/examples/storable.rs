//! The values that `storable` stores, answers with and releases.

use crate::common::{Folder, Outcome};

fn storable(test: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    Folder::new(&format!("storable_{test}")).run("storable", arguments, variables)
}

/// The output; `N` stands for the device.
const OUTPUT: &str = "\
backend  the emulator
device   N

1. Pipeline<'d, D> borrows the device
   [1.0, 2.0, 3.0] + [10.0, 20.0, 30.0] = [11.0, 22.0, 33.0]
   released; left alive: nothing

2. Worker has a thread that owns everything
   [1.0, 1.0, 1.0] + [10.0, 20.0, 30.0] = [11.0, 21.0, 31.0]
   [2.0, 2.0, 2.0] + [10.0, 20.0, 30.0] = [12.0, 22.0, 32.0]
   the request was refused: the source has 4 elements and the destination 3: take a slice of the longer one
   [3.0, 3.0, 3.0] + [10.0, 20.0, 30.0] = [13.0, 23.0, 33.0]
   released; left alive: nothing

3. Service has no lifetime, its handles are leaked
   [4.0, 4.0, 4.0] + [10.0, 20.0, 30.0] = [14.0, 24.0, 34.0]
   [5.0, 5.0, 5.0] + [10.0, 20.0, 30.0] = [15.0, 25.0, 35.0]
   kept to the end of the process: devices 1, streams 0, device buffers 3, host buffers 1
";

#[test]
fn all_three_ways_in_both_run_modes() {
    for device in ["0", "1"] {
        for mode in ["host", "device"] {
            let variables = [("ASCENDCL_EMULATOR_RUN_MODE", mode)];
            let outcome = storable(
                "all_three_ways_in_both_run_modes",
                &["--device", device],
                &variables,
            );
            let expected = OUTPUT.replacen("device   N", &format!("device   {device}"), 1);
            assert_eq!(outcome.succeeded().stdout, expected);
        }
    }
    assert_eq!(
        storable("all_three_ways_in_both_run_modes", &[], &[]).stdout,
        OUTPUT.replace('N', "0")
    );
}

#[test]
fn a_lazy_device_answers_the_same() {
    let lazy = [("ASCENDCL_EMULATOR_SCHEDULE", "lazy")];
    let outcome = storable("a_lazy_device_answers_the_same", &[], &lazy);
    assert_eq!(outcome.succeeded().stdout, OUTPUT.replace('N', "0"));
}

/// The call that is made to fail, the text of the error, and the last line of the output before it.
const FAILURES: [(&str, &str, &str); 9] = [
    ("aclInit=500000", "aclInit failed with 500000", ""),
    (
        "aclrtMalloc#2=207001",
        "aclrtMalloc failed with 207001",
        "device   0",
    ),
    (
        "aclrtResetDevice=507007",
        "aclrtResetDevice failed with 507007",
        "= [11.0, 22.0, 33.0]",
    ),
    (
        "aclInit#2=500000",
        "aclInit failed with 500000",
        "left alive: nothing",
    ),
    // A request fails: the caller has the error, and the thread ends in order.
    (
        "aclnnAdd#2=361001",
        "call 2 fails",
        "2. Worker has a thread that owns everything",
    ),
    (
        "aclnnAdd#4=361001",
        "call 4 fails",
        "take a slice of the longer one",
    ),
    // A release fails: `stop` returns the reason.
    (
        "aclrtResetDevice#2=507007",
        "aclrtResetDevice failed with 507007",
        "= [13.0, 23.0, 33.0]",
    ),
    (
        "aclInit#3=500000",
        "aclInit failed with 500000",
        "left alive: nothing",
    ),
    (
        "aclrtSetCurrentContext#5=107002",
        "aclrtSetCurrentContext failed with 107002",
        "= [14.0, 24.0, 34.0]",
    ),
];

/// The worker opens the device again, and the log has the reason. A third failure is the error of the program.
#[test]
fn an_opening_that_fails_is_repeated() {
    let run = |fault| {
        let fault = [("ASCENDCL_EMULATOR_FAULTS", fault)];
        let outcome = storable("an_opening_that_fails_is_repeated", &[], &fault);
        let said: Vec<_> = outcome.stderr.lines().map(str::trim).collect();
        let told = "aclrtMalloc failed with 207001";
        assert!(said.iter().all(|line| line.contains(told)), "{outcome:#?}");
        let errors = said.iter().filter(|line| line.starts_with("error: "));
        (outcome.code, said.len(), errors.count(), outcome.stdout)
    };
    let output = OUTPUT.replace('N', "0");
    assert_eq!(run("aclrtMalloc#5=207001"), (Some(0), 1, 0, output));
    let (code, lines, errors, _) = run("aclrtMalloc#5+=207001");
    assert_eq!((code, lines, errors), (Some(1), 3, 1));
}

#[test]
fn what_fails_is_told() {
    for (fault, part, last) in FAILURES {
        let outcome = storable(
            "what_fails_is_told",
            &[],
            &[("ASCENDCL_EMULATOR_FAULTS", fault)],
        );
        outcome.refused(&[part]);
        let line = outcome.stdout.trim_end().lines().last().unwrap_or_default();
        assert!(line.ends_with(last), "{fault}: {outcome:#?}");
    }
    storable("what_fails_is_told", &["--device", "5"], &[])
        .refused(&["there is no device 5", "0 to 1"]);
}

#[test]
fn wrong_command_lines() {
    for arguments in [
        &["--device", "-1"][..],
        &["--device", "x"],
        &["--size", "1"],
        &["0"],
    ] {
        let outcome = storable("wrong_command_lines", arguments, &[]);
        assert_eq!(outcome.code, Some(2), "{arguments:?}: {outcome:#?}");
        assert!(outcome.stderr.starts_with("error: "), "{outcome:#?}");
    }
    assert!(
        storable("wrong_command_lines", &["--help"], &[])
            .succeeded()
            .stdout
            .contains("--device")
    );
}
