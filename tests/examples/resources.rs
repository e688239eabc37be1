//! The resources that `resources` takes and releases, and their order.

use ascendcl::emulator::Call;

use crate::common::{Folder, Outcome};

#[path = "../../examples/resources/journal.rs"]
#[allow(dead_code, reason = "the example uses more of it")]
pub(crate) mod journal;

use journal::{Account, IN_ORDER, LEFT, RELEASED, field};

pub(crate) const DEVICE_MODE: [(&str, &str); 1] = [("ASCENDCL_EMULATOR_RUN_MODE", "device")];

pub(crate) fn resources(test: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    Folder::new(&format!("resources_{test}")).run("resources", arguments, variables)
}

/// The steps that the log names, without the level `INFO`.
fn steps(outcome: &Outcome) -> Vec<&str> {
    let lines = outcome.stderr.lines().map(str::trim);
    lines
        .map(|line| line.strip_prefix("INFO ").unwrap_or(line))
        .collect()
}

/// The calls that the journal shows, with their marks.
pub(crate) fn calls(outcome: &Outcome) -> Vec<&str> {
    let lines = outcome
        .stdout
        .lines()
        .skip_while(|line| !line.starts_with("calls "));
    lines.skip(1).take_while(|line| !line.is_empty()).collect()
}

/// Fails unless the run ended with status 1 and a last line on stderr that holds these parts.
#[track_caller]
pub(crate) fn failed(outcome: &Outcome, parts: &[&str]) {
    assert_eq!(outcome.code, Some(1), "{outcome:#?}");
    let last = outcome.stderr.lines().last().unwrap_or_default();
    assert!(last.starts_with("error: "), "{outcome:#?}");
    for part in parts {
        assert!(last.contains(part), "{part:?} is missing in {last}");
    }
}

/// Fails unless clap refused the command line with these parts.
#[track_caller]
pub(crate) fn misused(test: &str, arguments: &[&str], parts: &[&str]) {
    let outcome = resources(test, arguments, &[]);
    assert_eq!(outcome.code, Some(2), "{arguments:?}: {outcome:#?}");
    assert!(
        outcome.stderr.starts_with("error: ") && outcome.stdout.is_empty(),
        "{outcome:#?}"
    );
    for part in parts {
        assert!(
            outcome.stderr.contains(part),
            "{part:?} is missing in {outcome:#?}"
        );
    }
}

const HOST: &str = "\
backend    the emulator
run mode   host: host memory, and copies between host and device
devices    2, Ascend910B1
stream     explicit: created, and destroyed before the device is reset
";

#[test]
fn on_a_host_with_every_step_logged() {
    let outcome = resources("on_a_host", &[], &[]);
    assert_eq!(outcome.code, Some(0), "{outcome:#?}");
    assert_eq!(
        outcome.stdout,
        format!("{HOST}device 0   1000 sums are right\n")
    );
    assert_eq!(
        steps(&outcome),
        [
            "aclInit",
            "aclrtGetRunMode",
            "aclrtGetDeviceCount",
            "WARN no default device is configured, using device 0",
            "aclrtSetDevice",
            "aclrtSetCurrentContext",
            "aclrtCreateStream",
            "aclrtMalloc",
            "aclrtMemset",
            "aclrtMallocHost",
            "aclrtMalloc",
            "aclrtMemcpy",
            "aclrtMalloc",
            "aclnnAddGetWorkspaceSize",
            "aclnnAdd",
            "aclrtMemcpy",
            "aclrtDestroyStream",
            "aclrtFree",
            "aclrtFree",
            "aclrtFreeHost",
            "aclrtFree",
            "aclrtResetDevice",
            "aclFinalize",
        ]
    );
}

#[test]
fn on_the_chip_itself_there_is_device_memory_only() {
    let outcome = resources("on_the_chip_itself", &["--journal"], &DEVICE_MODE);
    assert_eq!(outcome.code, Some(0), "{outcome:#?}");
    let mode = "\nrun mode   device: the program runs on the chip, device memory only\n";
    assert!(outcome.stdout.contains(mode), "{outcome:#?}");
    let word = "\ndevice 0   1000 sums are right\n";
    assert!(outcome.stdout.contains(word), "{outcome:#?}");
    assert!(!outcome.stdout.contains("aclrtMallocHost"), "{outcome:#?}");
    assert!(!outcome.stdout.contains("aclrtMemcpy"), "{outcome:#?}");
    assert_eq!(field(&outcome.stdout, IN_ORDER), Some("yes"));
    assert_eq!(field(&outcome.stdout, LEFT), Some("nothing"));
}

