//! The results of `vector_add`: every element of the files that it writes is compared.

use half::{bf16, f16};

use crate::common::{Folder, bytes, npy, npy_in_order};

/// Numbers from -0.0 to the largest, with all values that rounding and NaNs make difficult.
const NUMBERS: [f32; 12] = [
    -0.0,
    0.0,
    1.0,
    -1.5,
    0.1,
    3.000_122,
    2049.0,
    1e-7,
    65504.0,
    f32::INFINITY,
    f32::NAN,
    f32::MIN_POSITIVE,
];

/// Runs `vector_add --a a.npy --b b.npy --out out.npy` with `more` on these files, and expects this.
#[track_caller]
fn check(test: &str, more: &[&str], a: &[u8], b: &[u8], expected: &[u8]) {
    let folder = Folder::new(test);
    folder.write("a.npy", a);
    folder.write("b.npy", b);
    let arguments = ["--a", "a.npy", "--b", "b.npy", "--out", "out.npy"];
    folder
        .vector_add(&[&arguments, more].concat(), &[])
        .succeeded();
    assert_eq!(folder.read("out.npy"), expected);
    assert_eq!(folder.names(), ["a.npy", "b.npy", "out.npy"]);
}

#[test]
fn the_first_command_of_the_readme() {
    let folder = Folder::new("the_first_command_of_the_readme");
    let outcome = folder.vector_add(&[], &[]);
    outcome.succeeded();
    for part in [
        "backend    the emulator\n",
        "device     0 of 2, Ascend910B1\n",
        "operation  f32 (2, 3, 4) + (3, 4) = (2, 3, 4)\n",
        "\nhost to device ",
        "\nAll 24 elements are exactly what the CPU computes.\nWritten to sum.npy.\n",
    ] {
        assert!(
            outcome.stdout.contains(part),
            "{part:?} is missing in {}",
            outcome.stdout
        );
    }
    // A rate of 144 bytes would measure the cost of a call.
    assert!(!outcome.stdout.contains("/s"), "{}", outcome.stdout);
    let sums: Vec<f32> = (0..24_u8)
        .map(|i| f32::from(i) / 8.0 + 100.0 * f32::from(i % 12 + 1))
        .collect();
    assert_eq!(
        folder.read("sum.npy"),
        npy("<f4", "(2, 3, 4)", bytes(&sums))
    );
    assert_eq!(folder.names(), ["sum.npy"]);
}

#[test]
fn the_folder_data_holds_what_its_readme_says() {
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data");
    let a: Vec<f32> = (0..24_u8).map(|i| f32::from(i) / 8.0).collect();
    let b: Vec<f32> = (1..13_u8).map(|i| 100.0 * f32::from(i)).collect();
    assert_eq!(
        std::fs::read(data.join("a.npy")).unwrap(),
        npy("<f4", "(2, 3, 4)", bytes(&a))
    );
    assert_eq!(
        std::fs::read(data.join("b.npy")).unwrap(),
        npy("<f4", "(3, 4)", bytes(&b))
    );
}

/// All pairs of [`NUMBERS`], converted.
fn pairs<T: Copy>(convert: impl Fn(f32) -> T) -> (Vec<T>, Vec<T>) {
    let pair = |left: f32| NUMBERS.map(|right| (convert(left), convert(right)));
    NUMBERS.into_iter().flat_map(pair).unzip()
}

#[test]
fn f32_is_added_exactly() {
    let (a, b) = pairs(|number| number);
    let sums: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    let file = |elements: &[f32]| npy("<f4", "(144,)", bytes(elements));
    check(
        "f32_is_added_exactly",
        &[],
        &file(&a),
        &file(&b),
        &file(&sums),
    );
}

#[test]
fn f16_is_rounded_once() {
    let (a, b) = pairs(f16::from_f32);
    let sum = |(a, b): (&f16, &f16)| f16::from_f32(a.to_f32() + b.to_f32());
    let sums: Vec<f16> = a.iter().zip(&b).map(sum).collect();
    let file = |elements: &[f16]| npy("<f2", "(12, 12)", bytes(elements));
    check(
        "f16_is_rounded_once",
        &[],
        &file(&a),
        &file(&b),
        &file(&sums),
    );
}

