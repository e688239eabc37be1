//! The refusals of `vector_add`: one line with the value and the remedy, the right exit status, and no files that
//! remain.

use std::fs;

use crate::common::{Folder, bytes, npy, npy_in_order};

/// A folder with `a.npy` and `b.npy`, and an older result that must survive.
fn folder(test: &str, a: &[u8], b: &[u8]) -> Folder {
    let folder = Folder::new(test);
    folder.write("a.npy", a);
    folder.write("b.npy", b);
    folder.write("sum.npy", b"older result");
    folder
}

/// Fails unless everything is as [`folder`] made it.
#[track_caller]
fn assert_untouched(folder: &Folder) {
    assert_eq!(folder.names(), ["a.npy", "b.npy", "sum.npy"]);
    assert_eq!(folder.read("sum.npy"), b"older result");
}

/// Expects a refusal because of `a.npy`; `b.npy` holds four f32 numbers.
#[track_caller]
fn check_file(test: &str, a: &[u8], more: &[&str], parts: &[&str]) {
    let folder = folder(test, a, &npy("<f4", "(4,)", bytes(&[1.0_f32; 4])));
    let arguments = [&["--a", "a.npy", "--b", "b.npy"], more].concat();
    folder.vector_add(&arguments, &[]).refused(parts);
    assert_untouched(&folder);
}

/// Expects a refusal of the supplied tensors in this environment.
#[track_caller]
fn check_environment(test: &str, more: &[&str], variables: &[(&str, &str)], parts: &[&str]) {
    let folder = folder(test, b"", b"");
    folder.vector_add(more, variables).refused(parts);
    assert_untouched(&folder);
}

#[test]
fn a_missing_file() {
    let folder = Folder::new("a_missing_file");
    folder.write("a.npy", &npy("<f4", "()", bytes(&[1.0_f32])));
    let outcome = folder.vector_add(&["--a", "a.npy", "--b", "none.npy"], &[]);
    outcome.refused(&[
        "cannot read none.npy: No such file",
        "; name a .npy file with --b",
    ]);
    folder
        .vector_add(&["--a", ".", "--b", "a.npy"], &[])
        .refused(&[". is not a regular file: name a .npy file with --a"]);
    assert_eq!(folder.names(), ["a.npy"]);
}

#[test]
fn what_is_no_npy_file() {
    let parts = ["a.npy is not a .npy file", "write it with `numpy.save`"];
    for (test, bytes) in [
        ("empty", &b""[..]),
        ("short", b"\x93NUM"),
        ("a_zip", b"PK\x03\x04 ..."),
    ] {
        check_file(test, bytes, &[], &parts);
    }
}

#[test]
fn damaged_files() {
    let good = npy("<f4", "(4,)", bytes(&[1.0_f32; 4]));
    let cut = ["a.npy is cut short", "write the file again"];
    check_file("cut_in_version", &good[..7], &[], &cut);
    check_file("cut_in_header", &good[..50], &[], &cut);
    let parts = ["cut short: f32 elements of the shape (4,) need 16 bytes, and it has 15; write"];
    check_file("cut_in_elements", &good[..good.len() - 1], &[], &parts);
    let promises = npy("<f4", "(4611686018427387904, 4)", &[]);
    check_file(
        "promises_too_much",
        &promises,
        &[],
        &["a.npy is cut short", "too many bytes"],
    );

    check_file(
        "future",
        b"\x93NUMPY\x09\x00\x00\x00",
        &[],
        &["the format version 9, and 1 to 3"],
    );
    let damaged = ["the header of a.npy is damaged: write the file again with `numpy.save`"];
    check_file(
        "endless_header",
        b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}",
        &[],
        &damaged,
    );
    check_file(
        "negative",
        &npy("<f4", "(-4,)", bytes(&[1.0_f32; 4])),
        &[],
        &damaged,
    );
    check_file(
        "no_tuple",
        &npy("<f4", "4", bytes(&[1.0_f32; 4])),
        &[],
        &damaged,
    );
    check_file(
        "no_order",
        &npy_in_order("<f4", "?", "(4,)", bytes(&[1.0_f32; 4])),
        &[],
        &damaged,
    );
}