#[test]
fn the_whole_order_of_a_run() {
    let outcome = resources(
        "the_whole_order_of_a_run",
        &["--quiet", "--device", "1", "--journal"],
        &[],
    );
    outcome.succeeded();
    assert_eq!(
        calls(&outcome),
        [
            "  + aclInit",
            "    aclrtGetRunMode",
            "    aclrtGetDeviceCount",
            "    aclrtGetSocName",
            "  + aclrtSetDevice",
            "    aclrtGetCurrentContext",
            "    aclrtSetCurrentContext",
            "  + aclrtCreateStream",
            "  + aclrtMalloc",
            "    aclrtMemset",
            "  + aclrtMallocHost",
            "  + aclrtMalloc",
            "    aclrtMemcpy",
            "  + aclrtMalloc",
            "  + aclCreateTensor",
            "  + aclCreateTensor",
            "  + aclCreateScalar",
            "  + aclCreateTensor",
            "  + aclnnAddGetWorkspaceSize",
            "  + aclrtMalloc",
            "  - aclnnAdd",
            "    aclrtSynchronizeStream",
            "  - aclDestroyTensor",
            "  - aclDestroyTensor",
            "  - aclDestroyScalar",
            "  - aclDestroyTensor",
            "  - aclrtFree",
            "    aclrtMemcpy",
            "    aclrtSynchronizeStream",
            "  - aclrtDestroyStream",
            "  - aclrtFree",
            "  - aclrtFree",
            "  - aclrtFreeHost",
            "  - aclrtFree",
            "  - aclrtResetDevice",
            "  - aclFinalize",
        ]
    );
    let released = "executor, 2 tensors, scalar, tensor, buffer, stream, 2 buffers, host buffer, buffer, \
                    device, AscendCL";
    assert_eq!(field(&outcome.stdout, RELEASED), Some(released));
    assert_eq!(field(&outcome.stdout, IN_ORDER), Some("yes"));
    assert_eq!(field(&outcome.stdout, LEFT), Some("nothing"));
}

#[test]
fn the_implicit_stream_is_neither_created_nor_destroyed() {
    let arguments = ["--quiet", "--device", "0", "--implicit", "--journal"];
    let outcome = resources("the_implicit_stream", &arguments, &[]);
    let stdout = &outcome.succeeded().stdout;
    let words = "\nstream     implicit: the default stream, which comes and goes with the device\n";
    assert!(stdout.contains(words), "{stdout}");
    assert!(
        stdout.contains("aclnnAdd") && !stdout.contains("CreateStream"),
        "{stdout}"
    );
    assert!(!stdout.contains("DestroyStream"), "{stdout}");
    assert_eq!(field(stdout, IN_ORDER), Some("yes"));
}

#[test]
fn several_devices_one_after_the_other() {
    for devices in [
        &["--devices", "1,0"][..],
        &["--device", "1,0"],
        &["--device", "1", "--device", "0"],
    ] {
        let arguments = [devices, &["--quiet", "--journal"]].concat();
        let outcome = resources("several_devices", &arguments, &[]);
        let stdout = &outcome.succeeded().stdout;
        let words = "\ndevice 1   1000 sums are right\ndevice 0   1000 sums are right\n";
        assert!(stdout.contains(words), "{stdout}");
        let of_devices = calls(&outcome)
            .into_iter()
            .filter(|call| call.ends_with("Device"));
        let expected = ["  + aclrtSetDevice", "  - aclrtResetDevice"].repeat(2);
        assert_eq!(of_devices.collect::<Vec<_>>(), expected);
        assert_eq!(field(stdout, IN_ORDER), Some("yes"));
    }
}

