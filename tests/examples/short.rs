//! The short programs: the exact output of each, with early and with late devices.

use crate::common::{Folder, Outcome};

/// The name of a program and its output.
const PROGRAMS: [(&str, &str); 20] = [
    ("01_copy", "[1.5, 2.5, 3.5]\n"),
    ("02_operator", "[201, 402, 603, 210, 420, 630]\n"),
    (
        "03_streams",
        "results: [7, 7, 7, 7]\n4 numbers wait on the device\n",
    ),
    ("04_event", "[1, 4, 9]\n"),
    ("05_devices", "device 0: 110\ndevice 1: 111\n"),
    ("06_lend", "[1, 2, 3, 4] [1, 2, 3, 4]\n"),
    (
        "07_error",
        "no such device: aclrtSetDevice failed with 107001 (ACL_ERROR_RT_INVALID_DEVICEID); hint: there is no device 99; \
         there are 2 devices: 0 to 1\n0 is no length\n",
    ),
    ("08_failure", "3 numbers are on the device\n"),
    ("09_share", "[1, 2, 3] [1, 2, 3]\n"),
    (
        "10_faults",
        "the first batch has failed with Some(207001)\n0 releases have failed\nthe second batch is done\n",
    ),
    ("11_pipeline", "the sum of all products is 450\n"),
    (
        "12_worker",
        "[2.0, 2.0, 2.0]\n[4.0, 4.0, 4.0]\n[6.0, 6.0, 6.0]\n[8.0, 8.0, 8.0]\n",
    ),
    ("13_label", "seven\n"),
    ("14_data_parallel", "[17.0, 29.0, 45.0]\n"),
    ("15_kernel", "the sum is 264\n"),
    (
        "16_graph",
        "turn 1: [1.0, 0.0] becomes [0.0, 1.0]\nturn 2: [0.0, 1.0] becomes [-1.0, 0.0]\n\
         turn 3: [-1.0, 0.0] becomes [0.0, -1.0]\n",
    ),
    (
        "17_cache",
        "10 keys in 2 of 392 MiB\nthe sum of the scores is 56320\n",
    ),
    ("18_notify", "[30, 30, 30]\n"),
    ("19_pool", "2048, and 4194304 bytes for 8 buffers\n"),
    ("20_ndarray", "[[3.5, 5.5],\n [5, 7]]\n"),
];

/// Programs that are not numbered, and their output.
const OTHERS: [(&str, &str); 3] = [
    (
        "mlp",
        "[0.0, 3.0, 6.0, 9.0, 2.0, 5.0, 8.0, 1.0, 4.0, 7.0]\n",
    ),
    (
        "kernel",
        "the sum of the layer is 28094; both ways have the same result: true\n",
    ),
    (
        "two_processes",
        "frame 1: 4096 times 1\nframe 2: 4096 times 2\nframe 3: 4096 times 3\n",
    ),
];

fn run(name: &str, test: &str, variables: &[(&str, &str)]) -> Outcome {
    Folder::new(&format!("{name}_{test}")).run(name, &[], variables)
}

#[test]
fn each_program_prints_what_it_should() {
    let schedules = [
        ("eager", &[][..]),
        ("lazy", &[("ASCENDCL_EMULATOR_SCHEDULE", "lazy")]),
    ];
    for (name, printed) in PROGRAMS.into_iter().chain(OTHERS) {
        for (test, variables) in schedules {
            assert_eq!(
                run(name, test, variables).succeeded().stdout,
                printed,
                "{name}"
            );
        }
    }
}

#[test]
fn the_list_is_that_of_the_folder_and_of_its_readme() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(root.join("examples")).unwrap();
    let files = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut numbered: Vec<_> = files
        .filter(|name| name.starts_with(|first: char| first.is_ascii_digit()))
        .filter_map(|name| Some(name.strip_suffix(".rs")?.to_owned()))
        .collect();
    numbered.sort();
    assert_eq!(numbered, PROGRAMS.map(|(name, _)| name));
    let readme = std::fs::read_to_string(root.join("examples/README.md")).unwrap();
    for name in numbered {
        let path = format!("examples/{name}.rs");
        let text = std::fs::read_to_string(root.join(&path)).unwrap();
        let lines = text.lines().count();
        assert!((20..=50).contains(&lines), "{path} has {lines} lines");
        let question = text
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("//! "));
        let row = format!("\n| [`{name}`]({name}.rs) | {} |\n", question.unwrap());
        assert!(row.ends_with("? |\n") && readme.contains(&row), "{row}");
    }
}

#[test]
fn a_failed_upload_is_told_by_the_wait() {
    let fault = [("ASCENDCL_EMULATOR_FAULTS", "task:aclrtMemcpyAsync=507001")];
    let outcome = run("08_failure", "fault", &fault);
    assert_eq!(
        outcome.succeeded().stdout,
        "aclrtSynchronizeStream has returned 507001\nto upload again: [1, 2, 3]\n"
    );
}

#[test]
fn a_program_for_a_host_says_so_on_the_device() {
    let outcome = run(
        "01_copy",
        "device",
        &[("ASCENDCL_EMULATOR_RUN_MODE", "device")],
    );
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.stdout.is_empty());
    let said = "Error: the program runs on the device itself (run mode ACL_DEVICE), where there is no host memory";
    assert!(outcome.stderr.starts_with(said), "{outcome:?}");
}

#[test]
fn the_perceptron_is_short() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("examples/mlp.rs")).unwrap();
    let lines = text.lines().count();
    assert!((20..60).contains(&lines), "{lines} lines");
}

#[test]
fn a_process_that_ends_early_ends_the_other_one_with_an_error() {
    // The same setting in both processes: the producer imports, and the consumer exports.
    for (call, said) in [
        ("aclrtIpcMemImportByKey", "the producer has ended"),
        ("aclrtIpcMemGetExportKey", "aclrtIpcMemGetExportKey"),
        ("aclrtRecordNotify", "the producer has ended"),
        ("aclrtIpcOpenEventHandle", "the producer has ended"),
    ] {
        let fault = format!("{call}#1=507899");
        let outcome = run(
            "two_processes",
            "fault",
            &[("ASCENDCL_EMULATOR_FAULTS", &fault)],
        );
        assert_eq!(outcome.code, Some(1), "{call}: {outcome:?}");
        assert!(outcome.stderr.contains(said), "{call}: {outcome:?}");
    }
}
