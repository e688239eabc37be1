//! The transfers of `data_transfer`: in both run modes, in both ways of serving them.

use crate::common::{Folder, Outcome};

const DEVICE_MODE: [(&str, &str); 1] = [("ASCENDCL_EMULATOR_RUN_MODE", "device")];

fn data_transfer(test: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    let arguments = [&["--quiet"], arguments].concat();
    Folder::new(&format!("data_transfer_{test}")).run("data_transfer", &arguments, variables)
}

const HEAD: &str = "\
backend   the emulator
device    0 of 2, Ascend910B1
";

const SEPARATE_HOST: &str = "
separate allocators; run mode: host

memory           allocated by           bytes      aligned to
host             aclrtMallocHost         1000            4096
device           aclrtMalloc             1000            4096
media (DVPP)     acldvppMalloc           1000            4096
device           aclrtMalloc             1000            4096

verified  all 1000 bytes arrived
";

const SEPARATE_DEVICE: &str = "
separate allocators; run mode: device

memory           allocated by           bytes      aligned to
device           aclrtMalloc             1000            4096
media (DVPP)     acldvppMalloc           1000            4096
device           aclrtMalloc             1000            4096

verified  all 1000 bytes arrived
";

const UNIFIED: &str = "
one allocator for both run modes

memory           allocated by           bytes      aligned to
own side         aclrtMallocHost         1000             128
device           aclrtMalloc             1000            4096
media (DVPP)     acldvppMalloc           1000            4096
device           aclrtMalloc             1000            4096

verified  all 1000 bytes arrived
";

#[test]
fn both_variants_in_both_run_modes() {
    let size = ["--size", "1000"];
    let outcome = data_transfer("on_a_host", &size, &[]);
    let expected = [HEAD, SEPARATE_HOST, UNIFIED].concat();
    assert_eq!(outcome.succeeded().stdout, expected);
    let arguments = ["--size", "1000", "--run-mode", "host"];
    let outcome = data_transfer("on_a_chosen_host", &arguments, &DEVICE_MODE);
    assert_eq!(outcome.succeeded().stdout, expected);

    let outcome = data_transfer("on_the_chip", &size, &DEVICE_MODE);
    let expected = [HEAD, SEPARATE_DEVICE, UNIFIED].concat();
    assert_eq!(outcome.succeeded().stdout, expected);
    let arguments = ["--size", "1000", "--run-mode", "device"];
    let outcome = data_transfer("on_a_chosen_chip", &arguments, &[]);
    assert_eq!(outcome.succeeded().stdout, expected);
}

#[test]
fn one_variant() {
    let arguments = ["--size", "1000", "--variant", "separate"];
    let outcome = data_transfer("separate", &arguments, &[]);
    assert_eq!(outcome.succeeded().stdout, [HEAD, SEPARATE_HOST].concat());
    let arguments = ["--size", "1000", "--variant", "unified"];
    let outcome = data_transfer("unified", &arguments, &[]);
    assert_eq!(outcome.succeeded().stdout, [HEAD, UNIFIED].concat());
}

#[test]
fn sizes() {
    for (size, bytes) in [
        ("1", "1"),
        ("127", "127"),
        ("4097", "4097"),
        ("3KiB", "3072"),
        ("5MiB", "5242880"),
    ] {
        for variables in [&[][..], &DEVICE_MODE] {
            let outcome = data_transfer("sizes", &["--size", size], variables);
            let verdict = format!("\nverified  all {bytes} bytes arrived\n");
            let found = outcome.succeeded().stdout.matches(&verdict).count();
            assert_eq!(found, 2, "{outcome:#?}");
        }
    }
}

/// The calls that the log names.
fn steps(arguments: &[&str]) -> Vec<String> {
    let outcome = Folder::new("data_transfer_steps").run("data_transfer", arguments, &[]);
    assert_eq!(outcome.code, Some(0), "{outcome:#?}");
    let lines = outcome.stderr.lines();
    lines
        .map(|line| line.trim().trim_start_matches("INFO ").to_owned())
        .collect()
}