#[test]
fn the_default_device_comes_from_the_configuration() {
    let folder = Folder::new("the_default_device");
    folder.write("one.json", br#"{"defaultDevice": {"default_device": "1"}}"#);
    folder.write("empty.json", b"{}");
    let run = |arguments: &[&str]| folder.run("resources", arguments, &[]);

    let outcome = run(&["--config", "one.json"]);
    assert!(outcome.stdout.contains("\ndevice 1   1000"), "{outcome:#?}");
    let word = "device 1 is the default device of the configuration";
    assert!(steps(&outcome).contains(&word), "{outcome:#?}");

    let outcome = run(&["--quiet", "--config", "one.json", "--device", "0"]);
    let stdout = &outcome.succeeded().stdout;
    assert!(
        stdout.contains("\ndevice 0   1000") && !stdout.contains("device 1 "),
        "{stdout}"
    );

    let outcome = run(&["--quiet", "--config", "empty.json"]);
    assert!(outcome.stdout.contains("\ndevice 0   1000"), "{outcome:#?}");
    let warning = " WARN no default device is configured, using device 0\n";
    assert_eq!(outcome.stderr, warning);

    // The same program with a recording emulator.
    let outcome = run(&["--quiet", "--config", "one.json", "--journal"]);
    assert!(
        outcome.succeeded().stdout.contains("\ndevice 1   1000"),
        "{outcome:#?}"
    );
}

/// The text of the account of these calls, all of which succeeded.
#[track_caller]
fn check_order(calls: &[&'static str], expected: &str) {
    let calls: Vec<_> = calls
        .iter()
        .map(|name| Call {
            name,
            code: Some(0),
        })
        .collect();
    let text = Account::of(&calls, &[]).to_string();
    assert_eq!(field(&text, IN_ORDER), Some(expected), "{text}");
}

#[test]
fn an_account_sees_what_is_out_of_order() {
    const INIT: &str = "aclInit";
    const SET: &str = "aclrtSetDevice";
    const RESET: &str = "aclrtResetDevice";
    const END: &str = "aclFinalize";
    check_order(&[INIT, SET, RESET, END], "yes");
    check_order(
        &[INIT, SET, END, RESET],
        "no: AscendCL released before device",
    );
    check_order(&[INIT, SET, RESET], "no: AscendCL never released");
    check_order(
        &[INIT, SET, RESET, RESET, END],
        "no: device released too often",
    );
    for (take, give, name) in [
        ("aclrtCreateStream", "aclrtDestroyStream", "stream"),
        ("aclrtMalloc", "aclrtFree", "buffer"),
        ("aclrtMallocHost", "aclrtFreeHost", "host buffer"),
    ] {
        check_order(&[INIT, SET, take, give, RESET, END], "yes");
        let early = format!("no: device released before {name}");
        check_order(&[INIT, SET, take, RESET, give, END], &early);
        check_order(&[INIT, SET, take, RESET, END], &early);
    }
}

#[test]
fn an_unknown_device() {
    let outcome = resources("an_unknown_device", &["--device", "7"], &[]);
    let parts = [
        "aclrtSetDevice failed with 107001",
        "there are 2 devices: 0 to 1",
    ];
    failed(&outcome, &parts);
    let none = [("ASCENDCL_EMULATOR_DEVICES", "0")];
    failed(
        &resources("no_device", &[], &none),
        &["the emulator has no device"],
    );

    // The first device is used and released before the second is asked for.
    let arguments = ["-q", "--device", "0,7", "--journal"];
    let outcome = resources("an_unknown_second_device", &arguments, &[]);
    failed(&outcome, &["there is no device 7"]);
    assert!(outcome.stdout.contains("device 0   1000"), "{outcome:#?}");
    assert_eq!(field(&outcome.stdout, IN_ORDER), Some("yes"));
    assert_eq!(field(&outcome.stdout, LEFT), Some("nothing"));
}

#[test]
fn configurations_that_are_none() {
    let folder = Folder::new("configurations");
    folder.write("damaged.json", b"{");
    folder.write(
        "named.json",
        br#"{"defaultDevice": {"default_device": "x"}}"#,
    );
    folder.write("far.json", br#"{"defaultDevice": {"default_device": "9"}}"#);
    for (file, parts) in [
        (
            "none.json",
            &["100003", "none.json cannot be read: No such file"][..],
        ),
        ("damaged.json", &["100006", "damaged.json is not JSON"]),
        (
            "named.json",
            &["named.json names the default device \"x\"; write a device id"],
        ),
        (
            "far.json",
            &["there is no device 9", "there are 2 devices: 0 to 1"],
        ),
    ] {
        let outcome = folder.run("resources", &["--quiet", "--config", file], &[]);
        failed(&outcome, parts);
    }
}

#[test]
fn wrong_command_lines() {
    for arguments in [
        &["--device", "-1"][..],
        &["--device", "first"],
        &["--device", ""],
        &["--device", "0,"],
        &["--fail-at", "aclInit", "--fail-everywhere"],
        &["--no-such-option"],
        &["0"],
    ] {
        misused("wrong_command_lines", arguments, &["--help"]);
    }
    let outcome = resources("help", &["--help"], &[]);
    assert!(outcome.succeeded().stdout.contains("--fail-everywhere"));
}
