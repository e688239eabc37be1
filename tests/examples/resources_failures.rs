//! If a call of `resources` fails, everything that was taken is released in order.

use crate::resources::journal::{IN_ORDER, LEFT, RELEASED, field};
use crate::resources::{DEVICE_MODE, calls, failed, misused, resources};

/// The steps at which a run fails: the call, the text of the error, the resources that are released afterwards, and
/// the resources that remain because their own release failed.
const FAILURES: &str = "\
aclInit | aclInit failed with 500000 (ACL_ERROR_INTERNAL_ERROR) | nothing | nothing
aclrtGetRunMode | aclrtGetRunMode failed with 500000 | AscendCL | nothing
aclrtGetDeviceCount | aclrtGetDeviceCount failed with 500000 | AscendCL | nothing
aclrtSetDevice | aclrtSetDevice failed with 507899 (ACL_ERROR_RT_DRV_INTERNAL_ERROR) | AscendCL | nothing
aclrtSetCurrentContext | aclrtSetCurrentContext failed with 107002 (ACL_ERROR_RT_CONTEXT_NULL) | device, AscendCL | nothing
aclrtCreateStream | aclrtCreateStream failed with 207008 (ACL_ERROR_RT_NO_STREAM_RESOURCE) on device 0 | device, AscendCL | nothing
aclrtMalloc | aclrtMalloc failed with 207001 (ACL_ERROR_RT_MEMORY_ALLOCATION) on device 0 | stream, device, AscendCL | nothing
aclrtMemset | aclrtMemset failed with 507899 | buffer, stream, device, AscendCL | nothing
aclrtMallocHost | aclrtMallocHost failed with 207001 | buffer, stream, device, AscendCL | nothing
aclrtMalloc#2 | call 2 fails | host buffer, buffer, stream, device, AscendCL | nothing
aclrtMemcpy | aclrtMemcpy failed with 507899 | buffer, host buffer, buffer, stream, device, AscendCL | nothing
aclCreateTensor#2 | aclCreateTensor failed with 161002 (ACLNN_ERR_PARAM_INVALID) | tensor, 2 buffers, host buffer, buffer, stream, device, AscendCL | nothing
aclCreateScalar | aclCreateScalar failed with 161002 | 2 tensors, 2 buffers, host buffer, buffer, stream, device, AscendCL | nothing
aclnnAddGetWorkspaceSize | aclnnAddGetWorkspaceSize failed with 161002 | 2 tensors, scalar, tensor, 2 buffers, host buffer, buffer, stream, device, AscendCL | nothing
aclrtMalloc#4 | call 4 fails | executor, 2 tensors, scalar, tensor, 2 buffers, host buffer, buffer, stream, device, AscendCL | nothing
aclnnAdd | aclnnAdd failed with 361001 (ACLNN_ERR_RUNTIME_ERROR) on device 0 | 2 tensors, scalar, tensor, 3 buffers, host buffer, buffer, stream, device, AscendCL | nothing
aclrtSynchronizeStream | aclrtSynchronizeStream failed with 507015 (ACL_ERROR_RT_AICORE_EXCEPTION) | 2 tensors, scalar, tensor, 3 buffers, host buffer, buffer, stream, device, AscendCL | nothing
aclrtDestroyStream | aclrtDestroyStream failed with 107017 | host buffer, 3 buffers, device, AscendCL | nothing
aclrtFree#2 | aclrtFree failed with 107000 | host buffer, 2 buffers, device, AscendCL | nothing
aclrtFreeHost | aclrtFreeHost failed with 107000 | buffer, device, AscendCL | host buffer
aclrtResetDevice | aclrtResetDevice failed with 507007 (ACL_ERROR_RT_CONTEXT_RELEASE_ERROR) | AscendCL | device
aclFinalize | aclFinalize failed with 100037 (ACL_ERROR_REPEAT_FINALIZE) | nothing | nothing
";