#[test]
fn element_types() {
    let elements = [0; 64];
    let file = |descr| npy(descr, "(4,)", &elements);
    for (test, descr) in [
        ("f64", "<f8"),
        ("bool", "|b1"),
        ("complex", "<c8"),
        ("text", "<U3"),
    ] {
        let parts = [
            &format!("a.npy holds elements of the type '{descr}'")[..],
            "float32, float16, int32",
        ];
        check_file(test, &file(descr), &[], &parts);
    }
    let fields = npy("X", "(4,)", &elements);
    let fields = String::from_utf8_lossy(&fields[10..]).replace("'X'", "[('x', '<f4')]");
    let length = u16::try_from(fields.len()).unwrap().to_le_bytes();
    let fields = [b"\x93NUMPY\x01\x00", &length[..], fields.as_bytes()].concat();
    check_file(
        "fields",
        &fields,
        &[],
        &["a.npy holds elements of several fields"],
    );

    let parts = [
        "a.npy holds elements of the type '<V2': if they are bfloat16",
        "--dtype bf16",
    ];
    check_file("void", &file("<V2"), &[], &parts);
    check_file("uint16", &file("<u2"), &[], &["'<u2'", "--dtype bf16"]);
    let parts = ["a.npy holds f32 elements, and --dtype says bf16: leave it out, or convert"];
    check_file("wrong_dtype", &file("<f4"), &["--dtype", "bf16"], &parts);
    let parts =
        ["a.npy holds i32 elements and b.npy f32: convert one of them with NumPy's `astype`"];
    check_file("types_differ", &file("<i4"), &[], &parts);
}

#[test]
fn shapes() {
    let elements = [0; 64];
    let parts = [
        "the shapes (2, 3) of a.npy and (4,) of b.npy do not broadcast",
        "reshape one",
    ];
    check_file(
        "no_broadcast",
        &npy("<f4", "(2, 3)", &elements),
        &[],
        &parts,
    );
    let nine = npy("<f4", "(1, 1, 1, 1, 1, 1, 1, 1, 4)", &elements);
    let parts = ["a.npy has 9 dimensions, and operators take at most 8: reshape it"];
    check_file("nine_dimensions", &nine, &[], &parts);
}

#[test]
fn numbers_for_alpha() {
    let file = npy("<i4", "(1,)", bytes(&[1_i32]));
    let folder = folder("numbers_for_alpha", &file, &file);
    let run = |alpha| folder.vector_add(&["--a", "a.npy", "--b", "b.npy", "--alpha", alpha], &[]);
    let remedy = "give a whole number from -2147483648 to 2147483647";
    run("0.5").refused(&[
        "--alpha 0.5 is no number of the files' element type",
        remedy,
    ]);
    run("2147483648").refused(&["--alpha 2147483648 is no", remedy]);
    run("many").refused(&["--alpha many is no", remedy]);
    assert_untouched(&folder);
}

#[test]
fn an_unknown_device() {
    let parts = [
        "aclrtSetDevice",
        "107001",
        "device 7",
        "there are 2 devices: 0 to 1",
    ];
    check_environment("an_unknown_device", &["--device", "7"], &[], &parts);
    let none = [("ASCENDCL_EMULATOR_DEVICES", "0")];
    check_environment(
        "no_device",
        &[],
        &none,
        &["500000", "the emulator has no device"],
    );
}

#[test]
fn another_error_does_not_speak_of_memory() {
    for call in ["aclrtMallocHost", "aclrtMalloc", "aclCreateTensor"] {
        let fault = format!("{call}=507018");
        let faults = [("ASCENDCL_EMULATOR_FAULTS", fault.as_str())];
        let said = format!("error: {call} failed with ");
        check_environment("another_error", &[], &faults, &[&said]);
    }
}

#[test]
fn too_little_device_memory() {
    let large = npy("<f4", "(1024, 1024)", &vec![0; 4 << 20]);
    let folder = folder("too_little_device_memory", &large, &large);
    let small = [("ASCENDCL_EMULATOR_MEMORY", "8MiB")];
    let outcome = folder.vector_add(&["--a", "a.npy", "--b", "b.npy"], &small);
    outcome.refused(&[
        "the tensors need 12.00 MiB of device memory: aclrtMalloc failed with",
        "memory is exhausted",
    ]);
    assert_untouched(&folder);

    // A small file can ask for a large result.
    let column = npy("<f4", "(1048576, 1)", &vec![0; 4 << 20]);
    let row = npy("<f4", "(1, 1048576)", &vec![0; 4 << 20]);
    folder.write("a.npy", &column);
    folder.write("b.npy", &row);
    let outcome = folder.vector_add(&["--a", "a.npy", "--b", "b.npy"], &[]);
    outcome.refused(&["the tensors need 4.00 TiB of device memory: aclrtMalloc failed with"]);
    assert_untouched(&folder);
}

#[test]
fn a_program_on_the_chip_itself() {
    let device = [("ASCENDCL_EMULATOR_RUN_MODE", "device")];
    let parts = [
        "this example needs a host with a card beside it",
        "Ascend RC",
    ];
    check_environment("a_program_on_the_chip_itself", &[], &device, &parts);
}

