//! `doctor`: the exact report of a machine without CANN, of one with everything, and of failures.

use crate::common::Folder;

/// The part of the report that the emulator gives, with the settings of `run`.
const EMULATOR: &str = "\
backend    the emulator
AscendCL   1.17.0
chip       Ascend910B1
device 0   1024 MiB, aclnnAdd is right
";

const SETTINGS: [(&str, &str); 2] = [
    ("ASCENDCL_EMULATOR_DEVICES", "1"),
    ("ASCENDCL_EMULATOR_MEMORY", "1GiB"),
];

fn machine() -> String {
    format!("machine    linux {}\n", std::env::consts::ARCH)
}

#[test]
fn a_machine_without_a_card_is_told_what_to_install() {
    let folder = Folder::new("doctor_empty");
    let report = folder.run("doctor", &["--root", "."], &SETTINGS);
    let expected = format!(
        "{}driver     not found\nnodes      no /dev/davinci0\nCANN       not found\n{EMULATOR}\n\
         what to do\n\
         \x20 - for a card: install its driver and firmware, until `npu-smi info` lists it; in a container, pass \
         /dev/davinci0, /dev/davinci_manager, /dev/devmm_svm and /dev/hisi_hdc, and mount /usr/local/Ascend/driver\n\
         \x20 - for a card: install the CANN toolkit and source its set_env.sh, or set ASCENDCL_LIBRARY to the full name \
         of libascendcl.so\n",
        machine()
    );
    assert_eq!(report.succeeded().stdout, expected);
}

/// Writes files into the folder of the test.
fn write(folder: &Folder, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        folder.write(name, text.as_bytes());
    }
}

#[test]
fn everything_that_is_there_is_named() {
    let folder = Folder::new("doctor_full");
    let toolkit = "usr/local/Ascend/ascend-toolkit/latest";
    let file = |name: &str| format!("{toolkit}/{name}");
    write(
        &folder,
        &[
            ("dev/davinci1", ""),
            ("dev/davinci0", ""),
            ("dev/davinci_manager", ""),
            ("dev/hisi_hdc", ""),
            ("usr/local/Ascend/driver/version.info", "Version=25.0\n"),
            (&file("lib64/libascendcl.so"), ""),
            (&file("lib64/libnnopbase.so"), ""),
            (&file("lib64/libopapi_math.so"), ""),
            (&file("runtime/version.info"), "x=1\nVersion=8.5\n"),
        ],
    );
    let report = folder.run("doctor", &["--root", "."], &SETTINGS);
    let expected = format!(
        "{}driver     25.0\nnodes      davinci0, davinci1\nCANN       8.5, ./{toolkit}\n{EMULATOR}\n\
         what to do\n\
         \x20 - pass /dev/devmm_svm to the container, or start the service of the driver\n\
         \x20 - source ./{toolkit}/set_env.sh: the libraries of CANN find each other by its variables\n\
         \x20 - the toolkit has no library with media memory: install the package of CANN with the kernels of your \
         chip\n\
         \x20 - the emulator was in use: set ASCENDCL_BACKEND=cann to use the card\n",
        machine()
    );
    assert_eq!(report.succeeded().stdout, expected);
}

#[test]
fn the_first_failure_ends_the_report() {
    let folder = Folder::new("doctor_fault");
    let fault = ("ASCENDCL_EMULATOR_FAULTS", "aclrtGetMemInfo=507899");
    let report = folder.run("doctor", &["--root", "."], &[SETTINGS[0], fault]);
    assert_eq!(report.code, Some(1), "{report:#?}");
    let line = "failed     aclrtGetMemInfo failed with 507899";
    assert!(report.stdout.contains(line), "{report:#?}");
    // A library that is not there: the report says which.
    let nowhere = ("ASCENDCL_LIBRARY", "nowhere/libascendcl.so");
    let report = folder.run(
        "doctor",
        &["--root", "."],
        &[("ASCENDCL_BACKEND", "cann"), nowhere],
    );
    assert_eq!(report.code, Some(1), "{report:#?}");
    assert!(
        report
            .stdout
            .contains("failed     nowhere/libascendcl.so cannot be loaded"),
        "{report:#?}"
    );
}