/// Steps at which no device is bound, so that the runtime is not asked for a text.
const WITHOUT_TEXT: [&str; 6] = [
    "aclInit",
    "aclrtGetRunMode",
    "aclrtGetDeviceCount",
    "aclrtSetDevice",
    "aclrtResetDevice",
    "aclFinalize",
];

/// The rows of [`FAILURES`].
fn failures() -> impl Iterator<Item = [&'static str; 4]> {
    let row = |line: &'static str| line.split(" | ").collect::<Vec<_>>();
    FAILURES
        .lines()
        .map(move |line| row(line).try_into().unwrap())
}

#[test]
fn wherever_a_call_fails_everything_is_released_in_order() {
    for [step, error, released, left] in failures() {
        let arguments = ["--quiet", "--device", "0", "--fail-at", step];
        let outcome = resources("wherever_a_call_fails", &arguments, &[]);
        let text = if WITHOUT_TEXT.contains(&step) {
            ""
        } else {
            "because of an injected fault"
        };
        failed(&outcome, &[error, text]);
        let stdout = &outcome.stdout;
        assert_eq!(field(stdout, RELEASED), Some(released), "{step}: {stdout}");
        assert_eq!(field(stdout, IN_ORDER), Some("yes"), "{step}: {stdout}");
        assert_eq!(field(stdout, LEFT), Some(left), "{step}: {stdout}");

        let (name, _) = step.split_once('#').unwrap_or((step, ""));
        let mark = format!("  ! {name}");
        assert!(
            calls(&outcome).iter().any(|call| call.starts_with(&mark)),
            "{step}: {stdout}"
        );
        let logged = format!("ERROR {name} failed code=");
        assert!(outcome.stderr.contains(&logged), "{step}: {outcome:#?}");
    }
}

#[test]
fn a_chosen_code_is_what_the_call_answers() {
    let arguments = ["-q", "--device", "0,1", "--fail-at", "aclrtMalloc#6=507018"];
    let outcome = resources("a_chosen_code", &arguments, &[]);
    failed(&outcome, &["aclrtMalloc failed with 507018", "on device 1"]);
    assert!(
        outcome.stdout.contains("device 0   1000 sums are right"),
        "{outcome:#?}"
    );
    assert_eq!(field(&outcome.stdout, IN_ORDER), Some("yes"));
    assert_eq!(field(&outcome.stdout, LEFT), Some("nothing"));
}

#[test]
fn fail_everywhere_leaves_no_call_out() {
    for (arguments, variables, runs) in [
        (&["--device", "0"][..], &[][..], 36),
        (&["--device", "0", "--implicit"], &[], 35),
        (&["--device", "0,1"], &[], 67),
        (&["--device", "0"], &DEVICE_MODE, 37),
    ] {
        let arguments = [arguments, &["--quiet", "--fail-everywhere"]].concat();
        let outcome = resources("fail_everywhere", &arguments, variables);
        let stdout = &outcome.succeeded().stdout;
        let words = format!("\nAll {runs} runs released what they had taken, in order.\n");
        assert!(stdout.ends_with(&words), "{stdout}");
        // Each call of the run without a failure has a row.
        let calls = calls(&outcome);
        assert_eq!(calls.len(), runs);
        for call in calls {
            let row = format!("\n{}#1 ", call.get(4..).unwrap());
            assert!(stdout.contains(&row), "no row for {call} in {stdout}");
        }
    }
}