#[test]
fn bf16_is_read_from_both_of_its_forms() {
    let (a, b) = pairs(bf16::from_f32);
    let sum = |(a, b): (&bf16, &bf16)| bf16::from_f32(a.to_f32() + b.to_f32());
    let sums: Vec<bf16> = a.iter().zip(&b).map(sum).collect();
    let file = |descr, elements: &[bf16]| npy(descr, "(12, 12)", bytes(elements));
    let option = ["--dtype", "bf16"];
    for (test, descr, written) in [
        ("bf16_void", "<V2", "<V2"),
        ("bf16_plain_void", "|V2", "<V2"),
        ("bf16_uint", "<u2", "<u2"),
    ] {
        check(
            test,
            &option,
            &file(descr, &a),
            &file("<u2", &b),
            &file(written, &sums),
        );
    }
}

#[test]
fn integers_wrap() {
    let file = |elements: &[i32]| npy("<i4", "(3,)", bytes(elements));
    let (a, b) = ([i32::MAX, -7, i32::MIN], [1, 9, -1]);
    let sums = [i32::MIN, 2, i32::MAX];
    check(
        "i32_wraps",
        &["--dtype", "i32"],
        &file(&a),
        &file(&b),
        &file(&sums),
    );

    let file = |elements: &[i64]| npy("<i8", "(3,)", bytes(elements));
    let (a, b) = ([i64::MAX, 1 << 40, i64::MIN], [1, 1, -1]);
    let sums = [i64::MIN, (1 << 40) + 1, i64::MAX];
    check("i64_wraps", &[], &file(&a), &file(&b), &file(&sums));
}

#[test]
fn alpha_scales_the_second_operand() {
    let file = |elements: &[i64]| npy("<i8", "(2,)", bytes(elements));
    let alpha = ["--alpha", "-3"];
    check(
        "alpha_i64",
        &alpha,
        &file(&[10, 20]),
        &file(&[1, 2]),
        &file(&[7, 14]),
    );

    let file = |elements: &[f32]| npy("<f4", "(2,)", bytes(elements));
    let alpha = ["--alpha", "0.5"];
    check(
        "alpha_f32",
        &alpha,
        &file(&[1.0, 2.0]),
        &file(&[0.1, 3.0]),
        &file(&[1.05, 3.5]),
    );
}

#[test]
fn mul_multiplies() {
    let folder = Folder::new("mul_multiplies");
    folder.write("a.npy", &npy("<i4", "(2, 1)", bytes(&[2, 3])));
    folder.write("b.npy", &npy("<i4", "(2,)", bytes(&[5, 7])));
    folder
        .vector_add(&["--mul", "--a", "a.npy", "--b", "b.npy"], &[])
        .succeeded();
    assert_eq!(
        folder.read("product.npy"),
        npy("<i4", "(2, 2)", bytes(&[10, 14, 15, 21]))
    );
}

#[test]
fn shapes_broadcast() {
    let file = |shape: &str, elements: &[i32]| npy("<i4", shape, bytes(elements));
    check(
        "broadcast_both",
        &[],
        &file("(2, 1, 3)", &[0, 1, 2, 10, 11, 12]),
        &file("(2, 1)", &[100, 200]),
        &file(
            "(2, 2, 3)",
            &[100, 101, 102, 200, 201, 202, 110, 111, 112, 210, 211, 212],
        ),
    );
    check(
        "broadcast_second_is_larger",
        &[],
        &file("(1,)", &[5]),
        &file("(2, 2)", &[1, 2, 3, 4]),
        &file("(2, 2)", &[6, 7, 8, 9]),
    );
    check(
        "two_scalars",
        &[],
        &file("()", &[5]),
        &file("()", &[6]),
        &file("()", &[11]),
    );
    check(
        "a_scalar",
        &[],
        &file("(2,)", &[5, 6]),
        &file("()", &[6]),
        &file("(2,)", &[11, 12]),
    );
    check(
        "eight_dimensions",
        &[],
        &file("(1, 1, 2, 1, 1, 1, 1, 1)", &[5, 6]),
        &file("(2, 1)", &[10, 20]),
        &file("(1, 1, 2, 1, 1, 1, 2, 1)", &[15, 25, 16, 26]),
    );
}