#[test]
fn backends() {
    let bogus = [("ASCENDCL_BACKEND", "bogus")];
    let parts = [
        "ASCENDCL_BACKEND is \"bogus\"; it can be `cann`, `emulator`",
        "libascendcl.so",
    ];
    check_environment("backend_bogus", &[], &bogus, &parts);

    let missing = [("ASCENDCL_BACKEND", "none/libascendcl.so")];
    let parts = ["none/libascendcl.so cannot be loaded"];
    check_environment("backend_missing", &[], &missing, &parts);

    let named = [
        ("ASCENDCL_BACKEND", "cann"),
        ("ASCENDCL_LIBRARY", "none/libascendcl.so"),
    ];
    check_environment("backend_named", &[], &named, &parts);

    // A library that is certainly there, and certainly not CANN.
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let library = maps
        .lines()
        .find_map(|line| line.split_whitespace().find(|w| w.contains("libc.so")));
    let library = library.unwrap();
    let parts = [
        library,
        "is not an AscendCL library: it lacks aclInit",
        "Name CANN's libascendcl.so",
    ];
    check_environment(
        "backend_foreign",
        &[],
        &[("ASCENDCL_BACKEND", library)],
        &parts,
    );
}

#[test]
fn cann_where_there_is_none() {
    // If CANN is in one of the usual places, it is found, and this is correct.
    let folder = Folder::new("cann_where_there_is_none");
    let outcome = folder.vector_add(&[], &[("ASCENDCL_BACKEND", "cann")]);
    if outcome.stderr.contains("CANN was not found") {
        outcome.refused(&[
            "below $ASCEND_HOME_PATH",
            "set_env.sh",
            "or set ASCENDCL_LIBRARY",
        ]);
        assert!(folder.names().is_empty());
    } else {
        let said = format!("{}{}", outcome.stdout, outcome.stderr);
        assert!(
            !said.contains("emulator"),
            "the emulator stood in for CANN: {said}"
        );
    }
}

#[test]
fn malformed_variables_of_the_emulator() {
    for (name, value, remedy) in [
        ("ASCENDCL_EMULATOR_DEVICES", "many", "a number from 0 to 64"),
        ("ASCENDCL_EMULATOR_MEMORY", "4GB", "512MiB or 4GiB"),
        ("ASCENDCL_EMULATOR_SCHEDULE", "soon", "eager, lazy"),
        ("ASCENDCL_EMULATOR_RUN_MODE", "both", "host or device"),
        ("ASCENDCL_EMULATOR_STREAMS", "2", "a number from 3"),
    ] {
        let parts = [
            &format!("the variable {name} is {value:?}; set it to")[..],
            remedy,
        ];
        check_environment(name, &[], &[(name, value)], &parts);
    }
}

#[test]
fn outputs() {
    let remedy = "name a file in a folder that can be written with --out";
    let out =
        |test, out: &str, parts: &[&str]| check_environment(test, &["--out", out], &[], parts);
    let part = "cannot write none/sum.npy: No such file";
    out("out_no_folder", "none/sum.npy", &[part, remedy]);
    out(
        "out_below_a_file",
        "a.npy/sum.npy",
        &["cannot write a.npy/sum.npy: Not a dir", remedy],
    );
    out(
        "out_is_a_folder",
        ".",
        &["cannot write .: it is not a regular file", remedy],
    );
    let part = "cannot write /dev/null: it is not a regular file";
    out("out_is_a_device", "/dev/null", &[part, remedy]);
    let part = "cannot write none/..: it is not the name of a file";
    out("out_is_no_name", "none/..", &[part, remedy]);

    let file = npy("<f4", "(1,)", bytes(&[1.0_f32]));
    let folder = folder("out_is_an_input", &file, &file);
    for out in ["b.npy", "./b.npy", "../out_is_an_input/a.npy"] {
        let outcome = folder.vector_add(&["--a", "a.npy", "--b", "b.npy", "--out", out], &[]);
        let part = format!("{out} is the output and an input: name another file with --out");
        outcome.refused(&[&part]);
    }
    assert_eq!(folder.read("a.npy"), file);
    assert_eq!(folder.read("b.npy"), file);
    assert_untouched(&folder);
}

#[test]
fn wrong_command_lines() {
    for arguments in [
        &["--a", "a.npy"][..],
        &["--b", "b.npy"],
        &["--device", "-1"],
        &["--device", "first"],
        &["--out", ""],
        &["--chunk-mib", "0"],
        &["--chunk-mib", "NaN"],
        &["--chunk-mib", "inf"],
        &["--dtype", "f64"],
        &["--mul", "--alpha", "2"],
        &["--no-such-option"],
        &["a.npy"],
    ] {
        let folder = folder("wrong_command_lines", b"", b"");
        let outcome = folder.vector_add(arguments, &[]);
        assert_eq!(outcome.code, Some(2), "{arguments:?}: {outcome:?}");
        assert!(
            outcome.stderr.starts_with("error: ") && outcome.stdout.is_empty(),
            "{outcome:?}"
        );
        assert_untouched(&folder);
    }
}