#[test]
fn every_step_is_logged() {
    let around = |steps: &[&str]| -> Vec<String> {
        let first = [
            "aclInit",
            "aclrtSetDevice",
            "aclrtSetCurrentContext",
            "aclrtGetDeviceCount",
        ];
        let last = ["aclrtResetDevice", "aclFinalize"];
        [&first, steps, &last]
            .concat()
            .iter()
            .map(|step| (*step).to_owned())
            .collect()
    };
    let host = around(&[
        "aclrtGetRunMode",
        "aclrtMallocHost",
        "aclrtMalloc",
        "acldvppMalloc",
        "aclrtMalloc",
        "aclrtMemset",
        "aclrtMemcpy",
        "aclrtMemcpy",
        "aclrtMemcpy",
        "aclrtMemcpy",
        "aclrtFreeHost",
        "aclrtFree",
        "acldvppFree",
        "aclrtFree",
    ]);
    assert_eq!(steps(&["--variant", "separate"]), host);
    let device = around(&[
        "aclrtGetRunMode",
        "aclrtMalloc",
        "acldvppMalloc",
        "aclrtMalloc",
        "aclrtMemset",
        "aclrtMemcpy",
        "aclrtMemcpy",
        "aclrtFree",
        "acldvppFree",
        "aclrtFree",
    ]);
    assert_eq!(
        steps(&["--variant", "separate", "--run-mode", "device"]),
        device
    );
    let unified = around(&[
        "aclrtMallocHost",
        "aclrtMalloc",
        "acldvppMalloc",
        "aclrtMalloc",
        "aclrtMemcpy",
        "aclrtMemcpy",
        "aclrtMemcpy",
        "aclrtMemcpy",
        "aclrtFreeHost",
        "aclrtFree",
        "acldvppFree",
        "aclrtFree",
    ]);
    assert_eq!(steps(&["--variant", "unified"]), unified);
    assert_eq!(
        steps(&["--variant", "unified", "--run-mode", "device"]),
        unified
    );
}

/// Fails unless the run ended with status 1 and a last line on stderr that holds these parts.
#[track_caller]
fn failed(arguments: &[&str], variables: &[(&str, &str)], parts: &[&str]) {
    let outcome = data_transfer("failed", arguments, variables);
    assert_eq!(outcome.code, Some(1), "{outcome:#?}");
    let last = outcome.stderr.lines().last().unwrap_or_default();
    assert!(last.starts_with("error: "), "{outcome:#?}");
    for part in parts {
        assert!(last.contains(part), "{part:?} is missing in {last}");
    }
}

#[test]
fn what_fails() {
    let parts = ["there is no device 4", "there are 2 devices: 0 to 1"];
    failed(&["--device", "4"], &[], &parts);

    let small = [("ASCENDCL_EMULATOR_MEMORY", "1MiB")];
    let remedy = "a --size smaller than 2097152 may help: aclrtMalloc failed with 207001";
    for variant in ["separate", "unified"] {
        let arguments = ["--size", "2MiB", "--variant", variant];
        failed(&arguments, &small, &[remedy, "memory is exhausted"]);
    }

    for call in [
        "aclrtMemcpy#3",
        "acldvppMalloc",
        "aclrtGetRunMode",
        "acldvppFree",
        "aclFinalize",
    ] {
        let name = call.trim_end_matches("#3");
        let faults = format!("{call}=507899");
        let text = format!("{name} failed with 507899 (ACL_ERROR_RT_DRV_INTERNAL_ERROR)");
        failed(&[], &[("ASCENDCL_EMULATOR_FAULTS", &faults)], &[&text]);
    }
    let cann = [("ASCENDCL_BACKEND", "cann")];
    let parts = [
        "ASCENDCL_BACKEND is \"cann\", and only the emulator can choose",
        "leave --run-mode out",
    ];
    failed(&["--run-mode", "device"], &cann, &parts);
    let bad = [("ASCENDCL_EMULATOR_DEVICES", "many")];
    failed(
        &["--run-mode", "device"],
        &bad,
        &["ASCENDCL_EMULATOR_DEVICES is \"many\""],
    );
}

#[test]
fn wrong_command_lines() {
    let remedy = "give a whole number of bytes above 0, such as 4096 or 16MiB";
    for (arguments, part) in [
        (["--size", "0"], remedy),
        (["--size", "-1"], remedy),
        (["--size", "3MB"], remedy),
        (["--size", "1.5MiB"], remedy),
        (["--size", "99999999999GiB"], remedy),
        (["--device", "-1"], "-1 is not in"),
        (
            ["--variant", "all"],
            "[possible values: separate, unified, both]",
        ),
        (["--run-mode", "chip"], "[possible values: host, device]"),
    ] {
        let outcome = data_transfer("wrong_command_lines", &arguments, &[]);
        assert_eq!(outcome.code, Some(2), "{arguments:?}: {outcome:#?}");
        assert!(outcome.stdout.is_empty(), "{outcome:#?}");
        assert!(outcome.stderr.starts_with("error: "), "{outcome:#?}");
        assert!(outcome.stderr.contains(part), "{outcome:#?}");
    }
}