#[test]
fn other_orders_are_converted() {
    // Both hold [[0, 1, 2], [3, 4, 5]].
    let fortran = npy_in_order("<i4", "True", "(2, 3)", bytes(&[0, 3, 1, 4, 2, 5]));
    let big_endian = [0_i32, 1, 2, 3, 4, 5].map(i32::to_be_bytes).concat();
    let big_endian = npy(">i4", "(2, 3)", &big_endian);
    let sums = npy("<i4", "(2, 3)", bytes(&[0, 2, 4, 6, 8, 10]));
    check(
        "other_orders_are_converted",
        &[],
        &fortran,
        &big_endian,
        &sums,
    );
}

#[test]
fn old_and_new_headers_are_read() {
    let elements = bytes(&[1_i32, 2]);
    // Version 2 has a longer length; Python 2 wrote numbers with an L; quotes and blanks may differ.
    let text = b"{\"shape\":(2L,),  \"fortran_order\":False, \"descr\" : \"<i4\"}\n";
    let length = u32::try_from(text.len()).unwrap().to_le_bytes();
    let a = [b"\x93NUMPY\x02\x00", &length[..], text, elements].concat();
    let b = npy("<i4", "(2,)", elements);
    let sums = npy("<i4", "(2,)", bytes(&[2, 4]));
    check("old_and_new_headers_are_read", &[], &a, &b, &sums);
}

#[test]
fn long_tensors_go_in_chunks() {
    let a: Vec<i64> = (0..5000).map(|i| i * i).collect();
    let b: Vec<i64> = (0..50).map(|i| -i).collect();
    let sums: Vec<i64> = (0..5000).map(|i| i * i - i % 50).collect();
    let (a, b) = (
        npy("<i8", "(100, 50)", bytes(&a)),
        npy("<i8", "(50,)", bytes(&b)),
    );
    let sums = npy("<i8", "(100, 50)", bytes(&sums));
    // 52 bytes are 6 elements, which divide neither length; the smallest chunk is one element.
    for (test, mib) in [("chunks_of_six", "0.00005"), ("chunks_of_one", "0.000001")] {
        check(test, &["--chunk-mib", mib], &a, &b, &sums);
    }
}

#[test]
fn an_empty_result_needs_no_device() {
    let folder = Folder::new("an_empty_result_needs_no_device");
    folder.write("a.npy", &npy("<f4", "(0, 3)", &[]));
    folder.write("b.npy", &npy("<f4", "(3,)", bytes(&[1.0_f32, 2.0, 3.0])));
    let devices = [("ASCENDCL_EMULATOR_DEVICES", "0")];
    let outcome = folder.vector_add(&["--a", "a.npy", "--b", "b.npy"], &devices);
    let text = "The result of the shape (0, 3) has no elements: no device was used.\n\
                Written to sum.npy.\n";
    assert_eq!(outcome.succeeded().stdout, text);
    assert_eq!(folder.read("sum.npy"), npy("<f4", "(0, 3)", &[]));
}

#[test]
fn the_other_device_and_a_lazy_one_compute_the_same() {
    let folder = Folder::new("the_other_device_and_a_lazy_one_compute_the_same");
    let lazy = [("ASCENDCL_EMULATOR_SCHEDULE", "lazy")];
    let outcome = folder.vector_add(&["--device", "1"], &lazy);
    assert!(
        outcome.succeeded().stdout.contains("device     1 of 2"),
        "{outcome:?}"
    );
}

#[test]
fn the_log_names_the_steps_and_stays_on_stderr() {
    let folder = Folder::new("the_log_names_the_steps_and_stays_on_stderr");
    let outcome = folder.vector_add(&["--verbose"], &[]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stderr.contains("host to device"), "{outcome:?}");
    assert!(outcome.stdout.starts_with("backend "), "{outcome:?}");
}

#[test]
fn an_older_result_is_replaced_also_behind_a_link() {
    let folder = Folder::new("an_older_result_is_replaced_also_behind_a_link");
    folder.write("real.npy", b"old");
    std::os::unix::fs::symlink("real.npy", folder.path("link.npy")).unwrap();
    folder.vector_add(&["--out", "link.npy"], &[]).succeeded();
    assert!(folder.read("real.npy").starts_with(b"\x93NUMPY"));
    assert!(folder.path("link.npy").is_symlink());
    assert_eq!(folder.names(), ["link.npy", "real.npy"]);
}