#[test]
fn the_table_of_fail_everywhere() {
    let arguments = ["--quiet", "--device", "0", "--fail-everywhere"];
    let outcome = resources("the_table_of_fail_everywhere", &arguments, &[]);
    let stdout = &outcome.succeeded().stdout;
    for row in [
        "step                        error                           in order  left alive  released afterwards",
        "aclInit#1                   500000 INTERNAL_ERROR           yes       nothing     nothing",
        "aclrtGetSocName#1           none: the run went on           yes       nothing     executor, 2 tensors,",
        "aclrtMalloc#1               207001 RT_MEMORY_ALLOCATION     yes       nothing     stream, device, AscendCL",
        "aclDestroyScalar#1          none: the run went on           yes       nothing     tensor, buffer, stream,",
        "aclrtResetDevice#1          507007 RT_CONTEXT_RELEASE_ERROR yes       device      AscendCL",
    ] {
        assert!(
            stdout.contains(&format!("\n{row}")),
            "{row} is missing in {stdout}"
        );
    }
    for [step, _, released, left] in failures() {
        let step = if step.contains('#') {
            step.to_owned()
        } else {
            format!("{step}#1")
        };
        let row = stdout
            .lines()
            .find(|line| line.split(' ').next() == Some(&step));
        let row = row.unwrap_or_else(|| panic!("no row for {step} in {stdout}"));
        assert!(row.ends_with(&format!(" {released}")), "{row}");
        assert!(row.contains(&format!(" yes       {left:<11} ")), "{row}");
    }
}

#[test]
fn what_may_still_be_in_use_is_given_up_and_told() {
    // No wait succeeds: nothing proves that the device has stopped.
    let faults = [(
        "ASCENDCL_EMULATOR_FAULTS",
        "aclrtSynchronizeStream#3+=507001",
    )];
    let arguments = [
        "-q",
        "--device",
        "0",
        "--fail-at",
        "aclrtSynchronizeStream#2",
    ];
    let outcome = resources("given_up", &arguments, &faults);
    failed(&outcome, &["aclrtSynchronizeStream failed with 507015"]);
    let told = "no: 1 given up, as no wait has succeeded";
    assert_eq!(field(&outcome.stdout, IN_ORDER), Some(told));

    // Only runs with a failed wait make these calls, one for each of the two waits. The other results are unchanged.
    let arguments = ["-q", "--device", "0", "--fail-everywhere"];
    let outcome = resources("given_up", &arguments, &faults);
    let words = "error: 2 of 36 runs did not release everything in order";
    failed(&outcome, &[words]);
}

#[test]
fn faults_that_mean_nothing() {
    misused(
        "faults_that_mean_nothing",
        &["--fail-at", "aclrtMaloc"],
        &[
            "'aclrtMaloc'",
            "no function \"aclrtMaloc\"",
            "--journal shows",
        ],
    );
    misused(
        "faults_that_mean_nothing",
        &["--fail-at", ""],
        &["no function \"\"", "--journal shows"],
    );
    for number in ["0", "x", "-1", "", "1#2"] {
        let fault = format!("aclrtMalloc#{number}=1");
        misused(
            "faults_that_mean_nothing",
            &["--fail-at", &fault],
            &[&fault, "which call fails, counted from 1"],
        );
    }
    for code in ["0", "x", "", "9999999999", "1=2"] {
        let fault = format!("aclrtMalloc={code}");
        misused(
            "faults_that_mean_nothing",
            &["--fail-at", &fault],
            &[&fault, "a number and not 0, such as 207001"],
        );
    }

    let fails = |fault, parts: &[&str]| {
        let arguments = ["-q", "--device", "0", "--fail-at", fault];
        failed(&resources("faults_that_never_come", &arguments, &[]), parts);
    };
    fails(
        "aclrtCreateEvent",
        &["--fail-at aclrtCreateEvent: this run does not call it"],
    );
    fails(
        "aclrtMalloc#5",
        &["--fail-at aclrtMalloc#5: this run calls it 4 times; give a number from 1 to 4"],
    );
}

#[test]
fn a_card_cannot_be_told_to_fail() {
    for arguments in [
        &["--journal"][..],
        &["--fail-at", "aclInit"],
        &["--fail-everywhere"],
    ] {
        let outcome = resources("a_card", arguments, &[("ASCENDCL_BACKEND", "cann")]);
        let part =
            "ASCENDCL_BACKEND is \"cann\", and only the emulator can be watched or told to fail";
        outcome.refused(&[part, "unset the variable"]);
    }
}
